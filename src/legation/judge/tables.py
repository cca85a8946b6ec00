"""Look-up tables of a board, made once for each ruleset, for legality and for the dense core."""

from __future__ import annotations

from legation.board import ARMY, FLEET, Board, province_of


class Tables:
    """Reach by location and province, and which provinces fleets pass between.

    ``near`` is a square of bytes, side ``count``: 1 where a fleet can pass between two provinces (by their numbers in ``index``).
    """

    def __init__(self, board: Board) -> None:
        self.index: dict[str, int] = dict(board.index)
        self.count = len(self.index)
        self.province: dict[str, str] = {loc: province_of(loc) for loc in board.locations}
        self.army: dict[str, frozenset[str]] = {p: board.reach(ARMY, p) for p in board.provinces}
        self.fleet: dict[str, frozenset[str]] = {loc: board.reach(FLEET, loc) for loc in board.locations}
        # a unit supports into any province it can move to, whatever the coast
        self.fleet_into: dict[str, frozenset[str]] = {
            loc: frozenset(province_of(to) for to in reach) for loc, reach in self.fleet.items()
        }
        self.near = bytearray(self.count * self.count)
        self.sea: frozenset[str] = frozenset(p.id for p in board.provinces.values() if p.sea)
        self.by_sea: dict[str, frozenset[str]] = {}
        for province in board.provinces.values():
            around = frozenset().union(*(self.fleet_into[loc] for loc in {province.id, *province.locations}))
            self.by_sea[province.id] = around
            for other in around:
                self.near[self.index[province.id] * self.count + self.index[other]] = 1
