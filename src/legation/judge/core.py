"""The dense core of movement: units and provinces as small integers, decided by bounds that close in on each other.

Everything here is written in the plain subset of Python that a compiler takes (integers, flat sequences, loops), so that the same lines run
interpreted on lists and compiled on arrays. Objects, names and explanations are the skin around it (:mod:`legation.judge.movement`).

How it decides (DATC 5.B gives the equations): every move, every convoy route and every support has a value that is not known at first. A pass over
the units computes the least and the greatest strength that each may still have, and fixes whatever follows from these bounds. Passes are repeated until nothing
changes. What is then left are knots, orders that depend on each other in a circle; :func:`untie` takes the innermost
knot and decides it: by its only solution if it has just one; a circle of moves succeeds; a convoy paradox goes by the paradox rule; anything else
(possible only with unit strengths above 1) fails.

Supports carry strength, not just success: a support is worth the supporter's strength less the strongest single attack on it, never below 0 (K-8). With
strength 1 this is the standard rule: any attack cuts.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple, TypeAlias

Ints: TypeAlias = Sequence[int]
MutableInts: TypeAlias = MutableSequence[int]

# What a unit does.
HOLD, MOVE, SUPPORT, CONVOY = 0, 1, 2, 3
# How a move travels; a ferried army goes by convoy through a fleet that itself moves (K-9).
BY_LAND, BY_CONVOY = 0, 1
# What is known of a move or a route.
OPEN, YES, NO = 0, 1, 2
# Paradox rules (DATC 4.A.2).
SZYKMAN, RULE_1971, RULE_1982, RULE_2000, ALL_HOLD = 0, 1, 2, 3, 4
# Places in the vector of rules that :func:`resolve` takes.
PARADOX, ANY_ROUTE_BREAKS, CONVOY_CUTS_OWN_TARGET, DISLODGED_NEVER_BOUNCES, RULES_LENGTH = 0, 1, 2, 3, 4

ENOUGH = 1 << 20  # more than any strength
LARGEST_ENUMERATION = 10  # a knot with more moves and routes is decided by rule, without looking for an only solution


class Problem(NamedTuple):
    """One movement turn, dense: units are numbered 0 to ``n - 1``, provinces 0 to ``provinces - 1``; -1 means none.

    Lists when interpreted, arrays when compiled. The first part is given, the second is linked by :func:`link`, the third is the answer, the last is scratch.
    """

    n: int
    provinces: int
    rules: Ints  # how disputed points are read, by the places named above
    near: Ints  # provinces x provinces: 1 where a fleet can pass between two provinces
    place: Ints  # by unit: its province
    owner: Ints  # by unit: its power
    force: Ints  # by unit: its strength
    order: Ints  # by unit: HOLD, MOVE, SUPPORT or CONVOY
    target: Ints  # by unit: where it moves, or where the unit it supports or convoys goes (or stays)
    obj: Ints  # by unit: the unit that it supports or convoys; for a move the army that it ferries, or -1
    via: Ints  # by unit: BY_LAND or BY_CONVOY
    occupant: Ints  # by province: the unit in it

    into_head: MutableInts  # by province: the first unit that moves there; the others follow in into_next
    into_next: MutableInts
    support_head: MutableInts  # by unit: the first that supports it
    support_next: MutableInts
    convoy_head: MutableInts  # by unit: the first fleet that convoys it
    convoy_next: MutableInts

    moves: MutableInts  # by unit: OPEN, YES or NO (OPEN to begin with; NO for units that do not move)
    route: MutableInts  # by unit: whether its convoy route stands (OPEN for convoyed moves to begin with, else YES)
    low: MutableInts  # by unit: the least strength that its support delivers (0 to begin with)
    high: MutableInts  # by unit: the greatest (the force of a supporter to begin with, else 0)
    broken: MutableInts  # by unit: 1 for a fleet whose convoy failed by the paradox rule

    needed: MutableInts  # by unit: 1 for a fleet whose convoy the rulebooks' paradox rules protect (1 to begin with)
    mark: MutableInts  # by unit: 1 while its value is assumed
    seen: MutableInts  # by unit
    stack: MutableInts  # 2 n
    work: MutableInts  # 4 n n + 16 n, needed by untie only


def link(p: Problem) -> None:
    """Chain together who moves into each province, who supports each unit, and which fleets convoy each army."""
    order = p.order
    target = p.target
    obj = p.obj
    into_head = p.into_head
    into_next = p.into_next
    support_head = p.support_head
    support_next = p.support_next
    convoy_head = p.convoy_head
    convoy_next = p.convoy_next
    for i in range(p.n - 1, -1, -1):
        kind = order[i]
        if kind == MOVE:
            into_next[i] = into_head[target[i]]
            into_head[target[i]] = i
            if obj[i] >= 0:  # a fleet that moves and ferries
                convoy_next[i] = convoy_head[obj[i]]
                convoy_head[obj[i]] = i
        elif kind == SUPPORT:
            support_next[i] = support_head[obj[i]]
            support_head[obj[i]] = i
        elif kind == CONVOY:
            convoy_next[i] = convoy_head[obj[i]]
            convoy_head[obj[i]] = i


def route_state(p: Problem, i: int, any_route_breaks: int) -> int:
    """What is known of the convoy route of army ``i``: OPEN, YES (a route surely stands) or NO (none can).

    Where one of its fleets moves (a ferry), the route leads through that fleet: what is reached before it is no way to land (K-9e).
    """
    provinces = p.provinces
    near = p.near
    place = p.place
    order = p.order
    target = p.target
    into_head = p.into_head
    into_next = p.into_next
    convoy_head = p.convoy_head
    convoy_next = p.convoy_next
    moves = p.moves
    broken = p.broken
    seen = p.seen
    stack = p.stack
    goal = target[i]
    standing = NO
    for certain in range(1, -1, -1):
        # certain = 1: only fleets that surely stand; 0: all that may still stand
        threatened = 0
        arrived = 0
        ferry = -1
        f = convoy_head[i]
        while f >= 0:
            if order[f] == MOVE:
                ferry = f
            f = convoy_next[f]
        leaves = place[i]
        for leg in range(2):
            # from the coast to the ferry, and from where it goes to the goal; without a ferry one leg is all
            if leg == 1:
                if ferry < 0 or seen[ferry] == 0:
                    break
                leaves = target[ferry]
                if moves[ferry] != YES:
                    threatened = 1
                    if moves[ferry] == NO or certain == 1:
                        break
                if near[leaves * provinces + goal] == 1:
                    arrived = 1
            height = 0
            f = convoy_head[i]
            while f >= 0:
                seen[f] = 0
                if near[leaves * provinces + place[f]] == 1 and (leg == 0 or f != ferry):
                    seen[f] = 1
                    stack[height] = f
                    height += 1
                f = convoy_next[f]
            while height > 0:
                height -= 1
                f = stack[height]
                if broken[f] == 1:
                    threatened = 1
                    if f == ferry:
                        seen[f] = 0
                    continue
                if f == ferry:
                    continue
                k = into_head[place[f]]
                lost = 0
                while k >= 0:
                    if moves[k] == YES:
                        lost = 1
                    elif moves[k] == OPEN:
                        threatened = 1
                        if certain == 1:
                            lost = 1
                    k = into_next[k]
                if lost == 1:
                    threatened = 1
                    continue
                if (ferry < 0 or leg == 1) and near[place[f] * provinces + goal] == 1:
                    arrived = 1
                g = convoy_head[i]
                while g >= 0:
                    if seen[g] == 0 and near[place[f] * provinces + place[g]] == 1 and (leg == 0 or g != ferry):
                        seen[g] = 1
                        stack[height] = g
                        height += 1
                    g = convoy_next[g]
        if arrived == 1:
            if certain == 1 and (any_route_breaks == 0 or threatened == 0):
                return YES
            standing = OPEN
    if any_route_breaks == 1 and standing == OPEN:
        # the 1971 reading: one fleet lost breaks the convoy, whatever other routes there are
        f = convoy_head[i]
        while f >= 0:
            if broken[f] == 1:
                return NO
            k = into_head[place[f]]
            while k >= 0:
                if moves[k] == YES:
                    return NO
                k = into_next[k]
            f = convoy_next[f]
    return standing


def settle(p: Problem) -> int:
    """Close in on every value until nothing follows any more; return 1 if a marked unit's value contradicts what follows for it.

    A unit whose ``mark`` is 1 has a value that was assumed; it is weighed again.
    """
    n = p.n
    rules = p.rules
    place = p.place
    owner = p.owner
    force = p.force
    order = p.order
    target = p.target
    obj = p.obj
    via = p.via
    occupant = p.occupant
    into_head = p.into_head
    into_next = p.into_next
    support_head = p.support_head
    support_next = p.support_next
    moves = p.moves
    route = p.route
    low = p.low
    high = p.high
    needed = p.needed
    mark = p.mark
    own_target = rules[CONVOY_CUTS_OWN_TARGET]
    never_bounces = rules[DISLODGED_NEVER_BOUNCES]
    paradox = rules[PARADOX]
    changed = 1
    while changed == 1:
        changed = 0
        for i in range(n):
            kind = order[i]
            if kind == MOVE:
                if via[i] == BY_CONVOY and (route[i] == OPEN or mark[i] == 1):
                    state = route_state(p, i, rules[ANY_ROUTE_BREAKS])
                    if state != route[i]:
                        if route[i] == OPEN:
                            route[i] = state
                            changed = 1
                        elif state != OPEN:
                            return 1
                if moves[i] != OPEN and mark[i] == 0:
                    continue
                if route[i] == NO:
                    if moves[i] == YES:
                        return 1
                    if moves[i] == OPEN:
                        moves[i] = NO
                        changed = 1
                    continue
                here = place[i]
                there = target[i]
                d = occupant[there]
                # the attack: with all supports, and without those that the defender's own power gives
                attack_low = attack_high = foreign_low = foreign_high = force[i]
                s = support_head[i]
                while s >= 0:
                    attack_low += low[s]
                    attack_high += high[s]
                    if d < 0 or owner[s] != owner[d]:
                        foreign_low += low[s]
                        foreign_high += high[s]
                    s = support_next[s]
                if route[i] == OPEN:
                    attack_low = foreign_low = 0
                # the rivals for the same province
                rival_low = rival_high = 0
                k = into_head[there]
                while k >= 0:
                    if k != i and route[k] != NO:
                        bounce_low = bounce_high = force[k]
                        s = support_head[k]
                        while s >= 0:
                            bounce_low += low[s]
                            bounce_high += high[s]
                            s = support_next[s]
                        if route[k] == OPEN:
                            bounce_low = 0
                        if d >= 0 and order[d] == MOVE and target[d] == place[k]:
                            # dislodged by the unit it meets, it has no effect on that unit's province
                            facing = 1 if via[d] == BY_LAND and via[k] == BY_LAND else 0
                            if facing == 1 or never_bounces == 1:
                                # not facing, both may arrive: then the unit is not dislodged (DATC 6.G.16)
                                if moves[d] == YES and (facing == 1 or moves[k] == NO):
                                    bounce_low = bounce_high = 0
                                elif moves[d] != NO and (facing == 1 or moves[k] != YES):
                                    bounce_low = 0
                        if bounce_low > rival_low:
                            rival_low = bounce_low
                        if bounce_high > rival_high:
                            rival_high = bounce_high
                    k = into_next[k]
                # the case that the province is free or becomes free, and the case that its unit stays
                free_possible = 1
                stay_possible = 1
                hold_low = hold_high = 0
                if d < 0:
                    stay_possible = 0
                else:
                    hold_low = hold_high = force[d]
                    if order[d] == MOVE and not (target[d] == here and via[d] == BY_LAND and via[i] == BY_LAND):
                        if moves[d] == YES:
                            stay_possible = 0
                        elif moves[d] == NO:
                            free_possible = 0
                    else:  # it does not move, or meets the attacker head to head: its supports count
                        free_possible = 0
                        s = support_head[d]
                        while s >= 0:
                            hold_low += low[s]
                            hold_high += high[s]
                            s = support_next[s]
                wins = 1
                fails = 1
                if free_possible == 1:
                    if attack_low <= rival_high:
                        wins = 0
                    if attack_high > rival_low:
                        fails = 0
                if stay_possible == 1:
                    if owner[d] == owner[i]:
                        wins = 0
                    else:
                        if foreign_low <= hold_high or foreign_low <= rival_high:
                            wins = 0
                        if foreign_high > hold_low and foreign_high > rival_low:
                            fails = 0
                if wins == 1:
                    if moves[i] == NO:
                        return 1
                    if moves[i] == OPEN:
                        moves[i] = YES
                        changed = 1
                elif fails == 1:
                    if moves[i] == YES:
                        return 1
                    if moves[i] == OPEN:
                        moves[i] = NO
                        changed = 1
            elif kind == SUPPORT and low[i] != high[i]:
                power = force[i]
                aim = target[i]
                cut_low = cut_high = 0  # by how much the support is surely, and possibly, reduced
                k = into_head[place[i]]
                while k >= 0:
                    counts = 1 if owner[k] != owner[i] and route[k] != NO else 0
                    if counts == 1 and paradox != SZYKMAN and paradox != ALL_HOLD and via[k] == BY_CONVOY:
                        # the rulebooks' paradox rules: this convoyed army does not cut this support
                        f = occupant[aim]
                        if f >= 0 and order[f] == CONVOY and needed[f] == 1:
                            if paradox == RULE_1982 or (obj[f] == k and order[obj[i]] == MOVE):
                                counts = 0
                    if counts == 1:
                        if moves[k] == YES:
                            cut_low = cut_high = ENOUGH
                        elif place[k] == aim and not (own_target == 1 and via[k] == BY_CONVOY):
                            if moves[k] == OPEN:  # cuts only by dislodging
                                cut_high = ENOUGH
                        else:
                            attack_low = attack_high = force[k]
                            if power > attack_low:
                                s = support_head[k]
                                while s >= 0:
                                    if owner[s] != owner[i]:
                                        attack_low += low[s]
                                        attack_high += high[s]
                                    s = support_next[s]
                            if attack_high > cut_high:
                                cut_high = attack_high
                            if route[k] == YES and attack_low > cut_low:
                                cut_low = attack_low
                    k = into_next[k]
                least = power - cut_high
                most = power - cut_low
                if least < 0:
                    least = 0
                if most < 0:
                    most = 0
                if least > low[i]:
                    low[i] = least
                    changed = 1
                if most < high[i]:
                    high[i] = most
                    changed = 1
    return 0


def depend(p: Problem, leans: MutableInts) -> None:
    """Write into the square ``leans`` (side 2n) which open value depends on which.

    Value ``i`` is unit i's move or support, value ``n + i`` its convoy route.
    """
    n = p.n
    place = p.place
    owner = p.owner
    force = p.force
    order = p.order
    target = p.target
    occupant = p.occupant
    into_head = p.into_head
    into_next = p.into_next
    support_head = p.support_head
    support_next = p.support_next
    convoy_head = p.convoy_head
    convoy_next = p.convoy_next
    moves = p.moves
    route = p.route
    low = p.low
    high = p.high
    never_bounces = p.rules[DISLODGED_NEVER_BOUNCES]
    side = 2 * n
    for i in range(n):
        if order[i] == MOVE and route[i] == OPEN:
            row = (n + i) * side
            f = convoy_head[i]
            while f >= 0:
                if order[f] == MOVE:
                    if moves[f] == OPEN:
                        leans[row + f] = 1
                else:
                    k = into_head[place[f]]
                    while k >= 0:
                        if moves[k] == OPEN:
                            leans[row + k] = 1
                        k = into_next[k]
                f = convoy_next[f]
        if order[i] == MOVE and moves[i] == OPEN:
            row = i * side
            d = occupant[target[i]]
            if d >= 0:
                if order[d] == MOVE and moves[d] == OPEN:
                    leans[row + d] = 1
                s = support_head[d]
                while s >= 0:
                    # supports of a move count for the defender only head to head
                    if low[s] != high[s] and (order[d] != MOVE or target[d] == place[i]):
                        leans[row + s] = 1
                    s = support_next[s]
            k = into_head[target[i]]
            while k >= 0:
                if route[k] == OPEN:
                    leans[row + n + k] = 1
                if never_bounces == 1 and k != i and moves[k] == OPEN and d >= 0 and target[d] == place[k]:
                    leans[row + k] = 1
                if route[k] != NO:
                    s = support_head[k]
                    while s >= 0:
                        if low[s] != high[s]:
                            leans[row + s] = 1
                        s = support_next[s]
                k = into_next[k]
        if order[i] == SUPPORT and low[i] != high[i]:
            row = i * side
            k = into_head[place[i]]
            while k >= 0:
                if owner[k] != owner[i] and route[k] != NO:
                    if route[k] == OPEN:
                        leans[row + n + k] = 1
                    if place[k] == target[i]:
                        if moves[k] == OPEN:
                            leans[row + k] = 1
                    elif force[i] > force[k]:
                        s = support_head[k]
                        while s >= 0:
                            if low[s] != high[s]:
                                leans[row + s] = 1
                            s = support_next[s]
                k = into_next[k]


def reach_from(start: int, side: int, leans: Ints, reached: MutableInts, stack: MutableInts) -> None:
    """Mark in ``reached`` every value that ``start`` depends on, directly or not."""
    for v in range(side):
        reached[v] = 0
    height = 1
    stack[0] = start
    while height > 0:
        height -= 1
        v = stack[height]
        for w in range(side):
            if leans[v * side + w] == 1 and reached[w] == 0:
                reached[w] = 1
                stack[height] = w
                height += 1


def innermost_knot(
    n: int, leans: Ints, is_open: Ints, knot: MutableInts, reached: MutableInts, stack: MutableInts
) -> int:
    """Mark in ``knot`` the values of one circle that depends on nothing open outside itself; return its size."""
    side = 2 * n
    for start in range(side):
        if is_open[start] == 0:
            continue
        reach_from(start, side, leans, knot, stack)
        knot[start] = 1
        closed = 1
        for v in range(side):
            if knot[v] == 1 and v != start:
                reach_from(v, side, leans, reached, stack)
                if reached[start] == 0:
                    closed = 0
                    break
        if closed == 1:
            size = 0
            for v in range(side):
                size += knot[v]
            return size
    return 0


def resolve(p: Problem) -> int:
    """Decide what follows from the orders by bounds alone; return how many units are left in knots for :func:`untie`.

    The orders are linked beforehand and the answer is filled with what is known to begin with.
    """
    order = p.order
    broken = p.broken
    if p.rules[PARADOX] == RULE_2000:
        for f in range(p.n):
            if order[f] == CONVOY:
                broken[f] = 1
                p.needed[f] = 1 if route_state(p, p.obj[f], 0) == NO else 0
                broken[f] = 0
    settle(p)
    return count_open(p)


def count_open(p: Problem) -> int:
    """How many units have a value that is still open."""
    order = p.order
    moves = p.moves
    route = p.route
    low = p.low
    high = p.high
    remaining = 0
    for i in range(p.n):
        if order[i] == MOVE:
            if moves[i] == OPEN or route[i] == OPEN:
                remaining += 1
        elif low[i] != high[i]:
            remaining += 1
    return remaining


def untie(p: Problem) -> None:
    """Decide the knots that :func:`resolve` left, the innermost first, and what follows from each.

    A knot with exactly one solution has that one. A circle of moves succeeds. In a convoy paradox the fleets concerned do not convoy (Szykman's rule, or
    the rule chosen). Any other knot fails.
    """
    n = p.n
    rules = p.rules
    place = p.place
    order = p.order
    into_head = p.into_head
    into_next = p.into_next
    convoy_head = p.convoy_head
    convoy_next = p.convoy_next
    moves = p.moves
    route = p.route
    low = p.low
    high = p.high
    broken = p.broken
    stack = p.stack
    work = p.work
    side = 2 * n
    leans_end = side * side
    while count_open(p) > 0:
        for v in range(leans_end + 6 * n):
            work[v] = 0
        leans = work[0:leans_end]
        is_open = work[leans_end : leans_end + side]
        knot = work[leans_end + side : leans_end + 2 * side]
        reached = work[leans_end + 2 * side : leans_end + 3 * side]
        depend(p, leans)
        for i in range(n):
            if order[i] == MOVE:
                is_open[i] = 1 if moves[i] == OPEN else 0
                is_open[n + i] = 1 if route[i] == OPEN else 0
            elif low[i] != high[i]:
                is_open[i] = 1
        innermost_knot(n, leans, is_open, knot, reached, stack)
        only_moves = 1
        routes = 0
        chosen = 0  # how many moves and routes the knot has
        for i in range(n):
            if knot[n + i] == 1:
                only_moves = 0
                routes += 1
                chosen += 1
            if knot[i] == 1:
                if order[i] == MOVE:
                    chosen += 1
                else:
                    only_moves = 0
        if only_moves == 1:
            for i in range(n):
                if knot[i] == 1:
                    moves[i] = YES
        else:
            solution = -1
            if chosen <= LARGEST_ENUMERATION:
                solution = only_solution(p, knot, chosen, work[leans_end + 3 * side : leans_end + 5 * side])
            if solution >= 0:
                bit = 0
                for v in range(side):
                    if knot[v] == 1 and (v >= n or order[v] == MOVE):
                        value = YES if (solution >> bit) & 1 == 1 else NO
                        if v >= n:
                            route[v - n] = value
                        else:
                            moves[v] = value
                        bit += 1
            elif routes > 0 and rules[PARADOX] != ALL_HOLD:
                # the fleets of the paradox do not convoy (Szykman's rule)
                for i in range(n):
                    if knot[n + i] == 1:
                        f = convoy_head[i]
                        hit = 0
                        while f >= 0:
                            if order[f] == MOVE:
                                if knot[f] == 1 and broken[f] == 0:
                                    broken[f] = 1
                                    hit = 1
                            else:
                                k = into_head[place[f]]
                                while k >= 0:
                                    if moves[k] == OPEN and knot[k] == 1 and broken[f] == 0:
                                        broken[f] = 1
                                        hit = 1
                                    k = into_next[k]
                            f = convoy_next[f]
                        if hit == 0:
                            route[i] = NO
            else:
                for i in range(n):
                    if knot[n + i] == 1:
                        route[i] = NO
                    if knot[i] == 1:
                        if order[i] == MOVE:
                            moves[i] = NO
                        else:
                            high[i] = low[i]
        settle(p)


def only_solution(p: Problem, knot: Ints, chosen: int, saved: MutableInts) -> int:
    """Try every assignment of the knot's moves and routes; return the only consistent one as bits, or -1 if there are none or several."""
    n = p.n
    order = p.order
    moves = p.moves
    route = p.route
    low = p.low
    high = p.high
    mark = p.mark
    side = 2 * n
    for i in range(n):
        saved[i] = moves[i]
        saved[n + i] = route[i]
        saved[side + i] = low[i]
        saved[side + n + i] = high[i]
    found = -1
    count = 0
    for bits in range(1 << chosen):
        bit = 0
        for v in range(side):
            if knot[v] == 1 and (v >= n or order[v] == MOVE):
                value = YES if (bits >> bit) & 1 == 1 else NO
                if v >= n:
                    route[v - n] = value
                    mark[v - n] = 1
                else:
                    moves[v] = value
                    mark[v] = 1
                bit += 1
        conflict = settle(p)
        if conflict == 0:
            for i in range(n):  # a support that stays open leaves the assignment unproven
                if knot[i] == 1 and order[i] == SUPPORT and low[i] != high[i]:
                    conflict = 1
        for i in range(n):
            moves[i] = saved[i]
            route[i] = saved[n + i]
            low[i] = saved[side + i]
            high[i] = saved[side + n + i]
            mark[i] = 0
        if conflict == 0:
            count += 1
            found = bits
            if count > 1:
                return -1
    return found if count == 1 else -1
