"""From positions and borders to the land and the seed points that a board is grown from.

Every province gets its own point, and more along half of the way to each neighbor, as far as those ways do not cross:
then neighbors meet in the middle of their way. What borders on nothing lies by the edge, and water or waste land is
put around the outermost provinces, so that they do not meet behind the others' backs."""

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPoint, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from legation.atlas.grow.plan import LAND, WATER, Seed
from legation.interop.drawing.shaped import WIDTH, Ground, Scale, rounded_land, seed, waters_of
from legation.interop.record import Place

Places = dict[str, tuple[float, float]]
Pair = tuple[str, str]


def ground_of_points(
    places: Mapping[str, Place],
    at: Mapping[str, tuple[float, float]],
    pairs: set[Pair],
    waste: Sequence[tuple[str, tuple[float, float]]] = (),
) -> tuple[Ground, Scale]:
    """The ground that positions give, with the borders (pairs of keys) to be shown; ``waste`` lies off the board."""
    spots = _spread(dict(at))
    xs, ys = [x for x, _ in spots.values()], [y for _, y in spots.values()]
    across = max(max(xs) - min(xs), max(ys) - min(ys), 1e-6)
    typical = across / math.sqrt(max(len(spots), 1))
    margin = 0.55 * typical
    factor = WIDTH / (across + 2 * margin)
    scale = Scale(min(xs) - margin, min(ys) - margin, factor)
    spots = {key: scale.place(*spot) for key, spot in spots.items()}
    width = round((max(xs) - min(xs) + 2 * margin) * factor, 1)
    height = round((max(ys) - min(ys) + 2 * margin) * factor, 1)
    ways = accepted(spots, pairs, width)
    seeds = _seeds(spots, ways)
    for kind, spot in waste:
        x, y = scale.place(*spot)
        owner = LAND if kind == "land" else WATER
        if (
            0 < x < width
            and 0 < y < height
            and min(math.dist((x, y), s) for s in spots.values()) > 0.2 * typical * factor
        ):
            seeds.append(seed(owner, x, y))
    seeds += _surroundings(places, spots, ways, pairs, seeds, (width, height))
    waters = waters_of(places)
    return Ground(_land(seeds, waters, width, height), seeds, waters, width, height, False), scale


def _spread(spots: Places) -> Places:
    """No two provinces at one point: what lies on another is moved aside."""
    taken: dict[tuple[int, int], int] = {}
    size = max((max(abs(x), abs(y)) for x, y in spots.values()), default=1.0) or 1.0
    apart: Places = {}
    for key, (x, y) in spots.items():
        cell = round(x / size * 400), round(y / size * 400)
        turn = taken.get(cell, 0)
        taken[cell] = turn + 1
        angle, far = 2.4 * turn, 0.012 * size * math.sqrt(turn)
        chance = random.Random(key)  # a regular grid would meet in fours
        aside = [0.0008 * size * chance.uniform(-1, 1) for _ in range(2)]
        apart[key] = x + far * math.cos(angle) + aside[0], y + far * math.sin(angle) + aside[1]
    return apart


BENDS = tuple((along, aside) for aside in (0.16, 0.3, 0.45, 0.65) for along in (0.5, 0.35, 0.65))
"""Where a way that cannot go straight may have its corner: the share along, and the share aside, of its length."""


def accepted(
    spots: Mapping[str, tuple[float, float]], pairs: set[Pair], width: float = math.inf
) -> dict[Pair, LineString]:
    """The ways between neighbors that are drawn as common borders: none across another, none through a third
    province's point. Straight ways come first, the shortest before the others; then what goes with one bend. Neighbors
    that are nearer round the world get a way each to the edge of a map of this width, under ``(key, "")``."""
    lengths = {pair: math.dist(spots[pair[0]], spots[pair[1]]) for pair in pairs}
    ranked = sorted(pairs, key=lambda pair: (lengths[pair], pair))
    usual = sorted(lengths.values())[len(lengths) // 2] if lengths else 1.0
    points, names = [Point(spot) for spot in spots.values()], list(spots)
    tree = shapely.STRtree(points)
    kept: dict[Pair, LineString] = {}

    def fits(pair: Pair, line: LineString, room: float) -> bool:
        near = tree.query(line.buffer(room * min(lengths[pair], usual)), predicate="intersects")
        if any(names[i] not in pair for i in near) or not line.is_simple:
            return False
        for other_pair, other in kept.items():
            if other.intersects(line):
                shared = set(pair) & set(other_pair)
                common = other.intersection(line)
                if not shared or common.geom_type != "Point" or common.distance(Point(spots[min(shared)])) > 1e-6:
                    return False
        return True

    for pair in ranked:
        line = LineString([spots[pair[0]], spots[pair[1]]])
        if 1e-6 < line.length < 6 * usual and fits(pair, line, 0.14):
            kept[pair] = line
    for pair in (pair for pair in ranked if pair not in kept and 1e-6 < lengths[pair] < 3.5 * usual):
        (ax, ay), (bx, by) = spots[pair[0]], spots[pair[1]]
        for along, aside in BENDS:
            corners = [
                (ax + along * (bx - ax) - side * aside * (by - ay), ay + along * (by - ay) + side * aside * (bx - ax))
                for side in (1, -1)
            ]
            bent = [LineString([(ax, ay), corner, (bx, by)]) for corner in corners]
            found = next((line for line in bent if fits(pair, line, 0.1)), None)
            if found is not None:
                kept[pair] = found
                break
    for pair in (pair for pair in ranked if pair not in kept):
        (ax, ay), (bx, by) = sorted(spots[key] for key in pair)
        if bx - ax > width / 2:
            y = ay + (by - ay) * ax / max(ax + width - bx, 1e-6)
            for key, end in zip(sorted(pair, key=spots.__getitem__), (0.0, width), strict=True):
                way, line = (key, ""), LineString([spots[key], (end, y)])
                lengths[way] = line.length
                if way not in kept and fits(way, line, 0.14):
                    kept[way] = line
    return kept


def _seeds(spots: Places, ways: Mapping[Pair, LineString]) -> list[Seed]:
    found = [(key, x, y) for key, (x, y) in spots.items()]
    for (a, b), line in ways.items():
        parts = max(2, min(9, round(line.length / 24)))
        for i in range(1, parts + 1):
            share = (0.46 if b else 1.0) * i / parts
            for key, at in ((a, share), (b, 1 - share)) if b else ((a, share),):
                spot = line.interpolate(at, normalized=True)
                found.append((key, spot.x, spot.y))
    return _scattered(found, len(spots))


def _scattered(found: Iterable[tuple[str, float, float]], lot: int) -> list[Seed]:
    """Seeds of owners, each moved a little by lot."""
    chance = random.Random(lot)
    return [seed(owner, x + 0.4 * chance.uniform(-1, 1), y + 0.4 * chance.uniform(-1, 1)) for owner, x, y in found]


def _surroundings(
    places: Mapping[str, Place],
    spots: Places,
    ways: Mapping[Pair, LineString],
    pairs: set[Pair],
    known: Sequence[Seed],
    size: tuple[float, float],
) -> list[Seed]:
    """Seeds of nobody: in fields that no way crosses, between those of the outermost provinces that do not border on
    each other."""
    width, height = size
    typical = math.sqrt(width * height / max(len(spots), 1))
    owners, at = np.array([point.owner for point in known]), np.array([(point.x, point.y) for point in known])
    frame = box(0, 0, width, height)
    lines = list(ways.values())
    hull = shapely.union_all(
        [*(line.buffer(0.42 * typical) for line in lines), *(Point(s).buffer(0.5 * typical) for s in spots.values())]
    )
    faces = (
        list(shapely.get_parts(shapely.polygonize(list(shapely.get_parts(shapely.union_all(lines)))))) if lines else []
    )
    inside = shapely.union_all(faces).buffer(0.05 * typical) if faces else Polygon()
    fields = frame.difference(shapely.union_all([hull, inside]))
    owner = WATER if any(place.sea for place in places.values()) else LAND

    def neighbors(x: float, y: float) -> bool:
        """Whether the two provinces that lie nearest border on each other, so that they may share what lies there."""
        near = np.hypot(*(at - (x, y)).T)
        first = owners[near.argmin()]
        second = owners[np.where(owners == first, np.inf, near).argmin()]
        return (min(first, second), max(first, second)) in pairs

    gap = 0.25 * typical
    cells = product(range(int(width / gap) + 1), range(int(height / gap) + 1))
    middles = (((i + 0.5) * gap, (j + 0.5) * gap) for i, j in cells)
    free = ((x, y) for x, y in middles if fields.intersects(Point(x, y)) and not neighbors(x, y))
    return _scattered([(owner, x, y) for x, y in free], len(spots))


def _land(seeds: list[Seed], waters: set[str], width: float, height: float) -> BaseGeometry:
    """The cells of all land seeds together, their coast rounded."""
    frame = box(0, 0, width, height)
    points = MultiPoint([(point.x, point.y) for point in seeds])
    cells = shapely.get_parts(shapely.voronoi_polygons(points, extend_to=frame, ordered=True))
    dry = [cell for cell, point in zip(cells, seeds, strict=True) if point.owner not in waters]
    land = shapely.union_all(dry, grid_size=0.01).intersection(frame) if dry else Polygon()
    return rounded_land(land, frame, 1.5)
