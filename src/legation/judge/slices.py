"""The form of what a rule keeps with the position, in which it comes back from a document."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

POWER, PLAYED = attrgetter("powers"), attrgetter("played")
PROVINCE, CENTER = attrgetter("board.provinces"), attrgetter("board.centers")
COUNT = range(1 << 53)


def fits(rules: Any, kept: object, form: Any) -> bool:
    """Whether a value has a form: ``POWER`` and the like or a set, a text that is one of those; a range, a whole number
    in it; ``(form,)``, a list; ``(form, form)``, one of so many; ``{form: form}``, an object; ``{"name": form}``, one
    that may have these keys alone."""
    if callable(form):
        form = frozenset(form(rules))
    if isinstance(form, frozenset):
        return isinstance(kept, str) and kept in form
    if isinstance(form, range):
        return type(kept) is int and kept in form
    if isinstance(form, dict):
        if not isinstance(kept, dict):
            return False
        named = {key: form[key] for key in form if isinstance(key, str)}
        if named:
            return kept.keys() <= named.keys() and all(fits(rules, kept[key], named[key]) for key in kept)
        return all(fits(rules, key, of) and fits(rules, kept[key], form[of]) for of in form for key in kept)
    if not isinstance(kept, list) or len(form) not in (1, len(kept)):
        return False
    return all(fits(rules, item, form[n % len(form)]) for n, item in enumerate(kept))
