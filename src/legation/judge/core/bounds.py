"""Bounds that close in on every value of a movement turn (DATC 5.B gives the equations).

Every move, every convoy route and every support has a value that is not known at first. A pass over the units computes
the least and the greatest strength that each may still have, and fixes whatever follows from these bounds; passes are
repeated until nothing changes. What is then left are circles of orders that depend on each other
(:mod:`legation.judge.core.cycles`).

Supports carry strength, not just success: a support is worth the supporter's strength less the strongest single attack
on it, never below 0 (K-8). With strength 1 this is the standard rule: any attack cuts."""

from legation.judge.core.problem import *

ENOUGH = 1 << 20  # more than any strength

# What weighing a unit comes to.
SAME, CHANGED, CONTRADICTED = 0, 1, 2
# What weighing all units comes to: something is still open, an assumed value is contradicted, or all is decided.
UNDECIDED, CONFLICT, DECIDED = 0, 1, 2


def bound_fleet(p: MovementProblem, f: int) -> int:
    """What is known of whether fleet ``f`` carries its army: OPEN, YES or NO.

    A fleet that stays carries as long as it is not dislodged, one that moves (a ferry) if its move succeeds; who
    follows into the province that it leaves does not matter (K-9e)."""
    if p.broken[f] == 1:
        return NO
    moves = p.moves
    if p.order[f] == MOVE:
        return moves[f]
    into_next = p.into_next
    known = YES
    k = p.into_head[p.place[f]]
    while k >= 0:
        if moves[k] == YES:
            return NO
        if moves[k] == OPEN:
            known = OPEN
        k = into_next[k]
    return known


def leads_there(p: MovementProblem, i: int, ferry: int, certain: int) -> int:
    """Whether the fleets of army ``i`` make a way from its coast to its goal: 1 or 0.

    ``certain`` = 1: with those fleets only that surely carry it; 0: with all that may still do so. Where ``ferry``
    is a fleet (not -1), the way leads to that one and on from where it moves; what is reached before it is no way to
    land (K-9e)."""
    provinces, near, place, convoy_head = p.provinces, p.near, p.place, p.convoy_head
    convoy_next, seen, stack = p.convoy_next, p.seen, p.stack
    goal = p.target[i]
    leaves = place[i]
    for leg in range(2):
        # from the coast to the ferry, and from where it goes to the goal; without a ferry one leg is all
        if leg == 1:
            if ferry < 0 or seen[ferry] != 1:  # 2: reached, but it carries nobody
                return 0
            leaves = p.target[ferry]
            if near[leaves * provinces + goal] == 1:
                return 1
        landing = 1 if ferry < 0 or leg == 1 else 0
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
            carries = bound_fleet(p, f)
            if carries == NO or (carries == OPEN and certain == 1):
                seen[f] = 2
                continue
            if f == ferry:
                continue
            if landing == 1 and near[place[f] * provinces + goal] == 1:
                return 1
            g = convoy_head[i]
            while g >= 0:
                if seen[g] == 0 and near[place[f] * provinces + place[g]] == 1 and (leg == 0 or g != ferry):
                    seen[g] = 1
                    stack[height] = g
                    height += 1
                g = convoy_next[g]
    return 0


def bound_path(p: MovementProblem, i: int, any_route_breaks: int) -> int:
    """PATH (DATC 5.B.4): what is known of the convoy route of army ``i``: OPEN, YES (a route surely stands) or NO (none
    can).

    One route that stands is enough, except where one fleet lost breaks the convoy: by the 1971 reading
    (``any_route_breaks``), and for a ferry, every fleet of whose chain must carry the army (K-9e)."""
    f = p.convoy_head[i]
    if f < 0:
        return NO
    order = p.order
    convoy_next = p.convoy_next
    ferry = -1
    weakest = YES
    while f >= 0:
        if order[f] == MOVE:
            ferry = f
        carries = bound_fleet(p, f)
        if carries == NO or (carries == OPEN and weakest == YES):
            weakest = carries
        f = convoy_next[f]
    if any_route_breaks == 1 or ferry >= 0:
        return NO if weakest == NO or leads_there(p, i, ferry, 0) == 0 else weakest
    if leads_there(p, i, ferry, 1) == 1:
        return YES
    return OPEN if weakest != YES and leads_there(p, i, ferry, 0) == 1 else NO


def propagate_bounds(p: MovementProblem) -> int:
    """Close in on every value until nothing follows any more; return UNDECIDED, CONFLICT or DECIDED.

    A unit whose ``mark`` is 1 has a value that was assumed; it is weighed again in every pass, and is never DECIDED."""
    n, order, moves, route = p.n, p.order, p.moves, p.route
    mark, low, high, stack = p.mark, p.low, p.high, p.stack
    # What is open stands in the upper part of the stack, supports before the moves that build on them. What is decided
    # is overwritten by the next unit: a processor would foretell badly which is which.
    end = n
    for i in range(n):
        stack[end] = i
        if low[i] != high[i]:
            end += 1
    for i in range(n):
        stack[end] = i
        if (moves[i] == OPEN) | (route[i] == OPEN) | (mark[i] == 1):
            end += 1
    changed = 1
    while changed == 1:
        changed = 0
        kept = n
        for v in range(n, end):
            i = stack[v]
            if order[i] == SUPPORT:
                result = bound_support(p, i)
                still_open = low[i] != high[i]
            else:
                result = bound_move(p, i)
                if result == CONTRADICTED:
                    return CONFLICT
                still_open = moves[i] == OPEN or route[i] == OPEN or mark[i] == 1
            if result == CHANGED:
                changed = 1
            if still_open:
                stack[kept] = i
                kept += 1
        if kept == n:  # another pass would look at nothing
            return DECIDED
        end = kept
    return UNDECIDED


def bound_move(p: MovementProblem, i: int) -> int:
    """MOVE (DATC 5.B.1): what follows for the move of unit ``i`` from what is known now.

    It is long because each case of the clause is decided here: it is the core's innermost loop, where a call of another
    function costs more than its work."""
    moves = p.moves
    route = p.route
    outcome = SAME
    if p.via[i] == BY_CONVOY and (route[i] == OPEN or p.mark[i] == 1):
        state = bound_path(p, i, p.rules[ANY_ROUTE_BREAKS])
        if state != route[i]:
            if route[i] == OPEN:
                route[i] = state
                outcome = CHANGED
            elif state != OPEN:
                return CONTRADICTED
    if moves[i] != OPEN and p.mark[i] == 0:
        return outcome
    if route[i] == NO:
        return conclude(moves, i, NO, outcome)
    there = p.target[i]
    d = p.occupant[there]
    place, owner, order, target = p.place, p.owner, p.order, p.target
    via, support_next, low, high = p.via, p.support_next, p.low, p.high
    # ATTACK STRENGTH (5.B.8): with all supports, and without those that the defender's own power gives
    attack_low = attack_high = foreign_low = foreign_high = p.force[i]
    s = p.support_head[i]
    while s >= 0:
        attack_low += low[s]
        attack_high += high[s]
        if d < 0 or owner[s] != owner[d]:
            foreign_low += low[s]
            foreign_high += high[s]
        s = support_next[s]
    if route[i] == OPEN:
        attack_low = foreign_low = 0
    # PREVENT STRENGTH (5.B.6): the strongest of the rivals for the same province
    rival_low = rival_high = 0
    k = p.into_head[there]
    while k >= 0:
        if k != i and route[k] != NO:
            prevent_low, prevent_high = bound_prevent(p, k, d)
            if prevent_low > rival_low:
                rival_low = prevent_low
            if prevent_high > rival_high:
                rival_high = prevent_high
        k = p.into_next[k]
    # HOLD and DEFEND STRENGTH (5.B.5, 5.B.7), where the province is not free and may not become free
    free_possible = 1
    stay_possible = 1
    hold_low = hold_high = 0
    if d < 0:
        stay_possible = 0
    else:
        hold_low = hold_high = p.force[d]
        if order[d] == MOVE and not (target[d] == place[i] and via[d] == BY_LAND and via[i] == BY_LAND):
            if p.rules[WEAK_BOUNCES] == 1:  # a unit that wanted to leave does not hold
                hold_low = hold_high = 0
            if moves[d] == YES:
                stay_possible = 0
            elif moves[d] == NO:
                free_possible = 0
        else:  # it does not move, or meets the attacker head to head: its supports count
            free_possible = 0
            s = p.support_head[d]
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
        if owner[d] == owner[i] or p.firm[d] == 1:  # no power dislodges its own unit (5.B.8)
            wins = 0
        else:
            if foreign_low <= hold_high or foreign_low <= rival_high:
                wins = 0
            if foreign_high > hold_low and foreign_high > rival_low:
                fails = 0
    if wins == 1:
        return conclude(moves, i, YES, outcome)
    if fails == 1:
        return conclude(moves, i, NO, outcome)
    return outcome


def conclude(moves: MutableInts, i: int, value: int, outcome: int) -> int:
    """Note what follows for the move of unit ``i``; it may have been assumed otherwise."""
    if moves[i] == OPEN:
        moves[i] = value
        return CHANGED
    return outcome if moves[i] == value else CONTRADICTED


def bound_prevent(p: MovementProblem, k: int, d: int) -> tuple[int, int]:
    """PREVENT STRENGTH (DATC 5.B.6) of the moving unit ``k``, least and greatest; ``d`` is the unit in the province it
    goes to, or -1."""
    order, via, moves = p.order, p.via, p.moves
    least = most = p.force[k]
    s = p.support_head[k]
    while s >= 0:
        least += p.low[s]
        most += p.high[s]
        s = p.support_next[s]
    if p.route[k] == OPEN:
        least = 0
    if d >= 0 and order[d] == MOVE and p.target[d] == p.place[k]:
        # dislodged by the unit it meets, it has no effect on that unit's province
        facing = 1 if via[d] == BY_LAND and via[k] == BY_LAND else 0
        if facing == 1 or p.rules[DISLODGED_NEVER_BOUNCES] == 1:
            # not facing, both may arrive: then the unit is not dislodged (DATC 6.G.16)
            if moves[d] == YES and (facing == 1 or moves[k] == NO):
                return 0, 0
            if moves[d] != NO and (facing == 1 or moves[k] != YES):
                least = 0
    return least, most


def bound_support(p: MovementProblem, i: int) -> int:
    """SUPPORT (DATC 5.B.2, K-8): what follows for the strength that the support of unit ``i`` delivers."""
    place, owner, support_next, moves = p.place, p.owner, p.support_next, p.moves
    route = p.route
    power = p.force[i]
    aim = p.target[i]
    own_target = p.rules[CONVOY_CUTS_OWN_TARGET]
    paradox = p.rules[PARADOX]
    cut_low = cut_high = 0  # by how much the support is surely, and possibly, reduced
    k = p.into_head[place[i]]
    while k >= 0:
        counts = 1 if owner[k] != owner[i] and route[k] != NO else 0
        if counts == 1 and paradox != SZYKMAN and paradox != ALL_HOLD and p.via[k] == BY_CONVOY:
            # the rulebooks' paradox rules (4.A.2): this convoyed army does not cut this support
            f = p.occupant[aim]
            if f >= 0 and p.order[f] == CONVOY and p.needed[f] == 1:
                if paradox == RULE_1982 or (p.helped_unit[f] == k and p.order[p.helped_unit[i]] == MOVE):
                    counts = 0
        if counts == 1:
            if moves[k] == YES:
                cut_low = cut_high = ENOUGH
            elif place[k] == aim and not (own_target == 1 and p.via[k] == BY_CONVOY):
                if moves[k] == OPEN:  # cuts only by dislodging
                    cut_high = ENOUGH
            else:
                attack_low = attack_high = p.force[k]
                if power > attack_low:
                    s = p.support_head[k]
                    while s >= 0:
                        if owner[s] != owner[i]:
                            attack_low += p.low[s]
                            attack_high += p.high[s]
                        s = support_next[s]
                if attack_high > cut_high:
                    cut_high = attack_high
                if route[k] == YES and attack_low > cut_low:
                    cut_low = attack_low
        k = p.into_next[k]
    outcome = SAME
    least = power - cut_high
    most = power - cut_low
    if least < 0:
        least = 0
    if most < 0:
        most = 0
    if least > p.low[i]:
        p.low[i] = least
        outcome = CHANGED
    if most < p.high[i]:
        p.high[i] = most
        outcome = CHANGED
    return outcome


def any_open(p: MovementProblem) -> bool:
    """Whether any unit has a value that is still open."""
    order, moves, route, low = p.order, p.moves, p.route, p.low
    high = p.high
    for i in range(p.n):
        if order[i] == MOVE:
            if moves[i] == OPEN or route[i] == OPEN:
                return True
        elif low[i] != high[i]:
            return True
    return False


def resolve(p: MovementProblem) -> bool:
    """Decide what follows from the orders by bounds alone; return whether any are left in circles for
    :func:`resolve_cycles`.

    The orders are linked beforehand and the answer is filled with what is known to begin with."""
    order = p.order
    broken = p.broken
    if p.rules[PARADOX] == RULE_2000:
        for f in range(p.n):
            if order[f] == CONVOY:
                broken[f] = 1
                p.needed[f] = 1 if bound_path(p, p.helped_unit[f], 0) == NO else 0
                broken[f] = 0
    return propagate_bounds(p) == UNDECIDED
