"""The layout of all names: each inside its province, straight, on several lines, slanted or curved along it, else beside it, else abbreviated; none overlaps anything."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import msgspec

from legation.atlas.geometry import BoardGeometry, Disc, Point, ring_area
from legation.atlas.letters import (
    ASCENT,
    DESCENT,
    LEADING,
    SEA_SPACING,
    SHORT_SIZES,
    Label,
    abbreviation,
    measure,
    wrappings,
)
from legation.atlas.outside import Ground, Taken, beside
from legation.atlas.room import Room, place_label
from legation.board import Board
from legation.board.spelling import fold

LAND_SIZES = (20.0, 18.0, 16.0, 14.0, 12.5, 11.0, 10.0, 9.0, 8.0)
SEA_SIZES = (34.0, 29.0, 25.0, 22.0, 19.0, 17.0, 15.0, 13.0, 11.5, 10.0, 9.0, 8.0)
NEAR, FAR = 25.0, 14.0
"""A name may stand this many units from its wished place; each further ``FAR`` units weigh as much as a font size."""


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


def lay_out(geometry: BoardGeometry) -> dict[str, Label]:
    """A label for every province of the board; the same board always gives the same labels."""
    labels: dict[str, Label] = {}
    homeless: list[str] = []
    texts = forms(geometry.board)

    def within(name: str, texts: Sequence[str], sizes: Sequence[float] = ()) -> Label | None:
        left, top, right, bottom = geometry.extents[name]
        discs = [
            d for d in geometry.discs if left - d.r <= d.x <= right + d.r and top - d.r <= d.y <= bottom + d.r
        ] + geometry.islets.get(name, [])
        for text in texts:
            if label := _inside(geometry, name, text, discs, sizes):
                return label
        return None

    for name in geometry.board.provinces:
        if label := within(name, texts[name]):
            labels[name] = label
        else:
            homeless.append(name)
    taken, lie = Taken(labels.values()), Ground(geometry)
    for name in homeless:
        code = abbreviation(name, sea=geometry.board.provinces[name].sea)
        label = (
            beside(geometry, name, texts[name], taken, lie)
            or within(name, [code], SHORT_SIZES)
            or beside(geometry, name, [code], taken, lie, far=True)
        )
        assert label is not None, f"no room for {name}"
        if label.lines == (code,) and code not in texts[name]:
            label = msgspec.structs.replace(label, short=True)
        labels[name] = label
        taken.add(label)
    return labels


def _inside(
    geometry: BoardGeometry, name: str, text: str, discs: list[Disc], sizes: Sequence[float] = ()
) -> Label | None:
    """A text within its province, in one of the ``sizes`` (else in those usual for land or sea); None where it has no room."""
    site = geometry.sites[name]
    sea = geometry.board.provinces[name].sea
    face, spacing = ("italic", SEA_SPACING) if sea else ("regular", 0.0)
    rooms: dict[tuple[float, bool], Room] = {}
    angle = (site.angle + 90) % 180 - 90
    angles = [0.0] if abs(angle) < 8 else [0.0, angle]

    # keep clear of the frame
    frame = 7.0
    right, bottom = geometry.width - frame, geometry.height - frame
    clear = [
        [(min(right, max(frame, x)), min(bottom, max(frame, y))) for x, y in ring] for ring in geometry.polygons[name]
    ]

    def room(angle: float, size: float) -> Room:
        wide = sea and size >= 10  # the larger names of seas keep off the shores
        if (angle, wide) not in rooms:
            rooms[angle, wide] = Room(clear, discs, angle, 4.0 if wide else 1.2)
        return rooms[angle, wide]

    def straight(lines: tuple[str, ...], size: float, angle: float) -> Label | None:
        width = max(measure(line, face, size, spacing) for line in lines) + 1
        height = (ASCENT + DESCENT + LEADING * (len(lines) - 1)) * size
        ground = room(angle, size)
        at = ground.fit(width, height, ground.turn(site.label))
        return None if at is None else place_label(name, lines, size, face, at, ground, angle, spacing)

    ways = wrappings(text)
    if sizes:
        return next((label for size in sizes for turn in angles if (label := straight(ways[0], size, turn))), None)
    # larger lands have larger letters, within reason
    ceiling = math.sqrt(max((abs(ring_area(ring)) for ring in geometry.polygons[name]), default=0.0)) / (
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


def _curved(name: str, text: str, size: float, face: str, spacing: float, room: Room, angle: float) -> Label | None:
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
