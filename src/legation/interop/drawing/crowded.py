"""Insets for an imported map: where provinces are too small for their names, they are shown larger below the map."""

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from legation.atlas.grow.plan import LAND, WATER
from legation.atlas.grow.projection import Frame, Plane
from legation.atlas.grow.windows import MARGIN, Window, rounded
from legation.atlas.shapes import Edges, Inset
from legation.interop.drawing.shaped import Ground

SMALL, ROOMY = 36 / 1600, 64 / 1600
"""Widths of provinces as shares of the map's: on a picture of 1600 dots a province of the first has no room for a name
of eight letters that can be read; those in an inset are about as wide as the second."""
FEWEST = 8
"""Small provinces together that are worth an inset."""
SCALES = 1.5, 5.0
"""By how much an inset enlarges, at least and at most."""
RASTER = 400
"""Sample points across the width of the map, by which the extent of provinces is estimated."""
ONE_ROW = 0.7
"""The least factor by which insets are made smaller so that all stand in one row."""


def insets_of(ground: Ground) -> list[Window]:
    """The insets of a map: windows on what is crowded, each in a box below it; boxes fill rows of the map's width."""
    margin = round(2 * MARGIN * max(ground.width, ground.height), 1)  # room for that of the larger map, too
    found = sorted(_windows(ground, ground.width - 2 * margin), key=lambda pair: (-_height(*pair), pair))
    room = ground.width - 2 * margin * len(found)
    tight = min(1.0, room / max(sum((window[2] - window[0]) * scale for window, scale in found), room))
    if tight > ONE_ROW and all(scale * tight >= SCALES[0] for _, scale in found):
        found = [(window, int(scale * tight * 100) / 100) for window, scale in found]
    rows: list[list[tuple[Edges, float]]] = []
    left = 0.0
    for window, scale in found:
        wide = (window[2] - window[0]) * scale + 2 * margin
        rows += [[]] if not rows or wide > left else []
        left = (left if rows[-1] else ground.width) - wide
        rows[-1].append((window, scale))
    drawn: list[Inset] = []
    top = ground.height
    for row in rows:
        bottom = top + _height(*row[0]) + 2 * margin
        beside = (ground.width - sum((window[2] - window[0]) * scale for window, scale in row)) / (2 * len(row))
        x = 0.0
        for window, scale in row:
            wide = (window[2] - window[0]) * scale
            field = (x + beside, top + margin, x + beside + wide, top + margin + _height(window, scale))
            edges = (x, top, x + wide + 2 * beside, bottom)
            drawn.append(Inset(box=rounded(*edges), field=rounded(*field), scale=scale, window=window))
            x = edges[2]
        top = bottom
    whole = Frame(0.0, 0.0, ground.width, round(top, 1))
    return [Window(drawn=inset, projection=Plane(), frame=whole, place="", row=n) for n, inset in enumerate(drawn)]


def _height(window: Edges, scale: float) -> float:
    return (window[3] - window[1]) * scale


def _windows(ground: Ground, room: float) -> Iterator[tuple[Edges, float]]:
    """The parts of a map that are crowded, with what they are enlarged by; none wider than ``room`` then."""
    frame = box(0, 0, ground.width, ground.height)
    near = 0.5 * SMALL * ground.width
    small = [(extent, width) for extent, width in _extents(ground) if width < 2 * near]
    parts = shapely.get_parts(shapely.union_all([extent.buffer(near) for extent, _ in small]))
    crowds = [shapely.union_all([extent for extent, _ in small if part.contains(extent)]) for part in parts]
    boxes = shapely.union_all([shapely.envelope(crowd) for crowd in crowds])
    for window in shapely.envelope(shapely.get_parts(boxes)):
        shown = [width for extent, width in small if window.contains(extent)]
        left, top, right, bottom = edges = rounded(*window.buffer(near, join_style="mitre").intersection(frame).bounds)
        scale = min(SCALES[1], room / (right - left), room / (bottom - top))
        if len(shown) >= FEWEST and (scale := min(scale, ROOMY * ground.width / float(np.median(shown)))) >= SCALES[0]:
            yield edges, int(scale * 100) / 100


def _extents(ground: Ground) -> Iterator[tuple[BaseGeometry, float]]:
    """The box about each province, and its width: a province is taken for the sample points nearest to its seeds."""
    step = ground.width / RASTER
    x, y = np.meshgrid(np.arange(step / 2, ground.width, step), np.arange(step / 2, ground.height, step))
    raster = np.column_stack([x.ravel(), y.ravel()])
    tree = shapely.STRtree(shapely.points([(point.x, point.y) for point in ground.seeds]))
    _, nearest = tree.query_nearest(shapely.points(raster), all_matches=False)
    owners, numbers = np.unique([point.owner for point in ground.seeds], return_inverse=True)
    for number, owner in enumerate(owners):
        here = raster[numbers[nearest] == number]
        if len(here) and owner not in (LAND, WATER):
            yield box(*here.min(axis=0), *here.max(axis=0)), step * float(np.sqrt(len(here)))
