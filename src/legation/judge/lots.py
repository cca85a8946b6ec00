"""Lots that every player can check afterwards (W-14).

A draw is a function of a seed and of what is drawn for, nothing else. The coordinator publishes :func:`commitment` of
the seed beforehand and the seed afterwards; anyone can then repeat every draw.

A game has one seed, and each of its turns a seed of its own that follows from it (:func:`turn_seed`). The coordinator
publishes the commitment of the game's seed before the first turn and that of a turn's seed when the turn opens; the
turn's seed with the turn's results, which tells nothing of later turns; and the game's seed at the end, from which all
the others follow."""

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

import msgspec

T = TypeVar("T")


class Lot(msgspec.Struct, frozen=True):
    """One draw: what it was for, the items, and all of them in the order in which they were drawn."""

    label: str
    items: tuple[str, ...]
    order: tuple[str, ...]


def commitment(seed: str) -> str:
    """What is published before the draw: the SHA-256 of the seed, in hexadecimal."""
    return hashlib.sha256(seed.encode()).hexdigest()


def turn_seed(seed: str, turn: str) -> str:
    """The seed of one turn (``Winter 1643 Adjustments``): HMAC-SHA-256 of the game's seed over the turn, in
    hexadecimal. Without a seed for the game there is none."""
    return hmac.new(seed.encode(), turn.encode(), hashlib.sha256).hexdigest() if seed else ""


def verify(seed: str, published: str) -> bool:
    """Whether a seed is the one that was committed to."""
    return hmac.compare_digest(commitment(seed), published.strip().lower())


def draw(seed: str, label: str, items: Sequence[T]) -> list[T]:
    """All items in the order in which they are drawn: sorted by HMAC-SHA-256 of seed over ``label``, a slash and the
    item's text.

    ``label`` says what is drawn for (``Winter 1643 Adjustments: removal for Crown``), so that no two draws of a game
    are alike."""

    def ticket(item: T) -> bytes:
        return hmac.new(seed.encode(), f"{label}/{item}".encode(), hashlib.sha256).digest()

    return sorted(items, key=ticket)
