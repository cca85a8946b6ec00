"""A text on its way to orders: its words, and the places, units and powers that they name on a board where units
stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, update_wrapper
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from legation.board import ARMY, province_of
from legation.notation.lexicon import NONE, Classes, lexicon
from legation.notation.names import COASTS, GENERIC, LETTERS, SHORTEST_BEGINNING, Meaning, fold
from legation.notation.tokens import STOP, Token, tokenize
from legation.notation.vocabulary import Vocabulary
from legation.orders import Build, Order, province_at
from legation.position import Phase, Position, Unit

At = TypeVar("At")
Found = TypeVar("Found")
Test = Callable[[str], bool]
"""Of a province: whether it may be the one that is meant."""
LOOSE, SHORT, MISSPELLED, JOINED = 0.3, 0.5, 4.0, 0.6
"""How far-fetched it is that a name is written so."""
EVERYDAY = 1.6  # that a code is meant by what may be a word of everyday language
LETTERS_OF_PLACE = 3
LETTERS_OF_COAST = 2
LONGEST_CODE = 2  # letters of the code of a kind of unit
_WAYS = frozenset(["WAY", "MOVE"])
_THE = lexicon().words("THE")
_FOR_KIND = frozenset(["IT", "UNITWORD"])
_OTHER_CODES = frozenset(["LEAVE", "REMOVE", "DET", "ARTICLE"])
_NO_CAPITALS = _OTHER_CODES | {"IN", "WITHIN", "TO", "TOWARDS"}
_NO_NAME = frozenset('-/(),;:|+←.…?"~')


class Mention(msgspec.Struct, frozen=True, cache_hash=True):
    """A place as it is written: what it can mean, its coast if one is named, where it stands among the words, and
    whether a letter of it is wrong."""

    meaning: Meaning
    coast: str
    first: int
    last: int
    misspelled: bool = False


ANYWHERE = Mention(Meaning(()), "", 0, 0)
"""The place of a unit that is meant without being named."""


class Subject(msgspec.Struct, frozen=True, cache_hash=True):
    """A unit as it is written: ``kind`` and ``power`` are empty where they are not named; ``count`` is how many units
    are announced (``2 armies``), 0 if no number is said."""

    kind: str
    place: Mention
    power: str = ""
    count: int = 0
    at: str = ""  # where it stands, once that is known


def _once(find: Callable[[Text, At], Found]) -> Callable[[Text, At], Found]:
    """Keep what a method of a text finds at a word: it is sought once."""
    name = find.__name__

    def found(text: Text, at: At) -> Found:
        known: dict[At, Found] = text.found[name]
        if at not in known:
            known[at] = find(text, at)
        return known[at]

    return update_wrapper(found, find)


def noted(ordered: Mapping[str, Order], order: Order) -> dict[str, Order]:
    """Return orders, by the province of their unit, with one more as the last; it replaces what its unit was ordered
    before. Builds are not kept."""
    at = province_at(order)
    kept = {unit: given for unit, given in ordered.items() if unit != at}
    return {**kept, at: order} if at and not isinstance(order, Build) else kept


class Text:
    """The words of a text, with what is known of the board, the position and the sheet so far."""

    def __init__(
        self,
        reader: Vocabulary,
        text: str,
        phase: Phase,
        power: str,
        position: Position | None,
        ordered: Mapping[str, Order] = MappingProxyType({}),
    ) -> None:
        self.reader = reader
        self.text = text
        self.phase = phase
        self.power = power
        self.position = position
        self.ordered = ordered
        self.tokens = tokenize(text, reader.codes)
        known = reader.lexicon
        if not text.isascii() or "'" in text:
            self._part_elided()
        self._part_units()
        self.words = [token.text for token in self.tokens]
        self.at: list[Classes] = [known.at(self.words, i) for i in range(len(self.words))]
        self._right_verbs()
        self.words.append("")
        self.at.append(NONE)
        for i in range(len(self.tokens) - 1):  # the code of a kind before a place is nothing else
            if self.words[i] in reader.codes and reader.places.exact(self.words[i + 1], power):
                small = text[self.tokens[i].start].islower() or text.isupper()
                self._drop_classes(i, _OTHER_CODES if small else _NO_CAPITALS)
            if "BY" in self.at[i] and "IN" in self.at[i] and self.like_kind(i):
                self._drop_classes(i, ("BY",))
            if self.tokens[i].soft and len(self.words[i]) == 1:
                self._abbreviated(i)
            if not _WAYS.isdisjoint(self.at[i]) and f"{self.words[i]} {self.words[i + 1]}" in reader.places.spellings:
                self._drop_classes(i, _WAYS)  # West Wales
        self._over: int | None = None
        self.doubtful: list[int] = []  # words that may join names, or be one
        for i in range(len(self.tokens)):
            if self.words[i] in reader.word_codes and self._is_code(i):
                self.at[i] = NONE
        self.begins = [self._begun_with(i) for i in range(len(self.words))]
        self.says: frozenset[str] = frozenset().union(*self.begins)  # all classes and signs of the text
        self.matched: dict[tuple[str, int], list[tuple[int, tuple[tuple[str, object], ...], float]]] = {}
        self.found: defaultdict[str, dict[Any, Any]] = defaultdict(dict)  # what the methods found that seek once
        self.kind = ""  # of the own units that are named without one, where a heading says it
        self.given = False  # whether an order stands before on this line
        self.topic = ""  # the province of the own unit of which a clause spoke
        self.listed = 0  # further units that were tried in lists
        self.claimed = 0  # builds and waivers that the sheet has named so far

    def _begun_with(self, i: int) -> frozenset[str]:
        """The classes of the word and the word as a sign: what a production may begin with here."""
        seen = [name for name, said in (("KIND", self.kinds(i)), ("NUM", self.nums(i))) if said]
        return frozenset([*self.at[i], f'"{self.words[i]}"', *seen])

    def _drop_classes(self, i: int, names: Collection[str]) -> None:
        """Remove classes from a word."""
        self.at[i] = {name: said for name, said in self.at[i].items() if name not in names}

    def _is_code(self, i: int) -> bool:
        """Whether a word that is the code of a place, too, is meant as one: it stands by itself, where a place may, and
        an own unit is there, or a free center where one can be built."""
        before, after = self.words[i - 1] if i else ",", self.words[i + 1]
        verb = not self.at[i + 1].keys().isdisjoint(_DOES)
        if "HOLD" in self.at[i + 1] and not _APART.issuperset(self.words[i + 2 : i + 3]):
            verb = False  # and hold the rest
        if "-" in (before, after) or (before in self.reader.codes and before != self.words[i]) or (verb and i == 0):
            return True  # it would say nothing otherwise
        kind = self.adjusting and any(self.words[end] in _APART for end, _, _ in self.kinds(i + 1))
        listed = (
            not self.written(i, i + 1).islower() and {before, after or before} <= self.reader.board.provinces.keys()
        )
        parted = listed or before in _APART or (i > 0 and (self.tokens[i - 1].soft or "JOINT" in self.at[i - 1]))
        ends = listed or after in _APART or "JOINT" in self.at[i + 1]
        if not (parted and (ends or verb or kind)) or (not after and self.written(i, i + 1).islower()):
            return False
        key = self.reader.places.exact(self.words[i], self.power) or ""
        free = key in self.centers and key not in self.standing
        fits = self.phase is Phase.PLACEMENT or (free if self.adjusting else self.own(key))
        if fits and listed and self.written(i, i + 1).isupper():  # LIS AND ORA
            self.doubtful.append(i)
            return False
        return fits

    def _abbreviated(self, i: int) -> None:
        """Let a letter with a full stop join nothing (``E. Med``), and end nothing where it says that a unit supports
        the one behind it (``A ven S. A rom``)."""
        if "JOINT" in self.at[i]:
            self._drop_classes(i, ("JOINT", "AND"))
        if i and self.words[i - 1].isalnum() and "SUPPORT" in self.at[i] and self.kinds(i + 1):
            self.tokens[i] = msgspec.structs.replace(self.tokens[i], soft=False)

    def _right_verbs(self) -> None:
        """Let a word of which two letters changed places, or one is wrong, missing or too many, be the word of orders
        that it is nearest to, if it is nothing else."""
        for i, word in enumerate(self.words):
            plain = len(word) > LONGEST_CODE + 1 and word.isalpha() and not self.at[i]
            if plain and not self.reader.places.known(word):
                self.at[i] = self.reader.near_verb(word)

    def _part_elided(self) -> None:
        """Let an elided article be a word of its own (``l'Espagne``), but in names (``Mer d'Irlande``)."""
        elided, named = self.reader.lexicon.values("ELIDED"), self.reader.words_of_places
        for i in range(len(self.tokens) - 1, -1, -1):
            token = self.tokens[i]
            article, _, word = self.text[token.start : token.end].replace("’", "'").partition("'")
            says = elided.get(fold(article)) if word else None
            if says and token.text not in named:
                begin = token.end - len(word)
                self.tokens[i] = msgspec.structs.replace(token, text=fold(word), start=begin, glued=True)
                self.tokens.insert(i, Token(says, token.start, begin, glued=token.glued))

    def _part_units(self) -> None:
        """Let a full stop end a sentence that stands behind the name of a kind of unit in full and before a place, or
        before a unit and behind a word that is no word of orders."""
        tokens, reader = self.tokens, self.reader
        for i in range(len(tokens) - 2, -1, -1):
            token, place = tokens[i], i + 1
            if not token.soft or len(token.text) == 1:
                continue
            if token.text not in reader.kind_names:
                known = reader.lexicon.classes(token.text) or reader.powers.begins_one(token.text)
                if (
                    known
                    or token.text in reader.kinds
                    or tokens[place].text not in reader.codes
                    or place + 1 == len(tokens)
                ):
                    continue
                place += 1
            if reader.places.exact(tokens[place].text, self.power) is not None:
                tokens[i] = msgspec.structs.replace(token, soft=False)
                tokens.insert(i + 1, Token(STOP, token.end, token.end + 1))

    @property
    def adjusting(self) -> bool:
        """Whether units are built, so that a unit alone is an order."""
        return self.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT)

    def written(self, first: int, last: int) -> str:
        """Return the text of the words from ``first`` up to ``last``."""
        if first >= len(self.tokens) or last <= first:
            return ""
        return self.text[self.tokens[first].start : self.tokens[last - 1].end]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return where the words from ``first`` up to ``last`` stand."""
        if first >= len(self.tokens):
            return (len(self.text), len(self.text))
        return self.tokens[first].start, self.tokens[max(last, first + 1) - 1].end

    def forget_units(self) -> None:
        """Let units be found anew, since what ``it`` means has changed."""
        self.found["units"].clear()
        self.matched.clear()

    # Where units stand

    @cached_property
    def standing(self) -> Mapping[str, Unit]:
        """The units that are ordered in this phase, by province; empty where no position is known."""
        units: Sequence[Unit] = ()
        if self.position is not None:
            retreating = self.phase is Phase.RETREATS
            units = [d.unit for d in self.position.dislodged] if retreating else self.position.units
        return {unit.province: unit for unit in units}

    @cached_property
    def centers(self) -> frozenset[str]:
        """The centers of the power that writes; none where no position is known."""
        return frozenset(self.position.centers_of(self.power) if self.position is not None else ())

    def stands(self, kind: str) -> Test:
        """Whether a unit of the kind can stand in a province."""
        board, travel = self.reader.board, self.reader.travel.get(kind)
        return lambda province: (
            travel is None or any(board.stands(travel, at) for at in (province, *board.provinces[province].locations))
        )

    def present(self, kind: str = "", power: str = "") -> Test:
        """Whether such a unit stands in a province now."""

        def test(province: str) -> bool:
            unit = self.standing.get(province)
            return unit is not None and kind in ("", unit.kind) and power in ("", unit.power)

        return test

    def reaches(self, kind: str, at: str) -> Test:
        """Whether the unit can get to a province by itself."""
        board = self.reader.board
        stands = self.standing.get(province_of(at))
        travel = self.reader.travel.get(kind or (stands.kind if stands else ""))
        starts = {at, stands.at if stands else at}
        if at in board.provinces and not stands:
            starts |= set(board.provinces[at].locations)
        travels = (travel,) if travel else tuple(self.reader.travel.values())
        near = {province_of(to) for t in travels for start in starts for to in board.reach(t, start)}
        return near.__contains__

    def lands(self, kind: str, at: str) -> Test:
        """Whether the unit, if it is an army, could be carried to a province over the sea."""
        stands = self.standing.get(province_of(at))
        travel = self.reader.travel.get(kind or (stands.kind if stands else ""), ARMY)
        provinces = self.reader.board.provinces
        return lambda province: travel != ARMY or not provinces[province].sea

    def coded(self, i: int) -> bool:
        """Whether a kind of unit stands at a word in capitals, before a word that needn't be known."""
        code = bool(self.kinds(i)) and self.text[self.tokens[i].start].isupper()
        name = self.words[i + 1]
        return code and name.isalpha() and (len(name) > LONGEST_CODE or not self.at[i + 1])

    def own(self, province: str) -> bool:
        """Whether a unit of the power that writes stands in a province."""
        unit = self.standing.get(province)
        return unit is not None and unit.power == self.power

    def own_units(self, kind: str = "") -> list[Unit]:
        """Return the units of the power that writes that are ordered in this phase, of one kind if it is given."""
        return [unit for unit in self.standing.values() if unit.power == self.power and kind in ("", unit.kind)]

    def last_ordered(self) -> Order | None:
        """Return the order that the sheet gave last."""
        return [*self.ordered.values()][-1] if self.ordered else None

    def orders_at(self, province: str) -> bool:
        """Whether the power that writes may order something in a province: a unit of its own, or a build."""
        builds = self.phase is Phase.PLACEMENT or (self.adjusting and province in self.centers)
        return builds or self.own(province)

    def units_over(self) -> int:
        """How many units the power has more than centers; less than none where it builds."""
        if self.position is None or not self.power:
            return 0
        if self._over is None:
            size = sum(self.reader.costs.get(unit.kind, 1) for unit in self.position.units_of(self.power))
            self._over = size - len(self.centers)
        return self._over

    # Places

    @_once
    def places(self, i: int) -> list[tuple[int, Mention, float]]:
        """The places that may be named at a word, each with where its name ends and how far-fetched that is."""
        before = self._coast_before(i + ("THE" in self.at[i]))
        found: list[tuple[int, Mention, float]] = []
        if before is not None:
            coast, begin = before
            found += [
                (end, Mention(m, coast, i, end), cost)
                for end, m, cost, _, _ in self._named(begin)
                if coast in self.reader.board.provinces[m.keys[0]].coasts
            ]
        start = i + ("THE" in self.at[i])
        for end, meaning, cost, glued, misspelled in self._named(start):
            if glued:
                found.append((end, Mention(meaning, glued, i, end), cost))
                continue
            coasts = self._coasts(end, meaning)
            found += [(after, Mention(meaning, code, i, after, misspelled), cost) for after, code in coasts]
            if coasts and self.words[end] in ("(", "/") and self.reader.board.provinces[meaning.keys[0]].coasts:
                continue  # Spa (ec) is no Spa
            found.append((end, Mention(meaning, "", i, end, misspelled), cost + 0.2 * bool(coasts)))
        return [self._named_twice(one) if self.words[one[0]] == "(" else one for one in found]

    def _named_twice(self, named: tuple[int, Mention, float]) -> tuple[int, Mention, float]:
        """Return a place's name together with another name of it in brackets, if there is one: ``Paris (Par)``."""
        end, mention, cost = named
        for last, meaning, _, _, _ in self._named(end + 1):
            if self.words[last] == ")" and meaning.keys[:1] == mention.meaning.keys[:1]:
                return last + 1, msgspec.structs.replace(mention, last=last + 1), cost
        return named

    def _words_of_name(self, i: int) -> tuple[list[str], list[int]]:
        """The words from one on that may be one name, and where each ends."""
        names, tokens = self.reader.places, self.tokens
        words: list[str] = []
        ends: list[int] = []
        most = names.longest + 2
        for at in range(i, min(len(tokens), i + 2 * most)):
            word = tokens[at].text
            if word not in _NO_NAME:
                if word not in _THE:
                    words.append("and" if word == "&" else word)
                    ends.append(at + 1)
                    if len(words) == most:
                        break
            elif word == "-":
                if not words or not tokens[at].glued or at + 1 >= len(tokens) or not tokens[at + 1].glued:
                    break
            elif word != "," or " ".join(words) not in names.begun:  # Belfast, City and Castle
                break
        return words, ends

    @_once
    def _named(self, i: int) -> list[tuple[int, Meaning, float, str, bool]]:
        """The names at a word: where each ends, what it means, how far-fetched it is, the coast that is glued to it,
        and whether it is misspelled."""
        names, power = self.reader.places, self.power
        first = self.words[i]
        if not first or first in _NO_NAME or not (first in _THE or first == "&" or self._begins_name(first, i)):
            return []
        words, ends = self._words_of_name(i)
        if not words or not self._begins_name(words[0], ends[0] - 1):
            return []
        found: list[tuple[int, Meaning, float, str, bool]] = []
        longest = 0
        for count in range(1, len(words) + 1):
            said = " ".join(words[:count])
            meaning = names.meaning(said, power)
            if not meaning.keys and self.tokens[ends[count - 1] - 1].owns and said.endswith("s"):
                meaning = names.meaning(said[:-1], power)
            if meaning.keys:
                exact = names.exact(said, power) is not None or len(meaning.keys) > 1
                found.insert(0, (ends[count - 1], meaning, 0.0 if exact else LOOSE, "", False))
                longest = count
            if said not in names.begun and GENERIC.isdisjoint(words[count - 1 : count + 1]):
                break
        found = self._with_brackets(words, ends) + found
        if (land := self.reader.peoples.get(words[0])) and len(self.words[ends[0]]) > LONGEST_CODE:
            keys = (*(found[0][1].keys if found else ()), land)
            if self.kinds(ends[0]) or "AND" in self.at[ends[0]] or "ONE" in self.at[ends[0]]:
                found.insert(0, (ends[0], Meaning(tuple(dict.fromkeys(keys)), False), 0.05, "", False))
        found = self._shortened(words, ends, longest) + found
        if not found:
            return self._odd(words, ends, 0)
        last = found[0][0]
        begun = self.words[last] == "&" and " ".join(words[: longest + 1]) in self.reader.places.begun
        if last < ends[-1] and (begun or self._unknown(last)):
            odd = [one for one in self._odd(words, ends, longest) if one[0] > last]
            found = odd + ([] if odd and begun else found)
        return found

    def _begins_name(self, word: str, i: int) -> bool:
        return self.reader.places.known(word) or word in self.reader.peoples or self.tokens[i].owns

    def _unknown(self, i: int) -> bool:
        word = self.words[i]
        known = self.at[i] or self.reader.places.meaning(word, self.power).keys
        return word.isalpha() and len(word) > 2 and not known

    def _with_brackets(self, words: list[str], ends: list[int]) -> list[tuple[int, Meaning, float, str, bool]]:
        """A name that ends in a bracket: ``Portland (Dorset)``, ``Wight (sea)``."""
        at = ends[-1]
        if self.words[at] != "(":
            return []
        inner = self.words[at + 1 : at + 5]
        if ")" not in inner[1:]:
            return []
        inner = [word for word in inner[: inner.index(")")] if word not in _THE]
        close = at + 2 + self.words[at + 1 : at + 6].index(")")
        names = self.reader.places
        said = " ".join([*words, *inner])
        meaning = names.meaning(said, self.power)
        if not meaning.keys or not meaning.sure:
            meaning = names.meaning(" ".join([*inner, *words]), self.power)
        if not meaning.keys or COASTS.get(" ".join(inner)):
            return []
        return [(close, Meaning(meaning.keys[:1]), 0.0, "", False)]

    def _shortened(
        self, words: list[str], ends: list[int], longest: int
    ) -> list[tuple[int, Meaning, float, str, bool]]:
        """Shortened names that are longer than the longest full one."""
        names = self.reader.places
        most = min(len(words), names.longest)
        says = (n for n in range(1, most) if self._says(ends[n] - 1) and "OF" not in self.at[ends[n] - 1])
        whole = next(says, most)  # as many words say nothing else
        for count in range(most, longest, -1):
            if count > whole and not (self.tokens[ends[count - 1] - 1].soft and len(words[count - 1]) == 1):
                continue
            said = " ".join(words[:count])
            at = ends[0] - 1
            if count == 1 and (self._acts(at) or self._everyday(at)):
                continue  # hold is no Holderness, not no Nottinghamshire
            meaning = names.shortened(said, self.power)
            if meaning.keys:
                return [(ends[count - 1], meaning, SHORT, "", False)]
        return []

    def _says(self, i: int) -> bool:
        """Whether a word says what a unit does, or joins, and so ends a shortened name."""
        classes = self.at[i]
        return len(self.words[i]) < 2 or not classes.keys().isdisjoint(_ENDS_NAME)

    def _acts(self, i: int) -> bool:
        return len(self.words[i]) > SHORTEST_BEGINNING and not self.at[i].keys().isdisjoint(_ENDS_NAME)

    def _everyday(self, i: int) -> bool:
        """Whether a word has another meaning, and neither a kind of unit nor a dash stands before it: ``here`` is no
        Herefordshire."""
        return bool(self.at[i]) and not (i > 0 and (self.words[i - 1] == "-" or self.kinds(i - 1)))

    def _odd(self, words: list[str], ends: list[int], longest: int) -> list[tuple[int, Meaning, float, str, bool]]:
        """Names whose words are joined otherwise, with the coast glued to them, or with a letter wrong."""
        names = self.reader.places
        for count in range(min(len(words), names.longest + 1), longest, -1):
            meaning = names.joined(words[:count], self.power)
            if meaning.sure:
                return [(ends[count - 1], meaning, JOINED, "", False)]
        for code in sorted(set(LETTERS.values())):
            if words[0].endswith(code):
                meaning = names.meaning(words[0].removesuffix(code), self.power)
                if meaning.keys and code in self.reader.board.provinces[meaning.keys[0]].coasts:
                    return [(ends[0], meaning, JOINED, code, False)]
        if self.position is None:
            return []  # nothing tells what a misspelled name means
        at = ends[0] - 1
        if self.at[at] or words[0] in self.reader.kinds:
            return []  # Best, of whoever signs, is no Brest
        found: list[tuple[int, Meaning, float, str, bool]] = []
        for count in range(longest + 1, min(len(words), names.longest) + 1):
            said = " ".join(words[:count])
            end = ends[count - 1]
            if count > 1 and self._says(end - 1) and "OF" not in self.at[end - 1] and said not in names.begun:
                break
            keys = names.misspelled(said, self.power)
            if keys:
                found.insert(0, (end, Meaning(keys, len(keys) == 1), MISSPELLED, "", True))
        return found

    def _coast_before(self, i: int) -> tuple[str, int] | None:
        """``north coast of``, ``South`` before the name of a place that has such a coast, and where that begins."""
        for length, code in self.at[i].get("COAST", ()):
            after = i + length
            if "OF" in self.at[after]:
                after += 1
            elif length > 1 or self.words[i + length] == "":
                continue
            return code, after + ("THE" in self.at[after])
        for _, code in self.at[i].get("COASTLETTER", ()):
            key = self.reader.places.exact(self.words[i + 1], self.power)
            if key is not None and code in self.reader.board.provinces[key].coasts:
                return code, i + 1
        return None

    def _coasts(self, i: int, meaning: Meaning) -> list[tuple[int, str]]:
        """The coasts that may be named behind a place, and where each ends."""
        coasts = self.reader.board.provinces[meaning.keys[0]].coasts
        sign = self.words[i]
        if sign in ("/", "(", "-", ","):
            inner = i + 1
            if sign == "-" and not coasts:
                return []
            found = self._coast_named(inner, coasts, sign)
            if sign == "-" and not self.tokens[i].glued:
                found = [(end, code) for end, code in found if code in coasts and self.ends(end)]
            if sign == "(":
                found = [(end + 1, code) for end, code in found if self.words[end] == ")"]
            if sign == ",":
                found = [(end, code) for end, code in found if code in coasts and self._ends_unit(end)]
            return found
        begin = i + 2 if "IN" in self.at[i] and "THE" in self.at[i + 1] else i
        named = self._coast_named(begin, coasts, "")
        if named and any(end > begin + 1 and not cost for end, _, cost, _, _ in self._named(begin)):
            return []  # A devon North Kerry
        return [(end, code) for end, code in named if code in coasts]

    def _coast_named(self, i: int, coasts: Sequence[str], sign: str) -> list[tuple[int, str]]:
        """``sign`` stands before the coast; behind a glued slash one is read that isn't there, so that this is told."""
        found = [(i + length, code) for length, code in self.at[i].get("COAST", ())]
        glued = sign == "/" and i < len(self.tokens) and self.tokens[i].glued and self.tokens[i - 1].glued
        for length, code in self.at[i].get("COASTLETTER", ()):
            if self.words[i + 1] == "/" and self.words[i + 2] == "c":
                found.append((i + 3, code))
            elif (code in coasts and sign) or ((glued or code in coasts) and self.ends(i + length)):
                found.append((i + length, code))
        letters = len(self.words[i]) == LETTERS_OF_COAST and self.words[i].isalpha()
        if glued and not found and letters and not self.at[i]:
            found.append((i + 1, self.words[i]))
        return found

    def ends(self, i: int) -> bool:
        """Whether what is said may end before a word."""
        if i >= len(self.tokens) or "JOINT" in self.at[i] or self.words[i] in _ENDING:
            return True
        if i == 0 or not self.tokens[i - 1].soft:
            return False
        return len(self.words[i - 1]) > 1 and ("POINTER" in self.at[i - 1] or not self.kinds(i))

    # Kinds, powers and numbers

    def kinds(self, i: int) -> list[tuple[int, str, float]]:
        """The kinds of unit that may be named at a word."""
        kinds = self.reader.kinds
        word = self.words[i]
        found: list[tuple[int, str, float]] = []
        if word in kinds:
            found.append((i + 1, kinds[word], 0.0))
        pair = f"{word} {self.words[i + 1]}" if word else ""
        if pair in kinds:
            found.insert(0, (i + 2, kinds[pair], 0.0))
        if word == "3" and self.words[i + 1] == "-" and "3d" in kinds and self.words[i + 2] == "d":
            found.insert(0, (i + 3, kinds["3d"], 0.0))
        return found

    def like_kind(self, i: int) -> bool:
        """Whether a word is a kind of unit, or written like the code of one."""
        word = self.words[i]
        return word in self.reader.kinds or (len(word) <= LONGEST_CODE and self.written(i, i + 1).isupper())

    def odd(self, i: int) -> bool:
        """Whether a word means nothing, or is written like the code of a kind that no unit here is of."""
        word = self.words[i]
        known = self.at[i] or self.powers(i) or self.places(i)
        return word.isalnum() and word not in self.reader.kinds and (not known or self.like_kind(i))

    def nums(self, i: int) -> list[tuple[int, int, float]]:
        """The numbers that may be said at a word."""
        word = self.words[i]
        if word.isdecimal() and len(word) < 4:
            return [(i + 1, int(word), 0.0)]
        return [(i + length, int(says), 0.0) for length, says in self.at[i].get("NUMBER", ())]

    def names(self, i: int) -> list[tuple[int, str, float]]:
        """The word with a capital that stands where a power's name may, and names nothing."""
        written = self.written(i, i + 1)
        return [(i + 1, written, 0.0)] if written[:1].isupper() and not (self.powers(i) or self.places(i)) else []

    @_once
    def powers(self, i: int) -> list[tuple[int, str, float]]:
        """The powers that may be named at a word, the longest names first."""
        names = self.reader.powers
        word = self.words[i]
        if not word or not (word[-1].isalnum() or word == "@"):
            return []
        found: list[tuple[int, str, float]] = []
        said: list[str] = []
        for end in range(i + 1, min(i + names.longest + 1, len(self.tokens)) + 1):
            last = self.words[end - 1]
            if not (last.isalnum() or last in _NO_SIGN):
                break
            if last == "-":
                continue
            said.append("and" if last == "&" else last)
            phrase = fold(" ".join(said))
            power = names.exact(phrase)
            if power is None and phrase.endswith("s") and (self.tokens[end - 1].owns or len(phrase) > 4):
                power = names.exact(phrase[:-1])
            if power is not None and len(phrase) > 2:
                found.insert(0, (end, power, 0.0))
            if phrase and phrase not in names.begun:
                break
        if not found and word.isalpha():
            found = self._short_power(i, word)
        return found

    def _short_power(self, i: int, word: str) -> list[tuple[int, str, float]]:
        names = self.reader.powers
        if len(word) < SHORTEST_BEGINNING:
            joins = word in self.reader.codes or ("OR" in self.at[i] and self.written(i, i + 1).islower())
            named = "" if joins else names.begins_one(word)
            return [(i + 1, named, 1.0)] if named else []
        short = names.shortened(word)
        if short.sure and short.keys:
            return [(i + 1, short.keys[0], SHORT)]
        missed = names.misspelled(word) if len(word) > 4 and not self.reader.places.nearly(word) else ()
        return [(i + 1, missed[0], MISSPELLED)] if len(missed) == 1 else []

    # Units

    @_once
    def behind_articles(self, i: int) -> list[int]:
        """Where what comes next may begin: at a word, and behind each of the articles that stand there."""
        starts = [i]
        while len(starts) < 4 and (said := self.at[starts[-1]].get("ARTICLE")) and not self.tokens[starts[-1]].soft:
            starts.append(starts[-1] + said[0][0])
        return starts

    @_once
    def units(self, i: int) -> list[tuple[int, Subject, float]]:
        """The units that may be named at a word: whose they are, of which kind, and where."""
        starts = self.behind_articles(i)
        owned = {(named, ""): 0.0 for named in (*starts, *self.behind_articles(starts[-1]))}
        for start in starts:
            for whose, power, far in self._owners(start):
                for named in self.behind_articles(whose + (self.words[whose] == ":")):
                    owned[named, power] = min(far, owned.get((named, power), far))
        best: dict[tuple[int, Subject], float] = {}
        for at, far in owned.items():
            for key, odd in self._kind_and_place(at).items():
                if far >= MISSPELLED and not any(map(self.present(power=at[1]), key[1].place.meaning.keys)):
                    continue  # a power with a wrong letter is named only before a unit of its own
                best[key] = min(far + odd, best.get(key, far + odd))
        self._only_ones(i, best)
        ordered = sorted(best.items(), key=lambda item: (item[1], -item[0][0]))
        return [(end, subject, cost) for (end, subject), cost in ordered]

    def units_with_kind(self, first: int, last: int) -> Iterator[Subject]:
        """The likeliest unit at each of some words, where its kind is named, too."""
        glued = (word[:1] in self.reader.codes and len(word) > SHORTEST_BEGINNING for word in self.words[first:last])
        if any(glued) or any(self.kinds(i) or self.at[i].keys() & _FOR_KIND for i in range(first, last)):
            for i in range(first, last):
                yield from (unit for end, unit, cost in self.units(i)[:1] if end <= last and cost < 1 and unit.kind)

    def _is_everyday_code(self, i: int) -> bool:
        """Whether the code of a place stands in small letters behind an article: the war is no unit in Warsaw."""
        word = self.words[i]
        is_code = len(word) <= LETTERS_OF_PLACE and "ARTICLE" in self.at[i - 1] and self.written(i, i + 1).islower()
        return is_code and self.reader.places.exact(word) is not None

    def _only_ones(self, i: int, best: dict[tuple[int, Subject], float]) -> None:
        """The only own unit of a kind that is named without a place (``the fleet goes``), and ``it``, the unit of which
        the sentence spoke before."""
        if self.adjusting and self.units_over() <= 0:
            return  # the fleet that is spoken of is one to build
        for start in self.behind_articles(i):
            named = [(end, kind) for end, kind, _ in self.kinds(start) if len(self.words[start]) > LONGEST_CODE]
            if start > i and "UNITWORD" in self.at[start - 1]:
                named.append((start, ""))
            for end, kind in named:
                if any(self.places(end + length) for length, _ in self.at[end].get("IN", ())):
                    continue  # the unit at Paris
                mine = self.own_units(kind)
                if len(mine) == 1 and not self.words[start].endswith("ies"):
                    self._add_known(end, mine[0], i, best, 0.8)
        for length, _ in self.at[i].get("IT", ()) if self.topic in self.standing else ():
            unit = self.standing[self.topic]
            if all(kind == unit.kind for _, kind, _ in self.kinds(i + length - 1)):
                self._add_known(i + length, unit, i, best, 0.7)

    def _add_known(self, end: int, unit: Unit, i: int, best: dict[tuple[int, Subject], float], cost: float) -> None:
        code = unit.at.partition("/")[2]
        subject = Subject(unit.kind, Mention(Meaning((unit.province,)), code, i, end))
        best.setdefault((end, subject), cost)

    def _owners(self, i: int) -> list[tuple[int, str, float]]:
        if self.words[i] == "(":
            return [(end + 1, power, far) for end, power, far in self.powers(i + 1) if self.words[end] == ")"]
        return self.powers(i)

    @_once
    def _kind_and_place(self, at: tuple[int, str]) -> dict[tuple[int, Subject], float]:
        """Units at a word, behind articles and the power they belong to: a kind and a place in either order."""
        i, power = at
        found: dict[tuple[int, Subject], float] = {}
        kinds = self._kinds_before(i)
        everyday = EVERYDAY * self._is_everyday_code(i)
        for begin, kind, count, cost in [*kinds, (i, "", 0, 0.1)]:
            starts = {begin}
            if kind:
                starts |= {begin + length for length, _ in self.at[begin].get("IN", ())}
                comma = self.words[begin] == "," and (self.adjusting or len(self.words[begin - 1]) > LONGEST_CODE)
                colon = self.words[begin] in (":", "/") or comma
                starts |= {begin + 1} if colon else set()
            elif "IN" in self.at[begin] and not self.like_kind(begin):
                starts |= {begin + length for length, _ in self.at[begin]["IN"]}
            for start in starts:
                between = self.words[i - 1] == self.words[start - 1] == ","  # Par, A, Mar: the kind before it
                apart = 0.7 * between if kind else 0.05 * (start > begin)
                for end, place, odd in self._placed(start):
                    for last, kind_found, owner, further in self._behind(end, kind):
                        subject = Subject(kind_found, place, power or owner, count)
                        total = everyday + cost + odd + further + apart + self._misfit(subject)
                        found[last, subject] = min(total, found.get((last, subject), total))
                        for after, code in self._coasts(last, place.meaning) if last > end and not kind else ():
                            coasted = msgspec.structs.replace(place, coast=code, last=after)  # StP: F sc
                            found[after, msgspec.structs.replace(subject, place=coasted)] = total
        return found

    def _kinds_before(self, i: int) -> list[tuple[int, str, int, float]]:
        """Kinds of unit before a place, with the number of units before them: ``two armies``, ``(A)``."""
        found: list[tuple[int, str, int, float]] = []
        for begin, count in [(i, 0), *((end, number) for end, number, _ in self.nums(i))]:
            bracket = self.words[begin] == "("
            for end, kind, _ in self.kinds(begin + bracket):
                if bracket:
                    if self.words[end] != ")":
                        continue
                    end += 1
                again = self.words[end] == "(" and self.kinds(end + 1) == [(end + 2, kind, 0.0)]
                if again and self.words[end + 2 : end + 3] == [")"]:
                    end += 3  # a defensive army (3D)
                if "UNITS" in self.at[end] and len(self.words[end - 1]) > LONGEST_CODE:
                    end += 1
                one = count if len(self.words[end - 1]) > LONGEST_CODE or count > 1 else 0
                found.append((end, kind, one if begin > i else 0, 0.0))
        word = self.words[i]
        if not found and len(word) > SHORTEST_BEGINNING and word[0] in self.reader.codes:
            found += self._glued(i, word)
        return found

    def _glued(self, i: int, word: str) -> list[tuple[int, str, int, float]]:
        """A kind's letter that is glued to a name (``ALon``), where both say nothing else: parts the word in two."""
        names = self.reader.places
        kind = word[0]
        token = self.tokens[i]
        capitals = self.text[token.start : token.start + 2].isupper()
        meaning = names.meaning(word[1:], self.power)
        if not meaning.keys or names.meaning(word).keys or names.shortened(word).keys or self.at[i]:
            return []
        if not capitals and not any(map(self.present(kind.upper(), self.power), meaning.keys)):
            return []
        middle = token.start + 1
        self.tokens[i : i + 1] = [
            msgspec.structs.replace(token, text=kind, end=middle, soft=False),
            msgspec.structs.replace(token, text=word[1:], start=middle, glued=True),
        ]
        self.words[i : i + 1] = [kind, word[1:]]
        self.found.clear()
        self.matched.clear()
        self.at[i : i + 1] = [self.reader.lexicon.classes(kind), NONE]
        self.begins[i : i + 1] = [self._begun_with(i), self._begun_with(i + 1)]
        self.says = self.says.union(*self.begins[i : i + 2])
        return [(i + 1, self.reader.kinds[kind], 0, 0.0)]

    def _placed(self, i: int) -> list[tuple[int, Mention, float]]:
        if self.words[i] != "(":
            return self.places(i)
        if i and not self.tokens[i].glued and self.words[i - 1].isalnum() and not self.like_kind(i - 1):
            return []  # A Mar (Par)
        found = []
        for end, place, cost in self.places(i + 1):
            if self.words[end] == ")":
                found.append((end + 1, place, cost))
                for after, code in self._coasts(end + 1, place.meaning):  # F(StP)nc
                    found.append((after, msgspec.structs.replace(place, coast=code, last=after), cost))
        return found

    def _behind(self, i: int, kind: str) -> list[tuple[int, str, str, float]]:
        """What may stand behind a unit's place: its kind, and its power in brackets."""
        found = [(i, kind, "", 0.0)]
        if self.words[i] == "(" and "ORIGIN" in self.at[i + 1] and ")" in self.words[i : i + 7]:
            i += self.words[i : i + 7].index(")") + 1  # (dislodged by Russia), (mercenary unit)
            found.append((i, kind, "", 0.0))
        if not kind:
            found += self._kind_after_sign(i)
            bracket = self.words[i] == "("
            for end, behind, _ in self.kinds(i + bracket + (bracket and "THE" in self.at[i + 1])):
                if bracket and self.words[end] == ")":
                    found.append((end + 1, behind, "", 0.0))
                elif not bracket and not self.tokens[i - 1].soft:
                    if len(self.words[i]) > LONGEST_CODE or (self.adjusting and self._ends_unit(end)):
                        found.append((end, behind, "", 0.0))
            if ("UNITS" in self.at[i] or "ONE" in self.at[i]) and not self.tokens[i - 1].soft:
                found.append((i + 1, "", "", 0.0))
        for end, one, _, _ in list(found):
            if self.words[end] == "(":
                inner = end + 1 + ("ARTICLE" in self.at[end + 1])
                inner += "OF" in self.at[inner] or "BY" in self.at[inner]
                for after, power, _ in self.powers(inner):
                    after += any(True for _ in self.kinds(after)) or "UNITS" in self.at[after]
                    if self.words[after] == ")":
                        found.append((after + 1, one, power, 0.0))
        return found

    def _kind_after_sign(self, i: int) -> list[tuple[int, str, str, float]]:
        """A kind behind a place and a sign: ``Par: A - bur``, ``Paris, army`` where units are built, ``Munich A -``."""
        sign = self.words[i] in (":", ",", "-", "=", "/")
        if i and self.tokens[i - 1].soft and not sign:
            return []
        begin = i + sign
        while sign and self.adjusting and self.at[begin].keys() & {"DET"} and self.kinds(begin + 1):
            begin += 1
        found: list[tuple[int, str, str, float]] = []
        for end, kind, _ in self.kinds(begin):
            heads = self.words[end] == ":" or (self.words[end] == "(" and self.tokens[end].glued)
            if heads and self.adjusting and self.places(end + 1):
                continue  # Par, a fleet: Bre
            goes_on = self.words[end] in ("-", ":") or not self.at[end].keys().isdisjoint(_DOES)
            ends = self._ends_unit(end) or (self.words[i] in (":", "=") and self.tokens[end - 1].soft)
            alone = self.phase is not Phase.MOVEMENT and ends and (sign or len(self.words[begin]) > 1)
            if alone:
                found.append((end, kind, "", 0.0))
            elif goes_on and not self.adjusting and self.words[i] != "-":
                found.append((end + (self.words[end] == ":"), kind, "", 0.35))
        return found

    def _ends_unit(self, i: int) -> bool:
        return self.ends(i) or self.words[i] == "(" or not self.at[i].keys().isdisjoint(("TAIL", "COAST", "BECAUSE"))

    def _misfit(self, subject: Subject) -> float:
        """How much a unit doesn't fit what stands on the board."""
        keys = subject.place.meaning.keys
        if not self.standing or (self.adjusting and self.standing.keys().isdisjoint(keys)):
            return 0.0
        fits = any(map(self.present(subject.kind, subject.power), keys))
        return 0.0 if fits else 0.6 + 0.6 * subject.place.misspelled

    # What is meant

    def pick(self, mention: Mention, *tests: Test) -> str | None:
        """The location that is meant: of several places with such a name the one that passes the tests, the first of
        them weighing most; None if several are left or nothing fits a misspelled one."""
        keys = mention.meaning.keys
        if mention.misspelled:
            keys = tuple(key for key in keys if all(test(key) for test in tests[:2])) if len(tests) > 1 else keys
            if len(keys) != 1:
                return None
        if len(keys) > 1:
            for test in tests:
                fitting = tuple(key for key in keys if test(key))
                keys = fitting or (keys if mention.meaning.sure else mention.meaning.keys)
        sure = mention.meaning.sure and keys[0] == mention.meaning.keys[0]
        if mention.meaning.own and sure and all(test(keys[0]) for test in tests):
            keys = keys[:1]
        if len(keys) > 1 and (not sure or (mention.meaning.clash and self.position is not None)):
            return None
        return f"{keys[0]}/{mention.coast}" if mention.coast else keys[0]

    def own_unit(self, subject: Subject) -> Subject | None:
        """Return an own unit as it is written, with where it stands; None if that isn't clear."""
        at = self.pick(subject.place, self.stands(subject.kind), self.present(subject.kind, self.power), self.present())
        return None if at is None else msgspec.structs.replace(subject, at=at)


_APART = frozenset(["", ",", ";", ":", ".", "(", ")", "|", "/"])
_DOES = frozenset(["HOLD", "MOVE", "SUPPORT", "CONVOY", "RETREAT"])
_ENDING = frozenset([".", "…", ")", "?", ";", "|", ":"])
_NO_SIGN = frozenset(["-", "&", "'"])
_ENDS_NAME = frozenset("HOLD MOVE SUPPORT CONVOY RETREAT LEAVE TO VIA BY WITH IN AUX JOINT AND PLEASE".split())
