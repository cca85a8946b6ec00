"""Replays of recorded games: every movement, retreat and adjustment must give the recorded result.

The records are not part of the project: ``LEGATION_GAMES`` names a folder with ``*.jsonl.gz`` files, one game a line,
each a list of phases with units, dislodged units, centers and orders, and for each phase the number of the phase whose
position is its outcome."""

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import legation
from legation.interop.games.recorded_phases import RecordedPhases, order_text, recorded_games
from legation.notation import write
from legation.position import Unit
from legation.variants import load

FOLDER = os.environ.get("LEGATION_GAMES", "")


def by_power(units: Iterable[Unit]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for unit in units:
        found.setdefault(unit.power, []).append(str(unit))
    return found


def listed(document: dict[str, list[Any]]) -> set[Unit]:
    """The units of a document by power, dislodged ones with more about each."""
    texts = ((power, e["unit"] if isinstance(e, dict) else e) for power, of in document.items() for e in of)
    parted = ((power, text.partition(" ")) for power, text in texts)
    return {Unit(kind, at, power) for power, (kind, _, at) in parted}


def nothing_to_do(phase: dict[str, Any]) -> bool:
    """Whether a phase is recorded in which nobody could order anything: no unit with a retreat, or builds without a
    site."""
    return (
        phase["type"] != "Movement" and not phase["dislodged"] and all(o["order"] == "disband" for o in phase["orders"])
    )


def replay(game: dict[str, Any], counted: Counter[str]) -> list[str]:
    """What differs in one game."""
    variant = game.get("variant") or game["map"]
    rules = load(variant)
    reader = RecordedPhases(rules)
    problems = []
    last: dict[str, Any] = {}
    for phase in game["phases"]:
        result = phase.get("result")
        if not result or result.get("next_phase") is None:
            counted["without a result (the last phase of a game)"] += 1
            continue
        expected = game["phases"][result["next_phase"]]
        document: dict[str, Any] = {
            "variant": variant,
            "turn": str(reader.turn(phase)),
            "options": {"via_convoy_fallback": True},
            "units": by_power(reader.units(phase["units"])),
            "centers": phase["centers"],
            "orders": {},
        }
        if phase["type"] == "Retreat":  # where attackers came from and what was contested is the judge's own finding
            document["dislodged"] = last["after"].get("dislodged", {})
            document["contested"] = last["after"].get("contested", [])
        for order in phase["orders"]:
            if order["power"] is None:
                counted["orders to no unit"] += 1
                continue
            document["orders"].setdefault(order["power"], []).append(order_text(order))
        answer = last = legation.adjudicate(document)
        if any(v["cause"] and v["cause"]["kind"] == "not understood" for v in answer["verdicts"]):
            problems.append(f"{document['turn']}: an order was not understood")
        if any(v["cause"] and v["cause"]["kind"] == "civil disorder" for v in answer["verdicts"]):
            counted["adjustments completed by the source's own rule"] += 1
            continue
        after = answer["after"]
        told: dict[str, set[Any]] = {"units": listed(after["units"]) ^ set(reader.units(expected["units"]))}
        if after["turn"] != str(reader.turn(expected)) and nothing_to_do(expected) and expected.get("result"):
            expected = game["phases"][expected["result"]["next_phase"]]
            counted["idle phases that the source lists"] += 1
        wanted = {(reader.location(c), power) for power, of in expected["centers"].items() for c in of}
        told["centers"] = {(c, power) for power, of in after["centers"].items() for c in of} ^ wanted
        told["then"] = {after["turn"]} ^ {str(reader.turn(expected))}
        if phase["type"] == "Movement":
            told["dislodged"] = listed(after.get("dislodged", {})) ^ set(reader.units(expected["dislodged"]))
        problems += [f"{document['turn']}: {what} {sorted(map(str, found))}" for what, found in told.items() if found]
        counted[phase["type"]] += 1
    return problems


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"target": "A mar"}, "A par S A mar"),
        ({"target": "A mar", "target_to": "bur"}, "A par S A mar - bur"),
        ({"target": "A mar", "to": "bur"}, "A par S A mar"),
        ({"target": "A mar", "target_to": None}, ""),
        ({}, ""),
    ],
)
def test_a_recorded_support_is_read_as_it_is_or_not_at_all(given: dict[str, Any], text: str) -> None:
    """No support to hold is made of one whose move has no end."""
    order = {"order": "support", "power": "France", "unit": "A", "at": "par", **given}
    found = RecordedPhases(load("standard")).orders({"type": "Movement", "orders": [order]})
    assert [write(order) for order in found["France"]] == ([text] if text else [])


@pytest.mark.long
@pytest.mark.skipif(not FOLDER, reason="the recorded games are not at hand (LEGATION_GAMES is not set)")
def test_every_recorded_turn_gives_the_recorded_result() -> None:
    counted: Counter[str] = Counter()
    problems = []
    for path in sorted(Path(FOLDER).glob("*.jsonl.gz")):
        for number, game in enumerate(recorded_games(path), 1):
            problems += [f"{path.name}:{number}: {p}" for p in replay(game, counted)]
    print(dict(counted))
    assert problems == []
    assert counted["Movement"] > 0
