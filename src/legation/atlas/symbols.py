"""Units and centers as drawn by us: small heraldry in a box of 20 units (units) or 11 (centers) about the origin."""

from collections.abc import Iterable, Iterator, Mapping
from math import cos, pi, sin

import msgspec

from legation.atlas.letters import escape
from legation.board import Board
from legation.judge import UnitKind

# Each unit symbol takes its fill and the color of its drawing from where it is used: ``u-h`` is the halo, ``u-b`` the
# body with its dark edge, ``u-d`` a line upon it, ``u-t`` a filled line.
_SHIELD = "M-8.2-9.2Q0-7.6 8.2-9.2V.4C8.2 5.6 4.2 8.6 0 10.4C-4.2 8.6-8.2 5.6-8.2.4Z"
_HULL = "M-10.4 2.2L-7.6 3.4H7.2L10.6.8C10.2 5.4 7.4 8.6 3.6 8.6H-4.4C-7.8 8.6-10 6-10.4 2.2Z"
_SAIL = "M-6.6-8.6Q0-6.9 6.6-8.6Q9 -3 6.8 1.6Q0 .2-6.2 1.6Q-4.2-3.4-6.6-8.6Z"

UNITS: Mapping[str, str] = {
    "A": f'<path class="u-h" d="{_SHIELD}"/><path class="u-b" d="{_SHIELD}"/>'
    '<path class="u-d" d="M0-6.3V6.4M-3-3.4H3"/><path class="u-t" d="M-1.2 5.2L0 7.8L1.2 5.2"/>',
    "F": f'<path class="u-h" d="{_HULL}M0-10.6V3"/><path class="u-h" d="{_SAIL}"/><path class="u-b" d="M0-11V3"/>'
    f'<path class="u-b" d="{_SAIL}"/><path class="u-b" d="{_HULL}"/>'
    '<path class="u-d" d="M-3.6-7.6Q-1.9-3.4-3.4.4M3.4-7.7Q5-3.4 3.6.4"/>',
}
UNIT_NAMES: Mapping[str, str] = {"A": "army", "F": "fleet"}

_PETAL = "M0-.9C-2.1-2-2.5-4.6 0-5.2C2.5-4.6 2.1-2 0-.9Z"
_LEAF = "M0-1C-1.5-2.2-1.4-4.6 0-5.6C1.4-4.6 1.5-2.2 0-1Z"


def _turned(path: str, count: int, start: float = 0.0) -> str:
    return "".join(f'<path d="{path}" transform="rotate({start + 360 * i / count:g})"/>' for i in range(count))


BADGES: Mapping[str, str] = {
    "town": '<circle r="4.5"/><circle class="c-i" r="2.1"/>',
    "star": '<path d="M0-5.4L1.35-1.86L5.14-1.67L2.19.71L3.17 4.37L0 2.3L-3.17 4.37L-2.19.71L-5.14-1.67L-1.35-1.86Z"/>',
    "rose": _turned(_PETAL, 5) + '<circle class="c-i" r="1.3"/>',
    "thistle": '<path d="M-3.4-5.4L-1.6-2.9L-1.1-5.6L0-3L1.1-5.6L1.6-2.9L3.4-5.4L2.5-1.2H-2.5Z"/>'
    '<path d="M-2.5-1.2H2.5C3.6.6 2.6 2.9 0 3.1C-2.6 2.9-3.6.6-2.5-1.2Z"/>'
    '<path class="c-o" d="M0 3.1V5.6M0 5.2C-1.5 5.4-3.2 4.8-3.9 3.4M0 5.2C1.5 5.4 3.2 4.8 3.9 3.4"/>',
    "harp": '<path d="M-3.6-4.8C-.6-6.2.8-2.6 4-4.4C4.4.4 1.8 3.6-1.8 5.4L-3.9 4.2Z"/>'
    '<path class="c-o" d="M-1.9-3.6V3.6M0-3.3V2.6M1.9-2.6V1"/>',
    "daffodil": _turned(_LEAF, 6) + '<circle r="2.1"/><circle class="c-i" r="1"/>',
    "lily": '<path d="M0-5.8C1.9-3.8 1.7-1.6.8.2C1.8-2.6 4.6-3.2 4.9-.9C5 .4 3.9 1.1 3.1.6C3.3 1.6 2.2 1.7 1.4 1.7'
    "C1.4 3 2 4.4 3 5.2H-3C-2 4.4-1.4 3-1.4 1.7C-2.2 1.7-3.3 1.6-3.1.6C-3.9 1.1-5 .4-4.9-.9C-4.6-3.2-1.8-2.6-.8.2"
    'C-1.7-1.6-1.9-3.8 0-5.8Z"/><path class="c-o" d="M-2.4 1.7H2.4"/>',
}

BADGE_OF_LAND: Mapping[str, str] = {
    "england": "rose",
    "scotland": "thistle",
    "ireland": "harp",
    "wales": "daffodil",
    "france": "lily",
    "continent": "lily",
}
"""The old badges of lands; used where every center of a board lies in one of them."""

CROWN = '<path class="c-c" d="M-4.4 0L-5.2-4L-2.6-2.2L0-5L2.6-2.2L5.2-4L4.4 0Z"/>'
"""Stands above the symbol of a capital."""


def badges(board: Board) -> dict[str, str]:
    """The badge of every center: that of its land where all lands have one and they differ; else a town, or a star for
    a capital."""
    lands = {board.provinces[c].region.lower() for c in board.centers}
    if lands <= BADGE_OF_LAND.keys() and len({BADGE_OF_LAND[land] for land in lands}) > 1:
        return {c: BADGE_OF_LAND[board.provinces[c].region.lower()] for c in board.centers}
    return {c: "star" if board.provinces[c].capital else "town" for c in board.centers}


class UnitSymbols:
    """The symbols and names of the kinds of units on a map: those that we draw, and further ``kinds`` with their own,
    or lettered with their codes."""

    def __init__(self, kinds: Iterable[UnitKind] = ()) -> None:
        self.names: dict[str, str] = dict(UNIT_NAMES)
        self.drawings: dict[str, str] = dict(UNITS)
        """By the codes of kinds; ``unknown`` stands for all others."""
        for kind in kinds:
            self.names[kind.code] = kind.name
            if kind.symbol or kind.code not in UNITS:
                self.drawings[kind.code] = kind.symbol or _LETTERED.format(
                    *((4, 12) if len(kind.code) == 1 else (3, 8)), escape(kind.code[:3])
                )
        self.drawings["unknown"] = _UNKNOWN

    def symbol(self, kind: str) -> str:
        """The id of a kind's symbol."""
        return f"u-{escape(kind if kind in self.drawings else 'unknown')}"

    def text(self, kind: str, power: str) -> str:
        """``army of France``."""
        return f"{self.names.get(kind, kind)} of {power}"


_DISC = '<circle class="u-h" r="8.6"/><circle class="u-b" r="9"/>'
_LETTERED = _DISC + '<text class="u-l" y="{}" font-size="{}">{}</text>'
_UNKNOWN = _DISC + '<path class="u-d" d="M-2.8-2.6C-2.6-6.2 3-6 2.8-2.4C2.6-.2 0-.2 0 2.6M0 5.2V5.4"/>'
"""A question mark, without letters, for which every page would fetch a font."""


def definitions(badges_used: Iterable[str], symbols: UnitSymbols) -> str:
    """The symbols as ``<g>`` elements for ``<defs>``."""
    parts = [f'<g id="{symbols.symbol(kind)}">{drawing}</g>' for kind, drawing in symbols.drawings.items()]
    parts += [f'<g id="c-{name}">{BADGES[name]}</g>' for name in sorted(set(badges_used))]
    parts.append(f'<g id="c-crown">{CROWN}</g>')
    turn = "M-11.5 3.1A11.9 11.9 0 0 1 3.1-11.5M11.5-3.1A11.9 11.9 0 0 1-3.1 11.5"
    tips = '<path class="u-e" d="M2.2-14.6L7.6-10.6L1.4-8.2ZM-2.2 14.6L-7.6 10.6L-1.4 8.2Z"/>'
    for name, cls in (("u-turn", "u-c"), ("u-turn-failed", "u-c u-f")):
        parts.append(f'<g id="{name}"><path class="u-w" d="{turn}"/><path class="{cls}" d="{turn}"/>{tips}</g>')
    tines = ((15.5 if i % 2 == 0 else 11.4, 2 * pi * i / 18) for i in range(18))
    burst = " ".join(f"{far * cos(turn):.1f} {far * sin(turn):.1f}" for far, turn in tines)
    parts.append(f'<polygon id="u-burst" class="u-x" points="{burst}"/>')
    parts.append('<path id="u-cross" class="u-k" d="M-8.5-8.5L8.5 8.5M8.5-8.5L-8.5 8.5"/>')
    return "".join(parts)


# What armies and fleets look like in their century


def _piece(body: str, lines: str, mast: str = "") -> str:
    """A silhouette: halo and body, and lines upon it; masts have the color of its edge."""
    halo = f'<path class="u-h" d="{body}{mast}"/>'
    masts = f'<path class="u-b" d="{mast}"/>' if mast else ""
    return f'{halo}{masts}<path class="u-b" d="{body}"/><path class="u-d" d="{lines}"/>'


_ROUND_SHIELD = _piece(
    "M0-9.4A9.4 9.4 0 1 1 0 9.4A9.4 9.4 0 1 1 0-9.4Z",
    "M-6.6-6.6L-2-2M6.6-6.6L2-2M-6.6 6.6L-2 2M6.6 6.6L2 2M0-2.7A2.7 2.7 0 1 1 0 2.7A2.7 2.7 0 1 1 0-2.7",
)
_LONGSHIP = _piece(
    "M-6.4-9.4H6.4Q7.9-4.6 6.4-.4H-6.4Q-4.9-4.6-6.4-9.4ZM-10.8-4.6Q-12.4-1.6-10.6 1.6Q-9.6 3.2-7.6 3.2H7.6Q9.6 3.2 "
    "10.6 1.6Q12.4-1.6 10.8-4.6Q14 1.4 9.8 6Q7.4 8.4 4 8.4H-4Q-7.4 8.4-9.8 6Q-14 1.4-10.8-4.6Z",
    "M-2.2-9V-.8M2-9V-.8M-6 5.7H-5.9M-2 5.7H-1.9M2 5.7H2.1M6 5.7H6.1",
    "M0-11V3",
)
_HELM = _piece(
    "M-7.4-6.4Q-6-10.2 0-10.2Q6-10.2 7.4-6.4L8.2 3.4Q5.6 9.4 0 10.2Q-5.6 9.4-8.2 3.4Z",
    "M-6.6-1.8H6.6M0-9V8.4M2.6 2.4V2.5M2.6 5V5.1M5 3.2V3.3",
)
_MORION = _piece(
    "M-11 3.4Q-7.6 2.6-7-1Q-6.4-7.6 0-8Q6.4-7.6 7-1Q7.6 2.6 11 3.4Q7.6 8.6 0 8.2Q-7.6 8.6-11 3.4Z"
    "M-5.4-7Q0-13 5.4-7Q0-9.4-5.4-7Z",
    "M-6.6 2.8Q0 4.8 6.6 2.8M0-7.6V3.4",
)
_GALLEON = _piece(
    "M-9-6.6H-2.6Q-1.2-3-2.6 .4H-9Q-7.7-3-9-6.6ZM-1-9.6H6.4Q7.9-4.8 6.4-.2H-1Q.5-4.8-1-9.6Z"
    "M-11-.6L-8.4 3.2H4.4L5.4 1H10.8Q11 6 7 8.8H-5.6Q-9.6 6.6-11-.6Z",
    "M-6.8 5.9H-6.7M-3.2 5.9H-3.1M.4 5.9H.5M4 5.9H4.1M7.4 4.6V4.7",
    "M-5.8-9V3M2.8-11.4V3",
)
_GUN = _piece(
    "M-9.6-4.4L-8-8L9.8-3.6L9-.4L.6-1.6ZM-3-3.2A5.8 5.8 0 1 1-3 8.4A5.8 5.8 0 1 1-3-3.2ZM2.2 4.4L3 1.6L11 7.4L9.8 9Z",
    "M-3-.6V5.8M-6.2 2.6H.2M-5.2 .4L-.8 4.8M-5.2 4.8L-.8 .4",
)
_STEAMSHIP = _piece(
    "M-5.6-9.4H-2.6V-3.4H-5.6ZM1-9.4H4V-3.4H1ZM-8-3.8H7V2.6H-8ZM-11.4 1.6H11.6L8.4 8.4H-9Z",
    "M-5.4-.8H-5.3M-1.8-.8H-1.7M1.8-.8H1.9M-8.6 4.6H8.4",
)
AGES: tuple[tuple[int, Mapping[str, str]], ...] = (
    (1800, {"A": _GUN, "F": _STEAMSHIP}),
    (1600, {"A": _MORION, "F": _GALLEON}),
    (1200, {"A": _HELM}),
    (1, {"A": _ROUND_SHIELD, "F": _LONGSHIP}),
)
"""From which year on armies and fleets look so; the cog of the years between stands among the symbols."""


def in_their_time(kinds: Iterable[UnitKind], year: int) -> Iterator[UnitKind]:
    """The kinds of units, armies and fleets with the symbols of a game that begins in this year; those that bring one
    of their own keep it."""
    pieces = next((drawn for since, drawn in AGES if year >= since), {})
    for kind in kinds:
        yield kind if kind.symbol else msgspec.structs.replace(kind, symbol=pieces.get(kind.code, ""))
