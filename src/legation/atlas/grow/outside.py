"""Names that have no room in their provinces: beside them, where it is plainest whose name it is, and tied to them by a
line where they stand apart."""

import math
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from legation.atlas.grow.room import Room, box_in, place_label
from legation.atlas.letters import SHORT_SIZES, Box, Label, height_of, overlap, overlap_disc, width_of, wrappings
from legation.atlas.lines import Extent, Point, extent, near
from legation.atlas.outlines import BoardGeometry
from legation.atlas.sites import UNIT_R, Disc

Circle = tuple[float, float, float]
"""Middle and radius."""
SHARED, SHORE, FOREIGN = 14.0, 8.0, 9.0
"""Penalties, as distances, for a name that crosses a border, that crosses a shore, or that stands on another land."""
SPOT = 3.0
"""How far apart the spots are at which the ground is looked up."""
SQUARE = 40


class LabelContext:
    """All that stands on a map while names are placed outside their provinces. Names are added as they are placed."""

    def __init__(self, geometry: BoardGeometry, labels: Iterable[Label]) -> None:
        self.geometry = geometry
        self.sea = {name: province.sea for name, province in geometry.board.provinces.items()}
        self._boxes: list[tuple[Extent, Box]] = []
        for label in labels:
            self.add(label)
        self._spots: dict[tuple[int, int], str] = {}
        self._squares: dict[tuple[int, int], list[str]] = {}
        for name in sorted(geometry.extents, key=self.sea.__getitem__):  # lands first: seas have no holes for islets
            left, top, right, bottom = geometry.extents[name]
            for i in range(int(left // SQUARE), int(right // SQUARE) + 1):
                for j in range(int(top // SQUARE), int(bottom // SQUARE) + 1):
                    self._squares.setdefault((i, j), []).append(name)

    def add(self, label: Label) -> None:
        """Let a name stand, and the line that leads from it."""
        self._boxes += [(extent(box), box) for box in label.boxes]
        if label.leader:
            line = strip(*label.leader)
            self._boxes.append((extent(line), line))

    def around(self, middle: Point, reach: float) -> tuple[list[tuple[Extent, Box]], list[Disc], list[Circle]]:
        """The boxes of names, the symbols and the rings that lie about a point."""
        x, y = middle
        return (
            near(self._boxes, (x - reach, y - reach, x + reach, y + reach)),
            [d for d in (*self.geometry.discs, *self.geometry.edges) if abs(d.x - x) < reach and abs(d.y - y) < reach],
            [r for r in self.geometry.rings.values() if abs(r[0] - x) < reach and abs(r[1] - y) < reach],
        )

    def province_at(self, x: float, y: float) -> str:
        """The province at the nearest spot; empty for what is off the board."""
        spot = (round(x / SPOT), round(y / SPOT))
        province = self._spots.get(spot)
        if province is None:
            x, y = spot[0] * SPOT, spot[1] * SPOT
            here = self._squares.get((int(x // SQUARE), int(y // SQUARE)), ())
            province = self._spots[spot] = next((name for name in here if self.geometry.contains(name, x, y)), "")
        return province

    def ground_under(self, name: str, x: float, y: float, half: float, tall: float) -> tuple[str, float]:
        """On which province the name of another stands, in a box about a point; and what that costs in plainness."""
        ground = self.province_at(x, y)
        steps = ((i, j) for i in range(-3, 4) for j in (-1, 0, 1))
        grounds = {ground, *(self.province_at(x + half * i / 3, y + tall * j) for i, j in steps)}
        cost = SHARED * (len(grounds) - 1)
        if len({self.sea.get(one, False) for one in grounds}) > 1:
            cost += SHORE
        wet = self.sea.get(ground, False)
        if ground != name and not (wet and self.geometry.board.provinces[name].shore):
            cost += FOREIGN if wet or not self.sea[name] else 3 * FOREIGN  # a sea on dry land
        return ground, cost


def strip(start: Point, end: Point) -> Box:
    """A line of half a unit's breadth, as a box."""
    length = math.dist(start, end) or 1.0
    nx, ny = 0.5 * (start[1] - end[1]) / length, 0.5 * (end[0] - start[0]) / length
    (ax, ay), (bx, by) = start, end
    return (ax - nx, ay - ny), (bx - nx, by - ny), (bx + nx, by + ny), (ax + nx, ay + ny)


SIZES = (10.0, 9.0, 8.0, 7.5)
FORM, SIZE, LINE = 5.0, 2.2, 1.5
"""What a short form, a unit less of size, and a further line cost, in units of distance."""
LED, THROUGH = 4.0, 25.0
"""Likewise the need of a line to its province; a line or box across a ring, a name or a symbol."""
WORST = 60.0
"""A name that would cost more than this is abbreviated."""
TIED = 6.0
"""A name farther than this from its province is tied to it by a line."""
_FLAT = Room([[(0, 0), (0, 1), (1, 1)]], [], 0.0)


def label_outside(context: LabelContext, name: str, texts: Sequence[str], *, far: bool = False) -> Label | None:
    """The name beside its province, where it is plainest whose name it is; tied to it by a line where it stands apart
    or on another land.

    ``texts`` are its forms, best first; ``far`` seeks over the whole map and takes the best there is."""
    search = _Search(context, name, far)
    best: tuple[float, Label] | None = None
    for base, lines, size in search.ways(texts):
        limit = best[0] if best else math.inf if far else WORST
        best = search.best(base, lines, size, limit) or best
    return best[1] if best else None


class _Search:
    """The search for a place for one name."""

    def __init__(self, context: LabelContext, name: str, far: bool) -> None:
        self.context = context
        self.geometry = context.geometry
        self.name = name
        self.far = far
        self.sea = context.sea[name]
        self.face = "italic" if self.sea else "regular"
        site, ring = self.geometry.sites[name], self.geometry.rings.get(name)
        self.anchor: Circle = ring or (*site.unit, UNIT_R * site.size)
        self.pull = 1.0 if ring else 0.4
        """How dear it is to be away from the anchor: a name beside a larger province may be anywhere along it."""
        self.boxes, self.discs, self.rings = context.around(site.unit, 700 if far else 125)

    def ways(self, texts: Sequence[str]) -> list[tuple[float, tuple[str, ...], float]]:
        """Lines and sizes in which a name may be set, each with its cost, the cheapest first."""
        sizes = SHORT_SIZES[-1:] if self.far else SIZES
        tries = [
            (SIZE * (sizes[0] - size) + FORM * rank + LINE * (len(lines) - 1), lines, size)
            for rank, text in enumerate(texts)
            for lines in wrappings(text)
            for size in sizes
        ]
        return sorted(tries, key=lambda way: way[0])

    def best(self, base: float, lines: tuple[str, ...], size: float, limit: float) -> tuple[float, Label] | None:
        """The best label of these lines and this size, with its cost, if it costs less than a limit."""
        best: tuple[float, Label] | None = None
        half = width_of(lines, self.face, size) / 2
        tall = height_of(lines, size) / 2
        x0, y0, r0 = self.anchor
        for x, y, gap in _spiral((x0, y0), half, tall, r0, 120 if self.far else 13):
            if base + self.pull * gap >= limit:
                break
            cost = base + self.pull * (math.hypot(*_off((x, y), x0, y0, half, tall)) - r0)
            if cost >= limit or not self._free(x, y, half, tall):
                continue
            cost += THROUGH * self._rings_crossed(x, y, half + 2, tall + 1)
            if cost >= limit:
                continue
            ground, more = self.context.ground_under(self.name, x, y, half + 2.5, tall + 2)
            cost += more
            if cost >= limit:
                continue
            label = place_label(self.name, lines, size, self.face, (x, y), _FLAT, beside=True)
            if ground != self.name:
                label, more = self._tied(label, ground, x, y, half, tall)
                cost += more
            if cost < limit:
                best, limit = (cost, label), cost
        return best

    def _free(self, x: float, y: float, half: float, tall: float) -> bool:
        """Whether a box of these half sizes lies on the map and covers no symbol and no name."""
        geometry = self.geometry
        if not (half + 4 < x < geometry.width - half - 4 and tall + 4 < y < geometry.height - tall - 4):
            return False
        wide, high = half + 2, tall + 1
        if any(
            abs(d.x - x) < wide + d.r
            and abs(d.y - y) < high + d.r
            and math.hypot(*_off((x, y), d.x, d.y, wide, high)) < d.r
            for d in self.discs
        ):
            return False
        apart = box_in(_FLAT, x - half - 3, y - tall - 4, x + half + 3, y + tall + 4)
        return not any(overlap(apart, other) for _, other in near(self.boxes, extent(apart)))

    def _rings_crossed(self, x: float, y: float, wide: float, high: float) -> int:
        box = box_in(_FLAT, x - wide, y - high, x + wide, y + high)
        near = (r for r in self.rings if abs(r[0] - x) < wide + r[2] + 1 and abs(r[1] - y) < high + r[2] + 1)
        return sum(
            overlap_disc(box, Disc("ring", "", rx, ry, r + 0.8)) and any(math.dist(p, (rx, ry)) > r - 0.8 for p in box)
            for rx, ry, r in near
        )

    def _tied(self, label: Label, ground: str, x: float, y: float, half: float, tall: float) -> tuple[Label, float]:
        """A label that stands on another ground, with a line to its province if it stands apart; and what that
        costs."""
        apart, leader = _way_to(self.geometry, self.name, x, y, half, tall)
        label = msgspec.structs.replace(label, ground=ground)
        cost = (1 - self.pull) * apart
        if apart > (1.0 if self.sea else TIED):
            line = strip(*leader)
            cost += LED + THROUGH * sum(overlap(line, other) for _, other in near(self.boxes, extent(line)))
            cost += THROUGH * sum(overlap_disc(line, d) for d in self.discs if d.province != self.name)
            label = msgspec.structs.replace(label, leader=leader)
        return label, cost


def _off(middle: Point, x: float, y: float, half: float, tall: float) -> tuple[float, float]:
    """How far a point lies beside, and above or below, a level box about a middle."""
    return max(0.0, abs(middle[0] - x) - half), max(0.0, abs(middle[1] - y) - tall)


def _way_to(
    geometry: BoardGeometry, name: str, x: float, y: float, half: float, tall: float
) -> tuple[float, tuple[Point, Point]]:
    """How far a level box about a point is from its province, and the line from it that leads a little way in."""
    ring = geometry.rings.get(name)
    goal = (ring[0], ring[1]) if ring else geometry.sites[name].unit
    start = (min(max(goal[0], x - half), x + half), min(max(goal[1], y - tall), y + tall))
    away = math.dist(start, goal) or 1.0

    def at(distance: float) -> Point:
        return start[0] + (goal[0] - start[0]) * distance / away, start[1] + (goal[1] - start[1]) * distance / away

    if ring:
        gap = away - ring[2]
        end = at(gap)
    else:
        outline = (point for part in geometry.polygons[name] for point in part)
        gap = min(math.hypot(*_off((x, y), px, py, half, tall)) for px, py in outline)
        enter = next((d for d in range(int(away)) if geometry.contains(name, *at(d))), away - 3.0)
        end = at(enter + 3.0)
    return gap, (start, end)


def _spiral(middle: Point, half: float, tall: float, r: float, reach: int) -> Iterator[tuple[float, float, float]]:
    """Middles for a box of these half sizes around a disc, and the least gap, outward, ``reach`` rounds; below and
    above before beside."""
    turns = (0.25, 0.75, 0.0, 0.5, 0.125, 0.375, 0.625, 0.875, 0.2, 0.3, 0.7, 0.8, 0.05, 0.45, 0.55, 0.95)
    for ring in range(reach):
        gap = 1.6 + ring * 2.4 if ring < 12 else 36.0 + (ring - 12) * 6.0
        across, along = half + r + gap, tall + r + gap
        for turn in turns:
            x, y = math.cos(2 * math.pi * turn), math.sin(2 * math.pi * turn)
            stretch = min(1 / max(1e-9, abs(x)), 1 / max(1e-9, abs(y))) if ring < 12 else 1.0
            yield middle[0] + across * x * min(stretch, 1.3), middle[1] + along * y * min(stretch, 1.3), gap
