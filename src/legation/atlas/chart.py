"""What lies where on a board, as far as the drawing of orders asks: room beside a unit, ways round land, names under a
mark.

All of it depends on the board alone: the squares are laid at once, the rest is found on demand and kept."""

import math
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import pairwise

import msgspec

from legation.atlas.curves import Curve
from legation.atlas.letters import Box, Label, overlap, overlap_disc
from legation.atlas.lines import Point, Ring, extent, near, simplify
from legation.atlas.outlines import BoardGeometry
from legation.atlas.shapes import sides
from legation.atlas.sites import UNIT_ON_PAGE, UNIT_R, Disc, around
from legation.atlas.strokes import head_box, square
from legation.board import province_of

KEPT = 5000
"""How many lines are remembered at most."""
CELL, REACH = 8.0, 36.0
"""The sides of the squares by which names are found, and places of units: so near a head covers them."""
SMALLER = 0.85
"""The size of a dislodged unit, that of the others being 1."""
SQUARE = 7.0
"""The side of the squares in which ways over the water are sought."""
TRESPASS = 24.0
"""So many units across land that is neither start nor goal are let pass, as over an islet."""
DEAR = 5.0
"""How many units of detour a unit over foreign land is worth."""
ASIDE = 5.0
"""How far a way that was led round land keeps to its own side."""
EDGE = 16.0
"""How far it keeps from the edge of the map."""
BENDS = (0.1, 0.16, 0.05, 0.22, 0.28)
"""How deep an arc may be, as a share of its length; the first is the usual one."""
LEANS = tuple(side * lean for lean in (0.35, 0.6, 0.85, 1.1, 1.4, 1.7, 2.0, 2.4, 2.8) for side in (1, -1))
"""Angles, in radians, by which a line may arrive otherwise than usual where its head would cover something: the largest
lead round the unit to its far side."""
STEP, LEANING, DEEPER = 4.0, 8.0, 0.4
"""How far apart the places of an arc are that are looked at; what a radian of leaning and a unit deeper cost, where a
unit of line over a name costs 1."""
MET, NAMED, BESIDE, MARKED, ABROAD, BACK = 90.0, 70.0, 30.0, 10.0, 14.0, 0.3
"""What it costs that a head covers the unit that it meets, a name, the place of another unit, a center; that it lies
outside its province; and a unit of way before where heads end."""
GAP, NEARER, MOST_BACK, LAST = 2.0, 15, 42, 0.75
"""How far before a unit heads end; how much farther they may, anywhere and in their province; how much of the line is
drawn at least in that case, beyond all knobs of supports."""
OUTSIDE = "+"
"""Stands for land outside the board where a province would."""
_STEPS = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j] + [
    (i, j) for i in (-2, -1, 1, 2) for j in (-2, -1, 1, 2) if abs(i) != abs(j)
]


class Chart:
    """The chart of a board; all coordinates in drawing units."""

    def __init__(self, geometry: BoardGeometry, labels: Mapping[str, Label]) -> None:
        self.geometry = geometry
        self.labels = labels
        self._asides, self.passage = cache(self._find_asides), cache(self._passage)
        self._lines = lru_cache(maxsize=KEPT)(self._best)
        self._boxes = {label.province: [(extent(box), box) for box in label.boxes] for label in labels.values()}
        self._cells, self._discs = self._names_by_cell(), self._discs_by_cell()
        self._dry = self._lay_squares()
        self._columns = len(self._dry[0]) + 4
        edge: list[str | None] = [None] * (2 * self._columns)
        self._squares = [*edge, *(name for row in self._dry for name in (None, None, *row, None, None)), *edge]
        """The squares of ``_dry`` in one row, with two of nothing around them."""

    # Room for dislodged units

    def aside(self, location: str, taken: Iterable[Point] = ()) -> Point:
        """Where a unit dislodged from a location is drawn: clear of all places of units, of those ``taken`` too, and as
        clear of all else as may be."""
        places = self._asides(location)
        apart = 2 * UNIT_R * SMALLER
        return next((p for p in places if all(math.dist(p, t) >= apart for t in taken)), places[0])

    def _find_asides(self, location: str) -> list[Point]:
        """Places beside a location, the best first; they cover no place of a unit, unless all do."""
        geometry, province = self.geometry, province_of(location)
        x, y = geometry.place_of(location)
        r = UNIT_R * geometry.sites[province].size
        near = [d for d in geometry.discs if math.dist((d.x, d.y), (x, y)) < 8 * r]
        ranked = []
        for far in (2.0, 2.3, 2.7, 3.2, 3.8, 4.5, 5.4):
            for at in around((x, y), far * r):
                ranked.append((round(3 * far + self._cost_of_place(province, at, r * SMALLER, near), 3), at))
        ranked.sort()
        free = [at for cost, at in ranked if cost < 1000]
        return free or [ranked[0][1]]

    def _cost_of_place(self, province: str, at: Point, r: float, near: Iterable[Disc]) -> float:
        """How bad it is to draw a unit there; 1000 and more where it covers the place of another or leaves the map."""
        (x, y), geometry = at, self.geometry
        if not (r < x < geometry.width - r and r < y < geometry.height - r):
            return 1000
        cost = 0.0
        for disc in near:
            gap = math.dist((disc.x, disc.y), at) - disc.r - r
            if disc.kind == "center":
                cost += 7 if gap < 0 else 0
            elif gap < 0:
                cost += 1000
            elif disc.province != province:
                cost += max(0.0, 4 - gap)
        rim = [(x + r * math.cos(math.pi * i / 4), y + r * math.sin(math.pi * i / 4)) for i in range(8) if cost < 1000]
        cost += sum(not geometry.contains(province, *p) for p in (at, at, at, *rim))
        here = Disc("", province, x, y, r)
        names = {n for p in (at, *rim) for n in self._cells.get((int(p[0] // CELL), int(p[1] // CELL)), ())}
        return cost + 5 * sum(any(overlap_disc(box, here) for box in self.labels[n].boxes) for n in names)

    # Ways over the water

    def _passage(self, a: str, b: str, start: Point, end: Point) -> tuple[Point, ...]:
        """The points by which a way over water from province ``a`` to ``b`` is to be led, where it would else cross
        foreign land; mostly none."""
        straight = Curve([start, end], 0.1)
        crossed = self.trespass(straight, a, b)
        way = self._way_round(a, b, start, end) if crossed >= TRESPASS else ()
        curve = Curve([start, *way, end], 0.1)
        gain = crossed - self.trespass(curve, a, b)
        worth = gain >= TRESPASS and (DEAR - 1) * gain > curve.length - straight.length
        return way if worth else ()

    def trespass(self, curve: Curve, a: str, b: str) -> float:
        """How many units of a curve run over land that is neither ``a`` nor ``b``; land outside the board counts
        half."""
        points, tolls = curve.every(SQUARE / 2), {"": 0.0, a: 0.0, b: 0.0, OUTSIDE: 0.5}
        return sum(tolls.get(self._land_at(x, y), 1.0) for x, y in points) * curve.length / len(points)

    def outside(self, x: float, y: float) -> bool:
        """Whether a point lies on land outside the board."""
        return self._land_at(x, y) == OUTSIDE

    def _land_at(self, x: float, y: float) -> str:
        """The land at a point; nothing on water and off the map."""
        column, row = int(x // SQUARE), int(y // SQUARE)
        on_map = 0 <= row < len(self._dry) and 0 <= column < len(self._dry[0])
        return self._dry[row][column] if on_map else ""

    def _way_round(self, a: str, b: str, start: Point, end: Point) -> tuple[Point, ...]:
        """The cheapest way from square to square (Hart, Nilsson and Raphael 1968), as the few points where it turns."""
        ground, columns = self._squares, self._columns
        first, last = (int(y // SQUARE + 2) * columns + int(x // SQUARE) + 2 for x, y in (start, end))
        goal_row, goal_column = divmod(last, columns)
        steps = [(dy * columns + dx, math.hypot(dx, dy)) for dx, dy in _STEPS]
        tolls = {"": 1.0, a: 1.0, b: 1.0, OUTSIDE: (1 + DEAR) / 2}
        spent = {first: 0.0}
        came: dict[int, int] = {}
        done: set[int] = set()
        heap = [(0.0, first)]
        while heap:
            here = heappop(heap)[1]
            if here == last:
                break
            if here in done:
                continue
            done.add(here)
            so_far = spent[here]
            for step, length in steps:
                there = here + step
                name = ground[there]
                if name is None or there in done:
                    continue
                cost = so_far + length * tolls.get(name, DEAR)
                if cost < spent.get(there, math.inf):
                    spent[there] = cost
                    came[there] = here
                    row, column = divmod(there, columns)
                    heappush(heap, (cost + math.hypot(row - goal_row, column - goal_column), there))
        squares = [last]
        while squares[-1] in came:
            squares.append(came[squares[-1]])
        way = [((n % columns - 1.5) * SQUARE, (n // columns - 1.5) * SQUARE) for n in squares[-2:0:-1]]
        turns: list[Point] = []
        for turn in simplify([start, *way, end], SQUARE)[1:-1]:
            if min(math.dist(turn, p) for p in (start, end, *turns)) > 3 * SQUARE:  # closer ones would make it wriggle
                turns.append(turn)
        # those who sail to and fro between the same provinces keep to their own side, and all keep on the map
        width, height = self.geometry.width - EDGE, self.geometry.height - EDGE
        led = []
        for (ax, ay), (x, y), (bx, by) in zip([start, *turns], turns, [*turns[1:], end], strict=False):
            far = math.dist((ax, ay), (bx, by)) or 1.0
            x, y = x - (by - ay) / far * ASIDE, y + (bx - ax) / far * ASIDE
            led.append((min(width, max(EDGE, x)), min(height, max(EDGE, y))))
        return tuple(led)

    def _lay_squares(self) -> list[list[str]]:
        """The map in squares, row by row: the land province at the middle of each, nothing on water."""
        geometry, shapes, scale = self.geometry, self.geometry.shapes, self.geometry.scale
        grid = [[""] * (int(geometry.width // SQUARE) + 1) for _ in range(int(geometry.height // SQUARE) + 1)]
        for scene in shapes.scenery:
            if scene.kind == "land":
                rings = shapes.outline(scene.rings)
                _fill(grid, OUTSIDE, [[(x * scale, y * scale) for x, y in ring] for ring in rings])
        for name, province in geometry.board.provinces.items():
            if not province.sea:
                _fill(grid, name, geometry.grounds[name])
        for arc, names in zip(shapes.arcs, sides(shapes), strict=True):
            if len(names) == 2 and all(
                n in geometry.board.provinces and geometry.board.provinces[n].sea for n in names
            ):
                for (ax, ay), (bx, by) in pairwise(arc):  # also where a strait is narrower than a square
                    count = int(math.dist((ax, ay), (bx, by)) * scale / SQUARE * 2) + 1
                    for i in range(count + 1):
                        x, y = ax + (bx - ax) * i / count, ay + (by - ay) * i / count
                        column, row = int(x * scale // SQUARE), int(y * scale // SQUARE)
                        if 0 <= row < len(grid) and 0 <= column < len(grid[0]):
                            grid[row][column] = ""
        return grid

    # Lines and their heads

    def line(self, a: str, b: str, *points: Point, bends: tuple[float, ...] = BENDS) -> Curve:
        """A line through points from province ``a`` to ``b``, an arc if there are but two, that covers least of names,
        units and foreign land. All arcs bend to the same side: who goes to and who comes back keep apart."""
        return self._lines(a, b, points, bends if len(points) == 2 else (0.0,))

    def _best(self, a: str, b: str, points: tuple[Point, ...], bends: tuple[float, ...]) -> Curve:
        """The best line through points; one whose head would cover something arrives from another side of the unit if
        that is better."""
        usual = Curve(points, bends[0])
        radius = UNIT_ON_PAGE * self.geometry.sites[b].size
        if len(bends) == 1 and self.stop(usual, b, radius)[0] < LEANING * LEANS[0]:
            return usual

        def shape(deep: float, lean: float) -> tuple[float, float, float]:
            return LEANING * abs(lean) + DEEPER * abs(deep - bends[0]) * usual.length, deep, lean

        best, least, worst = usual, math.inf, math.inf
        plain, leaning = [shape(deep, 0) for deep in bends], [shape(deep, lean) for lean in LEANS for deep in bends]
        for shapes in (plain, leaning):
            limit = worst
            for odd, deep, lean in sorted(shapes):
                if odd >= min(limit, least):  # and all that follow, whatever they cover
                    break
                curve, most = Curve(points, deep, lean), min(limit, least - odd)
                head = self.stop(curve, b, radius, most=most)[0]
                if head < most and (cost := odd + head + self._cost_of_line(curve, a, b, least - odd - head)) < least:
                    best, least, worst = curve, cost, head
        return best

    def stop(
        self, curve: Curve, b: str, radius: float, first: float = 0.0, long: float = 9.0, most: float = math.inf
    ) -> tuple[float, float]:
        """What a head ``long`` units long costs where it ends best, or ``most`` if that is less, and how far along a
        curve to province ``b`` that is: before the unit of this ``radius`` at the curve's end (0: there is none) or a
        little farther before, but not before ``first``."""
        usual = max(curve.before_end(radius + GAP), first)
        best = (most, usual)
        for back in range(0, MOST_BACK, 3):
            along, cost = usual - back, back * BACK
            if cost >= best[0] or (back and along < first):
                break
            cost += self._cost_of_head(curve, along, long, radius, best[0] - cost)
            if cost < best[0]:
                outside = not self.geometry.contains(b, *curve.point(along - long / 2))
                if back <= NEARER or not (outside or along < LAST * curve.length):
                    best = min(best, (cost + (ABROAD + 2 * back) * outside, along))
        return best

    def _cost_of_head(self, curve: Curve, along: float, long: float, radius: float, most: float) -> float:
        """What it costs that a head is nearer to another unit than to that of this radius which it meets, or covers
        units, centers and names; from ``most`` on nothing more is counted."""
        head, tip, end, cost = head_box(curve, along, long), curve.point(along), curve.samples[-1], 0.0
        before = math.dist(tip, end)
        for disc in self._beside(tip, end):
            away = math.dist(tip, (disc.x, disc.y))
            cost += BESIDE * (disc.kind == "unit" and away < before)
            if away < disc.r + long + 3 and overlap_disc(head, disc):
                cost += MARKED if disc.kind == "center" else BESIDE
        if cost < most and radius and before < radius + long + 7 and overlap_disc(head, Disc("", "", *end, radius)):
            cost += MET
        return cost + NAMED if cost < most and self.names_under(head) else cost

    def _cost_of_line(self, curve: Curve, a: str, b: str, most: float) -> float:
        """How many units of a line run over places of units and centers, foreign land, and names; from ``most`` on
        nothing more is counted."""
        points = [curve.point(along) for along in range(int(UNIT_R), int(curve.length - UNIT_ON_PAGE), int(STEP))]
        end = curve.samples[-1]
        cost = MET * any(math.dist(point, end) < UNIT_R for point in points)
        cost += STEP * sum(
            math.dist(point, (disc.x, disc.y)) < disc.r for point in points for disc in self._beside(point, end)
        )
        cost += self.trespass(curve, a, b)
        for point in points:
            if cost >= most:
                break
            cost += STEP * bool(self.names_under(square(point, 1.5)))
        return cost

    def _beside(self, point: Point, end: Point) -> list[Disc]:
        """The places of units and centers beside a point, as large as pages draw them; that at the end of a line left
        out."""
        discs = self._discs.get((int(point[0] // REACH), int(point[1] // REACH)), ())
        return [disc for disc in discs if abs(disc.x - end[0]) + abs(disc.y - end[1]) > 1]

    def _discs_by_cell(self) -> dict[tuple[int, int], list[Disc]]:
        """Which places of units and centers are in reach of each square of the map, by its column and row."""
        cells: dict[tuple[int, int], list[Disc]] = {}
        for disc in self.geometry.discs:
            grown = disc if disc.kind == "center" else msgspec.structs.replace(disc, r=disc.r * UNIT_ON_PAGE / UNIT_R)
            for i in range(int((disc.x - REACH) // REACH), int((disc.x + REACH) // REACH) + 1):
                for j in range(int((disc.y - REACH) // REACH), int((disc.y + REACH) // REACH) + 1):
                    cells.setdefault((i, j), []).append(grown)
        return cells

    # Names

    def _names_by_cell(self) -> dict[tuple[int, int], set[str]]:
        """Which names stand in or near each square of the map, by its column and row."""
        cells: dict[tuple[int, int], set[str]] = {}
        for label in self.labels.values():
            for (left, top, right, bottom), _ in self._boxes[label.province]:
                for i in range(int((left - 3) // CELL), int((right + 3) // CELL) + 1):
                    for j in range(int((top - 3) // CELL), int((bottom + 3) // CELL) + 1):
                        cells.setdefault((i, j), set()).add(label.province)
        return cells

    def lettered(self, x: float, y: float, room: float) -> bool:
        """Whether a name stands within ``room`` (at most 3 units) of a point."""
        disc = Disc("", "", x, y, room)
        names = self._cells.get((int(x // CELL), int(y // CELL)), ())
        return any(overlap_disc(box, disc) for name in names for box in self.labels[name].boxes)

    def names_along(self, curves: Iterable[Curve]) -> set[str]:
        """The provinces whose names these lines cross or touch."""
        crossed: set[str] = set()
        for curve in curves:
            for x, y in curve.every(CELL):
                crossed |= self._cells.get((int(x // CELL), int(y // CELL)), set())
        return crossed

    def names_under(self, box: Box) -> set[str]:
        """The provinces whose names a box covers in part."""
        left, top, right, bottom = about = extent(box)
        names: set[str] = set()
        for i in range(int(left // CELL), int(right // CELL) + 1):
            for j in range(int(top // CELL), int(bottom // CELL) + 1):
                names.update(self._cells.get((i, j), ()))
        return {name for name in names if any(overlap(box, other) for _, other in near(self._boxes[name], about))}


def _fill(grid: list[list[str]], name: str, rings: Iterable[Ring]) -> None:
    """Write a name into the squares whose middles lie within rings, holes left out."""
    cuts: dict[int, list[float]] = {}
    for ring in rings:
        ax, ay = ring[-1]
        for bx, by in ring:
            low, high = min(ay, by), max(ay, by)
            for row in range(math.ceil(low / SQUARE - 0.5), math.ceil(high / SQUARE - 0.5)):
                y = (row + 0.5) * SQUARE
                cuts.setdefault(row, []).append(ax + (bx - ax) * (y - ay) / (by - ay))
            ax, ay = bx, by
    for row, xs in cuts.items():
        xs.sort()
        if 0 <= row < len(grid):
            for left, right in zip(xs[::2], xs[1::2], strict=True):
                first = max(0, math.ceil(left / SQUARE - 0.5))
                last = min(len(grid[row]), math.ceil(right / SQUARE - 0.5))
                grid[row][first:last] = [name] * max(0, last - first)
