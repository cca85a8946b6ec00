"""Lots can be checked by everybody who kept the commitments (W-14)."""

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest

from legation.game import Game, replay, save_game
from legation.judge import commitment, draw
from legation.orders import Remove, Sheet
from legation.position import Phase, Position, Turn, Unit
from legation.variants import Registry, load
from tests.game.test_documents import validator

CASES = Path(__file__).parents[1] / "cases" / "three-kingdoms"
VARIANTS = Registry()
VARIANTS.add_file(CASES / "isles.toml")
WINTER = "Winter 1644 Adjustments"


def drawn_game(seed: str = "edgehill") -> Game:
    """A game in whose first turn Crown loses three of five units, one by its own choice and two by lot."""
    rules = VARIANTS.load("isles")
    units = [Unit("A", at, "Crown") for at in ("shrops", "staffs", "surrey", "ashby")] + [Unit("F", "lunsea", "Crown")]
    units.append(Unit("F", "york", "Newcastle"))
    owners = {"glamor": "Crown", "portis": "Crown", "york": "Newcastle"}
    game = Game(
        rules, seed=seed, opening=Position(Turn("Winter", 1644, Phase.ADJUSTMENTS), tuple(units), owners=owners)
    )
    game.play([Sheet("Crown", (Remove("A", "staffs"),))])
    game.play([])
    return game


def test_a_draw_is_what_the_formula_says() -> None:
    document = json.loads(json.dumps(save_game(drawn_game())))
    validator("game").validate(document)
    own = hmac.new(b"edgehill", WINTER.encode(), hashlib.sha256).hexdigest()
    lots = document["turns"][0]["lots"]
    assert lots["seed"] == own
    assert lots["commitment"] == hashlib.sha256(own.encode()).hexdigest()
    [lot] = lots["drawn"]
    assert lot["label"] == f"{WINTER}: removal for Crown"
    assert lot["items"] == ["A ashby", "A shrops", "A surrey", "F lunsea"]

    def ticket(item: str) -> str:
        return hmac.new(own.encode(), f"{lot['label']}/{item}".encode(), hashlib.sha256).hexdigest()

    assert lot["order"] == sorted(lot["items"], key=ticket)
    left = set(document["after"]["units"]["Crown"])
    assert left == set(lot["order"][2:])
    assert "lots" not in document["turns"][1]


def test_homes_that_fall_by_lot_can_be_checked_and_replayed() -> None:
    game = Game(load("1897"), seed="marston moor")
    game.play([])
    public = json.loads(json.dumps(save_game(game, public=True)))
    assert len(public["turns"][0]["lots"]["drawn"]) == 7
    assert replay(public)[1] == []
    verdict = next(v for v in public["turns"][0]["verdicts"] if v["power"] == "England")
    [drawn] = [d for d in public["turns"][0]["lots"]["drawn"] if d["label"].endswith("home of England")]
    verdict["order"] = f"build A {drawn['order'][-1]}"
    assert {str(d) for d in replay(public)[1]} == {
        f"Winter 1897 Placement: England build A {drawn['order'][0]}: stored nothing, replayed succeeds",
        f"Winter 1897 Placement: England build A {drawn['order'][-1]}: stored succeeds, replayed nothing",
    }


def test_commitments_are_known_before_the_turn_and_hold_after_it() -> None:
    rules = VARIANTS.load("isles")
    opening = drawn_game().opening
    game = Game(rules, seed="edgehill", opening=opening)
    noted = [commitment("edgehill"), game.commitment]
    game.play([Sheet("Crown", (Remove("A", "staffs"),))])
    assert game.commitment not in noted
    for public in (False, True):
        document = save_game(game, public=public)
        assert [document["commitment"], document["turns"][0]["lots"]["commitment"]] == noted
    # a coordinator cannot choose another seed after the orders
    assert save_game(drawn_game("naseby"))["commitment"] != noted[0]


def test_the_public_document_keeps_the_seed_until_the_end_and_replays() -> None:
    public = save_game(drawn_game(), public=True)
    assert "edgehill" not in json.dumps(public)
    _, differences = replay(json.loads(json.dumps(public)), VARIANTS)
    assert differences == []
    _, differences = replay(json.loads(json.dumps(save_game(drawn_game()))), VARIANTS)
    assert differences == []


def _other_unit(document: dict[str, Any]) -> None:
    turn = document["turns"][0]
    kept = turn["lots"]["drawn"][0]["order"][-1]
    verdict = next(v for v in turn["verdicts"] if (v["cause"] or {}).get("reason") == "by lot")
    verdict["order"] = f"remove {kept}"


def _other_seed(document: dict[str, Any]) -> None:
    document["turns"][0]["lots"]["seed"] = "0" * 64


def _other_order(document: dict[str, Any]) -> None:
    document["turns"][0]["lots"]["drawn"][0]["order"].reverse()


def _other_game_seed(document: dict[str, Any]) -> None:
    document["seed"] = "marston moor"


def _hidden(document: dict[str, Any]) -> None:
    del document["turns"][0]["lots"]


def _other_turn(document: dict[str, Any]) -> None:
    """A lot that falls as it should by the turn's seed, but was drawn for another turn."""
    lots = document["turns"][0]["lots"]
    for lot in lots["drawn"]:
        lot["label"] = lot["label"].replace("1644", "1645")
        lot["order"] = draw(lots["seed"], lot["label"], lot["items"])


@pytest.mark.parametrize("cheat", [_other_turn, _other_unit, _other_seed, _other_order, _other_game_seed, _hidden])
def test_cheating_is_seen(cheat: Any) -> None:
    document = json.loads(json.dumps(save_game(drawn_game())))
    cheat(document)
    assert replay(document, VARIANTS)[1] != []
