"""Orders as numbers, and what of a sheet is already decided.

A power's sheet is chosen order by order. Each choice is among the legal orders of one unit (in adjustments: among all
changes that are still possible); an order is its kind and three nodes: where the unit is, where the order takes effect,
and the unit that it helps. What the orders chosen before make of it is told by CONTEXT numbers."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from legation.board import ARMY, province_of
from legation.judge import Ruleset
from legation.lab.policy.encoding import BoardGraph, Memory
from legation.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Moving,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    UnitOrder,
)

HOLD, MOVE, VIA, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY, RETREAT, DISBAND, BUILD_ARMY, BUILD_FLEET, REMOVE = range(11)
KINDS = 11
CONTEXT = 13
NOT_YET, STAYS, LEAVES = 0, 1, 2


class Choices(NamedTuple):
    """The orders of one choice: their kinds, nodes, and whether the unit was ordered the same in the last turn."""

    orders: Sequence[Order]
    kind: Any
    at: Any
    to: Any
    helped: Any
    same: Any


def code(rules: Ruleset, graph: BoardGraph, order: Order) -> tuple[int, int, int, int] | None:
    """Return an order's kind and nodes; None for an order that the network doesn't know."""
    if not isinstance(order, UnitOrder):
        return None
    index, at = graph.index, graph.index[order.at]
    match order:
        case Move():
            return VIA if order.via_convoy else MOVE, at, index[order.to], at
        case Moving():
            return MOVE, at, index[order.to], at
        case Hold():
            return HOLD, at, at, at
        case SupportHold():
            return SUPPORT_HOLD, at, index[order.target], index[order.target]
        case SupportMove():
            return SUPPORT_MOVE, at, index[order.to], index[order.target]
        case Convoy():
            return CONVOY, at, index[order.to], index[order.target]
        case Retreat():
            return RETREAT, at, index[order.to], at
        case Disband():
            return DISBAND, at, at, at
        case Build():
            return BUILD_ARMY if rules.kinds[order.kind].travel == ARMY else BUILD_FLEET, at, at, at
        case Remove():
            return REMOVE, at, at, at
    return None


class Coder:
    """Turns orders of one variant into numbers, each kind of order once."""

    def __init__(self, rules: Ruleset, graph: BoardGraph) -> None:
        self.rules, self.graph = rules, graph
        self._known: dict[Order, tuple[int, int, int, int] | None] = {}

    def code(self, order: Order) -> tuple[int, int, int, int] | None:
        """Return an order's kind and nodes; None for an order that the network doesn't know."""
        if order not in self._known:
            if len(self._known) > 200_000:
                self._known.clear()
            self._known[order] = code(self.rules, self.graph, order)
        return self._known[order]

    def choices(self, orders: Sequence[Order], memory: Memory | None = None) -> Choices:
        """Return orders that the network knows as the choices of one unit."""
        found = [(order, known) for order in orders if (known := self.code(order)) is not None]
        numbers = np.array([known for _, known in found], np.int64).reshape(-1, 4).T
        same = np.zeros(len(found), np.float32)
        if memory is not None and found:
            first = found[0][0]
            last = memory.orders.get(province_of(first.at)) if isinstance(first, UnitOrder) else None
            same[:] = [order == last for order, _ in found]
        kind, at, to, helped = numbers
        return Choices([order for order, _ in found], kind, at, to, helped, same)

    def by_unit(self, orders: Sequence[Order]) -> dict[str, list[Order]]:
        """Return orders that the network knows by the place of their unit."""
        found: dict[str, list[Order]] = {}
        for order in orders:
            if isinstance(order, UnitOrder) and self.code(order) is not None:
                found.setdefault(order.at, []).append(order)
        return found


class Sheets:
    """Some sheets of one power while they are chosen, side by side."""

    def __init__(self, graph: BoardGraph, own: Any, steps: int, count: int = 1) -> None:
        size = len(graph.nodes)
        self.province = graph.province
        self.own = own  # by node: whether a unit of the power is there
        self.steps, self.done = steps, 0
        self.rows = np.arange(count)
        self.state = np.zeros((count, size), np.int8)
        self.dest = np.full((count, size), -1, np.int16)
        self.into = np.zeros((count, size), np.int8)
        self.helped: dict[tuple[int, int, int], Any] = {}  # kind of help, unit and place: how often, by sheet

    def context(self, choices: Choices) -> Any:
        """Return what is decided that concerns the choices: sheets x choices x CONTEXT."""
        kind, at = choices.kind, self.province[choices.at]
        to, third = self.province[choices.to], self.province[choices.helped]
        told = np.zeros((len(self.rows), len(kind), CONTEXT), np.float32)
        another = self.own[to] & (to != at)
        for column, state in enumerate((NOT_YET, STAYS, LEAVES)):
            told[:, :, column] = another & (self.state[:, to] == state)
        told[:, :, 3] = self.into[:, to] > 0
        helps = (kind == SUPPORT_HOLD) | (kind == SUPPORT_MOVE) | (kind == CONVOY)
        mine = helps & self.own[third]
        decided = self.state[:, third]
        agrees = np.where(kind == SUPPORT_HOLD, decided == STAYS, self.dest[:, third] == to)
        told[:, :, 4] = mine & (decided == NOT_YET)
        told[:, :, 5] = mine & (decided != NOT_YET) & agrees
        told[:, :, 6] = mine & (decided != NOT_YET) & ~agrees
        if self.helped:
            self._count_help(told, kind, at, to, third, helps)
        told[:, :, 9] = self.into[:, at] > 0
        told[:, :, 10] = self.done / max(1, self.steps)
        told[:, :, 11] = (self.dest[:, to] == at) & (kind <= VIA) & (kind >= MOVE)
        told[:, :, 12] = choices.same
        return told

    def _count_help(self, told: Any, kind: Any, at: Any, to: Any, third: Any, helps: Any) -> None:
        moves = (kind == MOVE) | (kind == VIA)
        unit, place = np.where(helps, third, at), np.where(helps | moves, to, at)
        for (what, helped, where), count in self.helped.items():
            of_it = (unit == helped) & (place == where)
            if of_it.any():
                column = 8 if what == CONVOY else 7
                told[:, of_it, column] += (count[:, None] > 0) if column == 8 else np.minimum(count[:, None] / 2, 1)

    def add(self, choices: Choices, chosen: Any) -> None:
        """Note which choice each sheet takes."""
        kind = choices.kind[chosen]
        at, to = self.province[choices.at[chosen]], self.province[choices.to[chosen]]
        third = self.province[choices.helped[chosen]]
        rows = self.rows
        leaves = (kind == MOVE) | (kind == VIA)
        self.state[rows, at] = np.where(leaves, LEAVES, STAYS)
        self.dest[rows, at] = np.where(leaves, to, -1)
        self.into[rows, to] += leaves | (kind == RETREAT)
        for what in (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY):
            for row in np.flatnonzero(kind == what):
                key = (what, int(third[row]), int(to[row]))
                self.helped.setdefault(key, np.zeros(len(rows), np.int16))[row] += 1
        self.done += 1

    def take(self, rows: Any) -> None:
        """Go on with these sheets, one after the other, some of them more than once."""
        self.rows = np.arange(len(rows))
        self.state, self.dest, self.into = self.state[rows], self.dest[rows], self.into[rows]
        self.helped = {key: count[rows] for key, count in self.helped.items()}
