"""Names of places and powers as people write them."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Protocol

import msgspec

from legation.board import Board
from legation.board.model import fold as fold
from legation.notation.lexicon import lexicon

SHORTEST_BEGINNING = 3  # letters that must be written of a name
SHORTEST_ALIAS_BEGINNING = 5  # and of a further name, so that the codes of other boards mean nothing here
PEOPLE = "ish"
"""What makes a word of a land one of its people's; the land itself is another place."""
SUGGESTIONS = 3
LIKE = 62  # how alike, of 100, names are that may be meant
UNLIKE_BEGINNING = 76  # and those that begin with another letter
CLOSE = 85  # those of which one is only slightly misspelled
LONGEST_MISSPELLED = 60  # letters for which names like it are looked for
LONG_NAME = 12  # letters of a name in which two may be wrong
SHORTEST_MISSPELLED = 5  # letters of a name in which one may be wrong
MOST_KEPT = 20_000  # names that were looked up
COASTS: dict[str, str] = lexicon().values("COAST")
LETTERS: dict[str, str] = lexicon().values("COASTLETTER")
"""What ``n`` means in ``spa (n)``."""
GENERIC = lexicon().words("GENERIC")
"""Words that may be left out or added where the name of a place is clear without them."""
ASHORE = lexicon().words("ASHORE")
"""Words of GENERIC that belong to places on land; a sea has them only in its full name."""
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
SPELLED_ALSO = lexicon().values("SPELLED")
"""Words of names that are written in another way, too."""
_SEA, _ISLANDS = lexicon().words("SEAWORD"), lexicon().words("ISLANDWORD")


class Named(Protocol):
    """The names of a power that notation needs."""

    @property
    def name(self) -> str:
        """The power's name."""

    @property
    def adjective(self) -> str:
        """What its units are called: "English"."""

    @property
    def names(self) -> Sequence[tuple[str, str]]:
        """Its names in other languages, each behind the code of the language."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names by which it is known."""


class UnknownNameError(LookupError):
    """A name that means nothing, or several things; ``candidates`` are what it could mean."""

    def __init__(self, candidates: tuple[str, ...], *, ambiguous: bool) -> None:
        self.candidates = candidates
        self.ambiguous = ambiguous
        super().__init__(candidates)


class Meaning(msgspec.Struct, frozen=True, cache_hash=True):
    """The places or powers that a name can mean, likeliest first.

    ``sure``: the first is meant unless the rest of the order speaks against it; ``clash``: another place is called
    nearly the same; ``own``: this is the first one's own name, and others are called nearly so only besides theirs."""

    keys: tuple[str, ...]
    sure: bool = True
    clash: bool = False
    own: bool = False


NOTHING = Meaning((), False)


def stem(folded: str) -> str:
    """A name without the words that may be left out: ``Port of Plymouth`` and ``Plymouth Sea Area`` are both
    ``plymouth``."""
    return " ".join(word for word in folded.split() if word not in GENERIC)


class Names:
    """Finds what a name means: exactly, else without generic words, else by its beginning or the beginnings of its
    words."""

    def __init__(self) -> None:
        self._exact: dict[str, dict[str, str]] = {}  # folded name -> id -> the power that may say so ("" = all)
        self._proper: set[str] = set()  # folded names that are no mere aliases
        self._stems: dict[str, dict[str, None]] = {}
        self._proper_stems: set[tuple[str, str]] = set()  # stems of names that are no mere aliases, and their ids
        self._final: set[str] = set()  # names that mean one thing whatever else is called so
        self._shown: dict[str, str] = {}
        self._words: dict[str, list[tuple[str, ...]]] = {}  # first letter -> names of several words
        self._joined: dict[str, dict[str, None]] = {}  # names without their blanks -> folded names
        self.longest = 1  # words in the longest name
        self.begun: set[str] = set()  # beginnings of names of several words, whole words each
        self.seas: frozenset[str] = frozenset()  # what only can be called ``... Sea``
        self.meaning = lru_cache(MOST_KEPT)(self._meaning)
        self.shortened = lru_cache(MOST_KEPT)(self._shortened)
        self.misspelled = lru_cache(MOST_KEPT)(self._misspelled)
        self.known = lru_cache(MOST_KEPT)(self._may_begin)
        self._close_to = lru_cache(MOST_KEPT)(self._like)

    def add(self, key: str, name: str, only: str = "", *, proper: bool = False) -> None:
        """Let ``name`` mean ``key``, for one power only or for all."""
        folded = fold(name)
        if not folded:
            return
        self._add_spellings(key, name, folded, only, proper)
        entry = self._exact.setdefault(folded, {})
        if entry.get(key) != "":
            entry[key] = only
        if proper:
            self._proper.add(folded)
        for said in (folded, fold(name.partition("(")[0])):  # Holland (Lincolnshire) may be called Holland
            if not only and (short := stem(said)):
                self._stems.setdefault(short, {})[key] = None
                if proper:
                    self._proper_stems.add((short, key))
        words = tuple(folded.split())
        self._joined.setdefault("".join(words), {})[folded] = None
        if len(words) > 1 and words not in self._words.setdefault(folded[0], []):
            self._words[folded[0]].append(words)
            self.begun |= {" ".join(words[:i]) for i in range(1, len(words))}
        self.longest = max(self.longest, len(words))

    def _add_spellings(self, key: str, name: str, folded: str, only: str, proper: bool) -> None:
        if name[1:2] == "." and name[2:3].isalpha():  # W.Wales is West Wales, whether a blank parts it or not
            self.add(key, f"{name[:2]} {name[2:]}", only)
        if not name.isascii() and (spelled := name.translate(UMLAUTS)) != name:  # Oesterreich
            self.add(key, spelled, only, proper=proper)
        if name[2:4] == ". ":  # St.Petersburg
            self.add(key, name.replace(" ", "", 1), only)
        for word, short in SPELLED_ALSO.items():
            if word in folded.split():
                self.add(key, " ".join(short if one == word else one for one in folded.split()), only)
        words = folded.split()
        if len(words) == 3 and words[0] in ASHORE and words[1] in GENERIC and len(words[2]) > 1:  # IoW
            self.add(key, f"{words[0][0]}{words[1][0]}{words[2][0]}", only)

    def reserve(self, key: str, name: str) -> None:
        """Let ``name`` mean ``key`` and nothing else."""
        folded = fold(name)
        self._exact[folded] = {k: only for k, only in self._exact[folded].items() if only or k == key}
        self._final.add(folded)

    @property
    def spellings(self) -> Iterable[str]:
        """All names, folded."""
        return self._exact

    def show(self, key: str, text: str) -> None:
        """How a meaning is shown in suggestions."""
        self._shown[key] = text

    def shown(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Meanings as they are shown in suggestions."""
        return tuple(self._shown.get(k, k) for k in list(keys)[:6])

    def exact(self, folded: str, power: str = "") -> str | None:
        """Return the one meaning of a folded name; None if it has none or several."""
        meanings = self._meanings(folded, power)
        return meanings[0] if len(meanings) == 1 else None

    def begins_one(self, folded: str) -> str:
        """The only meaning of all names that begin so, or nothing; a name that is just so goes first."""
        exact = self.exact(folded)
        begun = {key for name in self._beginning(folded) if name in self._proper for key in self._meanings(name, "")}
        return exact or (begun.pop() if len(begun) == 1 else "")

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._exact)

    def _beginning(self, folded: str) -> Iterable[str]:
        names = self._sorted
        at = bisect_left(names, folded)
        while at < len(names) and names[at].startswith(folded):
            yield names[at]
            at += 1

    def _meaning(self, folded: str, power: str = "") -> Meaning:
        """The meanings of a folded name written in full."""
        entry = self._exact.get(folded, {})
        own = [key for key, only in entry.items() if only and only == power]
        common = [key for key, only in entry.items() if not only]
        if folded in self._final:
            return Meaning((*own, *common), True)
        words = folded.split()
        short = stem(folded)
        loose = [key for key in self._stems.get(short, ()) if key not in own and key not in common]
        if not _SEA.isdisjoint(words):  # Nor Sea is no Norway
            loose = [key for key in loose if key in self.seas]
        elif not common and not ASHORE.isdisjoint(words):  # neither Plymouth Port nor Lundy Island is a sea area
            loose = [key for key in loose if key not in self.seas]
        if own:
            return Meaning((*own, *common), True)
        if len(common) == 1:
            own_name = folded in self._proper and not any((short, key) in self._proper_stems for key in loose)
            return Meaning((*common, *loose), True, clash=bool(loose) and short == folded, own=own_name)
        if common:
            return Meaning((*common, *loose), False)
        if loose and short != folded:
            return Meaning(tuple(loose), len(loose) == 1)
        return NOTHING

    def _meanings(self, folded: str, power: str) -> list[str]:
        entry = self._exact.get(folded)
        if not entry:
            return []
        own = [key for key, only in entry.items() if only and only == power]
        return own or [key for key, only in entry.items() if not only]

    def _shortened(self, folded: str, power: str = "") -> Meaning:
        """What the beginning of a name, or the beginnings of its words (``eng ch``), can mean."""
        letters = len(folded.replace(" ", ""))
        if letters < SHORTEST_BEGINNING:
            return NOTHING
        keys: dict[str, None] = {}
        for name in self._beginning(folded):
            if name.startswith(folded + PEOPLE):
                continue  # Kent is no Kentish Knock
            if name in self._proper or letters >= SHORTEST_ALIAS_BEGINNING:
                keys.update(dict.fromkeys(self._meanings(name, power)))
        words = folded.split()
        if len(words) > 1 and not keys and max(map(len, words)) >= SHORTEST_BEGINNING:
            for name_words in self._words.get(folded[0], ()):
                if len(name_words) == len(words) and all(map(str.startswith, name_words, words)):
                    keys.update(dict.fromkeys(self._meanings(" ".join(name_words), power)))
        return Meaning(tuple(keys), len(keys) == 1)

    def joined(self, words: Sequence[str], power: str = "") -> Meaning:
        """Return the meaning of words spaced differently from a name: ``west meath``, ``lehavre``."""
        said = "".join(words)
        names = self._joined.get(said, ()) if len(said) >= SHORTEST_ALIAS_BEGINNING else ()
        keys = dict.fromkeys(key for name in names for key in self._meanings(name, power))
        return Meaning(tuple(keys), len(keys) == 1)

    def _misspelled(self, folded: str, power: str = "") -> tuple[str, ...]:
        """What a name can mean of which a letter is wrong, missing, too many or changed places with the next; of a long
        one two. Of a name of few letters two behind the first may have changed places, or one be missing or too many
        (``mnu``, ``romme``); none may be another one: ``bel`` is no ``ber``."""
        from rapidfuzz.distance import OSA  # only when something was misspelled

        if not SHORTEST_BEGINNING <= len(folded) <= LONGEST_MISSPELLED:
            return ()
        few = len(folded) <= SHORTEST_MISSPELLED
        if len(folded) == SHORTEST_BEGINNING and any(True for _ in self._beginning(folded)):
            return ()  # Tir is the Tirol of a German, and not Trieste
        far = {
            name: OSA.distance(name, folded, score_cutoff=4)
            for name, _ in self._close_to(folded, LIKE - 12 * few)
            if name[0] == folded[0] or name[0] == folded[1:2]
        }
        one = [name for name, letters in far.items() if letters <= 1 and _may_be(name, folded)]
        keys = dict.fromkeys(key for name in one for key in self._meanings(name, power))
        if not keys and len(folded) >= LONG_NAME:
            keys = dict.fromkeys(k for name, n in far.items() if n <= 2 for k in self._meanings(name, power))
            near = {key for name, n in far.items() if n <= 4 for key in self._meanings(name, power)}
            return tuple(keys) if len(near) == 1 else ()
        return tuple(keys)

    def find(self, text: str, power: str = "") -> str:
        """What a name means.

        :raises UnknownNameError: if it means nothing or several things."""
        folded = fold(text)
        meaning = self.meaning(folded, power)
        if not meaning.keys:
            meaning = self.shortened(folded, power)
        if meaning.sure and meaning.keys:
            return meaning.keys[0]
        if meaning.keys:
            raise UnknownNameError(self.shown(meaning.keys), ambiguous=True)
        raise UnknownNameError(self.nearest(folded, power), ambiguous=False)

    def _may_begin(self, word: str) -> bool:
        """Whether a name may begin with a word, as it is written or almost so."""
        known = word in self.begun or bool(self.meaning(word).keys or self.shortened(word).keys)
        known = known or word in self._joined or self.nearly(word) or bool(self.misspelled(word))
        return known or any(map(word.endswith, LETTERS.values()))

    def nearly(self, word: str) -> bool:
        """Whether a word is spelled so much like a name that the name may be meant."""
        return len(word) > SHORTEST_BEGINNING and bool(self._close_to(word, CLOSE))

    def likeness(self, folded: str) -> float:
        """How alike, of 100, the name is that is spelled most like this one; 0 if none is."""
        return next((score for _, score in self._close_to(folded, LIKE)), 0.0)

    def _like(self, folded: str, least: int) -> list[tuple[str, float]]:
        """The names that are spelled like this one, the likest first, and how alike they are."""
        from rapidfuzz import fuzz, process  # only when something was misspelled

        if len(folded) > LONGEST_MISSPELLED:
            return []
        found = process.extract(folded, list(self._exact), scorer=fuzz.ratio, limit=12, score_cutoff=least)
        return [(name, score) for name, score, _ in found]

    def nearest(self, folded: str, power: str) -> tuple[str, ...]:
        """The names that are spelled most like this one, as they are shown: what a misspelled name may mean."""
        close = [
            (name, score)
            for name, score in self._close_to(folded, LIKE)
            if score >= (LIKE if name[0] == folded[0] else UNLIKE_BEGINNING)
        ]
        keys: dict[str, None] = {}
        for name, score in close:
            if score >= close[0][1] - 12:
                keys.update(dict.fromkeys(self._meanings(name, power)))
        return self.shown(list(keys)[:SUGGESTIONS])


def _may_be(name: str, written: str) -> bool:
    """Whether a name can be what was written with one letter wrong: in a short one no letter is another."""
    if min(len(name), len(written)) >= SHORTEST_MISSPELLED:
        return name[0] == written[0] or name[1:] == written
    if name[0] != written[0]:
        return False
    return sorted(name) == sorted(written) or (len(name) != len(written) and len(written) > SHORTEST_BEGINNING)


def place_names(board: Board) -> Names:
    """The names of a board's provinces."""
    names = Names()
    names.seas = frozenset(key for key, province in board.provinces.items() if province.sea)
    for province in board.provinces.values():
        names.show(province.id, f"{province.name} ({province.id})")
        names.add(province.id, province.id, proper=True)
        names.add(province.id, province.name, proper=True)
        for alias in province.aliases:
            name, _, only = alias.partition("@")
            names.add(province.id, name, only)
    for translated in board.translations.values():
        for key, name in translated.items():
            names.add(key, name)
    for province in board.provinces.values():  # an id always means its own province, whatever else is called so
        names.reserve(province.id, province.id)
    return names


def power_names(powers: Sequence[Named]) -> Names:
    """The names of the powers."""
    names = Names()
    for power in powers:
        names.show(power.name, power.name)
        for _, name in power.names:
            names.add(power.name, name)
        for name in (power.name, power.adjective, *power.aliases):
            names.add(power.name, name, proper=True)
            first, sign, second = name.replace("&", "-").partition("-")
            if sign and first.strip() and second.strip():  # A-H, M&P
                names.add(power.name, f"{first[0]}{'&' if '&' in name else '-'}{second.strip()[0]}", proper=True)
                names.add(power.name, f"{first[0]}'s & {second.strip()[0]}'s", proper=True)
    return names


def peoples(board: Board, powers: Names, places: Names) -> dict[str, str]:
    """The provinces by what is called after them (``the Greek army`` is the army in Greece); what is called after two,
    or means a power, is left out."""
    called: dict[str, list[str]] = {}
    for said, land in lexicon().values("PEOPLE").items():
        called.setdefault(land, []).append(said)
    found: dict[str, set[str]] = {}
    for province in board.provinces.values():
        name = fold(province.name)
        derived = [f"{name}n"] if name.endswith("a") and " " not in name else []
        for said in () if province.sea else (*called.get(name, ()), *derived):
            found.setdefault(said, set()).add(province.id)
    return {said: next(iter(keys)) for said, keys in found.items() if len(keys) == 1 and not powers.exact(said)}


def possessive(name: str, mark: str = "'") -> str:
    """Return ``France's``, ``Wales's``, ``Franks'``, ``British``; ``mark`` is the apostrophe."""
    if is_people(name):
        return name
    return f"{name}{mark}" if is_plural(name) else f"{name}{mark}s"


def agrees(name: str, singular: str, plural: str) -> str:
    """Return the form of a verb that goes with names of powers: ``France takes``, ``Franks take``, ``British take``,
    ``France and Italy take``."""
    return plural if is_plural(name) or is_people(name) or not {"&", "and"}.isdisjoint(name.split()) else singular


def called(name: str, aliases: Sequence[str] = ()) -> str:
    """Return a power's name within a sentence, with an article if it is a plural or if ``aliases`` have it with one:
    ``France``, ``the Franks``, ``the Crown``."""
    return f"the {name}" if agrees(name, "", name) or f"The {name}" in aliases else name


def capital(sentence: str) -> str:
    """Return a sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return ``a, b and c``; ``last`` is the word before the last one."""
    *rest, final = names
    return f"{', '.join(rest)} {last} {final}" if rest else final


def is_people(name: str) -> bool:
    """Whether a name is an adjective that stands for a people: ``British``, ``Portuguese``."""
    return name.lower().endswith(("ish", "ese"))


def is_plural(name: str) -> bool:
    """Whether a name is a plural: it ends in an ``s`` that no singular has (``Cyprus``, ``Texas``, ``Wales``)."""
    last = name.lower().rpartition(" ")[2]
    return last.endswith("s") and not last.endswith(("us", "is", "ss")) and last not in lexicon().words("SINGULAR")
