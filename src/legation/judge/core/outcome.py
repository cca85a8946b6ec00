"""What a movement turn that is decided comes to: who is dislodged by whom, and where a standoff left nobody."""

from legation.judge.core.problem import *


def find_dislodgers(p: MovementProblem, dislodger: MutableInts) -> None:
    """Write by unit which one dislodges it (-1, for none, to begin with)."""
    moves, target, occupant = p.moves, p.target, p.occupant
    for k in range(p.n):
        if moves[k] == YES:
            d = occupant[target[k]]
            if d >= 0 and moves[d] != YES:
                dislodger[d] = k


def is_powerless(p: MovementProblem, i: int, d: int) -> int:
    """Whether unit ``i``, dislodged by ``d`` from the province that it moved to, has no effect there (DATC 4.A.7)."""
    if p.rules[DISLODGED_NEVER_BOUNCES] == 1:
        return 1
    return 1 if p.via[i] == BY_LAND and p.via[d] == BY_LAND else 0


def mark_contested(p: MovementProblem, dislodger: Ints, contested: MutableInts) -> None:
    """Write 1 by province that a standoff left vacant (0 to begin with); who is dislodged by whom is known."""
    order, moves, route = p.order, p.moves, p.route
    place, target = p.place, p.target
    for i in range(p.n):
        if order[i] == MOVE and moves[i] != YES and route[i] == YES:
            d = dislodger[i]
            if d < 0 or place[d] != target[i] or is_powerless(p, i, d) == 0:
                contested[target[i]] = 1
    for i in range(p.n):  # where anybody stands now, nothing is contested
        if moves[i] == YES:
            contested[target[i]] = 0
        elif dislodger[i] < 0:
            contested[place[i]] = 0
