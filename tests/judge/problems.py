"""Problems for the judge's core without a board: a turn of units, nothing of it decided yet."""

from legation.judge import core
from legation.judge.core import MovementProblem


def undecided(
    provinces: int,
    near: list[int],
    place: list[int],
    owner: list[int],
    order: list[int],
    target: list[int],
    helped_unit: list[int],
    via: list[int],
    readings: tuple[int, ...] = (),
) -> MovementProblem:
    """A problem of units of strength 1; a list has an entry for each unit, ``near`` one for each pair of provinces."""
    n = len(place)
    readings_vector = [int(rule in readings) for rule in range(core.RULES_LENGTH)]
    given = (place, owner, [1] * n, order, target, helped_unit, via, [0] * n)
    occupant = [place.index(x) if x in place else -1 for x in range(provinces)]
    turn = core.undecided(provinces, readings_vector, near, given, occupant)
    turn.work = [0] * (4 * n * n + 16 * n)
    return turn
