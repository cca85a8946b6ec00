"""What stands around a map: its title and turn above, the legend below."""

from legation.atlas.letters import escape, measure

MARGIN = 26.0
HEADER = 62.0


def surround_scale(width: float) -> float:
    """How much larger than usual title and legend are, on a map of this width in units."""
    return max(1.0, width / 1400)


def surround(
    drawing: str, width: float, height: float, title: str, turn: str, legend: str, legend_height: float
) -> tuple[str, float, float]:
    """A drawing with title and legend around it, and the size of all together. Sizes are in units; the legend's before
    scaling."""
    k = surround_scale(width)
    top, margin = HEADER * k, MARGIN * k
    below = (10 + legend_height) * k
    # what runs over the edge of the map is covered, which costs less than clipping
    cover = (
        f'<path class="page" fill-rule="evenodd" d="M{-margin:.1f} {-top:.1f}H{width + margin:.1f}V{height + below:.1f}'
        f'H{-margin:.1f}ZM0 0V{height:.1f}H{width:.1f}V0Z"/>'
    )
    body = (
        f'<g transform="translate({margin:g} {top:g})">{drawing}{cover}{frame(width, height)}</g>'
        f'<g transform="scale({k:.3f})">{_header(title, turn, width / k + 2 * MARGIN)}</g>'
        f'<g transform="translate({margin:.1f} {top + height + 10 * k:.1f}) scale({k:.3f})">{legend}</g>'
    )
    return body, width + 2 * margin, top + height + below


def frame(width: float, height: float) -> str:
    """The line around the map."""
    return f'<rect class="neat" width="{width:.1f}" height="{height:.1f}"/>'


def _header(title: str, turn: str, width: float) -> str:
    size = 30.0
    room = width - 2 * MARGIN - (measure(turn, "italic", 21) + 24 if turn else 0)
    size = min(size, size * room / max(1.0, measure(title, "bold", size, 0.02)))
    y = HEADER - 21
    lines = [f'<path class="rule" d="M{MARGIN} {HEADER - 9:.0f}H{width - MARGIN:.1f}"/>']
    lines.append(f'<text class="title" x="{MARGIN}" y="{y:.0f}" font-size="{size:.1f}">{escape(title)}</text>')
    if turn:
        lines.append(f'<text class="turn" x="{width - MARGIN:.1f}" y="{y:.0f}">{escape(turn)}</text>')
    return "".join(lines)
