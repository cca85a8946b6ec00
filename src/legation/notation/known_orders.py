"""Orders that need no search: those that were read before, and the usual ones as the program writes them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from legation.board import ARMY, Travel
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


class KnownOrders:
    """Orders by their text, for a board with these locations; ``travel`` are its kinds of units."""

    def __init__(self, travel: Mapping[str, Travel], locations: Collection[str]) -> None:
        self._travel = travel
        self._locations = frozenset(locations)
        self._cache: defaultdict[Phase, dict[str | tuple[str, str], Order]] = defaultdict(dict)
        """By phase; texts that say the same of every power stand alone, others with their power."""
        self._count = 0

    def find(self, text: str, phase: Phase, power: str) -> Order | None:
        """The order that a text is, if it was read before or can be read the quick way."""
        read = self._cache[phase]
        return read.get(text) or read.get((text, power)) or self._quick(text, phase)

    def find_all(self, texts: Sequence[Any], phase: Phase, power: str) -> tuple[Order, ...] | None:
        """Return the orders of one sheet; None unless each entry is a text that can be found so."""
        read = self._cache[phase]
        try:
            return tuple([read[text] for text in texts])
        except (KeyError, TypeError):
            found = [(read.get(text) or self.find(text, phase, power)) if type(text) is str else None for text in texts]
        return None if None in found else tuple(order for order in found if order is not None)

    def keep(self, text: str | tuple[str, str], phase: Phase, order: Order) -> Order:
        """Keep what a text (or that of one power, with the power) was read as, which depends on nothing else; return
        the order."""
        if self._count >= CACHED_TEXTS:
            self._cache.clear()
            self._count = 0
        self._count += 1
        self._cache[phase][text] = order
        return order

    def _quick(self, text: str, phase: Phase) -> Order | None:
        """The order of a movement turn that a text is, written as the program writes it, in large or small letters:
        whoever writes it, and wherever units stand, it means the same. In another phase the judge says that it cannot
        be given."""
        order: Order
        words = text.split(" ")
        if text.isupper() or text.islower():
            words = [word.upper() if len(word) == 1 else word.lower() for word in words]
        helped = words[0]
        places: tuple[str, ...]
        match words:
            case [kind, at, "-", to]:
                order, places = Move(kind, at, to), (at, to)
            case [kind, at, "H"]:
                order, places = Hold(kind, at), (at,)
            case [kind, at, "S", helped, target]:
                order, places = SupportHold(kind, at, helped, target), (at, target)
            case [kind, at, "S", helped, target, "-", to]:
                order, places = SupportMove(kind, at, helped, target, to), (at, target, to)
            case [kind, at, "C", helped, target, "-", to] if self._travel.get(helped) == ARMY:
                order, places = Convoy(kind, at, helped, target, to), (at, target, to)
            case [kind, at, "-", to, "via"] | [kind, at, "-", to, "via", "convoy"]:
                order, places = Move(kind, at, to, via_convoy=True), (at, to)
            case _:
                return None
        if kind not in self._travel or helped not in self._travel or not self._locations.issuperset(places):
            return None
        if len({*places}) < len(places) or (phase is Phase.RETREATS and type(order) is Move):
            return None
        return self.keep(text, phase, order)
