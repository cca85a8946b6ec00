"""Orders that move a unit: moves, convoyed or not, ferries, retreats. An arrow for each; another end for each way to
fail."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from legation.atlas.curves import Curve
from legation.atlas.geometry import UNIT_R
from legation.atlas.outcomes import BROKEN, DONE, IDLE, VerdictLike, outcome_of
from legation.atlas.strokes import arrowhead, barbs, bars, jag, square, stroke
from legation.atlas.supports import waves
from legation.board import ARMY, province_of
from legation.orders import Convoy, Move, Moving, Retreat

if TYPE_CHECKING:
    from legation.atlas.order_painter import OrderPainter

Going: TypeAlias = Moving | Retreat


# The way of an order over the map


def course_of_move(painter: OrderPainter, order: Move) -> Curve:
    """The line of a move: direct, or through the fleets that are to carry it."""
    board, a, b = painter.geometry.board, order.at, order.to
    if order.kind == "F":
        return painter.line(a, b, sails=True)
    carried = order.via_convoy or order.route
    if not carried and province_of(b) in board.reach(ARMY, province_of(a)):
        return painter.line(a, b)
    through = list(order.route) or _chain(painter, province_of(a), province_of(b))
    return _carried(painter, order, through) if through else painter.line(a, b)


def course_through(painter: OrderPainter, order: Moving, seas: list[str]) -> Curve:
    """The line of a unit that is carried over these seas."""
    return _carried(painter, order, seas)


def course_of_ferry(painter: OrderPainter, order: Moving) -> Curve:
    """The line of a ferry."""
    return painter.line(order.at, order.to, sails=True)


def course_of_retreat(painter: OrderPainter, order: Retreat) -> Curve:
    """The line of a retreat, from beside its province."""
    return Curve([painter.dislodged_place(order.at), painter.place(order.to)], 0.14)


def _carried(painter: OrderPainter, order: Moving, through: list[str]) -> Curve:
    """The line of an army that fleets carry, below the middle of each."""
    a, b = province_of(order.at), province_of(order.to)
    stops = [(a, painter.stand(order.at))]
    for fleet in through:
        x, y = painter.stand(fleet)
        stops.append((province_of(fleet), (x, y + UNIT_R * 0.55)))
    stops.append((b, painter.place(order.to)))
    points, numbers = [stops[0][1]], []
    for (one, start), (other, end) in pairwise(stops):
        points += [*painter.chart.passage(one, other, start, end), end]
        numbers.append(len(points) - 1)
    curve = Curve(points)
    painter.carriers[a, b] = [
        (province_of(fleet), curve.along(number)) for fleet, number in zip(through, numbers, strict=False)
    ]
    return curve


def _chain(painter: OrderPainter, a: str, b: str) -> list[str]:
    """The shortest chain of fleets ordered to convoy from ``a`` to ``b``; where there is none, those fleets, from near
    to far."""
    board = painter.geometry.board
    fleets = list(_convoys(painter, a, b))
    trails: list[list[str]] = [[fleet] for fleet in fleets if a in board.adjacent(fleet)]
    seen = {trail[0] for trail in trails}
    for trail in trails:
        if b in board.adjacent(trail[-1]):
            return trail
        for fleet in fleets:
            if fleet not in seen and fleet in board.adjacent(trail[-1]):
                seen.add(fleet)
                trails.append([*trail, fleet])
    start = painter.stand(a)
    return sorted(fleets, key=lambda fleet: math.dist(start, painter.place(fleet)))


def _convoys(painter: OrderPainter, a: str, b: str) -> dict[str, str]:
    """What became of each fleet's order to convoy from ``a`` to ``b``."""
    return {
        province_of(v.order.at): outcome_of(v)
        for v in painter.verdicts
        if isinstance(v.order, Convoy) and province_of(v.order.target) == a and province_of(v.order.to) == b
    }


# The arrow


def draw_move(painter: OrderPainter, verdict: VerdictLike, order: Move) -> None:
    """An arrow; bounced: dashed, with a bar before its aim; its convoy broken: broken off before the fleet that
    failed."""
    painter.add(verdict, *_arrow(painter, verdict, order, "move"))


def draw_ferry(painter: OrderPainter, verdict: VerdictLike, order: Moving) -> None:
    """A hollow arrow, and waves beside the fleet."""
    line, head = _arrow(painter, verdict, order, "ferry")
    painter.add(verdict, line, waves(painter, order.at, outcome_of(verdict)) + head)


def draw_retreat(painter: OrderPainter, verdict: VerdictLike, order: Retreat) -> None:
    """A finely dashed arrow with an open head; where it failed, the unit is crossed out."""
    painter.add(verdict, *_arrow(painter, verdict, order, "retreat"))
    if outcome_of(verdict) == "disbanded":
        painter.cross_out(verdict, "disband", painter.dislodged_place(order.at))


def _arrow(painter: OrderPainter, verdict: VerdictLike, order: Going, form: str) -> tuple[str, str]:
    """The line of a ``move``, ``retreat`` or ``ferry``, and its head or bar; both ends clear of the units."""
    curve, retreats, outcome = painter.course(order.at, order.to), form == "retreat", outcome_of(verdict)
    if outcome in IDLE:
        painter.ring_beside(
            verdict,
            painter.dislodged_place(order.at) if retreats else painter.stand(order.at),
            painter.radius(order.at) * 0.95,
        )
        return _idle(curve, painter.radius(order.at))
    stopped = outcome in ("bounced", "disbanded")
    start = 8.0 if retreats else painter.radius(order.at) * 0.9
    full = province_of(order.to) in painter.occupied or stopped
    stop = curve.length - (painter.radius(order.to) + 2.0 if full else 2.0) - (3.0 if stopped else 0.0)
    stop = max(stop, start + 6, curve.length * 0.55)
    if outcome in BROKEN:
        return _broken(painter, order, curve, start, stop)
    least = max(start + 8, curve.length * 0.55)
    stop = painter.clear_of_names(curve, stop, least, 5.0 if stopped else 9.0)
    painter.used.add("bounced" if stopped else form)
    tip, way = curve.point(stop), curve.direction(stop)
    if stopped:
        shaft, point, head = curve.path(start, stop - 1), bars(tip, way), "ob"
    else:
        shaft, point = curve.path(start, max(start + 0.5, stop - 7.0)), arrowhead(tip, way)
        head = "oo" if retreats else "oa"
    dash = " d" if stopped else " r" if retreats else ""
    core = stroke(shaft, "of") if form == "ferry" else ""
    return stroke(shaft, "oh", "oe" + dash, "oc" + dash) + core, stroke(point, "oh", head)


def _idle(curve: Curve, r: float) -> tuple[str, str]:
    """A move without effect, of a unit of this radius: thin dots to an open head."""
    stop = max(r + 6, curve.length - 3)
    tip = barbs(curve.point(stop), curve.direction(stop))
    return stroke(curve.path(r, stop), "oi"), stroke(tip, "oi end")


def _broken(painter: OrderPainter, order: Going, curve: Curve, start: float, stop: float) -> tuple[str, str]:
    """A line that breaks off before the fleet that failed: so far whole, a jagged stroke, then thin dots to its aim."""
    painter.used.add("broken")
    key = province_of(order.at), province_of(order.to)
    became = _convoys(painter, *key)
    failed = [along for fleet, along in painter.carriers.get(key, []) if became.get(fleet) not in DONE]
    wish = failed[0] - 2.2 * UNIT_R if failed else (start + stop) / 2
    last = max(start + 8, min(stop, *failed) - 8) if failed else stop - 8
    break_at = _place_of_break(painter, curve, start + 8, last, wish)
    first, rest = curve.path(start, break_at - 3), curve.path(break_at + 4, stop)
    middle = curve.point(break_at)
    painter.covered |= painter.chart.names_under(square(middle, 7.0))
    mark = jag(middle, curve.direction(break_at))
    return stroke(first, "oh", "oe", "oc") + stroke(rest, "oi"), stroke(mark, "oh", "ob")


def _place_of_break(painter: OrderPainter, curve: Curve, first: float, last: float, wish: float) -> float:
    """Where along a curve a line best breaks off: near the wish, apart from units and names."""
    reach = 2 * UNIT_R
    (left, right), (top, bottom) = ((min(c), max(c)) for c in zip(*curve.samples, strict=True))
    units = [
        (x, y)
        for x, y in map(painter.place, painter.occupied.values())
        if left - reach < x < right + reach and top - reach < y < bottom + reach
    ]

    def cost(along: float) -> float:
        point = curve.point(along)
        near = min((math.dist(point, unit) for unit in units), default=100.0)
        named = 40 if painter.chart.names_under(square(point, 7.0)) else 0
        return abs(along - wish) + 12 * max(0.0, reach - near) + named

    count = int((last - first) / 5) + 1
    return min((first + 5 * i for i in range(max(1, count))), key=cost)
