"""Inlets too narrow to be drawn: where both shores' lines would run into one black spike, the land is closed.

A strait stays open, however narrow: only water that leads nowhere is filled."""

from collections import Counter
from collections.abc import Iterator

import shapely
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

POND = 3.0
"""How many times as wide as an inlet may be a water behind it for it to be filled, too."""
CORNER = 5.0
"""How far the corners of land may reach out when its shore is moved, in distances of the move."""
THIN = 0.05
"""The share of the width below which a mouth, or the mean width of a piece, is a trace of reckoning."""


def close_inlets(land: BaseGeometry, width: float) -> BaseGeometry:
    """The land without inlets narrower than ``width`` (km), without the ponds behind them, and what lies in both. What
    parts one landmass from another stays."""
    large = [mass for mass in _faces(land) if mass.area > width * width] if width else []
    filled = [fill for mass in large for fill in _fillings(mass, width)]
    return shapely.union_all([land, *filled]) if filled else land


def _fillings(mass: Polygon, width: float) -> Iterator[BaseGeometry]:
    wide = mass.buffer(width / 2, join_style="mitre", mitre_limit=CORNER)
    closed = wide.buffer(-width / 2, join_style="mitre", mitre_limit=CORNER).union(mass)
    pieces = [piece for piece in _faces(closed.difference(mass)) if piece.area > THIN * width * piece.length / 2]
    if not pieces:
        return
    holes = [Polygon(ring) for part in _faces(shapely.union_all([mass, *pieces])) for ring in part.interiors]
    ponds = [hole for hole in holes if hole.area < (POND * width) ** 2]
    still, near = shapely.STRtree(ponds), THIN * width
    behind: dict[int, list[Polygon]] = {}
    ways_out: Counter[int] = Counter()
    for piece in pieces:
        mouths = _mouths(piece, mass, near)
        inner = [still.query(mouth, predicate="dwithin", distance=near).tolist() for mouth in mouths]
        if len(mouths) <= 1 and not any(inner):
            yield piece.buffer(near / 2, join_style="mitre")
        for pond in {pond for found in inner for pond in found}:
            behind.setdefault(pond, []).append(piece)
            ways_out[pond] += sum(not found for found in inner)
    for pond, around in behind.items():
        if ways_out[pond] <= 1:
            yield from (part.buffer(near / 2, join_style="mitre") for part in (ponds[pond], *around))


def _faces(shape: BaseGeometry) -> list[Polygon]:
    return [part for part in shapely.get_parts(shape) if isinstance(part, Polygon) and not part.is_empty]


def _mouths(piece: Polygon, land: BaseGeometry, least: float) -> list[LineString]:
    """The stretches of a piece's outline that open on other water."""
    left, bottom, right, top = piece.bounds
    near = shapely.clip_by_rect(land, left - least, bottom - least, right + least, top + least).buffer(least / 10)
    lines = shapely.get_parts(shapely.line_merge(piece.exterior.difference(near)))
    return [line for line in lines if isinstance(line, LineString) and line.length > least]
