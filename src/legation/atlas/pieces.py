"""What armies and fleets look like in their century, in the box and by the classes of the other symbols."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from legation.judge import UnitKind


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
