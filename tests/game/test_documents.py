"""Documents fit their schemas, and games their records."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

import legation
from legation.bots.matches import random_game
from legation.game import (
    DocumentError,
    Game,
    SavedGameError,
    adjudicate,
    load_game,
    position_document,
    read_task,
    replay,
    save_game,
)
from legation.orders import Sheet
from legation.variants import load, names

ROOT = Path(__file__).parents[2]


def schema(name: str) -> Any:
    return json.loads(files("legation.game").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8"))


def validator(name: str) -> jsonschema.Draft202012Validator:
    resources = [(f"{n}.json", Resource.from_contents(schema(n))) for n in ("position", "answer", "game")]
    return jsonschema.Draft202012Validator(schema(name), registry=Registry().with_resources(resources))


@pytest.mark.parametrize("name", names())
def test_positions_and_answers_fit_their_schemas(name: str) -> None:
    rules = load(name)
    for resolution in random_game(rules, 1, 12):
        document = position_document(rules, resolution.before)
        validator("position").validate(document)
        validator("answer").validate(legation.adjudicate(document))


@pytest.mark.parametrize("name", names())
def test_a_position_reads_back_the_same(name: str) -> None:
    rules = load(name)
    for resolution in random_game(rules, 2, 20):
        document = position_document(rules, resolution.after)
        read = read_task(document).position
        assert set(read.units) == set(resolution.after.units)
        assert read.owners == resolution.after.owners
        assert position_document(rules, read) == document


def test_the_examples_fit_the_schema() -> None:
    for path in sorted((ROOT / "examples").glob("*.json")):
        validator("game").validate(json.loads(path.read_text()))


def test_the_documented_example_is_answered_as_documented() -> None:
    text = (ROOT / "docs" / "documents.md").read_text(encoding="utf-8")
    blocks = [block.partition("```")[0] for block in text.split("```json\n")[1:]]
    question, answer = (json.loads(block) for block in blocks[:2])
    found = legation.adjudicate(question)
    assert re.fullmatch(r"([0-9a-f]{8}-){3}[0-9a-f]{8}", found["after"]["rules"])
    found["after"]["rules"] = answer["after"]["rules"]  # whatever the digest is today
    assert found == answer


def test_without_units_a_document_is_the_opening() -> None:
    assert read_task({"variant": "standard"}).position == load("standard").opening()


def test_a_game_goes_on_after_it_was_saved() -> None:
    rules = load("hundred")
    game = Game(rules, name="Powick Bridge", seed="abc")
    game.play([Sheet("France")])
    again = load_game(json.loads(json.dumps(save_game(game))))
    assert again.position == game.position
    assert again.name == "Powick Bridge"
    again.play([])
    assert len(again.turns) == 2


def test_an_ended_game_is_not_played_on() -> None:
    game = json.loads((ROOT / "examples" / "hundred.json").read_text())
    loaded, differences = replay(game)
    assert [d for d in differences if not d.what.startswith("rules (")] == []
    assert loaded.ending is not None
    with pytest.raises(ValueError, match="has ended"):
        loaded.play([])


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"format": "legation game 1"},
        {"format": "legation game 1", "variant": "x", "turns": []},
        {"format": "legation game 1", "variant": "hundred", "turns": [3]},
    ],
)
def test_what_is_no_saved_game_is_refused(document: object) -> None:
    with pytest.raises(SavedGameError):
        replay(document)


def test_a_power_written_in_two_ways_has_one_sheet() -> None:
    document = {
        "variant": "standard",
        "turn": "Winter 1901 Adjustments",
        "units": {"France": ["A spa"]},
        "centers": {"France": ["par", "mar", "spa"]},
        "orders": {"France": ["build A par"], "French": ["build A mar"]},
    }
    answer = adjudicate(document)
    assert [(v["order"], v["outcome"]) for v in answer["verdicts"]] == [
        ("build A par", "succeeds"),
        ("build A mar", "succeeds"),
    ]


def test_half_a_position_is_a_fault() -> None:
    with pytest.raises(DocumentError) as caught:
        adjudicate({"variant": "standard", "centers": 5, "state": 3})
    assert [fault.partition(":")[0] for fault in caught.value.faults] == ["centers", "state"]


def test_an_entry_may_hold_several_orders_or_name_its_power() -> None:
    document = {
        "variant": "standard",
        "turn": "Winter 1901 Adjustments",
        "units": {"England": ["F nwy"]},
        "centers": {"England": ["lon", "edi", "lvp", "nwy"]},
        "orders": {"England": ["Build A edi; build F lon", "England: Build A Lpl", "build A nowhere"]},
    }
    answer = adjudicate(document)
    assert [(v["order"], v["outcome"]) for v in answer["verdicts"]] == [
        ("build A edi", "succeeds"),
        ("build F lon", "succeeds"),
        ("build A lvp", "succeeds"),
        ("build A nowhere", "illegal"),
    ]


def test_a_sheet_without_end_is_cut_and_said_to_be() -> None:
    document: dict[str, Any] = {"variant": "hundred", "orders": {"France": ["A par - orl"] * 1200}}
    last = adjudicate(document)["verdicts"][-1]
    assert (last["order"], last["outcome"]) == ("200 further orders", "illegal")
    document["orders"] = {"France": "A parr - burr\n" * 10_000}
    verdicts = adjudicate(document)["verdicts"]
    assert any("what comes after them is not read" in v["explanation"] for v in verdicts)
    assert len(verdicts) < 5000
