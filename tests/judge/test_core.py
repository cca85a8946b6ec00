"""The core against the equations of DATC 5.B, on small problems without a board: anybody may go anywhere.

Here every assignment of moves and routes is tried. Where exactly one of them agrees with the equations, the core has to
find that one, by whatever way: on boards as they are such cycles are too rare to be met by chance."""

from itertools import product
from random import Random

import pytest
from msgspec.structs import replace

from legation.judge import core
from legation.judge.core import BY_CONVOY, BY_LAND, CONVOY, HOLD, MOVE, NO, OPEN, SUPPORT, YES, MovementProblem
from legation.judge.core.bounds import bound_path
from tests.judge.problems import undecided
from tests.sampling import some

PROVINCES = 14
POWERS = 4
READINGS = [
    (),
    (core.ANY_ROUTE_BREAKS,),
    (core.CONVOY_CUTS_OWN_TARGET,),
    (core.DISLODGED_NEVER_BOUNCES,),
    (core.WEAK_BOUNCES,),
    (core.ANY_ROUTE_BREAKS, core.CONVOY_CUTS_OWN_TARGET, core.DISLODGED_NEVER_BOUNCES),
]
# One problem in ten thousand has a circle with exactly one solution; these have one in some reading.
LARGE = 11
LARGE_SEEDS = [
    int(seed)
    for seed in """
    1706 4243 6562 38214 46062 46428 46761 48579 52466 56728 58775 58936 59082 65970 93607 96926 103258 107910 109164
    119993 125658 130919 146790 150603 150716 152779 158040 159955 174875 179212 192525 193090 203135 203843 225406
    226109 232272 233196 235774 247383 248505 1210 15537 20340 27883 29100 39677 42999 49267 49294 53722 55633 58345
    213722 217098 219531 227410
""".split()
]
Values = dict[int, bool]


def random_problem(random: Random, readings: tuple[int, ...], most: int) -> MovementProblem:
    """A turn of a few units, most of which attack, support and convoy each other; nothing decided yet."""
    n = random.randint(8 if most == LARGE else 4, most)
    place = random.sample(range(PROVINCES), n)
    order, target, helped, via = [HOLD] * n, list(place), [-1] * n, [BY_LAND] * n
    movers = range(random.randint(2, (n + 1) // 2))
    others = range(len(movers), n)
    for i in movers:
        order[i] = MOVE
        goals = place if random.random() < 0.85 else range(PROVINCES)
        target[i] = random.choice([x for x in goals if x != place[i]])
    for i in others:
        kind, moving, staying = random.random(), random.choice(movers), random.choice(others)
        if kind < 0.5:
            order[i], target[i], helped[i] = CONVOY, target[moving], moving
            via[moving] = BY_CONVOY
        elif kind < 0.8 and target[moving] != place[i]:
            order[i], target[i], helped[i] = SUPPORT, target[moving], moving
        elif staying != i:
            order[i], target[i], helped[i] = SUPPORT, place[staying], staying
    near = [1] * (PROVINCES * PROVINCES)
    for a in range(PROVINCES):
        for b in range(a):
            near[a * PROVINCES + b] = near[b * PROVINCES + a] = int(random.random() < 0.9)
    owner = [random.randrange(POWERS) for _ in place]
    return undecided(PROVINCES, near, place, owner, order, target, helped, via, readings)


class Equations:
    """What follows for each move and route, if all of them are assumed to be as given."""

    def __init__(self, problem: MovementProblem, moves: Values, routes: Values) -> None:
        self.p = problem
        self.moves = moves
        self.routes = routes
        self.units = range(problem.n)

    def hold(self) -> bool:
        """Whether everything follows as it was assumed."""
        return all(self.route(i) == stands for i, stands in self.routes.items()) and all(
            self.move(i) == succeeds for i, succeeds in self.moves.items()
        )

    def stands(self, i: int) -> bool:
        return self.routes.get(i, True)

    def attackers(self, where: int) -> list[int]:
        return [k for k in self.units if self.p.order[k] == MOVE and self.p.target[k] == where]

    def dislodged(self, i: int) -> bool:
        """Whether somebody takes the place of a unit that stays."""
        return not self.moves.get(i, False) and any(self.moves[k] for k in self.attackers(self.p.place[i]))

    def route(self, i: int) -> bool:
        """PATH: whether fleets that are not dislodged lead from the army to its goal."""
        p = self.p
        fleets = [f for f in self.units if p.order[f] == CONVOY and p.helped_unit[f] == i]
        left = [f for f in fleets if not self.dislodged(f)]
        if p.rules[core.ANY_ROUTE_BREAKS] and left != fleets:
            return False
        reached = {p.place[i]}
        for _ in left:
            reached |= {p.place[f] for f in left if any(p.near[a * p.provinces + p.place[f]] for a in reached)}
        return any(p.near[a * p.provinces + p.target[i]] for a in reached - {p.place[i]})

    def given(self, s: int) -> bool:
        """SUPPORT: whether it is not cut."""
        p = self.p
        if self.dislodged(s):
            return False
        for k in self.attackers(p.place[s]):
            own_target = p.place[k] == p.target[s]
            if own_target and p.rules[core.CONVOY_CUTS_OWN_TARGET] and p.via[k] == BY_CONVOY:
                own_target = False
            if p.owner[k] != p.owner[s] and self.stands(k) and not own_target:
                return False
        return True

    def strength(self, i: int, without: int = -1) -> int:
        p = self.p
        helpers = [s for s in self.units if p.order[s] == SUPPORT and p.helped_unit[s] == i]
        return 1 + sum(self.given(s) for s in helpers if p.owner[s] != without)

    def facing(self, i: int, d: int) -> bool:
        """Whether two units go for each other's place by land."""
        p = self.p
        return (
            p.order[d] == MOVE and p.target[d] == p.place[i] and p.target[i] == p.place[d] and not p.via[i] + p.via[d]
        )

    def prevents(self, k: int) -> int:
        """PREVENT STRENGTH."""
        p = self.p
        if not self.stands(k):
            return 0
        d = p.occupant[p.target[k]]
        if d >= 0 and p.order[d] == MOVE and p.target[d] == p.place[k] and self.moves[d] and not self.moves[k]:
            if self.facing(k, d) or p.rules[core.DISLODGED_NEVER_BOUNCES]:
                return 0
        return self.strength(k)

    def move(self, i: int) -> bool:
        """MOVE: whether its strength is greater than all that stands against it."""
        p = self.p
        if not self.stands(i):
            return False
        rivals = max((self.prevents(k) for k in self.attackers(p.target[i]) if k != i), default=0)
        d = p.occupant[p.target[i]]
        if d < 0 or (self.moves.get(d, False) and not self.facing(i, d)):
            return self.strength(i) > rivals
        if p.owner[d] == p.owner[i] or p.firm[d]:
            return False
        bounced = 0 if p.rules[core.WEAK_BOUNCES] else 1
        against = self.strength(d) if p.order[d] != MOVE or self.facing(i, d) else bounced
        return self.strength(i, without=p.owner[d]) > max(rivals, against)


def solutions(problem: MovementProblem) -> list[tuple[Values, Values]]:
    """All assignments of moves and routes that agree with the equations."""
    movers = [i for i in range(problem.n) if problem.order[i] == MOVE]
    sailing = [i for i in movers if problem.via[i] == BY_CONVOY]
    found = []
    for bits in product((False, True), repeat=len(movers) + len(sailing)):
        moves, routes = dict(zip(movers, bits, strict=False)), dict(zip(sailing, bits[len(movers) :], strict=True))
        if Equations(problem, moves, routes).hold():
            found.append((moves, routes))
    return found


def solved(problem: MovementProblem, moves: Values, routes: Values, seed: int) -> bool:
    """See that the core finds a solution, and tell whether it is one of a circle."""
    core.link_orders(problem)
    if circular := bool(core.resolve(problem)):
        core.resolve_cycles(problem)
    assert {i: problem.moves[i] == YES for i in moves} == moves, seed
    assert {i: problem.route[i] == YES for i in routes} == routes, seed
    return circular


@pytest.mark.parametrize("firm", [False, True], ids=["", "units that nobody dislodges"])
@pytest.mark.parametrize("readings", some(READINGS, 3), ids=str)
def test_the_only_solution_is_found(readings: tuple[int, ...], firm: bool) -> None:
    circles = held = 0
    large = [] if firm else [(seed, LARGE) for seed in LARGE_SEEDS]
    for seed, most in [*((seed, 9) for seed in range(400)), *large]:
        plain = random_problem(Random(seed), readings, most)
        problem = replace(plain, firm=[int(firm) * Random(f"{seed} {i}").randrange(2) for i in range(plain.n)])
        found = solutions(problem)
        if len(found) == 1:
            circles += solved(problem, *found[0], seed)
            held += firm and found != solutions(plain)
    assert held > 30 if firm else circles > 30


def paradox() -> MovementProblem:
    """An army goes by convoy to the province of a fleet whose support would sink the one that carries it."""
    place, order, target = [0, 1, 3, 2], [MOVE, CONVOY, SUPPORT, MOVE], [3, 3, 1, 1]
    return undecided(4, [1] * 16, place, [0, 0, 1, 1], order, target, [-1, 0, 3, -1], [BY_CONVOY] + [BY_LAND] * 3)


def beside(one: MovementProblem, other: MovementProblem) -> MovementProblem:
    """Two problems as one, on boards without a border between them."""
    whole, half = one.provinces + other.provinces, one.provinces
    near = [0] * (whole * whole)
    for problem, first in ((one, 0), (other, half)):
        for a, b in product(range(problem.provinces), repeat=2):
            near[(first + a) * whole + first + b] = problem.near[a * problem.provinces + b]
    return undecided(
        whole,
        near,
        [*one.place, *(x + half for x in other.place)],
        [*one.owner, *(x + POWERS for x in other.owner)],
        [*one.order, *other.order],
        [*one.target, *(x + half for x in other.target)],
        [*one.helped_unit, *(i if i < 0 else i + one.n for i in other.helped_unit)],
        [*one.via, *other.via],
    )


def test_a_support_open_elsewhere_leaves_the_only_solution() -> None:
    """What is open in another circle says nothing about this one, which isn't what becomes of it without a solution."""
    seed = 226109
    apart = paradox()
    for problem in (large := random_problem(Random(seed), (), LARGE), apart):
        core.link_orders(problem)
        assert core.resolve(problem)
    assert apart.low[2] != apart.high[2]
    core.resolve_cycles(large)
    core.resolve_cycles(apart)
    assert apart.moves[0] == NO and apart.moves[3] == YES
    both = beside(random_problem(Random(seed), (), LARGE), paradox())
    core.link_orders(both)
    assert core.resolve(both)
    core.resolve_cycles(both)
    assert list(both.moves) == [*large.moves, *apart.moves]
    assert list(both.route) == [*large.route, *apart.route]


def test_of_several_solutions_one_is_taken() -> None:
    """A circle of moves in which a dislodged unit would not bounce another: all go round, which is one of two ways."""
    for seed in (886, 2611, 3804, 3850, 4938):
        problem = random_problem(Random(seed), (core.DISLODGED_NEVER_BOUNCES,), 9)
        found = solutions(problem)
        core.link_orders(problem)
        assert core.resolve(problem) and len(found) == 2
        core.resolve_cycles(problem)
        assert not core.any_open(problem)
        assert any(
            all(problem.moves[i] == (YES if moves[i] else NO) for i in moves)
            and all(problem.route[i] == (YES if routes[i] else NO) for i in routes)
            for moves, routes in found
        ), seed


def convoy(near: list[tuple[int, int]], readings: tuple[int, ...] = (), ferry: bool = False) -> MovementProblem:
    """An army in province 0 on its way to 3 over the fleets in 1 and 2; stronger units attack each fleet, from 4 and
    5."""
    beside = [int((a, b) in near or (b, a) in near) for a in range(7) for b in range(7)]
    order = [MOVE, MOVE if ferry else CONVOY, CONVOY, MOVE, MOVE]
    target = [3, 6 if ferry else 3, 3, 1, 2]
    turn = undecided(
        7,
        beside,
        [0, 1, 2, 4, 5],
        [0, 0, 0, 1, 1],
        order,
        target,
        [-1, 0, 0, -1, -1],
        [BY_CONVOY] + [BY_LAND] * 4,
        readings,
    )
    return replace(turn, force=[1, 1, 1, 2, 2])


def test_a_fleet_lost_to_a_paradox_breaks_what_the_reading_says() -> None:
    """One route is lost and the other uncertain: that is enough where any fleet lost breaks the convoy."""
    for readings, left in (((), OPEN), ((core.ANY_ROUTE_BREAKS,), NO)):
        problem = convoy([(0, 1), (1, 3), (0, 2), (2, 3)], readings)
        core.link_orders(problem)
        problem.broken[1] = 1
        assert bound_path(problem, 0, int(core.ANY_ROUTE_BREAKS in readings)) == left


def test_nobody_leaves_by_a_ferry_that_a_paradox_took() -> None:
    for taken, left in ((0, OPEN), (1, NO)):
        problem = convoy([(0, 1), (6, 3)], ferry=True)
        core.link_orders(problem)
        problem.broken[1] = taken
        assert bound_path(problem, 0, 0) == left
