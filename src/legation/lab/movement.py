"""Movement alone: many turns side by side, each decided by the judge's core."""

from __future__ import annotations

from typing import Any

from legation.judge.core import MOVE, NO, OPEN, SUPPORT, MovementProblem, link_orders, resolve, resolve_cycles

UNIT_ROWS = 14


def resolve_movements(
    near: Any,
    rules: Any,
    counts: Any,
    place: Any,
    owner: Any,
    force: Any,
    order: Any,
    target: Any,
    helped_unit: Any,
    via: Any,
    route: Any,
    by_unit: Any,
    by_province: Any,
    stack: Any,
    work: Any,
    answer: Any,
) -> None:
    """Decide every turn of a batch and write into ``answer`` what became of each unit's move.

    ``by_unit``, ``by_province`` (-1 throughout), ``stack`` and ``work`` are work space. What is next in a chain is
    written when the chain is linked; before that only its heads need to be empty.

    It is long for its lists alone: each argument and each column of a problem has a line of its own.
    """
    provinces = by_province.shape[1]
    occupant = by_province[0]
    into_head = by_province[1]
    mark = by_unit[0]
    for t in range(len(counts)):
        n = counts[t]
        for i in range(n):
            by_unit[2, i] = -1
            by_unit[4, i] = -1
            occupant[place[t, i]] = i
            kind = order[t, i]
            by_unit[6, i] = OPEN if kind == MOVE else NO
            by_unit[7, i] = route[t, i]
            by_unit[8, i] = 0
            by_unit[9, i] = force[t, i] if kind == SUPPORT else 0
            by_unit[10, i] = 0
            by_unit[11, i] = 1
        p = MovementProblem(
            n,
            provinces,
            rules[t],
            near,
            place[t],
            owner[t],
            force[t],
            order[t],
            target[t],
            helped_unit[t],
            via[t],
            occupant,
            into_head,
            by_unit[1],
            by_unit[2],
            by_unit[3],
            by_unit[4],
            by_unit[5],
            by_unit[6],
            by_unit[7],
            by_unit[8],
            by_unit[9],
            by_unit[10],
            by_unit[11],
            mark,
            by_unit[12],
            by_unit[13],
            stack,
            work,
        )
        link_orders(p)
        if resolve(p):
            resolve_cycles(p)
        for i in range(n):
            answer[t, i] = by_unit[6, i]
            occupant[place[t, i]] = -1
            into_head[target[t, i]] = -1
