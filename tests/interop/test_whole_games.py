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
from legation.position import Phase
from legation.variants import load
from tests.interop import jdip_save, played

TURNS = 40
"""Phases: ten years and more."""


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
            for power, order, verdict in played.ordered(turn)
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


def jdip(game: Game, folder: Path) -> None:
    save = jdip_save.Save()
    (folder / "game.jdip").write_bytes(gzip.compress(save.text(save.turns(game)).encode()))


WRITERS: Mapping[str, Callable[[Game, Path], None]]
WRITERS = {"webDiplomacy": webdiplomacy, "Backstabbr": played.pages, "jDip": jdip}


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
