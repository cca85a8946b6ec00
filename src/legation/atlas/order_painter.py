"""Orders drawn on the map. A form for each kind and for each way to fail: no meaning rests on color alone.

=================  =====================================================================================
move               arrow in the power's color; bounced: dashed, ends in a bar before its aim
convoyed move      the same, bent through the fleets that carry it; it breaks off before the fleet that failed
support            dotted, ends in a knob on the supported arrow, or in a cup at the supported unit; cut: crossed through
convoy             waves beside the fleet; disrupted: crossed through
ferry              the same, and a hollow arrow
hold               a ring
void, ignored      thin dots to what was meant; a crossed ring at the unit that would move, else at their end
retreat            arrow with an open head; disband, remove: crossed out
build              a ring with a plus; convert: arrows that turn about the unit, and what it becomes; failed: broken and struck
proxy              a tag with the name of the power that commands
=================  =====================================================================================
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Protocol

from legation.atlas.chart import Chart
from legation.atlas.curves import Curve, xy
from legation.atlas.escaping import escape
from legation.atlas.geometry import UNIT_R, Disc
from legation.atlas.letters import Box, measure, overlap, overlap_disc
from legation.atlas.lines import Point
from legation.atlas.symbols import UNIT_NAMES
from legation.board import ARMY, province_of
from legation.orders import (
    Build,
    Convert,
    Convoy,
    Disband,
    Ferry,
    Hold,
    Move,
    Order,
    Proxy,
    Remove,
    Retreat,
    Send,
    SupportHold,
    SupportMove,
    VoteDraw,
    Waive,
)

BROKEN = ("disrupted", "no convoy")
IDLE = ("void", "illegal", "ignored")
DONE = ("succeeds", "")


class VerdictLike(Protocol):
    """What is asked of a verdict here; ``outcome`` is a word of the closed list, or an enumeration of such words."""

    @property
    def power(self) -> str: ...
    @property
    def order(self) -> Order: ...
    @property
    def outcome(self) -> Any: ...
    @property
    def dislodged_from(self) -> str | None: ...


def word(verdict: VerdictLike) -> str:
    """The outcome as a word."""
    return str(getattr(verdict.outcome, "value", verdict.outcome))


class OrderPainter:
    """Draws the orders of one position. ``number`` gives each power's number (its color class), ``tell`` an order as text.

    ``occupied`` tells where in a province its unit stands, ``dislodged`` from where units were dislodged.
    """

    def __init__(
        self,
        chart: Chart,
        verdicts: Sequence[VerdictLike],
        occupied: Mapping[str, str],
        dislodged: Iterable[str],
        number: Mapping[str, int],
        tell: Callable[[Order], str],
    ) -> None:
        self.chart = chart
        self.geometry = chart.geometry
        self.verdicts = verdicts
        self.occupied = occupied
        self.number = number
        self.tell = tell
        self.curves: dict[tuple[str, str], Curve] = {}
        self._carriers: dict[tuple[str, str], list[tuple[str, float]]] = {}
        self.supports: list[Curve] = []
        self._asides: dict[str, Point] = {}
        for location in dislodged:
            self.dislodged_place(location)
        self._ids = {id(verdict): i for i, verdict in enumerate(verdicts)}
        self.lines: list[str] = []
        self.heads: list[str] = []
        self.over: list[str] = []
        self.remarks: list[str] = []
        self.used: set[str] = set()
        self.covered: set[str] = set()

    def draw(self) -> None:
        """Fill ``lines`` (below the names), ``heads`` (above them: arrowheads, marks of failure), ``over`` (above the units), ``remarks`` (in words).

        ``used`` names the forms that were drawn, for the legend; ``covered`` the provinces whose names stand under a head.
        """
        for verdict in self.verdicts:
            order = verdict.order
            if isinstance(order, Move | Retreat):
                self.curves[province_of(order.at), province_of(order.to)] = self._course(order)
            elif isinstance(order, Ferry):
                self.curves[province_of(order.at), province_of(order.to)] = self._line(order.at, order.to, sails=True)
        moves = [v for v in self.verdicts if isinstance(v.order, Move | Retreat | Ferry)]
        others = [v for v in self.verdicts if not isinstance(v.order, Move | Retreat | Ferry)]
        for verdict in others + sorted(moves, key=lambda v: -self._length(v)):
            self._one(verdict)
        self._tags()

    def _length(self, verdict: VerdictLike) -> float:
        order = verdict.order
        curve = self.curves.get((province_of(getattr(order, "at", "")), province_of(getattr(order, "to", ""))))
        return curve.length if curve else 0.0

    # Where things are

    def _place(self, location: str) -> Point:
        return self.geometry.place_of(location)

    def _stand(self, location: str) -> Point:
        """Where the unit in a province is drawn, on whichever coast it stands; where there is none, the place itself."""
        return self._place(self.occupied.get(province_of(location), location))

    def _size(self, location: str) -> float:
        return self.geometry.sites[province_of(location)].size

    def _radius(self, location: str) -> float:
        return UNIT_R * self._size(location)

    def dislodged_place(self, location: str) -> Point:
        """Where a dislodged unit is drawn: beside the one that came."""
        province = province_of(location)
        if province not in self._asides:
            self._asides[province] = self.chart.aside(location, self._asides.values())
        return self._asides[province]

    def _line(self, a: str, b: str, *, sails: bool = False) -> Curve:
        """The line of a plain move; one that ``sails`` keeps off the land of others."""
        start, end = self._stand(a), self._place(b)
        way = self.chart.passage(province_of(a), province_of(b), start, end) if sails else ()
        return Curve([start, *way, end], 0.1)

    def _course(self, order: Move | Retreat) -> Curve:
        """The line of a move: direct, or through the fleets that are to carry it."""
        a, b = order.at, order.to
        if isinstance(order, Retreat):
            return Curve([self.dislodged_place(a), self._place(b)], 0.14)
        board = self.geometry.board
        if order.kind == "F" or (
            not (order.via_convoy or order.route or order.ferry) and province_of(b) in board.reach(ARMY, province_of(a))
        ):
            return self._line(a, b, sails=order.kind == "F")
        if order.ferry:
            through = list(order.ferry)
        else:
            through = list(order.route) or self._chain(province_of(a), province_of(b))
        if not through:
            return self._line(a, b)
        stops = [(province_of(a), self._stand(a))]
        for fleet in through:
            x, y = self._stand(fleet)
            stops.append((province_of(fleet), (x, y + UNIT_R * 0.55)))
        stops.append((province_of(b), self._place(b)))
        points, numbers = [stops[0][1]], []
        for (one, start), (other, end) in pairwise(stops):
            points += [*self.chart.passage(one, other, start, end), end]
            numbers.append(len(points) - 1)
        curve = Curve(points)
        self._carriers[province_of(a), province_of(b)] = [
            (province_of(fleet), curve.along(number)) for fleet, number in zip(through, numbers, strict=False)
        ]
        return curve

    def _chain(self, a: str, b: str) -> list[str]:
        """The shortest chain of fleets ordered to convoy from ``a`` to ``b``; if there is none, the fleets that were, from near to far."""
        board = self.geometry.board
        fleets = list(self._convoys(a, b))
        trails: list[list[str]] = [[f] for f in fleets if a in board.adjacent(f)]
        seen = {t[0] for t in trails}
        for trail in trails:
            if b in board.adjacent(trail[-1]):
                return trail
            for fleet in fleets:
                if fleet not in seen and fleet in board.adjacent(trail[-1]):
                    seen.add(fleet)
                    trails.append([*trail, fleet])
        start = self._stand(a)
        return sorted(fleets, key=lambda f: math.dist(start, self._place(f)))

    def _convoys(self, a: str, b: str) -> dict[str, str]:
        """What became of each fleet's order to convoy from ``a`` to ``b``."""
        return {
            province_of(v.order.at): word(v)
            for v in self.verdicts
            if isinstance(v.order, Convoy) and province_of(v.order.target) == a and province_of(v.order.to) == b
        }

    def _middle(self, a: str, b: str) -> Point:
        """The middle of a move, as it is drawn or would be."""
        curve = self.curves.get((province_of(a), province_of(b))) or Curve([self._stand(a), self._place(b)], 0.1)
        return curve.point(curve.length / 2)

    # One order

    def _one(self, verdict: VerdictLike) -> None:
        self._now = verdict
        order, outcome = verdict.order, word(verdict)
        match order:
            case Waive():
                self._remark(verdict, f"{verdict.power} waives a build")
                return
            case Send():
                self._remark(verdict, f"{verdict.power} sends {order.count} to {order.power}")
                return
            case VoteDraw():
                self._remark(verdict, f"{verdict.power} votes for a draw")
                return
            case Move():
                body = self._arrow(order.at, order.to, outcome, "move")
            case Retreat():
                body = self._arrow(order.at, order.to, outcome, "retreat")
                if outcome == "disbanded":
                    self._cross_out(verdict, "disband", self.dislodged_place(order.at))
            case Ferry():
                line, mark = self._arrow(order.at, order.to, outcome, "ferry")
                body = (line, self._wave(order.at, outcome) + mark)
            case SupportMove():
                body = self._support(order, outcome)
            case SupportHold():
                body = self._support(order, outcome)
            case Convoy():
                line = self._meant(order.at, self._middle(order.target, order.to)) if outcome in IDLE else ""
                body = (line, self._wave(order.at, outcome))
            case Hold():
                body = (self._hold(order.at), "")
            case Convert():
                self._convert(verdict, order)
                return
            case Proxy():
                return  # a tag, drawn last
            case Disband():
                self._cross_out(verdict, "disband", self.dislodged_place(order.at))
                return
            case Remove():
                self._cross_out(verdict, "remove", self._stand(order.at))
                return
            case Build():
                self._build(verdict, order)
                return
        line, mark = body
        self.lines.append(self._group(verdict, line, type(order).__name__.lower()))
        if mark:
            number = self.number.get(verdict.power, -1)
            self.heads.append(f'<g class="o{number if number >= 0 else "x"}"{self._mine(verdict)}>{mark}</g>')

    def _remark(self, verdict: VerdictLike, text: str) -> None:
        outcome = word(verdict)
        self.remarks.append(text if outcome in DONE else f"{text} ({outcome})")

    def _group(self, verdict: VerdictLike, body: str, kind: str) -> str:
        number = self.number.get(verdict.power, -1)
        outcome = word(verdict)
        title = f"{verdict.power}: {self.tell(verdict.order)}"
        title += f": {outcome}" if outcome else ""
        if verdict.dislodged_from:
            title += f"; dislodged from {verdict.dislodged_from}"
        return (
            f'<g class="o o{number if number >= 0 else "x"} {kind} {_slug(outcome)}" role="img"'
            f"{self._mine(verdict)}><title>{escape(title)}</title>{body}</g>"
        )

    def _mine(self, verdict: VerdictLike) -> str:
        """Attributes that say to which order a part of the drawing belongs."""
        at = getattr(verdict.order, "at", "")
        return f' data-order="{self._ids[id(verdict)]}"' + (f' data-at="{escape(at)}"' if at else "")

    # Moves

    def _arrow(self, a: str, b: str, outcome: str, form: str) -> tuple[str, str]:
        """The line of a ``move``, ``retreat`` or ``ferry``, and its head or bar; both ends clear of the units."""
        key = (province_of(a), province_of(b))
        curve = self.curves[key]
        retreats = form == "retreat"
        if outcome in IDLE:
            return self._idle(self.dislodged_place(a) if retreats else self._stand(a), a, curve)
        stopped = outcome in ("bounced", "disbanded")
        start = 8.0 if retreats else self._radius(a) * 0.9
        full = province_of(b) in self.occupied or stopped
        stop = curve.length - (self._radius(b) + 2.0 if full else 2.0)
        if stopped:
            stop -= 3.0
        stop = max(stop, start + 6, curve.length * 0.55)
        if outcome in BROKEN:
            return self._broken(key, curve, start, stop)
        stop = self._clear_of_names(curve, stop, max(start + 8, curve.length * 0.55), 5.0 if stopped else 9.0)
        self.used.add("bounced" if stopped else form)
        tip, way = curve.point(stop), curve.direction(stop)
        normal = (-way[1], way[0])
        dash = " d" if stopped else " r" if retreats else ""
        if stopped:
            shaft = curve.path(start, stop - 1)
            point = ""
            for behind in (0.0, 3.6):
                x, y = tip[0] - way[0] * behind, tip[1] - way[1] * behind
                point += (
                    f"M{x - normal[0] * 6:.1f} {y - normal[1] * 6:.1f}L{x + normal[0] * 6:.1f} {y + normal[1] * 6:.1f}"
                )
            kind = "ob"
        else:
            shaft = curve.path(start, max(start + 0.5, stop - 7.0))
            point = _head(tip, way)
            kind = "oo" if retreats else "oa"
        core = f'<path class="of" d="{shaft}"/>' if form == "ferry" else ""
        return (
            f'<path class="oh" d="{shaft}"/><path class="oe{dash}" d="{shaft}"/><path class="oc{dash}" d="{shaft}"/>{core}',
            f'<path class="oh" d="{point}"/><path class="{kind}" d="{point}"/>',
        )

    def _clear_of_names(self, curve: Curve, stop: float, least: float, long: float) -> float:
        """Where a head ``long`` units long ends: at ``stop``, or a little before it where that saves a name from being covered."""
        for back in (0.0, 3.0, 6.0, 9.0, 12.0, 15.0):
            if stop - back < least:
                break
            if not self.chart.names_under(self._head_box(curve, stop - back, long)):
                return stop - back
        self.covered |= self.chart.names_under(self._head_box(curve, stop, long))
        return stop

    def _head_box(self, curve: Curve, stop: float, long: float) -> Box:
        (x, y), (u, v) = curve.point(stop), curve.direction(stop)
        wide = 6.5
        return (
            (x + u - v * wide, y + v + u * wide),
            (x + u + v * wide, y + v - u * wide),
            (x - u * long + v * wide, y - v * long - u * wide),
            (x - u * long - v * wide, y - v * long + u * wide),
        )

    def _broken(self, key: tuple[str, str], curve: Curve, start: float, stop: float) -> tuple[str, str]:
        """A line that breaks off before the fleet that failed: so far whole, a jagged stroke, then thin dots to its aim."""
        self.used.add("broken")
        became = self._convoys(*key)
        carriers = self._carriers.get(key, [])
        failed = [along for fleet, along in carriers if became.get(fleet) not in DONE]
        wish = failed[0] - 2.2 * UNIT_R if failed else (start + stop) / 2
        last = max(start + 8, min(stop, *failed) - 8) if failed else stop - 8
        (left, right), (top, bottom) = ((min(c), max(c)) for c in zip(*curve.samples, strict=True))
        reach = 2 * UNIT_R
        units = [
            (x, y)
            for x, y in map(self._place, self.occupied.values())
            if left - reach < x < right + reach and top - reach < y < bottom + reach
        ]

        def cost(along: float) -> float:
            point = curve.point(along)
            near = min((math.dist(point, unit) for unit in units), default=100.0)
            named = 40 if self.chart.names_under(_square(point, 7.0)) else 0
            return abs(along - wish) + 12 * max(0.0, reach - near) + named

        count = int((last - start - 8) / 5) + 1
        middle = min((start + 8 + 5 * i for i in range(max(1, count))), key=cost)
        first, rest = curve.path(start, middle - 3), curve.path(middle + 4, stop)
        (x, y), way = curve.point(middle), curve.direction(middle)
        n = (-way[1], way[0])
        jag = "M" + "L".join(
            f"{x + way[0] * u + n[0] * v:.1f} {y + way[1] * u + n[1] * v:.1f}"
            for u, v in ((-3, -7), (1, -1), (-2, 1), (2, 7))
        )
        self.covered |= self.chart.names_under(_square((x, y), 7.0))
        return (
            f'<path class="oh" d="{first}"/><path class="oe" d="{first}"/><path class="oc" d="{first}"/>'
            f'<path class="oi" d="{rest}"/>',
            f'<path class="oh" d="{jag}"/><path class="ob" d="{jag}"/>',
        )

    def _idle(self, unit: Point, a: str, curve: Curve) -> tuple[str, str]:
        """A move without effect: thin dots to an open head, and a crossed ring at the unit."""
        r = self._radius(a)
        self._ring_beside(unit, r * 0.95)
        stop = max(r + 6, curve.length - 3)
        return (
            f'<path class="oi" d="{curve.path(r, stop)}"/>',
            f'<path class="oi end" d="{_barbs(curve.point(stop), curve.direction(stop))}"/>',
        )

    def _ring(self, x: float, y: float) -> None:
        """The crossed ring that marks an order without effect."""
        self.used.add("idle")
        self.over.append(
            f'<g{self._mine(self._now)}><circle class="on" cx="{x:.1f}" cy="{y:.1f}" r="3.6"/>'
            f'<path class="ob t" d="M{x - 2.4:.1f} {y + 2.4:.1f}L{x + 2.4:.1f} {y - 2.4:.1f}"/></g>'
        )

    def _ring_beside(self, unit: Point, away: float) -> None:
        """A crossed ring at a corner of a unit where it covers no name, else at the upper right one."""
        corners = [(unit[0] + u * away, unit[1] + v * away) for u, v in ((1, -1), (-1, -1), (1, 1), (-1, 1))]
        free = (c for c in corners if not self.chart.names_under(_square(c, 4.3)))
        self._ring(*next(free, corners[0]))

    def _meant(self, at: str, end: Point) -> str:
        """Help that had no effect: thin dots from the unit to what was meant, ending in a crossed ring."""
        curve = Curve([self._stand(at), end], -0.12)
        stop = self._clear_of_names(curve, curve.length, curve.length * 0.6, 5.0)
        self._ring(*curve.point(stop))
        return f'<path class="oi" d="{curve.path(self._radius(at), stop - 3.6)}"/>'

    # Help

    def _support(self, order: SupportMove | SupportHold, outcome: str) -> tuple[str, str]:
        start = self._stand(order.at)
        moves = isinstance(order, SupportMove)
        if isinstance(order, SupportMove):
            aim = self.curves.get((province_of(order.target), province_of(order.to)))
            if aim is None:
                end = self._middle(order.target, order.to)
            else:  # the nearest point of the middle stretch of the arrow
                choices = [aim.point(aim.length * share) for share in (0.42, 0.48, 0.54, 0.6, 0.66, 0.72)]
                end = min(choices, key=lambda p: math.dist(p, start))
        else:
            end = self._stand(order.target)
        curve = Curve([start, end], -0.12)
        stop = curve.length - (0.0 if moves else self._radius(order.target) + 2.5)
        if outcome in IDLE:
            return self._meant(order.at, curve.point(stop if moves else stop - 2.5)), ""
        self.supports.append(curve)
        first = self._radius(order.at) * 0.9
        stop = max(first + 3, stop)
        line = curve.path(first, stop)
        tip, way = curve.point(stop), curve.direction(stop)
        if moves:
            mark = f'<circle class="ok" cx="{tip[0]:.1f}" cy="{tip[1]:.1f}" r="3"/>'
        else:
            n = (-way[1], way[0])
            cup = [(1.6, -7.0), (-2.4, 0.0), (1.6, 7.0)]
            p, q, r = ((tip[0] + way[0] * u + n[0] * v, tip[1] + way[1] * u + n[1] * v) for u, v in cup)
            arc = f"M{xy(p)}Q{xy(q)} {xy(r)}"
            mark = f'<path class="oh" d="{arc}"/><path class="oe" d="{arc}"/><path class="oc" d="{arc}"/>'
        self.used.add("support" if moves else "support to hold")
        if outcome not in DONE:
            self.used.add("cut")
            cross = _cross(*curve.point((first + stop) / 2), 4.0)
            mark += f'<path class="oh" d="{cross}"/><path class="ob" d="{cross}"/>'
        return f'<path class="oh" d="{line}"/><path class="os" d="{line}"/>', mark

    def _wave(self, at: str, outcome: str) -> str:
        """Waves left and right of a fleet that carries an army; crossed where it failed."""
        x, y = self._stand(at)
        r = self._radius(at)
        waves = strokes = ""
        for middle in (x - r - 8, x + r + 8):
            heights = [y + r * share for share in (0.6, 0.2, 1.0, -0.2, 1.3)]
            free = (h for h in heights if not self.chart.names_under(_square((middle, h), 6.5)))
            height = next(free, heights[0])
            self.covered |= self.chart.names_under(_square((middle, height), 6.5))
            waves += "".join(f"M{middle - 6:.1f} {height + drop:.1f}q3-3.4 6 0t6 0" for drop in (-1.5, 2.7))
            strokes += f"M{middle - 6:.1f} {height + 5.5:.1f}l12-11"
        crossed = outcome not in DONE
        self.used.add("convoy failed" if crossed else "convoy")
        crossing = f'<path class="ob" d="{strokes}"/>' if crossed else ""
        return f'<path class="oh" d="{waves}"/><path class="ow" d="{waves}"/>{crossing}'

    def _hold(self, at: str) -> str:
        self.used.add("hold")
        x, y = self._stand(at)
        r = self._radius(at) + 3.6
        return f'<circle class="or" cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"/>'

    # Marks upon units

    def _cross_out(self, verdict: VerdictLike, kind: str, place: Point) -> None:
        if word(verdict) in IDLE:
            self._ring_beside(place, UNIT_R)
            return
        self.used.add(kind)
        x, y = place
        self.over.append(self._group(verdict, f'<use href="#u-cross" x="{x:.1f}" y="{y:.1f}"/>', kind))

    def _convert(self, verdict: VerdictLike, order: Convert) -> None:
        """Turning arrows about the unit and what it becomes; broken and struck through where the conversion failed."""
        x, y = self._stand(order.at)
        number = self.number.get(verdict.power, -1)
        failed = word(verdict) not in DONE
        self.used.add("conversion failed" if failed else "conversion")
        body = turning(
            order.to, f"u{number if number >= 0 else 'x'}", failed, f"{x:.1f} {y:.1f}", 1.26 * self._size(order.at)
        )
        self.over.append(self._group(verdict, body, "convert"))

    def _build(self, verdict: VerdictLike, order: Build) -> None:
        x, y = self._place(order.at)
        number = self.number.get(verdict.power, -1)
        size = self._size(order.at)
        kind = order.kind if order.kind in UNIT_NAMES else "A"
        failed = word(verdict) not in DONE
        self.used.add("build failed" if failed else "build")
        plus = f'<g transform="translate({x + 9:.1f} {y - 9:.1f})"><circle class="bp" r="5"/>'
        plus += (
            '<path class="bq" d="M-2.6-2.6L2.6 2.6M2.6-2.6L-2.6 2.6"/></g>'
            if failed
            else '<path class="bq" d="M-3 0H3M0-3V3"/></g>'
        )
        body = (
            f'<circle class="br" cx="{x:.1f}" cy="{y:.1f}" r="{UNIT_R * size + 4:.1f}"/>'
            f'<use href="#u-{kind}" class="u u{number if number >= 0 else "x"}" transform="translate({x:.1f} {y:.1f}) scale({size:.2f})"/>{plus}'
        )
        self.over.append(self._group(verdict, body, "build"))

    # Tags

    def _tags(self) -> None:
        """Short texts beside units, each where it covers least: who commands a unit, how far a conversion has come."""
        tagged = [
            (v, v.order.at, text) for v in self.verdicts if isinstance(v.order, Proxy | Convert) and (text := _tag(v))
        ]
        if not tagged:
            return
        taken: list[Box] = []
        lines = [p for c in (*self.curves.values(), *self.supports) for p in c.every(6.0)]
        for verdict, at, text in tagged:
            # the arrows of a conversion stand around its unit
            r = self._radius(at) * (1.75 if isinstance(verdict.order, Convert) else 1) + 4
            box = self._place_of_tag(at, r, measure(text, "italic", 8) / 2 + 3, lines, taken)
            taken.append(box)
            (left, top), (right, _) = box[0], box[1]
            self.used.add("proxy" if isinstance(verdict.order, Proxy) else "conversion")
            body = (
                f'<rect class="tag{"" if word(verdict) in DONE else " x"}" x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="11" rx="2"/>'
                f'<text class="tagt" x="{(left + right) / 2:.1f}" y="{top + 8:.1f}">{escape(text)}</text>'
            )
            self.over.append(self._group(verdict, body, type(verdict.order).__name__.lower()))

    def _place_of_tag(self, at: str, r: float, half: float, lines: Iterable[Point], taken: Iterable[Box]) -> Box:
        """The best of the places ``r`` units about a unit for a tag of this half width."""
        x, y = self._stand(at)
        reach = 2 * half + 40
        near = [p for p in lines if abs(p[0] - x) < reach and abs(p[1] - y) < 60]
        discs = [d for d in self.geometry.discs if abs(d.x - x) < reach and abs(d.y - y) < 70 and self._stands(d)]
        discs += [Disc("unit", "", *p, UNIT_R) for p in self._asides.values()]

        def cost(middle: Point) -> tuple[float, float]:
            box = _flat_box(*middle, half)
            found = 3.0 * sum(abs(p[0] - middle[0]) < half + 2 and abs(p[1] - middle[1]) < 7.5 for p in near)
            found += 12 * sum(overlap_disc(box, disc) for disc in discs)
            found += 25 * len(self.chart.names_under(box)) + 30 * sum(overlap(box, other) for other in taken)
            if not (
                middle[0] - half >= 0
                and middle[0] + half <= self.geometry.width
                and 6 < middle[1] < self.geometry.height - 6
            ):
                found += 50
            return found, math.dist(middle, (x, y)) / 20

        places = [(x + u * (half + r), y + v * (r + 5)) for u, v in ((0, 1), (0, -1), (1, 0), (-1, 0))]
        places += [(x + u * (half + r - 5), y + v * (r + 3)) for u in (-1, 1) for v in (-1, 1)]
        places += [(x + u * half * 0.6, y + v * (r + 5)) for u in (-1, 1) for v in (-1, 1)]
        places += [(x + u * (half + r), y + v * (r + 18)) for u in (-1, 0, 1) for v in (-1, 1)]
        return _flat_box(*min(places, key=lambda place: sum(cost(place))), half)

    def _stands(self, disc: Disc) -> bool:
        """Whether something stands on a place now: a center always, a unit or a coast when there is a unit."""
        if disc.kind == "center":
            return True
        location = self.occupied.get(disc.province)
        return location is not None and math.dist(self._place(location), (disc.x, disc.y)) < 1


def _tag(verdict: VerdictLike) -> str:
    """What is told beside the unit: who commands it; of a conversion how far it has come, where the verdict tells."""
    if isinstance(verdict.order, Proxy):
        return f"under {verdict.order.power}"
    cause = getattr(verdict, "cause", None)
    return str(cause.reason) if cause is not None and cause.kind == "fact" else ""


def _slug(outcome: str) -> str:
    """An outcome as a class."""
    return re.sub(r"\W+", "-", outcome)


def _flat_box(x: float, y: float, half: float) -> Box:
    """The box of a tag about its middle."""
    return (x - half, y - 5.5), (x + half, y - 5.5), (x + half, y + 5.5), (x - half, y + 5.5)


def _square(middle: Point, half: float) -> Box:
    x, y = middle
    return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)


def _head(tip: Point, way: Point) -> str:
    """The path of an arrowhead."""
    (x, y), (u, v) = tip, way
    long, wing = 8.5, 5.2
    back = (x - u * long, y - v * long)
    left, right = (back[0] - v * wing, back[1] + u * wing), (back[0] + v * wing, back[1] - u * wing)
    notch = (back[0] + u * 1.8, back[1] + v * 1.8)
    return f"M{xy(tip)}L{xy(left)}L{xy(notch)}L{xy(right)}Z"


def _barbs(tip: Point, way: Point) -> str:
    """The path of an open head: two strokes."""
    (x, y), (u, v) = tip, way
    return f"M{x - 5 * u - 3.6 * v:.1f} {y - 5 * v + 3.6 * u:.1f}L{xy(tip)}L{x - 5 * u + 3.6 * v:.1f} {y - 5 * v - 3.6 * u:.1f}"


def _cross(x: float, y: float, half: float) -> str:
    """The path of a diagonal cross that strikes out what is under it."""
    return f"M{x - half:.1f} {y - half:.1f}L{x + half:.1f} {y + half:.1f}M{x + half:.1f} {y - half:.1f}L{x - half:.1f} {y + half:.1f}"


def turning(kind: str, color: str, failed: bool, at: str, size: float) -> str:
    """Arrows that turn about a unit at a place, and the unit it becomes, in a power's color class."""
    kind = kind if kind in UNIT_NAMES else "A"
    struck = '<path class="u-s" d="M-10.5 10.5L10.5-10.5"/>' if failed else ""
    return (
        f'<g transform="translate({at}) scale({size:.2f})"><use href="#u-turn{"-failed" if failed else ""}"/>'
        f'<g transform="translate(10.2 10.2) scale(.46)"><circle class="u-p" r="15"/><use href="#u-{kind}" class="u {color}"/>{struck}</g></g>'
    )
