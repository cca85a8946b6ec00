"""Retreats and adjustments against plain second readings of the rules, on random positions and sheets."""

from collections import Counter, deque
from random import Random
from typing import Any

import pytest

import legation
from legation.board import Board, province_of
from legation.judge import Ruleset
from legation.position import Phase
from legation.variants import load
from tests.judge.positions import first_turn_of, random_position
from tests.sampling import some

VARIANTS = ["standard", "hundred"]


SEEDS = 90


def units_by_power(rules: Ruleset, seed: int) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for unit in random_position(rules.board, list(rules.powers), seed):
        found.setdefault(unit.power, []).append(f"{unit.kind} {unit.at}")
    return found


def reach(board: Board, unit: str) -> frozenset[str]:
    kind, at = unit.split()
    return board.reach("fleet" if kind == "F" else "army", at)


def place(unit: str) -> str:
    return province_of(unit.split()[1])


# Retreats


def random_retreats(rules: Ruleset, seed: int) -> dict[str, Any]:
    random = Random(seed)
    units = units_by_power(rules, seed)
    provinces = list(rules.board.provinces)
    document: dict[str, Any] = {"variant": rules.name, "units": units, "dislodged": {}, "orders": {}}
    document["turn"] = str(first_turn_of(rules, Phase.RETREATS))
    standing = {place(u): power for power, listed in units.items() for u in listed}
    document["contested"] = random.sample([p for p in provinces if p not in standing], k=3)
    for power, listed in units_by_power(rules, seed + 100_000).items():
        for unit in listed:
            if place(unit) not in standing or standing[place(unit)] == power or random.random() < 0.2:
                continue  # somebody else must have taken its place
            near = sorted({province_of(x) for x in reach(rules.board, unit)})
            if not near:
                continue
            entry: dict[str, Any] = {"unit": unit}
            if random.random() < 0.8:
                entry["attacker_from"] = random.choice(near)
            document["dislodged"].setdefault(power, []).append(entry)
            dice = random.random()
            to = random.choice(sorted(reach(rules.board, unit)) if dice < 0.85 else provinces)
            if dice < 0.95:
                order = f"{unit} R {to}" if random.random() < 0.85 else f"{unit} disband"
                document["orders"].setdefault(power, []).append(order)
    return document


def after_retreats(rules: Ruleset, document: dict[str, Any]) -> list[str]:
    """Where everybody stands: a unit goes where it was ordered if that is near, vacant, uncontested, not its attacker's
    origin, and nobody else goes there."""
    closed = {place(u) for listed in document["units"].values() for u in listed} | set(document["contested"])
    goes: dict[tuple[str, str], str] = {}
    for power, listed in document["dislodged"].items():
        for entry in listed:
            unit = entry["unit"]
            for order in document["orders"].get(power, []):
                before, arrow, to = order.partition(" R ")
                if before != unit or not arrow:
                    continue
                fits = [x for x in reach(rules.board, unit) if x == to or (province_of(x) == to and to != x)]
                barred = closed | {entry.get("attacker_from")}
                if len([x for x in fits if province_of(x) not in barred]) == 1 and province_of(to) not in barred:
                    goes[power, unit] = fits[0]
    crowd = Counter(province_of(to) for to in goes.values())
    standing = [f"{power} {u}" for power, listed in document["units"].items() for u in listed]
    return sorted(standing + [f"{p} {u[0]} {to}" for (p, u), to in goes.items() if crowd[province_of(to)] == 1])


@pytest.mark.parametrize("variant", some(VARIANTS, 2))
def test_retreats(variant: str) -> None:
    rules = load(variant)
    moved = disbanded = 0
    for seed in range(SEEDS):
        document = random_retreats(rules, seed)
        answer = legation.adjudicate(document)
        found = sorted(f"{power} {u}" for power, listed in answer["after"]["units"].items() for u in listed)
        assert found == after_retreats(rules, document), document
        moved += len(found) - sum(map(len, document["units"].values()))
        disbanded += sum(v["outcome"] == "disbanded" for v in answer["verdicts"])
    assert moved > 20
    assert disbanded > 2


# Adjustments


def random_adjustments(rules: Ruleset, seed: int) -> dict[str, Any]:
    random = Random(seed)
    board = rules.board
    units = units_by_power(rules, seed)
    centers: dict[str, list[str]] = {}
    for power, listed in rules.powers.items():
        for home in listed.homes:
            if random.random() < 0.7:
                centers.setdefault(power, []).append(home)
    taken = {c for owned in centers.values() for c in owned}
    for center in board.centers:
        if center not in taken and random.random() < 0.6:
            centers.setdefault(random.choice(list(rules.powers)), []).append(center)
    orders: dict[str, list[str]] = {}
    for power in rules.powers:
        for _ in range(random.randint(0, 5)):
            if units.get(power) and random.random() < 0.5:
                order = f"remove {random.choice(units[power])}"
            else:
                at = random.choice(centers.get(power) or list(board.centers))
                kind = random.choice("AF")
                order = f"build {kind} {random.choice(board.provinces[at].locations) if kind == 'F' else at}"
            orders.setdefault(power, []).append(order)
    turn = str(first_turn_of(rules, Phase.ADJUSTMENTS))
    return {"variant": rules.name, "turn": turn, "units": units, "centers": centers, "orders": orders}


def steps_from(board: Board, sources: list[str]) -> dict[str, int]:
    """How many steps every province is from the nearest source, for armies and fleets alike."""
    steps = dict.fromkeys(sources, 0)
    line = deque(sources)
    while line:
        here = line.popleft()
        for border in board.borders:
            ends = (province_of(border.a), province_of(border.b))
            if here in ends:
                other = ends[1] if ends[0] == here else ends[0]
                if other not in steps:
                    steps[other] = steps[here] + 1
                    line.append(other)
    return steps


def after_adjustments(rules: Ruleset, document: dict[str, Any]) -> list[str]:
    """What stands: builds in turn while there is room, removals in turn while they are due, and the rest by the 2023
    rule."""
    board = rules.board
    occupied = {place(u) for listed in document["units"].values() for u in listed}
    found = []
    for power in rules.powers:
        units = list(document["units"].get(power, []))
        owned = document["centers"].get(power, [])
        sites = [c for c in owned if c in rules.powers[power].homes] if rules.powers[power].homes else owned
        room = len(owned) - len(units)
        built: list[str] = []
        for order in document["orders"].get(power, []):
            verb, _, unit = order.partition(" ")
            kind, at = unit.split()
            if verb == "build" and len(built) < room:
                stands = not board.provinces[place(unit)].inland if kind == "F" else True
                vacant = place(unit) not in occupied and place(unit) not in map(place, built)
                if stands and vacant and province_of(at) in sites:
                    built.append(unit)
            elif verb == "remove" and len(units) > len(owned) and unit in units:
                units.remove(unit)
        if len(units) > len(owned):
            far = steps_from(board, owned) if owned else {}
            at_place = board.provinces
            units.sort(key=lambda u: (u[0] != "F", at_place[place(u)].name))
            units.sort(key=lambda u: far.get(place(u), 10**6), reverse=True)
            units.sort(key=lambda u: at_place[place(u)].center)
            units = units[len(units) - len(owned) :]
        found += [f"{power} {u}" for u in units + built]
    return sorted(found)


@pytest.mark.parametrize("variant", some(VARIANTS, 2))
def test_adjustments(variant: str) -> None:
    rules = load(variant)
    seen: Counter[str] = Counter()
    for seed in range(SEEDS):
        document = random_adjustments(rules, seed)
        answer = legation.adjudicate(document)
        found = sorted(f"{power} {u}" for power, listed in answer["after"]["units"].items() for u in listed)
        assert found == after_adjustments(rules, document), document
        for verdict in answer["verdicts"]:
            seen[verdict["order"].split()[0] + " " + verdict["outcome"]] += 1
    for what in ("build succeeds", "build illegal", "remove succeeds", "remove illegal"):
        assert seen[what] > 20


# Votes

RETREATING: dict[str, Any] = {
    "turn": "Spring 1901 Retreats",
    "units": {"Germany": ["A bur"], "France": ["A mar"]},
    "dislodged": {"France": ["A gas"]},
    "centers": {"France": ["mar"], "Germany": ["mun"]},
}
ADJUSTING = {**RETREATING, "turn": "Winter 1901 Adjustments", "dislodged": {}}


@pytest.mark.parametrize("document", [RETREATING, ADJUSTING], ids=["retreats", "adjustments"])
def test_a_draw_may_be_agreed_in_every_phase(document: dict[str, Any]) -> None:
    """STD-6: when all survivors agree in the same turn; else the votes come to nothing, and are told so."""
    for voters, ending, told in (
        (["Germany", "France"], "draw", "draw succeeds"),
        (["Germany"], None, "draw had no effect: not every surviving power voted for a draw"),
    ):
        orders = {power: ["draw"] for power in voters}
        answer = legation.adjudicate({"variant": "standard", **document, "orders": orders})
        assert (answer["ending"] or {}).get("kind") == ending
        assert [v["explanation"] for v in answer["verdicts"] if v["order"] == "draw"] == [told] * len(voters)
