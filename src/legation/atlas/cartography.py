"""Maps as SVG: a board, a position on it and its orders, drawn in one hand.

What depends on the board alone is made once for each :class:`Atlas`; a map is then little more than joining strings.
For pages a map comes in two layers: the board, which never changes, and the state of a turn, which is small."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TypedDict, Unpack

import msgspec

from legation.atlas import pictures
from legation.atlas.arrows import draft_arrow
from legation.atlas.board_drawing import BoardDrawing, hatchings
from legation.atlas.canvas import Canvas
from legation.atlas.chart import Chart
from legation.atlas.layout import Layout, read_layout
from legation.atlas.legend import lay_legend, surround_scale
from legation.atlas.letters import Label, escape, measure, printable
from legation.atlas.outlines import BoardGeometry
from legation.atlas.position_drawing import Look, PositionDrawing
from legation.atlas.relief import Relief, read_relief
from legation.atlas.shapes import Shapes, read_shapes
from legation.atlas.sites import UNIT_R
from legation.atlas.style import ThemeName, assign_colors
from legation.atlas.stylesheet import font_faces, page_style, pointing, style_of
from legation.atlas.symbols import UnitSymbols, in_their_time
from legation.board import Board, province_of
from legation.judge import Power, UnitKind, Verdict
from legation.orders import Move
from legation.position import Position
from legation.variants import USUAL, Registry

MARGIN, HEADER = 26.0, 62.0
"""Units around a map, and above it, where its title stands."""


class StateOptions(TypedDict, total=False):
    """What of a position is drawn; :class:`Look` has the usual, :meth:`Atlas.svg` tells what each means."""

    control: bool
    units: bool
    orders: bool
    hidden: Iterable[str]


class MapOptions(StateOptions, total=False):
    """What may be said of how a map is drawn."""

    title: str
    legend: bool
    theme: ThemeName
    patterns: bool
    marked: Iterable[str]
    relief: bool
    said: Callable[[str], str]


class BoardLayer(msgspec.Struct, frozen=True, kw_only=True):
    """The layer of a map that never changes, for pages; :meth:`Atlas.board_layer` makes it."""

    svg: str
    """The bare board as an SVG document without any style, to be put into the page. Each province is a group
    ``data-at="par"``; its shape can be used again as ``#s-par``, its name as ``#n-par``. Groups ``data-slot`` take what
    :meth:`Atlas.state_layer` gives."""
    by_arcs: str
    """The same for our own pages, whose script draws it: paths are written as the arcs that they share
    (:meth:`legation.atlas.outlines.Outlines.by_arcs`), names stand in their slot, and shapes have no titles."""
    relief: str
    """Rivers and hills as an SVG document, which pages fetch when the view is near; empty where the board has none."""
    style: str
    """Its style sheet, for both themes (``data-theme="light"`` or ``"dark"`` on the root element overrules the reader's
    system). Fonts are apart: :func:`legation.atlas.font_faces`."""
    geometry: str
    """JSON: ``width`` and ``height`` of the drawing in units; ``unit``, the radius of a unit symbol; ``places``: for
    each province its ``name``, ``at`` (where a unit stands), ``coasts`` (where a fleet stands on each), ``center``
    (where the symbol stands, if there is one), ``size`` (scale of its symbols), ``box`` (left, top, right, bottom);
    of a board with insets also ``part`` (0: the map itself, n: the n-th inset, where its symbols stand) and ``also`` (a
    place in it on each other part)."""
    digest: str
    """16 hexadecimal digits of all: a name for files that may be kept for ever."""


class Atlas:
    """Draws the maps of one board. ``shapes`` and ``layout`` are what :func:`read_shapes` and :func:`read_layout` find
    beside it (a missing layout is made now, which takes a second or two), ``powers`` the powers in their order,
    ``title`` what maps are called, ``kinds`` the kinds of units beyond army and fleet, ``relief`` rivers and hills.

    :raises ValueError: when the shapes do not fit the board, or a power's color is not written ``#rrggbb``."""

    def __init__(
        self,
        board: Board,
        shapes: Shapes,
        powers: Sequence[Power] = (),
        title: str = "",
        layout: Layout | None = None,
        kinds: Iterable[UnitKind] = (),
        language: str = "",
        relief: Relief | None = None,
    ) -> None:
        if layout is None:
            # late: boards have their layout beside them, and who draws these need not load the code that makes one
            from legation.atlas.grow.labels import lay_out

            layout = lay_out(board, shapes)
        self.board = board
        self.title = title or board.title
        self.geometry = BoardGeometry(board, shapes, layout.sites)
        self.labels: Mapping[str, Label] = layout.labels
        self.colors = assign_colors([(p.name, p.color or None) for p in powers])
        self._chart = Chart(self.geometry, self.labels)
        kinds = tuple(kinds)
        self.drawing = BoardDrawing(self._chart, UnitSymbols(kinds), relief)
        self._made_of = (shapes, tuple(powers), kinds, relief)
        named = {p.name: dict(p.names) for p in powers}
        self.languages = sorted({*board.translations, *(tag for names in named.values() for tag in names)})
        """In which languages its places or its powers have names besides their own."""
        self._power_names = {name: names[language] for name, names in named.items() if language in names}
        self._languages: dict[str, Atlas] = {}

    def in_language(self, language: str) -> Atlas:
        """The same map with its names in another language; this one where it has none in it. All symbols stand
        where they stand here, so that layers of a state fit both. Its names are laid out once, which takes a second."""
        if language not in self.languages:
            return self
        if language not in self._languages:
            from legation.atlas.grow.labels import place_labels  # late: as above

            shapes, powers, kinds, relief = self._made_of
            board, sites = self.board.in_language(language), self.geometry.sites
            labels = place_labels(BoardGeometry(board, shapes, sites))
            layout = Layout(digest="", sites=sites, labels=labels)
            self._languages[language] = Atlas(board, shapes, powers, self.title, layout, kinds, language, relief)
        return self._languages[language]

    def for_reader(self, language: str) -> Atlas:
        """The same map with its names in the language of who reads it, where its board has names of places in it."""
        return self.in_language(language) if language in self.board.translations else self

    # Whole maps

    def svg(
        self,
        position: Position | None = None,
        verdicts: Sequence[Verdict] = (),
        *,
        interactive: bool = True,
        **options: Unpack[MapOptions],
    ) -> str:
        """One map. ``verdicts`` are the orders of this position with their outcomes.

        ``control`` colors the land by its owners; ``patterns`` hatches it as well; ``hidden`` provinces, which the
        reader cannot see, are shaded; ``marked`` are provinces with a broken line around them; ``relief`` draws
        rivers and hills, if the board has any, which take a pixel to a unit or more; ``interactive`` adds fonts and
        what can be pointed at, for web pages; ``said`` puts what title and legend say into a language."""
        look = Look(**options)
        shown = list(verdicts) if look.orders else []
        if not (look.control or look.units or shown):  # the bare board, to be drawn on, belongs to no turn
            position = None
        colors = self._colors_of(position, shown)
        number = {name: i for i, name in enumerate(colors)}
        state = PositionDrawing(self.drawing, position, shown, number, look)
        slots = dict(state.slots())
        slots["lit"] = "".join(f'<use href="#s-{name}" class="marked"/>' for name in look.marked)
        layers = self.drawing.layers(slots, state.facts(), relief=look.relief)
        width, height = self.geometry.width, self.geometry.height
        title = look.title or self.title
        turn = look.said(str(position.turn)) if position else ""
        if look.legend:
            key, key_height = lay_legend(state, look, self.colors, self._power_names)
            body, width, height = surround(layers, width, height, title, turn, key, key_height)
        else:
            body = f"<g>{layers}{frame(width, height)}</g>"
        size = f'width="{width:.0f}" height="{height:.0f}"'
        pointed = font_faces() + pointing(look.theme) if interactive else ""
        cls, role = ("lg hatched" if look.patterns else "lg"), ("graphics-document img" if interactive else "img")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{cls}" viewBox="0 0 {width:.0f} {height:.0f}" {size} '
            f'role="{role}" aria-labelledby="lg-title lg-desc">'
            f'<title id="lg-title">{escape(title + (", " + turn if turn else ""))}</title>'
            f'<desc id="lg-desc">{escape(self._describe(position, shown, state.hidden))}</desc>'
            f"<style>{style_of(look.theme, tuple(colors.values()))}{pointed}</style>"
            f"<defs>{self.drawing.defs}{self.drawing.name_defs}{hatchings(len(colors)) if look.patterns else ''}</defs>"
            f'<rect class="page" {size}/>{body}</svg>'
        )

    def png(
        self,
        position: Position | None = None,
        verdicts: Sequence[Verdict] = (),
        *,
        width: int = 1600,
        **options: Unpack[MapOptions],
    ) -> bytes:
        """The map as PNG, ``width`` pixels wide; the rest as for :meth:`svg`.

        :raises PicturesMissingError: where resvg-py is not installed."""
        return pictures.png(self.svg(position, verdicts, interactive=False, **options), width)

    def pdf(
        self,
        position: Position | None = None,
        verdicts: Sequence[Verdict] = (),
        *,
        paper: pictures.Paper = "A4",
        **options: Unpack[MapOptions],
    ) -> bytes:
        """The map as PDF; the rest as for :meth:`svg`.

        :raises PicturesMissingError: where typst is not installed."""
        return pictures.pdf(self.svg(position, verdicts, interactive=False, **options), paper)

    # Layers, for pages

    def board_layer(self) -> BoardLayer:
        """The board without any state, and what pages need beside it. The same board and powers give the same layer."""
        return self._board_layer

    @cached_property
    def _board_layer(self) -> BoardLayer:
        geometry, drawing = self.geometry, self.drawing
        start = (
            '<svg xmlns="http://www.w3.org/2000/svg" class="lg" '
            f'viewBox="0 0 {geometry.width:.0f} {geometry.height:.0f}"'
        )
        end = f"{frame(geometry.width, geometry.height)}</svg>"
        patterns = hatchings(len(self.colors))
        svg = (
            f'{start} role="graphics-document" aria-label="{escape(self.title)}">'
            f"<defs>{drawing.defs}{drawing.name_defs}{patterns}</defs>{drawing.layers(drawing.empty)}{end}"
        )
        style = page_style(list(self.colors.values()))
        facts = json.dumps(self._facts(), ensure_ascii=False, separators=(",", ":"))
        by_arcs = geometry.by_arcs(f"{start}><defs>{drawing.defs}{patterns}</defs>{drawing.for_pages()}{end}")
        relief = f"{start}>{drawing.relief}</svg>" if drawing.relief else ""
        digest = hashlib.sha256("\0".join((svg, by_arcs, relief, style, facts)).encode()).hexdigest()[:16]
        return BoardLayer(svg=svg, by_arcs=by_arcs, relief=relief, style=style, geometry=facts, digest=digest)

    def state_layer(self, position: Position, verdicts: Sequence[Verdict] = (), **options: Unpack[StateOptions]) -> str:
        """What a position and its orders add to the board layer, as a small SVG document: for each slot a group
        ``data-slot`` with its new content.

        A page replaces the children of the board's group of the same name with these. What belongs to the order of
        number ``n`` in ``verdicts`` has ``data-order="n"``, and the location of the ordered unit as ``data-at``; the
        class ``one`` on the map and ``shown`` on these dims all other orders. Units have ``data-at``, and
        ``data-dislodged`` where they must retreat. ``hidden`` provinces, which the reader cannot see, are shaded."""
        number = {name: i for i, name in enumerate(self.colors)}
        look = Look(**options)
        state = PositionDrawing(self.drawing, position, list(verdicts) if look.orders else [], number, look)
        slots = "".join(f'<g data-slot="{name}">{content}</g>' for name, content in state.slots().items())
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" class="lg" '
            f'viewBox="0 0 {self.geometry.width:.0f} {self.geometry.height:.0f}">{slots}</svg>'
        )

    def draft_arrow(
        self, kind: str, at: str, to: str, through: Sequence[str] = (), *, free: bool = False
    ) -> tuple[str, str]:
        """The line and the head of a move, as paths in units: where they are drawn once it is judged. ``through`` are
        the provinces of the fleets that carry it, from its place on; ``free``: nobody stands where it goes.

        :raises KeyError: when a location is not on the board."""
        for location in (at, to, *through):
            self.board.provinces[province_of(location)]
        stand = {province_of(place): place for place in ((at,) if free else (to, at))}
        canvas = Canvas(self._chart, self.drawing.symbols, (), stand, (), {})
        return draft_arrow(canvas, Move(kind, at, to, via_convoy=bool(through), route=tuple(through)))

    def _facts(self) -> dict[str, object]:
        places = {}
        for name, province in self.board.provinces.items():
            site = self.geometry.sites[name]
            facts: dict[str, object] = {"name": printable(province.name), "at": _rounded(site.unit)}
            if site.coasts:
                facts["coasts"] = {coast: _rounded(at) for coast, at in site.coasts.items()}
            if province.center:
                facts["center"] = _rounded(site.center)
            facts["size"] = round(site.size, 2)
            facts["box"] = [round(edge) for edge in self.geometry.extents[name]]
            if self.geometry.insets:
                facts |= self._parts_of(name)
            places[name] = facts
        width, height = round(self.geometry.width), round(self.geometry.height)
        return {"width": width, "height": height, "unit": UNIT_R, "places": places}

    def _parts_of(self, name: str) -> dict[str, object]:
        """On which part of the map a province's symbols stand (0: the map itself, n: its n-th inset), and a place in it
        on each other part where it is drawn."""
        part = self.geometry.part_of(self.geometry.sites[name].unit)
        spots = {n: self.geometry.spot(name, n) for n in range(len(self.geometry.insets) + 1) if n != part}
        return {"part": part, "also": {str(n): _rounded(spot) for n, spot in spots.items() if spot}}

    # The parts of a map

    def _colors_of(self, position: Position | None, verdicts: Sequence[Verdict]) -> dict[str, str]:
        present = [*(position.survivors() if position else ()), *(v.power for v in verdicts)]
        further = [(name, None) for name in dict.fromkeys(present) if name not in self.colors]
        return assign_colors([*self.colors.items(), *further]) if further else self.colors

    def _describe(self, position: Position | None, verdicts: Sequence[Verdict], hidden: Sequence[str]) -> str:
        text = f"Map of {len(self.board.provinces)} provinces with {len(self.board.centers)} supply centers."
        if position:
            for power in position.survivors():
                text += f" {power}: {len(position.centers_of(power))} centers, {len(position.units_of(power))} units."
        if verdicts:
            text += f" {len(verdicts)} orders are shown."
        if hidden:
            text += f" {len(hidden)} provinces are out of sight: units may stand there."
        return text


def surround(
    drawing: str, width: float, height: float, title: str, turn: str, legend: str, legend_height: float
) -> tuple[str, float, float]:
    """A drawing with title and legend around it, and the size of all together. Sizes are in units; the legend's before
    scaling."""
    k = surround_scale(width)
    top, margin = HEADER * k, MARGIN * k
    below = (10 + legend_height) * k
    # what runs over the edge of the map is covered, which costs less than clipping
    cover = (
        f'<path class="page" fill-rule="evenodd" d="M{-margin:.1f} {-top:.1f}H{width + margin:.1f}V{height + below:.1f}'
        f'H{-margin:.1f}ZM0 0V{height:.1f}H{width:.1f}V0Z"/>'
    )
    body = (
        f'<g transform="translate({margin:g} {top:g})">{drawing}{cover}{frame(width, height)}</g>'
        f'<g transform="scale({k:.3f})">{_header(title, turn, width / k + 2 * MARGIN)}</g>'
        f'<g transform="translate({margin:.1f} {top + height + 10 * k:.1f}) scale({k:.3f})">{legend}</g>'
    )
    return body, width + 2 * margin, top + height + below


def frame(width: float, height: float) -> str:
    """The line around the map."""
    return f'<rect class="neat" width="{width:.1f}" height="{height:.1f}"/>'


def _header(title: str, turn: str, width: float) -> str:
    size = 30.0
    room = width - 2 * MARGIN - (measure(turn, "italic", 21) + 24 if turn else 0)
    size = min(size, size * room / max(1.0, measure(title, "bold", size, 0.02)))
    y = HEADER - 21
    lines = [f'<path class="rule" d="M{MARGIN} {HEADER - 9:.0f}H{width - MARGIN:.1f}"/>']
    lines.append(f'<text class="title" x="{MARGIN}" y="{y:.0f}" font-size="{size:.1f}">{escape(title)}</text>')
    if turn:
        lines.append(f'<text class="turn" x="{width - MARGIN:.1f}" y="{y:.0f}">{escape(turn)}</text>')
    return "".join(lines)


def _rounded(point: tuple[float, float]) -> list[float]:
    return [round(c, 1) for c in point]


class NoMapError(ValueError):
    """A variant whose board has no picture, or a faulty one; one line with the mend."""


def for_variant(name: str, variants: Registry = USUAL) -> Atlas:
    """The atlas of a variant; it is made once and shared.

    :raises VariantError: for a variant that cannot be loaded.
    :raises NoMapError: where its board cannot be drawn."""
    return _make(variants.name(name), variants.shared)


@lru_cache(maxsize=64)
def _make(name: str, variants: Registry) -> Atlas:
    rules, folder = variants.load(name), variants.folder_of(name)
    try:
        shapes = read_shapes(folder)
        if shapes is not None:
            layout = read_layout(folder, rules.board, shapes)
            kinds = in_their_time(rules.kinds.values(), rules.first_turn().year)
            powers, relief = tuple(rules.powers.values()), read_relief(folder)
            return Atlas(rules.board, shapes, powers, rules.title, layout, kinds, relief=relief)
    except ValueError as error:
        raise NoMapError(f"the board {rules.board.name!r} cannot be drawn: {error}") from None
    mend = f"grow them: python -m legation.atlas.grow {folder}"
    raise NoMapError(f"the board {rules.board.name!r} has no shapes yet; {mend}")
