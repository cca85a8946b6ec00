"""Orders of movement, each made once: the lists of legal orders of all positions share them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from legation.board import ARMY
from legation.judge.plain_orders import PlainOrders
from legation.judge.tables import Tables
from legation.judge.unit_kinds import UnitKind
from legation.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove

MOST_ORDERS = 200_000  # kept, some hundred bytes each; when there are more, all are forgotten

Supports: TypeAlias = dict[int, Any]
"""A hold or move and all supports of it, each by the number of the unit that it orders. Which number has which kind of
order no type can say: hence ``Any``."""
Convoys: TypeAlias = dict[int, Convoy]


class UnitOrders:
    """The orders of one unit where it stands, with those of the units that help it, by the numbers of where these
    stand."""

    def __init__(self, made: MadeOrders, number: int) -> None:
        kind, at = made.standing[number]
        self._made, self.number, self.kind, self.at = made, number, kind, at
        self.province = made.province[at]
        self.convoyed = made.kinds[kind].convoyed
        self.holding: Done = (self, {number: Hold(kind, at)})
        self._moves: dict[str, tuple[str, Done]] = {}
        self._known: dict[tuple[str, ...], Choices] = {}
        self._by_sea: dict[str, tuple[Move, Move, Convoys]] = {}
        # where no rule changes where units go: what it does by itself, where it supports into, and its convoys by the
        # fleets that may take part
        tables = made.tables
        by_land = made.kinds[kind].travel == ARMY
        self.by_itself = self.choices(tables.army_ways[at] if by_land else tables.fleet_ways[at])
        self.into = tables.army_ways[at] if by_land else tables.fleet_ways_into[at]
        self.over_sea: dict[tuple[int, ...], OverSea] = {}

    def choices(self, ways: tuple[str, ...]) -> Choices:
        """The unit's hold, and its moves to these locations."""
        known = self._known.get(ways)
        if known is None:
            places = [(self.province, self.holding), *map(self.move, ways)]
            known = self._known[ways] = Choices([supports[self.number] for _, (_, supports) in places], places)
            self._made.count += 1
        return known

    def move(self, to: str) -> tuple[str, Done]:
        """The move to a location: its province, and the move with the supports of it."""
        known = self._moves.get(to)
        if known is None:
            known = self._moves[to] = self._made.province[to], (self, {self.number: Move(self.kind, self.at, to)})
            self._made.count += 1
        return known

    def by_sea(self, to: str) -> tuple[Move, Move, Convoys]:
        """The move to a place, the same via convoy, and the convoys of it."""
        known = self._by_sea.get(to)
        if known is None:
            move = Move(self.kind, self.at, to)
            known = self._by_sea[to] = move, Move(self.kind, self.at, to, via_convoy=True), {}
            self._made.count += 1
        return known


Done: TypeAlias = tuple[UnitOrders, Supports]
"""A hold or move of a unit with the supports of it: all orders of that unit, then this one with its supports."""


class Choices(NamedTuple):
    """A unit's hold and moves that need no other unit, and each with the province where the unit would then be."""

    orders: list[Order]
    places: list[tuple[str, Done]]


class OverSea(NamedTuple):
    """What convoys a unit may take: its moves and the convoys of them, each with the number of the unit that is
    ordered so, and where it gets by convoy only."""

    orders: list[tuple[int, Move | Convoy]]
    places: list[tuple[str, Done]]


class MadeOrders(dict[int, UnitOrders]):
    """The orders of each unit that there could be, by its number: ``made[made.numbers["A", "par"]].by_itself``.

    ``standing`` lists the kind and location of every unit that there could be; ``numbers`` has its places in that list.
    ``province`` has the province of each location, ``plain`` the plain orders that were judged so far."""

    def __init__(self, tables: Tables, kinds: Mapping[str, UnitKind], standing: Iterable[tuple[str, str]]) -> None:
        super().__init__()
        self.tables = tables
        self.kinds = kinds
        self.province = tables.province
        self.standing = tuple(standing)
        self.numbers = {where: number for number, where in enumerate(self.standing)}
        self.count = 0
        self.plain: PlainOrders = {}

    def __missing__(self, number: int) -> UnitOrders:
        if self.count > MOST_ORDERS:
            self.clear()
            self.count = 0
        orders = self[number] = UnitOrders(self, number)
        return orders

    def support(self, done: Done, number: int) -> None:
        """Add the support of a hold or move by the unit with this number."""
        other, supports = done
        (kind, at), order = self.standing[number], supports[other.number]
        supports[number] = (
            SupportMove(kind, at, order.kind, order.at, order.to)
            if isinstance(order, Move)
            else SupportHold(kind, at, other.kind, other.at)
        )
        self.count += 1

    def keep_over_sea(self, unit: UnitOrders, fleets: tuple[int, ...], over_sea: OverSea) -> None:
        """Keep what convoys a unit may take with these fleets."""
        unit.over_sea[fleets] = over_sea
        self.count += len(over_sea.orders)

    def convoy(self, convoys: Convoys, number: int, move: Move) -> Convoy:
        """Make a fleet's convoy of a move, and keep it with those."""
        made = convoys[number] = Convoy(*self.standing[number], move.kind, move.at, move.to)
        self.count += 1
        return made
