"""Whole games of many years as other systems keep them, by writers of these tests: every position of every turn is that
of the game."""

import gzip
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import msgspec
import pytest

from legation.board import province_of
from legation.bots.chance import plausible_sheets
from legation.game import Game, PlayedTurn
from legation.interop import open_source
from legation.interop.games import judge_again, read_games
from legation.interop.games.missing import parts_of
from legation.interop.games.record import FAILED
from legation.orders import (
    Build,
    Convoy,
    Disband,
    Move,
    Remove,
    Retreat,
    Sheet,
    SupportHold,
    SupportMove,
    UnitOrder,
)
from legation.position import Phase, Unit
from legation.variants import load
from tests.interop import jdip_save, played
from tests.interop.jdip_save import ordered

TURNS = 40
"""Phases: ten years and more."""


def by_power(units: list[Unit]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for unit in units:
        found.setdefault(unit.power.upper(), []).append(f"{unit.kind} {unit.at.upper()}")
    return found


def season_of(turn: PlayedTurn) -> tuple[str, int]:
    now = turn.resolution.before.turn
    return "Fall" if now.season == "Winter" else now.season, now.year


# --- webDiplomacy's answers


def webdiplomacy(game: Game, folder: Path) -> None:
    names = {Phase.MOVEMENT: "Diplomacy", Phase.RETREATS: "Retreats", Phase.ADJUSTMENTS: "Builds"}
    phases = []
    for turn in game.turns:
        before = turn.resolution.before
        season, year = season_of(turn)
        units = [(u, "No") for u in before.units] + [(d.unit, "Yes") for d in before.dislodged]
        listed = [played.webdip_unit(u.power, u.kind, u.at, out) for u, out in units]
        centers = [{"terrID": played.number(c), "countryID": played.country(p)} for c, p in before.owners.items()]
        orders = [
            {
                "countryID": played.country(power),
                "success": "No" if verdict.outcome in FAILED else "Yes",
                **_webdip_order(order),
            }
            for power, order, verdict in ordered(turn)
        ]
        number = 2 * (year - 1901) + (season == "Fall")
        phases.append(
            {"turn": number, "phase": names[before.turn.phase], "units": listed, "centers": centers, "orders": orders}
        )
    (folder / "game.json").write_text(json.dumps({"gameID": 7, "variantID": 1, "phases": phases}))


WORDS: Mapping[type, str] = {
    **{kind: kind.__name__ for kind in (Move, Convoy, Retreat, Disband, Build)},
    SupportHold: "Support hold",
    SupportMove: "Support move",
    Remove: "Destroy",
}


def _webdip_order(order: UnitOrder) -> dict[str, object]:
    verb, target, to = parts_of(order)
    word = WORDS.get(type(order), "Hold")
    if word == "Build":
        word = "Build Army" if order.kind == "A" else "Build Fleet"
    goal, start = (target, "") if word == "Support hold" else (to, province_of(target))
    return {
        "type": word,
        "terrID": played.number(province_of(order.at) if word == "Destroy" else order.at),
        "toTerrID": played.number(goal) if goal else 0,
        "fromTerrID": played.number(start) if start else 0,
        "viaConvoy": "Yes" if verb == "MoveViaConvoy" else "No",
    }


# --- Backstabbr's pages


def backstabbr(game: Game, folder: Path) -> None:
    """A page of every season; retreats stand with the orders of the season before them."""
    for number, turn in enumerate(game.turns):
        before = turn.resolution.before
        if before.turn.phase is Phase.RETREATS:
            continue
        later = game.turns[number + 1] if number + 1 < len(game.turns) else None
        retreats = later if later is not None and later.resolution.before.turn.phase is Phase.RETREATS else None
        orders: played.Orders = {}
        for power, order, verdict in ordered(turn):
            told = _page_order(order)
            told["result"] = "FAILS" if verdict.outcome in FAILED else "SUCCEEDS"
            orders.setdefault(power, {})[played.code(province_of(order.at).upper())] = told
        for gone in (before.turn.phase is Phase.MOVEMENT and retreats and retreats.resolution.verdicts) or ():
            assert isinstance(gone.order, UnitOrder)
            at = played.code(province_of(gone.order.at).upper())
            away = {key: place for key, place in _page_order(gone.order).items() if key.startswith("to")}
            orders.setdefault(gone.power, {}).setdefault(at, {"type": "HOLD", "result": "SUCCEEDS"})["retreat"] = away
        now = before.turn
        page = played.backstabbr(now.season, now.year, "COMPLETE", by_power([*before.units]), orders)
        (folder / f"{now.year}-{now.season}.html").write_text(page)


def _page_order(order: UnitOrder) -> dict[str, object]:
    verb, target, to = parts_of(order)
    told: dict[str, object] = {"type": "MOVE" if verb == "MoveViaConvoy" else verb.upper()}
    for key, place in (("from", target), ("to", to)):
        told |= {key: played.code(province_of(place).upper())} if place else {}
    if "/" in to:
        told["to_coast"] = to.partition("/")[2]
    if isinstance(order, Build):
        coast = order.at.partition("/")[2]
        told |= {"unit_type": order.kind, **({"coast": coast} if coast else {})}
    return told


def jdip(game: Game, folder: Path) -> None:
    save = jdip_save.Save()
    (folder / "game.jdip").write_bytes(gzip.compress(save.text(save.turns(game)).encode()))


WRITERS: Mapping[str, Callable[[Game, Path], None]]
WRITERS = {"webDiplomacy": webdiplomacy, "Backstabbr": backstabbr, "jDip": jdip}


def overland(sheet: Sheet) -> Sheet:
    """A sheet for a system in which nobody says whether an army goes by sea."""
    plain = (msgspec.structs.replace(o, via_convoy=False) if isinstance(o, Move) else o for o in sheet.orders)
    return Sheet(sheet.power, tuple(plain))


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("system", WRITERS)
def test_a_game_of_ten_years_is_followed_turn_by_turn(system: str, seed: int, tmp_path: Path) -> None:
    rules, chance = load("standard"), Random(seed)
    game = Game("standard", name="by chance")
    while len(game.turns) < TURNS and game.ending is None:
        sheets = plausible_sheets(rules, game.position, chance)
        game.play(map(overland, sheets) if system == "Backstabbr" else sheets)
    assert game.position.turn.year >= 1910
    WRITERS[system](game, tmp_path)
    [record] = read_games(open_source(tmp_path))
    judged = judge_again(record, rules, lambda options: load("standard", options))
    assert (judged.unread, judged.differences) == ([], [])
    after = {str(turn.resolution.before.turn): turn.resolution.after for turn in judged.game.turns}
    for turn in game.turns[:-1]:
        there = after[str(turn.resolution.before.turn)]
        ours = turn.resolution.after
        assert {*there.units} == {*ours.units}
        assert {d.unit for d in there.dislodged} == {d.unit for d in ours.dislodged}
        assert there.owners == ours.owners
