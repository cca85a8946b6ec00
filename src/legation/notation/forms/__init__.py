"""The kinds of order that every game has, one record each; a rule that brings its own registers it the same way."""

from legation.notation.forms import builds, holds, moves, retreats, supports, votes, waivers
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

KINDS: tuple[OrderKind, ...] = tuple(
    kind for part in (holds, moves, supports, retreats, builds, waivers, votes) for kind in part.KINDS
)
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
