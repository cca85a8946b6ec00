"""Boards: provinces, coasts, and which kinds of unit can move from where to where.

Three words are used throughout the project:

* a *province* is a region that holds at most one unit; its id is a short lower-case code such as ``par``;
* a *coast* is a named part of a province's shore, written after a slash: ``spa/sc``;
* a *location* is where a unit stands: a province (``par``), or a coast of a province that has several (``spa/sc``)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Literal, TypeVar

import msgspec

from legation.frozen import Frozen, Immutable

T = TypeVar("T")
ARMY: Literal["army"] = "army"
FLEET: Literal["fleet"] = "fleet"
Travel = Literal["army", "fleet"]
"""How a kind of unit travels: over land, or along coasts and over water."""

COAST_NAMES: Mapping[str, str] = {
    "nc": "north coast",
    "sc": "south coast",
    "ec": "east coast",
    "wc": "west coast",
    "nec": "northeast coast",
    "nwc": "northwest coast",
    "sec": "southeast coast",
    "swc": "southwest coast",
}


class Province(msgspec.Struct, frozen=True, kw_only=True):
    """One region of the board.

    ``coasts`` is empty for a province without separate coasts. ``shore`` is true when the province is land
    that a fleet can enter. ``region`` is the larger land a province counts to (a homeland, a kingdom), ``area`` and
    ``primary`` are for seas that are grouped (a sea area has one primary region). ``aliases`` are further names;
    ``name@Power`` is understood in that power's orders only. ``source`` and ``note`` tell where the row comes from and
    why it is as it is."""

    id: str
    name: str
    sea: bool = False
    shore: bool = False
    coasts: tuple[str, ...] = ()
    center: bool = False
    aliases: tuple[str, ...] = ()
    region: str = ""
    area: str = ""
    primary: bool = False
    capital: bool = False
    form: str = ""
    source: str = ""
    note: str = ""

    @property
    def facts(self) -> str:
        """Its description in words: ``coast, supply center, Wessex``."""
        words = ["sea" if self.sea else "coast" if self.shore else "inland"]
        if self.center:
            words.append("capital" if self.capital else "supply center")
        if self.area:
            words.append(f"{self.area} area" + (", its primary region" if self.primary else ""))
        elif self.region:
            words.append(self.region[:1].upper() + self.region[1:])
        return ", ".join(words)

    @property
    def remark(self) -> str:
        """Its source and note, for people; empty if the board file has neither."""
        remark = self.note[:1].upper() + self.note[1:]
        return f"Reconstructed. {remark}".rstrip() if self.source == "reconstructed" else remark

    @property
    def inland(self) -> bool:
        """Whether it is land that no fleet can enter."""
        return not self.sea and not self.shore

    @property
    def locations(self) -> tuple[str, ...]:
        """Where a fleet can be here: the coasts if there are several, otherwise the province itself."""
        return tuple(f"{self.id}/{c}" for c in self.coasts) or (self.id,)


class Border(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """Two neighboring locations, and which travel can pass: both ways, or only from ``a`` to ``b`` (``one_way``)."""

    a: str
    b: str
    army: bool
    fleet: bool
    one_way: bool = False

    @property
    def pair(self) -> tuple[str, str]:
        """Its two provinces, in alphabetical order."""
        a, b = province_of(self.a), province_of(self.b)
        return (a, b) if a < b else (b, a)


def province_of(location: str) -> str:
    """Return the province of a location: ``spa`` for ``spa/sc``."""
    return location.partition("/")[0]


def parts(near: Mapping[T, Collection[T]]) -> list[set[T]]:
    """What is given with its neighbors, in parts that hang together, the largest part first."""
    left, parts = list(near), []
    while left:
        part, edge = set[T](), {left[0]}
        while edge:
            part |= edge
            edge = {b for a in edge for b in near[a]} - part
        parts.append(part)
        left = [one for one in left if one not in part]
    return sorted(parts, key=len, reverse=True)


class Board(Immutable):
    """An immutable board: provinces and the borders between them.

    Made by :func:`legation.board.read_board`. ``reconstructed`` says which parts aren't known from a source, ``notes``
    (Markdown) why; both are shown with the board, the notes also in other languages (``translated_notes``).
    ``translations`` has names in other languages, by language and province, and ``forms`` those names as they stand in
    sentences. Reach is by location: an army is in a province, a fleet in a province or on one of its coasts."""

    def __init__(
        self,
        name: str,
        title: str,
        provinces: Iterable[Province],
        borders: Iterable[Border],
        credits: str = "",
        reconstructed: str = "",
        notes: str = "",
        translations: Mapping[str, Mapping[str, str]] | None = None,
        forms: Mapping[str, Mapping[str, tuple[str, ...]]] | None = None,
        translated_notes: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.title = title
        self.credits = credits
        self.reconstructed = reconstructed
        self.notes = notes  # for people, in Markdown: where the board comes from, what is certain and what is not
        self.translations: Mapping[str, Mapping[str, str]] = Frozen(
            {language: Frozen(names) for language, names in sorted((translations or {}).items())}
        )
        self.forms = forms or {}
        self.translated_notes: Mapping[str, str] = Frozen(translated_notes or {})
        self.provinces: Mapping[str, Province] = Frozen({p.id: p for p in provinces})
        self.borders: tuple[Border, ...] = tuple(sorted(borders))
        self.complete()

    def __repr__(self) -> str:
        return f"Board({self.name!r}, {len(self.provinces)} provinces)"

    def in_language(self, language: str) -> Board:
        """Return the board with its names in another language, as far as it has them."""
        names = self.translations.get(language, {})
        provinces = [
            msgspec.structs.replace(p, name=names[p.id]) if p.id in names else p for p in self.provinces.values()
        ]
        return Board(
            self.name,
            self.title,
            provinces,
            self.borders,
            self.credits,
            self.reconstructed,
            self.notes,
            self.translations,
            self.forms,
            self.translated_notes,
        )

    def notes_in(self, language: str) -> str:
        """Return the notes in a language; the board's own where it has none in it."""
        return self.translated_notes.get(language, self.notes)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The number of each province, in the order of the board file."""
        return Frozen({p: i for i, p in enumerate(self.provinces)})

    @cached_property
    def locations(self) -> tuple[str, ...]:
        """Every location: all provinces in order, then all separate coasts."""
        coasts = [c for p in self.provinces.values() if p.coasts for c in p.locations]
        return (*self.provinces, *coasts)

    @cached_property
    def centers(self) -> tuple[str, ...]:
        """The supply centers, in the order of the board file."""
        return tuple(p.id for p in self.provinces.values() if p.center)

    @cached_property
    def _neighbors(self) -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
        army: dict[str, set[str]] = {loc: set() for loc in self.locations}
        fleet: dict[str, set[str]] = {loc: set() for loc in self.locations}
        for border in self.borders:
            ways = ((border.a, border.b), (border.b, border.a))
            for a, b in ways[: 1 if border.one_way else 2]:
                if border.army:
                    army[province_of(a)].add(province_of(b))
                if border.fleet:
                    fleet[a].add(b)
        return Frozen({k: frozenset(v) for k, v in army.items()}), Frozen({k: frozenset(v) for k, v in fleet.items()})

    def reach(self, travel: Travel, location: str) -> frozenset[str]:
        """Return the locations that a unit of this travel at ``location`` can move to without a convoy."""
        return self._neighbors[0 if travel == ARMY else 1].get(location, frozenset())

    @cached_property
    def _adjacent(self) -> Mapping[str, frozenset[str]]:
        near: dict[str, set[str]] = {p: set() for p in self.provinces}
        for border in self.borders:
            a, b = border.pair
            near[a].add(b)
            near[b].add(a)
        return Frozen({k: frozenset(v) for k, v in near.items()})

    @cached_property
    def seas(self) -> Mapping[str, frozenset[str]]:
        """The seas beside each location, whichever way fleets pass."""
        near: dict[str, set[str]] = {loc: set() for loc in self.locations}
        for border in self.borders:
            for here, there in ((border.a, border.b), (border.b, border.a)):
                if border.fleet and self.provinces[province_of(there)].sea:
                    near[here].add(there)
        return Frozen({k: frozenset(v) for k, v in near.items()})

    def adjacent(self, province: str) -> frozenset[str]:
        """Return the provinces next to this one, whatever can pass (for distances, STD-C)."""
        return self._adjacent[province]

    def stands(self, travel: Travel, location: str) -> bool:
        """Return whether a unit of this travel can be at ``location``."""
        province = self.provinces.get(province_of(location))
        if province is None:
            return False
        if travel == ARMY:
            return not province.sea and location == province.id
        return (province.sea or province.shore) and location in province.locations

    def name_of(self, location: str) -> str:
        """Return the full name of a location: ``Spain (south coast)``."""
        province, _, coast = location.partition("/")
        name = self.provinces[province].name
        return f"{name} ({COAST_NAMES.get(coast, coast)})" if coast else name


_DROPPED = re.compile(r"['’`´.]")
_SPACES = re.compile(r"[\W_]+")


CACHED_LENGTH = 40  # characters: a name


def fold(text: str) -> str:
    """A name without case, accents, apostrophes, dashes and ``the``; ``&`` is ``and``."""
    return _fold_name(text) if len(text) <= CACHED_LENGTH else _fold(text)


@lru_cache(maxsize=20_000)
def _fold_name(text: str) -> str:
    return _fold(text)


def _fold(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.replace("&", " and ").replace("ß", "ss"))
    text = "".join(c for c in text if not unicodedata.combining(c)).casefold()
    text = _DROPPED.sub("", text).replace("ø", "o").replace("æ", "ae").replace("ð", "d").replace("þ", "th")
    words = _SPACES.split(text)
    return " ".join(w for w in words if w and w != "the")
