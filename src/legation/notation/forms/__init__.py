"""The kinds of order that every game has, one record each; a rule that brings its own registers it the same way."""

from legation.notation.forms import adjustments, holds, moves, retreats, supports
from legation.notation.gestures import Gesture
from legation.notation.order_kinds import (
    Drawn,
    OnPaper,
    Opening,
    OrderKind,
    Verb,
    find_kind,
    gesture_of,
    kind_of,
    register,
)
from legation.notation.phrases import Phrases

KINDS: tuple[OrderKind, ...] = (*holds.KINDS, *moves.KINDS, *supports.KINDS, *retreats.KINDS, *adjustments.KINDS)
register(*KINDS)

__all__ = [
    "KINDS",
    "Drawn",
    "Gesture",
    "OnPaper",
    "Opening",
    "OrderKind",
    "Phrases",
    "Verb",
    "find_kind",
    "gesture_of",
    "kind_of",
    "register",
]
