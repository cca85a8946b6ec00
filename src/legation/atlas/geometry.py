"""The geometry of a board, ready to draw: its outlines, and where its symbols stand."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from legation.atlas.lines import Point
from legation.atlas.outlines import Outlines
from legation.atlas.shapes import Place, Shapes
from legation.atlas.sites import COAST_R, UNIT_R, Disc, Site, center_room
from legation.board import Board

STEP = 5.0
"""How far apart the discs along a line are."""


class BoardGeometry(Outlines):
    """The geometry of a board. ``sites`` are those of its layout, or what finds them upon the outlines.

    :raises ValueError: when the shapes do not fit the board."""

    def __init__(
        self, board: Board, shapes: Shapes, sites: Mapping[str, Site] | Callable[[Outlines], Mapping[str, Site]]
    ) -> None:
        super().__init__(board, shapes)
        self.sites = sites(self) if callable(sites) else sites
        lines: list[list[Place]] = []
        for left, top, right, bottom in (inset.window for inset in self.insets if inset.window):
            lines.append([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)])
        lines += [link.line for link in shapes.links if link.kind in ("river", "mountains")]
        self.edges = [disc for line in lines for disc in self._discs_along(line)]
        """Rivers, mountains, and the line around each part of the map that an inset shows larger: no name crosses
        them."""
        self.discs: list[Disc] = []
        for name, site in self.sites.items():
            self.discs.append(Disc("unit", name, *site.unit, UNIT_R * site.size))
            if board.provinces[name].center:
                self.discs.append(Disc("center", name, *site.center, center_room(site.size)))
            self.discs += [Disc("coast", name, *at, COAST_R) for at in site.coasts.values()]

    def place_of(self, location: str) -> Point:
        """Where a unit at a location is drawn."""
        province, _, coast = location.partition("/")
        site = self.sites[province]
        return site.coasts.get(coast, site.unit)

    def _discs_along(self, line: Sequence[Place]) -> Iterator[Disc]:
        for (ax, ay), (bx, by) in pairwise((x * self.scale, y * self.scale) for x, y in line):
            count = int(math.dist((ax, ay), (bx, by)) / STEP) + 1
            for i in range(count + 1):
                yield Disc("edge", "", ax + (bx - ax) * i / count, ay + (by - ay) * i / count, 1.0)
