"""The shapes of a board, as ``shapes.json`` holds them: border lines once each, and provinces as rings of them. Pure
Python.

Coordinates are km on the map, origin at the frame's top left, y down."""

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from legation.atlas.lines import extent, near
from legation.formats import LARGEST_JSON, FormatError, decode_json, read_file

T = TypeVar("T")
FILE = "shapes.json"
EARTH = 40_100.0
"""The way round the Earth, in km: no map is larger."""
Place = tuple[float, float]
Edges = tuple[float, float, float, float]
"""Left, top, right and bottom."""
Rings = list[list[list[int]]]
"""Polygons of rings of arc numbers; ``~n`` (negative) is arc n backwards. The first ring is the outline, the others are
holes."""


class Shape(msgspec.Struct, frozen=True, omit_defaults=True):
    """One province on the map: its polygons, and the best places for its name, its unit and its center."""

    rings: Rings
    label: Place
    unit: Place
    center: Place
    label_width: float = 0.0
    label_angle: float = 0.0
    coasts: Mapping[str, Place] = {}
    circle: tuple[float, float, float] | None = None
    box: tuple[float, float, float, float] | None = None
    """Left, top, right and bottom of a province off the board; who lies around it isn't a neighbor."""


class Scenery(msgspec.Struct, frozen=True):
    """Land or water that isn't part of the board."""

    kind: str
    rings: Rings


class DrawnLink(msgspec.Struct, frozen=True, omit_defaults=True):
    """A declared ``bridge`` or ``barrier`` between two provinces, and the line that shows it; a stub in the first whose
    neighbor, the second, lies ``away``; or a ``river``, ``mountains`` or a ``border`` of no two provinces, and whom it
    ``stops``."""

    a: str
    b: str
    kind: str
    line: list[Place]
    stops: str = ""


class Least(msgspec.Struct, frozen=True, kw_only=True):
    """From which common length (km) two neighbors on the picture count as neighbors: land and land, sea and sea, land
    and sea."""

    border: float = 5.0
    sea: float = 2.0
    coast: float = 2.0


class Inset(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A window of the world that is drawn in a box of its own. All edges are left, top, right and bottom in km on the
    map."""

    title: str = ""
    box: Edges
    """The outer edge; nothing else is drawn within it."""
    field: Edges
    """What is drawn, within the margin."""
    scale: float
    """How many times as large as the rest of the map it is drawn."""
    window: Edges | None = None
    """The part of the map that it shows larger; None: it shows what lies beyond the map."""


class Shapes(msgspec.Struct, frozen=True, kw_only=True):
    """The map topology of a board."""

    projection: Mapping[str, Any]
    width: float
    height: float
    least: Least = Least()
    arcs: list[list[Place]]
    provinces: Mapping[str, Shape]
    scenery: list[Scenery] = []
    links: list[DrawnLink] = []
    insets: list[Inset] | msgspec.UnsetType = msgspec.UNSET
    """Absent where there are none; :func:`insets_of` reads them."""

    @property
    def on_earth(self) -> bool:
        """Whether places have degrees, so that distances are known in kilometers."""
        return str(self.projection.get("kind")) != "plane"

    def line(self, number: int) -> list[Place]:
        """An arc; ``~n`` is arc n backwards."""
        return self.arcs[number] if number >= 0 else self.arcs[~number][::-1]

    def ring(self, numbers: Sequence[int]) -> list[Place]:
        """The points of a ring, from its arcs in sequence; each begins where the one before ends."""
        line: list[Place] = []
        for number in numbers:
            line += self.line(number)[1 if line else 0 :]
        return line

    def outline(self, rings: Rings) -> list[list[Place]]:
        """The points of all rings of some polygons."""
        return [self.ring(ring) for polygon in rings for ring in polygon]


class PictureFileError(ValueError):
    """A file of a board's picture that cannot be used; one line with its name and the mend."""


def read_beside(folder: Traversable | Path, file: str, form: type[T], mend: str) -> T | None:
    """What a file beside a board holds; None where there is none.

    :raises PictureFileError: when it cannot be read."""
    try:
        return decode_json(read_file(folder.joinpath(file), LARGEST_JSON), type=form)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise PictureFileError(f"{file}: cannot be read ({error.strerror})") from None
    except (msgspec.MsgspecError, FormatError) as error:
        raise PictureFileError(f"{file}: {error}; {mend}") from None


def read_shapes(folder: Traversable | Path) -> Shapes | None:
    """The shapes of a board folder; None when it has none.

    :raises PictureFileError: when the file cannot be used."""
    shapes = read_beside(folder, FILE, Shapes, "grow it again: python -m legation.atlas.grow BOARD_FOLDER")
    for fault in _faults(shapes) if shapes else ():
        raise PictureFileError(f"{FILE}: {fault}; grow the board again")
    return shapes


def _faults(shapes: Shapes) -> Iterator[str]:
    """What keeps shapes from being drawn: numbers that are on no map, lines without length, arcs that are not there."""
    for what, length in (("width", shapes.width), ("height", shapes.height)):
        if not 0 < length <= EARTH:
            yield f"the {what} is {length:g} km"
    if not all(0 <= length <= EARTH for length in msgspec.structs.astuple(shapes.least)):
        yield "the least lengths aren't lengths"
    far = max(shapes.width, shapes.height)

    def off(points: Iterable[Place]) -> bool:
        """Whether a point lies farther off the map than the map is large."""
        return any(not (-far <= c <= 2 * far) for point in points for c in point)

    for number, arc in enumerate(shapes.arcs):
        if len(arc) < 2:
            yield f"arc {number} has no length"
        elif off(arc):
            yield f"arc {number} leaves the map"
    count = len(shapes.arcs)
    for name, rings in owners(shapes).items():
        numbers = [number for polygon in rings for ring in polygon for number in ring]
        if not all(-count <= number < count for number in numbers):
            yield f"{name} names an arc that is not there"
        if not all(ring for polygon in rings for ring in polygon) or (name in shapes.provinces and not numbers):
            yield f"{name} has no outline"
    yield from _faults_of_places(shapes, far, off)


def _faults_of_places(shapes: Shapes, far: float, off: Callable[[Iterable[Place]], bool]) -> Iterator[str]:
    for name, shape in shapes.provinces.items():
        circle = [(shape.circle[0], shape.circle[1])] if shape.circle else []
        if off([shape.label, shape.unit, shape.center, *shape.coasts.values(), *circle]):
            yield f"a place of {name} is not on the map"
        if shape.circle and not 0 < shape.circle[2] <= far:
            yield f"the circle of {name} has a radius of {shape.circle[2]:g} km"
        if abs(shape.label_angle) > 360:
            yield f"the name of {name} is turned by {shape.label_angle:g} degrees"
    for inset in insets_of(shapes):
        for left, top, right, bottom in filter(None, (inset.box, inset.field, inset.window)):
            if not (left < right and top < bottom) or off([(left, top), (right, bottom)]):
                yield f"the inset {inset.title!r} is not on the map"
        if not 0 < inset.scale <= LARGEST_SCALE:
            yield f"the inset {inset.title!r} has the scale {inset.scale:g}"
    for link in shapes.links:
        if len(link.line) < 2 or off(link.line):
            yield f"the link of {link.a} and {link.b} leaves the map"


LARGEST_SCALE = 100.0
"""How many times as large an inset may be drawn."""


def insets_of(shapes: Shapes) -> list[Inset]:
    """The insets of a board."""
    return shapes.insets if isinstance(shapes.insets, list) else []


def part_at(insets: Sequence[Inset], x: float, y: float) -> int:
    """On which part of the map a place lies: 0 for the map itself, n for the n-th inset."""
    for number, inset in enumerate(insets, 1):
        # within the margin, so that it does not matter how a place on an edge was rounded
        left, top, right, bottom = ((a + b) / 2 for a, b in zip(inset.field, inset.box, strict=True))
        if left <= x <= right and top <= y <= bottom:
            return number
    return 0


def owners(shapes: Shapes) -> dict[str, Rings]:
    """The rings of all provinces, and of the scenery as ``~0``, ``~1``, ..."""
    rings = {name: shape.rings for name, shape in shapes.provinces.items()}
    return rings | {f"~{number}": scene.rings for number, scene in enumerate(shapes.scenery)}


def sides(shapes: Shapes) -> list[list[str]]:
    """For each arc the one or two owners beside it."""
    beside: list[list[str]] = [[] for _ in shapes.arcs]
    for name, rings in owners(shapes).items():
        for polygon in rings:
            for ring in polygon:
                for number in ring:
                    beside[number if number >= 0 else ~number].append(name)
    return beside


def true_sides(shapes: Shapes) -> Iterator[tuple[list[Place], list[str], float]]:
    """Each arc with its owners and its scale, without those that only show once more, and larger, what lies elsewhere
    on the map."""
    insets = insets_of(shapes)
    for arc, beside in zip(shapes.arcs, sides(shapes), strict=True):
        part = part_at(insets, *arc[0]) if insets else 0
        if part and insets[part - 1].window:
            continue
        yield arc, beside, insets[part - 1].scale if part else 1.0


def contacts(shapes: Shapes) -> dict[tuple[str, str], float]:
    """How many km any two owners share, each pair in alphabetical order."""
    lengths: dict[tuple[str, str], float] = defaultdict(float)
    for arc, beside, scale in true_sides(shapes):
        if len(beside) == 2 and beside[0] != beside[1]:
            a, b = sorted(beside)
            lengths[a, b] += sum(math.dist(p, q) for p, q in itertools.pairwise(arc)) / scale
    return dict(lengths)


def closed_by_lines(shapes: Shapes) -> dict[tuple[str, str], DrawnLink]:
    """The pairs of owners whose common line lies, for the most part, along a line that stops somebody."""
    stopping = [link for link in shapes.links if link.stops]
    pieces = [(extent((p, q)), (p, q, link)) for link in stopping for p, q in itertools.pairwise(link.line)]
    if not pieces:
        return {}
    whole, along = contacts(shapes), dict[tuple[str, str], float]()
    found: dict[tuple[str, str], DrawnLink] = {}
    for arc, beside, scale in true_sides(shapes):
        if len(beside) != 2 or beside[0] == beside[1]:
            continue
        a, b = sorted(beside)
        left, top, right, bottom = extent(arc)
        close = near(pieces, (left - ALONG, top - ALONG, right + ALONG, bottom + ALONG))
        for p, q in itertools.pairwise(arc):
            middle = ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
            for _, (start, end, link) in close:
                if distance(middle, start, end) < ALONG:
                    along[a, b] = along.get((a, b), 0.0) + math.dist(p, q) / scale
                    found[a, b] = link
                    break
    return {pair: link for pair, link in found.items() if along[pair] > 0.6 * whole[pair]}


ALONG = 0.3
"""How near a line something must be to lie along it, in km."""


def distance(spot: Place, p: Place, q: Place) -> float:
    """How far a spot is from a stretch of a line."""
    length = math.dist(p, q)
    if not length:
        return math.dist(spot, p)
    t = ((spot[0] - p[0]) * (q[0] - p[0]) + (spot[1] - p[1]) * (q[1] - p[1])) / length**2
    t = min(1.0, max(0.0, t))
    return math.dist(spot, (p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))


def meetings(shapes: Shapes) -> dict[tuple[str, str], set[str]]:
    """For any two owners with a common line, the owners that meet them at an end of it."""
    beside = list(true_sides(shapes))
    at: dict[Place, set[str]] = defaultdict(set)
    for arc, names, _ in beside:
        for end in (arc[0], arc[-1]):
            at[end].update(names)
    met: dict[tuple[str, str], set[str]] = defaultdict(set)
    for arc, names, _ in beside:
        if len(names) == 2 and names[0] != names[1]:
            a, b = sorted(names)
            met[a, b] |= (at[arc[0]] | at[arc[-1]]) - {a, b}
    return dict(met)
