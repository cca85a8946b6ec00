"""Shapes and positions in SVG files of other systems. Only outlines and numbers are taken; scripts, links, styles and
embedded pictures are never looked at. Paths are read by fontTools, of the extra ``authoring``."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from legation.interop.coasts import location
from legation.interop.record import ForeignVariant, Polygons, Ring, SourcePicture
from legation.interop.sources import ForeignFileError, Source
from legation.interop.xml_tree import Element, parse_xml

try:
    from fontTools.misc.bezierTools import cubicPointAtT, quadraticPointAtT
    from fontTools.misc.transform import Identity, Transform
    from fontTools.pens.recordingPen import RecordingPen
    from fontTools.svgLib.path import parse_path
    from PIL.ImageColor import getrgb
    from shapely import Polygon, contains_xy
except ImportError:  # without it no board is drawn, and nobody needs its picture
    READS_PATHS = False
else:
    READS_PATHS = True

T = TypeVar("T")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?")
TRANSFORM = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^)]*)\)")
SHAPES = frozenset(["path", "polygon", "polyline", "rect", "circle", "ellipse"])
MOST_POINTS = 900_000
FAR = 1e7
PARTS = 6
"""Lines that a curve becomes."""


def picture_of_svg(source: Source, name: str) -> SourcePicture:
    """The shapes and positions of a map, by the conventions of the systems that draw them.

    Shapes are those of a layer whose ids are provinces (jDip's MouseLayer or MapLayer, diplicity's provinces), or else
    any with an id; positions those of a block PROVINCE_DATA or of the layer unit-positions."""
    if not READS_PATHS:
        raise ForeignFileError(f"{name}: reading it needs the drawing libraries: pip install 'legation[authoring]'")
    root = parse_xml(source.bytes(name), name)
    if root.name != "svg":
        raise ForeignFileError(f"{name}: isn't an SVG")
    reader = _Reader()
    layers = {
        element.get("id").lower(): (element, matrix)
        for element, matrix in reader.walk(root, Identity)
        if element.get("id") and element.name == "g"
    }
    picture = SourcePicture(colors={c.get("power").lower(): c.get("color") for c in root.all("POWERCOLOR")})
    for wanted in ("provinces", "maplayer", "mouselayer"):
        if wanted in layers:
            found: dict[str, Polygons] = {}
            _take_shapes(reader, *layers[wanted], found)
            picture.shapes.update({key: shape for key, shape in found.items() if key not in picture.shapes})
    if not picture.shapes:
        _take_shapes(reader, root, Identity, picture.shapes)
    _, matrix = layers.get("unitlayer", (root, Identity))
    for province in (province for data in root.all("PROVINCE_DATA") for province in data.own("PROVINCE")):
        for spot in province.own("UNIT")[:1]:
            x, y = number(spot.get("x")), number(spot.get("y"))
            if x is not None and y is not None:
                picture.units[location(province.get("name"))] = matrix.transformPoint((x, y))
    if "unit-positions" in layers:
        element, matrix = layers["unit-positions"]
        for circle, at in reader.walk(element, matrix):
            x, y = number(circle.get("cx")), number(circle.get("cy"))
            if circle.name in ("circle", "ellipse") and circle.get("id") and x is not None and y is not None:
                picture.units.setdefault(location(circle.get("id")), at.transformPoint((x, y)))
    if "province-centers" in layers:
        for element, at in reader.walk(*layers["province-centers"]):
            outline = reader.outline(element, at) if element.get("id") and element.name in SHAPES else []
            if outline:
                xs, ys = zip(*outline[0][0], strict=True)
                middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
                picture.units.setdefault(location(element.get("id").removesuffix("Center")), middle)
    return picture


def take_picture(
    variant: ForeignVariant, source: Source, entry: str, wanted: Iterable[str], *, named: bool = False
) -> None:
    """Take the first picture that can be read of some beside a file, by the places' keys, however spelled there.

    ``named``: the file itself names them."""
    spelled = {location(word): p.key for p in variant.places.values() for word in (*p.aliases, p.name, p.key)}

    def by_key(table: Mapping[str, T]) -> dict[str, T]:
        parts = ((at.partition("/"), value) for at, value in table.items())
        return {spelled[key] + slash + coast: value for (key, slash, coast), value in parts if key in spelled}

    for name in wanted:
        if (found := source.look(entry, name)) is None:
            if named:
                variant.left(f"map {name}", "the file is not there")
            continue
        try:
            whole = picture_of_svg(source, found)
        except ForeignFileError as error:
            variant.left(f"map {name}", str(error))
            continue
        shapes, units = by_key(whole.shapes), by_key(whole.units)
        variant.picture = SourcePicture(shapes=shapes, units=units)
        for nation in variant.nations:
            with contextlib.suppress(ValueError):  # none, or one that CSS doesn't know
                color = getrgb(whole.colors.get(nation.name.lower(), ""))
                nation.color = nation.color or "#{:02x}{:02x}{:02x}".format(*color)
        variant.took(
            found, f"shapes of {len(shapes.keys() & variant.places)} provinces, positions of {len(units)} places"
        )
        told = "labels, fonts and symbols of the source's own; the board is drawn in Legation's style"
        variant.left(f"{found} (drawing)", told)
        return


def _take_shapes(reader: _Reader, layer: Element, matrix: Transform, shapes: dict[str, Polygons]) -> None:
    """The shapes of a layer by their ids, or those of the groups that they stand in."""

    def take(element: Element, at: Transform, named: str, dry: bool) -> None:
        own = location(element.get("id")) if element.get("id") else ""
        at = at.transform(transform(element.get("transform")))
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

    def walk(self, element: Element, matrix: Transform) -> Iterator[tuple[Element, Transform]]:
        """All elements with the transformation that holds inside them."""
        here = matrix.transform(transform(element.get("transform")))
        yield element, here
        for child in element.children:
            yield from self.walk(child, here)

    def outline(self, element: Element, matrix: Transform) -> Polygons:
        """The rings of a shape, each a polygon by itself unless it lies in another."""
        rings = [matrix.transformPoints(ring) for ring in self.rings(element)]
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
        pen = RecordingPen()
        with contextlib.suppress(ValueError, IndexError):  # a path that breaks off counts as far as it goes
            parse_path(d, pen)
        rings: list[Ring] = []
        for command, points in pen.value:
            if command == "moveTo":
                rings.append([*points])
            elif command in ("curveTo", "qCurveTo"):
                point = cubicPointAtT if len(points) == 3 else quadraticPointAtT
                rings[-1] += [point(rings[-1][-1], *points, i / PARTS) for i in range(1, PARTS + 1)]
            else:
                rings[-1] += points
            self.count(len(points))
        return rings


def together(rings: list[Ring]) -> Polygons:
    """Rings as polygons: one that lies in another is its hole."""
    polygons: list[tuple[Polygon, list[Ring]]] = []
    for shape, ring in sorted(((Polygon(ring), ring) for ring in rings), key=lambda pair: -pair[0].area):
        ends = [ring[0], ring[len(ring) // 2]]
        around = (found for outer, found in polygons if all(contains_xy(outer, *end) for end in ends))
        if (outer := next(around, None)) is not None:
            outer.append(ring)
        elif shape.area >= 1e-9:
            polygons.append((shape, [ring]))
    return [found for _, found in polygons]


def number(text: str) -> float | None:
    """A number of an attribute, whatever unit stands behind it; None if there is none."""
    match = NUMBER.match(text.strip())
    return float(match[0]) if match and abs(float(match[0])) < FAR else None


def transform(text: str) -> Transform:
    """The matrix of a ``transform``; what of it is incomplete is left out."""
    matrix = Identity
    for kind, listed in TRANSFORM.findall(text):
        v = [float(n) for n in NUMBER.findall(listed)][:6]
        if kind == "matrix" and len(v) == 6:
            matrix = matrix.transform(v)
        elif kind == "translate" and v:
            matrix = matrix.translate(*v[:2])
        elif kind == "scale" and v:
            matrix = matrix.scale(*v[:2])
        elif kind == "rotate" and v:
            x, y = v[1:3] if len(v) > 2 else (0.0, 0.0)
            matrix = matrix.translate(x, y).rotate(math.radians(v[0])).translate(-x, -y)
        elif kind in ("skewX", "skewY") and v:
            matrix = matrix.skew(**{kind[-1].lower(): math.radians(v[0])})
    return matrix
