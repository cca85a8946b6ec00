"""Dividing land and water among the seed points: every piece of the map gets one owner.

Each landmass goes to the points that lie on it, by the nearest point (Voronoi cells, united for each province and cut
by the coast); circles are cut out first and stand alone; the water likewise. A piece cut off from its points goes to
the neighbor with the longest common border."""

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
import shapely
from shapely.geometry import LineString, MultiPoint, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from legation.atlas.grow.ground import GRID, margin_of
from legation.atlas.grow.plan import LAND, WATER, Plan, Rim, Seed
from legation.atlas.grow.projection import Points
from legation.atlas.grow.windows import within
from legation.board.files import BoardFault

CIRCLE_SIDES = 64
MARGIN = "~margin"
"""How the owners of what insets cover begin."""
ALONG = 0.15
"""km: how near a line lies what lies along it; more than the grid moves it."""
SNAP = 25.0
"""km: how far a seed may lie from the land (or water) that it claims."""


Inhabited = tuple[Polygon, list[tuple[Seed, Point]]]
"""A landmass or body of water, with the seeds that claim parts of it and their points in it."""


class Piece(msgspec.Struct):
    """A face of the map with its owner: a province, or what is off the board."""

    shape: Polygon
    owner: str
    land: bool


class Partition(msgspec.Struct):
    """The pieces, which cover the frame without gap or overlap, and what the author should know."""

    pieces: list[Piece]
    circles: dict[str, tuple[float, float, float]]
    rims: list[tuple[Rim, LineString]]
    """The parts of the plan's lines that lie on land."""
    edge: BaseGeometry | None
    """All of them; None where there are none."""
    warnings: list[BoardFault]


def divide(plan: Plan, ground: BaseGeometry) -> Partition:
    """Divide the map among the seeds of a plan; ``ground`` is what :func:`cut_ground` gives."""
    warnings: list[BoardFault] = []
    frame = box(0, 0, plan.frame.width, plan.frame.height)
    circles, discs = _circles(plan, warnings)
    discs |= {name: box(*edges) for name, edges in plan.boxes.items()}
    closed = shapely.union_all(list(discs.values())) if discs else Polygon()
    margins = {f"{MARGIN}{n}": margin_of(inset) for n, inset in enumerate(plan.insets)}
    discs |= margins
    seeds = [s for s in plan.land if s.owner not in discs]
    masses = _polygons(ground.difference(shapely.union_all(list(discs.values()))) if discs else ground)
    spots = _claim(seeds, masses, frame, warnings, "land")
    kept: list[Polygon] = []
    inhabited: list[Inhabited] = []
    for number, mass in enumerate(masses):
        if number in spots:
            inhabited.append((mass, spots[number]))
        elif mass.area >= plan.islet and not (closed.distance(mass) < GRID and mass.area < 25 * plan.islet):
            kept.append(mass)  # an island without a point: scenery, or given to a province later
        elif len(discs) > len(margins) and frame.difference(ground).distance(mass) > GRID:
            beside = mass.buffer(GRID)  # land shut in between circles is no lake
            around = {name: disc.intersection(beside).area for name, disc in discs.items() if name not in margins}
            nearest = max(sorted(around), key=around.__getitem__)
            discs[nearest] = discs[nearest].union(mass)
    dry = shapely.union_all([*(mass for mass, _ in inhabited), *kept])
    wet_ground = frame.difference(dry)
    waters = _polygons(wet_ground.difference(shapely.union_all(list(discs.values()))) if discs else wet_ground)
    afloat = _claim(plan.sea, waters, frame, warnings, "water")
    wet: list[Inhabited] = [(water, afloat.get(number, [])) for number, water in enumerate(waters)]
    rims = _rims_on(shapely.union_all([mass for mass, _ in inhabited]), plan)
    edge = shapely.union_all([line for _, line in rims]) if rims else None
    lines: list[BaseGeometry] = [line for _, line in rims]
    lines += [frame.boundary, dry.boundary, *(d.boundary for d in discs.values())]
    for shape, here in (*inhabited, *wet):
        if len({seed.owner for seed, _ in here}) > 1:
            lines.append(_ridges(here).intersection(shape))
    faces = shapely.get_parts(shapely.polygonize(list(shapely.get_parts(shapely.union_all(lines, grid_size=GRID)))))
    pieces = _own(faces, inhabited, kept, wet, discs, plan)
    anchors: dict[str, list[Point]] = defaultdict(list)
    for _, here in (*inhabited, *wet):
        for seed, spot in here:
            if frame.intersects(spot):
                anchors[seed.owner].append(spot)
    contacts = _contacts(pieces)
    _rejoin(pieces, anchors, discs.keys(), contacts if edge is None else _contacts(pieces, edge))
    _adopt(pieces, contacts, kept, plan)
    return Partition(pieces, circles, rims, edge, warnings)


def _rims_on(dry: BaseGeometry, plan: Plan) -> list[tuple[Rim, LineString]]:
    """The plan's lines, rounded, where they lie on land."""
    found = []
    for rim in plan.rims:
        points = _reaching([*rim.points], dry, plan.reach)
        line = shapely.simplify(LineString(round_line(np.array(points))), plan.detail)
        for part in shapely.get_parts(shapely.line_merge(shapely.set_precision(line.intersection(dry), GRID))):
            if isinstance(part, LineString) and not part.is_empty:
                found.append((rim, part))
    return found


def _reaching(points: list[tuple[float, float]], dry: BaseGeometry, reach: float) -> list[tuple[float, float]]:
    """The points of a line; an end that comes near the shore or the edge of the map is led to it."""
    for _ in range(2):
        points.reverse()
        (ax, ay), (bx, by) = points[-2:]
        length = math.dist((ax, ay), (bx, by)) or 1.0
        on = (bx + (bx - ax) / length * reach, by + (by - ay) / length * reach)
        if LineString([(bx, by), on]).intersects(dry.boundary):
            points.append(on)
    return points


def round_line(line: Points, rounds: int = 4, *, closed: bool = False) -> Points:
    """Cut the corners of a line; the ends of an open one stay (G. Chaikin, 1974)."""
    for _ in range(rounds):
        if len(line) < 3:
            return line
        mixed = np.empty((2 * len(line) - 2, 2))
        mixed[0::2] = 0.75 * line[:-1] + 0.25 * line[1:]
        mixed[1::2] = 0.25 * line[:-1] + 0.75 * line[1:]
        line = np.vstack([mixed, mixed[:1]] if closed else [line[:1], mixed[1:-1], line[-1:]])
        if closed:
            line[0] = line[-1]
    return line


def _polygons(shape: BaseGeometry) -> list[Polygon]:
    parts = [p for p in shapely.get_parts(shape) if isinstance(p, Polygon) and p.area > GRID]
    return sorted(parts, key=lambda p: (-round(p.area, 3), p.bounds))


def _circles(
    plan: Plan, warnings: list[BoardFault]
) -> tuple[dict[str, tuple[float, float, float]], dict[str, Polygon]]:
    circles = {s.owner: (s.x, s.y, s.r) for s in (*plan.land, *plan.sea) if s.r}
    discs: dict[str, Polygon] = {}
    for name, (x, y, r) in circles.items():
        turn = [2 * math.pi * i / CIRCLE_SIDES for i in range(CIRCLE_SIDES)]
        discs[name] = Polygon([(x + r * math.cos(t), y + r * math.sin(t)) for t in turn])
    for name, (x, y, r) in circles.items():  # where two circles overlap, the line through their crossings parts them
        for other, (ox, oy, other_r) in circles.items():
            apart = math.dist((x, y), (ox, oy))
            if other == name or apart >= r + other_r:
                continue
            if not apart:
                fault = f"the circles of {name} and {other} have the same center; move one of them"
                warnings.append(BoardFault("land.csv", fault))
                continue
            along = (apart**2 + r**2 - other_r**2) / (2 * apart)
            dx, dy = (ox - x) / apart, (oy - y) / apart
            mx, my = x + along * dx, y + along * dy
            far = 3 * (r + other_r)
            side = [(mx - dy * far, my + dx * far), (mx + dy * far, my - dx * far)]
            half = Polygon([*side, *((px - dx * far, py - dy * far) for px, py in reversed(side))])
            discs[name] = discs[name].intersection(half)
    return circles, discs


def _claim(
    seeds: Sequence[Seed], shapes: Sequence[Polygon], frame: Polygon, warnings: list[BoardFault], what: str
) -> dict[int, list[tuple[Seed, Point]]]:
    """The seeds that claim a part of each shape, by its number, with their points in it; one with no shape near claims
    nothing.

    A point outside the frame works from there on what is next to it."""
    tree = shapely.STRtree(list(shapes))
    claims: dict[int, list[tuple[Seed, Point]]] = defaultdict(list)
    for seed in seeds if shapes else ():
        point = Point(seed.x, seed.y)
        inside = [int(i) for i in tree.query(point) if shapes[i].intersects(point)]
        number = min(inside) if inside else int(tree.query_nearest(point, all_matches=False)[0])
        shape = shapes[number]
        off = shape.distance(point)
        if not frame.intersects(point):
            claims[number].append((seed, point))
            continue
        if off > SNAP and seed.owner not in (LAND, WATER):
            mend = "move it, carve, or take another coastline (coastline in [grow], or --land)"
            fault = f"a point of {seed.owner} lies {off:.0f} km from any {what}; {mend}"
            warnings.append(BoardFault(seed.place, fault))
        if off <= SNAP:
            claims[number].append((seed, Point(shapely.shortest_line(point, shape).coords[1]) if off else point))
    return claims


def _ridges(here: Sequence[tuple[Seed, Point]]) -> BaseGeometry:
    """The lines of equal distance between points of different owners. Of points that came to the same spot of a shore
    the first counts."""
    apart: dict[tuple[float, float], tuple[Seed, Point]] = {}
    for seed, spot in here:
        apart.setdefault((spot.x, spot.y), (seed, spot))
    here = list(apart.values())
    points = MultiPoint([spot for _, spot in here])
    cells = shapely.get_parts(shapely.voronoi_polygons(points, extend_to=box(-1e5, -1e5, 1e5, 1e5), ordered=True))
    sides: dict[tuple[tuple[float, float], tuple[float, float]], list[str]] = defaultdict(list)
    for (seed, _), cell in zip(here, cells, strict=True):
        ring = [(x, y) for x, y in np.round(shapely.get_coordinates(cell), 4).tolist()]
        for a, b in itertools.pairwise(ring):
            if a != b:
                sides[min(a, b), max(a, b)].append(seed.owner)
    lines = [LineString(side) for side, owners in sides.items() if len(set(owners)) == 2]
    return shapely.union_all(lines) if lines else LineString()


def _own(
    faces: Sequence[Polygon],
    inhabited: Sequence[Inhabited],
    kept: Sequence[Polygon],
    wet: Sequence[Inhabited],
    discs: dict[str, Polygon],
    plan: Plan,
) -> list[Piece]:
    """Give each face to the disc it lies in, or to the nearest point of its landmass or water."""
    grounds: list[tuple[BaseGeometry, _Crowd, bool]] = [
        *((disc, _Crowd(name), name not in plan.boxes or not plan.plots[name].sea) for name, disc in discs.items()),
        *((mass, _Crowd(LAND, here), True) for mass, here in inhabited),
        *((mass, _Crowd(LAND), True) for mass in kept),
        *((water, _Crowd(WATER, here), False) for water, here in wet),
    ]
    tree = shapely.STRtree([shape for shape, _, _ in grounds])
    pieces: list[Piece] = []
    alone: list[Piece] = []
    for face in sorted(faces, key=lambda f: (f.bounds, f.area)):
        spot = face.representative_point()
        inside = [int(i) for i in tree.query(spot) if grounds[i][0].intersects(spot)]
        number = min(inside) if inside else int(tree.query_nearest(spot, all_matches=False)[0])
        _, crowd, land = grounds[number]
        piece = Piece(face, crowd.nearest(spot), land)
        pieces.append(piece)
        inset = any(within(window.drawn.box, spot.x, spot.y) for window in plan.insets)
        if number >= len(grounds) - len(wet) and not crowd.owners and face.area < (2 * plan.reach) ** 2 and not inset:
            alone.append(piece)
    seas = [piece for piece in pieces if not (piece.land or piece.owner == WATER)]
    tree = shapely.STRtree([sea.shape for sea in seas])
    for inlet in alone:  # that was cut off goes to the sea next to it, if there is one within reach
        if (nearest := tree.query_nearest(inlet.shape, max_distance=plan.reach, all_matches=False)).size:
            inlet.owner = seas[int(nearest[0])].owner
    return pieces


class _Crowd:
    """Nearest-seed lookup within one landmass or body of water; ``usual`` owns it where it has no seeds."""

    def __init__(self, usual: str, here: Sequence[tuple[Seed, Point]] = ()) -> None:
        self.usual = usual
        self.owners = [seed.owner for seed, _ in here]
        self.at = shapely.get_coordinates([spot for _, spot in here])

    def nearest(self, spot: Point) -> str:
        """The owner of the nearest seed."""
        if not self.owners:
            return self.usual
        return self.owners[int(np.argmin(np.hypot(self.at[:, 0] - spot.x, self.at[:, 1] - spot.y)))]


CommonBorders = dict[int, dict[int, float]]
"""How long each piece borders on each other piece, by their numbers."""


def _contacts(pieces: Sequence[Piece], but: BaseGeometry | None = None) -> CommonBorders:
    """How long each piece borders on each other piece, not counting what lies along a line."""
    sides: dict[tuple[tuple[float, float], tuple[float, float]], int] = {}
    shared: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for number, piece in enumerate(pieces):
        for ring in (piece.shape.exterior, *piece.shape.interiors):
            coords = [(round(x, 1), round(y, 1)) for x, y in ring.coords]
            for a, b in itertools.pairwise(coords):
                other = sides.setdefault((min(a, b), max(a, b)), number)
                middle = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
                if other != number and (but is None or not but.dwithin(Point(middle), ALONG)):
                    length = math.dist(a, b)
                    shared[number][other] += length
                    shared[other][number] += length
    return shared


def _rejoin(
    pieces: list[Piece], anchors: dict[str, list[Point]], circles: Iterable[str], contacts: CommonBorders
) -> None:
    """Give pieces cut off from their points to the neighbor with the longest common border among these ``contacts``."""
    closed = {*circles}
    loose: set[int] = set()
    largest: dict[str, float] = defaultdict(float)
    for piece in pieces:
        largest[piece.owner] = max(largest[piece.owner], piece.shape.area)
    for number, piece in enumerate(pieces):
        if not anchors[piece.owner] and piece.shape.area == largest[piece.owner]:
            continue
        if piece.owner not in closed and not any(piece.shape.distance(a) < 2 * GRID for a in anchors[piece.owner]):
            loose.add(number)
    while loose:
        best: tuple[float, int, int] | None = None
        for number in sorted(loose):
            for other, length in contacts[number].items():
                fits = other not in loose and pieces[other].land == pieces[number].land
                if fits and pieces[other].owner not in closed and (best is None or length > best[0]):
                    best = (length, number, other)
        if best is None:
            break  # whole islands and lakes: they keep their owner
        pieces[best[1]].owner = pieces[best[2]].owner
        loose.discard(best[1])


def _adopt(pieces: list[Piece], contacts: CommonBorders, kept: Sequence[Polygon], plan: Plan) -> None:
    """Give islands without a point to the province off whose shore they lie, where all their seas wash that shore
    already."""
    washed: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for number, piece in enumerate(pieces):
        if piece.land and not piece.owner.startswith("~"):
            for other, length in contacts[number].items():
                washed[piece.owner][pieces[other].owner] += length
    homes = [p for p in pieces if p.land and not p.owner.startswith("~")]
    if not homes or not kept:
        return
    tree = shapely.STRtree([p.shape for p in homes])
    islands = shapely.STRtree(list(kept))
    for number, piece in enumerate(pieces):
        if not (piece.land and piece.owner == LAND):
            continue
        spot = piece.shape.representative_point()
        if not any(kept[i].intersects(spot) for i in islands.query(spot)):
            continue
        around = {pieces[other].owner for other in contacts[number]}
        near = [(homes[i].shape.distance(piece.shape), int(i)) for i in tree.query(piece.shape.buffer(plan.reach))]
        for off, index in sorted(near):
            owner = homes[index].owner
            if off <= plan.reach and all(washed[owner][sea] >= plan.least.coast for sea in around):
                piece.owner = owner
                break
