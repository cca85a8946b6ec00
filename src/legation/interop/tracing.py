"""A board begun from any SVG whose provinces are shapes: their points, their names, and the coast.

What is taken is a first draft, to be gone on with by hand: where the provinces lie, which are water (by their color or
class), and what they are called. Scripts, links and pictures of the file are never looked at."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import shapely
from PIL.ImageColor import getrgb
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from legation.atlas.table.document import TableDocument
from legation.atlas.table.starting import least_lengths
from legation.interop.coasts import location
from legation.interop.drawing.shaped import COAST, WIDTH, along, geojson, land_of, outlines, table_on_plane
from legation.interop.sources import ForeignFileError, Source
from legation.interop.svg import SHAPES, picture_of_svg
from legation.interop.xml_tree import Element, parse_xml

FEWEST, MOST = 3, 400
"""How many provinces a picture may show."""
STEP = WIDTH / 100
"""km between two points along an outline: few enough to be dragged, enough to hold its form."""
FILL = re.compile(r"(?:^|[;{\s])fill\s?:\s?([^;}\s]{1,40})")
CSS_CLASS = re.compile(r"\.([A-Za-z_][\w-]{0,60})\s{0,20}\{([^{}]{0,2000})\}")
MOST_CSS = 100_000
WET_CLASS = re.compile(r"(?i)water|ocean|\bseas?(?:\b|poly|province|_|\d)")
LONGEST_NAME = 60


def trace_svg(text: str, seas: list[str] | None = None) -> dict[str, Any]:
    """Return the ``document`` that the shapes of an SVG give. ``seas`` are the keys of those that are water; if it is
    None, the file tells by color or class. Where it doesn't, what is ``unclear`` is returned: the size of the picture,
    and its places to choose from, each with its name, its outline as an SVG path and its color in the file.

    :raises ForeignFileError: if the file isn't an SVG, or has too few or too many shapes with an ``id``."""
    data = text.encode("utf-8", "replace")
    shapes = picture_of_svg(Source("", ["map.svg"], lambda _, most: data[:most]), "map.svg").shapes
    found, _, width, height = outlines({key: shape for key, shape in shapes.items() if "/" not in key})
    if len(found) < FEWEST:
        raise ForeignFileError(f"fewer than {FEWEST} shapes with an id were found: give each province's path an id")
    if len(found) > MOST:
        raise ForeignFileError(f"{len(found)} shapes have an id; a board begins with {MOST} provinces at most")
    said, fills, waters = _facts(parse_xml(data, "map.svg"))
    names = {key: (said.get(key) or key.replace("_", " ").strip().title())[:LONGEST_NAME] for key in found}
    wet = found.keys() & (waters if seas is None else seas)
    if seas is None and not wet:
        places = [
            {"key": key, "name": names[key], "path": _path(shape), "fill": fills.get(key, "")}
            for key, shape in found.items()
        ]
        return {"unclear": {"width": round(width, 1), "height": round(height, 1), "places": places}}
    land = land_of(
        [shape for key, shape in found.items() if key not in wet],
        [shape for key, shape in found.items() if key in wet],
        box(0, 0, width, height),
    )
    water = shapely.union_all([found[key] for key in wet])
    lakes = [  # waters that no sea of the file is on, which are off the board: none of them is a far sea's
        part.representative_point()
        for part in shapely.get_parts(box(0, 0, width, height).difference(land))
        if wet and part.area > STEP * STEP and not part.intersects(water)
    ]
    void = [
        {"id": f"off{n}", "kind": "water", "points": f"{lake.x:.1f} {height - lake.y:.1f}"}
        for n, lake in enumerate(lakes, 1)
    ]
    how = "by color or class" if seas is None else "by choice"
    ids = _ids(found)
    rows: dict[str, dict[str, str]] = {}
    taken: set[str] = set()
    for key, shape in found.items():
        rows[key] = {"id": ids[key], "name": names[key] or ids[key], "points": _points(shape, height, taken)}
        if key not in wet and shape.distance(water) < STEP / 2:
            rows[key]["coasts"] = "single"
    document = TableDocument(
        board={
            "name": "my-board",
            "title": "A new board",
            **table_on_plane(width, height),
            "grow": {"coastline": COAST, **least_lengths(max(width, height))},
            "land": [row for key, row in rows.items() if key not in wet],
            "sea": [row for key, row in rows.items() if key in wet],
            **({"void": void} if void else {}),
        },
        notes=f"Begun from the shapes of an SVG: {len(found)} provinces, {len(wet) or 'none'} of them water {how}. "
        "Centers, powers and coasts are still to do.",
        files={COAST: geojson(land, height)},
    )
    return {"document": msgspec.to_builtins(document)}


def _path(shape: BaseGeometry) -> str:
    parts = [part for part in shapely.get_parts(shape.simplify(WIDTH / 1000)) if isinstance(part, Polygon)]
    rings = (ring for part in parts for ring in (part.exterior, *part.interiors))
    return "".join("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in ring.coords) + "Z" for ring in rings)


def _facts(root: Element) -> tuple[dict[str, str], dict[str, str], set[str]]:
    """The first name and the first color that the file has for each place, and which places are water; a place may be
    drawn more than once."""
    classes: dict[str, str] = {}
    for style in root.all("style"):
        for match in CSS_CLASS.finditer(style.text[:MOST_CSS]):
            fill = FILL.search(match[2])
            if fill:
                classes[match[1]] = fill[1]
    said: dict[str, str] = {}
    fills: dict[str, str] = {}
    waters: set[str] = set()
    for key, name, color, wet in _walk(root, classes, "", ""):
        said[key] = said.get(key) or name
        fills.setdefault(key, color)
        if wet:
            waters.add(key)
    return said, fills, waters


def _walk(element: Element, classes: Mapping[str, str], fill: str, named: str) -> Iterator[tuple[str, str, str, bool]]:
    """The shapes below an element: place, name, color, whether it is water. ``fill``: the color that holds there;
    ``named``: the id of the group around."""
    names = element.get("class").split()
    own = FILL.search(element.get("style")[:2000])
    by_class = [classes[name] for name in names if name in classes]
    fill = (own[1] if own else "") or (by_class[0] if by_class else "") or element.get("fill") or fill
    named = location(element.get("id")) if element.get("id") else named
    if element.name in SHAPES and named:
        yield named, _label(element), fill[:40], any(map(WET_CLASS.search, names)) or is_blue(fill)
    for child in element.children:
        yield from _walk(child, classes, fill, named)


def _label(element: Element) -> str:
    """The name that a drawing program keeps with a shape."""
    titles = [child.text for child in element.own("title")]
    return " ".join((element.get("label") or (titles[0] if titles else "") or element.get("name")).split())


def is_blue(color: str) -> bool:
    """Whether a color, as CSS writes it, is one in which maps show water."""
    with contextlib.suppress(ValueError):  # of a color that CSS doesn't know
        red, green, blue, *_ = getrgb(color)
        return blue >= green and blue > red + 10
    return False


def _ids(keys: Iterable[str]) -> dict[str, str]:
    """An id of a board for each place: its own where it can be one, else the beginning of it."""
    ids: dict[str, str] = {}
    for key in keys:
        plain = re.sub(r"[^a-z0-9]", "", key.lower())
        wanted = [plain, plain[:3], *(f"{plain[:3] or 'p'}{n}" for n in range(1, MOST + 2))]
        ids[key] = next(id for id in wanted if 2 <= len(id) <= 8 and id not in ids.values())
    return ids


def _points(shape: BaseGeometry, height: float, taken: set[str]) -> str:
    """The points of a province as a table holds them, y to the north; none that another has ``taken``."""
    points = [p for p in dict.fromkeys(f"{x:.1f} {height - y:.1f}" for x, y in along(shape, STEP)) if p not in taken]
    taken.update(points)
    return "; ".join(points)
