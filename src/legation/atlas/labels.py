"""Names on the map: each inside its province, straight, on two lines, slanted or curved along it, else abbreviated; none overlaps anything.

Widths come from the map font's own table, so the layout needs no font library. The room inside a province is measured with scan lines: rows of the
outline (turned, for slanted names), less the places of units and centers.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from legation.atlas.plate import UNIT_R, Disc, Plate, Point, Ring, ring_area
from legation.board import Board
from legation.board.spelling import fold

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

    def __init__(self, polygon: list[Ring], discs: list[Disc], angle: float, margin: float = 1.2) -> None:
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
                [
                    (row[i] + margin, row[i + 1] - margin)
                    for i in range(0, len(row) - 1, 2)
                    if row[i + 1] - row[i] > 2 * margin + 1.6
                ]
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


def forms(board: Board) -> dict[str, list[str]]:
    """What may be lettered for each province, best first: its name, then those of its aliases that are parts of it and mean no other place."""
    everything = Counter(
        folded for p in board.provinces.values() for folded in {fold(name) for name in (p.name, *p.aliases)}
    )
    found = {}
    for province in board.provinces.values():
        words = _words(province.name)
        short = (
            alias
            for alias in province.aliases
            if 4 <= len(alias) < len(province.name) and everything[fold(alias)] == 1 and _part(_words(alias), words)
        )
        found[province.id] = [province.name, *short]
    return found


def _words(name: str) -> list[str]:
    return name.replace("-", " ").split(" ")


def _part(words: list[str], whole: list[str]) -> bool:
    """Whether these words stand in a name, in its order; one of several stands there in the plural."""
    rest = iter(whole)
    return all(any(there in (word, word + "s") for there in rest) for word in words)


def lay_out(plate: Plate) -> dict[str, Label]:
    """A label for every province of the board; the same board always gives the same labels."""
    labels: dict[str, Label] = {}
    homeless: list[str] = []
    texts = forms(plate.board)

    def within(name: str, texts: Sequence[str], sizes: Sequence[float] = ()) -> Label | None:
        left, top, right, bottom = plate.extents[name]
        discs = [
            d for d in plate.discs if left - d.r <= d.x <= right + d.r and top - d.r <= d.y <= bottom + d.r
        ] + plate.islets.get(name, [])
        for text in texts:
            if label := _inside(plate, name, text, discs, sizes):
                return label
        return None

    for name in plate.board.provinces:
        if label := within(name, texts[name]):
            labels[name] = label
        else:
            homeless.append(name)
    taken, lie = _Taken(labels.values()), _Ground(plate)
    for name in homeless:
        code = abbreviation(name, sea=plate.board.provinces[name].sea)
        label = (
            _outside(plate, name, texts[name], taken, lie)
            or within(name, [code], SHORT_SIZES)
            or _outside(plate, name, [code], taken, lie, far=True)
        )
        assert label is not None, f"no room for {name}"
        if label.lines == (code,) and code not in texts[name]:
            label = msgspec.structs.replace(label, short=True)
        labels[name] = label
        taken.add(label)
    return labels


def _inside(plate: Plate, name: str, text: str, discs: list[Disc], sizes: Sequence[float] = ()) -> Label | None:
    """A text within its province, in one of the ``sizes`` (else in those usual for land or sea); None where it has no room."""
    site = plate.sites[name]
    sea = plate.board.provinces[name].sea
    face, spacing = ("italic", SEA_SPACING) if sea else ("regular", 0.0)
    rooms: dict[tuple[float, bool], _Room] = {}
    angle = (site.angle + 90) % 180 - 90
    angles = [0.0] if abs(angle) < 8 else [0.0, angle]

    # keep clear of the frame
    frame = 7.0
    right, bottom = plate.width - frame, plate.height - frame
    clear = [
        [(min(right, max(frame, x)), min(bottom, max(frame, y))) for x, y in ring] for ring in plate.polygons[name]
    ]

    def room(angle: float, size: float) -> _Room:
        wide = sea and size >= 10  # the larger names of seas keep off the shores
        if (angle, wide) not in rooms:
            rooms[angle, wide] = _Room(clear, discs, angle, 4.0 if wide else 1.2)
        return rooms[angle, wide]

    def straight(lines: tuple[str, ...], size: float, angle: float) -> Label | None:
        width = max(measure(line, face, size, spacing) for line in lines) + 1
        height = (ASCENT + DESCENT + LEADING * (len(lines) - 1)) * size
        ground = room(angle, size)
        at = ground.fit(width, height, ground.turn(site.label))
        return None if at is None else _label(name, lines, size, face, at, ground, angle, spacing)

    ways = _wrappings(text)
    if sizes:
        return next((label for size in sizes for turn in angles if (label := straight(ways[0], size, turn))), None)
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
                if label := _curved(name, text, size, face, spacing, room(turn, size), turn) or straight(
                    ways[0], size, turn
                ):
                    return label
    if best is not None:
        return best[1]
    for turns in (lying, angles):
        for size in (s for s in sizes if s < (good if turns is lying else 10.5)):
            for turn in turns:
                if label := _curved(name, text, size, face, spacing, room(turn, size), turn):
                    return label
                for lines in ways:
                    if label := straight(lines, size, turn):
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


Extent = tuple[float, float, float, float]
"""Left, top, right and bottom."""


class _Taken:
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


class _Ground:
    """Which province lies where, as far as it has been asked: by spots three units apart."""

    def __init__(self, plate: Plate) -> None:
        self.plate = plate
        self.sea = {name: province.sea for name, province in plate.board.provinces.items()}
        self._spots: dict[tuple[int, int], str] = {}
        self._squares: dict[tuple[int, int], list[str]] = {}
        for name in sorted(plate.extents, key=self.sea.__getitem__):  # lands first: a sea has no holes for its islets
            left, top, right, bottom = plate.extents[name]
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
            found = self._spots[spot] = next((name for name in here if self.plate.contains(name, x, y)), "")
        return found

    def under(self, name: str, x: float, y: float, half: float, tall: float) -> tuple[str, float]:
        """On which province the name of another stands, in a box about a point; and what that costs in plainness."""
        ground = self.at(x, y)
        found = {ground, *(self.at(x + half * i / 3, y + tall * j) for i in range(-3, 4) for j in (-1, 0, 1))}
        cost = SHARED * (len(found) - 1)
        if len({self.sea.get(one, False) for one in found}) > 1:
            cost += SHORE
        wet = self.sea.get(ground, False)
        if ground != name and not (wet and self.plate.board.provinces[name].shore):
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


def _outside(
    plate: Plate, name: str, texts: Sequence[str], taken: _Taken, lie: _Ground, *, far: bool = False
) -> Label | None:
    """The name beside its province, where it is plainest whose name it is; tied to it by a line where it stands apart or on another land."""
    province = plate.board.provinces[name]
    face, spacing = ("italic", SEA_SPACING) if province.sea else ("regular", 0.0)
    unit = plate.sites[name].unit
    ring = plate.rings.get(name)
    anchor = ring or (*unit, UNIT_R * plate.sites[name].size)
    pull = 1.0 if ring else 0.4  # a name beside a larger province may be anywhere along it
    flat = _Room([[(0, 0), (0, 1), (1, 1)]], [], 0.0)
    reach = 700 if far else 125
    others = _near(taken.boxes, (unit[0] - reach, unit[1] - reach, unit[0] + reach, unit[1] + reach))
    discs = [d for d in plate.discs if abs(d.x - unit[0]) < reach and abs(d.y - unit[1]) < reach]
    rings = [r for r in plate.rings.values() if abs(r[0] - unit[0]) < reach and abs(r[1] - unit[1]) < reach]
    best: tuple[float, Label] | None = None
    sizes = SHORT_SIZES[-1:] if far else BESIDE_SIZES
    tries = [
        (SIZE * (sizes[0] - size) + FORM * rank + LINE * (len(lines) - 1), lines, size)
        for rank, text in enumerate(texts)
        for lines in _wrappings(text)
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
            if not (half + 4 < x < plate.width - half - 4 and tall + 4 < y < plate.height - tall - 4):
                continue
            wide, high = half + 2, tall + 1
            if any(
                abs(d.x - x) < wide + d.r
                and abs(d.y - y) < high + d.r
                and math.hypot(*_off((x, y), d.x, d.y, wide, high)) < d.r
                for d in discs
            ):
                continue
            apart = _box(flat, x - half - 3, y - tall - 4, x + half + 3, y + tall + 4)
            if any(overlap(apart, other) for _, other in _near(others, _extent(apart))):
                continue
            box = _box(flat, x - wide, y - high, x + wide, y + high)
            cost += THROUGH * sum(
                abs(r[0] - x) < wide + r[2] + 1 and abs(r[1] - y) < high + r[2] + 1 and _crosses(box, r) for r in rings
            )
            if cost >= limit:
                continue
            ground, more = lie.under(name, x, y, half + 2.5, tall + 2)
            cost += more
            if cost >= limit:
                continue
            label = _label(name, lines, size, face, (x, y), flat, 0.0, spacing, beside=True)
            if ground != name:
                apart_by, leader = _way_to(plate, name, x, y, half, tall)
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


def _way_to(plate: Plate, name: str, x: float, y: float, half: float, tall: float) -> tuple[float, tuple[Point, Point]]:
    """How far a level box about a point is from its province, and the line from it that leads a little way in."""
    ring = plate.rings.get(name)
    goal = (ring[0], ring[1]) if ring else plate.sites[name].unit
    start = (min(max(goal[0], x - half), x + half), min(max(goal[1], y - tall), y + tall))
    away = math.dist(start, goal) or 1.0

    def at(distance: float) -> Point:
        return start[0] + (goal[0] - start[0]) * distance / away, start[1] + (goal[1] - start[1]) * distance / away

    if ring:
        gap = away - ring[2]
        end = at(gap)
    else:
        gap = min(math.hypot(*_off((x, y), px, py, half, tall)) for part in plate.polygons[name] for px, py in part)
        enter = next((d for d in range(int(away)) if plate.contains(name, *at(d))), away - 3.0)
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
