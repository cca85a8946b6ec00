"""Positions as planes of numbers, for machine learning: a row for each location, a column for each feature.

Locations are a board's provinces, then its separate coasts, as ``rules.board.locations`` has them. Every value lies
between 0 and 1."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from legation.board import province_of
from legation.judge import Ruleset
from legation.orders import Convoy, Hold, Moving, Order, SupportHold, SupportMove, UnitOrder
from legation.position import Phase, Position

PHASES = (Phase.PLACEMENT, Phase.MOVEMENT, Phase.RETREATS, Phase.ADJUSTMENTS)
YEARS = 100
"""The last planes tell the year, as a part of so many."""
LAST_ORDERS = ("held", "moved from here", "moved to here", "supported from here", "supported to here", "convoyed")
"""What :meth:`Planes.last_orders` tells of each location, in the order of its columns."""


class Planes:
    """How the positions of a variant are laid out. ``names`` are the columns in their order."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.locations = rules.board.locations
        powers, kinds = list(rules.powers), [kind.name for kind in rules.kinds.values()]
        self._row = {at: n for n, at in enumerate(self.locations)}
        self._power = {power: n for n, power in enumerate(powers)}
        self._kind = {code: n for n, code in enumerate(rules.kinds)}
        phases = dict.fromkeys((*PHASES, *(phase for module in rules.modules for phase in module.phases)))
        self.names: tuple[str, ...] = (
            *(f"{kind} here" for kind in kinds),
            *(f"unit of {power}" for power in powers),
            *(f"dislodged {kind}" for kind in kinds),
            *(f"dislodged unit of {power}" for power in powers),
            *(f"owned by {power}" for power in powers),
            "center",
            "neutral center",
            "contested",
            "land",
            "sea",
            "separate coast",
            *(f"phase: {phase.value}" for phase in phases),
            *(f"seen by {power}" for power in powers),
            "years since the beginning",
        )
        self.shape = (len(self.locations), len(self.names))
        self._at = {name: n for n, name in enumerate(self.names)}
        self._first_year = rules.first_turn().year
        self._still = self._board()

    def _board(self) -> Any:
        planes = np.zeros(self.shape, np.float32)
        for at, row in self._row.items():
            province = self.rules.board.provinces[province_of(at)]
            planes[row, self._at["center"]] = province.center
            planes[row, self._at["sea" if province.sea else "land"]] = 1
            planes[row, self._at["separate coast"]] = "/" in at
        return planes

    def of(self, position: Position, power: str = "") -> Any:
        """Return a position as float32, locations x planes, as ``power`` sees it; all of it where none is named."""
        planes = self._still.copy()
        seen = self.rules.seen(position, power) if power else position
        kinds, powers = len(self._kind), len(self._power)
        for unit in seen.units:
            row = self._row[unit.at]
            planes[row, self._kind[unit.kind]] = 1
            planes[row, kinds + self._power[unit.power]] = 1
        for entry in seen.dislodged:
            row = self._row[entry.unit.at]
            planes[row, kinds + powers + self._kind[entry.unit.kind]] = 1
            planes[row, 2 * kinds + powers + self._power[entry.unit.power]] = 1
        for center, owner in seen.owners.items():
            if owner in self._power:
                planes[self._row[center], 2 * kinds + 2 * powers + self._power[owner]] = 1
        for center in self.rules.board.centers:
            planes[self._row[center], self._at["neutral center"]] = center not in seen.owners
        for place in seen.contested:
            planes[self._row[place], self._at["contested"]] = 1
        planes[:, self._at[f"phase: {seen.turn.phase.value}"]] = 1
        if power:
            planes[:, self._at[f"seen by {power}"]] = 1
        planes[:, -1] = min(1.0, max(0, seen.turn.year - self._first_year) / YEARS)
        return planes

    def last_orders(self, orders: Iterable[Order]) -> Any:
        """Return what was ordered in a movement turn as float32, locations x :data:`LAST_ORDERS`."""
        planes = np.zeros((len(self.locations), len(LAST_ORDERS)), np.float32)
        row = self._row
        for order in orders:
            if not isinstance(order, UnitOrder) or order.at not in row:
                continue
            marks: list[tuple[str, int]] = []
            match order:
                case Hold():
                    marks = [(order.at, 0)]
                case Moving():
                    marks = [(order.at, 1), (order.to, 2)]
                case SupportHold():
                    marks = [(order.at, 3), (order.target, 4)]
                case SupportMove():
                    marks = [(order.at, 3), (order.to, 4)]
                case Convoy():
                    marks = [(order.at, 5)]
            for at, column in marks:
                planes[row[at], column] = 1
        return planes
