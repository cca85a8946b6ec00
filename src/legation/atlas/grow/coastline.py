"""The coastlines that boards are cut from.

The package ships one for Europe and its seas (``land.json.gz``; longitude -26 to 60, latitude 26 to 73) and two of the
whole world (``world-10m.json.gz``, ``world-50m.json.gz``), derived from Natural Earth's land polygons at 1:10m and
1:50m, which are in the public domain. Made with Natural Earth (https://www.naturalearthdata.com). They are built anew
by ``python -m legation.atlas.grow.coastline LAND.geojson -o land.json.gz``. Any other land can be given as GeoJSON
polygons, or as TopoJSON."""

import argparse
import gzip
import json
import math
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import shapely
from shapely.errors import ShapelyError
from shapely.geometry import MultiPolygon, Polygon, shape

from legation.atlas.grow import CREDIT, NONE, SHIPPED
from legation.atlas.grow.projection import Points
from legation.formats import LARGEST_JSON, FormatError, decode_json, read_file

STEP = 0.001
"""Degrees to a unit in the shipped files."""
TOLERANCE = 0.002
"""Degrees of simplification in the shipped files: a fifth of a kilometer at most."""

Land = list[list[Points]]
"""Polygons of rings (the first the outline, the rest holes) of ``[lon, lat]`` in degrees."""


def read_land(path: Traversable | Path) -> Land:
    """The land polygons of a GeoJSON file.

    :raises ValueError: when the file holds no polygons."""
    return [[np.asarray(ring, dtype=np.float64)[:, :2] for ring in _rings(p)] for p in _polygons(path)]


def find_land(folder: Traversable | Path, coastline: str) -> Land:
    """The land that a board names as its ``coastline``: one of the package, none, or a file of its folder.

    :raises ValueError: when the file holds no polygons."""
    if coastline == NONE:
        return []
    return shipped_land(coastline) if coastline in SHIPPED else read_land(folder.joinpath(coastline))


@lru_cache(maxsize=len(SHIPPED))
def shipped_land(coastline: str) -> Land:
    """The land polygons of a coastline of the package; read once, and not to be changed."""
    return unpack(files("legation.atlas.grow").joinpath(SHIPPED[coastline]).read_bytes())


def _polygons(path: Traversable | Path) -> list[Polygon]:
    try:
        document: Any = decode_json(read_file(path, LARGEST_JSON))
    except (OSError, msgspec.DecodeError, FormatError) as error:
        raise ValueError(f"{path}: cannot be read as GeoJSON: {error}") from None
    polygons: list[Polygon] = []
    if isinstance(document, dict) and document.get("type") == "Topology":
        document = _decoded(path, document)
    features = document.get("features", [document]) if isinstance(document, dict) else []
    for feature in features if isinstance(features, list) else []:
        try:
            geometry = shape(feature.get("geometry", feature))
        except (AttributeError, KeyError, TypeError, ValueError, ShapelyError) as error:
            raise ValueError(f"{path}: holds something that isn't a GeoJSON feature ({error})") from None
        if isinstance(geometry, MultiPolygon):
            polygons.extend(geometry.geoms)
        elif isinstance(geometry, Polygon):
            polygons.append(geometry)
    if not polygons:
        raise ValueError(f"{path}: holds no polygons; give the land as GeoJSON Polygon or MultiPolygon features")
    return polygons


def _decoded(path: Traversable | Path, topology: dict[str, Any]) -> dict[str, Any]:
    """The object ``land`` of a TopoJSON document (else its only one) as GeoJSON."""
    try:
        scale, shift = np.asarray(topology["transform"]["scale"]), np.asarray(topology["transform"]["translate"])
        arcs = [np.cumsum(np.asarray(arc), axis=0) * scale + shift for arc in topology["arcs"]]
        objects = topology["objects"]
        land = objects["land"] if "land" in objects else next(iter(objects.values()))

        def ring(numbers: list[int]) -> Points:
            lines = [arcs[number] if number >= 0 else arcs[~number][::-1] for number in numbers]
            return np.vstack([lines[0], *(line[1:] for line in lines[1:])])

        polygons: list[Any] = []
        for item in land.get("geometries", [land]):
            polygons += item["arcs"] if item["type"] == "MultiPolygon" else [item["arcs"]]
        cut = [part for p in polygons for part in _cut_at_the_date_line([ring(numbers) for numbers in p])]
        return {"type": "MultiPolygon", "coordinates": [part for part in cut if len(part[0]) > 3]}
    except (AttributeError, IndexError, KeyError, StopIteration, TypeError, ValueError) as error:
        raise ValueError(f"{path}: is a TopoJSON document that cannot be read ({error!r})") from None


def _cut_at_the_date_line(rings: list[Points]) -> list[list[list[list[float]]]]:
    """A polygon whose rings run across 180 degrees, or round a pole, as polygons between -180 and 180 degrees."""
    if not any(np.any(np.abs(np.diff(ring[:, 0])) > 180) for ring in rings):
        return [[ring.tolist() for ring in rings]]
    whole = []
    for ring in rings:
        lon = np.unwrap(ring[:, 0], period=360)
        line = np.column_stack([lon, ring[:, 1]])
        if abs(lon[-1] - lon[0]) > 180:  # round a pole: along the date line to it, and back
            pole = math.copysign(90.0, float(ring[:, 1].mean()))
            line = np.vstack([line, [lon[-1], pole], [lon[0], pole], line[:1]])
        whole.append(line)
    shape = shapely.make_valid(Polygon(whole[0], whole[1:]))
    parts = []
    for turn in (-720.0, -360.0, 0.0, 360.0, 720.0):
        for part in shapely.get_parts(shape.intersection(shapely.box(turn - 180, -90, turn + 180, 90))):
            if isinstance(part, Polygon) and not part.is_empty:
                parts.append([[[x - turn, y] for x, y in coords] for coords in _rings(part)])
    return parts


def _rings(polygon: Polygon) -> list[Any]:
    return [polygon.exterior.coords, *(hole.coords for hole in polygon.interiors)]


def unpack(packed: bytes) -> Land:
    """The land of a packed file."""
    return [[_unpack(ring) for ring in rings] for rings in decode_json(gzip.decompress(packed))["polygons"]]


def _unpack(deltas: list[int]) -> Points:
    steps = np.asarray(deltas, dtype=np.float64).reshape(-1, 2)
    points: Points = np.cumsum(steps, axis=0) * STEP
    return np.vstack([points, points[:1]])


def pack(path: Path, tolerance: float = TOLERANCE) -> bytes:
    """The shipped form of a GeoJSON file of land: simplified, in whole steps, differences only, compressed. Same input,
    same bytes."""
    packed: list[list[list[int]]] = []
    for polygon in _polygons(path):
        simple = shapely.simplify(polygon, tolerance)
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
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, help="degrees of simplification (%(default)s)")
    arguments = parser.parse_args()
    try:
        arguments.output.write_bytes(pack(arguments.land, arguments.tolerance))
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":  # not reached: the tests call main() themselves
    main()
