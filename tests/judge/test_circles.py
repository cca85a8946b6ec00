"""Which values depend on each other, and which circle of them is taken first."""

from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from legation.judge import core
from legation.judge.core import BY_CONVOY, BY_LAND, MOVE, OPEN, SUPPORT, YES, MovementProblem
from tests.judge.problems import undecided
from tests.judge.test_core import READINGS, Equations, random_problem
from tests.sampling import some

MOST_OPEN = 9


def reached(start: int, leans: list[int], side: int, through: set[int]) -> set[int]:
    """The values that ``start`` leans on, directly or over values of ``through``."""
    found: set[int] = set()
    new = {start}
    while new:
        new = {w for v in new for w in range(side) if leans[v * side + w]} - found
        found |= new
        new &= through
    return found


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_circle_that_is_taken_leans_on_nothing_else(n: int) -> None:
    random = Random(n)
    side = 2 * n
    several = 0
    for _ in range(600):
        is_open = [int(random.random() < 0.8) for _ in range(side)]
        values = {v for v in range(side) if is_open[v]}
        if not values:
            continue
        density = random.choice((0.15, 0.3, 0.5))
        leans = [
            int(v in values and w in values and random.random() < density) for v in range(side) for w in range(side)
        ]
        circle, scratch, stack = [0] * side, [0] * side, [0] * (2 * side)
        core.find_innermost(n, leans, is_open, circle, scratch, stack)
        taken = {v for v in range(side) if circle[v]}
        others = {v: reached(v, leans, side, values) for v in values}
        assert taken and all(others[v] | {v} == taken for v in taken)
        several += any(others[v] - taken for v in values - taken)
    assert several > 50


def shuffled(p: MovementProblem, random: Random) -> MovementProblem:
    """The same turn with its units numbered otherwise."""
    numbers = random.sample(range(p.n), p.n)  # by new number, the old one
    new = {old: i for i, old in enumerate(numbers)}
    return undecided(
        p.provinces,
        list(p.near),
        place=[p.place[old] for old in numbers],
        owner=[p.owner[old] for old in numbers],
        order=[p.order[old] for old in numbers],
        target=[p.target[old] for old in numbers],
        helped_unit=[new.get(p.helped_unit[old], -1) for old in numbers],
        via=[p.via[old] for old in numbers],
        readings=tuple(rule for rule, on in enumerate(p.rules) if on),
    )


def values_of(p: MovementProblem, bits: tuple[bool, ...], moves: list[int], routes: list[int]) -> Equations:
    """The equations under what is decided already, with the open moves and routes as given."""
    chosen = iter(bits)
    all_moves = {i: next(chosen) if i in moves else p.moves[i] == YES for i in range(p.n) if p.order[i] == MOVE}
    all_routes = {
        i: next(chosen) if i in routes else p.route[i] == YES
        for i in range(p.n)
        if p.order[i] == MOVE and p.via[i] == BY_CONVOY
    }
    return Equations(p, all_moves, all_routes)


@pytest.mark.parametrize("readings", some(READINGS, 3), ids=str)
def test_whatever_may_change_a_value_is_among_what_it_leans_on(readings: tuple[int, ...]) -> None:
    """Each open move, route and support is weighed with every open value the one way and the other."""
    tried = changing = 0
    seed = 0
    while tried < 300:
        seed += 1
        p = shuffled(random_problem(Random(seed), readings, 9), Random(seed))
        core.link_orders(p)
        if not core.resolve(p):
            continue
        moves = [i for i in range(p.n) if p.order[i] == MOVE and p.moves[i] == OPEN]
        routes = [i for i in range(p.n) if p.order[i] == MOVE and p.route[i] == OPEN]
        supports = {i for i in range(p.n) if p.order[i] == SUPPORT and p.low[i] != p.high[i]}
        if len(moves) + len(routes) > MOST_OPEN:
            continue
        tried += 1
        side = 2 * p.n
        leans = [0] * (side * side)
        core.build_dependencies(p, leans)
        flipped = [*moves, *(p.n + i for i in routes)]
        still_open = {*flipped, *supports}
        assert all({v // side, v % side} <= still_open for v in range(side * side) if leans[v]), seed
        for place, value in enumerate(flipped):
            for bits in product((False, True), repeat=len(flipped)):
                if bits[place]:
                    continue
                one = values_of(p, bits, moves, routes)
                other = values_of(p, (*bits[:place], True, *bits[place + 1 :]), moves, routes)
                if any(values.moves[i] and not values.stands(i) for values in (one, other) for i in moves):
                    continue  # an army without a route has not arrived
                moved = [i for i in moves if one.move(i) != other.move(i)]
                carried = [p.n + i for i in routes if one.route(i) != other.route(i)]
                given = [s for s in supports if one.given(s) != other.given(s)]
                for changed in (*moved, *carried, *given):
                    changing += changed != value
                    assert changed == value or value in reached(changed, leans, side, supports), (seed, changed, value)
    assert changing > 500


def leans_of(problem: MovementProblem, value: int, **known: Any) -> list[int]:
    """What a value leans on, where some values are ``known`` already. A problem is linked once only."""
    core.link_orders(problem)
    problem = replace(problem, **known)
    side = 2 * problem.n
    leans = [0] * (side * side)
    core.build_dependencies(problem, leans)
    return [w for w in range(side) if leans[value * side + w]]


def turn(
    place: list[int], order: list[int], target: list[int], helped_unit: list[int], via: list[int], force: list[int]
) -> MovementProblem:
    """A turn of units of as many powers, on a board where everybody may go anywhere."""
    near = [1] * 64
    problem = undecided(8, near, place, list(range(len(place))), order, target, helped_unit, via)
    return replace(problem, force=force)


@pytest.mark.parametrize(("moves", "leans"), [([OPEN, OPEN, OPEN], [1]), ([OPEN, YES, OPEN], [])])
def test_a_route_leans_on_the_move_of_the_fleet_that_ferries(moves: list[int], leans: list[int]) -> None:
    """K-9: unit 0, an army, goes with unit 1, a fleet that moves; unit 2 attacks where the fleet was, to no effect."""
    ferried = turn(
        place=[0, 1, 2],
        order=[MOVE, MOVE, MOVE],
        target=[3, 4, 1],
        helped_unit=[-1, 0, -1],
        via=[BY_CONVOY, BY_LAND, BY_LAND],
        force=[1, 1, 1],
    )
    assert leans_of(ferried, 3 + 0, moves=moves) == leans


STRONG = [(2, [0, 0, 0, 0], [2]), (3, [0, 0, 0, 0], []), (4, [0, 0, 0, 0], []), (2, [0, 0, 1, 0], [])]


@pytest.mark.parametrize(("attack", "low", "leans"), STRONG)
def test_a_strong_support_leans_on_the_supports_of_its_attackers(attack: int, low: list[int], leans: list[int]) -> None:
    """K-8: unit 1 attacks unit 0, which supports with strength 3; the support of unit 2 matters only while it is open,
    and where the attack alone would leave something of what it attacks."""
    attacked = turn(
        place=[0, 1, 2, 3],
        order=[SUPPORT, MOVE, SUPPORT, MOVE],
        target=[4, 0, 0, 4],
        helped_unit=[3, -1, 1, -1],
        via=[BY_LAND] * 4,
        force=[3, attack, 1, 1],
    )
    assert leans_of(attacked, 0, high=[3, 0, 1, 0], low=low) == leans
