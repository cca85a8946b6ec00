"""The legend under a map: who the powers are, and what the forms mean that occur on this map, and only those."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence

from legation.atlas.letters import escape, measure
from legation.atlas.one_way import LETTERS, way_mark
from legation.atlas.position_drawing import Look, PositionDrawing
from legation.atlas.strokes import turning
from legation.atlas.symbols import UnitSymbols
from legation.board import Board
from legation.notation import capital
from legation.position import Position

LINE = 19.0
_SHAFT = '<path class="oe{0}" d="M0 0H{1}"/><path class="oc{0}" d="M0 0H{1}"/>'
_POINT = "M34 0L25.5-5L27.3 0L25.5 5Z"
_WAVES = '<path class="ow" d="M5-2q3-3.4 6 0t6 0t6 0t6 0M5 2.4q3-3.4 6 0t6 0t6 0t6 0"/>'
_STRUCK = '<path class="ob" d="M13-4L21 4M21-4L13 4"/>'
_BUILT = '<circle class="br" cx="17" cy="0" r="7"/><circle class="bp" cx="24" cy="-4" r="4"/><path class="bq" d="{}"/>'

ORDER_KEYS: Mapping[str, tuple[str, str]] = {
    "move": (_SHAFT.format("", 26) + f'<path class="oa" d="{_POINT}"/>', "moves"),
    "bounced": (_SHAFT.format(" d", 29) + '<path class="ob" d="M29-5V5M32.5-5V5"/>', "bounced"),
    "support": ('<path class="os" d="M0 0H28"/><circle class="ok" cx="30" cy="0" r="3"/>', "supports a move"),
    "support to hold": (
        '<path class="os" d="M0 0H26"/><path class="oe" d="M31-6Q27 0 31 6"/><path class="oc" d="M31-6Q27 0 31 6"/>',
        "supports to hold",
    ),
    "cut": (f'<path class="os" d="M0 0H34"/>{_STRUCK}', "support cut"),
    "convoy": (_WAVES, "convoys"),
    "convoy failed": (_WAVES + '<path class="ob" d="M10 6L24-6"/>', "convoy failed"),
    "broken": (
        _SHAFT.format("", 12) + '<path class="ob" d="M13-6L17-1L14 1L18 6"/><path class="oi" d="M20 0H34"/>',
        "convoy broken",
    ),
    "hollow arrow": (
        _SHAFT.format("", 26) + f'<path class="of" d="M0 0H26"/><path class="oa" d="{_POINT}"/>',
        "moves and carries",
    ),
    "idle": (
        '<path class="oi" d="M0 0H24"/><circle class="on" cx="29" cy="0" r="3.6"/>'
        '<path class="ob t" d="M26.6 2.4L31.4-2.4"/>',
        "without effect",
    ),
    "hold": ('<circle class="or" cx="17" cy="0" r="7"/>', "holds"),
    "dislodged": ('<use href="#u-burst" transform="translate(17 0) scale(.55)"/>', "dislodged"),
    "retreat": (_SHAFT.format(" r", 26) + f'<path class="oo" d="{_POINT}"/>', "retreats"),
    "disband": ('<use href="#u-cross" transform="translate(17 0) scale(.75)"/>', "disbands"),
    "contested": (
        '<g class="contest" transform="translate(17 0)"><circle r="7"/>'
        '<path d="M-3.4-3.4L3.4 3.4M3.4-3.4L-3.4 3.4"/></g>',
        "standoff: closed to retreats",
    ),
    "turning arrows": (turning("u-F", "ux", False, (15, -2), 0.62), "becomes another kind"),
    "turning arrows failed": (turning("u-F", "ux", True, (15, -2), 0.62), "stays as it is"),
    "tag": (
        '<rect class="tag" x="1" y="-5.5" width="32" height="11" rx="2"/>'
        '<text class="tagt" x="17" y="2.5">· · ·</text>',
        "what is written there",
    ),
    "build": (_BUILT.format("M21.6-4H26.4M24-6.4V-1.6"), "built"),
    "build failed": (_BUILT.format("M22-6L26-2M26-6L22-2"), "not built"),
    "remove": ('<use href="#u-cross" transform="translate(17 0) scale(.75)"/>', "removed"),
}
"""For every form of :mod:`legation.atlas.order_forms` its drawing, 34 units wide about a middle line, and its meaning,
unless the kind of order says it (``form:meaning``)."""

LINKS: Mapping[str, tuple[str, str]] = {
    "bridge": ("M10 0H250", "neighbors across the water"),
    "away": ("M10 0H250", "to a neighbor elsewhere, named by its code"),
    "barrier": ("M10 0H250", "no passage"),
    "river": ("M10 0H250", "river"),
    "mountains": ("M30 45l43-70l43 70M118 45l29-46l29 46", "mountains"),
}
Item = tuple[float, str]
"""The width of a part of the legend in units, and its drawing."""
Key = tuple[float, str, str]
"""The width of a sign in units, its drawing, and what it means."""
NARROWEST = 200.0
"""Units: credits stand beside the bar of kilometers where they have so much room."""


def lay_legend(
    state: PositionDrawing, look: Look, colored: Collection[str], names: Mapping[str, str]
) -> tuple[str, float]:
    """The legend of a map as lines of items, and its height. ``colored`` are the powers with a color of their own on
    the board; ``names`` what powers are called on this map, where ``look.said`` is not to name them."""
    drawing, position, said = state.drawing, state.position, look.said
    geometry, board = drawing.geometry, drawing.board
    alive = {*colored, *(position.survivors() if position else ())}
    powers = {name: i for name, i in state.number.items() if name in alive} if look.control or look.units else {}
    k = surround_scale(geometry.width)
    room = geometry.width / k
    called = {name: names.get(name) or capital(said(name)) for name in powers}
    lines = _flow(_power_items(position, powers, called), room, 22)
    keys: list[Key] = []
    if position and position.survivors():
        keys.append((0, "", "numbers: centers/units"))
    if position and look.units:
        keys += _unit_keys({unit.kind for unit in position.units}, drawing.symbols)
    keys += _center_keys(board, drawing.badges)
    links = {kind for kind, _ in geometry.links}
    for kind, (path, name) in LINKS.items():
        if kind in links:
            sign = f'<path class="link {kind}" d="{path}"/>'
            keys.append((26, f'<g transform="translate(0 -4.5) scale(.1)">{sign}</g>', name))
    keys += [(20, sign, meaning) for sign, meaning in _ground_keys(state)]
    keys += _order_keys(state.forms())
    lines += _flow([_item(*key, said) for key in keys], room, 20)
    credits = f"{board.reconstructed} {board.credits}".strip()
    scale = geometry.scale / k if geometry.shapes.on_earth else 0.0
    return _set(lines, "; ".join(map(said, state.canvas.remarks)), credits, room, scale)


def _power_items(position: Position | None, powers: Mapping[str, int], names: Mapping[str, str]) -> list[Item]:
    items: list[Item] = []
    for name, number in powers.items():
        swatch, text = _swatch(f"k{number}"), names[name]
        label = f'<text class="key" x="26" y="0"><tspan class="b">{escape(text)}</tspan>'
        if position:
            count = f"{len(position.centers_of(name))}/{len(position.units_of(name))}"
            label += f'<tspan dx="6" class="q">{count}</tspan>'
            text = f"{text}  {count}"
        items.append((26 + measure(text, "bold", 14) + 8, f"{swatch}{label}</text>"))
    return items


def _item(width: float, drawing: str, meaning: str, said: Callable[[str], str]) -> Item:
    indent, text = width + 6 if width else 0, said(meaning)
    drawn = f'{drawing}<text class="key small" x="{indent:g}" y="0">{escape(text)}</text>'
    return indent + measure(text, "regular", 13) + 4, drawn


def _unit_keys(kinds: Collection[str], symbols: UnitSymbols) -> list[Key]:
    place = "translate(10 -4.5) scale(.78)"
    return [
        (20, f'<g class="u ux" transform="{place}"><use href="#{symbols.symbol(kind)}"/></g>', name)
        for kind, name in symbols.names.items()
        if kind in kinds
    ]


def _center_keys(board: Board, badges: Mapping[str, str]) -> list[Key]:
    """The badges of supply centers; they are named by their lands where there are more than towns and capitals."""
    lands: dict[str, str] = {}
    for center, badge in badges.items():
        lands.setdefault(badge, board.provinces[center].region)
    several = not set(lands) <= {"town", "star"}
    keys: list[Key] = [(0, "", "supply centers:")] if several else []
    for badge, land in lands.items():
        name = land if several else "supply center" if badge == "town" else "capital"
        crown = '<use href="#c-crown" y="-5.4"/>' if badge == "star" else ""
        drawing = f'<g class="c" transform="translate(6 -4.5)"><use href="#c-{badge}"/>{crown}</g>'
        keys.append((12, drawing, name))
    if several and any(board.provinces[c].capital for c in board.centers):
        keys.append((12, '<g class="c" transform="translate(6 -1)"><use href="#c-crown"/></g>', "capital"))
    return keys


def _order_keys(forms: Collection[str]) -> list[Key]:
    keys: list[Key] = []
    for form, (drawing, name) in ORDER_KEYS.items():
        placed = f'<g class="o ox" transform="translate(0 -4.5)">{drawing}</g>'
        if form in forms:
            keys.append((34, placed, name))
        said = sorted(f.partition(":")[2] for f in forms if f.startswith(f"{form}:"))
        keys += [(34, placed, meaning) for meaning in said]
    return keys


def _set(lines: Sequence[Sequence[Item]], remark: str, credits: str, room: float, scale: float) -> tuple[str, float]:
    """The lines of items, below them the remark, the credits and the bar of kilometers; and the height of it all."""
    out: list[str] = []
    y = 14.0
    for line in lines:
        x = 0.0
        for width, drawing in line:
            out.append(f'<g transform="translate({x:.1f} {y:.1f})">{drawing}</g>')
            x += width + 20
        y += LINE + 2
    for piece in _wrap(remark, room, 13):
        out.append(f'<text class="key small" x="0" y="{y:.1f}">{escape(piece)}</text>')
        y += LINE - 2
    y += 4
    if scale:
        out.append(f'<g transform="translate({room - 230:.1f} {y:.1f})">{_scale_bar(scale)}</g>')
    beside = room - 270 if scale else room
    if beside < NARROWEST:  # below the bar of kilometers, where there is no room beside it
        beside, y = room, y + 22
    bottom = 0.0
    for i, sentence in enumerate(_wrap(credits, beside, 11.5)):
        out.append(f'<text class="credits" x="0" y="{y + i * 14:.1f}">{escape(sentence)}</text>')
        bottom = y + i * 14 + 8
    return "".join(out), max(y + 12, bottom) + 20


def _swatch(ground: str) -> str:
    drawn = f'<rect class="swatch {ground}" x="0" y="-105" width="200" height="130" rx="20"/>'
    return f'<g transform="scale(.1)">{drawn}</g>'


def _ground_keys(state: PositionDrawing) -> list[tuple[str, str]]:
    """The keys of what the land and the sea are: drawings of 20 units and meanings."""
    geometry, provinces, ways = state.geometry, state.board.provinces, state.drawing.ways
    pale = [state.number.get(power, -1) for name, power in state.owners.items() if not provinces[name].center]
    keys = []
    if state.hidden:
        patch = '<rect x="0" y="-105" width="200" height="130" rx="20"/>'
        shaded = f'{_swatch("land")}<g transform="scale(.1)" class="fog">{patch}</g>'
        keys.append((shaded, "out of sight: units may stand there"))
    if pale:
        keys.append((_swatch(f"k{min(pale)} far"), "paler: land without a center"))
    if geometry.waste:
        ticks = '<path class="ticks" d="M30-20l60-60M110-20l60-60"/>'
        keys.append((f'{_swatch("waste")}<g transform="scale(.1)">{ticks}</g>', "not played"))
    if geometry.lakes:
        keys.append((_swatch("lake"), "closed water"))
    if len(geometry.waves) > 1:
        line = '<path class="waves{}" d="M0 {}H200"/>'
        keys.append((f'<g transform="scale(.1)">{line.format(" areas", -45)}</g>', "between sea areas"))
        keys.append((f'<g transform="scale(.1)">{line.format("", -45)}</g>', "within a sea area"))
    if any(p.primary for p in provinces.values()):
        sign = '<g class="names"><text class="s prime" x="10" y="0" font-size="10">SEA</text></g>'
        keys.append((sign, "primary sea region"))
    if ways:
        said = [f"{letter}: {whom}" for letter, whom in LETTERS.values() if f">{letter}</text>" in ways]
        meaning = "one way only" + (f" ({', '.join(said)})" if said else "")
        keys.append((f'<g class="ways">{way_mark((10.0, -4.5), (1.0, 0.0))}</g>', meaning))
    return keys


def _flow(items: Sequence[Item], room: float, gap: float) -> list[list[Item]]:
    lines: list[list[Item]] = []
    used = math.inf
    for width, drawing in items:
        if used + width > room:
            lines.append([])
            used = 0.0
        lines[-1].append((width, drawing))
        used += width + gap
    return lines


def _wrap(text: str, room: float, size: float) -> list[str]:
    lines: list[str] = []
    for piece in text.split():
        if lines and measure(f"{lines[-1]} {piece}", "regular", size) <= room:
            lines[-1] += " " + piece
        else:
            lines.append(piece)
    return lines


def _scale_bar(scale: float) -> str:
    """A bar of a round number of kilometers, at most 200 units long."""
    steps = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
    length = max((step for step in steps if step * scale <= 190), default=1)
    w = length * scale
    bars = enumerate(("bar", "bar o", "bar", "bar o"))
    parts = "".join(
        f'<rect class="{bar}" x="{230 - w + w * i / 4:.1f}" y="-8" width="{w / 4:.1f}" height="5"/>' for i, bar in bars
    )
    return f'{parts}<text class="scale" x="{230 - w - 6:.1f}" y="-3.4" text-anchor="end">{length:g} km</text>'


def surround_scale(width: float) -> float:
    """How much larger than usual title and legend are, on a map of this width in units."""
    return max(1.0, width / 1400)
