"""The pieces into which a sheet is read."""

from __future__ import annotations

import msgspec

from legation.notation.errors import FaultKind, OrderTextError
from legation.notation.layout import Line
from legation.orders import Order

STRUCK_OUT = "this is crossed out; if you mean it, write it again"


class Passage(msgspec.Struct, frozen=True):
    """A part of a sheet, ``text[start:end]``: an order of ``power``, or why it is none (``error``, whose span counts
    from ``start``), or neither (a heading, a comment). ``general``: the order was given to all units, or all others."""

    start: int
    end: int
    line: int
    order: Order | None = None
    error: OrderTextError | None = None
    power: str = ""
    general: bool = False


class Part(msgspec.Struct):
    """A stretch of a line on its way: its orders, or what is wrong with it."""

    start: int
    end: int
    orders: list[Order]
    error: OrderTextError | None = None
    shaped: bool = True  # it looks like an order
    sentence: int = 0
    general: frozenset[str] = frozenset()  # the units of which it says something in one with all others
    about: frozenset[str] = frozenset()  # the units of which alone it speaks though it isn't understood


def refuse_whole(
    written: str, message: str, suggestions: tuple[str, ...] = (), kind: FaultKind = "not understood"
) -> OrderTextError:
    """The error about something of which every word is refused."""
    return OrderTextError(written[:300], (0, min(len(written), 300)), message, suggestions, kind)


def refused_line(line: Line, message: str, *, shaped: bool = True) -> Part:
    """A whole line as one part that is refused."""
    return Part(line.start, line.end, [], refuse_whole(line.text, message), shaped)
