"""Maps as SVG: a board, a position on it and its orders, drawn in one hand.

What depends on the board alone (path strings, label layout) is made once for each :class:`Atlas`; a map is then little more than joining strings.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal, Protocol

from legation.atlas.arrows import Penman, VerdictLike, escape
from legation.atlas.chart import SMALLER, Chart
from legation.atlas.labels import lay_out
from legation.atlas.legend import ground_keys, lay_legend
from legation.atlas.letters import SEA_SPACING, Box, Label, measure
from legation.atlas.plate import UNIT_R, Disc, Plate
from legation.atlas.shapes import Shapes, sides
from legation.atlas.style import THEMES, Theme, assign_colors, gray, ground_color, ink_on, mix, tick_color
from legation.atlas.symbols import UNIT_NAMES, badges, definitions
from legation.board import Board, province_of
from legation.notation import write
from legation.orders import Convert
from legation.position import Position, Unit

MARGIN = 26.0
HEADER = 62.0
FAMILY = "'Legation Garamond','EB Garamond',Garamond,Georgia,serif"
PATTERNS: tuple[str, ...] = (
    "M0 8L8 0M-2 2L2-2M6 10L10 6",
    "M0 0L8 8M-2 6L2 10M6-2L10 2",
    "M0 2H8M0 6H8",
    "M2 0V8M6 0V8",
    "M2 2h.1M6 6h.1",
    "M0 4H8M4 0V8",
    "M0 4L4 0L8 4L4 8Z",
    "M0 6Q2 2 4 6T8 6",
    "M0 6L4 2L8 6",
    "M1 2H5M3 6H7",
    "M4 1V5M2 3H6",
    "M2 4A2 2 0 1 0 6 4A2 2 0 1 0 2 4",
)
"""Hatchings on a tile of 8 units, one for each place in the palette; beyond that they repeat at another size."""


class PowerLike(Protocol):
    """What is asked of a power here: a name; a ``color`` (``#rrggbb``) is used where it is given."""

    @property
    def name(self) -> str: ...


class Atlas:
    """Draws the maps of one board. ``shapes`` is the content of its ``shapes.json``, ``powers`` the powers in their order.

    :raises ValueError: when the shapes do not fit the board, or a power's color is not written ``#rrggbb``.
    """

    def __init__(self, board: Board, shapes: Shapes, powers: Sequence[PowerLike] = ()) -> None:
        self.board = board
        self.plate = Plate(board, shapes)
        self.labels: dict[str, Label] = lay_out(self.plate)
        self._surround = max(1.0, self.plate.width / 1400)
        self.colors = assign_colors([(p.name, getattr(p, "color", None) or None) for p in powers])
        self.badges = badges(board)
        self._chart = Chart(self.plate, self.labels, shapes)
        self._waves = self._part_waves(shapes)
        self._lettering = {name: self._letter(label) for name, label in self.labels.items()}
        self._ground = self._lay_ground()
        self._symbols = self._draw_centers()
        self._lands: dict[str, tuple[str, ...]] = {}
        for center in board.centers:
            region = board.provinces[center].region
            if region:
                self._lands[region] = (*self._lands.get(region, ()), center)
        self._styles: dict[tuple[str, bool, bool, tuple[tuple[str, str], ...]], str] = {}

    # What the board alone decides

    def boxes(self) -> list[tuple[str, str, Box | Disc]]:
        """What stands on the empty board: (``label``, province, box) and (``unit``, ``center`` or ``coast``, province, disc), in units."""
        found: list[tuple[str, str, Box | Disc]] = []
        for name, label in self.labels.items():
            found += [("label", name, box) for box in label.boxes]
        found += [(disc.kind, disc.province, disc) for disc in self.plate.discs]
        return found

    def _letter(self, label: Label) -> tuple[str, str]:
        """The label's SVG before and after its color class."""
        sea = label.face == "italic"
        lines, points = label.lines, label.size
        if self.board.provinces[label.province].primary and not label.short:
            # small capitals, no wider than the name was measured
            lines = tuple(line.upper() for line in lines)
            points *= min(
                measure(a, label.face, 1, SEA_SPACING) / measure(b, label.face, 1, SEA_SPACING)
                for a, b in zip(label.lines, lines, strict=True)
            )
        spacing = f' letter-spacing="{SEA_SPACING * points:.2f}"' if sea else ""
        size = f'font-size="{points:.3g}"{spacing}'
        if label.curve:
            (ax, ay), (bx, by), (cx, cy) = label.curve
            path = f'<path id="n-{label.province}" fill="none" d="M{ax:.1f} {ay:.1f}Q{bx:.1f} {by:.1f} {cx:.1f} {cy:.1f}"/>'
            text = f'<textPath href="#n-{label.province}" startOffset="50%">{escape(lines[0])}</textPath>'
            return f'{path}<text class="n', f'" {size}>{text}</text>'
        out = []
        for (x, y), line in zip(label.at, lines, strict=True):
            shift = SEA_SPACING * points / 2 if sea else 0.0  # the space after the last letter
            turn = f' transform="rotate({label.angle:.1f} {x:.1f} {y:.1f})"' if label.angle else ""
            out.append(f'" {size} x="{x + shift:.1f}" y="{y:.1f}"{turn}>{escape(line)}</text>')
        leader = ""
        if label.leader:
            (ax, ay), (bx, by) = label.leader
            leader = f'<path class="lead" d="M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}"/>'
        return f'{leader}<text class="n', "\0".join(out)

    def _part_waves(self, shapes: Shapes) -> dict[str, str]:
        """The lines between waters, by class: where waters are grouped into areas, those between two areas by themselves."""
        provinces = self.board.provinces

        def dry(name: str) -> bool:
            return shapes.scenery[int(name[1:])].kind == "land" if name[0] == "~" else not provinces[name].sea

        def area(name: str) -> str:
            return provinces[name].area if name in provinces else ""

        # the plate has the lines between two waters in the order of the arcs
        beside = [n for n in sides(shapes) if len(n) == 2 and n[0] != n[1] and not (dry(n[0]) or dry(n[1]))]
        found: dict[str, str] = {"waves": ""}
        for (a, b), path in zip(beside, self.plate.waves.split("M")[1:], strict=True):
            cls = "waves areas" if area(a) != area(b) else "waves"
            found[cls] = f"{found.get(cls, '')}M{path}"
        return found

    def _lay_ground(self) -> dict[str, str]:
        plate = self.plate
        width, height = plate.width * 10, plate.height * 10
        sea = [f'<rect class="sea" width="{width:.0f}" height="{height:.0f}"/>']
        if plate.coast:
            for i, line in enumerate((150, 100, 55)):
                sea.append(f'<use href="#shelf" class="w w{i}" stroke-width="{line}"/>')
                sea.append(f'<use href="#shelf" class="v" stroke-width="{line - 9}"/>')
        waste = "".join(f'<path class="waste" fill-rule="evenodd" d="{path}"/>' for path in plate.waste)
        waste += f'<path class="ticks" d="{self._ticks()}"/>' if waste else ""
        lakes = "".join(f'<path class="lake" fill-rule="evenodd" d="{path}"/>' for path in plate.lakes)
        return {"sea": "".join(sea), "waste": waste, "lakes": lakes}

    def _ticks(self) -> str:
        """Short strokes, staggered, on land that is not played."""
        found = []
        for row in range(1, int(self.plate.height / 13)):
            for column in range(int(self.plate.width / 26) + 1):
                x, y = 7 + 26 * column + 13 * (row % 2), 13 * row
                around = ((x - 9, y), (x + 9, y), (x, y - 7), (x, y + 7), (x, y))
                if all(self._chart.outside(*point) for point in around):
                    found.append(f"M{10 * x - 30} {10 * y + 30}l60-60")
        return "".join(found)

    def _draw_centers(self) -> str:
        out = []
        for name in self.board.centers:
            site = self.plate.sites[name]
            (x, y), size = site.center, site.size
            scale = f" scale({size:.2f})" if size < 1 else ""
            crown = '<use href="#c-crown" y="-5.4"/>' if self.board.provinces[name].capital else ""
            out.append(
                f'<g transform="translate({x:.1f} {y:.1f}){scale}"><use href="#c-{self.badges[name]}"/>{crown}</g>'
            )
        coasts = "".join(
            f'<text x="{x:.1f}" y="{y + 2.6:.1f}">{escape(coast)}</text>'
            for site in self.plate.sites.values()
            for coast, (x, y) in site.coasts.items()
        )
        return f'<g class="c">{"".join(out)}</g>' + (f'<g class="co" aria-hidden="true">{coasts}</g>' if coasts else "")

    # A map

    def svg(
        self,
        position: Position | None = None,
        verdicts: Sequence[VerdictLike] = (),
        *,
        title: str = "",
        legend: bool = True,
        control: bool = True,
        units: bool = True,
        orders: bool = True,
        theme: Literal["light", "dark"] = "light",
        patterns: bool = False,
        interactive: bool = True,
    ) -> str:
        """One map. ``verdicts`` are the orders of this position with their outcomes; records with ``power``, ``order``, ``outcome``, ``dislodged_from``.

        ``control`` colors the land by its owners; ``patterns`` hatches it as well; ``interactive`` adds fonts and states for web pages.
        """
        look = THEMES[theme]
        names = list(self.colors)
        present = [*(position.survivors() if position else ()), *(v.power for v in verdicts)]
        colors = dict(self.colors)
        if any(name not in colors for name in present):
            wanted = [
                *((n, c) for n, c in colors.items()),
                *((n, None) for n in dict.fromkeys(present) if n not in colors),
            ]
            colors = assign_colors(wanted)
            names = list(colors)
        number = {name: i for i, name in enumerate(names)}
        shown = list(verdicts) if orders else []
        if not (control or units or shown):  # the bare board, to be drawn on, belongs to no turn
            position = None
        owners = self._control(position) if position and control else {}
        title = title or self.board.title
        turn = str(position.turn) if position else ""

        occupied: dict[str, str] = {}
        if position and units:
            for dislodged in position.dislodged:
                occupied[dislodged.unit.province] = dislodged.unit.at
            for unit in position.units:
                occupied[unit.province] = unit.at
        fallen = [d.unit.at for d in position.dislodged] if position and units else []
        penman = Penman(self._chart, shown, occupied, fallen, number, write)
        penman.draw()

        plate = self.plate
        lines, heads, standing = self._standing(position if units else None, shown, number, penman)
        k = self._surround
        footer, footer_height = "", 0.0
        if legend:
            named = {
                name: i
                for name, i in number.items()
                if (control or units) and (name in self.colors or (position and name in position.survivors()))
            }
            footer, footer_height = lay_legend(
                self.board,
                position,
                named,
                self.badges,
                {link.kind for link in plate.links},
                units,
                penman.used,
                self._grounds(owners, number),
                penman.remarks,
                plate.width / k,
                plate.scale / k,
            )
        top = HEADER * k if legend else 0.0
        margin = MARGIN * k if legend else 0.0
        width = plate.width + 2 * margin
        height = top + plate.height + (10 + footer_height) * k if legend else plate.height
        role = "graphics-document" if interactive else "img"
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="lg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" role="{role}{" img" if interactive else ""}" aria-labelledby="lg-title lg-desc">'
            f'<title id="lg-title">{escape(title + (", " + turn if turn else ""))}</title>'
            f'<desc id="lg-desc">{escape(self._describe(position, shown))}</desc>',
            self._style(look, colors, patterns, interactive),
            f'<defs><path id="coast" d="{plate.coast}"/><path id="shelf" d="{plate.shelf}"/>',
            definitions(self.badges.values()),
            self._patterns(colors, look) if patterns else "",
            f'</defs><rect class="page" width="{width:.0f}" height="{height:.0f}"/>',
            f'<g transform="translate({margin:g} {top:g})"><g transform="scale(.1)">',
            self._ground["sea"],
        ]
        told = {u.province: u for u in position.units} if position and units else {}
        out += [self._region(name, told.get(name), owners, number) for name, p in self.board.provinces.items() if p.sea]
        for cls, path in self._waves.items():
            out.append(f'<path class="{cls}" d="{path}"/>')
        out.append(self._ground["waste"])
        out += [
            self._region(name, told.get(name), owners, number) for name, p in self.board.provinces.items() if not p.sea
        ]
        fine: list[str] = []
        ring: list[str] = []
        strong: list[str] = []
        for a, b, path in plate.borders:
            around = a in plate.rings or b in plate.rings
            (strong if owners.get(a) != owners.get(b) else ring if around else fine).append(path)
        out.append(
            f'<path class="fine" d="{"".join(fine)}"/><path class="ring" d="{"".join(ring)}"/>'
            f'<path class="strong" d="{"".join(strong)}"/>{self._ground["lakes"]}'
            f'<use href="#coast" class="shore"/>'
        )
        out += [f'<path class="link {link.kind}" d="{link.path}"/>' for link in plate.links]
        out.append("</g>")
        out.append('<g class="top">')
        out.append(lines)
        crossed = self._chart.names_along([*penman.curves.values(), *penman.supports])
        lettered = {name: self._name(name, owners, number, patterns or name in crossed) for name in self.labels}
        out += [text for name, text in lettered.items() if name not in penman.covered]
        out.append(heads)
        out += [lettered[name] for name in sorted(penman.covered)]
        out.append(standing)
        out.append("</g>")
        if legend:  # what runs over the edge of the map is covered, which costs less than clipping
            w, h = plate.width, plate.height
            rest = height - top - h
            out.append(
                f'<path class="page" fill-rule="evenodd" d="M{-margin:.1f} {-top:.1f}H{w + margin:.1f}V{h + rest:.1f}H{-margin:.1f}Z'
                f'M0 0V{h:.1f}H{w:.1f}V0Z"/>'
            )
        out.append(f'<rect class="neat" width="{plate.width:.1f}" height="{plate.height:.1f}"/></g>')
        if legend:
            out.append(f'<g transform="scale({k:.3f})">{self._header(title, turn, width / k)}</g>')
            out.append(
                f'<g transform="translate({margin:.1f} {top + plate.height + 10 * k:.1f}) scale({k:.3f})">{footer}</g>'
            )
        out.append("</svg>")
        return "".join(out)

    def _name(self, name: str, owners: Mapping[str, str], number: Mapping[str, int], halo: bool) -> str:
        """A name, with a halo where something runs under it; on the ground of a power in ink that suits the power's color."""
        board, (before, after) = self.board, self._lettering[name]
        ground = self.labels[name].ground or name
        cls = " h" if halo or self.labels[name].beside else ""
        cls += (" s" if board.provinces[name].sea else "") + (" a" if board.provinces[ground].sea else "")
        cls += " primary" if board.provinces[name].primary else ""
        if ground in owners:
            cls += f" n{number[owners[ground]]}" + ("" if board.provinces[ground].center else " far")
        return before + cls + after.replace("\0", '<text class="n' + cls)

    def _grounds(self, owners: Mapping[str, str], number: Mapping[str, int]) -> list[tuple[str, str]]:
        """The legend's keys for the tints and lines of this map's land and sea."""
        pale = [number[power] for name, power in owners.items() if not self.board.provinces[name].center]
        return ground_keys(
            pale=min(pale, default=None),
            waste=bool(self.plate.waste),
            lakes=bool(self.plate.lakes),
            areas=len(self._waves) > 1,
            names=any(p.primary for p in self.board.provinces.values()),
        )

    def _control(self, position: Position) -> dict[str, str]:
        """Who holds which land: centers by their owners; the rest of a land where all its centers are in one hand."""
        owners = {c: power for c, power in position.owners.items() if c in self.board.provinces}
        for region, centers in self._lands.items():
            held = {owners.get(c) for c in centers}
            if len(held) == 1 and (power := held.pop()):
                for name, province in self.board.provinces.items():
                    if province.region == region and not province.sea and not province.center:
                        owners[name] = power
        return owners

    def _region(self, name: str, unit: Unit | None, owners: Mapping[str, str], number: Mapping[str, int]) -> str:
        province = self.board.provinces[name]
        owner = owners.get(name)
        parts = [f"{province.name} ({name})"]
        facts = [owner] if owner else []
        if province.sea:
            facts.append("sea")
        elif province.center:
            facts.append("capital, center" if province.capital else "center")
        text = parts[0] + (": " + ", ".join(facts) if facts else "")
        if unit:
            text += f"; {unit_text(unit)}"
        cls = "p sr" if province.sea else "p"
        if owner is not None:
            cls += f" k{number[owner]}" + ("" if province.center else " far")
        return (
            f'<g id="p-{name}" class="{cls}" role="img" data-name="{escape(province.name)}">'
            f'<title>{escape(text)}</title><path fill-rule="evenodd" d="{self.plate.outlines[name]}"/></g>'
        )

    def _standing(
        self, position: Position | None, verdicts: Sequence[VerdictLike], number: Mapping[str, int], penman: Penman
    ) -> tuple[str, str, str]:
        """What stands on the land: the lines of orders and the centers, below the names; the heads of arrows; units and marks upon them, above all."""
        lines = "".join(['<g class="orders">', *penman.lines, "</g>"] if verdicts else []) + self._symbols
        heads = "".join(['<g class="heads" aria-hidden="true">', *penman.heads, "</g>"] if penman.heads else [])
        out = []
        beaten = {province_of(v.order.at) for v in verdicts if v.dislodged_from and hasattr(v.order, "at")}
        changing = {province_of(v.order.at) for v in verdicts if isinstance(v.order, Convert)}
        if position:
            out.append('<g class="units">')
            out += [self._tie(d.unit, penman) for d in position.dislodged]
            if position.dislodged or any(unit.province in beaten for unit in position.units):
                penman.used.add("dislodged")
            if position.contested:
                penman.used.add("contested")
            for unit in position.units:
                x, y = self.plate.place_of(unit.at)
                burst = unit.province in beaten
                note = "; dislodged" if burst else "; converts" if unit.province in changing else ""
                out.append(self._unit(unit, x, y, number, burst=burst, note=note))
            for dislodged in position.dislodged:
                x, y = penman.dislodged_place(dislodged.unit.at)
                out.append(self._unit(dislodged.unit, x, y, number, burst=True, note="; dislodged", shrink=SMALLER))
            for name in sorted(position.contested):
                x, y = self.plate.place_of(name)
                title = f"standoff in {self.board.provinces[name].name}"
                out.append(
                    f'<g class="contest" role="img" transform="translate({x:.1f} {y:.1f})"><title>{escape(title)}</title>'
                    '<circle r="7"/><path d="M-3.4-3.4L3.4 3.4M3.4-3.4L-3.4 3.4"/></g>'
                )
            out.append("</g>")
        if penman.over:
            out += ['<g class="marks">', *penman.over, "</g>"]
        return lines, heads, "".join(out)

    def _tie(self, unit: Unit, penman: Penman) -> str:
        """A line that ties a dislodged unit to its province, where it had to be drawn outside."""
        x, y = penman.dislodged_place(unit.at)
        if self.plate.contains(unit.province, x, y):
            return ""
        (ax, ay), r = self.plate.place_of(unit.at), UNIT_R * self.plate.sites[unit.province].size
        away = math.dist((x, y), (ax, ay))
        path = f"M{x:.1f} {y:.1f}L{ax + (x - ax) * r / away:.1f} {ay + (y - ay) * r / away:.1f}"
        return f'<path class="oh" d="{path}"/><path class="tie" d="{path}"/>'

    def _unit(
        self,
        unit: Unit,
        x: float,
        y: float,
        number: Mapping[str, int],
        *,
        burst: bool = False,
        note: str = "",
        shrink: float = 1.0,
    ) -> str:
        size = self.plate.sites[unit.province].size * shrink
        kind = unit.kind if unit.kind in UNIT_NAMES else "A"
        text = f"{unit_text(unit)}, {self.board.name_of(unit.at)}{note}"
        scale = f" scale({size:.2f})" if size < 1 else ""
        return (
            f'<g class="u u{number[unit.power]}" role="img" transform="translate({x:.1f} {y:.1f}){scale}">'
            f'<title>{escape(text)}</title>{"<use href=" + chr(34) + "#u-burst" + chr(34) + "/>" if burst else ""}<use href="#u-{kind}"/></g>'
        )

    def _describe(self, position: Position | None, verdicts: Sequence[VerdictLike]) -> str:
        text = f"Map of {len(self.board.provinces)} provinces with {len(self.board.centers)} supply centers."
        if position:
            for power in position.survivors():
                text += f" {power}: {len(position.centers_of(power))} centers, {len(position.units_of(power))} units."
        if verdicts:
            text += f" {len(verdicts)} orders are shown."
        return text

    # Around the map

    def _header(self, title: str, turn: str, width: float) -> str:
        size = 30.0
        room = width - 2 * MARGIN - (measure(turn, "italic", 21) + 24 if turn else 0)
        size = min(size, size * room / max(1.0, measure(title, "bold", size, 0.02)))
        rule = f'<path class="rule" d="M{MARGIN} {HEADER - 9:.0f}H{width - MARGIN:.1f}"/>'
        text = f'<text class="title" x="{MARGIN}" y="{HEADER - 21:.0f}" font-size="{size:.1f}">{escape(title)}</text>'
        if turn:
            text += f'<text class="turn" x="{width - MARGIN:.1f}" y="{HEADER - 21:.0f}">{escape(turn)}</text>'
        return rule + text

    def _patterns(self, colors: Mapping[str, str], look: Theme) -> str:
        out = []
        for i, color in enumerate(colors.values()):
            fill = ground_color(color, look)
            size = 8 if i < len(PATTERNS) else 12
            ink = mix(fill, "#000000" if gray(fill) > 45 else "#ffffff", 0.45)
            for name, tile, part in ((f"w{i}", fill, 1.0), (f"f{i}", mix(fill, look.paper, 0.45), 0.6)):
                # inside the map the ground is scaled by 0.1, so the tile is ten times as large
                out.append(
                    f'<pattern id="{name}" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="scale({size * 1.25:g})">'
                    f'<rect width="8" height="8" fill="{tile}"/><path d="{PATTERNS[i % len(PATTERNS)]}" fill="none" stroke="{mix(tile, ink, part)}" '
                    'stroke-width="1" stroke-linecap="round"/></pattern>'
                )
        return "".join(out)

    def _style(self, look: Theme, colors: Mapping[str, str], patterns: bool, interactive: bool) -> str:
        memo = (look.name, patterns, interactive, tuple(colors.items()))
        if memo not in self._styles:
            self._styles[memo] = _write_style(look, colors, patterns, interactive)
        return self._styles[memo]

    def rules(self, theme: Literal["light", "dark"]) -> str:
        """The style rules of a theme alone, for a page that offers both."""
        return _write_style(THEMES[theme], self.colors, False, False).removeprefix("<style>").removesuffix("</style>")


def unit_text(unit: Unit) -> str:
    """``army of France``."""
    return f"{UNIT_NAMES.get(unit.kind, unit.kind)} of {unit.power}"


@cache
def font_faces() -> str:
    """The map fonts as ``@font-face`` rules, for pages that must look the same everywhere."""
    rules = []
    for face, weight, slope in (("regular", 400, "normal"), ("italic", 400, "italic"), ("bold", 700, "normal")):
        data = base64.b64encode(files("legation.atlas.fonts").joinpath(f"{face}.woff2").read_bytes()).decode()
        rules.append(
            f"@font-face{{font-family:'Legation Garamond';font-weight:{weight};font-style:{slope};src:url(data:font/woff2;base64,{data}) format('woff2')}}"
        )
    return "".join(rules)


def _write_style(look: Theme, colors: Mapping[str, str], patterns: bool, interactive: bool) -> str:
    rules = [
        f".lg{{font-family:{FAMILY};max-width:100%;height:auto}}",
        f".lg .page{{fill:{look.page}}}.lg .sea{{fill:{look.sea}}}.lg .w{{fill:none;stroke:{look.water_line};stroke-linejoin:bevel}}"
        f".lg .w0{{stroke:{mix(look.sea, look.water_line, 0.4)}}}.lg .w1{{stroke:{mix(look.sea, look.water_line, 0.6)}}}.lg .w2{{stroke:{mix(look.sea, look.water_line, 0.85)}}}"
        f".lg .v{{fill:none;stroke:{look.sea};stroke-linejoin:bevel}}",
        f".lg .p{{fill:{look.paper}}}.lg .sr{{fill:{look.sea};fill-opacity:0}}.lg .waste{{fill:{look.waste}}}.lg .ticks{{fill:none;stroke:{tick_color(look)};stroke-width:9;stroke-linecap:round}}.lg .lake{{fill:{mix(look.sea, look.waste, 0.6)};stroke:{look.coast};stroke-width:7}}",
        f".lg .waves{{fill:none;stroke:{look.sea_ink};stroke-width:8;stroke-opacity:.75;stroke-dasharray:26 20;stroke-linecap:round}}"
        ".lg .areas{stroke-width:17;stroke-opacity:.9;stroke-dasharray:60 30}",
        f".lg .fine{{fill:none;stroke:{look.border};stroke-width:{12 if patterns else 7};stroke-linejoin:round}}"
        f".lg .ring{{fill:none;stroke:{look.power_border if not look.shade else look.border};stroke-width:11}}"
        f".lg .strong{{fill:none;stroke:{look.power_border};stroke-width:16;stroke-linejoin:round}}"
        f".lg .shore{{fill:none;stroke:{look.coast};stroke-width:11;stroke-linejoin:round}}",
        f".lg .link{{fill:none;stroke:{look.ink};stroke-width:15;stroke-dasharray:1 32;stroke-linecap:round}}"
        f".lg .barrier{{stroke-dasharray:none;stroke-width:26}}",
        f".lg .neat{{fill:none;stroke:{look.ink};stroke-width:1.6}}.lg .rule{{fill:none;stroke:{look.faint_ink};stroke-width:.8}}",
        f".lg .n{{fill:{look.ink};stroke:{look.paper};stroke-width:0;stroke-linejoin:round;paint-order:stroke;text-anchor:middle}}.lg .h{{stroke-width:2}}"
        f".lg .co{{fill:{look.ink};stroke:{look.paper};stroke-width:1.6;paint-order:stroke;font-size:9px;font-style:italic;text-anchor:middle}}",
        f".lg .s{{fill:{look.sea_ink};font-style:italic}}.lg .a{{stroke:{look.sea}}}"
        f".lg .primary{{fill:{mix(look.sea_ink, look.ink, 0.35)}}}",
        f".lg .lead{{fill:none;stroke:{look.ink};stroke-width:.7}}",
        f".lg .c{{fill:{look.page if not look.shade else '#efe6d2'};stroke:#2a2016;stroke-width:.9;stroke-linejoin:round}}"
        ".c-i{fill:#2a2016;stroke:none}.c-o{fill:none;stroke-linecap:round}.c-c{fill:#e8b84a;stroke-width:.8}",
        f".u-h{{fill:{look.rim};stroke:{look.rim};stroke-width:4;stroke-linejoin:round;stroke-linecap:round}}"
        ".u-b{stroke:#1d150c;stroke-width:1.3;stroke-linejoin:round}"
        ".u-d,.u-t{fill:none;stroke:currentColor;stroke-width:1.3;stroke-linecap:round;stroke-linejoin:round}"
        f".u-t{{fill:currentColor;stroke-width:.6}}.u-w{{fill:none;stroke:{look.casing};stroke-width:4.4;stroke-linecap:round}}.u-c{{fill:none;stroke:{look.ink};stroke-width:2}}.u-f{{stroke-dasharray:3 2.4}}"
        f".u-e{{fill:{look.ink};stroke:{look.casing};stroke-width:.8}}.u-p{{fill:{look.casing};stroke:{look.ink};stroke-width:2}}.u-s{{fill:none;stroke:{look.ink};stroke-width:4;stroke-linecap:round}}"
        f".u-x{{fill:{look.alarm};stroke:{look.casing};stroke-width:1.2;stroke-linejoin:round}}"
        f".u-k{{fill:none;stroke:{look.alarm};stroke-width:3.2;stroke-linecap:round}}",
        # orders: halo, edge, color, and the marks of kind and failure
        f".lg .oh{{fill:none;stroke:{look.casing};stroke-width:6.4;stroke-opacity:.75;stroke-linejoin:round;stroke-linecap:round}}"
        f".lg .oe{{fill:none;stroke:{look.ink};stroke-width:4.6}}.lg .oc{{fill:none;stroke-width:3}}.lg .of{{fill:none;stroke:{look.casing};stroke-width:1.5}}"
        ".lg .d{stroke-dasharray:7 3.6}.lg .r{stroke-dasharray:4.4 2.2}"
        f".lg .oa{{stroke:{look.ink};stroke-width:.9;stroke-linejoin:round}}.lg .oo{{fill:{look.casing}!important;stroke:{look.ink};stroke-width:1.4;stroke-linejoin:round}}"
        f".lg .ob{{fill:none;stroke:{look.ink};stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}}.lg .t{{stroke-width:1.3}}"
        f".lg .os{{fill:none;stroke:{look.ink};stroke-width:2.6;stroke-dasharray:.1 4.6;stroke-linecap:round}}.lg .ok{{stroke:{look.ink};stroke-width:1.1}}"
        f".lg .oi{{fill:none;stroke:{look.faint_ink};stroke-width:1.3;stroke-dasharray:1 3}}.lg .oi.end{{stroke-dasharray:none}}.lg .on{{fill:{look.casing};stroke:{look.ink};stroke-width:1.3}}"
        f".lg .ow{{fill:none;stroke:{look.sea_ink};stroke-width:1.9;stroke-linecap:round}}"
        f".lg .or{{fill:none;stroke:{look.ink};stroke-width:1.5;stroke-opacity:.8}}.lg .tie{{fill:none;stroke:{look.ink};stroke-width:1.2}}",
        f".lg .tag{{fill:{look.page};stroke:{look.ink};stroke-width:.8}}.lg .tag.x{{stroke-dasharray:2 2}}.lg .tagt{{fill:{look.ink};font-size:8px;font-style:italic;text-anchor:middle}}",
        f".lg .br{{fill:{look.casing};fill-opacity:.8;stroke:{look.ink};stroke-width:1.2;stroke-dasharray:3 2}}.lg .bp{{fill:{look.casing};stroke:{look.ink}}}.lg .bq{{fill:none;stroke:{look.ink};stroke-width:1.8;stroke-linecap:round}}",
        f".lg .contest circle{{fill:{look.casing};stroke:{look.ink};stroke-width:1.2}}.lg .contest path{{fill:none;stroke:{look.ink};stroke-width:1.8}}",
        f".lg .title{{fill:{look.ink};font-weight:700;letter-spacing:.02em}}.lg .turn{{fill:{look.ink};font-size:21px;font-style:italic;text-anchor:end}}"
        f".lg .key{{fill:{look.ink};font-size:14px}}.lg .b{{font-weight:700}}.lg .small{{font-size:13px}}.lg .credits{{fill:{look.faint_ink};font-size:11.5px}}"
        f".lg .scale{{fill:{look.ink};font-size:12px}}.lg .swatch{{stroke:{look.ink};stroke-width:9}}"
        f".lg .bar{{fill:{look.ink};stroke:{look.ink};stroke-width:.8}}.lg .bar.o{{fill:{look.page}}}",
    ]
    for i, color in enumerate(colors.values()):
        fill = ground_color(color, look)
        far = mix(fill, look.paper, 0.45)
        ink = ink_on(fill)
        ground = (f"url(#w{i})", f"url(#f{i})") if patterns else (fill, far)
        rules.append(
            f".lg .k{i}{{fill:{ground[0]}}}.lg .k{i}.far{{fill:{ground[1]}}}.lg .n{i}{{fill:{ink};stroke:{fill}}}.lg .n{i}.far{{fill:{ink_on(far)};stroke:{far}}}"
            f".lg .u{i},.lg .o{i} .oa,.lg .o{i} .ok{{fill:{color}}}.lg .o{i} .oc{{stroke:{color}}}.lg .u{i}{{color:{ink_on(color)}}}"
        )
    rules.append(
        f".lg .ux,.lg .ox .oa,.lg .ox .ok{{fill:{look.nobody}}}.lg .ox .oc{{stroke:{look.nobody}}}.lg .ux{{color:{ink_on(look.nobody)}}}"
    )
    if interactive:
        rules.append(
            font_faces()
            + ".lg .top,.lg .fine,.lg .ring,.lg .strong,.lg .shore,.lg .waves,.lg .link{pointer-events:none}.lg .u,.lg .o{pointer-events:auto}"
            f".lg .p{{cursor:pointer;outline:none}}.lg .p:hover>path,.lg .p:focus-visible>path{{stroke:{look.alarm};stroke-width:28;fill-opacity:.85}}"
            f".lg .sr:hover,.lg .sr:focus-visible{{fill:{mix(look.sea, look.sea_ink, 0.25)};fill-opacity:1}}"
        )
    return f"<style>{''.join(rules)}</style>"
