"""Orders that need no search: those that were read before, and those that only name other places in the same words."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from legation.notation.acts import kinds_in
from legation.notation.order_kinds import kind_of
from legation.notation.order_reader import OrderReader
from legation.notation.reading_text import Text
from legation.notation.vocabulary import Vocabulary
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


Make = Callable[[list[str]], Order]
"""Makes an order of a wording from the places that it names, in their sequence."""


class KnownOrders:
    """Orders by their text, on a board."""

    def __init__(self, names: Vocabulary) -> None:
        self._names = names
        self._locations = frozenset(names.board.locations)
        self._cache: defaultdict[Phase, dict[str | tuple[str, str], Order]] = defaultdict(dict)
        """By phase; texts that say the same of every power stand alone, others with their power."""
        self._wordings: dict[tuple[str, int, str], Make | None] = {}
        self._short: dict[str, bool] = {}
        self._count = 0

    def find(self, text: str, phase: Phase, power: str) -> Order | None:
        """The order that a text is, if it was read before or can be read the quick way."""
        read = self._cache[phase]
        return read.get(text) or read.get((text, power)) or self._quick(text, phase, power)

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

    def _quick(self, text: str, phase: Phase, power: str) -> Order | None:
        """The order of a text in whose wording another was read; in another phase than that of movement only as it is
        written, for the judge to say that it cannot be given.

        What is said of units that are named in full, by names that can mean nothing else, doesn't depend on the places;
        the short style says the same of every power."""
        short = self._in_short(text)
        wording, places = short or self._worded(text)
        if len(set(places)) < len(places) or not places:
            return None
        key = wording, len(places), "" if short else power
        if key not in self._wordings:
            keep(self._wordings, key, self._learned(text, wording, places, power))
        make = self._wordings[key]
        order = None if make is None else make(places)
        if order is None or (phase is Phase.RETREATS and isinstance(order, Move)):
            return None
        if phase is not Phase.MOVEMENT and kind_of(order).short(order) != text:
            return None
        return self.keep(text if short else (text, power), phase, order)

    def _in_short(self, text: str) -> tuple[str, list[str]] | None:
        """What :meth:`_worded` finds in an order in the short style, where each place is one word; None in others."""
        words = text.split(" ")
        marked = (1, 3) if words[2:3] == ["-"] else (1, 4, 6)
        places = [words[i] for i in marked if i < len(words)]
        if not self._locations.issuperset(places):
            return None
        for i in marked[: len(places)]:
            words[i] = PLACE
        wording = " ".join(words)
        if wording not in self._short:
            keep(self._short, wording, self._is_short(words))
        return (wording, places) if self._short[wording] else None

    def _is_short(self, words: list[str]) -> bool:
        """Whether each place stands behind a kind of unit or a dash, and no other word is of the name of a place."""
        names, others = self._names, {word.casefold() for word in words if word != PLACE}
        behind = [words[i].casefold() for i, word in enumerate(words[1:]) if word == PLACE]
        if not others.isdisjoint(names.words_of_places) or len(words) > 7 or any("\n" in word for word in words):
            return False
        return bool(behind) and behind[0] != "-" and all(word == "-" or word in names.kinds for word in behind)

    def _worded(self, text: str) -> tuple[str, list[str]]:
        """A text with a mark for each name of a place, and these places; none where it begins with no unit."""
        words = list(_WORD.finditer(text)) if len(text) <= LONGEST_ALIKE and "\n" not in text else []
        if not words or words[0].group().casefold() not in self._names.kinds:
            return text, []
        parts: list[str] = []
        places: list[str] = []
        at = i = 0
        while i < len(words):
            place, last = self._place(text, words, i)
            if place:
                parts += [text[at : words[i].start()], PLACE]
                places.append(place)
                at = words[last].end()
            i = last + 1
        return "".join([*parts, text[at:]]), places

    def _place(self, text: str, words: list[re.Match[str]], i: int) -> tuple[str, int]:
        """The place with the longest name that begins at a word, nothing if there is none, and its last word."""
        name, place, last = "", "", i
        for k in range(i, len(words)):
            if k > i and text[words[k - 1].end() : words[k].start()] not in _WITHIN_NAME:
                break
            name += (" " if k > i else "") + words[k].group().casefold()
            if key := self._names.plain_name(name) or self._code(text, words, i, name):
                place, last = key, k
            if name not in self._names.places.begun:
                break
        end = words[last].end()
        if place and last + 1 < len(words) and text[end : words[last + 1].start()] == "/":
            place = f"{place}/{words[last + 1].group()}"
            return (place, last + 1) if place in self._locations else ("", last + 1)
        return place, last

    def _code(self, text: str, words: list[re.Match[str]], i: int, name: str) -> str:
        """A place by its code, which may be another word, too, behind a unit's kind or a dash: ``A con``, ``- par``."""
        if name not in self._locations:
            return ""
        begin = words[i].start()
        unit = (
            i > 0 and text[words[i - 1].end() : begin] == " " and words[i - 1].group().casefold() in self._names.kinds
        )
        return name if unit or text[:begin].rstrip().endswith("-") else ""

    def _learned(self, text: str, wording: str, places: list[str], power: str) -> Make | None:
        """How an order in a wording is made of its places; None if what it says depends on more than them."""
        said = {word.casefold() for word in _WORD.findall(wording)}
        of_places = self._names.words_of_places
        if not _WORDING.fullmatch(wording) or any(len(word) > 1 and word in of_places for word in said):
            return None
        read = Text(self._names, text, Phase.MOVEMENT, power, None)
        last = len(read.tokens)
        found = [] if kinds_in(read, 0, last) else OrderReader(read).at(0)
        plain = [one.orders for one in found if one.end == last and not one.cost]
        if not plain or len(plain[0]) != 1 or plain.count(plain[0]) < len(plain):
            return None  # a word of it says more
        order = plain[0][0]
        if not isinstance(order, _PLAIN):
            return None
        values = msgspec.structs.asdict(order)
        of = {name: places.index(value) for name, value in values.items() if value in places}
        named = all(values[name] for name in values if name.endswith("kind"))
        if not named or values.get("power") or values.get("route") or sorted(of.values()) != [*range(len(places))]:
            return None
        return lambda others: msgspec.structs.replace(order, **{name: others[i] for name, i in of.items()})
