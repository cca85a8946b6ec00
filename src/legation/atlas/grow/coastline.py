"""The coastline that boards are cut from.

The package ships one for Europe and its seas (``land.json.gz``; longitude -26 to 60, latitude 26 to 73), derived from
Natural Earth's land polygons at 1:10m, which are in the public domain. Made with Natural Earth
(https://www.naturalearthdata.com). It is built anew by
``python -m legation.atlas.grow.coastline LAND.geojson -o land.json.gz``. Any other land can be given as GeoJSON
polygons.
"""

from __future__ import annotations

import argparse
import gzip
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.errors import ShapelyError
from shapely.geometry import MultiPolygon, Polygon, shape

from legation.atlas.grow.projection import Points

STEP = 0.001
"""Degrees to a unit in the shipped file."""
TOLERANCE = 0.002
"""Degrees of simplification in the shipped file: a fifth of a kilometer at most."""
CREDIT = "Made with Natural Earth"

Land = list[list[Points]]
"""Polygons of rings (the first the outline, the rest holes) of ``[lon, lat]`` in degrees."""


def read_land(path: Path | None = None) -> Land:
    """The land polygons of a GeoJSON file, or of the package.

    :raises ValueError: when the file holds no polygons.
    """
    if path is None:
        return unpack(files("legation.atlas.grow").joinpath("land.json.gz").read_bytes())
    return [[np.asarray(ring, dtype=np.float64)[:, :2] for ring in _rings(p)] for p in _polygons(path)]


def _polygons(path: Path) -> list[Polygon]:
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path}: cannot be read as GeoJSON: {error}") from None
    polygons: list[Polygon] = []
    features = document.get("features", [document]) if isinstance(document, dict) else []
    for feature in features if isinstance(features, list) else []:
        try:
            geometry = shape(feature.get("geometry", feature))
        except (AttributeError, KeyError, TypeError, ValueError, ShapelyError) as error:
            raise ValueError(f"{path}: holds something that is no GeoJSON feature ({error})") from None
        if isinstance(geometry, MultiPolygon):
            polygons.extend(geometry.geoms)
        elif isinstance(geometry, Polygon):
            polygons.append(geometry)
    if not polygons:
        raise ValueError(f"{path}: holds no polygons; give the land as GeoJSON Polygon or MultiPolygon features")
    return polygons


def _rings(polygon: Polygon) -> list[Any]:
    return [polygon.exterior.coords, *(hole.coords for hole in polygon.interiors)]


def unpack(packed: bytes) -> Land:
    """The land of a packed file."""
    return [[_unpack(ring) for ring in rings] for rings in json.loads(gzip.decompress(packed))["polygons"]]


def _unpack(deltas: list[int]) -> Points:
    steps = np.asarray(deltas, dtype=np.float64).reshape(-1, 2)
    points: Points = np.cumsum(steps, axis=0) * STEP
    return np.vstack([points, points[:1]])


def pack(path: Path) -> bytes:
    """The shipped form of a GeoJSON file of land: simplified, in whole steps, differences only, compressed. Same input,
    same bytes."""
    packed: list[list[list[int]]] = []
    for polygon in _polygons(path):
        simple = shapely.simplify(polygon, TOLERANCE)
        rings = []
        for ring in _rings(simple):
            whole = np.rint(np.asarray(ring)[:-1, :2] / STEP).astype(int)
            whole = whole[np.any(whole != np.roll(whole, 1, axis=0), axis=1)]
            if len(whole) >= 3:
                rings.append(np.diff(whole, axis=0, prepend=[[0, 0]]).ravel().tolist())
        if rings:
            packed.append(rings)
    packed.sort(key=lambda rings: (-len(rings[0]), rings[0]))
    text = json.dumps({"credit": CREDIT, "step": STEP, "polygons": packed}, separators=(",", ":"))
    return gzip.compress(text.encode(), 9, mtime=0)


def main() -> None:
    """Build the shipped coastline from a Natural Earth land file."""
    parser = argparse.ArgumentParser(
        prog="python -m legation.atlas.grow.coastline",
        description="Build the coastline of the package from a GeoJSON file of Natural Earth's land polygons (1:10m).",
    )
    parser.add_argument("land", type=Path, help="GeoJSON file of land polygons, longitude and latitude in degrees")
    parser.add_argument("-o", "--output", type=Path, required=True, help="file to write, land.json.gz")
    arguments = parser.parse_args()
    try:
        arguments.output.write_bytes(pack(arguments.land))
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":  # not reached: the tests call main() themselves
    main()
