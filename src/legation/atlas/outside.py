"""Names that have no room in their provinces: beside them, where it is plainest whose name it is, and tied to them by a line where they stand apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from legation.atlas.geometry import UNIT_R, BoardGeometry, Disc, Point
from legation.atlas.letters import (
    ASCENT,
    DESCENT,
    LEADING,
    SEA_SPACING,
    SHORT_SIZES,
    Box,
    Label,
    measure,
    overlap,
    overlap_disc,
    wrappings,
)
from legation.atlas.room import Room, box_in, place_label

Extent = tuple[float, float, float, float]
"""Left, top, right and bottom."""


class Taken:
    """The boxes of the names that stand already, and of the lines that lead from them, each with its extent."""

    def __init__(self, labels: Iterable[Label]) -> None:
        self.boxes: list[tuple[Extent, Box]] = []
        for label in labels:
            self.add(label)

    def add(self, label: Label) -> None:
        self.boxes += [(_extent(box), box) for box in label.boxes]
        if label.leader:
            strip = _strip(*label.leader)
            self.boxes.append((_extent(strip), strip))


def _near(boxes: Iterable[tuple[Extent, Box]], extent: Extent) -> list[tuple[Extent, Box]]:
    left, top, right, bottom = extent
    return [
        one for one in boxes if one[0][0] <= right and one[0][2] >= left and one[0][1] <= bottom and one[0][3] >= top
    ]


def _extent(box: Box) -> Extent:
    xs, ys = [x for x, _ in box], [y for _, y in box]
    return min(xs), min(ys), max(xs), max(ys)


class Ground:
    """Which province lies where, as far as it has been asked: by spots three units apart."""

    def __init__(self, geometry: BoardGeometry) -> None:
        self.geometry = geometry
        self.sea = {name: province.sea for name, province in geometry.board.provinces.items()}
        self._spots: dict[tuple[int, int], str] = {}
        self._squares: dict[tuple[int, int], list[str]] = {}
        for name in sorted(
            geometry.extents, key=self.sea.__getitem__
        ):  # lands first: a sea has no holes for its islets
            left, top, right, bottom = geometry.extents[name]
            for i in range(int(left // 40), int(right // 40) + 1):
                for j in range(int(top // 40), int(bottom // 40) + 1):
                    self._squares.setdefault((i, j), []).append(name)

    def at(self, x: float, y: float) -> str:
        """The province at a spot; empty for what is off the board."""
        spot = (round(x / 3), round(y / 3))
        found = self._spots.get(spot)
        if found is None:
            x, y = spot[0] * 3.0, spot[1] * 3.0
            here = self._squares.get((int(x // 40), int(y // 40)), ())
            found = self._spots[spot] = next((name for name in here if self.geometry.contains(name, x, y)), "")
        return found

    def under(self, name: str, x: float, y: float, half: float, tall: float) -> tuple[str, float]:
        """On which province the name of another stands, in a box about a point; and what that costs in plainness."""
        ground = self.at(x, y)
        found = {ground, *(self.at(x + half * i / 3, y + tall * j) for i in range(-3, 4) for j in (-1, 0, 1))}
        cost = SHARED * (len(found) - 1)
        if len({self.sea.get(one, False) for one in found}) > 1:
            cost += SHORE
        wet = self.sea.get(ground, False)
        if ground != name and not (wet and self.geometry.board.provinces[name].shore):
            cost += FOREIGN if wet or not self.sea[name] else 3 * FOREIGN  # a sea on dry land
        return ground, cost


def _strip(start: Point, end: Point) -> Box:
    """A line of half a unit's breadth, as a box."""
    length = math.dist(start, end) or 1.0
    nx, ny = 0.5 * (start[1] - end[1]) / length, 0.5 * (end[0] - start[0]) / length
    (ax, ay), (bx, by) = start, end
    return (ax - nx, ay - ny), (bx - nx, by - ny), (bx + nx, by + ny), (ax + nx, ay + ny)


BESIDE_SIZES = (10.0, 9.0, 8.0, 7.5)
FORM, SIZE, LINE = 5.0, 2.2, 1.5
"""What a short form, a unit less of size, and a further line cost a name that stands beside its province, in units of distance."""
SHARED, SHORE, FOREIGN, LED, THROUGH = 14.0, 8.0, 9.0, 4.0, 25.0
"""Likewise a name across a border, and more if it is a shore; on another land, in need of a line to its province; across a ring or a symbol."""
WORST = 60.0
"""A name that would cost more than this is abbreviated."""
TIED = 6.0
"""A name farther than this from its province is tied to it by a line."""


def beside(
    geometry: BoardGeometry, name: str, texts: Sequence[str], taken: Taken, lie: Ground, *, far: bool = False
) -> Label | None:
    """The name beside its province, where it is plainest whose name it is; tied to it by a line where it stands apart or on another land."""
    province = geometry.board.provinces[name]
    face, spacing = ("italic", SEA_SPACING) if province.sea else ("regular", 0.0)
    unit = geometry.sites[name].unit
    ring = geometry.rings.get(name)
    anchor = ring or (*unit, UNIT_R * geometry.sites[name].size)
    pull = 1.0 if ring else 0.4  # a name beside a larger province may be anywhere along it
    flat = Room([[(0, 0), (0, 1), (1, 1)]], [], 0.0)
    reach = 700 if far else 125
    others = _near(taken.boxes, (unit[0] - reach, unit[1] - reach, unit[0] + reach, unit[1] + reach))
    discs = [d for d in geometry.discs if abs(d.x - unit[0]) < reach and abs(d.y - unit[1]) < reach]
    rings = [r for r in geometry.rings.values() if abs(r[0] - unit[0]) < reach and abs(r[1] - unit[1]) < reach]
    best: tuple[float, Label] | None = None
    sizes = SHORT_SIZES[-1:] if far else BESIDE_SIZES
    tries = [
        (SIZE * (sizes[0] - size) + FORM * rank + LINE * (len(lines) - 1), lines, size)
        for rank, text in enumerate(texts)
        for lines in wrappings(text)
        for size in sizes
    ]
    for base, lines, size in sorted(tries, key=lambda way: way[0]):
        half = max(measure(line, face, size, spacing) for line in lines) / 2
        tall = (ASCENT + DESCENT + LEADING * (len(lines) - 1)) * size / 2
        limit = best[0] if best else math.inf if far else WORST
        for x, y, gap in _spiral((anchor[0], anchor[1]), half, tall, anchor[2], 120 if far else 13):
            if base + pull * gap >= limit:
                break
            cost = base + pull * (math.hypot(*_off((x, y), anchor[0], anchor[1], half, tall)) - anchor[2])
            if cost >= limit:
                continue
            if not (half + 4 < x < geometry.width - half - 4 and tall + 4 < y < geometry.height - tall - 4):
                continue
            wide, high = half + 2, tall + 1
            if any(
                abs(d.x - x) < wide + d.r
                and abs(d.y - y) < high + d.r
                and math.hypot(*_off((x, y), d.x, d.y, wide, high)) < d.r
                for d in discs
            ):
                continue
            apart = box_in(flat, x - half - 3, y - tall - 4, x + half + 3, y + tall + 4)
            if any(overlap(apart, other) for _, other in _near(others, _extent(apart))):
                continue
            box = box_in(flat, x - wide, y - high, x + wide, y + high)
            cost += THROUGH * sum(
                abs(r[0] - x) < wide + r[2] + 1 and abs(r[1] - y) < high + r[2] + 1 and _crosses(box, r) for r in rings
            )
            if cost >= limit:
                continue
            ground, more = lie.under(name, x, y, half + 2.5, tall + 2)
            cost += more
            if cost >= limit:
                continue
            label = place_label(name, lines, size, face, (x, y), flat, 0.0, spacing, beside=True)
            if ground != name:
                apart_by, leader = _way_to(geometry, name, x, y, half, tall)
                label = msgspec.structs.replace(label, ground=ground)
                cost += (1 - pull) * apart_by
                if apart_by > (1.0 if province.sea else TIED):
                    strip = _strip(*leader)
                    cost += LED + THROUGH * sum(overlap(strip, other) for _, other in _near(others, _extent(strip)))
                    cost += THROUGH * sum(overlap_disc(strip, d) for d in discs if d.province != name)
                    label = msgspec.structs.replace(label, leader=leader)
            if cost < limit:
                best, limit = (cost, label), cost
    return best[1] if best else None


def _off(middle: Point, x: float, y: float, half: float, tall: float) -> tuple[float, float]:
    """How far a point lies beside, and above or below, a level box about a middle."""
    return max(0.0, abs(middle[0] - x) - half), max(0.0, abs(middle[1] - y) - tall)


def _crosses(box: Box, ring: tuple[float, float, float]) -> bool:
    """Whether a box lies across the line of a circle."""
    x, y, r = ring
    return overlap_disc(box, Disc("ring", "", x, y, r + 0.8)) and any(math.dist(p, (x, y)) > r - 0.8 for p in box)


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
        gap = min(math.hypot(*_off((x, y), px, py, half, tall)) for part in geometry.polygons[name] for px, py in part)
        enter = next((d for d in range(int(away)) if geometry.contains(name, *at(d))), away - 3.0)
        end = at(enter + 3.0)
    return gap, (start, end)


def _spiral(middle: Point, half: float, tall: float, r: float, reach: int) -> Iterator[tuple[float, float, float]]:
    """Middles for a box of these half sizes around a disc, and the least gap, outward, ``reach`` rounds; below and above before beside."""
    for ring in range(reach):
        gap = 1.6 + ring * 2.4 if ring < 12 else 36.0 + (ring - 12) * 6.0
        across, along = half + r + gap, tall + r + gap
        for turn in (0.25, 0.75, 0.0, 0.5, 0.125, 0.375, 0.625, 0.875, 0.2, 0.3, 0.7, 0.8, 0.05, 0.45, 0.55, 0.95):
            x, y = math.cos(2 * math.pi * turn), math.sin(2 * math.pi * turn)
            stretch = min(1 / max(1e-9, abs(x)), 1 / max(1e-9, abs(y))) if ring < 12 else 1.0
            yield middle[0] + across * x * min(stretch, 1.3), middle[1] + along * y * min(stretch, 1.3), gap
