"""The land within the frame of a map: the coastline projected, simplified, carved as the plan says, and cut."""

from collections.abc import Callable, Iterator

import msgspec
import numpy as np
import shapely
import shapely.affinity
from shapely.geometry import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry

from legation.atlas.grow import EUROPE, SHIPPED
from legation.atlas.grow.coastline import Land
from legation.atlas.grow.inlets import close_inlets
from legation.atlas.grow.plan import Plan
from legation.atlas.grow.projection import Plane, Points, window
from legation.atlas.grow.windows import Window

GRID = 0.1
"""km: every vertex lies on this grid, as it is written, so that what was checked is what is stored."""
DATE_LINE = 179.9
STEP = 1.0
"""Degrees: how far apart the points are on edges that a cut made, so that they bend with the projection."""


def draw_land(plan: Plan, land: Land) -> BaseGeometry:
    """The land as finely as it is drawn: simplified, and closed where an inlet is too narrow to be seen. It depends on
    the plan's coastline, projection, frame, ``detail`` and ``narrow`` alone."""
    simple = shapely.make_valid(place_land(plan, land).simplify(plan.detail))
    return close_inlets(simple, plan.narrow)


def cut_ground(plan: Plan, land: Land, draw: Callable[[Plan, Land], BaseGeometry] = draw_land) -> BaseGeometry:
    """The land within the frame, as a polygon or several. ``draw`` is :func:`draw_land`, or keeps what that makes."""
    frame = box(0, 0, plan.frame.width, plan.frame.height)
    water: list[BaseGeometry] = []
    fresh: list[BaseGeometry] = []
    for patch in plan.patches:
        shape = Polygon(patch.points) if patch.area else LineString(patch.points).buffer(patch.width / 2, quad_segs=4)
        (water if patch.water else fresh).append(shapely.make_valid(shape))
    simple = draw(plan, land)
    if plan.insets:
        simple = _with_insets(plan, simple, lambda there: draw(there, land))
    if fresh:
        simple = shapely.union_all([simple, *fresh])
    if water:  # after simplifying: straits stay open
        simple = simple.difference(shapely.union_all(water))
    if plan.insets:
        simple = simple.difference(shapely.union_all([margin_of(inset) for inset in plan.insets]))
    # taking nothing away sets the rings right, which costs much, and is done here so that it is done once
    return shapely.set_precision(simple.intersection(frame), GRID).difference(Polygon())


def margin_of(inset: Window) -> BaseGeometry:
    """What of an inset is nobody's: its margin, and of one whose field is drawn later, all of it."""
    whole = box(*inset.drawn.box)
    return whole.difference(box(*inset.drawn.field)) if inset.far else whole


def _with_insets(plan: Plan, main: BaseGeometry, draw: Callable[[Plan], BaseGeometry]) -> BaseGeometry:
    """The land of the map outside of its insets, and that in those which show what lies beyond it."""
    grounds = [main.difference(shapely.union_all([box(*inset.drawn.box) for inset in plan.insets]))]
    for inset in plan.insets:
        if inset.far:
            scale, (left, top, _, _), frame = inset.drawn.scale, inset.drawn.field, inset.frame
            there = msgspec.structs.replace(
                plan,
                projection=inset.projection,
                frame=frame,
                detail=plan.detail / scale,
                narrow=plan.narrow / scale,
                insets=[],
            )
            seen = draw(there).intersection(box(0, 0, frame.width, frame.height))
            grounds.append(shapely.affinity.affine_transform(seen, [scale, 0, 0, scale, left, top]))
    return shapely.union_all(grounds)


def place_land(plan: Plan, land: Land) -> BaseGeometry:
    """The land in and near the frame, in km on the map."""
    near = box(0, 0, plan.frame.width, plan.frame.height).buffer(0.1 * plan.frame.width)
    polygons: list[BaseGeometry] = []
    worldwide = plan.coastline in SHIPPED and plan.coastline != EUROPE and not isinstance(plan.projection, Plane)
    for rings in _in_window(plan, land) if worldwide else land:
        placed = [plan.frame.place(plan.projection.project(ring)) for ring in rings]
        outline = placed[0]
        low, high = outline.min(axis=0), outline.max(axis=0)
        if not box(low[0], low[1], high[0], high[1]).intersects(near):
            continue
        polygon = Polygon(placed[0], placed[1:])
        if not worldwide:
            polygons.append(shapely.make_valid(polygon).intersection(near))
            continue
        if np.abs(rings[0][:, 0]).max() < DATE_LINE:  # what is cut there must keep its corners to be joined again
            polygon = polygon.simplify(plan.detail / 2)
        polygon = _sound(polygon)
        polygons.append(polygon if near.contains(polygon) else polygon.intersection(near))
    return shapely.union_all(polygons) if polygons else Polygon()


def _sound(shape: BaseGeometry) -> BaseGeometry:
    """The same as :func:`shapely.make_valid` in a tenth of the time, where there is nothing to do."""
    return shape if shapely.is_valid(shape) else shapely.make_valid(shape)


def _in_window(plan: Plan, land: Land) -> Iterator[list[Points]]:
    """The part of the whole world's land that a frame may show: a projection would turn what lies on the far side
    inside out. Land beyond 180 degrees is moved round the Earth, so that it lies beside the rest."""
    west, south, east, north = window(plan.projection, plan.frame)
    field = box(west, south, east, north)
    for rings in land:
        low, high = rings[0].min(axis=0), rings[0].max(axis=0)
        for turn in (-360.0, 0.0, 360.0):
            if low[0] + turn > east or high[0] + turn < west or low[1] > north or high[1] < south:
                continue
            moved = [ring + np.array([turn, 0.0]) for ring in rings]
            inside = west <= low[0] + turn and high[0] + turn <= east and south <= low[1] and high[1] <= north
            if inside and high[0] - low[0] < 180:
                yield moved
                continue
            cut = _sound(Polygon(moved[0], moved[1:])).intersection(field)
            for part in shapely.get_parts(shapely.segmentize(cut, STEP)):
                if isinstance(part, Polygon) and not part.is_empty:
                    yield [shapely.get_coordinates(ring) for ring in (part.exterior, *part.interiors)]
