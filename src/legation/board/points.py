"""Points as board files write them: ``9.6 50.5``, longitude and latitude in degrees, ``;`` between; a circle's with its
radius in km behind (``9.6 50.5 r4``). Those of a board in the plane are km to the east and to the north."""

from __future__ import annotations

import math
import re

POINT = re.compile(r"(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)(?:\s+r\s*(\d+(?:\.\d+)?))?\Z")


FARTHEST = 50_000.0
"""km: no point of a plane lies farther off."""


def read_points(text: str, *, plane: bool = False) -> tuple[list[tuple[float, float, float]], list[str]]:
    """The points of a cell, each with its radius (0 without one), and a message for each that cannot be read."""
    points: list[tuple[float, float, float]] = []
    faults: list[str] = []
    widest, highest = (FARTHEST, FARTHEST) if plane else (180.0, 90.0)
    what = "'x y' in km to the east and north (a circle's: '120 80 r4')"
    if not plane:
        what = "'longitude latitude' in degrees (a circle's: '-1.3 52.7 r4')"
    for written in filter(None, map(str.strip, text.split(";"))):
        match = POINT.match(written)
        lon, lat, r = (float(number or 0) for number in match.groups()) if match else (math.inf, 0.0, 0.0)
        if abs(lon) <= widest and abs(lat) <= highest and r <= FARTHEST:
            points.append((lon, lat, r))
        else:
            faults.append(f"the point {written[:80]!r} is not {what}; put ';' between points")
    return points, faults
