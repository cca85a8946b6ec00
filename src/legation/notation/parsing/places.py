"""Places: their names in full or shortened, their coasts, and which of several with one name is meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.names import COASTS, LETTERS, SHORTEST_BEGINNING, Meaning
from legation.notation.parsing.kinds import LONGEST_CODE, KindParser
from legation.notation.parsing.stream import LONGEST_ABBREVIATION
from legation.notation.small_words import ARTICLES, BOTH, JOINTS, PREPOSITIONS
from legation.notation.tokens import Token
from legation.notation.vocabulary import Vocabulary
from legation.orders import Order
from legation.position import Phase, Position, Unit

_BEFORE_PLACES = frozenset(["-", "to", "into", "in", "at", "of"])
Test = Callable[[str], bool]
"""Of a province: whether it may be the one that is meant."""

SHORTEST_IN_PARTS = 10  # letters of a name with a hyphen in it, so that lon-den is no London


class Mention(msgspec.Struct, frozen=True):
    """A place as it was written: what it can mean, its coast if one was named, and where it stands among the tokens.

    ``misspelled``: one letter of it is wrong; what is to be told unless the position leaves no doubt of what is meant.
    """

    meaning: Meaning
    coast: str
    first: int
    last: int
    misspelled: OrderTextError | None = None


class PlaceParser(KindParser):
    """Words that name places, on a board where units stand.

    ``ordered`` are the orders that the sheet has given so far, by the provinces of their units.
    """

    def __init__(
        self,
        reader: Vocabulary,
        text: str,
        tokens: list[Token],
        phase: Phase,
        power: str,
        position: Position | None,
        ordered: Mapping[str, Order],
    ) -> None:
        super().__init__(reader, text, tokens, power)
        self.phase = phase
        self.position = position
        self.ordered = ordered
        self.context_counted = False  # whether the position decided what a name means
        self.general: set[str] = set()  # where units stand of which something was said in one with all others
        self._standing: Mapping[str, Unit] | None = None

    # Where units stand

    @property
    def standing(self) -> Mapping[str, Unit]:
        """The units that are ordered in this phase, by province; empty where no position is known."""
        if self._standing is None:
            units: Sequence[Unit] = ()
            if self.position is not None:
                retreating = self.phase is Phase.RETREATS
                units = [d.unit for d in self.position.dislodged] if retreating else self.position.units
            self._standing = {unit.province: unit for unit in units}
        return self._standing

    def stands(self, kind: str) -> Test:
        """Whether a unit of the kind can stand in a province."""
        board, travel = self.reader.board, self.reader.travel.get(kind)

        def test(province: str) -> bool:
            return travel is None or any(
                board.stands(travel, at) for at in (province, *board.provinces[province].locations)
            )

        return test

    def present(self, kind: str = "", power: str = "") -> Test:
        """Whether such a unit stands in a province now."""

        def test(province: str) -> bool:
            unit = self.standing.get(province)
            return unit is not None and kind in ("", unit.kind) and power in ("", unit.power)

        return test

    # Names

    def mention(self) -> Mention:
        """A place as it is written: the longest name that fits, with a coast if one is named.

        :raises OrderTextError: if there is no such place, with the nearest names.
        """
        self.skip(ARTICLES)
        start = self.at
        if self.peek() == "not" and self._denies():
            self.fail("cannot read 'not'", start)
        coast = self._coast_before()
        first = self.at
        meaning, end = self.longest_name(first)
        misspelled = None
        if not meaning.keys:
            try:
                meaning, end, glued = self._short_name(first)
                coast = coast or glued
                if (behind := self._misspelled_in_parts(first, end))[0] in meaning.keys:  # Mid-Atantic Ocean
                    end = behind[1]
            except OrderTextError as error:
                misspelled = error
                meaning, end = self._misspelled_name(first)
                if not meaning.keys:
                    meaning, end = self._said_in_brackets(first)
                    misspelled = None
                if not meaning.keys:
                    raise
        elif end < len(self.tokens) and self._continues_name(end) and not self.may_be_place(end):
            meaning, end = self._misspelled_end(first, meaning, end)
        elif (behind := self._misspelled_in_parts(first, end))[0] in meaning.keys[:1]:
            end = behind[1]
        self.at = end
        if not coast:
            coast = self.coast(meaning.keys[0])
        return Mention(meaning, coast, start, self.at, misspelled)

    def _denies(self) -> bool:
        """Whether ``not`` in small letters isn't a place: right behind the name of a place or a power, ``A cal S A fla
        not``."""
        before = self.peek(-1) if self.at else ""
        named = before.isalpha() and before not in self.reader.verb_words | self.reader.kinds.keys()
        small = self.text[self.tokens[self.at].start].islower()
        return small and named and before not in {"to", "into", *PREPOSITIONS, *ARTICLES}

    def _misspelled_name(self, first: int) -> tuple[Meaning, int]:
        """What a name of which one letter is wrong can only mean, and where it ends."""
        before = self.tokens[first - 1].text if 0 < first <= len(self.tokens) else ""
        begun = [before] * (before in self.reader.places.beginnings)  # cross tpperary
        words = self._words_of_sentence(first)
        named = next((i for i in range(1, len(words)) if " ".join(words[i:]) in COASTS), len(words))
        words = words[:named]  # Bulgtria south coast
        key = self.reader.places.misspelled(" ".join(begun + words), self.power)
        if key and len(words) < len(self.words_from(first)):
            return Meaning((key,)), first + len(words)  # Stafordshire. Army Shropshire holds
        key, end = self._misspelled_in_parts(first)
        if key:
            return Meaning((key,)), end
        words = self.words_from(first)
        said = " ".join(begun + words)
        if self.reader.powers.nearly(said):
            return Meaning((), False), first + len(words)
        places = self.reader.places
        if key := places.misspelled(said, self.power):
            return Meaning((key,)), first + len(words)
        swapped = before not in _BEFORE_PLACES and before not in self.reader.kinds
        keys = places.misspelled_in_short(said, self.power, swapped=swapped)
        if keys and (said in self.reader.kinds or self._like_a_verb(said)):
            keys = ()
        return Meaning(keys, len(keys) == 1), first + len(words)

    def _like_a_verb(self, word: str) -> bool:
        """Whether a word may be one, misspelled, that says what a unit does: ``hodl`` is no Holland."""
        from rapidfuzz.distance import OSA  # only when something was misspelled

        return len(word) > SHORTEST_BEGINNING and any(
            len(verb) > SHORTEST_BEGINNING and OSA.distance(verb, word, score_cutoff=1) <= 1
            for verb in self.reader.verb_words
        )

    def _said_in_brackets(self, first: int) -> tuple[Meaning, int]:
        """The place that stands alone in brackets behind a name that isn't known, and where it ends: ``Golfe de
        Gascogne (BoB)``."""
        words = self.words_from(first)
        bracket = first + len(words)
        if (
            not words
            or words[0] in self.reader.kinds
            or bracket >= len(self.tokens)
            or self.tokens[bracket].text != "("
        ):
            return Meaning((), False), first
        meaning, end = self.longest_name(bracket + 1)
        closes = end < len(self.tokens) and self.tokens[end].text == ")"
        return (meaning, end + 1) if closes and meaning.sure else (Meaning((), False), first)

    def _misspelled_end(self, first: int, meaning: Meaning, end: int) -> tuple[Meaning, int]:
        """What a name means that goes on with words of which one letter is wrong, and where it ends: ``mid atlantic
        ocen``, ``cork havne``."""
        words = self._words_of_sentence(first)
        last = first + len(words)
        if last <= end or len(words[-1]) < 2 or self._like_a_verb(words[-1]):
            return meaning, end
        key = self.reader.places.misspelled(" ".join(words), self.power)
        near = key == meaning.keys[0] or (key and len(words[-1]) >= SHORTEST_BEGINNING)
        return (Meaning((key,)), last) if near else (meaning, end)

    def _words_of_sentence(self, first: int) -> list[str]:
        """The words from a token on that may be one name, up to the end of a sentence."""
        words = self.words_from(first)
        stop = next((i + 1 for i in range(len(words)) if self.tokens[first + i].stop), len(words))
        return words[:stop] if stop and len(words[stop - 1]) > 2 else words

    def _misspelled_in_parts(self, first: int, end: int = 0) -> tuple[str, int]:
        """The place whose name is written with hyphens or ``&`` and one wrong letter, and where it ends behind a token:
        ``Mid-Atlantik Ocean``, ``Teviottdale & Liddesdale``; nothing where none is."""
        words: list[str] = []
        found, joined, at = ("", first), False, first
        while at < len(self.tokens) and len(words) < self.reader.places.longest:
            token = self.tokens[at]
            glued = token.glued and at + 1 < len(self.tokens) and self.tokens[at + 1].glued
            if token.text == "-" and words and glued:
                joined = True
            elif token.text == "&" and words:
                joined = True
                words.append("and")
            elif at > first and (token.text in self.reader.ends_name or token.text in self.reader.kinds):
                break
            elif token.text.isalpha():
                words.append(token.text)
                said = " ".join(words)
                whole = joined and at >= end and len(said) >= SHORTEST_IN_PARTS
                whole = whole and ("and" in words or not self.may_be_place(at))
                if whole and (key := self.reader.places.misspelled(said, self.power)):
                    found = key, at + 1
                if token.stop and len(token.text) > 2:
                    break
            else:
                break
            at += 1
        return found

    def _coast_before(self) -> str:
        """``north coast of`` before a name."""
        for length in (2, 1):
            words = " ".join(self.peek(i) for i in range(length))
            if words in COASTS and self.peek(length) == "of":
                self.at += length + 1
                self.skip(ARTICLES)
                return COASTS[words]
        code = COASTS.get(self.peek()) or LETTERS.get(self.peek(), "")  # South Spain, S. Spain
        if code and not self.name_begins():
            after = self.reader.places.exact(self.peek(1), self.power)
            if after is not None and code in self.reader.board.provinces[after].coasts:
                self.at += 1
                return code
        return ""

    def _short_name(self, first: int) -> tuple[Meaning, int, str]:
        """A shortened name, where it ends, and the coast that is glued to it (``stpsc``).

        :raises OrderTextError: if there is no such place.
        """
        words = self.words_from(first)
        if not words:
            self.at = first
            if first >= len(self.tokens):
                self.fail("a place is missing")
            self.fail(f"cannot read {self.tokens[first].text[:60]!r}", first)
        names = self.reader.places
        for count in range(len(words) if words[0] not in BOTH else 0, 0, -1):
            meaning = names.shortened(" ".join(words[:count]), self.power)
            rest = words[count:]
            if count == 1 and len(words[0]) > SHORTEST_BEGINNING and words[0] in self.reader.verb_words:
                break  # hold is no Holderness
            kind = (
                meaning.sure
                and rest[:1] != []
                and self._stands_behind(meaning.keys[0], " ".join(words[:count]), rest[0])
            )
            behind = self.tokens[first + count - 1]
            unit = rest[:1] != [] and rest[0] in self.reader.kinds
            stopped = behind.stop and (unit or len(behind.text) > LONGEST_ABBREVIATION)  # the Ligurian. The others hold
            if meaning.keys and (not rest or stopped or kind or rest[0] in COASTS or " ".join(rest[:2]) in COASTS):
                return meaning, first + count, ""
        meaning = names.joined(words, self.power)
        if meaning.sure:
            return meaning, first + len(words), ""
        for code in sorted(LETTERS.values()):
            if words[0].endswith(code):
                meaning = names.meaning(words[0].removesuffix(code), self.power)
                if meaning.keys and code in self.reader.board.provinces[meaning.keys[0]].coasts:
                    return meaning, first + 1, code
        for self.at in range(first + 1, first + len(words)):
            if self.kind_comes():
                written = self.text[self.tokens[first].start : self.tokens[self.at - 1].end]
                self.fail(f"cannot read {written[:60]!r}", first)
        self.at = first + len(words)
        written = self.text[self.tokens[first].start : self.tokens[self.at - 1].end]
        said = " ".join(words)
        if len(said) > 2 and self.reader.powers.exact(said) is not None:
            self.fail(f"{written[:60]!r} is a power, not a place on this board", first)
        self.fail(f"{written[:60]!r} isn't a place on this board", first, names.nearest(" ".join(words), self.power))

    def _stands_behind(self, key: str, word: str, kind: str) -> bool:
        """Whether a kind of unit comes behind a shortened name, and such a unit stands there: ``the Tyrrhenian
        fleet``."""
        named = len(kind) > LONGEST_CODE and kind in self.reader.kinds and word not in COASTS
        self.context_counted = self.context_counted or named
        return named and self.present(self.reader.kinds[kind])(key)

    def coast(self, province: str) -> str:
        """The coast that is named next, if any."""
        if (sign := self.peek()) == "/" or (sign == "-" and self._dash_before_coast(province)):
            return self._coast_after_sign(province)
        if self.peek() == "," and f"{self.peek(1)} {self.peek(2)}" in COASTS:
            self.at += 1
        if self.peek() == "(":
            return self._coast_in_brackets(province)
        if self.peek() in (",", "-") and self._code_of_coast(province):  # Spain, SC
            self.at += 2
            return self.peek(-1)
        ahead = 2 * (self.peek() == "on" and self.peek(1) == "the")  # on the south coast
        pair = f"{self.peek(ahead)} {self.peek(ahead + 1)}"
        if pair in COASTS:
            self.at += ahead + 2
            return COASTS[pair]
        if self.name_begins():  # A devon North Kerry
            return ""
        letter = LETTERS.get(self.peek(), "")
        last = self.at + 1 == len(self.tokens) or self.peek(1) in JOINTS
        if letter in self.reader.board.provinces[province].coasts and last:  # spa N
            self.at += 1
            return letter
        if self.peek() in COASTS:
            code = COASTS[self.peek()]
            there = code in self.reader.board.provinces[province].coasts
            if there or (len(self.peek()) < 4 and self.reader.places.exact(self.peek(), self.power) is None):
                self.at += 1
                return code
        return ""

    def _dash_before_coast(self, province: str) -> bool:
        """Whether the next dash stands between a province and its coast: ``spa-nc``."""
        code = self.peek(1)
        glued = self.tokens[self.at].glued and code in COASTS and len(code) < 4
        return glued and bool(self.reader.board.provinces[province].coasts)

    def _coast_after_sign(self, province: str) -> str:
        start = self.at
        self.at += 1
        pair = f"{self.peek()} {self.peek(1)}"
        if pair in COASTS:
            self.at += 2
            return COASTS[pair]
        code = COASTS.get(self.peek()) or LETTERS.get(self.peek(), "")
        self.at += 1
        if not code:
            self.at = min(self.at, len(self.tokens))
            known = self.reader.board.provinces[province]
            if known.coasts:
                self.fail("there is no such coast", start, known.locations)
            self.fail("there are no separate coasts, and one order names one place", start)
        return code

    def _coast_in_brackets(self, province: str) -> str:
        for length in (1, 2, 3):
            inner = " ".join(self.peek(i) for i in range(1, length + 1)).removesuffix(" c")  # (south c.)
            letter = LETTERS.get(inner, "")
            code = COASTS.get(inner) or (letter if letter in self.reader.board.provinces[province].coasts else "")
            if code and self.peek(length + 1) == ")":
                self.at += length + 2
                return code
        return ""

    def _code_of_coast(self, province: str) -> bool:
        """Whether the code of one of a province's coasts comes after a sign, and then the end of what is said."""
        ends = self.at + 2 == len(self.tokens) or self.peek(2) in JOINTS
        return ends and self.peek(1) in self.reader.board.provinces[province].coasts

    def pick(self, mention: Mention, *tests: Test, proper: bool = False) -> str:
        """The location that is meant: of several places with such a name the one that passes the tests, the first of
        them weighing most. ``proper``: a place whose own name this is counts though only the first test is passed.

        :raises OrderTextError: if several are left, with the choices.
        """
        keys = mention.meaning.keys
        if mention.misspelled is not None:
            self.context_counted = True
            keys = tuple(key for key in keys if self._fits(key, mention.first, tests))
            if len(keys) != 1:
                raise mention.misspelled
        if len(keys) > 1:
            self.context_counted = self.context_counted or self.position is not None
            for test in tests:
                keys = tuple(key for key in keys if test(key)) or (
                    keys if mention.meaning.sure else mention.meaning.keys
                )
        sure = mention.meaning.sure and keys[0] == mention.meaning.keys[0]
        if mention.meaning.own and sure and all(test(keys[0]) for test in tests):
            keys = keys[:1]  # Waterford, where the county is another place
        if (
            proper
            and mention.meaning.clash
            and keys[0] != mention.meaning.keys[0]
            and tests[0](mention.meaning.keys[0])
        ):
            keys = (mention.meaning.keys[0], *keys)  # its own name; that of another only with a word more
        if len(keys) > 1 and (not sure or (mention.meaning.clash and self.position is not None)):
            written = self.text[self.tokens[mention.first].start : self.tokens[mention.last - 1].end]
            self.at = mention.last
            self.fail(f"{written[:60]!r} is ambiguous", mention.first, self.reader.places.shown(keys))
        coasts = self.reader.board.provinces[keys[0]].coasts
        if mention.coast and coasts and mention.coast not in coasts:
            there = self.reader.board.provinces[keys[0]].locations
            self.fail(f"there is no such coast; its coasts are {', '.join(there)}", mention.first, there)
        return f"{keys[0]}/{mention.coast}" if mention.coast else keys[0]

    def _fits(self, key: str, first: int, tests: Sequence[Test]) -> bool:
        """Whether the position leaves no doubt that a place is the one of which a letter is wrong: an own unit stands
        there, or gets there, or such a unit is built in that center; somebody's name may stand where none is named."""
        if self.position is None or len(tests) < 2:
            return False
        if all(test(key) for test in tests[:2]):
            return True
        if not any(token.text in self.reader.kinds for token in self.tokens[:first]):
            return False
        if self.phase is Phase.ADJUSTMENTS:
            built = key in self.position.centers_of(self.power) and key not in self.standing
        else:
            built = self.phase is Phase.PLACEMENT and self.reader.board.provinces[key].center
        return built and tests[0](key)

    def place(self, *tests: Test, proper: bool = False) -> str:
        """A place: a province or one of its coasts; another name of it may follow in brackets."""
        place = self.pick(self.mention(), *tests, proper=proper)
        if self.peek() == "(":
            for length in (1, 2, 3):
                again = " ".join(self.peek(i) for i in range(1, length + 1))
                if self.peek(length + 1) != ")":
                    continue
                coast = place.partition("/")[2]
                if (coast and COASTS.get(again) == coast) or self.reader.places.exact(again, self.power) == province_of(
                    place
                ):
                    self.at += length + 2
        return place
