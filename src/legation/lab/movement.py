"""Movement alone: many turns side by side, each decided by the judge's core."""

from __future__ import annotations

from typing import Any

from legation.judge.core import *


def resolve_movements(batch: Any, by_unit: Any, by_province: Any, space: Any, answer: Any) -> None:
    """Decide every turn of a :class:`~legation.lab.compiled.TurnBatch` and write into ``answer`` what became of each
    unit's move.

    ``by_unit``, ``by_province`` (-1 throughout) and ``space`` (as :func:`problem_on` takes it) are work space."""
    b = batch
    provinces = by_province.shape[1]
    occupant = by_province[0]
    into_head = by_province[1]
    for t in range(len(b.counts)):
        n = b.counts[t]
        for i in range(n):
            occupant[b.place[t, i]] = i
            by_unit[ROUTE_ROW, i] = b.route[t, i]
        given = (b.place[t], b.owner[t], b.force[t], b.order[t], b.target[t], b.helped_unit[t], b.via[t], b.firm[t])
        p = problem_on(n, provinces, b.rules[t], b.near, given, occupant, into_head, by_unit, space)
        begin_rows(n, by_unit)
        link_orders(p)
        if resolve(p):
            resolve_cycles(p)
        for i in range(n):
            answer[t, i] = p.moves[i]
            occupant[b.place[t, i]] = -1
            into_head[b.target[t, i]] = -1
