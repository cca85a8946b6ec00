"""Documents to start a board from: a part of the world, a variant to be changed, a template, an empty plane.

Only what is cut from the world needs the extra ``authoring``, which is imported there."""

import math
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal

import msgspec

from legation.atlas.grow import CREDIT, NONE
from legation.atlas.table.document import BESIDE, TableDocument, TableDocumentError, read_files
from legation.atlas.table.picture import path
from legation.board.files import COLUMNS, NOTES
from legation.variants import Registry

FINE = 40.0
"""Degrees of longitude up to which a part of the world is cut from the finest coastline."""
GLOBE = 150.0
"""Degrees of longitude from which on it is drawn as the whole Earth is."""
FINEST, FINER = "world-10m", "world-50m"
TABLES = ("board.toml", *(f"{table}.csv" for table in COLUMNS))
TEMPLATES = "templates"


class Region(msgspec.Struct, kw_only=True, frozen=True):
    """A part of the world in degrees; where west is more than east it lies across 180 degrees."""

    west: float
    south: float
    east: float
    north: float
    coastline: Literal["", "europe", "world-10m", "world-50m"] = ""


class PlaneStart(msgspec.Struct, kw_only=True, frozen=True):
    """A plane without a coast, in km."""

    width: float = 1000.0
    height: float = 700.0


def from_region(region: Region) -> TableDocument:
    """A part of the world without any province.

    :raises TableDocumentError: when it is none."""
    from legation.atlas.grow.projection import EqualEarth, Laea, frame_of_degrees

    west, east = region.west, region.east + 360 * (region.west > region.east)
    sound = -180 <= west < 360 and west < east <= west + 360 and -90 <= region.south < region.north <= 90
    if not sound or east - west < 0.05 or region.north - region.south < 0.05:
        raise TableDocumentError(
            "the part of the world needs west, south, east and north in degrees, south below north"
        )
    shift = -360 if west + east > 360 else 0
    lon = round((west + east) / 2 + shift, 2)
    wide = east - west
    lat = round((region.south + region.north) / 2, 2)
    shown = {"west": west + shift, "south": region.south, "east": east + shift, "north": region.north}
    shown = {key: round(edge, 3) for key, edge in shown.items()}
    around = EqualEarth(lon) if wide > GLOBE else Laea(lon, lat)
    frame = frame_of_degrees(around, **shown)
    board: dict[str, Any] = {
        "name": "my-board",
        "title": "A new board",
        "credits": f"{CREDIT}.",
        "projection": msgspec.to_builtins(around),
        "frame": {"unit": "degrees", **shown},
        "grow": {
            "coastline": region.coastline or (FINEST if wide <= FINE else FINER),
            **least_lengths(max(frame.width, frame.height)),
        },
    }
    return TableDocument(board=board)


def least_lengths(size: float) -> dict[str, float]:
    """The least common lengths (km) that can be seen on a map of this size (km)."""
    return {
        "least_border": _rounded(size / 400),
        "least_sea": _rounded(size / 800),
        "least_coast": _rounded(size / 800),
    }


def _rounded(length: float) -> float:
    """A length with one digit or two, as people write it."""
    digits = 1 - math.floor(math.log10(max(length, 1e-3)))
    rounded = round(length, digits)
    return int(rounded) if rounded == int(rounded) else rounded


def from_plane(plane: PlaneStart) -> TableDocument:
    """An empty plane of water, on which land is drawn as areas.

    :raises TableDocumentError: when it has no size."""
    if not (1 <= plane.width <= 40_000 and 1 <= plane.height <= 40_000):
        raise TableDocumentError("a plane is 1 to 40,000 km wide and high")
    board = {
        "name": "my-board",
        "title": "A new board",
        "projection": {"kind": "plane"},
        "frame": {"west": 0, "south": 0, "east": plane.width, "north": plane.height},
        "grow": {"coastline": NONE, **least_lengths(max(plane.width, plane.height))},
    }
    return TableDocument(board=board)


def from_variant(name: str, variants: Registry) -> TableDocument:
    """A copy of a variant and its board, to be changed; it has a name of its own.

    :raises VariantError: for an unknown variant, or one that cannot be read."""
    rules = variants.load(name)
    facts = msgspec.to_builtins(variants.facts(name))
    document = from_folder(variants.folder_of(name))
    own = f"my-{document.board.get('name', 'board')}"[:60]
    document.board["name"] = own
    document.board["credits"] = f"After {rules.title}. {document.board.get('credits', '')}".strip()
    facts.pop("name", None)
    document.variant = {"title": f"My {rules.title}", **{k: v for k, v in facts.items() if k != "title"}, "board": own}
    return document


def from_folder(folder: Traversable) -> TableDocument:
    """The board of a folder."""
    texts = {
        file.name: file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if file.name in TABLES or NOTES.fullmatch(file.name)
    }
    document, _ = read_files(texts)
    grow = document.board.get("grow")
    coastline = str(grow.get("coastline", "")) if isinstance(grow, dict) else ""
    if BESIDE.fullmatch(coastline) and folder.joinpath(coastline).is_file():  # never what lies outside the folder
        document.files[coastline] = folder.joinpath(coastline).read_text(encoding="utf-8")
    return document


@lru_cache(maxsize=1)
def template_registry() -> Registry:
    """The boards that come along to start from, with their variants: grown, so that they can be drawn and played."""
    return Registry(Path(str(files("legation.atlas.table") / TEMPLATES)), installed=False)


@lru_cache(maxsize=1)
def templates() -> tuple[str, ...]:
    """The names of the templates."""
    known = template_registry()
    return tuple(name for name in known.names() if not known.find_source(name).shipped)


def from_template(name: str) -> TableDocument:
    """A copy of a template with its variant.

    :raises TableDocumentError: when there is none of this name."""
    if name not in templates():
        raise TableDocumentError(f"there is no template {name[:60]!r}; they are {', '.join(templates())}")
    known = template_registry()
    document = from_folder(known.folder_of(name))
    document.variant = {key: value for key, value in msgspec.to_builtins(known.facts(name)).items() if key != "name"}
    document.board.pop("borders", None)
    document.borders = "picture"
    return document


@lru_cache(maxsize=1)
def described_templates() -> list[dict[str, Any]]:
    """The templates in a few facts."""
    known = template_registry()
    described = []
    for name in templates():
        rules = known.load(name)
        facts = {"title": rules.title, "summary": known.facts(name).get("summary", "")}
        described.append({"name": name, **facts, "provinces": len(rules.board.provinces)})
    return described


@lru_cache(maxsize=1)
def world_map() -> dict[str, Any]:
    """The land of the whole world, to choose a part of it: x is the longitude plus 180, y 90 less the latitude."""
    from legation.atlas.grow.coastline import shipped_land

    lines = []
    for polygon in shipped_land(FINER):
        ring = polygon[0]
        wide, high = ring.max(axis=0) - ring.min(axis=0)
        if wide * high < 0.3:
            continue
        step = max(1, len(ring) // 900)
        kept = [(x, y) for i, (x, y) in enumerate(ring.tolist()) if i % step == 0 or abs(x) > 179.9 or y < -89.9]
        lines.append([(round(x + 180, 1), round(90 - y, 1)) for x, y in [*kept, kept[0]]])
    return {"path": path(lines, closed=True), "width": 360, "height": 180, "credit": CREDIT}
