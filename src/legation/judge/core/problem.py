"""One movement turn, dense: units and provinces as small integers in flat sequences, and what links them.

Everything in this package is written in the plain subset of Python that a compiler takes (integers, flat sequences,
loops), so that the same lines run interpreted on lists and compiled on arrays. Objects, names and explanations are the
skin around it (:mod:`legation.judge.movement`)."""

from collections.abc import Iterable, MutableSequence, Sequence
from typing import Any, TypeAlias

import msgspec

Ints: TypeAlias = Sequence[int]
MutableInts: TypeAlias = MutableSequence[int]

# What a unit does.
HOLD, MOVE, SUPPORT, CONVOY = 0, 1, 2, 3
# How a move travels; a ferried army goes by convoy through a fleet that itself moves (K-9), and a fleet that leaves by
# another coast than the one at which the unit that it meets arrives, by its coast.
BY_LAND, BY_CONVOY, BY_COAST = 0, 1, 2
# What is known of a move or a route.
OPEN, YES, NO = 0, 1, 2
# Paradox rules (DATC 4.A.2).
SZYKMAN, RULE_1971, RULE_1982, RULE_2000, ALL_HOLD = 0, 1, 2, 3, 4
# Places in the vector of rules that :func:`resolve` takes.
PARADOX, ANY_ROUTE_BREAKS, CONVOY_CUTS_OWN_TARGET, DISLODGED_NEVER_BOUNCES, WEAK_BOUNCES, RULES_LENGTH = range(6)
# Fields that are rows by unit, in their sequence: what is given and what is linked.
GIVEN_ROWS, LINKED_ROWS = 8, 13
ROUTE_ROW = 6
# What linked rows begin with.
BEGINS = 0, -1, 0, -1, 0, NO, YES, 0, 0, 0, 1, 0, 0


class MovementProblem(msgspec.Struct, gc=False):
    """One movement turn, dense: units are numbered 0 to ``n - 1``, provinces 0 to ``provinces - 1``; -1 means none.

    Lists when interpreted; compiled, arrays with the same names. The first part is given. The others begin
    with ``BEGINS``: :func:`link_orders` links the second, the third is the answer, the last is scratch."""

    n: int
    provinces: int
    rules: Ints  # how disputed points are read, by the places named above
    near: Ints  # provinces x provinces: 1 where a fleet can pass between two provinces
    place: Ints  # by unit: its province
    owner: Ints  # by unit: its power
    force: Ints  # by unit: its strength
    order: Ints  # by unit: HOLD, MOVE, SUPPORT or CONVOY
    target: Ints  # by unit: where it moves, or where the unit it supports or convoys goes (or stays)
    helped_unit: Ints  # by unit: the unit that it supports or convoys; for a move the army that it ferries, or -1
    via: Ints  # by unit: BY_LAND, BY_CONVOY or BY_COAST
    firm: Ints  # by unit: 1 if nobody dislodges it
    occupant: Ints  # by province: the unit in it

    into_head: MutableInts  # by province: the first unit that moves there; the others follow in into_next
    into_next: MutableInts
    support_head: MutableInts  # by unit: the first that supports it
    support_next: MutableInts
    convoy_head: MutableInts  # by unit: the first fleet that convoys it
    convoy_next: MutableInts

    moves: MutableInts  # by unit: OPEN, YES or NO (NO for units that do not move)
    route: MutableInts  # by unit: whether its convoy route stands; NO before it is linked where orders alone tell so
    low: MutableInts  # by unit: the least strength that its support delivers
    high: MutableInts  # by unit: the greatest (at most its force)
    broken: MutableInts  # by unit: 1 for a fleet whose convoy failed by the paradox rule

    needed: MutableInts  # by unit: 1 for a fleet whose convoy the rulebooks' paradox rules protect
    mark: MutableInts  # by unit: 1 while its value is assumed
    seen: MutableInts  # by unit
    limited: MutableInts  # 1 in its first place if a circle was too large to look for an only solution
    stack: MutableInts  # 2 n + 1; the first n are for ways over the sea, the others for what is open; all for circles
    work: MutableInts  # 4 n n + 16 n, needed by resolve_cycles only


def undecided(
    provinces: int,
    rules: Ints,
    near: Ints,
    given: Sequence[Ints],
    occupant: Ints,
    stranded: Iterable[int] = (),
) -> MovementProblem:
    """A turn of which nothing is linked or decided yet, on lists; ``given`` has what is known of each unit, in the
    sequence of the fields from ``place`` on, and ``stranded`` are units whose route is known to fail.

    This makes problems for the code that is compiled, and is not of it. ``work`` is left to who needs it."""
    n = len(given[0])
    linked = [[value] * n for value in BEGINS]
    for i in stranded:
        linked[ROUTE_ROW][i] = NO
    rows: Any = [*given, occupant, [-1] * provinces, *linked, [0], [0] * (2 * n + 1), []]
    return MovementProblem(n, provinces, rules, near, *rows)


def begin_rows(n: int, linked: Any) -> None:
    """Fill an array of linked rows with what they begin with; routes that are known to fail are so already."""
    for row in range(LINKED_ROWS):
        if row != ROUTE_ROW:
            linked[row, :n] = BEGINS[row]


def link_orders(p: MovementProblem) -> None:
    """Chain together who moves into each province, who supports each unit, and which fleets convoy each army, and
    decide what meets nobody, or only a unit that stays. ``into_head`` is empty by then."""
    order, target, helped_unit, into_head = p.order, p.target, p.helped_unit, p.into_head
    into_next, support_head, support_next = p.into_next, p.support_head, p.support_next
    convoy_head, convoy_next, moves, route = p.convoy_head, p.convoy_next, p.moves, p.route
    low, high, place, owner, occupant, force, via = p.low, p.high, p.place, p.owner, p.occupant, p.force, p.via
    for i in range(p.n - 1, -1, -1):
        kind = order[i]
        helped = helped_unit[i]
        if kind == MOVE:
            moves[i] = OPEN
            if via[i] == BY_CONVOY and route[i] == YES:
                route[i] = OPEN
            into_next[i] = into_head[target[i]]
            into_head[target[i]] = i
        elif kind == SUPPORT:
            high[i] = force[i]
            support_next[i] = support_head[helped]
            support_head[helped] = i
            continue
        if helped >= 0:  # a fleet may move and ferry
            convoy_next[i] = convoy_head[helped]
            convoy_head[helped] = i
    for i in range(p.n):  # most orders meet nobody, or a unit that stays
        there = target[i]
        if order[i] == SUPPORT:
            if into_head[place[i]] < 0:
                low[i] = high[i]
        elif order[i] == MOVE:
            d = occupant[there]
            if route[i] == OPEN:
                if convoy_head[i] < 0:
                    route[i] = moves[i] = NO
            elif d < 0:
                if route[i] == YES and into_head[there] == i and into_next[i] < 0 and force[i] > 0:
                    moves[i] = YES
            elif order[d] != MOVE and (owner[d] == owner[i] or (support_head[i] < 0 and force[i] <= force[d])):
                moves[i] = NO
