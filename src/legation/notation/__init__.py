"""Notation: what people write, read into orders; and orders written in one canonical short style, or in sentences."""

from legation.notation.errors import OrderTextError
from legation.notation.forms import (
    Drawn,
    Gesture,
    OnPaper,
    Opening,
    OrderKind,
    Phrases,
    Verb,
    find_kind,
    gesture_of,
    kind_of,
    register,
)
from legation.notation.kind_form import check_kind
from legation.notation.names import agrees, called, capital, listed, possessive
from legation.notation.order_kinds import write_unit
from legation.notation.parsing import Parser, Subject
from legation.notation.reading import Reader
from legation.notation.sheets import Passage
from legation.notation.sheets.asides import resembles_an_order
from legation.notation.writing import Writer, write

__all__ = [
    "Drawn",
    "Gesture",
    "OnPaper",
    "Opening",
    "OrderKind",
    "OrderTextError",
    "Parser",
    "Passage",
    "Phrases",
    "Reader",
    "Subject",
    "Verb",
    "Writer",
    "agrees",
    "called",
    "capital",
    "check_kind",
    "find_kind",
    "gesture_of",
    "kind_of",
    "listed",
    "possessive",
    "register",
    "resembles_an_order",
    "write",
    "write_unit",
]
