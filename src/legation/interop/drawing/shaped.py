"""From the shapes of a foreign picture to the land and the seed points that a board is grown from.

Foreign shapes overlap, leave gaps and are drawn one upon another. Where two overlap the smaller one counts; then each
shape becomes a row of seed points just inside its outline, so that what lies between two shapes is halved between them.
"""

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import Any

import msgspec
import numpy as np
import shapely
from shapely.affinity import affine_transform
from shapely.geometry import MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry

from legation.atlas.grow.partition import round_line
from legation.atlas.grow.plan import LAND, WATER, Seed
from legation.interop.record import Place, Polygons

COAST = "land.geojson"
WIDTH = 2000.0
"""km: the longer side of an imported map."""
STEP = 5.0
"""km between two seed points along an outline, and from the outline to them."""
MOST_SEEDS = 40_000
LONGEST_EDGE = 45.0
"""km: of a coast, before its corners are cut."""


class Ground(msgspec.Struct):
    """What a board is grown from: the land, the seeds, and the size of the map in km (y down)."""

    land: BaseGeometry
    seeds: list[Seed]
    waters: set[str]
    """Whose seeds are at sea."""
    width: float
    height: float
    faithful: bool
    """Whether the lines are the source's, to be smoothed only."""


def seed(owner: str, x: float, y: float) -> Seed:
    """A seed point of a province, or of what lies off the board."""
    return Seed(owner, round(x, 3), round(y, 3), 0.0, owner)


def waters_of(places: Mapping[str, Place]) -> set[str]:
    """The owners of seeds that are at sea."""
    return {WATER, *(key for key, place in places.items() if place.sea)}


class Scale(msgspec.Struct, frozen=True):
    """From the source's coordinates to km on the map."""

    left: float
    top: float
    factor: float

    def place(self, x: float, y: float) -> tuple[float, float]:
        """A point of the source on the map."""
        return (x - self.left) * self.factor, (y - self.top) * self.factor


def ground_of_shapes(
    places: Mapping[str, Place],
    shapes: Mapping[str, Polygons],
    off_board: list[tuple[str, Polygons]],
    pairs: set[tuple[str, str]],
    unshaped: Collection[tuple[float, float]] = (),
) -> tuple[Ground, Scale]:
    """The ground that shapes give: those of provinces, and what lies off the board.

    Fields that nobody has are closed water, or else fall to the seas around them, if these border on each other
    (``pairs``). Where some provinces have a place but no shape (``unshaped``), all such fields are theirs."""
    owned, scale, width, height = outlines(shapes, unshaped)
    apart = ((LAND if kind == "land" else WATER, _geometry(polygons)) for kind, polygons in off_board)
    beside = [(owner, _on_map(shape, scale)) for owner, shape in apart if shape.area > 0]
    frame = box(0, 0, width, height)
    free = frame.difference(shapely.union_all([*owned.values(), *(shape for _, shape in beside)]).buffer(0.5))
    fields = shapely.get_parts(free.buffer(-1.6 * STEP).buffer(1.2 * STEP))
    if not unshaped:
        beside += [(WATER, part) for part in fields if not _falls_to_seas(part, frame, owned, places, pairs)]
    if beside:
        everything = shapely.union_all(list(owned.values()))
        beside = [(kind, shape.intersection(frame).difference(everything)) for kind, shape in beside]
    waters, drawn = waters_of(places), [*owned.items(), *beside]
    dry, wet = ([shape for owner, shape in drawn if (owner in waters) is sea] for sea in (False, True))
    step = STEP * max(1.0, sum(s.length for s in owned.values()) / STEP / MOST_SEEDS)
    seeds = [seed(owner, x, y) for owner, shape in drawn for x, y in along(shape, step)]
    return Ground(land_of(dry, wet, frame), seeds, waters, width, height, True), scale


def table_on_plane(width: float, height: float) -> dict[str, Any]:
    """What ``board.toml`` says of a map that lies nowhere on Earth, with its coast beside it."""
    return {
        "projection": {"kind": "plane"},
        "frame": {"west": 0, "south": 0, "east": width, "north": height},
        "grow": {"coastline": COAST},
    }


def geojson(land: BaseGeometry, height: float) -> str:
    """The coast as a file of the board, y to the north."""
    return str(shapely.to_geojson(affine_transform(land, [1, 0, 0, -1, 0, height])))


def outlines(
    shapes: Mapping[str, Polygons], unshaped: Collection[tuple[float, float]] = ()
) -> tuple[dict[str, BaseGeometry], Scale, float, float]:
    """The shapes on a map of :data:`WIDTH` that they fill with the places that have none, none upon another; the scale
    of the map, and its width and height in km (y down)."""
    geometry = {key: shape for key, polygons in shapes.items() if (shape := _geometry(polygons)).area > 0}
    if not geometry:
        return {}, Scale(0, 0, 0), 0.0, 0.0
    bounds = np.array([shape.bounds for shape in geometry.values()])
    left, top = (float(edge) for edge in bounds[:, :2].min(axis=0))
    right, bottom = (float(edge) for edge in bounds[:, 2:].max(axis=0))
    margin = 0.07 * max(right - left, bottom - top)
    for x, y in unshaped:
        left, right = min(left, x - margin), max(right, x + margin)
        top, bottom = min(top, y - margin), max(bottom, y + margin)
    scale = Scale(left, top, float(WIDTH / max(right - left, bottom - top)))
    width, height = (round(edge, 1) for edge in scale.place(right, bottom))
    return _apart({key: _on_map(shape, scale) for key, shape in geometry.items()}), scale, width, height


def _on_map(shape: BaseGeometry, scale: Scale) -> BaseGeometry:
    factor = scale.factor
    return affine_transform(shape, [factor, 0, 0, factor, -scale.left * factor, -scale.top * factor]).simplify(0.8)


def _falls_to_seas(
    part: BaseGeometry,
    frame: BaseGeometry,
    owned: Mapping[str, BaseGeometry],
    places: Mapping[str, Place],
    pairs: set[tuple[str, str]],
) -> bool:
    if part.distance(frame.boundary) < 2 * STEP:
        return False
    seas = [key for key, shape in owned.items() if places[key].sea and shape.distance(part) < 2 * STEP]
    return bool(seas) and all(pair in pairs for pair in combinations(sorted(seas), 2))


def _geometry(polygons: Polygons) -> BaseGeometry:
    parts: list[BaseGeometry] = []
    for rings in polygons:
        outline = [ring for ring in rings if len(ring) >= 3]
        if outline:
            shape = shapely.make_valid(Polygon(outline[0]))
            for hole in outline[1:]:
                shape = shape.symmetric_difference(shapely.make_valid(Polygon(hole)))
            parts += [p for p in shapely.get_parts(shape) if isinstance(p, Polygon | MultiPolygon)]
    return shapely.union_all(parts) if parts else Polygon()


def _apart(shapes: dict[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    """The shapes without what overlaps: the smaller one keeps it."""
    keys = sorted(shapes, key=lambda key: (shapes[key].area, key))
    tree = shapely.STRtree([shapes[key] for key in keys])
    apart: dict[str, BaseGeometry] = {}
    for number, key in enumerate(keys):
        shape = shapes[key]
        smaller = [shapes[keys[i]] for i in sorted(tree.query(shape)) if i < number]
        rest = shape.difference(shapely.union_all(smaller)) if smaller else shape
        rest = shapely.union_all([p for p in shapely.get_parts(rest) if isinstance(p, Polygon) and p.area > 1])
        apart[key] = rest if rest.area > 0.05 * shape.area else shape
    return {key: apart[key] for key in shapes}


def along(shape: BaseGeometry, step: float) -> list[tuple[float, float]]:
    """Points just inside the outline of a shape, dense enough that nothing else comes nearer."""
    points: list[tuple[float, float]] = []
    for part in shapely.get_parts(shape):
        if not isinstance(part, Polygon) or part.area < 1:
            continue
        for off in (0.8 * step, 0.3 * step, 0.1 * step):
            inner = part.buffer(-off)
            if inner.area > 0.3 * part.area or (inner.area > 0 and off <= 0.1 * step):
                points += map(tuple, shapely.get_coordinates(inner.boundary.simplify(0.4 * off).segmentize(step)))
                break
        else:
            points.append(part.representative_point().coords[0])
    return [(round(x, 3), round(y, 3)) for x, y in points]


MARGIN = 4.0
"""km; land that comes so near the frame reaches it: outlines drawn by hand do not end on one straight line."""


def land_of(dry: list[BaseGeometry], wet: list[BaseGeometry], frame: BaseGeometry) -> BaseGeometry:
    """The land: gaps between two land shapes are land, as are those between land and a frame that it does not quite
    reach; coasts are rounded."""
    land = shapely.union_all(dry).buffer(STEP).buffer(-STEP)
    margin = frame.boundary.buffer(MARGIN).intersection(frame)
    land = land.union(land.intersection(margin).buffer(2 * MARGIN).intersection(margin))
    if wet:
        land = land.difference(shapely.union_all(wet).buffer(-0.5))
    return rounded_land(land, frame, 2.0)


def rounded_land(land: BaseGeometry, frame: BaseGeometry, tolerance: float) -> BaseGeometry:
    """Land with rounded coasts. What reaches the frame is led beyond it first, so that no strip of water is left; what
    that adds along the frame is taken off again."""
    edge = land.intersection(frame.boundary.buffer(3.0))
    beyond = edge.buffer(40.0, join_style="mitre").difference(frame)
    parts = shapely.get_parts(shapely.union_all([land, beyond.buffer(0.2)]))
    smooth = [rounded(p, tolerance) for p in parts if isinstance(p, Polygon) and p.area > 30]
    added = frame.boundary.buffer(MARGIN).difference(land.buffer(2 * MARGIN))
    return shapely.union_all(smooth).intersection(frame).difference(added) if smooth else Polygon()


def rounded(part: Polygon, tolerance: float) -> BaseGeometry:
    """A polygon with its corners cut (Chaikin), and small teeth taken out first."""
    part = part.simplify(tolerance).segmentize(LONGEST_EDGE)  # a long edge would lose much at its corners
    lines = [np.asarray(ring.coords) for ring in (part.exterior, *part.interiors) if len(ring.coords) > 3]
    rings = [round_line(line, 3, closed=True) for line in lines]
    if not rings:
        return Polygon()
    return shapely.make_valid(Polygon(rings[0], [r for r in rings[1:] if Polygon(r).area > 10])).simplify(0.3)
