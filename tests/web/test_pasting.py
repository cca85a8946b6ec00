"""What is pasted into the sandbox and cannot be opened: each time with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from legation.game import Game, adjudicate, position_document, save_game
from legation.variants import load
from legation.web.designer.checking import EXAMPLE
from legation.web.designer.pasting import PasteError, read_paste
from legation.web.designer.uploads import PREFIX, VariantUploads
from legation.web.serving.documents import DocumentCache

STANDARD = load("standard")
SAVED = Path(__file__).parents[2] / "examples" / "hundred.json"


def opening() -> dict[str, object]:
    return {"variant": "standard", **position_document(STANDARD, STANDARD.opening())}


@pytest.mark.parametrize(
    ("text", "variant", "told"),
    [
        (lambda: "  \n", "standard", "Nothing was pasted."),
        (lambda: "France: A par", "chess", "There is no variant called “chess”."),
        (lambda: "France: A par", "bench-gone", "This variant has been deleted."),
        (lambda: '{"variant": "standard"', "standard", "isn't JSON"),
        (lambda: json.dumps({**opening(), "variant": "bench-gone"}), "standard", "has been deleted"),
        (lambda: json.dumps({**opening(), "units": {"Prussia": ["A par"]}}), "standard", "Prussia"),
        (lambda: json.dumps({"variant": "standard", "after": 3, "verdicts": []}), "standard", ""),
        (lambda: json.dumps({"format": "legation answer 99", "verdicts": [], "after": {}}), "standard", "99"),
        (lambda: json.dumps([1, 2]).replace("[", '{"a": [', 1).replace("]", "]}"), "standard", ""),
    ],
)
def test_what_cannot_be_opened_says_why(text: Callable[[], str], variant: str, told: str) -> None:
    with pytest.raises(PasteError) as caught:
        read_paste(text(), variant, VariantUploads(DocumentCache(1_000_000)))
    assert told in " ".join(caught.value.faults) and all(caught.value.faults)


def test_positions_answers_and_saved_games_are_opened_but_one_that_replays_otherwise() -> None:
    shop = VariantUploads(DocumentCache(1_000_000))
    rules, position, name, _ = read_paste(json.dumps(opening()), "hundred", shop)
    assert (rules.name, position, name) == ("standard", STANDARD.opening(), "standard"), "a document names its variant"
    answer = adjudicate({**opening(), "orders": {"France": ["A par - bur"]}})
    _, after, _, _ = read_paste(json.dumps(answer), "hundred", shop)
    assert "A bur" in {str(unit) for unit in after.units_of("France")}
    saved = json.loads(SAVED.read_text())
    _, position, name, _ = read_paste(json.dumps(saved), "standard", shop)
    assert (name, str(position.turn)) == ("hundred", saved["after"]["turn"])
    power, units = next((p, u) for p, u in saved["after"]["units"].items() if len(u) > 1)
    saved["after"]["units"][power] = units[1:]
    with pytest.raises(PasteError, match="Replaying the game gives another result"):
        read_paste(json.dumps(saved), "standard", shop)
    name = PREFIX + shop.put({"my.toml": EXAMPLE})
    game = Game(shop.rules(name))
    game.play({"France": "A par - bur"})
    _, position, opened, _ = read_paste(json.dumps(save_game(game)), "standard", shop)
    assert opened == name and "A bur" in {str(unit) for unit in position.units_of("France")}


def test_orders_alone_are_opened_with_the_units_that_they_name() -> None:
    text = (
        "Fall 1903 Movement\nEngland: F North Sea - Norway\n\n"
        "Russia:\nA St Petersburg S F Sweden - Norway; F Sweden - Norway"
    )
    _, position, _, sheet = read_paste(text, "standard", VariantUploads(DocumentCache(1_000_000)))
    assert str(position.turn) == "Fall 1903 Movement"
    assert {str(unit) for unit in position.units} == {"F nth", "A stp", "F swe"}
    assert sheet == "England\nF nth - nwy\n\nRussia\nA stp S F swe - nwy\nF swe - nwy"
