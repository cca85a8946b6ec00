"""The kinds of order that every game has, one record each; a rule that brings its own registers it the same way."""

from legation.notation.forms import adjustments, movement, retreats
from legation.notation.forms.form import Drawn, Opening, OrderKind, Phrases, Verb, find_kind, kind_of, register

KINDS: tuple[OrderKind, ...] = (*movement.KINDS, *retreats.KINDS, *adjustments.KINDS)
register(*KINDS)

__all__ = ["KINDS", "Drawn", "Opening", "OrderKind", "Phrases", "Verb", "find_kind", "kind_of", "register"]
