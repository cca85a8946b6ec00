"""Orders that depend on each other in a circle, which bounds alone do not decide (DATC 5.B.9).

The innermost circle is taken first and decided: by its only solution if it has just one; a circle of moves succeeds; a
convoy paradox goes by the paradox rule; anything else (possible only with unit strengths above 1) fails."""

from legation.judge.core.bounds import CONFLICT, any_open, propagate_bounds
from legation.judge.core.problem import *

LARGEST_ENUMERATION = (
    10  # a circle with more moves and routes is decided by rule, without searching for a unique solution
)


def build_dependencies(p: MovementProblem, leans: MutableInts) -> None:
    """Write into the square ``leans`` (side 2n) which open value depends on which.

    Value ``i`` is unit i's move or support, value ``n + i`` its convoy route. It is long because what a move, a support
    and a route depend on is listed in one place, to be read beside the bounds that it must agree with."""
    n, place, owner, force = p.n, p.place, p.owner, p.force
    order, target, occupant, into_head = p.order, p.target, p.occupant, p.into_head
    into_next, support_head, support_next = p.into_next, p.support_head, p.support_next
    convoy_head, convoy_next, moves, route = p.convoy_head, p.convoy_next, p.moves, p.route
    low, high = p.low, p.high
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


def find_innermost(
    n: int, leans: Ints, is_open: Ints, circle: MutableInts, reached: MutableInts, stack: MutableInts
) -> None:
    """Mark in ``circle`` the values of one circle that depends on nothing open outside itself."""
    side = 2 * n
    for start in range(side):
        if is_open[start] == 0:
            continue
        reach_from(start, side, leans, circle, stack)
        circle[start] = 1
        closed = 1
        for v in range(side):
            if circle[v] == 1 and v != start:
                reach_from(v, side, leans, reached, stack)
                if reached[start] == 0:
                    closed = 0
                    break
        if closed == 1:
            return


def resolve_cycles(p: MovementProblem) -> None:
    """Decide the circles that :func:`~legation.judge.core.bounds.resolve` left, the innermost first, and what follows
    from each.

    A circle with exactly one solution has that one. A circle of moves succeeds. In a convoy paradox the fleets
    concerned do not convoy (Szykman's rule, or the rule chosen). Any other circle fails."""
    n = p.n
    side = 2 * n
    square = side * side
    while any_open(p):
        for v in range(square + 6 * n):
            p.work[v] = 0
        leans = p.work[0:square]
        is_open = p.work[square : square + side]
        circle = p.work[square + side : square + 2 * side]
        reached = p.work[square + 2 * side : square + 3 * side]
        build_dependencies(p, leans)
        mark_open(p, is_open)
        find_innermost(n, leans, is_open, circle, reached, p.stack)
        if only_moves(p, circle) == 1:
            for i in range(n):
                if circle[i] == 1:
                    p.moves[i] = YES
        else:
            solution = -1
            chosen = count_choices(p, circle)
            if chosen <= LARGEST_ENUMERATION:
                solution = only_solution(p, circle, chosen, p.work[square + 3 * side : square + 5 * side])
            else:
                p.limited[0] = 1
            if solution >= 0:
                assign(p, circle, solution)
            elif p.rules[PARADOX] == ALL_HOLD or break_convoys(p, circle) == 0:
                let_fail(p, circle)
        propagate_bounds(p)


def mark_open(p: MovementProblem, is_open: MutableInts) -> None:
    """Mark every value that is still open; values are numbered as in :func:`build_dependencies`."""
    n = p.n
    for i in range(n):
        if p.order[i] == MOVE:
            is_open[i] = 1 if p.moves[i] == OPEN else 0
            is_open[n + i] = 1 if p.route[i] == OPEN else 0
        elif p.low[i] != p.high[i]:
            is_open[i] = 1


def only_moves(p: MovementProblem, circle: Ints) -> int:
    """Whether nothing but moves is in a circle: 1 or 0."""
    n = p.n
    for i in range(n):
        if circle[n + i] == 1 or (circle[i] == 1 and p.order[i] != MOVE):
            return 0
    return 1


def count_choices(p: MovementProblem, circle: Ints) -> int:
    """How many moves and routes a circle has."""
    n = p.n
    chosen = 0
    for v in range(2 * n):
        if circle[v] == 1 and (v >= n or p.order[v] == MOVE):
            chosen += 1
    return chosen


def assign(p: MovementProblem, circle: Ints, bits: int) -> None:
    """Give the moves and routes of a circle the values of ``bits``."""
    n = p.n
    bit = 0
    for v in range(2 * n):
        if circle[v] == 1 and (v >= n or p.order[v] == MOVE):
            value = YES if (bits >> bit) & 1 == 1 else NO
            if v >= n:
                p.route[v - n] = value
            else:
                p.moves[v] = value
            bit += 1


def break_convoys(p: MovementProblem, circle: Ints) -> int:
    """The fleets of a paradox do not convoy (Szykman's rule); return 0 if there is no convoy in the circle."""
    n = p.n
    broken = p.broken
    has_convoy = 0
    for i in range(n):
        if circle[n + i] == 1:
            has_convoy = 1
            p.route[i] = NO
            f = p.convoy_head[i]
            while f >= 0:
                if p.order[f] == MOVE:
                    if circle[f] == 1:
                        broken[f] = 1
                else:
                    k = p.into_head[p.place[f]]
                    while k >= 0:
                        if p.moves[k] == OPEN and circle[k] == 1:
                            broken[f] = 1
                        k = p.into_next[k]
                f = p.convoy_next[f]
    return has_convoy


def let_fail(p: MovementProblem, circle: Ints) -> None:
    """Every order of a circle fails."""
    n = p.n
    for i in range(n):
        if circle[n + i] == 1:
            p.route[i] = NO
        if circle[i] == 1:
            if p.order[i] == MOVE:
                p.moves[i] = NO
            else:
                p.high[i] = p.low[i]


def only_solution(p: MovementProblem, circle: Ints, chosen: int, saved: MutableInts) -> int:
    """Try every assignment of the circle's moves and routes; return the only consistent one as bits, or -1 if there are
    none or several."""
    n, order, moves, route = p.n, p.order, p.moves, p.route
    low, high, mark = p.low, p.high, p.mark
    side = 2 * n
    for i in range(n):
        saved[i] = moves[i]
        saved[n + i] = route[i]
        saved[side + i] = low[i]
        saved[side + n + i] = high[i]
    solution = -1
    count = 0
    for bits in range(1 << chosen):
        for v in range(side):
            if circle[v] == 1 and (v >= n or order[v] == MOVE):
                mark[v - n if v >= n else v] = 1
        assign(p, circle, bits)
        conflict = 1 if propagate_bounds(p) == CONFLICT else 0
        if conflict == 0:
            for i in range(n):  # a support that stays open leaves the assignment unproven
                if circle[i] == 1 and order[i] == SUPPORT and low[i] != high[i]:
                    conflict = 1
        for i in range(n):
            moves[i] = saved[i]
            route[i] = saved[n + i]
            low[i] = saved[side + i]
            high[i] = saved[side + n + i]
            mark[i] = 0
        if conflict == 0:
            count += 1
            solution = bits
            if count > 1:
                return -1
    return solution if count == 1 else -1
