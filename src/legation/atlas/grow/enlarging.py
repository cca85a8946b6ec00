"""What lies in the window of an inset drawn once more, larger, within its field.

The borders stay those of the map: what is drawn here is a copy, and is never measured."""

import shapely
from shapely.affinity import affine_transform
from shapely.geometry import LineString, MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry

from legation.atlas.grow.ground import GRID
from legation.atlas.grow.partition import Piece
from legation.atlas.grow.plan import Plan
from legation.atlas.grow.topology import Topology, build
from legation.atlas.grow.windows import Window, within
from legation.atlas.shapes import Place


def enlarge(topology: Topology, inset: Window) -> None:
    """Add to a topology what an inset shows of the map larger; nothing for one that shows what lies beyond it."""
    if inset.drawn.window is None:
        return
    field = box(*inset.drawn.field)
    # the field is rounded: what is copied reaches a little over its edge, so that every line ends there and none before
    window = box(*inset.drawn.window).buffer(4 * GRID / min(1.0, inset.drawn.scale), join_style="mitre")
    lines = [LineString([(x / 10, y / 10) for x, y in arc.line]) for arc in topology.arcs]
    inside = shapely.union_all([line.intersection(window) for line in lines if line.intersects(window)])
    noded = shapely.union_all([_moved(inset, inside), field.boundary], grid_size=GRID)
    faces = shapely.get_parts(shapely.polygonize(list(shapely.get_parts(noded))))
    bodies = {name: body for name in topology.rings if (body := topology.body(name)).intersects(window)}
    names = list(bodies)
    tree = shapely.STRtree([_moved(inset, bodies[name]) for name in names])
    pieces = []
    for face in sorted(faces, key=lambda f: (f.bounds, f.area)):
        spot = face.representative_point()
        if field.contains(spot) and len(found := tree.query(spot, predicate="intersects")):
            pieces.append(Piece(face, names[min(found)], land=False))
    copied = build(pieces, lambda a, b: 0.0)
    count = len(topology.arcs)
    topology.arcs += copied.arcs
    for name, polygons in copied.rings.items():
        topology.rings[name] += [
            [[number + count if number >= 0 else number - count for number in ring] for ring in rings]
            for rings in polygons
        ]


def enlarged_lines(line: LineString, inset: Window) -> list[list[Place]]:
    """What an inset shows larger of a line on the map."""
    if inset.drawn.window is None:
        return []
    inside = shapely.line_merge(line.intersection(box(*inset.drawn.window)))
    parts = shapely.get_parts(_moved(inset, inside))
    return [
        [(round(x, 1), round(y, 1)) for x, y in part.coords]
        for part in parts
        if isinstance(part, LineString) and part.length > GRID
    ]


def _moved(inset: Window, shape: BaseGeometry) -> BaseGeometry:
    assert inset.drawn.window is not None
    (left, top, _, _), (x, y, _, _), scale = inset.drawn.window, inset.drawn.field, inset.drawn.scale
    moved: BaseGeometry = affine_transform(shape, [scale, 0, 0, scale, x - left * scale, y - top * scale])
    return moved


def inset_at(plan: Plan, body: Polygon) -> Window | None:
    """The inset that a shape is drawn in; None on the map itself."""
    spot = body.representative_point()
    return next((inset for inset in plan.insets if within(inset.drawn.field, spot.x, spot.y)), None)


def at_home(plan: Plan, body: MultiPolygon) -> MultiPolygon:
    """What of a shape lies on the part of the map where it is largest."""
    if not plan.insets or body.is_empty:
        return body
    insets = [inset_at(plan, part) for part in body.geoms]
    largest = max(range(len(insets)), key=lambda n: body.geoms[n].area)
    return MultiPolygon([part for part, inset in zip(body.geoms, insets, strict=True) if inset is insets[largest]])
