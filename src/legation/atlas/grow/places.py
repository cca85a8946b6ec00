"""Where the name, the unit and the center of each province go, and the lines that show declared links.

Places are tried on a raster inside the province: a label is good when a line of its length fits (level, or aslant where
the shape is long and oblique), a unit when it is clear of the border and of the label, a center likewise."""

import math
from collections.abc import Iterable, Iterator, Mapping

import msgspec
import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from legation.atlas.contacts import Link
from legation.atlas.grow.enlarging import inset_at
from legation.atlas.grow.plan import Plan
from legation.atlas.grow.projection import Points
from legation.atlas.shapes import DrawnLink, Place, Shape
from legation.board.model import Province

LETTER, LINE, UNIT, CENTER = 0.085, 0.18, 0.16, 0.09
"""Width of a letter, height of a line of text, radius of a unit symbol and of a center symbol, in typical province
widths."""
ANGLES = (0.0, -20, 20, -35, 35, -50, 50, -65, 65, -80, 80)
RASTER = 26
FAR = 1.0
"""How far apart two provinces may be for a bridge, in typical province widths."""
OVER_LAND = 0.25
"""How much of that may lie over other lands, where a bridge would be taken for a border."""


class Bodies(msgspec.Struct, frozen=True):
    """The shapes that places are sought in, and the width of a typical province, all in km."""

    shapes: Mapping[str, MultiPolygon]
    typical: float
    home: Mapping[str, MultiPolygon]
    """Of each shape what lies on the part of the map (the map itself, or an inset) where it is largest."""


def find_places(
    plan: Plan, bodies: Bodies, circles: Mapping[str, tuple[float, float, float]], *, quick: bool = False
) -> dict[str, Shape]:
    """Places for everything in every province; rings are filled in by the caller. ``quick``: all in the middle."""
    places: dict[str, Shape] = {}
    for name, plot in plan.plots.items():
        parts = sorted(bodies.home[name].geoms, key=lambda p: -p.area)
        body = parts[0]
        inset = inset_at(plan, body)
        circle = circles.get(name)
        if circle is not None and inset is not None and (middle := inset.enlarged(*circle[:2])):
            circle = (*middle, circle[2] * inset.drawn.scale)
        if circle is not None and not plot.sea:
            x, y, r = circle
            label: tuple[Place, float, float] = ((x, y), 2 * r, 0.0)
            unit, center = (x, y), (x, y)
        elif quick:
            spot = body.representative_point()
            label, unit, center = ((spot.x, spot.y), 0.0, 0.0), (spot.x, spot.y), (spot.x, spot.y)
        else:
            label, unit, center = _arrange(body, plot, bodies.typical)
        stated = {what: place for (province, what), place in plan.places.items() if province == name}
        chosen = {what: (inset and inset.enlarged(*place)) or place for what, place in stated.items()}
        places[name] = Shape(
            rings=[],
            label=_round(chosen.get("label", label[0])),
            label_width=round(label[1], 1),
            label_angle=label[2],
            unit=_round(chosen.get("unit", unit)),
            center=_round(chosen.get("center", center)),
            coasts={c: _round(p) for c, p in _coasts(plan, bodies, plot, chosen).items()},
            circle=None if circle is None else (round(circle[0], 1), round(circle[1], 1), round(circle[2], 3)),
            box=plan.boxes.get(name),
        )
    return places


def _round(place: tuple[float, float]) -> Place:
    return (round(place[0], 1), round(place[1], 1))


def _arrange(body: Polygon, plot: Province, typical: float) -> tuple[tuple[Place, float, float], Place, Place]:
    """Label (place, width, angle), unit and center of one province."""
    body = _largest(body.simplify(0.01 * typical))
    grid = _raster(body)
    clear: NDArray[np.float64] = shapely.distance(shapely.points(grid), body.boundary)
    wanted = max(4, len(plot.name)) * LETTER * typical * (1.5 if plot.sea else 1.0)
    height = LINE * typical
    middle = np.array(body.centroid.coords[0])
    extent = math.sqrt(body.area)
    candidates: list[tuple[float, int, float, Place, float]] = []
    level = 0.0
    for angle in ANGLES:
        if angle and level > 0.8:
            break  # it goes in level, if not at full size
        for number, place, free in _lines(body, grid, angle, height):
            fit = min(free / wanted, 1.25)
            steep = abs(angle) / 90
            score = fit - (0.12 + 0.35 * steep if angle else 0) - 0.25 * float(math.dist(place, middle)) / extent
            score += 0.25 * min(float(clear[number]) / height, 2.0)
            candidates.append((score, number, angle, place, free))
            level = max(level, fit)
    candidates.sort(key=lambda c: (-round(c[0], 6), c[1]))
    best: tuple[float, int, float, Place, float, Place] | None = None
    for score, number, angle, place, width in candidates[:60]:
        room = np.minimum(clear, _from_box(grid, place, min(width, wanted), height, angle))
        at = int(np.argmax(np.minimum(room, UNIT * typical * 1.15) - 0.04 * np.hypot(*(grid - place).T)))
        value = score + 1.2 * min(float(room[at]) / (UNIT * typical), 1.0)
        if best is None or value > best[0] + 1e-9:
            best = (value, number, angle, place, width, (float(grid[at, 0]), float(grid[at, 1])))
    if best is None:
        spot = body.representative_point()
        return ((spot.x, spot.y), 0.0, 0.0), (spot.x, spot.y), (spot.x, spot.y)
    _, _, angle, place, width, unit = best
    room = np.minimum(clear, _from_box(grid, place, min(width, wanted), height, angle))
    room = np.minimum(room, np.hypot(*(grid - unit).T) - UNIT * typical)
    at = int(np.argmax(np.minimum(room, CENTER * typical * 1.3) - 0.05 * np.hypot(*(grid - place).T)))
    return (place, width, angle), unit, (float(grid[at, 0]), float(grid[at, 1]))


def _largest(shape: BaseGeometry) -> Polygon:
    return max((p for p in shapely.get_parts(shape) if isinstance(p, Polygon)), key=lambda p: p.area)


def _raster(body: Polygon) -> Points:
    left, top, right, bottom = body.bounds
    step = max(0.1, min(right - left, bottom - top, math.sqrt(body.area)) / RASTER)
    x, y = np.meshgrid(np.arange(left + step / 2, right, step), np.arange(top + step / 2, bottom, step))
    flat = np.column_stack([x.ravel(), y.ravel()])
    inside: Points = flat[shapely.contains_xy(body, flat[:, 0], flat[:, 1])]
    if len(inside):
        return inside
    spot = body.representative_point()
    return np.array([[spot.x, spot.y]])


def _lines(body: Polygon, grid: Points, angle: float, height: float) -> list[tuple[int, Place, float]]:
    """For places on the raster, the free length of a line of text through them: (raster number, middle, length)."""
    turn = math.radians(-angle)
    cos, sin = math.cos(turn), math.sin(turn)
    coords = [_turn(shapely.get_coordinates(ring), cos, sin) for ring in (body.exterior, *body.interiors)]
    edges = np.vstack([np.hstack([ring[:-1], ring[1:]]) for ring in coords])
    turned = _turn(grid, cos, sin)
    back = math.cos(-turn), math.sin(-turn)
    chosen = np.arange(0, len(grid), max(1, len(grid) // 160))
    x, y = turned[chosen, 0][:, None], turned[chosen, 1][:, None]
    ax, ay, bx, by = edges.T
    top, bottom = y - height / 2, y + height / 2
    near = (np.minimum(ay, by) <= bottom) & (np.maximum(ay, by) >= top)
    rise = np.where(np.abs(by - ay) < 1e-9, 1.0, by - ay)
    first = ax + np.clip((top - ay) / rise, 0, 1) * (bx - ax)
    second = ax + np.clip((bottom - ay) / rise, 0, 1) * (bx - ax)
    low, high = np.minimum(first, second), np.maximum(first, second)
    left = np.where(near & (high < x), high, -np.inf).max(axis=1)
    right = np.where(near & (low > x), low, np.inf).min(axis=1)
    open_ = ~np.any(near & (low <= x) & (high >= x), axis=1) & np.isfinite(left) & np.isfinite(right)
    middles = _turn(np.column_stack([(left[open_] + right[open_]) / 2, y[open_, 0]]), *back)
    return [
        (int(number), (float(mx), float(my)), float(width))
        for number, (mx, my), width in zip(chosen[open_], middles, (right - left)[open_], strict=True)
    ]


def _turn(points: Points, cos: float, sin: float) -> Points:
    return np.column_stack([points[:, 0] * cos - points[:, 1] * sin, points[:, 0] * sin + points[:, 1] * cos])


def _from_box(grid: Points, place: Place, width: float, height: float, angle: float) -> NDArray[np.float64]:
    turn = math.radians(-angle)
    local = np.abs(_turn(grid - np.array(place), math.cos(turn), math.sin(turn)))
    dx, dy = np.maximum(local[:, 0] - width / 2, 0), np.maximum(local[:, 1] - height / 2, 0)
    distances: NDArray[np.float64] = np.hypot(dx, dy)
    return distances


def _coasts(plan: Plan, bodies: Bodies, plot: Province, chosen: Mapping[str, Place]) -> dict[str, Place]:
    """The unit place of each separate coast: just inside the shore, in the middle of it."""
    places: dict[str, Place] = {}
    shape = bodies.home[plot.id]
    stretches: dict[str, BaseGeometry] = {}
    seas_of = {coast: plan.seas_of_coasts.get((plot.id, coast), frozenset()) for coast in plot.coasts}

    def shore(seas: Iterable[str]) -> BaseGeometry:
        lines = [shape.boundary.intersection(bodies.shapes[sea].boundary) for sea in sorted(seas)]
        return shapely.union_all(lines) if lines else LineString()

    for coast in plot.coasts:
        others = frozenset().union(*(seas for other, seas in seas_of.items() if other != coast))
        stretches[coast] = shore(seas_of[coast] - others)
    for coast in plot.coasts:
        if stretches[coast].is_empty and seas_of[coast]:  # all its seas are others' too: the farthest from those
            away = shapely.union_all([line for other, line in stretches.items() if other != coast])
            parts = shapely.get_parts(shapely.line_merge(shore(seas_of[coast])))
            if len(parts) and not away.is_empty:
                stretches[coast] = max(parts, key=lambda part: (round(part.distance(away), 3), part.length))
    for coast in plot.coasts:
        line = stretches[coast]
        if coast in chosen:
            places[coast] = chosen[coast]
        if coast in chosen or line.is_empty or not line.length:
            continue
        spots = [line.interpolate(i / 40, normalized=True) for i in range(41)] if line.geom_type == "LineString" else []
        spots = spots or [Point(p) for p in shapely.get_coordinates(line.segmentize(0.1 * bodies.typical))]
        middle = line.centroid
        spot = min(spots, key=lambda p: (round(p.distance(middle), 3), p.x, p.y))
        # on the water side of the shore, half a unit off
        ring = spot.buffer(0.75 * UNIT * bodies.typical).boundary
        water = [Point(p) for p in shapely.get_coordinates(ring) if not shape.intersects(Point(p))]
        off = max(water, key=lambda p: (round(p.distance(shape), 3), p.x, p.y)) if water else spot
        places[coast] = (off.x, off.y)
    return places


def drawn_links(plan: Plan, bodies: Bodies, lengths: Mapping[tuple[str, str], float]) -> list[DrawnLink]:
    """The lines of bridges (between the nearest shores, a little inland) and barriers (along the common line). Two
    provinces too far apart for a bridge get a stub each, which is lettered with the other's code."""
    drawn: list[DrawnLink] = []
    stubs: dict[str, list[list[Place]]] = {}
    done: set[tuple[str, str]] = set()
    for link in plan.links:
        a, b = sorted((link.a.partition("/")[0], link.b.partition("/")[0]))
        draw = link.draw or _usual(link, plan, lengths.get((a, b), 0.0))
        together = lengths.get((a, b), 0.0) > 0.05 * bodies.typical
        if draw == "none" or (a, b) in done or (draw == "bridge" and together):
            continue
        done.add((a, b))
        if draw == "bridge":
            drawn += _joined(plan, bodies, a, b, stubs)
        else:
            common = shapely.line_merge(bodies.shapes[a].boundary.intersection(bodies.shapes[b].boundary))
            for line in shapely.get_parts(common):
                if isinstance(line, LineString):
                    drawn.append(DrawnLink(a, b, draw, [_round((x, y)) for x, y in line.coords]))
    return drawn


def _joined(plan: Plan, bodies: Bodies, a: str, b: str, stubs: dict[str, list[list[Place]]]) -> Iterator[DrawnLink]:
    """The bridge between two provinces, or a stub in each; in one province those that begin together are one."""
    ends_at_home = bodies.home[a], bodies.home[b]
    at_home = ends_at_home[0].distance(ends_at_home[1]) <= bodies.typical  # on one part of the map
    near = shapely.shortest_line(*(ends_at_home if at_home else (bodies.shapes[a], bodies.shapes[b])))
    lands = (bodies.shapes[name] for name, plot in plan.plots.items() if not plot.sea)
    over_land = sum(near.intersection(land).length for land in lands)  # over others: it ends at the shores of the two
    apart = near.length > FAR * bodies.typical or over_land > OVER_LAND * bodies.typical
    spots = _over_the_edge(plan, bodies, a, b, near) if apart else near.coords
    reach = max(0.15 * bodies.typical, 0.2 * bodies.typical - near.length / 2)
    ends = [_inland(bodies.shapes[name], at, reach) for name, at in zip((a, b), spots, strict=True)]
    if not apart:
        yield DrawnLink(a, b, "bridge", ends)
        return
    for name, other, end, spot in zip((a, b), (b, a), ends, spots, strict=True):
        beside = (stub for stub in stubs.get(name, ()) if math.dist(stub[1], spot) < LINE * bodies.typical)
        stub = next(beside, [end, _round((spot[0], spot[1]))])
        stubs.setdefault(name, []).append(stub)
        yield DrawnLink(name, other, "away", stub)


def _over_the_edge(plan: Plan, bodies: Bodies, a: str, b: str, near: LineString) -> list[tuple[float, ...]]:
    """Where the stubs of two provinces begin: where these lie nearest to each other, round the world if that is
    nearer."""
    first, second = bodies.home[a], bodies.home[b]
    for sign in (1, -1):
        round_it = shapely.shortest_line(
            first, shapely.transform(second, lambda p, s=sign: np.add(p, (s * plan.frame.width, 0)))
        )
        if round_it.length < near.length / 2:
            (here, (x, y)) = round_it.coords
            return [here, (x - sign * plan.frame.width, y)]
    return [*near.coords]


def _inland(shape: MultiPolygon, at: tuple[float, ...], reach: float) -> Place:
    """The place in a shape, within reach of a spot on its shore, that is farthest from all edges."""
    around = _largest(shape.intersection(Point(at).buffer(reach)))
    middle = shapely.get_point(shapely.maximum_inscribed_circle(around), 0)
    return _round((middle.x, middle.y))


def _usual(link: Link, plan: Plan, length: float) -> str:
    """How a link is drawn when its row does not say: armies' ways over water as bridges, closed borders as barriers."""
    if link.add:
        return "bridge" if link.army and length < plan.least.border else "none"
    wet = any(plan.plots[end.partition("/")[0]].sea for end in (link.a, link.b))
    return "barrier" if length >= (plan.least.coast if wet else plan.least.border) and link.army else "none"
