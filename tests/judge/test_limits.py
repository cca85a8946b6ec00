"""Where the judge does not try all there is, as that would take too long, its answer says so."""

from typing import Any

import pytest

from legation.game import adjudicate
from legation.judge import core
from legation.judge.core import BY_CONVOY, BY_LAND, CONVOY, MOVE, SUPPORT, MovementProblem
from legation.variants import load
from tests.judge.positions import first_turn_of
from tests.judge.problems import undecided


def ring(links: int) -> MovementProblem:
    """A convoy paradox that goes round: each army lands on the support of the attack on the next one's fleet."""
    place, owner, order, target, helped, via = [], [], [], [], [], []
    near = [[0] * (4 * links) for _ in range(4 * links)]
    for i in range(links):
        coast, sea, landing, other = (4 * i + k for k in range(4))
        after = (i + 1) % links
        for a, b in ((coast, sea), (sea, landing)):
            near[a][b] = near[b][a] = 1
        army = 4 * i
        place += [coast, sea, landing, other]
        owner += [0, 0, 1, 1]
        order += [MOVE, CONVOY, SUPPORT, MOVE]
        # the attack on a fleet comes from beside it and is supported from where the army before it lands
        target += [landing, landing, 4 * after + 1, sea]
        helped += [-1, army, 4 * after + 3, -1]
        via += [BY_CONVOY, BY_LAND, BY_LAND, BY_LAND]
    beside = [entry for row in near for entry in row]
    return undecided(4 * links, beside, place, owner, order, target, helped, via)


@pytest.mark.parametrize(("links", "flagged"), [(2, 0), (4, 0), (8, 1)])
def test_a_circle_too_large_to_be_tried_is_flagged(links: int, flagged: int) -> None:
    problem = ring(links)
    core.link_orders(problem)
    assert core.resolve(problem)
    core.resolve_cycles(problem)
    assert not core.any_open(problem)
    assert problem.limited == [flagged]


def crowded(variant: str) -> dict[str, Any]:
    """A fleet in every sea, and an army that may go far."""
    rules = load(variant)
    power = next(iter(rules.powers))
    seas = sorted(rules.tables.sea)
    start = next(
        p.id for p in rules.board.provinces.values() if p.shore and rules.tables.by_sea[p.id] & rules.tables.sea
    )
    turn = first_turn_of(rules)
    goal = next(p for p in sorted(rules.tables.by_sea[seas[-1]]) if p not in (*seas, start))
    units = [*(f"F {sea}" for sea in seas), f"A {start}"]
    orders = [*(f"F {sea} C A {start} - {goal}" for sea in seas), f"A {start} - {goal} via convoy"]
    return {"variant": variant, "turn": str(turn), "units": {power: units}, "orders": {power: orders}, "centers": {}}


def test_fleets_with_too_many_chains_are_flagged_in_the_answer() -> None:
    told = adjudicate(crowded("three-kingdoms"))["warnings"]
    assert any("connected fleets have more than 2000 chains" in warning for warning in told)
    told = adjudicate(crowded("standard"))["warnings"]
    assert not any("connected fleets" in warning for warning in told)


def test_a_large_circle_is_flagged_in_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    paradox = {
        "variant": "standard",
        "turn": "Spring 1901 Movement",
        "units": {"England": ["F lon", "F wal"], "France": ["A bre", "F eng"]},
        "orders": {"England": ["F lon S F wal - eng", "F wal - eng"], "France": ["A bre - lon", "F eng C A bre - lon"]},
    }
    assert adjudicate(paradox)["warnings"] == adjudicate({**paradox, "orders": {}})["warnings"]
    monkeypatch.setattr("legation.judge.core.cycles.LARGEST_ENUMERATION", 1)
    assert any("depend on each other in a circle" in warning for warning in adjudicate(paradox)["warnings"])
