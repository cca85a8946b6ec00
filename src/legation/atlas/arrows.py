"""Orders that move a unit: moves, convoyed or not, ferries, retreats. An arrow for each; another end for each way to
fail."""

import math
from itertools import pairwise
from typing import TypeAlias

from legation.atlas.canvas import BROKEN, IDLE, Canvas
from legation.atlas.curves import Curve
from legation.atlas.lines import Point
from legation.atlas.sites import UNIT_R
from legation.atlas.strokes import arrowhead, barbs, bars, jag, stroke
from legation.atlas.supports import waves
from legation.board import ARMY, province_of
from legation.judge import Outcome, Verdict
from legation.orders import Convoy, Move, Moving, Retreat

Going: TypeAlias = Moving | Retreat


# The way of an order over the map


def course_of_move(canvas: Canvas, order: Move) -> Curve:
    """The line of a move: direct, or through the fleets that are to carry it."""
    board, a, b = canvas.geometry.board, order.at, order.to
    if order.kind == "F":
        return canvas.line(a, b, sails=True)
    carried = order.via_convoy or order.route
    if not carried and province_of(b) in board.reach(ARMY, province_of(a)):
        return canvas.line(a, b)
    through = list(order.route) or _chain(canvas, province_of(a), province_of(b))
    return course_through(canvas, order, through) if through else canvas.line(a, b)


def draft_arrow(canvas: Canvas, order: Move) -> tuple[str, str]:
    """The line and the head of a move that is not judged yet, as paths without a style."""
    curve = course_of_move(canvas, order)
    start = canvas.radius(order.at) * 0.9
    return _pointed(curve, start, canvas.stop(curve, order.to, start + 6))


def course_of_hollow_arrow(canvas: Canvas, order: Moving) -> Curve:
    """The line of a fleet that carries a unit with it."""
    return canvas.line(order.at, order.to, sails=True)


def course_of_retreat(canvas: Canvas, order: Retreat) -> Curve:
    """The line of a retreat, from beside its province."""
    start, end = canvas.dislodged_place(order.at), canvas.place(order.to)
    a, b = province_of(order.at), province_of(order.to)
    return canvas.chart.line(a, b, *canvas.geometry.together(a, start, b, end))


def course_through(canvas: Canvas, order: Moving, through: list[str]) -> Curve:
    """The path of a convoyed army, just below each fleet that carries it."""
    a, b = province_of(order.at), province_of(order.to)
    stops = [(a, canvas.stand(order.at))]
    for fleet in through:
        x, y = canvas.stand(fleet)
        stops.append((province_of(fleet), (x, y + UNIT_R * 0.55)))
    stops.append((b, canvas.place(order.to)))
    stops = _on_one_part(canvas, stops)
    points, numbers = [stops[0][1]], []
    for (one, start), (other, end) in pairwise(stops):
        points += [*canvas.chart.passage(one, other, start, end), end]
        numbers.append(len(points) - 1)
    curve = canvas.chart.line(a, b, *points)
    canvas.carriers[a, b] = [
        (province_of(fleet), curve.along(number)) for fleet, number in zip(through, numbers, strict=False)
    ]
    return curve


def _on_one_part(canvas: Canvas, stops: list[tuple[str, Point]]) -> list[tuple[str, Point]]:
    """The stops of a way, on one part of the map if all their provinces are drawn there."""
    geometry = canvas.geometry
    parts = dict.fromkeys(geometry.part_of(place) for _, place in stops)
    for part in parts if len(parts) > 1 else ():
        moved = [(name, geometry.on_part(name, place, part)) for name, place in stops]
        if all(place for _, place in moved):
            return [(name, place) for name, place in moved if place]
    return stops


def _chain(canvas: Canvas, a: str, b: str) -> list[str]:
    """The shortest chain of fleets ordered to convoy from ``a`` to ``b``; where there is none, those fleets, from near
    to far."""
    board = canvas.geometry.board
    fleets = list(_convoys(canvas, a, b))
    trails: list[list[str]] = [[fleet] for fleet in fleets if a in board.adjacent(fleet)]
    seen = {trail[0] for trail in trails}
    for trail in trails:
        if b in board.adjacent(trail[-1]):
            return trail
        for fleet in fleets:
            if fleet not in seen and fleet in board.adjacent(trail[-1]):
                seen.add(fleet)
                trails.append([*trail, fleet])
    start = canvas.stand(a)
    return sorted(fleets, key=lambda fleet: math.dist(start, canvas.place(fleet)))


def _convoys(canvas: Canvas, a: str, b: str) -> dict[str, Outcome]:
    """What became of each fleet's order to convoy from ``a`` to ``b``."""
    return {
        province_of(v.order.at): v.outcome
        for v in canvas.verdicts
        if isinstance(v.order, Convoy) and province_of(v.order.target) == a and province_of(v.order.to) == b
    }


# The arrow


def draw_move(canvas: Canvas, verdict: Verdict, order: Move) -> None:
    """An arrow; bounced: dashed, with a bar before its aim; its convoy broken: broken off before the fleet that
    failed."""
    canvas.add(verdict, *_arrow(canvas, verdict, order, "move"))


def draw_hollow_arrow(canvas: Canvas, verdict: Verdict, order: Moving) -> None:
    """A hollow arrow, and waves beside the fleet."""
    line, head = _arrow(canvas, verdict, order, "hollow arrow")
    canvas.add(verdict, line, waves(canvas, order.at, verdict.outcome) + head)


def draw_retreat(canvas: Canvas, verdict: Verdict, order: Retreat) -> None:
    """A finely dashed arrow with an open head; where it failed, the unit is crossed out."""
    canvas.add(verdict, *_arrow(canvas, verdict, order, "retreat"))
    if verdict.outcome is Outcome.DISBANDED:
        canvas.cross_out(verdict, "disband", canvas.dislodged_place(order.at))


def _arrow(canvas: Canvas, verdict: Verdict, order: Going, form: str) -> tuple[str, str]:
    """The line of a ``move``, ``retreat`` or ``hollow arrow``, and its head or bar; both ends clear of the units."""
    curve, retreats, outcome = canvas.course(order.at, order.to), form == "retreat", verdict.outcome
    idle, stopped = outcome in IDLE, outcome in (Outcome.BOUNCED, Outcome.DISBANDED)
    start = 8.0 if retreats else canvas.radius(order.at) * 0.9
    stop = canvas.stop(curve, order.to, start + 6, 5.0 if stopped or idle else 9.0, full=stopped)
    if idle:
        stand = canvas.dislodged_place(order.at) if retreats else canvas.stand(order.at)
        canvas.ring_beside(verdict, stand, canvas.radius(order.at) * 0.95)
        head = stroke(barbs(curve.point(stop), curve.direction(stop)), "oi end")
        return stroke(curve.path(start, stop), "oi"), _aimed(curve, stop, head)
    if outcome in BROKEN:
        return _broken(canvas, order, curve, start, stop)
    canvas.used.add("bounced" if stopped else form)
    if stopped:
        shaft, point = curve.path(start, stop - 2.5), bars(curve.point(stop - 1.5), curve.direction(stop))
    else:
        shaft, point = _pointed(curve, start, stop)
    head = "ob" if stopped else "oo" if retreats else "oa"
    dash = " d" if stopped else " r" if retreats else ""
    core = stroke(shaft, "of") if form == "hollow arrow" else ""
    return stroke(shaft, "oh", "oe" + dash, "oc" + dash) + core, _aimed(curve, stop, stroke(point, "oh", head))


def _aimed(curve: Curve, stop: float, head: str) -> str:
    """Return an arrowhead with its direction as ``data-way``: phones, whose units are larger, draw it farther back."""
    u, v = curve.direction(stop)
    return f'<g data-way="{u:.2f} {v:.2f}">{head}</g>'


def _pointed(curve: Curve, start: float, stop: float) -> tuple[str, str]:
    """The paths of a curve from one place to another and of the head there."""
    return curve.path(start, max(start + 0.5, stop - 7.0)), arrowhead(curve.point(stop), curve.direction(stop))


def _broken(canvas: Canvas, order: Going, curve: Curve, start: float, stop: float) -> tuple[str, str]:
    """A line that breaks off before the fleet that failed: so far whole, a jagged stroke, then thin dots to its aim."""
    canvas.used.add("broken")
    key = province_of(order.at), province_of(order.to)
    became = _convoys(canvas, *key)
    failed = [along for fleet, along in canvas.carriers.get(key, []) if became.get(fleet) is not Outcome.SUCCEEDS]
    wish = failed[0] - 2.2 * UNIT_R if failed else (start + stop) / 2
    last = max(start + 8, min(stop, *failed) - 8) if failed else stop - 8
    break_at = canvas.spare(curve, start + 8, last, wish, 7.0)
    first, rest = curve.path(start, break_at - 3), curve.path(break_at + 4, stop)
    middle = curve.point(break_at)
    mark = jag(middle, curve.direction(break_at))
    return stroke(first, "oh", "oe", "oc") + stroke(rest, "oi"), stroke(mark, "oh", "ob")
