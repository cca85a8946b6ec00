"""Orders that need no search: canonical short ones, those that were read before, and those that only name other places
in the same words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import TypeVar

import msgspec

from legation.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove
from legation.position import Phase

K = TypeVar("K")
V = TypeVar("V")

CACHED_TEXTS = 20_000
LONGEST_ALIKE = 120  # characters of a text that is compared with others
PLACE = "\0"  # stands for the name of a place in a wording
_PLAIN = (Hold, Move, SupportHold, SupportMove, Convoy)
_WORD = re.compile(r"[^\W_]+")
_WORDING = re.compile(rf"[\w\s{PLACE}.>→-]+")  # no sign that heads, lists or encloses anything
_WITHIN_NAME = frozenset([" ", "-", ". "])


def keep(known: dict[K, V], text: K, meaning: V) -> None:
    """Keep what a text means; clear the cache when it is full."""
    if len(known) >= CACHED_TEXTS:
        known.clear()
    known[text] = meaning


VIA_CONVOY = "via convoy"  # as it is written


class PlainNames(msgspec.Struct, frozen=True):
    """The names of places that mean one thing wherever they stand, and what else tells whether a wording is an order.

    ``keys`` are places by such names, folded; ``longest`` is the number of words in the longest; ``others`` are words
    of all names, ``kinds`` what kinds of units are called.
    """

    keys: Mapping[str, str]
    longest: int
    others: Collection[str]
    kinds: Mapping[str, str]


class KnownOrders:
    """Orders by their text, for a board with these kinds of units and locations.

    ``alone`` reads a text as one order for what it says itself, on a board without units, None if it can't; ``names``
    makes the board's :class:`PlainNames`.
    """

    def __init__(
        self,
        kinds: Collection[str],
        locations: Collection[str],
        names: Callable[[], PlainNames],
        alone: Callable[[str, Phase, str], Order | None],
    ) -> None:
        self._kinds = frozenset(kinds)
        self._locations = frozenset(locations)
        self._make_names = names
        self._alone = alone
        self._cache: dict[tuple[Phase, str], dict[str, Order]] = {}
        self._orders: dict[Order, Order] = {}  # what is written alike by several powers is one object
        self._wordings: dict[tuple[str, int, str], Callable[[list[str]], Order] | None] = {}
        self._count = 0

    @cached_property
    def _names(self) -> PlainNames:
        return self._make_names()

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
        order = self._short(text, phase) or (self._alike(text, power) if phase is Phase.MOVEMENT else None)
        return None if order is None else self.keep(text, phase, power, order)

    def _alike(self, text: str, power: str) -> Order | None:
        """The order of a text in whose wording another was read, with the places that this one names: what is said
        of units that are named in full, by names that can mean nothing else, doesn't depend on the places."""
        words = list(_WORD.finditer(text)) if len(text) <= LONGEST_ALIKE else []
        if not words or words[0].group().casefold() not in self._names.kinds:
            return None
        wording, places = self._worded(text, words)
        if len(set(places)) < len(places) or not places:
            return None
        key = wording, len(places), power
        if key not in self._wordings:
            keep(self._wordings, key, self._learned(text, wording, places, power))
        make = self._wordings[key]
        return None if make is None else make(places)

    def _worded(self, text: str, words: list[re.Match[str]]) -> tuple[str, list[str]]:
        """A text with a mark for each name of a place, and these places."""
        names, folded = self._names, text.casefold()
        parts: list[str] = []
        places: list[str] = []
        at = i = 0
        while i < len(words):
            start, name, found = words[i].start(), "", 0
            for k in range(i, min(i + names.longest, len(words))):
                if k > i:
                    between = text[words[k - 1].end() : words[k].start()]
                    if between not in _WITHIN_NAME:
                        break
                    name += " "
                name += folded[words[k].start() : words[k].end()]
                if name in names.keys:
                    found, key = k + 1, names.keys[name]
            if found:
                parts += [text[at:start], PLACE]
                places.append(key)
                at = words[found - 1].end()
            i = found or i + 1
        return "".join([*parts, text[at:]]), places

    def _learned(self, text: str, wording: str, places: list[str], power: str) -> Callable[[list[str]], Order] | None:
        """How an order in a wording is made of its places; None if what it says depends on more than them."""
        said = {word.casefold() for word in _WORD.findall(wording)}
        if not _WORDING.fullmatch(wording) or any(len(word) > 1 and word in self._names.others for word in said):
            return None
        order = self._alone(text, Phase.MOVEMENT, power)
        if not isinstance(order, _PLAIN):
            return None
        values = msgspec.structs.asdict(order)
        of = {name: places.index(value) for name, value in values.items() if value in places}
        named = all(values[name] for name in values if name.endswith("kind"))
        if not named or values.get("power") or values.get("route") or sorted(of.values()) != [*range(len(places))]:
            return None
        return lambda others: msgspec.structs.replace(order, **{name: others[i] for name, i in of.items()})

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
