"""Faults of what people send and designers write: as many are told as help, and finding the others costs nothing.

Every reader of documents, boards and variants notes its faults in a list. Once there are :data:`MOST_FAULTS` it goes on
counting, but it looks for no mend any more: that is what takes time."""

import difflib
from collections.abc import Iterable, Sequence, Sized
from typing import Final

MOST_FAULTS: Final = 50
MOST_NAMES: Final = 100  # characters of a list of names: a short line


def near(word: str, known: Iterable[str]) -> str:
    """Return the end of a message about a misspelled name: the nearest one, or as many names as fit a short line."""
    listed = sorted(known)
    folded = {name.casefold(): name for name in listed}
    if close := difflib.get_close_matches(word.casefold(), folded, 1):
        return f"; did you mean {folded[close[0]]!r}?"
    if not listed:
        return "; there are none"
    shown = listed[: _fitting(listed)]
    left = f" and {len(listed) - len(shown)} more" if len(shown) < len(listed) else ""
    return f"; choose from {', '.join(shown)}{left}"


def _fitting(names: Sequence[str]) -> int:
    """How many of the names a list shows: all, or the first ones that fit."""
    length = 0
    for count, name in enumerate(names):
        length += len(name) + 2
        if count and length > MOST_NAMES:
            return count
    return len(names)


def enough(faults: Sized) -> bool:
    """Whether so many faults are known that a further one is counted only."""
    return len(faults) >= MOST_FAULTS


def told(faults: Sequence[str]) -> list[str]:
    """The faults that are told: the first ones, and how many more there are."""
    return [*faults[:MOST_FAULTS], *further(faults)]


def further(faults: Sized) -> list[str]:
    """How many faults there are beyond those that are told, as one line; nothing where all are told."""
    return [f"and {len(faults) - MOST_FAULTS} more"] if len(faults) > MOST_FAULTS else []
