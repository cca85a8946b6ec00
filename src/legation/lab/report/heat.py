"""The board with how often its centers change hands and how much its borders are fought over."""

import re
from collections.abc import Mapping

from legation.atlas import NoMapError, for_variant
from legation.lab.report.document import Picture

MOST_BORDERS = 60
"""So many borders are drawn, the most fought over."""
WIDEST = 16.0
LARGEST = 15.0
TOLD = "Map: circles where centers change hands, lines where borders are fought over; the tables below say the same"
ALONE = (
    ".front{stroke:#9a1b2b;stroke-linecap:round;opacity:.8;fill:none}"
    ".hand{fill:#000;fill-opacity:.82;stroke:#fff;stroke-width:1.5}"
    ".count{fill:#fff;font-family:'Legation Garamond';font-weight:700;text-anchor:middle}"
)


def heat_map(
    variant: str, changes: Mapping[str, float], fought: Mapping[tuple[str, str], float]
) -> tuple[Picture, str] | None:
    """Return the map and the style that pages need for it; None for a board that has no picture.

    ``changes`` are those of hands a game by center, ``fought`` the fights a game by border."""
    try:
        atlas = for_variant(variant)
    except NoMapError:
        return None
    place = atlas.geometry.place_of
    parts = []
    most = max(fought.values(), default=0)
    for (a, b), value in sorted(fought.items(), key=lambda item: -item[1])[:MOST_BORDERS]:
        if value > 0 and a in atlas.geometry.sites and b in atlas.geometry.sites:
            (ax, ay), (bx, by) = place(a), place(b)
            width = max(1.0, WIDEST * value / most)
            parts.append(f'<path class="front" stroke-width="{width:.1f}" d="M{ax:.0f} {ay:.0f}L{bx:.0f} {by:.0f}"/>')
    top = max(changes.values(), default=0)
    for name, value in sorted(changes.items(), key=lambda item: -item[1]):
        if value > 0 and name in atlas.geometry.sites:
            (x, y), r = atlas.geometry.sites[name].center, max(4.0, LARGEST * (value / top) ** 0.5)
            parts.append(f'<circle class="hand" cx="{x:.0f}" cy="{y:.0f}" r="{r:.1f}"/>')
            if r >= 9:
                parts.append(
                    f'<text class="count" x="{x:.0f}" y="{y + 0.3 * r:.1f}" font-size="{0.95 * r:.1f}">'
                    f"{value:.1f}</text>"
                )
    heat = f'<g class="heat">{"".join(parts)}</g>'
    layer = atlas.board_layer()
    still = re.sub(r' (tabindex|role|aria-label)="[^"]*"', "", layer.svg)  # nothing on it can be pointed at
    inline = still.replace("<svg ", f'<svg role="img" aria-label="{TOLD}" ', 1).replace("</svg>", heat + "</svg>")
    alone = atlas.svg(None, legend=False, control=False, units=False, interactive=False)
    alone = alone.replace("</style>", ALONE + "</style>", 1).replace("</svg>", heat + "</svg>")
    return Picture(inline, alone), layer.style
