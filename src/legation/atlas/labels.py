"""Names on the map: each inside its province, straight, on two lines, slanted or curved along it, else abbreviated; none overlaps anything.

Widths come from the map font's own table, so the layout needs no font library. The room inside a province is measured with scan lines: rows of the
outline (turned, for slanted names), less the places of units and centers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from legation.atlas.plate import Disc, Plate, Point, Ring, ring_area

ASCENT = 0.68
DESCENT = 0.22
LEADING = 0.92
"""Heights above and below the base line and the line spacing, in font sizes."""

STEP = 1.5
LAND_SIZES = (20.0, 18.0, 16.0, 14.0, 12.5, 11.0, 10.0, 9.0, 8.0)
SEA_SIZES = (34.0, 29.0, 25.0, 22.0, 19.0, 17.0, 15.0, 13.0, 11.5, 10.0, 9.0, 8.0)
SHORT_SIZES = (9.5, 8.5, 7.5)
SEA_SPACING = 0.06
"""Extra space between the letters of seas, in font sizes."""
NEAR, FAR = 25.0, 14.0
"""A name may stand this many units from its wished place; each further ``FAR`` units weigh as much as a font size."""

Box = tuple[Point, Point, Point, Point]
Span = tuple[float, float]


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """A placed name: its lines, the middle of each base line (``curve``: the base line itself as a quadratic curve), angle in degrees, boxes it covers.

    ``leader`` runs from the label to its province where the label had to stand outside.
    """

    province: str
    lines: tuple[str, ...]
    size: float
    face: str
    at: tuple[Point, ...]
    angle: float = 0.0
    curve: tuple[Point, Point, Point] | None = None
    leader: tuple[Point, Point] | None = None
    boxes: tuple[Box, ...] = ()
    short: bool = False
    beside: bool = False
    """Whether it stands beside its place, across whatever is drawn there."""
    ground: str = ""
    """The province on which the name is printed; empty where that is its own."""

    @property
    def middle(self) -> Point:
        """The middle of its lines."""
        return sum(x for x, _ in self.at) / len(self.at), sum(y for _, y in self.at) / len(self.at)


@cache
def advances(face: str) -> Mapping[str, int]:
    """The width of each character of a face (``regular``, ``italic``, ``bold``) in thousandths of the font size."""
    table: dict[str, dict[str, int]] = json.loads(
        files("legation.atlas.fonts").joinpath("advances.json").read_text("utf-8")
    )
    return table[face]


def measure(text: str, face: str, size: float, spacing: float = 0.0) -> float:
    """The width of a text; unknown characters count as wide ones. ``spacing`` is extra space per letter, in font sizes."""
    table = advances(face)
    return (sum(table.get(c, 700) for c in text) / 1000 + spacing * max(0, len(text) - 1)) * size


class _Room:
    """The rows of a province turned by an angle about the origin, in which boxes are sought."""

    def __init__(self, polygon: list[Ring], discs: list[Disc], angle: float) -> None:
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
            self.rows.append(
                [(row[i] + 1.2, row[i + 1] - 1.2) for i in range(0, len(row) - 1, 2) if row[i + 1] - row[i] > 4]
            )
        for disc in discs:
            x, y = self.turn((disc.x, disc.y))
            r = disc.r + 0.8
            for i in range(
                max(0, int((y - r - self.top) / self.step)), min(count, int((y + r - self.top) / self.step) + 2)
            ):
                half = math.sqrt(max(0.0, r * r - (self.top + i * self.step - y) ** 2))
                if half:
                    self.rows[i] = _without(self.rows[i], x - half, x + half)
        self._bands: dict[int, list[list[Span]]] = {}
        self._columns: list[tuple[float, float, float]] | None = None

    def turn(self, p: Point) -> Point:
        """A point of the map in the turned frame."""
        return p[0] * self.cos + p[1] * self.sin, p[1] * self.cos - p[0] * self.sin

    def back(self, p: Point) -> Point:
        """A point of the turned frame on the map."""
        return p[0] * self.cos - p[1] * self.sin, p[1] * self.cos + p[0] * self.sin

    def bands(self, height: int) -> list[list[Span]]:
        """For each first row, what is free through ``height`` rows."""
        found = self._bands.get(height)
        if found is None:
            found = []
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
                found.append(free)
            self._bands[height] = found
        return found

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

    def columns(self) -> list[tuple[float, float, float]]:
        """Upright cuts through the widest part: x, top, bottom of the longest free stretch, every two steps."""
        if self._columns is None:
            self._columns = self._cut_upright()
        return self._columns

    def _cut_upright(self) -> list[tuple[float, float, float]]:
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


def _wrappings(name: str) -> list[tuple[str, ...]]:
    """A name on one line, then on two and three, split as evenly as its words allow."""
    words = name.split(" ")
    ways: list[tuple[str, ...]] = [(name,)]
    if len(words) >= 2:
        splits = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
        ways.append(min(splits, key=lambda s: max(map(len, s))))
    if len(words) >= 3:
        triples = [
            (" ".join(words[:i]), " ".join(words[i:j]), " ".join(words[j:]))
            for i in range(1, len(words) - 1)
            for j in range(i + 1, len(words))
        ]
        ways.append(min(triples, key=lambda s: max(map(len, s))))
    return ways


def lay_out(plate: Plate) -> dict[str, Label]:
    """A label for every province of the board; the same board always gives the same labels."""
    labels: dict[str, Label] = {}
    homeless: list[str] = []
    for name, province in plate.board.provinces.items():
        polygon = plate.polygons[name]
        xs = [x for ring in polygon for x, _ in ring]
        ys = [y for ring in polygon for _, y in ring]
        discs = [
            d for d in plate.discs if min(xs) - d.r <= d.x <= max(xs) + d.r and min(ys) - d.r <= d.y <= max(ys) + d.r
        ]
        label = _inside(plate, name, province.name, discs, sea=province.sea)
        if label is None:
            homeless.append(name)
        else:
            labels[name] = label
    taken = {name: label.boxes for name, label in labels.items()}
    for name in homeless:
        label = _outside(plate, name, taken)
        assert label is not None, f"no room for {name}"
        labels[name], taken[name] = label, label.boxes
    for name, label in labels.items():  # on a shore, the whole name on the water says more than its letters on the land
        province = plate.board.provinces[name]
        if label.short and province.shore and province.name != label.lines[0]:
            del taken[name]
            labels[name] = _outside(plate, name, taken, on_water=True) or label
            taken[name] = labels[name].boxes
    return labels


def _inside(plate: Plate, name: str, text: str, discs: list[Disc], *, sea: bool) -> Label | None:
    site = plate.sites[name]
    face, spacing = ("italic", SEA_SPACING) if sea else ("regular", 0.0)
    rooms: dict[float, _Room] = {}
    angle = (site.angle + 90) % 180 - 90
    angles = [0.0] if abs(angle) < 8 else [0.0, angle]

    # keep clear of the frame
    frame = 7.0
    right, bottom = plate.width - frame, plate.height - frame
    clear = [
        [(min(right, max(frame, x)), min(bottom, max(frame, y))) for x, y in ring] for ring in plate.polygons[name]
    ]

    def room(angle: float) -> _Room:
        if angle not in rooms:
            rooms[angle] = _Room(clear, discs, angle)
        return rooms[angle]

    def straight(lines: tuple[str, ...], size: float, angle: float, *, short: bool = False) -> Label | None:
        width = max(measure(line, face, size, spacing) for line in lines) + 1
        height = (ASCENT + DESCENT + LEADING * (len(lines) - 1)) * size
        at = room(angle).fit(width, height, room(angle).turn(site.label))
        if at is None:
            return None
        return _label(name, lines, size, face, at, room(angle), angle, spacing, short=short)

    ways = _wrappings(text)
    # larger lands have larger letters, within reason
    ceiling = math.sqrt(max((abs(ring_area(ring)) for ring in plate.polygons[name]), default=0.0)) / (
        7.0 if sea else 5.5
    )
    sizes = [size for size in (SEA_SIZES if sea else LAND_SIZES) if size <= max(ceiling, 13.0)]
    good = 10.0 if sea else 9.0
    lying = [turn for turn in angles if abs(turn) <= 55]
    best: tuple[float, Label] | None = None
    for size in (s for s in sizes if s >= good):
        if best is not None and size < best[0]:
            break
        for lines in ways:
            if label := straight(lines, size, 0.0):
                # a smaller name where it belongs is better than a larger one in a corner
                worth = size - max(0.0, math.dist(label.middle, site.label) - NEAR) / FAR
                if best is None or worth > best[0]:
                    best = (worth, label)
                break
        if size <= 12.5 and best is None:
            for turn in lying[1:]:
                if label := _curved(name, text, size, face, spacing, room(turn), turn) or straight(ways[0], size, turn):
                    return label
    if best is not None:
        return best[1]
    for turns in (lying, angles):
        for size in (s for s in sizes if s < (good if turns is lying else 10.5)):
            for turn in turns:
                if label := _curved(name, text, size, face, spacing, room(turn), turn):
                    return label
                for lines in ways:
                    if label := straight(lines, size, turn):
                        return label
    for size in SHORT_SIZES:
        for turn in angles:
            if label := straight((abbreviation(name, sea=sea),), size, turn, short=True):
                return label
    return None


def abbreviation(province: str, *, sea: bool) -> str:
    """How a province is lettered where its name has no room: ``Par``, ``NTH``."""
    return province.upper() if sea else province.capitalize()


def _label(
    name: str,
    lines: tuple[str, ...],
    size: float,
    face: str,
    middle: Point,
    room: _Room,
    angle: float,
    spacing: float,
    *,
    short: bool = False,
    beside: bool = False,
) -> Label:
    height = (ASCENT + DESCENT + LEADING * (len(lines) - 1)) * size
    base = middle[1] - height / 2 + ASCENT * size
    at = []
    boxes = []
    for i, line in enumerate(lines):
        y = base + i * LEADING * size
        half = measure(line, face, size, spacing) / 2
        at.append(room.back((middle[0], y)))
        boxes.append(_box(room, middle[0] - half, y - ASCENT * size, middle[0] + half, y + DESCENT * size))
    return Label(
        province=name,
        lines=lines,
        size=size,
        face=face,
        at=tuple(at),
        angle=angle,
        boxes=tuple(boxes),
        short=short,
        beside=beside,
    )


def _box(room: _Room, left: float, top: float, right: float, bottom: float) -> Box:
    return room.back((left, top)), room.back((right, top)), room.back((right, bottom)), room.back((left, bottom))


def _curved(name: str, text: str, size: float, face: str, spacing: float, room: _Room, angle: float) -> Label | None:
    """The name along the middle line of a bent province, as a parabola in the turned frame."""
    columns = room.columns()
    width = measure(text, face, size, spacing) + 2
    need = (ASCENT + DESCENT) * size
    if len(columns) < 8 or columns[-1][0] - columns[0][0] < width:
        return None
    best: tuple[float, int, int, tuple[float, float, float]] | None = None
    j = 0
    for i in range(0, len(columns), 2):
        while j < len(columns) and columns[j][0] - columns[i][0] < width:
            j += 1
        if j >= len(columns):
            break
        window = columns[i : j + 1]
        if window[-1][0] - window[0][0] > width + 4 * room.step or min(y1 - y0 for _, y0, y1 in window) < need:
            continue
        fitted = _parabola([(x, (y0 + y1) / 2) for x, y0, y1 in window])
        if fitted is None or abs(2 * fitted[2] * width) > 0.9:  # bent too sharply to read
            continue
        a, b, c = fitted
        spare = (
            min(min(a + b * x + c * x * x - y0, y1 - a - b * x - c * x * x) for x, y0, y1 in window) - need / 2 - 0.6
        )
        if spare >= 0 and (best is None or spare > best[0]):
            best = (spare, i, j, fitted)
    if best is None:
        return None
    a, b, c = best[3]
    left = (columns[best[1]][0] + columns[best[2]][0] - width) / 2
    drop = (ASCENT - DESCENT) / 2 * size

    x0, x1 = left, left + width
    control = ((x0 + x1) / 2, a + b * (x0 + x1) / 2 + c * x0 * x1)  # where the tangents of a parabola meet
    curve = tuple(
        room.back((x, y + drop)) for x, y in ((x0, a + b * x0 + c * x0 * x0), control, (x1, a + b * x1 + c * x1 * x1))
    )
    boxes = []
    parts = max(3, len(text) // 2)
    for k in range(parts):
        u0, u1 = x0 + (x1 - x0) * k / parts, x0 + (x1 - x0) * (k + 1) / parts
        y0, y1 = a + b * u0 + c * u0 * u0 + drop, a + b * u1 + c * u1 * u1 + drop
        up, down = ASCENT * size, DESCENT * size
        boxes.append(
            (room.back((u0, y0 - up)), room.back((u1, y1 - up)), room.back((u1, y1 + down)), room.back((u0, y0 + down)))
        )
    middle = (x0 + x1) / 2
    at = (room.back((middle, a + b * middle + c * middle * middle + drop)),)
    return Label(
        province=name,
        lines=(text,),
        size=size,
        face=face,
        at=at,
        angle=angle,
        curve=(curve[0], curve[1], curve[2]),
        boxes=tuple(boxes),
    )


def _parabola(points: list[Point]) -> tuple[float, float, float] | None:
    """Least squares y = a + b x + c x^2; None for points that do not decide it."""
    middle = sum(x for x, _ in points) / len(points)
    s = [sum((x - middle) ** k for x, _ in points) for k in range(5)]
    t = [sum(y * (x - middle) ** k for x, y in points) for k in range(3)]
    m = [[s[0], s[1], s[2]], [s[1], s[2], s[3]], [s[2], s[3], s[4]]]

    def determinant(m: list[list[float]]) -> float:
        return (
            m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
            - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
        )

    whole = determinant(m)
    if abs(whole) < 1e-9:
        return None
    a, b, c = (
        determinant([[t[i] if k == column else m[i][k] for k in range(3)] for i in range(3)]) / whole
        for column in range(3)
    )
    return a - b * middle + c * middle * middle, b - 2 * c * middle, c


def _outside(plate: Plate, name: str, taken: Mapping[str, Sequence[Box]], *, on_water: bool = False) -> Label | None:
    """The name beside its province, else the abbreviation as near as there is a free place, tied to it by a line where it stands apart.

    ``on_water``: the name, close by and on the water, or nothing.
    """
    province = plate.board.provinces[name]
    face, spacing = ("italic", SEA_SPACING) if province.sea else ("regular", 0.0)
    unit = plate.sites[name].unit
    flat = _Room([[(0, 0), (0, 1), (1, 1)]], [], 0.0)
    others = [box for boxes in taken.values() for box in boxes]
    discs = [d for d in plate.discs if abs(d.x - unit[0]) < 120 and abs(d.y - unit[1]) < 120]
    short = (abbreviation(name, sea=province.sea),)
    sizes = SHORT_SIZES if on_water else SHORT_SIZES[-1:]
    tries = [(way, 9, size) for size in sizes for way in _wrappings(province.name)]
    for lines, reach, size in tries if on_water else [*tries, (short, 120, SHORT_SIZES[-1])]:
        half = max(measure(line, face, size, spacing) for line in lines) / 2
        tall = (ASCENT + DESCENT + LEADING * (len(lines) - 1)) * size / 2
        for x, y in _spiral(unit, half, tall, reach):
            if not (half + 2 < x < plate.width - half - 2 and tall + 2 < y < plate.height - tall - 2):
                continue
            box = _box(flat, x - half - 0.8, y - tall - 0.3, x + half + 0.8, y + tall + 0.3)
            near = discs if math.dist((x, y), unit) < 60 else plate.discs
            if any(overlap_disc(box, d) for d in near if abs(d.x - x) < half + 20 and abs(d.y - y) < tall + 20):
                continue
            if any(
                overlap(box, other) for other in others if abs(other[0][0] - x) < 400 and abs(other[0][1] - y) < 400
            ):
                continue
            label = _label(name, lines, size, face, (x, y), flat, 0.0, spacing, short=lines == short, beside=True)
            if on_water:
                ground = _water_under(plate, name, x, y, half, tall)
                if not ground:
                    continue
                return msgspec.structs.replace(label, ground=ground)
            if plate.contains(name, x, y):
                return label
            grounds = (p for p in plate.board.provinces if p != name and plate.contains(p, x, y))
            label = msgspec.structs.replace(label, ground=next(grounds, ""))
            gap = math.hypot(max(0.0, abs(x - unit[0]) - half), max(0.0, abs(y - unit[1]) - tall))
            if gap < 16:
                return label
            away = math.dist((x, y), unit)
            start = (min(max(unit[0], x - half), x + half), min(max(unit[1], y - tall), y + tall))
            r = plate.sites[name].size * 9
            end = (unit[0] + (x - unit[0]) * r / away, unit[1] + (y - unit[1]) * r / away)
            return msgspec.structs.replace(label, leader=(start, end))
    return None


def _water_under(plate: Plate, name: str, x: float, y: float, half: float, tall: float) -> str:
    """The sea on which a box about a point stands, if it stands on water throughout and the province is the nearest land; else nothing."""
    wide, high = half + 5, tall + 5
    near = [
        (p, plate.board.provinces[p].sea)
        for p, (left, top, right, bottom) in plate.extents.items()
        if left <= x + wide and right >= x - wide and top <= y + high and bottom >= y - high
    ]
    found = ""
    for i in range(-4, 5):
        for j in (-1, 0, 1):
            found = next((p for p, sea in near if sea and plate.contains(p, x + half * i / 4, y + tall * j)), "")
            if not found:
                return ""
            spot = (x + wide * i / 4, y + high * j)
            if any(p != name and not sea and plate.contains(p, *spot) for p, sea in near):
                return ""
    return found


def _spiral(middle: Point, half: float, tall: float, reach: int) -> Iterator[Point]:
    """Middles for a box of these half sizes about a point, outward, ``reach`` rings; below and above before beside."""
    for ring in range(reach):
        gap = 6.0 + ring * 2.5 if ring < 12 else 6.0 + 30.0 + (ring - 12) * 6.0
        across, along = half + gap, tall + gap
        for turn in (0.25, 0.75, 0.0, 0.5, 0.125, 0.375, 0.625, 0.875, 0.2, 0.3, 0.7, 0.8, 0.05, 0.45, 0.55, 0.95):
            x, y = math.cos(2 * math.pi * turn), math.sin(2 * math.pi * turn)
            stretch = min(1 / max(1e-9, abs(x)), 1 / max(1e-9, abs(y))) if ring < 12 else 1.0
            yield middle[0] + across * x * min(stretch, 1.3), middle[1] + along * y * min(stretch, 1.3)


def overlap(a: Box, b: Box) -> bool:
    """Whether two convex four-sided boxes overlap (separating axes)."""
    for one, other in ((a, b), (b, a)):
        for i in range(4):
            (px, py), (qx, qy) = one[i], one[(i + 1) % 4]
            nx, ny = qy - py, px - qx
            first = [nx * x + ny * y for x, y in one]
            second = [nx * x + ny * y for x, y in other]
            if max(first) <= min(second) + 1e-9 or max(second) <= min(first) + 1e-9:
                return False
    return True


def overlap_disc(box: Box, disc: Disc) -> bool:
    """Whether a convex box overlaps a disc."""
    inside = True
    sign = 0.0
    for i in range(4):
        (px, py), (qx, qy) = box[i], box[(i + 1) % 4]
        dx, dy = qx - px, qy - py
        length = dx * dx + dy * dy or 1e-9
        t = min(1.0, max(0.0, ((disc.x - px) * dx + (disc.y - py) * dy) / length))
        if math.hypot(disc.x - px - t * dx, disc.y - py - t * dy) < disc.r:
            return True
        side = dx * (disc.y - py) - dy * (disc.x - px)
        if sign == 0.0:
            sign = side
        elif side * sign < 0:
            inside = False
    return inside
