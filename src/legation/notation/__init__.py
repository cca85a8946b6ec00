"""Notation: what people write, read into orders; and orders written in one canonical short style, or in sentences."""

from legation.notation.errors import OrderTextError, refuse
from legation.notation.forms import KINDS
from legation.notation.forms.movement import picked
from legation.notation.headings import season_of, turn_code
from legation.notation.kind_form import check_kind
from legation.notation.names import agrees, called, capital, listed, possessive
from legation.notation.order_kinds import (
    Drawn,
    Gesture,
    OnPaper,
    OrderKind,
    Phrases,
    Production,
    Slots,
    find_kind,
    gesture_of,
    kind_of,
    register,
    write_unit,
)
from legation.notation.reading import Reader, resembles_an_order
from legation.notation.reading_text import Subject, Text
from legation.notation.sheet import Passage
from legation.notation.writing import Writer, write

__all__ = [
    "KINDS",
    "Drawn",
    "Gesture",
    "OnPaper",
    "OrderKind",
    "OrderTextError",
    "Passage",
    "Phrases",
    "Production",
    "Reader",
    "Slots",
    "Subject",
    "Text",
    "Writer",
    "agrees",
    "called",
    "capital",
    "check_kind",
    "find_kind",
    "gesture_of",
    "kind_of",
    "listed",
    "picked",
    "possessive",
    "refuse",
    "register",
    "resembles_an_order",
    "season_of",
    "turn_code",
    "write",
    "write_unit",
]
