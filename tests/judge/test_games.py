"""Replays of recorded games: every movement, retreat and adjustment must give the recorded result.

The records are not part of the project: ``LEGATION_GAMES`` names a folder with ``*.jsonl.gz`` files, one game a line,
each a list of phases with units, dislodged units, centers and orders, and for each phase the number of the phase whose
position is its outcome.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import legation
from legation.judge import Ruleset
from legation.variants import load

FOLDER = os.environ.get("LEGATION_GAMES", "")


def order_text(order: dict[str, Any]) -> str:
    """A recorded order in short style."""
    unit = f"{order['unit']} {order['at']}" if order.get("unit") else order["at"]
    match order["order"]:
        case "move":
            return f"{unit} - {order['to']}" + (" via convoy" if order.get("via_convoy") else "")
        case "support" if "target_to" in order:
            return f"{unit} S {order['target']} - {order['target_to']}"
        case "support":
            return f"{unit} S {order['target']}"
        case "convoy":
            return f"{unit} C {order['target']} - {order['target_to']}"
        case "retreat":
            return f"{unit} R {order['to']}"
        case "build":
            return f"build {unit}"
        case "disband":
            return f"{unit} disband"
        case _:
            return f"{unit} H"


def units_of(listed: list[dict[str, str]], rules: Ruleset) -> set[tuple[str, str, str]]:
    return {(u["power"], u["type"], rules.reader.location(u["at"])) for u in listed}


def by_power(listed: list[dict[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for unit in listed:
        text = f"{unit['type']} {unit['at']}"
        if text not in found.setdefault(unit["power"], []):  # one record lists a unit twice
            found[unit["power"]].append(text)
    return found


def turn_of(phase: dict[str, Any], seasons: bool) -> str:
    kind = {"Movement": "Movement", "Retreat": "Retreats", "Adjustment": "Adjustments"}[phase["type"]]
    if not seasons:
        return f"{phase['year']} {kind}"
    return f"{'Winter' if kind == 'Adjustments' else phase['season']} {phase['year']} {kind}"


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
    seasons = game["phases"][0]["season"] != "Year"
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
            "turn": turn_of(phase, seasons),
            "options": {"via_convoy_fallback": True},
            "units": by_power(phase["units"]),
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
            problems.append(f"{turn_of(phase, seasons)}: an order was not understood")
        if any(v["cause"] and v["cause"]["kind"] == "civil disorder" for v in answer["verdicts"]):
            counted["adjustments completed by the source's own rule"] += 1
            continue
        after = answer["after"]
        found = {(p, *u.split()) for p, listed in after["units"].items() for u in listed}
        if found != units_of(expected["units"], rules):
            problems.append(f"{turn_of(phase, seasons)}: units {sorted(found ^ units_of(expected['units'], rules))}")
        if after["turn"] != turn_of(expected, seasons) and nothing_to_do(expected) and expected.get("result"):
            expected = game["phases"][expected["result"]["next_phase"]]
            counted["idle phases that the source lists"] += 1
        wanted = {c: p for p, listed in expected["centers"].items() for c in map(rules.reader.location, listed)}
        owned = {c: p for p, listed in after["centers"].items() for c in listed}
        if owned != wanted:
            problems.append(f"{turn_of(phase, seasons)}: centers {sorted(set(owned.items()) ^ set(wanted.items()))}")
        if after["turn"] != turn_of(expected, seasons):
            problems.append(f"{turn_of(phase, seasons)}: then {after['turn']}, not {turn_of(expected, seasons)}")
        if phase["type"] == "Movement":
            out = {(p, *e["unit"].split()) for p, listed in after.get("dislodged", {}).items() for e in listed}
            if out != units_of(expected["dislodged"], rules):
                problems.append(
                    f"{turn_of(phase, seasons)}: dislodged {sorted(out ^ units_of(expected['dislodged'], rules))}"
                )
        counted[phase["type"]] += 1
    return problems


@pytest.mark.long
@pytest.mark.skipif(not FOLDER, reason="the recorded games are not at hand (LEGATION_GAMES is not set)")
def test_every_recorded_turn_gives_the_recorded_result() -> None:
    counted: Counter[str] = Counter()
    problems = []
    for path in sorted(Path(FOLDER).glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                problems += [f"{path.name}:{number}: {p}" for p in replay(json.loads(line), counted)]
    print(dict(counted))
    assert problems == []
    assert counted["Movement"] > 0
