"""What lies where on a board, as far as the drawing of orders asks: room beside a unit, ways round land, names under a
mark.

All of it depends on the board alone: the squares are laid at once, the rest is found on demand and kept."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from legation.atlas.curves import Curve
from legation.atlas.geometry import BoardGeometry
from legation.atlas.letters import Box, Label, overlap, overlap_disc
from legation.atlas.lines import Point, Ring, simplify
from legation.atlas.shapes import sides
from legation.atlas.sites import UNIT_ON_PAGE, UNIT_R, Disc
from legation.atlas.strokes import head_box, square
from legation.board import province_of

CELL = 8.0
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
"""Angles, in radians, by which an arc may arrive otherwise than usual where its head would cover a name: the largest
lead round the unit to its far side."""
LEANING = 6.0
"""The cost of one radian of such an angle; each unit of an arc that runs over a name costs 1."""
STEP, HEAD, DEEPER = 4.0, 40.0, 0.4
"""How far apart the places of an arc are that are looked at; how many units over a name a head upon one is worth; what
a unit deeper is worth."""
INSIDE = 3.0  # units behind its tip at which a head is in its province, too
SHORTER, SHORT, LAST = 6, 14, 0.75
"""How many places, 3 units apart, a head tries to leave a name free; how many where it knows its province; how much of
the arc is drawn at least for these, beyond all knobs of supports."""
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
        self._asides: dict[str, list[Point]] = {}
        self._passages: dict[tuple[str, str, Point, Point], tuple[Point, ...]] = {}
        self._arcs: dict[tuple[str, str, Point, Point], Curve] = {}
        self._cells = self._names_by_cell()
        self._dry = self._lay_squares()
        self._waters = self._lay_waters()

    # Room for dislodged units

    def aside(self, location: str, taken: Iterable[Point] = ()) -> Point:
        """Where a unit dislodged from a location is drawn: clear of all places of units, of those ``taken`` too, and as
        clear of all else as may be."""
        if location not in self._asides:
            self._asides[location] = self._find_asides(location)
        places = self._asides[location]
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
            for turn in range(16):
                at = (x + far * r * math.cos(math.pi * turn / 8), y + far * r * math.sin(math.pi * turn / 8))
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

    def passage(self, a: str, b: str, start: Point, end: Point) -> tuple[Point, ...]:
        """The points by which a way over water from province ``a`` to ``b`` is to be led, where it would else cross
        foreign land; mostly none."""
        key = (a, b, start, end)
        if key not in self._passages:
            straight = Curve([start, end], 0.1)
            crossed = self.trespass(straight, a, b)
            way = self._way_round(*key) if crossed >= TRESPASS else ()
            curve = Curve([start, *way, end], 0.1)
            gain = crossed - self.trespass(curve, a, b)
            worth = gain >= TRESPASS and (DEAR - 1) * gain > curve.length - straight.length
            self._passages[key] = way if worth else ()
        return self._passages[key]

    def trespass(self, curve: Curve, a: str, b: str) -> float:
        """How many units of a curve run over land that is neither ``a`` nor ``b``; land outside the board counts
        half."""
        points = curve.every(SQUARE / 2)
        return sum(self._toll(int(x // SQUARE), int(y // SQUARE), a, b) for x, y in points) * curve.length / len(points)

    def outside(self, x: float, y: float) -> bool:
        """Whether a point lies on land outside the board."""
        column, row = int(x // SQUARE), int(y // SQUARE)
        return 0 <= row < len(self._dry) and 0 <= column < len(self._dry[0]) and self._dry[row][column] == OUTSIDE

    def _toll(self, column: int, row: int, a: str, b: str) -> float:
        """1 on land of the board that is neither ``a`` nor ``b``, half that on other land, nothing on water."""
        if not (0 <= row < len(self._dry) and 0 <= column < len(self._dry[0])):
            return 0
        name = self._dry[row][column]
        return 0.0 if not name or name in (a, b) else 0.5 if name == OUTSIDE else 1.0

    def _way_round(self, a: str, b: str, start: Point, end: Point) -> tuple[Point, ...]:
        """The cheapest way from square to square (Hart, Nilsson and Raphael 1968), as the few points where it turns."""
        ground, columns = self._waters
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

    def _lay_waters(self) -> tuple[list[str | None], int]:
        """The squares of ``_dry`` in one row, with two of nothing around them, and how many of them make a row of the
        map."""
        columns = len(self._dry[0]) + 4
        edge: list[str | None] = [None] * (2 * columns)
        inside: list[str | None] = [n for row in self._dry for n in (None, None, *row, None, None)]
        return [*edge, *inside, *edge], columns

    def _lay_squares(self) -> list[list[str]]:
        """The map in squares, row by row: the land province at the middle of each, nothing on water."""
        geometry, shapes, scale = self.geometry, self.geometry.shapes, self.geometry.scale
        grid = [[""] * (int(geometry.width // SQUARE) + 1) for _ in range(int(geometry.height // SQUARE) + 1)]
        for scene in shapes.scenery:
            if scene.kind == "land":
                rings = (ring for part in scene.rings for ring in part)
                outline = [[(x * scale, y * scale) for n in ring for x, y in shapes.line(n)] for ring in rings]
                _fill(grid, OUTSIDE, outline)
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

    # Names

    def arc(self, a: str, b: str, start: Point, end: Point) -> Curve:
        """An arc from province ``a`` to ``b``, as deep as its line and its head cover least of names and of foreign
        land; where its head would cover a name all the same, it arrives from another side of the unit if that is
        better. All bend to the same side: who goes to and who comes back keep apart."""
        key = (a, b, start, end)
        if key not in self._arcs:
            arcs = [(bend, Curve([start, end], bend)) for bend in BENDS]
            best = min(arcs, key=lambda arc: self._cost_of_arc(*arc) + self.trespass(arc[1], a, b))
            self._arcs[key] = best[1] if self._head_is_clear(best[1]) else self._leaning(*best, a, b)
        return self._arcs[key]

    def led(self, points: Sequence[Point], b: str) -> Curve:
        """A line through points to province ``b``; where its head would cover a name, it arrives another way if that
        is better."""
        usual = Curve(points)
        if self._head_is_clear(usual):
            return usual
        near = self._discs_beside(usual)
        best, least = usual, HEAD + self._upon_symbols(usual, b, near)
        for lean in LEANS:
            curve = Curve(points, lean=lean)
            cost = LEANING * abs(lean) + self._upon_symbols(curve, b, near)
            if cost < least and self._head_is_clear(curve):
                best, least = curve, cost
        return best

    def _leaning(self, bend: float, usual: Curve, a: str, b: str) -> Curve:
        """An arc whose head is clear of names because it arrives another way; the usual one where none is better."""
        near = self._discs_beside(usual)

        def cost(deep: float, curve: Curve) -> float:
            return self._cost_of_arc(deep, curve) + self.trespass(curve, a, b) + self._upon_symbols(curve, b, near)

        best, least = usual, cost(bend, usual)
        shapes = [(LEANING * abs(lean) + _oddness(deep) * usual.length, deep, lean) for lean in LEANS for deep in BENDS]
        for odd, deep, lean in sorted(shapes):
            if odd >= least:  # and all that follow, whatever they cover
                break
            curve = Curve([usual.samples[0], usual.samples[-1]], deep, lean)
            if self._head_is_clear(curve) and (spent := cost(deep, curve) + LEANING * abs(lean)) < least:
                best, least = curve, spent
        return best

    def _discs_beside(self, curve: Curve) -> list[Disc]:
        """The places of units and centers that a head or a line near a curve may run over; where it starts and whom it
        meets left out."""
        (left, right), (top, bottom) = ((min(c) - 60, max(c) + 60) for c in zip(*curve.samples, strict=True))
        ends = curve.samples[0], curve.samples[-1]
        return [
            disc
            for disc in self.geometry.discs
            if left < disc.x < right and top < disc.y < bottom and min(math.dist((disc.x, disc.y), e) for e in ends) > 1
        ]

    def _upon_symbols(self, curve: Curve, b: str, near: Iterable[Disc]) -> float:
        """What it costs that the head or the line of an arc runs over places of units and centers, that which it meets
        too, or that it ends outside province ``b``, or nearer to another unit than to that which it meets."""
        last = _last(curve)
        stop = self.clear_stop(curve, last, curve.length * 0.55, 9.0) or last
        tip, end = curve.point(stop), curve.samples[-1]
        head, points = head_box(curve, stop, 9.0), [curve.point(i * STEP) for i in range(int(stop / STEP))]
        cost = HEAD * (not self.geometry.contains(b, *tip))
        met = Disc("unit", b, *end, UNIT_R)
        cost += HEAD * (overlap_disc(head, met) or any(math.dist(point, end) < UNIT_R for point in points))
        for disc in near:
            cost += HEAD * overlap_disc(head, disc)
            cost += STEP * sum(math.dist(point, (disc.x, disc.y)) < disc.r + 1 for point in points)
            cost += HEAD * (disc.kind == "unit" and math.dist(tip, (disc.x, disc.y)) < math.dist(tip, end))
        return cost

    def _head_is_clear(self, curve: Curve) -> bool:
        """Whether a head before a unit at the end of an arc covers no name."""
        return self.clear_stop(curve, _last(curve), curve.length * 0.55, 9.0) is not None

    def _cost_of_arc(self, bend: float, curve: Curve) -> float:
        """How many units of an arc run over names, and how much deeper or flatter than usual it is."""
        last = _last(curve)
        places = [UNIT_R + i * STEP for i in range(int((last - UNIT_R) / STEP))]
        covered = sum(STEP for along in places if self.names_under(square(curve.point(along), 1.5)))
        head = 0.0 if self._head_is_clear(curve) else HEAD
        return covered + head + _oddness(bend) * curve.length

    def clear_stop(
        self, curve: Curve, stop: float, least: float, long: float, within: str = "", most: float = 0.0
    ) -> float | None:
        """Where a head ``long`` units long may end without covering a name: at ``stop`` or a little before it, but not
        before ``least``; where it is to lie ``within`` a province also beyond, up to ``most``, or farther before it."""
        last = LAST * curve.length
        beyond = [stop + 3.0 * on for on in range(1, SHORTER) if stop + 3.0 * on <= most]
        for here in [*(stop - 3.0 * back for back in range(SHORTER)), *beyond] if within else ():
            inside = here >= least and self.geometry.contains(within, *curve.point(here - INSIDE))
            if inside and not self.names_under(head_box(curve, here, long)):
                return here
        for back in range(SHORT if within else SHORTER):
            here = stop - 3.0 * back
            if back >= SHORTER and not (here > last and self.geometry.contains(within, *curve.point(here))):
                break
            if here >= least and not self.names_under(head_box(curve, here, long)):
                return here
        return None

    def _names_by_cell(self) -> dict[tuple[int, int], set[str]]:
        """Which names stand in or near each square of the map, by its column and row."""
        cells: dict[tuple[int, int], set[str]] = {}
        for label in self.labels.values():
            for box in label.boxes:
                xs, ys = [x for x, _ in box], [y for _, y in box]
                for i in range(int((min(xs) - 3) // CELL), int((max(xs) + 3) // CELL) + 1):
                    for j in range(int((min(ys) - 3) // CELL), int((max(ys) + 3) // CELL) + 1):
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
        xs, ys = [x for x, _ in box], [y for _, y in box]
        near: set[str] = set()
        for i in range(int(min(xs) // CELL), int(max(xs) // CELL) + 1):
            for j in range(int(min(ys) // CELL), int(max(ys) // CELL) + 1):
                near |= self._cells.get((i, j), set())
        return {name for name in near if any(overlap(box, other) for other in self.labels[name].boxes)}


def _last(curve: Curve) -> float:
    """Where the head of a curve ends before a unit."""
    return max(curve.before_end(UNIT_ON_PAGE + 2), curve.length * 0.55)


def _oddness(bend: float) -> float:
    """The cost, for each unit of an arc's length, of bending more or less than usual."""
    return DEEPER * abs(bend - BENDS[0])


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
