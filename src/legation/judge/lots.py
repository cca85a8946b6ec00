"""Lots that every player can check afterwards (W-14).

A draw is a function of the game's seed and of what is drawn for, nothing else. The coordinator publishes :func:`commitment` of the seed beforehand and the
seed afterwards; anyone can then repeat every draw.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def commitment(seed: str) -> str:
    """What is published before the draw: the SHA-256 of the seed, in hexadecimal."""
    return hashlib.sha256(seed.encode()).hexdigest()


def verify(seed: str, published: str) -> bool:
    """Whether a seed is the one that was committed to."""
    return hmac.compare_digest(commitment(seed), published.strip().lower())


def draw(seed: str, label: str, items: Sequence[T]) -> list[T]:
    """All items in the order in which they are drawn: sorted by HMAC-SHA-256 of seed over ``label``, a slash and the item's text.

    ``label`` says what is drawn for (``Winter 1643 Adjustments: removal for Crown``), so that no two draws of a game are alike.
    """

    def ticket(item: T) -> bytes:
        return hmac.new(seed.encode(), f"{label}/{item}".encode(), hashlib.sha256).digest()

    return sorted(items, key=ticket)
