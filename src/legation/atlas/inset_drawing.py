"""The frames of insets: a margin with two lines around what is shown, its title above; and a line around the part of
the map that is shown larger."""

from __future__ import annotations

from legation.atlas.escaping import escape
from legation.atlas.letters import measure
from legation.atlas.outlines import Outlines
from legation.atlas.shapes import Edges

TITLE = 0.72
"""The size of a title's letters, as a share of the room above the field."""
LARGEST_TITLE = 17.0


def draw_insets(outlines: Outlines) -> tuple[str, str]:
    """What is drawn in tenths of a unit below symbols and names, and the titles, in units."""
    grounds, titles = [], []
    tenths = outlines.scale * 10

    def rectangle(edges: Edges, *, turned: bool = False) -> str:
        left, top, right, bottom = (round(edge * tenths) for edge in edges)
        return f"M{left} {top}V{bottom}H{right}V{top}Z" if turned else f"M{left} {top}H{right}V{bottom}H{left}Z"

    for inset in outlines.insets:
        box, field = rectangle(inset.box), rectangle(inset.field)
        if inset.window:
            grounds.append(f'<path class="inset-window" d="{rectangle(inset.window)}"/>')
        grounds.append(f'<path class="inset-margin" d="{box}{rectangle(inset.field, turned=True)}"/>')
        grounds.append(f'<path class="inset-edge" d="{box}"/><path class="inset-edge inset-field" d="{field}"/>')
        if inset.title:
            left, top, right, _ = (edge * outlines.scale for edge in inset.box)
            room = inset.field[1] * outlines.scale - top
            size = min(LARGEST_TITLE, TITLE * room)
            size = min(size, size * (right - left - 6) / max(1.0, measure(inset.title, "italic", size, 0.02)))
            titles.append(
                f'<text class="inset-title" x="{(left + right) / 2:.1f}" y="{top + room / 2 + 0.3 * size:.1f}" '
                f'font-size="{size:.1f}">{escape(inset.title)}</text>'
            )
    return "".join(grounds), "".join(titles)
