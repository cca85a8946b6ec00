"""What orders are drawn upon: where things are on the map of one position, and what has been drawn of orders so far."""

import math
from collections.abc import Iterable, Mapping, Sequence

from legation.atlas.chart import Chart
from legation.atlas.curves import Curve
from legation.atlas.letters import Box, escape
from legation.atlas.lines import Point
from legation.atlas.sites import UNIT_ON_PAGE, UNIT_R
from legation.atlas.strokes import crossed_ring, head_box, square
from legation.atlas.symbols import UnitSymbols
from legation.board import province_of
from legation.judge import Outcome, Verdict
from legation.notation import write

BROKEN = (Outcome.DISRUPTED, Outcome.NO_CONVOY)
IDLE = (Outcome.VOID, Outcome.ILLEGAL, Outcome.IGNORED)


class Canvas:
    """What the orders of one position are drawn upon. ``number`` gives each power's number (its color class).

    ``occupied`` tells where in a province its unit stands, ``dislodged`` from where units were dislodged."""

    def __init__(
        self,
        chart: Chart,
        symbols: UnitSymbols,
        verdicts: Sequence[Verdict],
        occupied: Mapping[str, str],
        dislodged: Iterable[str],
        number: Mapping[str, int],
    ) -> None:
        self.chart = chart
        self.geometry = chart.geometry
        self.symbols = symbols
        self.verdicts = verdicts
        self.occupied = occupied
        self.curves: dict[tuple[str, str], Curve] = {}
        """The ways of units, by the provinces where they begin and end."""
        self.carriers: dict[tuple[str, str], list[tuple[str, float]]] = {}
        """For ways through fleets, the fleets' provinces and how far along the way they lie."""
        self.supports: list[Curve] = []
        self.lines: list[str] = []
        """Drawn below the names."""
        self.heads: list[str] = []
        """Drawn above them: arrowheads, marks of failure."""
        self.over: list[str] = []
        """Drawn above the units."""
        self.remarks: list[str] = []
        """Told in words."""
        self.used: set[str] = set()
        """The forms that were drawn, for the legend."""
        self.covered: set[str] = set()
        """The provinces whose names stand under a head."""
        self._number = number
        self._orders = {id(verdict): i for i, verdict in enumerate(verdicts)}
        self.asides: dict[str, Point] = {}
        """Where dislodged units are drawn, by their provinces."""
        for location in dislodged:
            self.dislodged_place(location)

    # Where things are

    def place(self, location: str) -> Point:
        """Where a unit at a location is drawn."""
        return self.geometry.place_of(location)

    def stand(self, location: str) -> Point:
        """Where the unit in a province is drawn, on whichever coast it stands; where there is none, the place
        itself."""
        return self.place(self.occupied.get(province_of(location), location))

    def size(self, location: str) -> float:
        """The scale of the symbols there."""
        return self.geometry.sites[province_of(location)].size

    def radius(self, location: str) -> float:
        """The radius of a unit's symbol at a location, in the size that pages draw it."""
        return UNIT_ON_PAGE * self.size(location)

    def dislodged_place(self, location: str) -> Point:
        """Where a dislodged unit is drawn: beside the one that came."""
        province = province_of(location)
        if province not in self.asides:
            self.asides[province] = self.chart.aside(location, self.asides.values())
        return self.asides[province]

    def ends(self, a: str, b: str) -> tuple[Point, Point]:
        """Where a line from the unit in one province to a place begins and ends: both on one part of the map, where one
        of the provinces is drawn in the other's inset too."""
        return self.geometry.together(province_of(a), self.stand(a), province_of(b), self.place(b))

    def helping(self, at: str, target: str, to: str) -> tuple[Point, Point]:
        """Where a line from a unit that helps another on its way begins and ends: at the middle of that way, on a part
        of the map where all three are drawn if there is one."""
        stand, middle = self.stand(at), self.middle(target, to)
        here, there = self.geometry.part_of(stand), self.geometry.part_of(middle)
        if here == there:
            return stand, middle
        if spot := self.geometry.spot(province_of(at), there):
            return spot, middle
        a, b = (self.geometry.on_part(province_of(one), self.place(one), here) for one in (target, to))
        return stand, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) if a and b else middle

    def line(self, a: str, b: str, *, sails: bool = False) -> Curve:
        """The line of a plain move; one that ``sails`` keeps off the land of others."""
        start, end = self.ends(a, b)
        a, b = province_of(a), province_of(b)
        return self.chart.line(a, b, start, *(self.chart.passage(a, b, start, end) if sails else ()), end)

    def course(self, a: str, b: str) -> Curve:
        """The way between two provinces as it is drawn, or would be."""
        drawn = self.curves.get((province_of(a), province_of(b)))
        return drawn or self.line(a, b)

    def middle(self, a: str, b: str) -> Point:
        """The middle of that way."""
        curve = self.course(a, b)
        return curve.point(curve.length / 2)

    def color(self, letter: str, power: str) -> str:
        """The class of a power's color; ``x`` stands for one that is not of this game."""
        return f"{letter}{self._number.get(power, 'x')}"

    def stop(self, curve: Curve, to: str, least: float, long: float = 9.0, *, full: bool = False) -> float:
        """Where along a curve a head ``long`` units long ends, not before ``least``: before the unit at a location, or
        at its place if it is not ``full``; where it covers least."""
        radius = self.radius(to) if full or province_of(to) in self.occupied else 0.0
        stop = self.chart.stop(curve, province_of(to), radius, least, long)[1]
        self.covered |= self.chart.names_under(head_box(curve, stop, long))
        return stop

    def spare(self, curve: Curve, first: float, last: float, wish: float, half: float) -> float:
        """Where along a curve, between two places and near a wish, a mark as large as a square of this half width
        covers least of units and names."""
        units = [(self.place(at), self.radius(at)) for at in self.occupied.values()]
        middle, around = curve.point((first + last) / 2), (last - first) / 2 + half
        units = [(unit, radius) for unit, radius in units if math.dist(unit, middle) < around + radius]

        def cost(along: float) -> float:
            point = curve.point(along)
            covers = sum(math.dist(point, unit) < radius + half for unit, radius in units)
            return abs(along - wish) + 100 * (covers + bool(self.chart.names_under(square(point, half))))

        best = min((first + 3 * i for i in range(max(1, int((last - first) / 3) + 1))), key=cost)
        self.covered |= self.chart.names_under(square(curve.point(best), half))
        return best

    # What is drawn

    def add(self, verdict: Verdict, line: str, head: str = "") -> None:
        """Add an order's line, below the names, and its head, above them."""
        self.lines.append(self._group(verdict, line))
        if head:
            self.heads.append(f'<g class="{self.color("o", verdict.power)}"{self._mine(verdict)}>{head}</g>')

    def add_over(self, verdict: Verdict, body: str, kind: str = "") -> None:
        """Add what is drawn above the units."""
        self.over.append(self._group(verdict, body, kind))

    def add_mark(self, verdict: Verdict, mark: str) -> None:
        """Add a further mark above the units to an order that is drawn already."""
        self.over.append(f"<g{self._mine(verdict)}>{mark}</g>")

    def add_tag(self, verdict: Verdict, text: str, box: Box) -> None:
        """Add a few words in a box."""
        (left, top), (right, _) = box[0], box[1]
        cls = "tag" if verdict.outcome is Outcome.SUCCEEDS else "tag x"
        body = (
            f'<rect class="{cls}" x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="11" rx="2"/>'
            f'<text class="tagt" x="{(left + right) / 2:.1f}" y="{top + 8:.1f}">{escape(text)}</text>'
        )
        self.over.append(self._group(verdict, body))

    def cross_out(self, verdict: Verdict, kind: str, place: Point) -> None:
        """Cross out what stands at a place; a crossed ring where the order had no effect."""
        if verdict.outcome in IDLE:
            self.ring_beside(verdict, place, UNIT_R)
            return
        self.used.add(kind)
        self.add_over(verdict, f'<use href="#u-cross" x="{place[0]:.1f}" y="{place[1]:.1f}"/>', kind)

    def ring_beside(self, verdict: Verdict, unit: Point, away: float) -> None:
        """A crossed ring at a corner of a unit where it covers no name, else at the upper right one."""
        corners = [(unit[0] + u * away, unit[1] + v * away) for u, v in ((1, -1), (-1, -1), (1, 1), (-1, 1))]
        free = (c for c in corners if not self.chart.names_under(square(c, 4.3)))
        self.used.add("idle")
        self.add_mark(verdict, crossed_ring(next(free, corners[0])))

    def add_remark(self, verdict: Verdict, text: str = "") -> None:
        """Tell an order below the map: in these words, or as it is written."""
        text = text or f"{verdict.power}: {write(verdict.order)}"
        self.remarks.append(text if verdict.outcome is Outcome.SUCCEEDS else f"{text} ({verdict.outcome.value})")

    def _group(self, verdict: Verdict, body: str, kind: str = "") -> str:
        outcome = verdict.outcome.value
        kind = kind or type(verdict.order).__name__.lower()
        title = f"{verdict.power}: {write(verdict.order)}: {outcome}"
        if verdict.dislodged_from:
            title += f"; dislodged from {verdict.dislodged_from}"
        classes = f"o {self.color('o', verdict.power)} {kind} {outcome.replace(' ', '-')}"
        return f'<g class="{classes}" role="img"{self._mine(verdict)}><title>{escape(title)}</title>{body}</g>'

    def _mine(self, verdict: Verdict) -> str:
        at = getattr(verdict.order, "at", "")
        return f' data-order="{self._orders[id(verdict)]}"' + (f' data-at="{escape(at)}"' if at else "")
