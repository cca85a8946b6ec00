"""Points as board files write them: ``9.6 50.5``, longitude and latitude in degrees, ``;`` between; a circle's with its
radius in km behind (``9.6 50.5 r4``)."""

from __future__ import annotations

import re

POINT = re.compile(r"(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)(?:\s+r\s*(\d+(?:\.\d+)?))?\Z")


def read_points(text: str) -> tuple[list[tuple[float, float, float]], list[str]]:
    """The points of a cell, each with its radius (0 without one), and a message for each that cannot be read."""
    points: list[tuple[float, float, float]] = []
    faults: list[str] = []
    for written in filter(None, map(str.strip, text.split(";"))):
        match = POINT.match(written)
        lon, lat, r = (float(number or 0) for number in match.groups()) if match else (999.0, 999.0, 0.0)
        if abs(lon) <= 180 and abs(lat) <= 90:
            points.append((lon, lat, r))
        else:
            faults.append(
                f"the point {written!r} is not 'longitude latitude' in degrees (a circle's: '-1.3 52.7 r4'); put ';' "
                "between points"
            )
    return points, faults
