"""Orders that need no grammar: canonical short ones, and those that were read before."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar

from legation.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove
from legation.position import Phase

K = TypeVar("K")
V = TypeVar("V")

CACHED_TEXTS = 20_000


def keep(known: dict[K, V], text: K, meaning: V) -> None:
    """Keep what a text means; clear the cache when it is full."""
    if len(known) >= CACHED_TEXTS:
        known.clear()
    known[text] = meaning


VIA_CONVOY = "via convoy"  # as it is written


class KnownOrders:
    """Orders by their text, for a board with these kinds of units and locations."""

    def __init__(self, kinds: Collection[str], locations: Collection[str]) -> None:
        self._kinds = frozenset(kinds)
        self._locations = frozenset(locations)
        self._cache: dict[tuple[Phase, str], dict[str, Order]] = {}
        self._orders: dict[Order, Order] = {}  # what is written alike by several powers is one object
        self._count = 0

    def find(self, text: str, phase: Phase, power: str) -> Order | None:
        """The order that a text is, if it was read before or can be read the quick way."""
        read = self._cache.get((phase, power))
        return (None if read is None else read.get(text)) or self._quick(text, phase, power)

    def find_all(self, texts: Iterable[str], phase: Phase, power: str) -> tuple[Order, ...] | None:
        """Return the orders of one sheet; None unless each text can be found so."""
        read = self._cache.get((phase, power), {})
        try:
            return tuple([read[text] for text in texts])
        except KeyError:
            found = [read.get(text) or self._quick(text, phase, power) for text in texts]
        return None if None in found else tuple(order for order in found if order is not None)

    def keep(self, text: str, phase: Phase, power: str, order: Order) -> Order:
        """Keep what a text was read as, which depends on nothing else; return the order, or the one like it that is
        kept."""
        if self._count >= CACHED_TEXTS:
            self._cache, self._orders, self._count = {}, {}, 0
        self._count += 1
        known = self._cache.setdefault((phase, power), {})[text] = self._orders.setdefault(order, order)
        return known

    def _quick(self, text: str, phase: Phase, power: str) -> Order | None:
        order = self._short(text, phase)
        return None if order is None else self.keep(text, phase, power, order)

    def _short(self, text: str, phase: Phase) -> Order | None:
        """Canonical short orders to plain places; None sends everything else through the grammar."""
        words = text.split()
        n = len(words)
        if n < 3 or n > 9 or words[0] not in self._kinds or words[1] not in self._locations:
            return None
        kind, at, verb = words[0], words[1], words[2]
        places = self._locations
        if verb == "-":
            if phase is Phase.RETREATS or n < 4 or words[3] not in places:
                return None
            if n == 4:
                return Move(kind, at, words[3])
            if n == 6 and words[4:] == VIA_CONVOY.split():
                return Move(kind, at, words[3], via_convoy=True)
            return None
        if verb == "H" and n == 3:
            return Hold(kind, at)
        if verb == "S" and n >= 5 and words[3] in self._kinds and words[4] in places:
            if n == 5:
                return SupportHold(kind, at, words[3], words[4])
            if n == 7 and words[5] == "-" and words[6] in places:
                return SupportMove(kind, at, words[3], words[4], words[6])
            return None
        if (
            verb == "C"
            and n == 7
            and words[3] in self._kinds
            and words[4] in places
            and words[5] == "-"
            and words[6] in places
        ):
            return Convoy(kind, at, words[3], words[4], words[6])
        return None
