"""Faults of what people send and designers write: as many are told as help, and finding the others costs nothing.

Every reader of documents, boards and variants notes its faults in a list. Once there are :data:`MOST_FAULTS` it goes on
counting, but it looks for no mend any more: that is what takes time.
"""

from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import Final

MOST_FAULTS: Final = 50


def enough(faults: Sized) -> bool:
    """Whether so many faults are known that a further one is counted only."""
    return len(faults) >= MOST_FAULTS


def told(faults: Sequence[str]) -> list[str]:
    """The faults that are told: the first ones, and how many more there are."""
    return [*faults[:MOST_FAULTS], *further(faults)]


def further(faults: Sized) -> list[str]:
    """How many faults there are beyond those that are told, as one line; nothing where all are told."""
    return [f"and {len(faults) - MOST_FAULTS} more"] if len(faults) > MOST_FAULTS else []
