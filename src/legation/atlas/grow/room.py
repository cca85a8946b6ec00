"""Room inside an outline: scan lines of the outline (turned, for slanted names), less the places of units and
centers."""

import math
from functools import cached_property

from legation.atlas.letters import ASCENT, DESCENT, LEADING, Box, Label, height_of, width_of
from legation.atlas.lines import Point, Ring
from legation.atlas.sites import Disc

STEP = 1.5
Span = tuple[float, float]


class Room:
    """The rows of a province turned by an angle about the origin, in which boxes are sought."""

    def __init__(self, polygon: list[Ring], discs: list[Disc], angle: float, margin: float = 1.2) -> None:
        self.angle = angle
        self.cos, self.sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        rings = polygon if angle == 0 else [[self.turn(p) for p in ring] for ring in polygon]
        ys = [y for ring in rings for _, y in ring]
        self.step = step = min(6.0, max(STEP, (max(ys) - min(ys)) / 70))
        self.top = math.floor(min(ys) / step) * step
        count = int((max(ys) - self.top) / self.step) + 2
        cuts: list[list[float]] = [[] for _ in range(count)]
        for ring in rings:
            ax, ay = ring[-1]
            for bx, by in ring:
                if ay != by:
                    (x0, y0), (x1, y1) = ((ax, ay), (bx, by)) if ay < by else ((bx, by), (ax, ay))
                    slope = (x1 - x0) / (y1 - y0)
                    first = math.ceil((y0 - self.top) / self.step)
                    y = self.top + first * self.step
                    while y < y1:
                        cuts[first].append(x0 + slope * (y - y0))
                        first += 1
                        y += self.step
                ax, ay = bx, by
        self.rows: list[list[Span]] = []
        for row in cuts:
            row.sort()
            pairs = zip(row[::2], row[1::2], strict=False)
            self.rows.append([(a + margin, b - margin) for a, b in pairs if b - a > 2 * margin + 1.6])
        for disc in discs:
            x, y = self.turn((disc.x, disc.y))
            r = disc.r + 0.8
            first, last = int((y - r - self.top) / step), int((y + r - self.top) / step)
            for i in range(max(0, first), min(count, last + 2)):
                half = math.sqrt(max(0.0, r * r - (self.top + i * self.step - y) ** 2))
                if half:
                    self.rows[i] = _without(self.rows[i], x - half, x + half)
        self._bands: dict[int, list[list[Span]]] = {}

    def turn(self, p: Point) -> Point:
        """A point of the map in the turned frame."""
        return p[0] * self.cos + p[1] * self.sin, p[1] * self.cos - p[0] * self.sin

    def back(self, p: Point) -> Point:
        """A point of the turned frame on the map."""
        return p[0] * self.cos - p[1] * self.sin, p[1] * self.cos + p[0] * self.sin

    def bands(self, height: int) -> list[list[Span]]:
        """For each first row, what is free through ``height`` rows."""
        bands = self._bands.get(height)
        if bands is None:
            bands = []
            for i in range(len(self.rows) - height + 1):
                free = self.rows[i]
                for row in self.rows[i + 1 : i + height]:
                    if not free:
                        break
                    if len(free) == 1 and len(row) == 1:  # the common case, and the quick one
                        (a, b), (c, d) = free[0], row[0]
                        low, high = (a if a > c else c), (b if b < d else d)
                        free = [(low, high)] if high - low > 4 else []
                    else:
                        both: list[Span] = []
                        for a, b in free:
                            for c, d in row:
                                low, high = (a if a > c else c), (b if b < d else d)
                                if high - low > 4:
                                    both.append((low, high))
                        free = both
                bands.append(free)
            self._bands[height] = bands
        return bands

    def fit(self, width: float, height: float, wish: Point) -> Point | None:
        """The middle of a free box as near as may be to the wish (all in the turned frame)."""
        count = math.ceil(height / self.step) + 1
        best: tuple[float, Point] | None = None
        for i, spans in enumerate(self.bands(count)):
            y = self.top + i * self.step + (count - 1) * self.step / 2
            for a, b in spans:
                if b - a < width:
                    continue
                x = min(max(wish[0], a + width / 2), b - width / 2)
                slack = min(6.0, (b - a - width) / 2)
                x = min(max(x, a + width / 2 + slack), b - width / 2 - slack)
                cost = math.hypot(x - wish[0], 1.3 * (y - wish[1])) - 1.5 * slack
                if best is None or cost < best[0]:
                    best = (cost, (x, y))
        return best[1] if best else None

    @cached_property
    def columns(self) -> list[tuple[float, float, float]]:
        """Upright cuts through the widest part: x, top, bottom of the longest free stretch, every two steps."""
        lows = [a for row in self.rows for a, _ in row]
        if not lows:
            return []
        left, right = min(lows), max(b for row in self.rows for _, b in row)
        pace = 2 * self.step
        count = int((right - left) / pace) + 1
        run = [0] * count  # rows free so far, going down
        best = [(0, 0)] * count
        for i, row in enumerate(self.rows):
            inside = [False] * count
            for a, b in row:
                for k in range(math.ceil((a - left) / pace), min(count, int((b - left) / pace) + 1)):
                    inside[k] = True
            for k, yes in enumerate(inside):
                run[k] = run[k] + 1 if yes else 0
                if run[k] > best[k][1]:
                    best[k] = (i, run[k])
        return [
            (left + k * pace, self.top + (last - length + 1) * self.step, self.top + last * self.step)
            for k, (last, length) in enumerate(best)
            if length >= 4
        ]


def _without(spans: list[Span], low: float, high: float) -> list[Span]:
    out: list[Span] = []
    for a, b in spans:
        if high <= a or low >= b:
            out.append((a, b))
            continue
        if low - a > 4:
            out.append((a, low))
        if b - high > 4:
            out.append((high, b))
    return out


def place_label(
    name: str, lines: tuple[str, ...], size: float, face: str, middle: Point, room: Room, *, beside: bool = False
) -> Label:
    """A label whose lines stand about a middle in the turned frame of a room."""
    x, base = middle[0], middle[1] - height_of(lines, size) / 2 + ASCENT * size
    at, boxes = [], []
    for i, line in enumerate(lines):
        y, half = base + i * LEADING * size, width_of([line], face, size) / 2
        at.append(room.back((x, y)))
        boxes.append(box_in(room, x - half, y - ASCENT * size, x + half, y + DESCENT * size))
    placed, covers = tuple(at), tuple(boxes)
    return Label(
        province=name, lines=lines, size=size, face=face, at=placed, angle=room.angle, boxes=covers, beside=beside
    )


def box_in(room: Room, left: float, top: float, right: float, bottom: float) -> Box:
    """A level box of the turned frame of a room, as it lies on the map."""
    return room.back((left, top)), room.back((right, top)), room.back((right, bottom)), room.back((left, bottom))
