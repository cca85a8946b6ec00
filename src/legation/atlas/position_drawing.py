"""What a position and its orders add to the drawing of a board: contents for its slots."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from legation.atlas.board_drawing import BoardDrawing
from legation.atlas.canvas import Canvas
from legation.atlas.chart import SMALLER
from legation.atlas.letters import escape
from legation.atlas.order_forms import draw_orders, form_of
from legation.atlas.sites import UNIT_R
from legation.atlas.style import ThemeName
from legation.board import Board, province_of
from legation.judge import Verdict
from legation.orders import province_at
from legation.position import Position, Unit


def land_owners(board: Board, position: Position) -> dict[str, str]:
    """Who holds which land: centers by their owners; the rest of a land where all its centers are in one hand."""
    owners = {center: power for center, power in position.owners.items() if center in board.provinces}
    lands: dict[str, set[str]] = {}
    for center in board.centers:
        lands.setdefault(board.provinces[center].region, set()).add(owners.get(center, ""))
    for name, province in board.provinces.items():
        if province.region and not province.sea and not province.center:
            held = lands.get(province.region, set())
            if len(held) == 1 and "" not in held:
                owners[name] = next(iter(held))
    return owners


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """How a map is drawn, if nothing else is said; :meth:`legation.atlas.Atlas.svg` tells what each means."""

    control: bool = True
    units: bool = True
    orders: bool = True
    hidden: Iterable[str] = ()
    title: str = ""
    legend: bool = True
    theme: ThemeName = "light"
    patterns: bool = False
    marked: Iterable[str] = ()
    relief: bool = True
    said: Callable[[str], str] = str  # puts what title and legend say into the reader's language


class PositionDrawing:
    """One position on a board (none: the bare board), with its orders. ``number`` gives each power's number; hatched
    land gives every name a halo."""

    def __init__(
        self,
        drawing: BoardDrawing,
        position: Position | None,
        verdicts: Sequence[Verdict],
        number: Mapping[str, int],
        look: Look,
    ) -> None:
        self.drawing = drawing
        self.board = drawing.board
        self.geometry = drawing.geometry
        self.position = position
        self.verdicts = verdicts
        self.number = number
        self.hidden = sorted(look.hidden)
        self.units = position.units if position and look.units else ()
        self.dislodged = position.dislodged if position and look.units else ()
        self.contested = sorted(position.contested) if position and look.units else []
        self.owners = land_owners(self.board, position) if position and look.control else {}
        occupied = {d.unit.province: d.unit.at for d in self.dislodged} | {u.province: u.at for u in self.units}
        fallen = [d.unit.at for d in self.dislodged]
        self.canvas = Canvas(drawing.chart, drawing.symbols, verdicts, occupied, fallen, number)
        draw_orders(self.canvas)
        crossed = drawing.chart.names_along([*self.canvas.curves.values(), *self.canvas.supports])
        self._halos = {*drawing.labels} if look.patterns else crossed | self.canvas.covered
        self._beaten = {province_of(v.order.at) for v in verdicts if v.dislodged_from and hasattr(v.order, "at")}
        forms = [(v.order, form_of(v.order)) for v in verdicts]
        self._notes = {province_at(o): form.note for o, form in forms if form and form.note}

    def slots(self) -> dict[str, str]:
        """The contents of the board's slots."""
        canvas = self.canvas
        above = sorted(canvas.covered)
        return {
            "control": "".join(self._land(name) for name, province in self.board.provinces.items() if not province.sea),
            "fog": "".join(f'<use href="#s-{name}" data-hidden="{escape(name)}"/>' for name in self.hidden),
            "borders": "".join(
                f'<use href="#b{number}"/>'
                for number, (a, b, _) in enumerate(self.geometry.borders)
                if self.owners.get(a) != self.owners.get(b)
            ),
            "orders": "".join(canvas.lines),
            "names": "".join(self._name(name) for name in self.drawing.labels if name not in canvas.covered),
            # heads that point at a unit in its burst lie upon the burst
            "units": _group("units", [*self._units(beaten=True)])
            + _group("heads", canvas.heads, ' aria-hidden="true"')
            + _group("names", [self._name(name) for name in above])
            + _group("units", self._standing())
            + _group("marks", canvas.over),
        }

    def forms(self) -> set[str]:
        """Which forms were drawn, for the legend."""
        drawn = set(self.canvas.used)
        if self.dislodged or any(unit.province in self._beaten for unit in self.units):
            drawn.add("dislodged")
        if self.contested:
            drawn.add("contested")
        return drawn

    def facts(self) -> dict[str, str]:
        """What there is to say of provinces now, to follow their names in titles."""
        facts = {name: f"; held by {power}" for name, power in self.owners.items()}
        for unit in self.units:
            facts[unit.province] = f"{facts.get(unit.province, '')}; {self.drawing.symbols.text(unit.kind, unit.power)}"
        for name in self.hidden:
            facts[name] = f"{facts.get(name, '')}; out of sight"
        return {name: escape(text) for name, text in facts.items()}

    def _tint(self, letter: str, province: str) -> str:
        """The class of the tint of a province, or of lettering upon it; land without a center is paler."""
        if province not in self.owners:
            return ""
        far = "" if self.board.provinces[province].center else " far"
        return self.canvas.color(letter, self.owners[province]) + far

    def _land(self, name: str) -> str:
        tint = self._tint("k", name)
        return f'<use href="#s-{name}" class="{tint}"/>' if tint else f'<use href="#s-{name}"/>'

    def _name(self, name: str) -> str:
        """A name, with a halo where something runs under it; on the ground of a power in ink that suits the power's
        color."""
        halo = "h" if name in self._halos and not self.drawing.labels[name].beside else ""
        tint = self._tint("n", self.drawing.labels[name].ground or name)
        return self.drawing.name(name, f"{halo} {tint}".strip())

    def _units(self, *, beaten: bool) -> Iterator[str]:
        """The units that are dislodged by these orders, in a burst, or all others."""
        for unit in self.units:
            if (unit.province in self._beaten) == beaten:
                noted = self._notes.get(unit.province, "")
                note = "; dislodged" if beaten else f"; {noted}" if noted else ""
                yield self._unit(unit, *self.geometry.place_of(unit.at), burst=beaten, note=note)

    def _standing(self) -> list[str]:
        fallen = [(dislodged.unit, self.canvas.dislodged_place(dislodged.unit.at)) for dislodged in self.dislodged]
        out = [self._tie(unit, *place) for unit, place in fallen]
        out += self._units(beaten=False)
        out += [self._unit(unit, *place, burst=True, note="; dislodged", shrink=SMALLER) for unit, place in fallen]
        for name in self.contested:
            x, y = self.geometry.place_of(name)
            title = f"standoff in {self.board.provinces[name].name}"
            out.append(
                f'<g class="contest" role="img" transform="translate({x:.1f} {y:.1f})"><title>{escape(title)}</title>'
                '<circle r="7"/><path d="M-3.4-3.4L3.4 3.4M3.4-3.4L-3.4 3.4"/></g>'
            )
        return out

    def _tie(self, unit: Unit, x: float, y: float) -> str:
        """A line that ties a dislodged unit to its province, where it had to be drawn outside."""
        if self.geometry.contains(unit.province, x, y):
            return ""
        (ax, ay), r = self.geometry.place_of(unit.at), UNIT_R * self.geometry.sites[unit.province].size
        away = math.dist((x, y), (ax, ay))
        path = f"M{x:.1f} {y:.1f}L{ax + (x - ax) * r / away:.1f} {ay + (y - ay) * r / away:.1f}"
        return f'<path class="oh" d="{path}"/><path class="tie" d="{path}"/>'

    def _unit(self, unit: Unit, x: float, y: float, *, burst: bool = False, note: str = "", shrink: float = 1.0) -> str:
        size = self.geometry.sites[unit.province].size * shrink
        symbol = self.drawing.symbols.symbol(unit.kind)
        text = f"{self.drawing.symbols.text(unit.kind, unit.power)}, {self.board.name_of(unit.at)}{note}"
        scale = f" scale({size:.2f})" if size < 1 else ""
        away = ' data-dislodged=""' if shrink < 1 else ""
        behind = '<use href="#u-burst"/>' if burst else ""
        return (
            f'<g class="u {self.canvas.color("u", unit.power)}" role="img" data-at="{escape(unit.at)}"{away} '
            f'transform="translate({x:.1f} {y:.1f}){scale}"><title>{escape(text)}</title>'
            f'{behind}<use href="#{symbol}"/></g>'
        )


def _group(cls: str, content: Sequence[str], more: str = "") -> str:
    inside = "".join(content)
    return f'<g class="{cls}"{more}>{inside}</g>' if inside else ""
