"""Natural-looking border lines: smoothed, gently irregular, never crossing.

An arc between two provinces starts as the straight lines of the partition. It is rounded (G. Chaikin's corner cutting,
1974), then displaced along its normals by midpoint noise that is fixed by the places of its ends, so that the same map
is grown every time. A new line is taken only where the field between it and the old one holds nothing of any other
line: nothing crosses, and no island changes sides."""

import hashlib
import math
import random
from collections.abc import Sequence

import numpy as np
import shapely
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from legation.atlas.grow.partition import ALONG, round_line
from legation.atlas.grow.plan import Plan
from legation.atlas.grow.projection import Points
from legation.atlas.grow.topology import Arc, Line, Topology

CHUNK = 64


def naturalize(topology: Topology, plan: Plan, fixed: set[str], edge: BaseGeometry | None = None) -> None:
    """Replace the arcs between two lands or two waters by natural lines; ``fixed`` owners (circles) keep theirs, and so
    do arcs along an ``edge`` (in km)."""
    arcs = topology.arcs
    kinds = ["" if _lies_along(arc, edge) else _kind(arc, plan, fixed) for arc in arcs]
    obstacles: list[tuple[int, BaseGeometry]] = []
    for number, arc in enumerate(arcs):
        if kinds[number]:
            obstacles.append((number, LineString(arc.line)))
        else:
            for start in range(0, len(arc.line) - 1, CHUNK):
                obstacles.append((number, LineString(arc.line[start : start + CHUNK + 1])))
    fields = []
    for number, shape in obstacles:
        (left, top, right, bottom), room = shape.bounds, 0.2 * shape.length if kinds[number] else 0.0
        fields.append(shapely.box(left - room, top - room, right + room, bottom + room))
    tree = shapely.STRtree(fields)
    current = [shape for _, shape in obstacles]
    where = {number: i for i, (number, _) in enumerate(obstacles) if kinds[number]}
    for number, arc in enumerate(arcs):
        kind = kinds[number]
        if not kind:
            continue
        own = where[number]
        for share in (1.0, 0.6, 0.3, 0.0):
            line = _natural(arc, kind, share, plan)
            if line == arc.line:
                break
            near = [current[i] for i in tree.query(LineString(line + arc.line)) if i != own]
            if _fits(arc.line, line, near, plan):
                arc.line = line
                current[own] = LineString(line)
                break


def _lies_along(arc: Arc, edge: BaseGeometry | None) -> bool:
    (ax, ay), (bx, by) = arc.line[:2]
    return edge is not None and bool(edge.dwithin(Point((ax + bx) / 20, (ay + by) / 20), ALONG))


def _kind(arc: Arc, plan: Plan, fixed: set[str]) -> str:
    if arc.left is None or arc.right is None or arc.left in fixed or arc.right in fixed:
        return ""
    wet = [owner == "~water" or (owner in plan.plots and plan.plots[owner].sea) for owner in (arc.left, arc.right)]
    if wet[0] != wet[1]:
        return ""
    return "sea" if wet[0] else "land"


def _natural(arc: Arc, kind: str, share: float, plan: Plan) -> Line:
    base = np.array(arc.line, dtype=np.float64)
    length = float(np.hypot(*np.diff(base, axis=0).T).sum())
    step = 10 * max(plan.detail * 2.0, 0.0012 * plan.frame.width)
    if length < 2 * step:
        return arc.line
    closed = arc.line[0] == arc.line[-1]
    if kind == "sea" and share < 1:
        line = round_line(base, 2 if share else 1, closed=closed)
    elif kind == "sea":
        line = round_line(_along(base, max(3, round(length / (16 * step)))), 5, closed=closed)
    else:
        levels = min(8, max(2, round(math.log2(length / step))))
        line = _along(round_line(base, closed=closed), 2**levels)
        chord = max(math.dist(base[0], base[-1]), 0.5 * length)
        size = min(plan.roughness * chord, 0.012 * plan.frame.width * 10) * share
        if not closed:
            line = round_line(_displace(line, size, levels, arc), 1, closed=closed)
    simple = shapely.simplify(LineString(line), 10 * plan.detail * (0.35 if kind == "land" else 0.2))
    whole = [(round(x), round(y)) for x, y in shapely.get_coordinates(simple)]
    return [v for i, v in enumerate(whole) if i == 0 or v != whole[i - 1]]


def _along(line: Points, parts: int) -> Points:
    """The line cut into so many equal parts."""
    far = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.linspace(0, far[-1], parts + 1)
    out = np.column_stack([np.interp(at, far, line[:, 0]), np.interp(at, far, line[:, 1])])
    out[0], out[-1] = line[0], line[-1]
    return out


def _displace(line: Points, size: float, levels: int, arc: Arc) -> Points:
    """Midpoint displacement along the normals, by at most about ``size``, fixed by the ends of the arc."""
    ends = sorted([arc.line[0], arc.line[-1]])
    seed = hashlib.sha256(repr((ends, len(arc.line))).encode()).digest()
    chance = random.Random(int.from_bytes(seed[:8], "big"))
    noise = np.zeros(len(line))
    span, swing = len(line) - 1, size
    for _ in range(levels):
        for middle in range(span // 2, len(line), span):
            mean = (noise[middle - span // 2] + noise[min(middle + span // 2, len(line) - 1)]) / 2
            noise[middle] = mean + swing * chance.uniform(-1, 1)
        span //= 2
        swing *= 0.53
    along = np.gradient(line, axis=0)
    width = min(9, len(line) // 4 * 2 + 1)
    kernel = np.ones(width) / width
    padded = np.pad(along, ((width // 2, width // 2), (0, 0)), mode="edge")
    along = np.column_stack([np.convolve(padded[:, i], kernel, mode="valid") for i in (0, 1)])
    norm = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
    return line + np.column_stack([-along[:, 1] / norm, along[:, 0] / norm]) * noise[:, None]


def _fits(old: Line, new: Line, others: Sequence[BaseGeometry], plan: Plan) -> bool:
    closed = old[0] == old[-1]
    if len(new) < 2 or (new[0] == new[-1]) != closed or (not closed and (new[0] != old[0] or new[-1] != old[-1])):
        return False
    line = LineString(new)
    if not line.is_simple:
        return False
    width, height = plan.frame.width * 10, plan.frame.height * 10
    if any(not (0 < x < width and 0 < y < height) for x, y in new[1:-1]):
        return False
    if closed:
        field = shapely.union_all([Polygon(old).symmetric_difference(Polygon(new)), line])
    else:
        swept = shapely.get_parts(shapely.union_all([LineString(old), line]))
        field = shapely.union_all([*shapely.get_parts(shapely.polygonize(list(swept))), line])
    # a closed line has no fixed end, unless another line ends there
    ends = {old[0], old[-1]} if new[0] == old[0] else set()
    for other in others:
        common = other.intersection(field)
        if common.length > 0 or any((x, y) not in ends for x, y in shapely.get_coordinates(common).tolist()):
            return False
    return True
