"""Orders drawn as marks upon or beside a unit: holds, changes of kind, builds, removals; and tags with a few words."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from legation.atlas.canvas import Canvas
from legation.atlas.letters import Box, measure, overlap, overlap_disc
from legation.atlas.lines import Point
from legation.atlas.sites import UNIT_R, Disc
from legation.atlas.strokes import level_box, turning
from legation.judge import Outcome, Verdict
from legation.orders import Build, Disband, Hold, Remove


def draw_hold(canvas: Canvas, verdict: Verdict, order: Hold) -> None:
    """A ring."""
    canvas.used.add("hold")
    x, y = canvas.stand(order.at)
    r = canvas.radius(order.at) + 3.6
    canvas.add(verdict, f'<circle class="or" cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"/>')


def draw_disband(canvas: Canvas, verdict: Verdict, order: Disband) -> None:
    """The dislodged unit is crossed out."""
    canvas.cross_out(verdict, "disband", canvas.dislodged_place(order.at))


def draw_remove(canvas: Canvas, verdict: Verdict, order: Remove) -> None:
    """The unit is crossed out."""
    canvas.cross_out(verdict, "remove", canvas.stand(order.at))


def draw_turning_arrows(canvas: Canvas, verdict: Verdict, order: Any) -> None:
    """Turning arrows about the unit and what it becomes; broken and struck through where it stayed as it was."""
    failed = verdict.outcome is not Outcome.SUCCEEDS
    canvas.used.add("turning arrows failed" if failed else "turning arrows")
    symbol, color = canvas.symbols.symbol(order.to), canvas.color("u", verdict.power)
    size = 1.26 * canvas.size(order.at)
    canvas.add_over(verdict, turning(symbol, color, failed, canvas.stand(order.at), size))


def draw_build(canvas: Canvas, verdict: Verdict, order: Build) -> None:
    """The unit to come in a dashed ring with a plus; with a cross where it was not built."""
    x, y = canvas.place(order.at)
    size, failed = canvas.size(order.at), verdict.outcome is not Outcome.SUCCEEDS
    canvas.used.add("build failed" if failed else "build")
    sign = "M-2.6-2.6L2.6 2.6M2.6-2.6L-2.6 2.6" if failed else "M-3 0H3M0-3V3"
    canvas.add_over(
        verdict,
        f'<circle class="br" cx="{x:.1f}" cy="{y:.1f}" r="{UNIT_R * size + 4:.1f}"/>'
        f'<use href="#{canvas.symbols.symbol(order.kind)}" class="u {canvas.color("u", verdict.power)}" '
        f'transform="translate({x:.1f} {y:.1f}) scale({size:.2f})"/>'
        f'<g transform="translate({x + 9:.1f} {y - 9:.1f})"><circle class="bp" r="5"/>'
        f'<path class="bq" d="{sign}"/></g>',
    )


# Tags


def place_tags(canvas: Canvas, tags: Sequence[tuple[Verdict, str, str, float]]) -> None:
    """Draw short texts beside units, each where it covers least: the verdict, the location, the text, and how far the
    unit's marks reach, in its radius."""
    if not tags:
        return
    taken: list[Box] = []
    lines = [p for curve in (*canvas.curves.values(), *canvas.supports) for p in curve.every(6.0)]
    for verdict, at, text, reach in tags:
        half = measure(text, "italic", 8) / 2 + 3
        box = _place_of_tag(canvas, at, canvas.radius(at) * reach + 4, half, lines, taken)
        taken.append(box)
        canvas.add_tag(verdict, text, box)


def _place_of_tag(canvas: Canvas, at: str, r: float, half: float, lines: Iterable[Point], taken: Iterable[Box]) -> Box:
    """The best of the places ``r`` units about a unit for a tag of this half width."""
    geometry, (x, y) = canvas.geometry, canvas.stand(at)
    reach = 2 * half + 40
    near = [p for p in lines if abs(p[0] - x) < reach and abs(p[1] - y) < 60]
    discs = [d for d in geometry.discs if abs(d.x - x) < reach and abs(d.y - y) < 70 and _stands(canvas, d)]
    discs += [Disc("unit", "", *p, UNIT_R) for p in canvas.asides.values()]

    def cost(middle: Point) -> tuple[float, float]:
        box = level_box(middle, half, 5.5)
        crowding = 3.0 * sum(abs(p[0] - middle[0]) < half + 2 and abs(p[1] - middle[1]) < 7.5 for p in near)
        crowding += 12 * sum(overlap_disc(box, disc) for disc in discs)
        crowding += 25 * len(canvas.chart.names_under(box)) + 30 * sum(overlap(box, other) for other in taken)
        if not (half <= middle[0] <= geometry.width - half and 6 < middle[1] < geometry.height - 6):
            crowding += 50
        return crowding, math.dist(middle, (x, y)) / 20

    places = [(x + u * (half + r), y + v * (r + 5)) for u, v in ((0, 1), (0, -1), (1, 0), (-1, 0))]
    places += [(x + u * (half + r - 5), y + v * (r + 3)) for u in (-1, 1) for v in (-1, 1)]
    places += [(x + u * half * 0.6, y + v * (r + 5)) for u in (-1, 1) for v in (-1, 1)]
    places += [(x + u * (half + r), y + v * (r + 18)) for u in (-1, 0, 1) for v in (-1, 1)]
    return level_box(min(places, key=lambda place: sum(cost(place))), half, 5.5)


def _stands(canvas: Canvas, disc: Disc) -> bool:
    """Whether something stands on a place now: a center always, a unit or a coast when there is a unit."""
    if disc.kind == "center":
        return True
    location = canvas.occupied.get(disc.province)
    return location is not None and math.dist(canvas.place(location), (disc.x, disc.y)) < 1
