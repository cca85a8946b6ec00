"""The shapes of a board, as ``shapes.json`` holds them: border lines once each, and provinces as rings of them. Pure Python.

Coordinates are km on the map, origin at the frame's top left, y down. ``docs/drawing-boards.md`` describes the file.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path

FILE = "shapes.json"
Place = tuple[float, float]
Rings = list[list[list[int]]]
"""Polygons of rings of arc numbers; ``~n`` (negative) is arc n backwards. The first ring is the outline, the others are holes."""


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


class Scenery(msgspec.Struct, frozen=True):
    """Land or water that is no part of the board."""

    kind: str
    rings: Rings


class DrawnLink(msgspec.Struct, frozen=True):
    """A declared ``bridge`` or ``barrier`` between two provinces, and the line that shows it."""

    a: str
    b: str
    kind: str
    line: list[Place]


class Least(msgspec.Struct, frozen=True, kw_only=True):
    """From which common length (km) two neighbors on the picture count as neighbors: land and land, sea and sea, land and sea."""

    border: float = 5.0
    sea: float = 2.0
    coast: float = 2.0


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


class ShapesError(ValueError):
    """A ``shapes.json`` that cannot be used; one line with the mend."""


def read_shapes(folder: Traversable | Path) -> Shapes | None:
    """The shapes of a board folder; None when it has none.

    :raises ShapesError: when the file cannot be used.
    """
    try:
        text = folder.joinpath(FILE).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ShapesError(f"{FILE}: cannot be read ({error.strerror})") from None
    try:
        shapes = msgspec.json.decode(text, type=Shapes)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise ShapesError(f"{FILE}: {error}; grow it again: python -m legation.atlas.grow BOARD_FOLDER") from None
    if not all(len(arc) > 1 for arc in shapes.arcs):
        raise ShapesError(f"{FILE}: an arc has no length; grow the board again")
    count = len(shapes.arcs)
    for name, rings in owners(shapes).items():
        if any(not -count <= number < count for polygon in rings for ring in polygon for number in ring):
            raise ShapesError(f"{FILE}: {name} names an arc that is not there; grow the board again")
    return shapes


def owners(shapes: Shapes) -> dict[str, Rings]:
    """The rings of all provinces, and of the scenery as ``~0``, ``~1``, ..."""
    found = {name: shape.rings for name, shape in shapes.provinces.items()}
    return found | {f"~{number}": scene.rings for number, scene in enumerate(shapes.scenery)}


def sides(shapes: Shapes) -> list[list[str]]:
    """For each arc the one or two owners beside it."""
    found: list[list[str]] = [[] for _ in shapes.arcs]
    for name, rings in owners(shapes).items():
        for polygon in rings:
            for ring in polygon:
                for number in ring:
                    found[number if number >= 0 else ~number].append(name)
    return found


def contacts(shapes: Shapes) -> dict[tuple[str, str], float]:
    """How many km any two owners share, each pair in alphabetical order."""
    found: dict[tuple[str, str], float] = defaultdict(float)
    for arc, beside in zip(shapes.arcs, sides(shapes), strict=True):
        if len(beside) == 2 and beside[0] != beside[1]:
            a, b = sorted(beside)
            found[a, b] += sum(math.dist(p, q) for p, q in itertools.pairwise(arc))
    return dict(found)


def meetings(shapes: Shapes) -> dict[tuple[str, str], set[str]]:
    """For any two owners with a common line, the owners that meet them at an end of it."""
    beside = sides(shapes)
    at: dict[Place, set[str]] = defaultdict(set)
    for arc, names in zip(shapes.arcs, beside, strict=True):
        for end in (arc[0], arc[-1]):
            at[end].update(names)
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for arc, names in zip(shapes.arcs, beside, strict=True):
        if len(names) == 2 and names[0] != names[1]:
            a, b = sorted(names)
            found[a, b] |= (at[arc[0]] | at[arc[-1]]) - {a, b}
    return dict(found)
