"""Problems for the judge's core without a board: a turn of units, nothing of it decided yet."""

from __future__ import annotations

from legation.judge import core
from legation.judge.core import BY_CONVOY, MOVE, NO, OPEN, SUPPORT, YES, Problem


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
) -> Problem:
    """A problem of units of strength 1; a list has an entry for each unit, ``near`` one for each pair of provinces."""
    n = len(place)
    return Problem(
        n=n,
        provinces=provinces,
        rules=[int(rule in readings) for rule in range(core.RULES_LENGTH)],
        near=near,
        place=place,
        owner=owner,
        force=[1] * n,
        order=order,
        target=target,
        helped_unit=helped_unit,
        via=via,
        occupant=[place.index(x) if x in place else -1 for x in range(provinces)],
        into_head=[-1] * provinces,
        into_next=[-1] * n,
        support_head=[-1] * n,
        support_next=[-1] * n,
        convoy_head=[-1] * n,
        convoy_next=[-1] * n,
        moves=[OPEN if kind == MOVE else NO for kind in order],
        route=[OPEN if way == BY_CONVOY else YES for way in via],
        low=[0] * n,
        high=[int(kind == SUPPORT) for kind in order],
        broken=[0] * n,
        needed=[1] * n,
        mark=[0] * n,
        seen=[0] * n,
        limited=[0],
        stack=[0] * (2 * n),
        work=[0] * (4 * n * n + 16 * n),
    )
