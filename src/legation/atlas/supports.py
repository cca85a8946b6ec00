"""Orders that help: supports as dotted lines to what they help, convoys as waves beside the fleet."""

import math

from legation.atlas.canvas import IDLE, Canvas
from legation.atlas.curves import Curve
from legation.atlas.lines import Point
from legation.atlas.strokes import cross, crossed_ring, cup, square, stroke
from legation.board import province_of
from legation.judge import Outcome, Verdict
from legation.orders import Convoy, SupportHold, SupportMove

BEND = -0.12
"""How deep lines of orders that help are: to the other side than arrows."""


def draw_support_of_move(canvas: Canvas, verdict: Verdict, order: SupportMove) -> None:
    """A dotted line that ends in a knob on the supported arrow; where nobody moves so, at the middle of the way."""
    start, end = canvas.helping(order.at, order.target, order.to)
    aim, geometry = canvas.course(order.target, order.to), canvas.geometry
    goes = (province_of(order.target), province_of(order.to)) in canvas.curves
    if goes and geometry.part_of(aim.point(0)) == geometry.part_of(end):
        first, last = aim.length * 0.42, aim.length * 0.72  # the middle stretch of the arrow
        wish = min((first, (first + last) / 2, last), key=lambda along: math.dist(aim.point(along), start))
        end = aim.point(canvas.spare(aim, first, last, wish, 4.0))
    curve = Curve([start, end], BEND)
    if verdict.outcome in IDLE:
        canvas.add(verdict, _meant(canvas, verdict, order.at, start, end))
        return
    tip, line, mark = _dotted(canvas, verdict, order.at, curve, curve.length)
    canvas.used.add("support")
    canvas.add(verdict, line, f'<circle class="ok" cx="{tip[0]:.1f}" cy="{tip[1]:.1f}" r="3"/>{mark}')


def draw_support_to_hold(canvas: Canvas, verdict: Verdict, order: SupportHold) -> None:
    """A dotted line that ends in a cup at the supported unit."""
    helped = canvas.occupied.get(province_of(order.target), order.target)
    a, b = province_of(order.at), province_of(helped)
    curve = canvas.chart.line(a, b, *canvas.ends(order.at, helped), bends=(BEND,))
    stop = canvas.stop(curve, helped, canvas.radius(order.at) + 3, 4.0, full=True)
    if verdict.outcome in IDLE:
        canvas.add(verdict, _meant(canvas, verdict, order.at, curve.point(0), curve.point(stop)))
        return
    tip, line, mark = _dotted(canvas, verdict, order.at, curve, stop)
    canvas.used.add("support to hold")
    canvas.add(verdict, line, stroke(cup(tip, curve.direction(stop)), "oh", "oe", "oc") + mark)


def draw_convoy(canvas: Canvas, verdict: Verdict, order: Convoy) -> None:
    """Waves beside the fleet; where the order had no effect, also thin dots to what was meant."""
    idle = verdict.outcome in IDLE
    line = _meant(canvas, verdict, order.at, *canvas.helping(order.at, order.target, order.to)) if idle else ""
    canvas.add(verdict, line, waves(canvas, order.at, verdict.outcome))


def waves(canvas: Canvas, at: str, outcome: Outcome) -> str:
    """Waves left and right of a fleet that carries an army; crossed where it failed."""
    x, y = canvas.stand(at)
    r = canvas.radius(at)
    drawn = strokes = ""
    for middle in (x - r - 8, x + r + 8):
        heights = [y + r * share for share in (0.6, 0.2, 1.0, -0.2, 1.3)]
        free = (h for h in heights if not canvas.chart.names_under(square((middle, h), 6.5)))
        height = next(free, heights[0])
        canvas.covered |= canvas.chart.names_under(square((middle, height), 6.5))
        drawn += "".join(f"M{middle - 6:.1f} {height + drop:.1f}q3-3.4 6 0t6 0" for drop in (-1.5, 2.7))
        strokes += f"M{middle - 6:.1f} {height + 5.5:.1f}l12-11"
    crossed = outcome is not Outcome.SUCCEEDS
    canvas.used.add("convoy failed" if crossed else "convoy")
    return stroke(drawn, "oh", "ow") + (stroke(strokes, "ob") if crossed else "")


def _dotted(canvas: Canvas, verdict: Verdict, at: str, curve: Curve, stop: float) -> tuple[Point, str, str]:
    """The tip and the line of a support, and the cross that strikes it out where it was cut."""
    canvas.supports.append(curve)
    first = canvas.radius(at) * 0.9
    stop = max(first + 3, stop)
    line = stroke(curve.path(first, stop), "oh", "os")
    if verdict.outcome is Outcome.SUCCEEDS:
        return curve.point(stop), line, ""
    canvas.used.add("cut")
    cut = canvas.spare(curve, first + 4, stop - 8, (first + stop) / 2, 6.0)
    return curve.point(stop), line, stroke(cross(curve.point(cut), 4.0), "oh", "ob")


def _meant(canvas: Canvas, verdict: Verdict, at: str, start: Point, end: Point) -> str:
    """Help that had no effect: thin dots from the unit to what was meant, ending in a crossed ring."""
    curve = Curve([start, end], BEND)
    stop = canvas.spare(curve, curve.length * 0.6, curve.length, curve.length, 4.3)
    canvas.used.add("idle")
    canvas.add_mark(verdict, crossed_ring(curve.point(stop)))
    return stroke(curve.path(canvas.radius(at), stop - 3.6), "oi")
