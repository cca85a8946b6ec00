"""Orders drawn on the map. A form for each kind and for each way to fail: no meaning rests on color alone.

=================  =====================================================================================
move               arrow in the power's color; bounced: dashed, ends in a bar before its aim
convoyed move      the same, bent through the fleets that carry it; a broken convoy shows a gap and a stroke
support            dotted, ends in a knob on the supported arrow, or in a cup at the supported unit; cut: crossed through
convoy, ferry      a wave under the fleet
hold               a ring; void, illegal, ignored: thin dots from a crossed ring
retreat            arrow with an open head; disband, remove: crossed out
build, convert     a plus beside the unit; arrows that turn about it
proxy              a tag with the name of the power that commands
=================  =====================================================================================
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Protocol

from legation.atlas.labels import Label, measure, overlap
from legation.atlas.plate import UNIT_R, Plate, Point
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


class Curve:
    """A smooth line through points: straight pieces of cubic curves, evaluated by parameter 0 to 1."""

    def __init__(self, points: Sequence[Point], bend: float = 0.0) -> None:
        if len(points) == 2:
            (ax, ay), (bx, by) = points
            mx, my = (ax + bx) / 2 - (by - ay) * bend, (ay + by) / 2 + (bx - ax) * bend
            first = (ax + (mx - ax) * 2 / 3, ay + (my - ay) * 2 / 3)
            second = (bx + (mx - bx) * 2 / 3, by + (my - by) * 2 / 3)
            self.pieces = [(points[0], first, second, points[1])]
        else:
            self.pieces = []
            for i in range(len(points) - 1):
                before, a, b = points[max(0, i - 1)], points[i], points[i + 1]
                after = points[min(len(points) - 1, i + 2)]
                self.pieces.append(
                    (
                        a,
                        (a[0] + (b[0] - before[0]) / 6, a[1] + (b[1] - before[1]) / 6),
                        (b[0] - (after[0] - a[0]) / 6, b[1] - (after[1] - a[1]) / 6),
                        b,
                    )
                )
        self.samples = [self._at(t / 12) for t in range(12 * len(self.pieces) + 1)]
        self.lengths = [0.0]
        for p, q in pairwise(self.samples):
            self.lengths.append(self.lengths[-1] + math.dist(p, q))

    @property
    def length(self) -> float:
        """Its length in units."""
        return self.lengths[-1]

    def _at(self, t: float) -> Point:
        i = min(len(self.pieces) - 1, int(t))
        t -= i
        a, b, c, d = self.pieces[i]
        u = 1 - t
        k0, k1, k2, k3 = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        return k0 * a[0] + k1 * b[0] + k2 * c[0] + k3 * d[0], k0 * a[1] + k1 * b[1] + k2 * c[1] + k3 * d[1]

    def point(self, along: float) -> Point:
        """The point at a distance along the curve."""
        along = min(self.length, max(0.0, along))
        for i, total in enumerate(self.lengths[1:]):
            if along <= total + 1e-9:
                step = total - self.lengths[i] or 1e-9
                share = (along - self.lengths[i]) / step
                p, q = self.samples[i], self.samples[i + 1]
                return p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share
        return self.samples[-1]

    def direction(self, along: float) -> Point:
        """The unit vector along the curve there."""
        p, q = self.point(along - 1.0), self.point(along + 1.0)
        norm = math.dist(p, q) or 1e-9
        return (q[0] - p[0]) / norm, (q[1] - p[1]) / norm

    def _parameter(self, along: float) -> float:
        """The parameter (pieces count 1 each) at a distance along the curve."""
        along = min(self.length, max(0.0, along))
        for i, total in enumerate(self.lengths[1:]):
            if along <= total + 1e-9:
                return (i + (along - self.lengths[i]) / (total - self.lengths[i] or 1e-9)) / 12
        return float(len(self.pieces))

    def path(self, start: float, end: float) -> str:
        """The path string from one distance along the curve to another."""
        first, last = self._parameter(start), self._parameter(max(end, start + 0.5))
        out = ""
        for i, piece in enumerate(self.pieces):
            low, high = max(first - i, 0.0), min(last - i, 1.0)
            if high - low < 1e-6:
                continue
            a, b, c, d = (_blossom(piece, *at) for at in ((low,) * 3, (low, low, high), (low, high, high), (high,) * 3))
            out += f"{'' if out else 'M' + _xy(a)}C{_xy(b)} {_xy(c)} {_xy(d)}"
        return out or f"M{_xy(self.point(start))}"


def _blossom(piece: tuple[Point, Point, Point, Point], u: float, v: float, w: float) -> Point:
    """The polar form of a cubic curve: its control points between two parameters (de Casteljau)."""
    points = list(piece)
    for t in (u, v, w):
        points = [(p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t) for p, q in pairwise(points)]
    return points[0]


def _xy(p: Point) -> str:
    return f"{p[0]:.1f} {p[1]:.1f}"


class Penman:
    """Draws the orders of one position. ``number`` gives each power's number (its color class), ``tell`` an order as text."""

    def __init__(
        self,
        plate: Plate,
        labels: Mapping[str, Label],
        verdicts: Sequence[VerdictLike],
        occupied: Mapping[str, str],
        number: Mapping[str, int],
        tell: Callable[[Order], str],
    ) -> None:
        self.plate = plate
        self.labels = labels
        self.verdicts = verdicts
        self.occupied = occupied
        self.number = number
        self.tell = tell
        self.curves: dict[tuple[str, str], Curve] = {}
        self.supports: list[Curve] = []
        self.lines: list[str] = []
        self.heads: list[str] = []
        self.over: list[str] = []
        self.remarks: list[str] = []

    def draw(self) -> None:
        """Fill ``lines`` (below the names), ``heads`` (above them: arrowheads, marks of failure), ``over`` (above the units) and ``remarks`` (in words)."""
        for verdict in self.verdicts:
            order = verdict.order
            if isinstance(order, Move | Retreat):
                self.curves[province_of(order.at), province_of(order.to)] = self._course(verdict, order)
            elif isinstance(order, Ferry):
                self.curves[province_of(order.at), province_of(order.to)] = self._line(order.at, order.to)
        moves = [v for v in self.verdicts if isinstance(v.order, Move | Retreat | Ferry)]
        others = [v for v in self.verdicts if not isinstance(v.order, Move | Retreat | Ferry)]
        for verdict in others + sorted(moves, key=lambda v: -self._length(v)):
            self._one(verdict)

    def _length(self, verdict: VerdictLike) -> float:
        order = verdict.order
        curve = self.curves.get((province_of(getattr(order, "at", "")), province_of(getattr(order, "to", ""))))
        return curve.length if curve else 0.0

    def _line(self, a: str, b: str) -> Curve:
        return Curve([self._stand(a), self._place(b)], 0.1)

    def _place(self, location: str) -> Point:
        return self.plate.place_of(location)

    def _radius(self, location: str) -> float:
        return UNIT_R * self.plate.sites[province_of(location)].size

    def _course(self, verdict: VerdictLike, order: Move | Retreat) -> Curve:
        """The line of a move: direct, or through the fleets that are to carry it."""
        a, b = order.at, order.to
        if isinstance(order, Retreat):
            return Curve([self.dislodged_place(a), self._place(b)], 0.14)
        board = self.plate.board
        if order.kind == "F" or (
            not (order.via_convoy or order.route or order.ferry) and province_of(b) in board.reach(ARMY, province_of(a))
        ):
            return self._line(a, b)
        if order.ferry:
            through = list(order.ferry)
        else:
            through = list(order.route) or self._chain(province_of(a), province_of(b))
        if not through:
            return self._line(a, b)
        start, end = self._stand(a), self._place(b)
        points = [start]
        for fleet in through:
            x, y = self._stand(fleet)
            points.append((x, y + UNIT_R * 0.55))
        return Curve([*points, end])

    def _stand(self, location: str) -> Point:
        """Where the unit in a province is drawn, on whichever coast it stands; where there is none, the place itself."""
        return self._place(self.occupied.get(province_of(location), location))

    def _chain(self, a: str, b: str) -> list[str]:
        """The shortest chain of fleets ordered to convoy from ``a`` to ``b``; if there is none, the fleets that were, from near to far."""
        board = self.plate.board
        fleets = [
            province_of(v.order.at)
            for v in self.verdicts
            if isinstance(v.order, Convoy) and province_of(v.order.target) == a and province_of(v.order.to) == b
        ]
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

    def dislodged_place(self, location: str) -> Point:
        """Where a dislodged unit is drawn: beside the one that came."""
        x, y = self._place(location)
        r = self._radius(location)
        return x - 1.25 * r, y + 0.95 * r

    def _one(self, verdict: VerdictLike) -> None:
        order, outcome = verdict.order, word(verdict)
        match order:
            case Waive():
                self.remarks.append(f"{verdict.power} waives a build")
                return
            case Send():
                self.remarks.append(f"{verdict.power} sends {order.count} to {order.power}")
                return
            case VoteDraw():
                self.remarks.append(f"{verdict.power} votes for a draw")
                return
            case Move() | Retreat():
                body = self._move(order, outcome)
            case Ferry():
                line, mark = self._arrow(order.at, order.to, outcome, "arrow")
                body = (self._wave(order.at) + line, mark)
            case SupportMove():
                body = self._support(order.at, self._aim(order), outcome)
            case SupportHold():
                body = self._support(order.at, None, outcome, order.target)
            case Convoy():
                body = (self._wave(order.at), "") if outcome not in IDLE else self._idle(order.at, None)
            case Hold():
                body = (self._hold(order.at), "")
            case Convert():
                body = (self._mark(order.at, '<use href="#u-turn"/>', outcome), "")
            case Proxy():
                self._tag(verdict, order)
                return
            case Disband():
                x, y = self.dislodged_place(order.at)
                self.over.append(self._group(verdict, f'<use href="#u-cross" x="{x:.1f}" y="{y:.1f}"/>', "disband"))
                return
            case Remove():
                x, y = self._stand(order.at)
                self.over.append(self._group(verdict, f'<use href="#u-cross" x="{x:.1f}" y="{y:.1f}"/>', "remove"))
                return
            case Build():
                self._build(verdict, order)
                return
        line, mark = body
        self.lines.append(self._group(verdict, line, type(order).__name__.lower()))
        if mark:
            number = self.number.get(verdict.power, -1)
            self.heads.append(f'<g class="o{number if number >= 0 else "x"}">{mark}</g>')

    def _group(self, verdict: VerdictLike, body: str, kind: str) -> str:
        number = self.number.get(verdict.power, -1)
        outcome = word(verdict)
        title = f"{verdict.power}: {self.tell(verdict.order)}"
        title += f": {outcome}" if outcome else ""
        if verdict.dislodged_from:
            title += f"; dislodged from {verdict.dislodged_from}"
        return (
            f'<g class="o o{number if number >= 0 else "x"} {kind} {outcome.replace(" ", "-")}" role="img"'
            f"><title>{escape(title)}</title>{body}</g>"
        )

    def _move(self, order: Move | Retreat, outcome: str) -> tuple[str, str]:
        retreat = isinstance(order, Retreat)
        return self._arrow(order.at, order.to, outcome, "open" if retreat else "arrow")

    def _arrow(self, a: str, b: str, outcome: str, head: str) -> tuple[str, str]:
        """The line of a move, and its head or bar; both ends clear of the units."""
        curve = self.curves[province_of(a), province_of(b)]
        if outcome in IDLE:
            return self._idle(a, curve)
        start = self._radius(a) * 0.9 if head == "arrow" else 8.0
        full = province_of(b) in self.occupied or outcome == "bounced"
        stop = curve.length - (self._radius(b) + 2.0 if full else 2.0)
        if outcome == "bounced":
            stop -= 3.0
        stop = max(stop, start + 6, curve.length * 0.55)
        if outcome in BROKEN:
            return self._broken(curve, start, stop)
        size = 8.5
        tip, way = curve.point(stop), curve.direction(stop)
        normal = (-way[1], way[0])
        if outcome == "bounced":
            shaft = curve.path(start, stop - 1)
            bars = ""
            for behind in (0.0, 3.6):
                x, y = tip[0] - way[0] * behind, tip[1] - way[1] * behind
                bars += (
                    f"M{x - normal[0] * 6:.1f} {y - normal[1] * 6:.1f}L{x + normal[0] * 6:.1f} {y + normal[1] * 6:.1f}"
                )
            return (
                f'<path class="oh" d="{shaft}"/><path class="oe d" d="{shaft}"/><path class="oc d" d="{shaft}"/>',
                f'<path class="oh" d="{bars}"/><path class="ob" d="{bars}"/>',
            )
        neck = max(start + 0.5, stop - size + 1.5)
        shaft = curve.path(start, neck)
        back = (tip[0] - way[0] * size, tip[1] - way[1] * size)
        wing = 5.2
        left = (back[0] + normal[0] * wing, back[1] + normal[1] * wing)
        right = (back[0] - normal[0] * wing, back[1] - normal[1] * wing)
        notch = (back[0] + way[0] * 1.8, back[1] + way[1] * 1.8)
        kind = "oa" if head == "arrow" else "oo"
        point = f"M{_xy(tip)}L{_xy(left)}L{_xy(notch)}L{_xy(right)}Z"
        dash = "" if head == "arrow" else " r"
        return (
            f'<path class="oh" d="{shaft}"/><path class="oe{dash}" d="{shaft}"/><path class="oc{dash}" d="{shaft}"/>',
            f'<path class="oh" d="{point}"/><path class="{kind}" d="{point}"/>',
        )

    def _broken(self, curve: Curve, start: float, stop: float) -> tuple[str, str]:
        """A line that breaks off: the first half, a jagged stroke, then thin dots to its aim."""
        middle = (start + stop) / 2
        first, rest = curve.path(start, middle - 3), curve.path(middle + 4, stop)
        (x, y), way = curve.point(middle), curve.direction(middle)
        n = (-way[1], way[0])
        jag = "M" + "L".join(
            f"{x + way[0] * u + n[0] * v:.1f} {y + way[1] * u + n[1] * v:.1f}"
            for u, v in ((-3, -7), (1, -1), (-2, 1), (2, 7))
        )
        return (
            f'<path class="oh" d="{first}"/><path class="oe" d="{first}"/><path class="oc" d="{first}"/>'
            f'<path class="oi" d="{rest}"/>',
            f'<path class="oh" d="{jag}"/><path class="ob" d="{jag}"/>',
        )

    def _idle(self, a: str, curve: Curve | None) -> tuple[str, str]:
        """Understood but without effect: thin dots, and a crossed ring at the unit."""
        x, y = self._stand(a)
        r = self._radius(a)
        cx, cy = x + r * 0.95, y - r * 0.95
        ring = (
            f'<circle class="on" cx="{cx:.1f}" cy="{cy:.1f}" r="3.6"/>'
            f'<path class="ob t" d="M{cx - 2.4:.1f} {cy + 2.4:.1f}L{cx + 2.4:.1f} {cy - 2.4:.1f}"/>'
        )
        self.over.append(ring)
        if curve is None:
            return "", ""
        return f'<path class="oi" d="{curve.path(r, max(r + 4, curve.length - 4))}"/>', ""

    def _aim(self, order: SupportMove) -> Curve | None:
        return self.curves.get((province_of(order.target), province_of(order.to)))

    def _support(self, at: str, aim: Curve | None, outcome: str, target: str | None = None) -> tuple[str, str]:
        start = self._stand(at)
        if aim is not None:
            # to the nearest point of the middle stretch of the arrow
            choices = [aim.point(aim.length * share) for share in (0.42, 0.48, 0.54, 0.6, 0.66, 0.72)]
            end = min(choices, key=lambda p: math.dist(p, start))
            trim = 0.0
        elif target is not None:
            end = self._stand(target)
            trim = self._radius(target) + 2.5
        else:
            return self._idle(at, None)
        curve = Curve([start, end], -0.12)
        self.supports.append(curve)
        if outcome in IDLE:
            return self._idle(at, curve)
        first = self._radius(at) * 0.9
        stop = max(first + 3, curve.length - trim)
        line = curve.path(first, stop)
        tip, way = curve.point(stop), curve.direction(stop)
        if aim is not None:
            mark = f'<circle class="ok" cx="{tip[0]:.1f}" cy="{tip[1]:.1f}" r="3"/>'
        else:
            n = (-way[1], way[0])
            cup = [(1.6, -7.0), (-2.4, 0.0), (1.6, 7.0)]
            p, q, r = ((tip[0] + way[0] * u + n[0] * v, tip[1] + way[1] * u + n[1] * v) for u, v in cup)
            arc = f"M{_xy(p)}Q{_xy(q)} {_xy(r)}"
            mark = f'<path class="oh" d="{arc}"/><path class="oe" d="{arc}"/><path class="oc" d="{arc}"/>'
        if outcome not in ("succeeds", ""):
            x, y = curve.point((first + stop) / 2)
            cross = f"M{x - 4:.1f} {y - 4:.1f}L{x + 4:.1f} {y + 4:.1f}M{x + 4:.1f} {y - 4:.1f}L{x - 4:.1f} {y + 4:.1f}"
            mark += f'<path class="oh" d="{cross}"/><path class="ob" d="{cross}"/>'
        return f'<path class="oh" d="{line}"/><path class="os" d="{line}"/>', mark

    def _wave(self, at: str) -> str:
        x, y = self._stand(at)
        r = self._radius(at)
        d = ""
        for drop in (1.15, 1.5):
            top = y + r * drop
            d += f"M{x - 12:.1f} {top:.1f}q3-3.4 6 0t6 0t6 0t6 0"
        return f'<path class="oh" d="{d}"/><path class="ow" d="{d}"/>'

    def _hold(self, at: str) -> str:
        x, y = self._stand(at)
        r = self._radius(at) + 3.6
        return f'<circle class="or" cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"/>'

    def _mark(self, at: str, body: str, outcome: str) -> str:
        x, y = self._stand(at)
        cross = "" if outcome in ("succeeds", "") else '<use href="#u-cross"/>'
        self.over.append(f'<g transform="translate({x:.1f} {y:.1f})">{cross}</g>' if cross else "")
        return f'<g transform="translate({x:.1f} {y:.1f})">{body}</g>'

    def _tag(self, verdict: VerdictLike, order: Proxy) -> None:
        x, y = self._stand(order.at)
        top = y + self._radius(order.at) + 2
        text = f"under {order.power}"
        half = measure(text, "italic", 8) / 2 + 3
        label = self.labels[province_of(order.at)]
        here = ((x - half, top), (x + half, top), (x + half, top + 11), (x - half, top + 11))
        if any(overlap(here, box) for box in label.boxes):
            top = y - self._radius(order.at) - 13
        failed = " x" if word(verdict) not in ("succeeds", "") else ""
        body = (
            f'<rect class="tag{failed}" x="{x - half:.1f}" y="{top:.1f}" width="{2 * half:.1f}" height="11" rx="2"/>'
            f'<text class="tagt" x="{x:.1f}" y="{top + 8:.1f}">{escape(text)}</text>'
        )
        self.over.append(self._group(verdict, body, "proxy"))

    def _build(self, verdict: VerdictLike, order: Build) -> None:
        x, y = self._place(order.at)
        number = self.number.get(verdict.power, -1)
        size = self.plate.sites[province_of(order.at)].size
        kind = order.kind if order.kind in UNIT_NAMES else "A"
        failed = word(verdict) not in ("succeeds", "")
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


def escape(text: str) -> str:
    """Text made safe for element content and double-quoted attributes."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
