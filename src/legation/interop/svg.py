"""Shapes and positions in SVG files of other systems. Only outlines and numbers are taken; scripts, links, styles and
embedded pictures are never looked at."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from legation.interop.coasts import WORDS
from legation.interop.errors import ForeignFileError
from legation.interop.record import Point, Polygons, Ring, SourcePicture
from legation.interop.sources import Source
from legation.interop.xml_tree import Element, parse_xml

Matrix = tuple[float, float, float, float, float, float]
SAME: Matrix = (1, 0, 0, 1, 0, 0)
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?")
TOKEN = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)")
DIGITS = r"[-+]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})(?:[eE][-+]?\d{1,3})?"
APART = r"(?:[\s,]{1,9}|(?=[-+.]))"
ARCS = re.compile(r"[Aa](?:[^A-Za-z]|(?<=\d)[eE][-+]?\d)+")
ARC = re.compile(
    rf"(?:(?<![\d.])|(?=[-+.]))({DIGITS}){APART}({DIGITS}){APART}({DIGITS})[\s,]{{1,9}}([01])[\s,]{{0,9}}([01])[\s,]{{0,9}}({DIGITS}){APART}({DIGITS})"
)
"""An arc's numbers; its two flags are a figure each, and what follows may stand close behind: ``5 5 0 0110 20``."""
TRANSFORM = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^)]*)\)")
SHAPES = frozenset(["path", "polygon", "polyline", "rect", "circle", "ellipse"])
MOST_POINTS = 900_000
FAR = 1e7


def picture_of_svg(source: Source, name: str) -> SourcePicture:
    """The shapes and positions of a map, by the conventions of the systems that draw them.

    Shapes are those of a layer whose ids are provinces (jDip's MouseLayer or MapLayer, diplicity's provinces), or else
    any with an id; positions those of a block PROVINCE_DATA or of the layer unit-positions.
    """
    root = parse_xml(source.bytes(name), name)
    if root.name != "svg":
        raise ForeignFileError(f"{name}: isn't an SVG")
    reader = _Reader()
    layers = {
        element.get("id").lower(): (element, matrix)
        for element, matrix in reader.walk(root, SAME)
        if element.get("id") and element.name == "g"
    }
    picture = SourcePicture()
    for wanted in ("provinces", "maplayer", "mouselayer"):
        if wanted in layers:
            found: dict[str, Polygons] = {}
            _take_shapes(reader, *layers[wanted], found)
            picture.shapes.update({key: shape for key, shape in found.items() if key not in picture.shapes})
    if not picture.shapes:
        _take_shapes(reader, root, SAME, picture.shapes)
    unit_layer = layers.get("unitlayer")
    for data in root.all("PROVINCE_DATA"):
        _province_data(data, unit_layer[1] if unit_layer else SAME, picture)
    if "unit-positions" in layers:
        element, matrix = layers["unit-positions"]
        for circle, at in reader.walk(element, matrix):
            x, y = number(circle.get("cx")), number(circle.get("cy"))
            if circle.name in ("circle", "ellipse") and circle.get("id") and x is not None and y is not None:
                picture.units.setdefault(location(circle.get("id")), apply(at, (x, y)))
    if "province-centers" in layers:
        for element, at in reader.walk(*layers["province-centers"]):
            outline = reader.outline(element, at) if element.get("id") and element.name in SHAPES else []
            if outline:
                xs, ys = zip(*outline[0][0], strict=True)
                middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
                picture.units.setdefault(location(element.get("id").removesuffix("Center")), middle)
    return picture


def location(written: str) -> str:
    """An id of a picture as a location: ``_stp``, ``stp-nc``, ``stp/nc``."""
    plain = written.strip().lower().lstrip("_")
    for mark in ("/", "-", "("):
        key, found, coast = plain.partition(mark)
        coast = coast.rstrip(")")
        if found and coast in WORDS:
            return f"{key}/{WORDS[coast]}"
    return plain


def _province_data(data: Element, matrix: Matrix, picture: SourcePicture) -> None:
    for province in data.own("PROVINCE"):
        at = location(province.get("name"))
        for tag, table in (("UNIT", picture.units), ("SUPPLY_CENTER", picture.centers)):
            for spot in province.own(tag)[:1]:
                x, y = number(spot.get("x")), number(spot.get("y"))
                if x is not None and y is not None:
                    table[at] = apply(matrix, (x, y))


def _take_shapes(reader: _Reader, layer: Element, matrix: Matrix, shapes: dict[str, Polygons]) -> None:
    """The shapes of a layer by their ids, or those of the groups that they stand in."""

    def take(element: Element, at: Matrix, named: str, dry: bool) -> None:
        own = location(element.get("id")) if element.get("id") else ""
        at = multiply(at, transform(element.get("transform")))
        if element.name in SHAPES:
            key = own or named
            if dry and _wet(element):
                return
            polygons = reader.outline(element, at)
            if polygons and key:
                shapes[key] = shapes.get(key, []) + polygons
        elif element.name in ("g", "a", "svg"):
            parts = [child for child in element.children if child.name in SHAPES]
            mixed = bool(own) and any(map(_wet, parts)) and not all(map(_wet, parts))
            for child in element.children:
                take(child, at, own or named, mixed)

    for child in layer.children:
        take(child, matrix, "", False)


def _wet(element: Element) -> bool:
    """Whether a shape is marked as water: of an island with its waters only the land is taken."""
    return "water" in element.get("class").lower()


class _Reader:
    """Counts points, so that no file asks for more than a map has."""

    def __init__(self) -> None:
        self.points = 0

    def walk(self, element: Element, matrix: Matrix) -> Iterator[tuple[Element, Matrix]]:
        """All elements with the transformation that holds inside them."""
        here = multiply(matrix, transform(element.get("transform")))
        yield element, here
        for child in element.children:
            yield from self.walk(child, here)

    def outline(self, element: Element, matrix: Matrix) -> Polygons:
        """The rings of a shape, each a polygon by itself unless it lies in another."""
        rings = [[apply(matrix, p) for p in ring] for ring in self.rings(element)]
        rings = [ring for ring in rings if len(ring) >= 3 and all(abs(x) < FAR and abs(y) < FAR for x, y in ring)]
        return together(rings)

    def rings(self, element: Element) -> list[Ring]:
        n = {key: number(element.get(key)) for key in ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry")}
        if element.name == "path":
            return self.path(element.get("d"))
        if element.name in ("polygon", "polyline"):
            values = [float(v) for v in NUMBER.findall(element.get("points"))]
            self.count(len(values) // 2)
            return [list(zip(values[::2], values[1::2], strict=False))]
        if element.name == "rect" and n["width"] and n["height"]:
            x, y, w, h = n["x"] or 0.0, n["y"] or 0.0, n["width"], n["height"]
            return [[(x, y), (x + w, y), (x + w, y + h), (x, y + h)]]
        rx, ry = n["rx"] or n["r"] or 0.0, n["ry"] or n["r"] or 0.0
        if element.name in ("circle", "ellipse") and rx and ry:
            turns = [2 * math.pi * i / 32 for i in range(32)]
            return [[((n["cx"] or 0.0) + rx * math.cos(t), (n["cy"] or 0.0) + ry * math.sin(t)) for t in turns]]
        return []

    def count(self, more: int) -> None:
        self.points += more
        if self.points > MOST_POINTS:
            raise ForeignFileError(f"a picture with more than {MOST_POINTS} points; simplify its outlines first")

    def path(self, d: str) -> list[Ring]:
        """The rings of a path; curves as short lines."""
        rings: list[Ring] = []
        ring: Ring = []
        d = ARCS.sub(lambda arcs: ARC.sub(r"\1 \2 \3 \4 \5 \6 \7 ", arcs[0]), d)
        tokens = [(m[1], m[2]) for m in TOKEN.finditer(d)]
        at: Point = (0.0, 0.0)
        start: Point = at
        command, last = "", ""
        control: Point = at
        i = 0

        def take(count: int) -> list[float]:
            nonlocal i
            values: list[float] = []
            while len(values) < count and i < len(tokens) and tokens[i][1]:
                values.append(float(tokens[i][1]))
                i += 1
            return values

        while i < len(tokens):
            if tokens[i][0]:
                command = tokens[i][0]
                i += 1
                if command in "Zz":
                    if ring:
                        rings.append(ring)
                    ring, at, last = [], start, "Z"
                    continue
            elif not command or command in "Zz":
                break
            kind, relative = command.upper(), command.islower()
            values = take(ARGUMENTS[kind])
            if len(values) < ARGUMENTS[kind]:
                break  # a path that breaks off counts as far as it goes
            ox, oy = at if relative else (0.0, 0.0)
            if kind == "M":
                if ring:
                    rings.append(ring)
                at = start = (values[0] + ox, values[1] + oy)
                ring = [at]
                command = "l" if relative else "L"
            else:
                if not ring:
                    ring = [at]
                line, at, control = _segment(kind, values, at, control, last, (ox, oy))
                self.count(len(line))
                ring += line
            last = kind
        if ring:
            rings.append(ring)
        return rings


ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
PARTS = 6
"""Lines that a curve becomes."""


def _segment(
    kind: str, v: list[float], at: Point, control: Point, last: str, origin: Point
) -> tuple[list[Point], Point, Point]:
    """The points of one segment, where it ends, and its last control point."""
    ox, oy = origin
    if kind == "H":
        end = (v[0] + ox, at[1])
        return [end], end, end
    if kind == "V":
        end = (at[0], v[0] + oy)
        return [end], end, end
    end = (v[-2] + ox, v[-1] + oy)
    if kind in "LM" or (kind == "A" and not (v[0] and v[1])):
        return [end], end, end
    if kind == "A":
        return _arc(at, end, v), end, end
    mirrored = (2 * at[0] - control[0], 2 * at[1] - control[1])
    if kind in "CS":
        first = (v[0] + ox, v[1] + oy) if kind == "C" else (mirrored if last in ("C", "S") else at)
        second = (v[-4] + ox, v[-3] + oy)
    else:
        middle = (v[0] + ox, v[1] + oy) if kind == "Q" else (mirrored if last in ("Q", "T") else at)
        first = _toward(at, middle)
        second = _toward(end, middle)
        return _curve(at, first, second, end), end, middle
    return _curve(at, first, second, end), end, second


def _toward(start: Point, middle: Point) -> Point:
    """Two thirds of the way to the middle: where a cubic curve has what a quadratic one has there."""
    return start[0] + 2 / 3 * (middle[0] - start[0]), start[1] + 2 / 3 * (middle[1] - start[1])


def _curve(a: Point, b: Point, c: Point, d: Point) -> list[Point]:
    points: list[Point] = []
    for i in range(1, PARTS + 1):
        t = i / PARTS
        s = 1 - t
        weights = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
        points.append(
            (
                sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True)),
                sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True)),
            )
        )
    return points


def _arc(a: Point, b: Point, v: list[float]) -> list[Point]:
    """An elliptical arc, roughly: as the circle of its mean radius that passes both ends."""
    radius = (abs(v[0]) + abs(v[1])) / 2
    chord = math.dist(a, b)
    if chord < 1e-9:
        return [b]
    radius = max(radius, chord / 2)
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    off = math.sqrt(max(radius * radius - chord * chord / 4, 0.0))
    side = -1 if (v[3] != 0) == (v[4] != 0) else 1
    cx = middle[0] - side * off * (b[1] - a[1]) / chord
    cy = middle[1] + side * off * (b[0] - a[0]) / chord
    first, end = math.atan2(a[1] - cy, a[0] - cx), math.atan2(b[1] - cy, b[0] - cx)
    turn = end - first
    if v[4] and turn < 0:
        turn += 2 * math.pi
    elif not v[4] and turn > 0:
        turn -= 2 * math.pi
    parts = 8
    arc = [
        (cx + radius * math.cos(first + turn * i / parts), cy + radius * math.sin(first + turn * i / parts))
        for i in range(1, parts)
    ]
    return [*arc, b]


def together(rings: list[Ring]) -> Polygons:
    """Rings as polygons: one that lies in another is its hole."""
    ranked = sorted(rings, key=lambda ring: -abs(_area(ring)))
    polygons: Polygons = []
    for ring in ranked:
        if abs(_area(ring)) < 1e-9:
            continue
        around = next(
            (p for p in polygons if len(p[0]) >= 3 and _inside(ring[0], p[0]) and _inside(ring[len(ring) // 2], p[0])),
            None,
        )
        if around is None:
            polygons.append([ring])
        else:
            around.append(ring)
    return polygons


def _area(ring: Ring) -> float:
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True)) / 2


def _inside(point: Point, ring: Ring) -> bool:
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def number(text: str) -> float | None:
    """A number of an attribute, whatever unit stands behind it; None if there is none."""
    match = NUMBER.match(text.strip())
    return float(match[0]) if match and abs(float(match[0])) < FAR else None


def transform(text: str) -> Matrix:
    """The matrix of a ``transform``."""
    matrix = SAME
    for match in TRANSFORM.finditer(text):
        v = [float(n) for n in NUMBER.findall(match[2])][:6]
        kind = match[1]
        if kind == "matrix" and len(v) == 6:
            step: Matrix = (v[0], v[1], v[2], v[3], v[4], v[5])
        elif kind == "translate" and v:
            step = (1, 0, 0, 1, v[0], v[1] if len(v) > 1 else 0)
        elif kind == "scale" and v:
            step = (v[0], 0, 0, v[1] if len(v) > 1 else v[0], 0, 0)
        elif kind == "rotate" and v:
            c, s = math.cos(math.radians(v[0])), math.sin(math.radians(v[0]))
            step = (c, s, -s, c, 0, 0)
            if len(v) > 2:
                step = multiply(multiply((1, 0, 0, 1, v[1], v[2]), step), (1, 0, 0, 1, -v[1], -v[2]))
        elif kind == "skewX" and v:
            step = (1, 0, math.tan(math.radians(v[0])), 1, 0, 0)
        elif kind == "skewY" and v:
            step = (1, math.tan(math.radians(v[0])), 0, 1, 0, 0)
        else:
            continue
        matrix = multiply(matrix, step)
    return matrix


def multiply(m: Matrix, n: Matrix) -> Matrix:
    """First ``n``, then ``m``."""
    return (
        m[0] * n[0] + m[2] * n[1],
        m[1] * n[0] + m[3] * n[1],
        m[0] * n[2] + m[2] * n[3],
        m[1] * n[2] + m[3] * n[3],
        m[0] * n[4] + m[2] * n[5] + m[4],
        m[1] * n[4] + m[3] * n[5] + m[5],
    )


def apply(m: Matrix, p: Point) -> Point:
    """A point, transformed."""
    return (m[0] * p[0] + m[2] * p[1] + m[4], m[1] * p[0] + m[3] * p[1] + m[5])
