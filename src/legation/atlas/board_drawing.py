"""What the board alone decides, as SVG: ground, borders, names, centers; with slots for what a position adds.

From bottom to top: water, the tints of land (slot ``control``), rivers and hills, the shapes of provinces, their
borders (slot ``borders``: those between powers), shores, a slot ``lit`` for a page's own marks, orders (slot
``orders``), centers, names (slot ``names``), units and marks (slot ``units``), and a slot ``draft`` for a page's own
arrows."""

from collections.abc import Mapping
from functools import cached_property

from legation.atlas.chart import Chart
from legation.atlas.letters import SEA_SPACING, Label, escape, measure
from legation.atlas.one_way import draw_away, draw_one_way
from legation.atlas.outlines import BoardGeometry, Outlines
from legation.atlas.relief import Relief, draw_relief
from legation.atlas.shapes import Edges
from legation.atlas.symbols import UnitSymbols, badges, definitions
from legation.board import Province

SLOTS = ("control", "fog", "borders", "lit", "orders", "names", "units", "draft")
"""Each is a group with this ``data-slot``; a position fills all but ``lit`` and ``draft``."""
SLOT_CLASS: Mapping[str, str] = {"control": "land", "borders": "strong", "units": "above"}
"""The class of a slot's group, where it is not the slot's name."""


class BoardDrawing:
    """The drawing of one board."""

    def __init__(self, chart: Chart, symbols: UnitSymbols, relief: Relief | None) -> None:
        self.chart = chart
        self.geometry, self.labels = geometry, labels = chart.geometry, chart.labels
        self.board = geometry.board
        self.symbols = symbols
        self._relief = relief
        self.badges = badges(self.board)
        width, height = geometry.width * 10, geometry.height * 10
        self.defs = f'<path id="coast" d="{geometry.coast}"/><path id="shelf" d="{geometry.shelf}"/>'
        self.defs += definitions(self.badges.values(), symbols)
        self._names = {name: _name(self.board.provinces[name], label) for name, label in labels.items()}
        self.name_defs = "".join(f'{curve}<g id="n-{name}">{text}</g>' for name, (curve, text) in self._names.items())
        """The definitions of names, for slots that use them."""
        self._depths = f'<rect class="sea" width="{width:.0f}" height="{height:.0f}"/>'
        if geometry.coast:  # three lines along it, the outermost first, each covered but for its rim
            self._depths += "".join(
                f'<use href="#shelf" class="w w{i}" stroke-width="{line}"/>'
                f'<use href="#shelf" class="v" stroke-width="{line - 9}"/>'
                for i, line in enumerate((150, 100, 55))
            )
        self._waste = "".join(f'<path class="waste" fill-rule="evenodd" d="{path}"/>' for path in geometry.waste)
        if self._waste:
            self._waste += f'<path class="ticks" d="{_ticks(geometry, chart)}"/>'
        self._lakes = "".join(f'<path class="lake" fill-rule="evenodd" d="{path}"/>' for path in geometry.lakes)
        self._margins, self._titles = draw_insets(geometry)
        self._titles += draw_away(chart)
        self._shapes = {
            name: f'<path id="s-{name}" fill-rule="evenodd" d="{geometry.outlines[name]}"/>'
            for name in self.board.provinces
        }
        self._regions = {name: self._region(province) for name, province in self.board.provinces.items()}
        self._fine = self._draw_borders()
        self._centers = self._draw_centers()
        self.ways = draw_one_way(chart)
        """The marks of one-way borders."""
        self.name_classes = {name: self._name_class(name) for name in labels}
        """The classes of each name, as far as the board alone decides them."""
        self.empty: dict[str, str] = {
            "control": "".join(f'<use href="#s-{name}"/>' for name, p in self.board.provinces.items() if not p.sea),
            "names": "".join(self.name(name) for name in labels),
        }
        """What the slots hold where there is no position."""

    def layers(self, slots: Mapping[str, str], facts: Mapping[str, str] | None = None, *, relief: bool = True) -> str:
        """The whole drawing with its slots filled. ``facts`` are further facts on provinces, told in their titles;
        ``relief``: with rivers and hills."""
        facts = facts or {}
        regions = {name: facts.get(name, "").join(region) for name, region in self._regions.items()}
        return self._layers(slots, regions, self.relief if relief else "")

    @cached_property
    def relief(self) -> str:
        """Rivers and hills; empty where the board has none."""
        return draw_relief(self._relief, self.chart) if self._relief else ""

    def for_pages(self) -> str:
        """The bare drawing for our own pages, whose script tells what places are called: no titles, and each name where
        it stands, not defined apart. Rivers and hills are left out: the script fetches them when the view is near."""
        provinces = self.board.provinces
        names = "".join(
            f'<g id="n-{name}" class="{self.name_classes[name]}">{"".join(drawn)}</g>'
            for name, drawn in self._names.items()
        )
        regions = {
            name: f'<g class="{_region_class(provinces[name])}" data-at="{name}">{shape}</g>'
            for name, shape in self._shapes.items()
        }
        return self._layers({**self.empty, "names": names}, regions)

    def _layers(self, slots: Mapping[str, str], regions: Mapping[str, str], relief: str = "") -> str:
        def slot(name: str) -> str:
            return f'<g class="{SLOT_CLASS.get(name, name)}" data-slot="{name}">{slots.get(name, "")}</g>'

        def shown(sea: bool) -> str:
            return "".join(region for name, region in regions.items() if self.board.provinces[name].sea == sea)

        ground = f'<g class="relief">{relief}</g>' if self._relief else ""
        waves = "".join(f'<path class="{cls}" d="{path}"/>' for cls, path in self.geometry.waves.items())
        links = "".join(f'<path class="link {kind}" d="{path}"/>' for kind, path in self.geometry.links)
        return (
            f'<g transform="scale(.1)">{self._depths}{shown(True)}{waves}{self._waste}'
            f"{slot('control')}{ground}{shown(False)}{slot('fog')}"
            f'{self._fine}{slot("borders")}{self._lakes}<use href="#coast" class="shore"/>{links}{self._margins}'
            f"{slot('lit')}</g>"
            f'<g class="top">{self._titles}{self.ways}{slot("orders")}{self._centers}{slot("names")}{slot("units")}'
            f"{slot('draft')}</g>"
        )

    def name(self, name: str, more: str = "") -> str:
        """A name as it stands in its slot, with ``more`` classes."""
        cls = f"{self.name_classes[name]} {more}".strip()
        return f'<use href="#n-{name}"{f" class={chr(34)}{cls}{chr(34)}" if cls else ""}/>'

    def _name_class(self, name: str) -> str:
        """Of the sea, upon the sea, of a primary region, with a halo because it stands across lines."""
        province, label = self.board.provinces[name], self.labels[name]
        given = {
            "h": label.beside,
            "s": province.sea,
            "a": self.board.provinces[label.ground or name].sea,
            "prime": province.primary,
        }
        return " ".join(cls for cls, yes in given.items() if yes)

    def _region(self, province: Province) -> tuple[str, str]:
        """The shape of a province, before and after further facts in its title."""
        center = ("capital, center" if province.capital else "center") * province.center
        about = ", ".join(word for word in ("sea" * province.sea, center) if word)
        title = f"{province.name} ({province.id})" + (f": {about}" if about else "")
        return (
            f'<g id="p-{province.id}" class="{_region_class(province)}" role="img" data-at="{province.id}" '
            f'data-name="{escape(province.name)}"><title>{escape(title)}',
            f"</title>{self._shapes[province.id]}</g>",
        )

    def _draw_borders(self) -> str:
        fine: list[str] = []
        ring: list[str] = []
        for number, (a, b, path) in enumerate(self.geometry.borders):
            around = a in self.geometry.rings or b in self.geometry.rings
            (ring if around else fine).append(f'<path id="b{number}" d="{path}"/>')
        ring += [f'<path d="{path}"/>' for path in self.geometry.frames]
        return f'<g class="fine">{"".join(fine)}</g><g class="ring">{"".join(ring)}</g>'

    def _draw_centers(self) -> str:
        out = []
        for name in self.board.centers:
            site = self.geometry.sites[name]
            (x, y), size = site.center, site.size
            scale = f" scale({size:.2f})" if size < 1 else ""
            drawn = f'<use href="#c-{self.badges[name]}"/>'
            drawn += '<use href="#c-crown" y="-5.4"/>' if self.board.provinces[name].capital else ""
            out.append(f'<g transform="translate({x:.1f} {y:.1f}){scale}">{drawn}</g>')
        coasts = "".join(
            f'<text data-at="{name}/{coast}" x="{x:.1f}" y="{y + 2.6:.1f}">{escape(coast)}</text>'
            for name, site in self.geometry.sites.items()
            for coast, (x, y) in site.coasts.items()
        )
        return f'<g class="c">{"".join(out)}</g>' + (f'<g class="co" aria-hidden="true">{coasts}</g>' if coasts else "")


def _region_class(province: Province) -> str:
    return "p sr" if province.sea else "p"


def _name(province: Province, label: Label) -> tuple[str, str]:
    """The curve that a name runs along, if it does, and the name."""
    sea = label.face == "italic"
    lines, points = label.lines, label.size
    if province.primary and not label.short:
        # small capitals, no wider than the name was measured
        lines = tuple(line.upper() for line in lines)
        points *= min(
            measure(a, label.face, 1, SEA_SPACING) / measure(b, label.face, 1, SEA_SPACING)
            for a, b in zip(label.lines, lines, strict=True)
        )
    spacing = f' letter-spacing="{SEA_SPACING * points:.2f}"' if sea else ""
    size = f'class="n" font-size="{points:.3g}"{spacing}'
    drawn = ""
    if label.leader:
        (ax, ay), (bx, by) = label.leader
        drawn = f'<path class="lead" d="M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}"/>'
    if label.curve:
        (ax, ay), (bx, by), (cx, cy) = label.curve
        way = f"M{ax:.1f} {ay:.1f}Q{bx:.1f} {by:.1f} {cx:.1f} {cy:.1f}"
        curve = f'<path id="curve-{province.id}" fill="none" stroke="none" d="{way}"/>'
        text = f'<textPath href="#curve-{province.id}" startOffset="50%">{escape(lines[0])}</textPath>'
        return curve, f"<text {size}>{text}</text>"
    for (x, y), line in zip(label.at, lines, strict=True):
        shift = SEA_SPACING * points / 2 if sea else 0.0  # the space after the last letter
        turn = f' transform="rotate({label.angle:.1f} {x:.1f} {y:.1f})"' if label.angle else ""
        drawn += f'<text {size} x="{x + shift:.1f}" y="{y:.1f}"{turn}>{escape(line)}</text>'
    return "", drawn


def _ticks(geometry: BoardGeometry, chart: Chart) -> str:
    """Short strokes, staggered, on land that is not played."""
    strokes, last = [], (0, 0)
    for row in range(1, int(geometry.height / 13)):
        for column in range(int(geometry.width / 26) + 1):
            x, y = 7 + 26 * column + 13 * (row % 2), 13 * row
            around = ((x - 9, y), (x + 9, y), (x, y - 7), (x, y + 7), (x, y))
            if all(chart.outside(*point) for point in around):
                here = (10 * x - 30, 10 * y + 30)
                follows = here == (last[0] + 260, last[1])  # as most do
                strokes.append(f"{'m200 60' if follows else f'M{here[0]} {here[1]}'}l60-60")
                last = here
    return "".join(strokes)


def hatchings(count: int) -> str:
    """The hatchings of so many powers, for centers' land (``w`` and the power's number) and for other land (``f``)."""
    out = []
    for number in range(count):
        size = 8 if number < len(PATTERNS) else 12
        for kind in "wf":
            # inside the map the ground is scaled by 0.1, so the tile is ten times as large
            out.append(
                f'<pattern id="{kind}{number}" width="8" height="8" patternUnits="userSpaceOnUse" '
                f'patternTransform="scale({size * 1.25:g})"><rect class="t{kind}{number}" width="8" height="8"/>'
                f'<path class="h{kind}{number}" d="{PATTERNS[number % len(PATTERNS)]}"/></pattern>'
            )
    return "".join(out)


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


TITLE = 0.72
"""The size of a title's letters, as a share of the room above the field."""
LARGEST_TITLE = 17.0


def draw_insets(outlines: Outlines) -> tuple[str, str]:
    """What is drawn in tenths of a unit below symbols and names, and the titles, in units."""
    grounds, titles = [], []
    tenths = outlines.scale * 10

    def rectangle(edges: Edges, *, turned: bool = False) -> str:
        left, top, right, bottom = (round(edge * tenths) for edge in edges)
        return f"M{left} {top}V{bottom}H{right}V{top}Z" if turned else f"M{left} {top}H{right}V{bottom}H{left}Z"

    for inset in outlines.insets:
        box, field = rectangle(inset.box), rectangle(inset.field)
        if inset.window:
            grounds.append(f'<path class="inset-window" d="{rectangle(inset.window)}"/>')
        grounds.append(f'<path class="inset-margin" d="{box}{rectangle(inset.field, turned=True)}"/>')
        grounds.append(f'<path class="inset-edge" d="{box}"/><path class="inset-edge inset-field" d="{field}"/>')
        if inset.title:
            left, top, right, _ = (edge * outlines.scale for edge in inset.box)
            room = inset.field[1] * outlines.scale - top
            size = min(LARGEST_TITLE, TITLE * room)
            size = min(size, size * (right - left - 6) / max(1.0, measure(inset.title, "italic", size, 0.02)))
            titles.append(
                f'<text class="inset-title" x="{(left + right) / 2:.1f}" y="{top + room / 2 + 0.3 * size:.1f}" '
                f'font-size="{size:.1f}">{escape(inset.title)}</text>'
            )
    return "".join(grounds), "".join(titles)
