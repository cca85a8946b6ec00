"""The geometry of a board, ready to draw: its outlines, and where its symbols stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from legation.atlas.lines import Point
from legation.atlas.outlines import Outlines
from legation.atlas.shapes import Shapes
from legation.atlas.sites import COAST_R, UNIT_R, Disc, Site, center_room
from legation.board import Board


class BoardGeometry(Outlines):
    """The geometry of a board. ``sites`` are those of its layout, or what finds them upon the outlines.

    :raises ValueError: when the shapes do not fit the board.
    """

    def __init__(
        self,
        board: Board,
        shapes: Shapes,
        sites: Mapping[str, Site] | Callable[[Outlines], Mapping[str, Site]],
    ) -> None:
        super().__init__(board, shapes)
        self.sites = sites(self) if callable(sites) else sites
        self.discs = [disc for name, site in self.sites.items() for disc in self._discs_of(name, site)]

    def place_of(self, location: str) -> Point:
        """Where a unit at a location is drawn."""
        province, _, coast = location.partition("/")
        site = self.sites[province]
        return site.coasts.get(coast, site.unit)

    def _discs_of(self, name: str, site: Site) -> list[Disc]:
        """The room of the symbols of a province."""
        discs = [Disc("unit", name, *site.unit, UNIT_R * site.size)]
        if self.board.provinces[name].center:
            discs.append(Disc("center", name, *site.center, center_room(site.size)))
        return discs + [Disc("coast", name, *at, COAST_R) for at in site.coasts.values()]
