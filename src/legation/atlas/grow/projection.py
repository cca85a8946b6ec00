"""Lambert's azimuthal equal-area projection on the sphere, and the frame of a map in it.

Formulas: J. P. Snyder, *Map Projections: A Working Manual* (1987), chapter 24.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

RADIUS = 6371.0
Points = NDArray[np.float64]


class Laea(msgspec.Struct, frozen=True):
    """The projection centered on a longitude and latitude in degrees; the plane is in km, x to the east, y to the
    north."""

    lon: float
    lat: float

    def project(self, lonlat: Points) -> Points:
        """Points ``[[lon, lat], ...]`` in degrees to the plane."""
        lam = np.radians(lonlat[:, 0] - self.lon)
        phi = np.radians(lonlat[:, 1])
        phi0 = math.radians(self.lat)
        cos_c = math.sin(phi0) * np.sin(phi) + math.cos(phi0) * np.cos(phi) * np.cos(lam)
        k = RADIUS * np.sqrt(2 / np.maximum(1 + cos_c, 1e-9))
        x = k * np.cos(phi) * np.sin(lam)
        y = k * (math.cos(phi0) * np.sin(phi) - math.sin(phi0) * np.cos(phi) * np.cos(lam))
        return np.column_stack([x, y])

    @property
    def table(self) -> dict[str, float | str]:
        """The projection as ``shapes.json`` names it."""
        return {"kind": "laea", "lon": self.lon, "lat": self.lat}


class Plane(msgspec.Struct, frozen=True):
    """No projection: the points are km in the plane already, as of boards that lie nowhere on Earth."""

    def project(self, points: Points) -> Points:
        """The points themselves."""
        return points

    @property
    def table(self) -> dict[str, float | str]:
        """The projection as ``shapes.json`` names it."""
        return {"kind": "plane"}


class Frame(msgspec.Struct, frozen=True):
    """The edges of a map in the plane of its projection, in km."""

    west: float
    south: float
    east: float
    north: float

    @property
    def width(self) -> float:
        return round(self.east - self.west, 1)

    @property
    def height(self) -> float:
        return round(self.north - self.south, 1)

    def place(self, plane: Points) -> Points:
        """Points of the plane as places on the map: origin at the top left, y down."""
        return np.column_stack([plane[:, 0] - self.west, self.north - plane[:, 1]])


def frame_of_degrees(projection: Laea, west: float, south: float, east: float, north: float) -> Frame:
    """The smallest frame that holds a field of longitudes and latitudes."""
    lon, lat = np.linspace(west, east, 60), np.linspace(south, north, 60)
    edge = np.concatenate(
        [np.column_stack([lon, np.full(60, lat_)]) for lat_ in (south, north)]
        + [np.column_stack([np.full(60, lon_), lat]) for lon_ in (west, east)]
    )
    plane = projection.project(edge)
    low, high = plane.min(axis=0), plane.max(axis=0)
    return Frame(round(float(low[0])), round(float(low[1])), round(float(high[0])), round(float(high[1])))
