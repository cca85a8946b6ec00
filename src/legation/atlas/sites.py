"""Where the symbols of units and centers stand, and how much room they need, in drawing units."""

import math
from collections.abc import Mapping

import msgspec

from legation.atlas.lines import Point

UNIT_R = 10.5
"""Half the width of a unit symbol."""
UNIT_ON_PAGE = 1.25 * UNIT_R
"""The same on a page at a desk, where units are larger: arrows end before it, in print too."""
CENTER_R = 5.5
"""Half the width of a center symbol."""
COAST_R = UNIT_R * 0.9
"""The room of a fleet on a coast."""
CLEAR = 2.2 * UNIT_R
"""The space wanted between the units of neighboring provinces."""


class Disc(msgspec.Struct, frozen=True):
    """The place of a unit or a center symbol: what it is (``unit``, ``center``, ``coast``), its province, and a disc in
    units."""

    kind: str
    province: str
    x: float
    y: float
    r: float


class Site(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the symbols of one province go, in units; ``size`` scales those of unit and center (1: full size)."""

    unit: Point
    center: Point = (0.0, 0.0)
    coasts: Mapping[str, Point] = {}
    size: float = 1.0


def center_room(size: float) -> float:
    """The radius that a center symbol of this size needs."""
    return CENTER_R * size + 0.6


def around(middle: Point, distance: float) -> list[Point]:
    """Points at a distance, evenly all round."""
    if distance == 0:
        return [middle]
    steps = 16
    turn = 2 * math.pi / steps
    return [
        (middle[0] + distance * math.cos(turn * i), middle[1] + distance * math.sin(turn * i)) for i in range(steps)
    ]
