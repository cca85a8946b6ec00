"""The projections of maps, and the frame of a map in one of them.

Lambert's azimuthal equal-area projection on the sphere is for parts of the world (formulas: J. P. Snyder, *Map
Projections: A Working Manual* (1987), chapter 24), the equal earth projection for the whole of it (B. Šavrič,
T. Patterson and B. Jenny, *The Equal Earth map projection*, 2018), the plane for boards that lie nowhere on Earth."""

import math
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from legation.atlas.shapes import EARTH

RADIUS = 6371.0
Points = NDArray[np.float64]
Numbers = NDArray[np.float64]


class Laea(msgspec.Struct, frozen=True, tag_field="kind", tag="laea"):
    """The projection centered on a longitude and latitude in degrees; the plane is in km, x to the east, y to the
    north."""

    lon: Annotated[float, msgspec.Meta(ge=-360, le=360)]
    lat: Annotated[float, msgspec.Meta(ge=-90, le=90)]

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

    def unproject(self, plane: Points) -> Points:
        """Points of the plane as longitudes and latitudes; what lies beyond the Earth is put at its edge."""
        x, y = plane[:, 0], plane[:, 1]
        rho = np.hypot(x, y)
        c = 2 * np.arcsin(np.minimum(rho / (2 * RADIUS), 1.0))
        phi0, safe = math.radians(self.lat), np.where(rho == 0, 1.0, rho)
        phi = np.arcsin(np.clip(np.cos(c) * math.sin(phi0) + y * np.sin(c) * math.cos(phi0) / safe, -1.0, 1.0))
        lam = np.arctan2(x * np.sin(c), rho * math.cos(phi0) * np.cos(c) - y * math.sin(phi0) * np.sin(c))
        lon: Points = (self.lon + np.degrees(lam) + 540) % 360 - 180
        return np.column_stack([lon, np.degrees(phi)])


class EqualEarth(msgspec.Struct, frozen=True, tag_field="kind", tag="equal-earth"):
    """The whole Earth around a longitude in degrees: every land keeps its true size, the poles are lines."""

    lon: Annotated[float, msgspec.Meta(ge=-360, le=360)]

    def project(self, lonlat: Points) -> Points:
        """Points ``[[lon, lat], ...]`` in degrees to the plane."""
        lam = np.radians(lonlat[:, 0] - self.lon)
        theta = np.arcsin(math.sqrt(3) / 2 * np.sin(np.radians(lonlat[:, 1])))
        x = 2 * math.sqrt(3) * lam * np.cos(theta) / (3 * _slope(theta))
        # the last digits of powers and arcs depend on the processor, and so would what grows from them
        return np.round(RADIUS * np.column_stack([x, _rise(theta)]), 9)

    def unproject(self, plane: Points) -> Points:
        """Points of the plane as longitudes and latitudes; what lies beyond the Earth is put at its edge."""
        y = np.clip(plane[:, 1] / RADIUS, -1.3173, 1.3173)
        theta = y.copy()
        for _ in range(12):  # Newton's method
            theta -= (_rise(theta) - y) / _slope(theta)
        lam = 3 * plane[:, 0] / RADIUS * _slope(theta) / (2 * math.sqrt(3) * np.cos(theta))
        phi = np.degrees(np.arcsin(np.clip(2 * np.sin(theta) / math.sqrt(3), -1.0, 1.0)))
        return np.column_stack([self.lon + np.degrees(np.clip(lam, -math.pi, math.pi)), phi])


A = (1.340264, -0.081106, 0.000893, 0.003796)
"""The coefficients of the equal earth projection."""


def _rise(theta: Numbers) -> Numbers:
    rise: Numbers = A[0] * theta + A[1] * theta**3 + A[2] * theta**7 + A[3] * theta**9
    return rise


def _slope(theta: Numbers) -> Numbers:
    slope: Numbers = A[0] + 3 * A[1] * theta**2 + 7 * A[2] * theta**6 + 9 * A[3] * theta**8
    return slope


class Plane(msgspec.Struct, frozen=True, tag_field="kind", tag="plane"):
    """No projection: the points are km in the plane already, as of boards that lie nowhere on Earth."""

    def project(self, points: Points) -> Points:
        """The points themselves."""
        return points

    def unproject(self, plane: Points) -> Points:
        """The points themselves."""
        return plane


Edge = Annotated[float, msgspec.Meta(ge=-EARTH, le=EARTH)]


class Frame(msgspec.Struct, frozen=True):
    """The edges of a map in the plane of its projection, in km."""

    west: Edge
    south: Edge
    east: Edge
    north: Edge

    @property
    def width(self) -> float:
        """The width in kilometers, to a tenth."""
        return round(self.east - self.west, 1)

    @property
    def height(self) -> float:
        """The height in kilometers, to a tenth."""
        return round(self.north - self.south, 1)

    def place(self, plane: Points) -> Points:
        """Points of the plane as places on the map: origin at the top left, y down."""
        return np.column_stack([plane[:, 0] - self.west, self.north - plane[:, 1]])


Projection = Laea | EqualEarth | Plane
"""``shapes.json`` names it by its kind."""


def window(projection: Projection, frame: Frame) -> tuple[float, float, float, float]:
    """The field of longitudes and latitudes (west, south, east, north) that a frame shows, with some room around it.

    West may lie below -180, or east beyond 180; a frame with a pole in it shows all longitudes."""
    room = 0.06 * max(frame.width, frame.height)
    x = np.linspace(frame.west - room, frame.east + room, 41)
    y = np.linspace(frame.south - room, frame.north + room, 41)
    grid = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])
    lonlat = projection.unproject(grid)
    lon, (south, north) = lonlat[:, 0], (float(lonlat[:, 1].min()), float(lonlat[:, 1].max()))
    if isinstance(projection, EqualEarth):
        return float(lon.min()), south, float(lon.max()), north
    assert isinstance(projection, Laea)
    away = (lon - projection.lon + 540) % 360 - 180
    poles = projection.project(np.array([[0.0, 90.0], [0.0, -90.0]]))
    lean = math.sin(math.radians(projection.lat))  # the far pole is nowhere on the map, whatever the formula says
    shown = [
        x[0] <= px <= x[-1] and y[0] <= py <= y[-1] and side > -0.9
        for (px, py), side in zip(poles, (lean, -lean), strict=True)
    ]
    if any(shown):
        away = np.array([-180.0, 180.0])
        south, north = (-90.0 if shown[1] else south), (90.0 if shown[0] else north)
    west, east = float(away.min()), float(away.max())
    return projection.lon + max(west - 1, -180.0), south - 1, projection.lon + min(east + 1, 180.0), north + 1


def frame_of_degrees(projection: Laea | EqualEarth, west: float, south: float, east: float, north: float) -> Frame:
    """The smallest frame that holds a field of longitudes and latitudes."""
    lon, lat = np.linspace(west, east, 60), np.linspace(south, north, 60)
    edge = np.concatenate(
        [np.column_stack([lon, np.full(60, lat_)]) for lat_ in (south, north)]
        + [np.column_stack([np.full(60, lon_), lat]) for lon_ in (west, east)]
    )
    plane = projection.project(edge)
    low, high = plane.min(axis=0), plane.max(axis=0)
    return Frame(round(float(low[0])), round(float(low[1])), round(float(high[0])), round(float(high[1])))
