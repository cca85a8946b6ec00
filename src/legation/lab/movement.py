"""Movement alone: many turns side by side, each decided by the judge's core."""

from __future__ import annotations

from typing import Any

from legation.judge.core import ROUTE_ROW, link_orders, problem_on, resolve, resolve_cycles


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
    firm: Any,
    route: Any,
    by_unit: Any,
    by_province: Any,
    limited: Any,
    stack: Any,
    work: Any,
    answer: Any,
) -> None:
    """Decide every turn of a batch and write into ``answer`` what became of each unit's move.

    ``by_unit``, ``by_province`` (-1 throughout), ``limited``, ``stack`` and ``work`` are work space.
    """
    provinces = by_province.shape[1]
    occupant = by_province[0]
    into_head = by_province[1]
    for t in range(len(counts)):
        n = counts[t]
        for i in range(n):
            occupant[place[t, i]] = i
            by_unit[ROUTE_ROW, i] = route[t, i]
        p = problem_on(
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
            firm[t],
            occupant,
            into_head,
            by_unit,
            limited,
            stack,
            work,
        )
        link_orders(p)
        if resolve(p):
            resolve_cycles(p)
        for i in range(n):
            answer[t, i] = p.moves[i]
            occupant[place[t, i]] = -1
            into_head[target[t, i]] = -1
