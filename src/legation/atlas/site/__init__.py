"""The moves browser (W-24): one HTML page that works from a file, with the map, all names, and all ways to go."""

import json
import re
from importlib.resources import files
from typing import Any

from legation.atlas.cartography import Atlas
from legation.atlas.letters import escape, printable
from legation.atlas.stylesheet import font_faces, pointing, style_of
from legation.board import ARMY, COAST_NAMES, FLEET, Board

# Ground that both units may enter, as stripes of the two colors.
_BOTH = (
    '<pattern id="both" width="160" height="160" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="160" height="160" style="fill:var(--fleetland)"/>'
    '<rect width="80" height="160" style="fill:var(--armyland)"/></pattern>'
)


def moves_page(atlas: Atlas) -> str:
    """The page as HTML, everything it needs inside: type or pick a place, see where an army there or a fleet on each
    coast may go."""
    board, title = atlas.board, atlas.title
    width, height = atlas.geometry.width * 10, atlas.geometry.height * 10
    within = f'<clipPath id="within"><rect width="{width:.0f}" height="{height:.0f}"/></clipPath>'
    svg = atlas.svg(legend=False, interactive=False).replace("<defs>", f"<defs>{_BOTH}{within}", 1)
    dark = style_of("dark", tuple(atlas.colors.values())) + pointing("dark")
    svg = svg.replace("</style>", f"{pointing('light')}@media (prefers-color-scheme:dark){{{dark}}}</style>", 1)
    facts = json.dumps(_facts(board, atlas), ensure_ascii=False, separators=(",", ":"))
    credits = escape(f"{board.reconstructed} {board.credits}".strip())
    parts = {
        "title": escape(title),
        "fonts": font_faces(),
        "css": _read("page.css"),
        "svg": svg,
        "credits": f'<details id="credits" open><summary>Credits</summary>{credits}</details>' if credits else "",
        "board": printable(facts).replace("<", "\\u003c"),  # it stands in a script element
        "js": _read("page.js"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _read("page.html"))


def _read(name: str) -> str:
    return files("legation.atlas.site").joinpath(name).read_text(encoding="utf-8")


def _facts(board: Board, atlas: Atlas) -> dict[str, Any]:
    places = {}
    for name, province in board.provinces.items():
        site = atlas.geometry.sites[name]
        fleets = {
            location: _sorted(board, board.reach(FLEET, location))
            for location in province.locations
            if board.stands(FLEET, location)
        }
        places[name] = {
            "name": province.name,
            "aliases": [alias.partition("@")[0] for alias in province.aliases],
            "facts": province.facts,
            "note": province.remark,
            "sea": province.sea,
            "at": [round(c, 1) for c in site.unit],
            "coasts": {coast: [round(c, 1) for c in at] for coast, at in site.coasts.items()},
            "army": None if province.sea else _sorted(board, board.reach(ARMY, name)),
            "fleet": fleets,
        }
    lettering = [[name, label.ground or name] for name, label in atlas.labels.items()]
    """What each name names, and where it is printed."""
    return {"coasts": dict(COAST_NAMES), "places": places, "lettering": lettering}


def _sorted(board: Board, locations: frozenset[str]) -> list[str]:
    return sorted(locations, key=board.name_of)
