"""The layout of a board: where symbols stand, and all names, each inside its province, straight, on several lines,
slanted or curved along it, else beside it, else abbreviated; none overlaps anything. Pure Python: also where a board
has no layout beside it and is drawn all the same."""

import json
import math
from collections.abc import Sequence
from typing import Any

import msgspec

from legation.atlas.grow.outside import LabelContext, label_outside
from legation.atlas.grow.room import Room, place_label
from legation.atlas.grow.symbol_places import place_symbols
from legation.atlas.layout import Layout, digest_of, forms
from legation.atlas.letters import ASCENT, DESCENT, SHORT_SIZES, Label, abbreviation, height_of, width_of, wrappings
from legation.atlas.lines import Point, ring_area
from legation.atlas.outlines import BoardGeometry
from legation.atlas.shapes import Shapes
from legation.board import Board

LAND_SIZES = (20.0, 18.0, 16.0, 14.0, 12.5, 11.0, 10.0, 9.0, 8.0)
SEA_SIZES = (34.0, 29.0, 25.0, 22.0, 19.0, 17.0, 15.0, 13.0, 11.5, 10.0, 9.0, 8.0)
FRAME = 7.0
"""How far names keep from the edge of the map."""
NEAR, FAR = 25.0, 14.0
"""A name may stand this many units from its wished place; each further ``FAR`` units weigh as much as a font size."""


def lay_out(board: Board, shapes: Shapes) -> Layout:
    """The layout of a board; the same board gives the same layout, to the hundredth of a unit.

    :raises ValueError: when the shapes do not fit the board."""
    geometry = BoardGeometry(board, shapes, place_symbols)
    layout = Layout(digest=digest_of(board, shapes), sites=geometry.sites, labels=place_labels(geometry))
    return msgspec.convert(_rounded(msgspec.to_builtins(layout)), Layout)


def write_layout(layout: Layout) -> str:
    """``layout.json``: compact, one province a line."""
    plain = msgspec.to_builtins(layout)
    sites, labels = (
        ",\n".join(f"{dense(key)}:{dense(value)}" for key, value in plain[table].items())
        for table in ("sites", "labels")
    )
    return f'{{"digest":{dense(layout.digest)},\n"sites":{{\n{sites}}},\n"labels":{{\n{labels}}}}}\n'


def dense(value: object) -> str:
    """JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        near = round(value, 2)
        return int(near) if near == int(near) else near
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value


def place_labels(geometry: BoardGeometry) -> dict[str, Label]:
    """A label for every province of the board; the same board always gives the same labels."""
    labels: dict[str, Label] = {}
    texts = forms(geometry.board)
    for name in geometry.board.provinces:
        if label := _within(geometry, name, texts[name]):
            labels[name] = label
    context = LabelContext(geometry, labels.values())
    for name, province in geometry.board.provinces.items():
        if name in labels:
            continue
        code = abbreviation(name, sea=province.sea)
        label = (
            label_outside(context, name, texts[name])
            or _within(geometry, name, [code], SHORT_SIZES)
            or label_outside(context, name, [code], far=True)
        )
        assert label is not None, f"no room for {name}"
        if label.lines == (code,) and code not in texts[name]:
            label = msgspec.structs.replace(label, short=True)
        labels[name] = label
        context.add(label)
    return labels


def _within(geometry: BoardGeometry, name: str, texts: Sequence[str], sizes: Sequence[float] = ()) -> Label | None:
    """The first of some texts that has room within the province; None where none has."""
    place = _Inside(geometry, name)
    return next((label for text in texts if (label := place.short(text, sizes) if sizes else place.label(text))), None)


class _Inside:
    """The room within one province for its name."""

    def __init__(self, geometry: BoardGeometry, name: str) -> None:
        self.name = name
        self.sea = geometry.board.provinces[name].sea
        self.face = "italic" if self.sea else "regular"
        shape = geometry.shapes.provinces[name]
        scale, width, height = geometry.scale, geometry.width, geometry.height
        self.wish = min(width - 1, max(1, shape.label[0] * scale)), min(height - 1, max(1, shape.label[1] * scale))
        angle = (shape.label_angle + 90) % 180 - 90
        self.angles = [0.0] if abs(angle) < 8 else [0.0, angle]
        self.breadth = math.sqrt(max((abs(ring_area(ring)) for ring in geometry.polygons[name]), default=0.0))
        # keep clear of the frame
        right, bottom = width - FRAME, height - FRAME
        self.outline = [
            [(min(right, max(FRAME, x)), min(bottom, max(FRAME, y))) for x, y in ring]
            for ring in geometry.polygons[name]
        ]
        left, top, right, bottom = geometry.extents[name]
        self.discs = [
            d
            for d in [*geometry.discs, *geometry.edges]
            if left - d.r <= d.x <= right + d.r and top - d.r <= d.y <= bottom + d.r
        ] + geometry.islets.get(name, [])
        self._rooms: dict[tuple[float, bool], Room] = {}

    def label(self, text: str) -> Label | None:
        """A text in the sizes usual for land or sea, as large and as much in its place as may be."""
        # larger lands have larger letters, within reason
        ceiling = max(13.0, self.breadth / (7.0 if self.sea else 5.5))
        sizes = [size for size in (SEA_SIZES if self.sea else LAND_SIZES) if size <= ceiling]
        good = 10.0 if self.sea else 9.0
        return self._good(text, [s for s in sizes if s >= good]) or self._small(text, sizes, good)

    def short(self, text: str, sizes: Sequence[float]) -> Label | None:
        """A text on one line in one of some sizes."""
        tries = (self._straight((text,), size, turn) for size in sizes for turn in self.angles)
        return next((label for label in tries if label), None)

    def _good(self, text: str, sizes: Sequence[float]) -> Label | None:
        best: tuple[float, Label] | None = None
        for size in sizes:
            if best is not None and size < best[0]:
                break
            level = (self._straight(lines, size, 0.0) for lines in wrappings(text))
            if label := next((tried for tried in level if tried), None):
                # a smaller name where it belongs is better than a larger one in a corner
                worth = size - max(0.0, math.dist(label.middle, self.wish) - NEAR) / FAR
                if best is None or worth > best[0]:
                    best = (worth, label)
            if size <= 12.5 and best is None:
                for turn in self._lying[1:]:
                    if label := self._bent(text, size, turn) or self._straight((text,), size, turn):
                        return label
        return best[1] if best else None

    def _small(self, text: str, sizes: Sequence[float], good: float) -> Label | None:
        """A name of whatever size and slant has room."""
        for turns, most in ((self._lying, good), (self.angles, 10.5)):
            for size in (s for s in sizes if s < most):
                for turn in turns:
                    tries = (self._straight(lines, size, turn) for lines in wrappings(text))
                    if label := self._bent(text, size, turn) or next((tried for tried in tries if tried), None):
                        return label
        return None

    @property
    def _lying(self) -> list[float]:
        return [turn for turn in self.angles if abs(turn) <= 55]

    def _room(self, angle: float, size: float) -> Room:
        wide = self.sea and size >= 10  # the larger names of seas keep off the shores
        if (angle, wide) not in self._rooms:
            self._rooms[angle, wide] = Room(self.outline, self.discs, angle, 4.0 if wide else 1.2)
        return self._rooms[angle, wide]

    def _straight(self, lines: tuple[str, ...], size: float, angle: float) -> Label | None:
        room = self._room(angle, size)
        at = room.fit(width_of(lines, self.face, size) + 1, height_of(lines, size), room.turn(self.wish))
        return place_label(self.name, lines, size, self.face, at, room) if at else None

    def _bent(self, text: str, size: float, angle: float) -> Label | None:
        """The name along the middle line of a bent province, as a parabola in the turned frame."""
        room, face = self._room(angle, size), self.face
        columns = room.columns
        width, need = width_of([text], face, size) + 2, height_of([text], size)
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
            spare = min(min(a + b * x + c * x * x - y0, y1 - a - b * x - c * x * x) for x, y0, y1 in window)
            spare = spare - need / 2 - 0.6
            if spare >= 0 and (best is None or spare > best[0]):
                best = (spare, i, j, fitted)
        if best is None:
            return None
        a, b, c = best[3]
        left = (columns[best[1]][0] + columns[best[2]][0] - width) / 2
        drop, up, down, back = (ASCENT - DESCENT) / 2 * size, ASCENT * size, DESCENT * size, room.back

        def base_at(x: float) -> float:
            return a + b * x + c * x * x + drop

        x0, x1 = left, left + width
        middle = (x0 + x1) / 2
        meet = a + b * (x0 + x1) / 2 + c * x0 * x1 + drop  # where the tangents of a parabola meet
        boxes = []
        parts = max(3, len(text) // 2)
        for k in range(parts):
            u0, u1 = x0 + (x1 - x0) * k / parts, x0 + (x1 - x0) * (k + 1) / parts
            y0, y1 = base_at(u0), base_at(u1)
            boxes.append((back((u0, y0 - up)), back((u1, y1 - up)), back((u1, y1 + down)), back((u0, y0 + down))))
        return Label(
            province=self.name,
            lines=(text,),
            size=size,
            face=face,
            at=(back((middle, base_at(middle))),),
            angle=room.angle,
            curve=(back((x0, base_at(x0))), back((middle, meet)), back((x1, base_at(x1)))),
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
