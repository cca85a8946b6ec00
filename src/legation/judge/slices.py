"""What a rule keeps with the position: the form in which it comes back from a document, and what of it a power sees."""

from collections.abc import Collection, Iterator, Mapping
from operator import attrgetter
from typing import Any

from legation.board import Board, province_of

POWER, PLAYED = attrgetter("powers"), attrgetter("played")
PROVINCE, CENTER = attrgetter("board.provinces"), attrgetter("board.centers")
COUNT = range(1 << 53)


def misfits(rules: Any, kept: object, form: Any, place: str = "") -> Iterator[str]:
    """Yield the places where a value does not have a form: ``str``, a text; a set, one of its texts; a range, a whole
    number in it; ``POWER`` and other functions of the rules, what they return; ``(form,)``, a list; ``(form, form)``,
    one of so many; ``{form: form}``, an object; ``{"name": form, "other?": form}``, one with these keys alone, of which
    the second may be missing."""
    parts: list[tuple[str, object, Any]] = []
    if form is str:
        fine = isinstance(kept, str)
    elif callable(form):
        yield from misfits(rules, kept, names if isinstance(names := form(rules), range) else frozenset(names), place)
        return
    elif isinstance(form, frozenset | range):
        fine = type(kept) is (int if isinstance(form, range) else str) and kept in form
    elif isinstance(form, dict):
        fine = isinstance(kept, dict)
        if isinstance(kept, dict):
            named = {key.removesuffix("?"): of for key, of in form.items() if isinstance(key, str)}
            needed = {key for key in named if key in form}
            fine = not named or needed <= kept.keys() <= named.keys()
            for key, value in kept.items() if fine else ():
                [(of_key, of_value)] = [(str, named[key])] if named else form.items()
                parts += [(f".{key}", key, of_key), (f".{key}", value, of_value)]
    else:
        fine = isinstance(kept, list) and len(form) in (1, len(kept))
        if isinstance(kept, list):
            parts = [(f"[{n}]", item, form[n % len(form)]) for n, item in enumerate(kept)]
    if not fine:
        yield place.removeprefix(".")
        return
    for at, value, of in parts:
        yield from misfits(rules, value, of, place + at)


def in_sight(board: Board, powers: Collection[str], kept: Any, power: str, sees: frozenset[str]) -> Any:
    """What is left of a rule's slice: of lists and tables by province what is seen, of those by power what is the
    power's own."""
    if isinstance(kept, Mapping):
        return {
            key: in_sight(board, powers, entry, power, sees)
            for key, entry in kept.items()
            if _shown(board, powers, key, power, sees)
        }
    if isinstance(kept, tuple | list):
        return [
            in_sight(board, powers, entry, power, sees) for entry in kept if _shown(board, powers, entry, power, sees)
        ]
    return kept


def _shown(board: Board, powers: Collection[str], entry: Any, power: str, sees: frozenset[str]) -> bool:
    if isinstance(entry, str):
        if entry in powers:
            return entry == power
        return province_of(entry) not in board.provinces or province_of(entry) in sees
    if isinstance(entry, Mapping):  # such as a transfer from one power to another: shown to both
        named = [value for value in entry.values() if isinstance(value, str) and value in powers]
        return not named or power in named
    return True
