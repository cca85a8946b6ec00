"""The phrases of which orders are made: units, places, powers, numbers; and one order, all of whose words must be
understood.

What an order says after its unit is the business of its kind (:mod:`legation.notation.forms`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn, TypeVar

import msgspec

from legation.board import ARMY, province_of
from legation.notation.errors import FaultKind, OrderTextError
from legation.notation.names import COASTS, LETTERS, NOTHING, SHORTEST_BEGINNING, Meaning, UnknownNameError, fold
from legation.notation.tokens import SIGNS, Token
from legation.orders import Order
from legation.position import Phase, Position, Unit

if TYPE_CHECKING:
    from legation.notation.reading import Reader

T = TypeVar("T")
Test = Callable[[str], bool]

JOINTS = frozenset([",", ";", "and", "&", "+", "|", "•", "·", "then"])
"""What may stand between two orders."""
AUXILIARIES = frozenset("is are will shall must should has have needs need to be ordered".split())
BACK = (("falls", "back"), ("fall", "back"), ("returns",), ("return",), ("back",), ("goes", "back"), ("go", "back"))
WISHES = [w.split() for w in ("i would like", "id like", "we would like", "i want", "we want", "let", "have")]
"""What may stand before a unit that is to do something."""
LENDS = frozenset(["lend", "lends", "give", "gives"])
"""Words with which support is given."""
BOTH = frozenset(["both", "each", "all"])
BESIDES = frozenset(["also", "plus", "finally", "lastly"])
"""What may stand before a further unit."""
ARTICLES = frozenset(["the", "my", "our", "dislodged"])
PREPOSITIONS = frozenset(["in", "at", "of", "from", "on"])
POLITE = frozenset("please pls plz".split())
THANKS = frozenset("thanks thank thx cheers".split())
ASIDES = frozenset(f"as {done}" for done in "agreed discussed promised planned arranged requested".split()) | {
    "this turn",
    "this season",
}
"""What may stand beside an order and changes nothing of it."""
LONGEST_ABBREVIATION = 5  # letters before a full stop that may be the beginning of a word
SAYS_NOTHING = "the order does not say what the unit is to do"
MOST_UNITS = 100  # that one order can be said of
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


def _without_asides(tokens: list[Token]) -> list[Token]:
    """The tokens but ``, as agreed`` and the like."""
    kept: list[Token] = []
    i = 0
    while i < len(tokens):
        if i + 1 < len(tokens) and f"{tokens[i].text} {tokens[i + 1].text}" in ASIDES:
            i += 2
            if kept and kept[-1].text == ",":
                kept.pop()
            elif not kept and i < len(tokens) and tokens[i].text in (",", ":"):
                i += 1
            if kept and tokens[i - 1].stop:
                kept[-1] = msgspec.structs.replace(kept[-1], stop=True)
        else:
            kept.append(tokens[i])
            i += 1
    return kept


class Mention(msgspec.Struct, frozen=True):
    """A place as it was written: what it can mean, its coast if one was named, and where it stands among the tokens."""

    meaning: Meaning
    coast: str
    first: int
    last: int


class Subject(msgspec.Struct, frozen=True):
    """A unit as an order names it; ``kind`` and ``power`` are empty where they were not written."""

    kind: str
    at: str
    power: str = ""


class Parser:
    """Some tokens of a text on their way to orders.

    ``ordered`` are the orders that the sheet has given so far, by the provinces of their units.
    """

    def __init__(
        self,
        reader: Reader,
        text: str,
        tokens: list[Token],
        phase: Phase,
        power: str,
        position: Position | None,
        ordered: Mapping[str, Order] = MappingProxyType({}),
        bare: Callable[[Parser, Subject], Order] | None = None,
    ) -> None:
        self.reader = reader
        self.text = text
        self.tokens = _without_asides(tokens)
        self.phase = phase
        self.power = power
        self.position = position
        self.ordered = ordered
        self.bare = bare or reader.bare.get(phase)  # what a unit is to do of which nothing is said
        self.at = 0
        self.claimed = 0  # builds and waivers that the sheet has named so far
        self.count_said = 0  # how many units were announced (``2 armies``)
        self.context_counted = False  # whether the position decided what a name means
        self._standing: Mapping[str, Unit] | None = None

    # Small steps

    def peek(self, ahead: int = 0) -> str:
        """The next word or sign; empty at the end."""
        i = self.at + ahead
        return self.tokens[i].text if i < len(self.tokens) else ""

    def take(self, *words: str) -> bool:
        """Step over the words if they come next."""
        if all(self.peek(i) == w for i, w in enumerate(words)):
            self.at += len(words)
            return True
        return False

    def take_one(self, words: Collection[str]) -> str:
        """Step over one of the words if it comes next."""
        word = self.peek()
        if word and word in words:
            self.at += 1
            return word
        return ""

    def skip(self, words: Collection[str]) -> None:
        """Step over any of the words."""
        while self.peek() and self.peek() in words:
            self.at += 1

    def bracketed(self, *phrases: str) -> bool:
        """Step over a parenthesis that says one of the phrases."""
        if self.peek() != "(":
            return False
        for phrase in phrases:
            words = phrase.split()
            if self.take("(", *words, ")"):
                return True
        return False

    def in_brackets(self, read: Callable[[], T]) -> T:
        """What is read next, which may stand in brackets."""
        bracket = self.peek() == "(" and self.peek(2) != ")" and self.take("(")
        inner = read()
        if bracket and not self.take(")"):
            self.fail("a closing bracket is missing")
        return inner

    @property
    def ended(self) -> bool:
        """Whether an order may end here: nothing follows, or a new sentence, or a joint."""
        if self.at >= len(self.tokens) or self.peek() in JOINTS | POLITE | THANKS:
            return True
        return self.stopped or self.numbered > 0

    @property
    def numbered(self) -> int:
        """How many tokens a number takes that comes next and counts orders: ``2.``, ``2)`` or ``(2)`` before a unit."""
        bracket = self.peek() == "("
        word = self.peek(bracket)
        if not word.isdecimal() or len(word) > 2 or self.at == 0:
            return 0
        length = 2 + bracket if self.peek(1 + bracket) == ")" else int(not bracket and self.tokens[self.at].stop)
        self.at += length
        counts = length > 0 and (self.names_unit() or self.own_unit_comes())
        self.at -= length
        return length if counts else 0

    @property
    def stopped(self) -> bool:
        """Whether a sentence has just ended; none begins with a dash, so what ends before one was an abbreviation, and
        what stands in brackets belongs to what goes before."""
        return self.at > 0 and self.tokens[self.at - 1].stop and self.peek() not in ("-", "(")

    def fail(
        self,
        message: str,
        start: int | None = None,
        suggestions: tuple[str, ...] = (),
        kind: FaultKind = "not understood",
    ) -> NoReturn:
        """Give up: the words from ``start`` to here cannot be understood."""
        first = self.at if start is None else start
        if first < len(self.tokens):
            last = max(self.at, first + 1) - 1
            span = (self.tokens[first].start, self.tokens[min(last, len(self.tokens) - 1)].end)
        else:
            span = (len(self.text), len(self.text))
        raise OrderTextError(self.text, span, message, suggestions, kind)

    def finish(self) -> None:
        """Nothing may be left."""
        if self.at < len(self.tokens):
            begin = self.at
            self.at = len(self.tokens)
            rest = self.text[self.tokens[begin].start : self.tokens[-1].end]
            self.fail(f"cannot read {rest[:60]!r}", begin)

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

    def reaches(self, unit: Subject) -> Test:
        """Whether the unit can get to a province by itself."""
        board = self.reader.board
        stands = self.standing.get(province_of(unit.at))
        travel = self.reader.travel.get(unit.kind or (stands.kind if stands else ""))
        starts = {unit.at, stands.at if stands else unit.at}
        if unit.at in board.provinces and not stands:
            starts |= set(board.provinces[unit.at].locations)
        travels = (travel,) if travel else tuple(self.reader.travel.values())
        near = {province_of(to) for t in travels for at in starts for to in board.reach(t, at)}
        return near.__contains__

    def lands(self, unit: Subject) -> Test:
        """Whether the unit, if it is an army, could be carried to a province over the sea."""
        stands = self.standing.get(province_of(unit.at))
        kind = unit.kind or (stands.kind if stands else "")
        provinces = self.reader.board.provinces

        def test(province: str) -> bool:
            return self.reader.travel.get(kind, ARMY) != ARMY or not provinces[province].sea

        return test

    # Phrases

    def kind(self) -> str:
        """A kind of unit, or nothing (for ``unit`` too)."""
        kinds = self.reader.kinds
        if self.peek() in ("a", "an", "the") and (
            (self.peek(1) in kinds and len(self.peek(1)) > 1) or f"{self.peek(1)} {self.peek(2)}" in kinds
        ):
            self.at += 1
        self.count_said = 0
        counts = self.peek(1) in kinds and (len(self.peek(1)) > 1 or (self.peek().isdecimal() and self.peek(2) != ""))
        if counts and (count := self.number()):
            self.count_said = count
        if [self.peek(i) for i in range(3)] == ["3", "-", "d"] and self.peek(3):
            self.at += 2
        pair = f"{self.peek()} {self.peek(1)}"
        if pair in kinds:
            self.at += 2
            self.take(":")
            return kinds[pair]
        self._part_kind()
        word = self.peek()
        if word in kinds and self.peek(1) not in ("", "-", "/"):
            self.at += 1
            self.take(":")
            return kinds[word]
        if word in ("unit", "units"):
            self.at += 1
        return ""

    def _part_kind(self) -> None:
        """Part the letter of a unit's kind from a name that is glued to it (``ALon``), where both say nothing else."""
        word, places = self.peek(), self.reader.places
        if word[:1] not in self.reader.codes or len(word) <= SHORTEST_BEGINNING or not places.meaning(word[1:]).keys:
            return
        token = self.tokens[self.at]
        if not self.text[token.start : token.start + 2].isupper() or word in self.reader.ends_name | PREPOSITIONS:
            return
        if places.meaning(word).keys or places.shortened(word).keys:
            return
        middle = token.start + 1
        self.tokens[self.at : self.at + 1] = [
            Token(word[0], token.start, middle, glued=token.glued),
            Token(word[1:], middle, token.end, token.stop, True, token.owns),
        ]

    def mention(self) -> Mention:
        """A place as it is written: the longest name that fits, with a coast if one is named.

        :raises OrderTextError: if there is no such place, with the nearest names.
        """
        self.skip(ARTICLES)
        start = self.at
        coast = self._coast_before()
        first = self.at
        meaning, end = self._longest_name(first)
        if not meaning.keys:
            meaning, end, glued = self._short_name(first)
            coast = coast or glued
        self.at = end
        if not coast:
            coast = self.coast(meaning.keys[0])
        return Mention(meaning, coast, start, self.at)

    def _coast_before(self) -> str:
        """``north coast of`` before a name."""
        for length in (2, 1):
            words = " ".join(self.peek(i) for i in range(length))
            if words in COASTS and self.peek(length) == "of":
                self.at += length + 1
                self.skip(ARTICLES)
                return COASTS[words]
        return ""

    def _longest_name(self, first: int) -> tuple[Meaning, int]:
        """The longest name written in full that begins at a token, and where it ends."""
        names = self.reader.places
        best: tuple[Meaning, int] = (Meaning((), False), first)
        words: list[str] = []
        i = first
        while i < len(self.tokens) and len(words) < names.longest + 2:
            token = self.tokens[i]
            word = token.text
            if word == "(" and words:  # a name may end in a parenthesis: Portland (Dorset)
                inner = [t.text for t in self.tokens[i + 1 : i + 6]]
                if ")" in inner:
                    inner = inner[: inner.index(")")]
                    key = names.exact(" ".join([*words, *inner]), self.power)
                    if key is not None:
                        best = Meaning((key,)), i + len(inner) + 2
            if word in "();:/|+" or (word == "," and not words):  # a name may hold a comma: Rouen, in French Normandy
                break
            if word == "-":  # and a hyphen, but no dash
                after = self.tokens[i + 1] if i + 1 < len(self.tokens) else None
                if not words or not token.glued or after is None or not after.glued:
                    break
            elif word not in (",", "the"):
                words.append("and" if word == "&" else word)
                meaning = names.meaning(" ".join(words), self.power)
                if not meaning.keys and token.owns and word.endswith("s"):
                    meaning = names.meaning(" ".join([*words[:-1], word[:-1]]), self.power)
                if meaning.keys:
                    best = meaning, i + 1
            i += 1
        end = best[1]
        if best[0].keys and end < len(self.tokens) and self._continues_name(end):
            longer = self._words_from(first)
            for stop in range(first + len(longer), end, -1):
                meaning = names.shortened(" ".join(longer[: stop - first]), self.power)
                if meaning.sure:
                    return meaning, stop
        return best

    def _continues_name(self, at: int) -> bool:
        """Whether a token may be a further word of a name."""
        token = self.tokens[at]
        return (
            token.text not in self.reader.ends_name
            and token.text not in self.reader.codes
            and token.text not in SIGNS
            and token.text.isalpha()
            and (not self.tokens[at - 1].stop or len(self.tokens[at - 1].text) <= LONGEST_ABBREVIATION)
        )

    def _words_from(self, first: int) -> list[str]:
        """The words from a token on that may be one name."""
        words = []
        for i in range(first, min(first + self.reader.places.longest + 2, len(self.tokens))):
            if (
                i > first
                and not self._continues_name(i)
                and not (self.tokens[i - 1].stop and self.tokens[i].text.isalpha())
            ):
                break
            if self.tokens[i].text in SIGNS or (i > first and self.tokens[i].text in self.reader.ends_name):
                break
            words.append(self.tokens[i].text)
        return words

    def _short_name(self, first: int) -> tuple[Meaning, int, str]:
        """A shortened name, where it ends, and the coast that is glued to it (``stpsc``).

        :raises OrderTextError: if there is no such place.
        """
        words = self._words_from(first)
        if not words:
            self.at = first
            if first >= len(self.tokens):
                self.fail("a place is missing")
            self.fail(f"cannot read {self.tokens[first].text[:60]!r}", first)
        names = self.reader.places
        for count in range(len(words) if words[0] not in BOTH else 0, 0, -1):
            meaning = names.shortened(" ".join(words[:count]), self.power)
            rest = words[count:]
            if meaning.keys and (not rest or rest[0] in COASTS or " ".join(rest[:2]) in COASTS):
                return meaning, first + count, ""
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
        self.fail(f"{written[:60]!r} is no place on this board", first, names.nearest(" ".join(words), self.power))

    def coast(self, province: str) -> str:
        """The coast that is named next, if any."""
        if self.peek() == "/" or (
            self.peek() == "-"
            and self.tokens[self.at].glued
            and self.peek(1) in COASTS
            and len(self.peek(1)) < 4
            and self.reader.board.provinces[province].coasts
        ):
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
                coasts = (
                    self.reader.board.provinces[province].locations
                    if self.reader.board.provinces[province].coasts
                    else ()
                )
                self.fail(
                    "that is no coast" if coasts else "there are no separate coasts, and one order names one place",
                    start,
                    coasts,
                )
            return code
        if self.peek() == "," and f"{self.peek(1)} {self.peek(2)}" in COASTS:
            self.at += 1
        if self.peek() == "(":
            for length in (1, 2, 3):
                inner = " ".join(self.peek(i) for i in range(1, length + 1))
                code = COASTS.get(inner) or LETTERS.get(inner, "")
                if code and self.peek(length + 1) == ")":
                    self.at += length + 2
                    return code
            return ""
        pair = f"{self.peek()} {self.peek(1)}"
        if pair in COASTS:
            self.at += 2
            return COASTS[pair]
        if self.peek() in COASTS:
            code = COASTS[self.peek()]
            if len(self.peek()) < 4 or code in self.reader.board.provinces[province].coasts:
                self.at += 1
                return code
        return ""

    def pick(self, mention: Mention, *tests: Test) -> str:
        """The location that is meant: of several places with such a name the one that passes the tests, the first of
        them weighing most.

        :raises OrderTextError: if several are left, with the choices.
        """
        keys = mention.meaning.keys
        if len(keys) > 1:
            self.context_counted = self.context_counted or self.position is not None
            for test in tests:
                keys = tuple(key for key in keys if test(key)) or (
                    keys if mention.meaning.sure else mention.meaning.keys
                )
        sure = mention.meaning.sure and keys[0] == mention.meaning.keys[0]
        if len(keys) > 1 and (not sure or (mention.meaning.clash and self.position is not None)):
            written = self.text[self.tokens[mention.first].start : self.tokens[mention.last - 1].end]
            self.at = mention.last
            self.fail(f"{written[:60]!r} is ambiguous", mention.first, self.reader.places.shown(keys))
        coasts = self.reader.board.provinces[keys[0]].coasts
        if mention.coast and coasts and mention.coast not in coasts:
            there = self.reader.board.provinces[keys[0]].locations
            self.fail(f"that is no coast; its coasts are {', '.join(there)}", mention.first, there)
        return f"{keys[0]}/{mention.coast}" if mention.coast else keys[0]

    def place(self, *tests: Test) -> str:
        """A place: a province or one of its coasts."""
        return self.pick(self.mention(), *tests)

    def owner(self) -> str:
        """A power or its adjective before a unit, or nothing."""
        if self.peek() == "(":
            return self.bracketed_power()
        names = self.reader.powers
        for length in range(min(names.longest, 6) + 1, 0, -1):
            words = [self.peek(i) for i in range(length)]
            if not all(words) or words[-1] == "-" or (self.peek(length) in ("", "-") and not self._hyphen(length)):
                continue
            said = ("and" if w == "&" else w for i, w in enumerate(words) if not self._hyphen(i))
            phrase = fold(" ".join(said))
            power = names.exact(phrase) or (
                names.exact(phrase[:-1]) if phrase.endswith("s") and len(phrase) > 4 else None
            )
            if power is None or len(phrase) <= 2:
                continue
            owns = self.tokens[self.at + length - 1].owns
            if owns or not self._is_own_place(phrase) or self._unit_follows(length):
                self.at += length
                self.take(":")
                return power
        return self._short_power()

    def _hyphen(self, ahead: int) -> bool:
        """Whether a dash so far ahead joins two words (``Austria-Hungary``)."""
        i = self.at + ahead
        return (
            self.peek(ahead) == "-" and i + 1 < len(self.tokens) and self.tokens[i].glued and self.tokens[i + 1].glued
        )

    def _is_own_place(self, phrase: str) -> bool:
        """Whether a power's name is a place's too, or begins that of a place where a unit of this power stands."""
        places = self.reader.places
        if places.exact(phrase, self.power) is not None:
            return True
        short = places.shortened(phrase, self.power)
        return short.sure and self.present("", self.power)(short.keys[0])

    def bracketed_power(self) -> str:
        """A power or its adjective in brackets, or nothing."""
        word = self.peek(1)
        initial = len(word) == 1 and word not in self.reader.codes | LETTERS.keys() | self.reader.verbs.keys()
        if self.peek() != "(" or self.peek(2) != ")" or word in COASTS or len(word) < SHORTEST_BEGINNING - 2 * initial:
            return ""
        power = self.reader.powers.exact(word)
        if power is None:
            meaning = self.reader.powers.shortened(word)
            power = meaning.keys[0] if meaning.sure else ""
        if power:
            self.at += 3
        return power

    def _short_power(self) -> str:
        """The beginning of a power's name before a unit (``Ger A mun``), if it is no place (``Eng F nth``) or the unit
        is that power's; its letter (``G A mun``), if the unit is."""
        word = self.peek()
        meaning = self.reader.powers.shortened(word) if word.isalpha() else NOTHING
        initial = len(word) == 1 and word not in self.reader.codes
        if initial and (named := self.reader.powers.exact(word)) is not None:
            meaning = Meaning((named,))
        if not meaning.sure:
            return ""
        places = self.reader.places
        self.at += 1
        if self.kind_comes():
            if (
                not initial
                and not places.meaning(word, self.power).keys
                and not places.shortened(word, self.power).keys
            ):
                return meaning.keys[0]
            before = self.at
            kind = self.kind()
            keys = self._longest_name(self.at)[0].keys
            self.at = before
            if any(self.present(kind, meaning.keys[0])(key) for key in keys):
                self.context_counted = True
                return meaning.keys[0]
        self.at -= 1
        return ""

    def _unit_follows(self, ahead: int) -> bool:
        """Whether a kind of unit and a place come after so many words: in ``Argyll A kinty`` the power is meant, not
        the place of that name."""
        if self.peek(ahead) in ("the", ":"):
            ahead += 1
        return self.peek(ahead) in self.reader.kinds and self.peek(ahead + 1) not in self.reader.verbs.keys() | {
            "",
            "/",
        }

    def unit(self, *tests: Test, own: bool = False) -> Subject:
        """A unit. ``tests`` choose between places of the same name, after the kind and the presence of a unit."""
        self.skip(ARTICLES)
        owner = self.owner()
        self.skip(ARTICLES)
        kind = self.kind()
        self.skip(PREPOSITIONS)
        tests = (self.stands(kind), self.present(kind, self.power if own else owner), self.present(kind), *tests)
        if self.peek() == "(":  # A(Par)
            self.at += 1
            at = self.place(*tests)
            if not self.take(")"):
                self.fail("a closing bracket is missing")
            if "/" not in at and (coast := self.coast(at)):
                at = f"{at}/{coast}"
        else:
            at = self.place(*tests)
        return Subject(kind, at, owner or self.bracketed_power())

    def power_name(self) -> str:
        """A power."""
        self.skip(ARTICLES)
        start = self.at
        names = self.reader.powers
        for length in range(min(names.longest, len(self.tokens) - start), 0, -1):
            words = [t.text for t in self.tokens[start : start + length]]
            if words[-1] in SIGNS:
                continue
            phrase = fold(" ".join("and" if w == "&" else w for w in words))
            power = names.exact(phrase) or (names.exact(phrase[:-1]) if self.tokens[start + length - 1].owns else None)
            if power is not None:
                self.at = start + length
                return power
        while self.at < len(self.tokens) and not (self.at > start and self.ended):
            self.at += 1
        if self.at == start:
            self.fail("a power is missing")
        written = self.text[self.tokens[start].start : self.tokens[self.at - 1].end]
        try:
            return names.find(written)
        except UnknownNameError as error:
            word = "is ambiguous" if error.ambiguous else "is no power of this game"
            self.fail(f"{written[:60]!r} {word}", start, error.candidates)

    def power_next(self) -> str:
        """A power if one is named next, or nothing."""
        start = self.at
        self.skip(ARTICLES)
        names = self.reader.powers
        for length in range(min(names.longest, len(self.tokens) - self.at), 0, -1):
            power = names.exact(" ".join(self.peek(i) for i in range(length)))
            if power is not None:
                self.at += length
                return power
        self.at = start
        return ""

    def number(self) -> int:
        """A small number in digits or words; 0 if none comes next."""
        word = self.peek()
        token = self.tokens[self.at] if word else None
        written = "" if token is None else self.text[token.start : token.end]
        count = int(word) if word.isdecimal() and word == written and len(word) < 4 else NUMBERS.get(word, 0)
        if count:
            self.at += 1
        return count

    # Orders

    def orders(self) -> list[Order]:
        """One order, or several that are said in one: of several units, or of several builds.

        :raises OrderTextError: if any of it is not understood.
        """
        if not self.tokens:
            self.fail("there is no order")
        self.skip(POLITE)
        if self.peek() in BESIDES:
            self.at += 1
            self.at -= not self.names_unit()
        self._own_words()
        self.take_one(("order", "orders"))
        if self.phase is Phase.MOVEMENT:  # under another's orders
            self.take_one(("place", "put"))
        if self.peek() == "the" and self.peek(1) in ("rest", "others", "remaining"):
            self.at += 1
        self._own_name_before_opening()
        opening = self.reader.openings.get(self.peek())
        if orders := self._own_power_holds():
            return orders
        if opening is not None and opening.fits(self):
            word = self.peek()
            self.at += 1
            if not self.take(":") and self.peek() == "-":  # Builds - A par
                self.at += 1
                if not self.kind_comes():
                    self.at -= 1
            self.at += self.numbered  # Builds: 1) A par
            orders = opening.read(self, word)
        else:
            orders = self._said_of_units()
        self.skip(POLITE)
        return orders

    def _own_words(self) -> None:
        """``I will``, ``I would like`` before what begins an order, and ``let`` before a unit."""
        if self.peek() in ("i", "we", "id"):
            ahead = 2 if self.peek(1) in ("will", "shall", "hereby") else 1
            for wish in ("id like to", "i would like to", "we would like to", "i want to", "i wish to"):
                if [self.peek(i) for i in range(len(wish.split()))] == wish.split():
                    ahead = len(wish.split())
            if self.peek(ahead) in self.reader.openings or self.peek(ahead) in ("order", "move"):
                self.at += ahead
                return
        for words in WISHES:
            if [self.peek(i) for i in range(len(words))] == words:
                self.at += len(words)
                self.at -= 0 if self.names_unit() or self.names_place() else len(words)
                return

    def _own_power_holds(self) -> list[Order]:
        """``Italy holds``: all units of this power do."""
        start = self.at
        name = self.reader.powers.exact(self.peek())
        if name is not None and name == self.power and not self._is_own_place(self.peek()):
            self.at += 1
            self.step_to_verb()
            form = self.reader.verbs.get(self.peek())
            if form is not None and form.stays and self.peek() in ("h", "hold", "holds"):
                at = self.at
                self.at += 1
                if self.ended:
                    return [self._verb_of(subject, at) for subject in self.all_units(rest=False)]
        self.at = start
        return []

    def _own_name_before_opening(self) -> None:
        """``France builds A par``: the power's own name before what begins an order."""
        name = self.reader.powers.exact(self.peek())
        if name is None or len(self.peek()) < 3:
            return
        start = self.at
        self.at += 2 if self.peek(1) in ("will", "shall") else 1
        opening = self.reader.openings.get(self.peek())
        if opening is None or not opening.fits(self) or self.reader.places.exact(self.peek(start - self.at)):
            self.at = start
        elif self.power and name != self.power:
            self.fail(f"this sheet is {self.power}'s, not {name}'s", start, kind="not yours")

    def _said_of_units(self) -> list[Order]:
        start = self.at
        subjects = [self.subject()]
        announced = [self.count_said]
        while self.peek() in JOINTS and len(subjects) < MOST_UNITS:
            before = self.at
            while self.peek() in JOINTS:
                self.at += 1
            if not self.names_unit() and not self.names_place(ending=self.bare is not None):
                self.at = before
                break
            try:
                subjects.append(self.subject())
                announced.append(self.count_said if subjects[-1].kind else -1)
            except OrderTextError:
                self.at = before
                break
        if len(subjects) > 1:
            verb_at = self.step_to_verb()
            both = self.take_one(BOTH)
            verb_at = self.at
            form = self.reader.verbs.get(self.peek())
            if not self.ended and form is not None and (both or form.shared):
                return [self._verb_of(subject, verb_at) for subject in subjects]
            if self.bare is not None and (self.ended or self.kind_comes()):
                kind = ""
                for i, subject in enumerate(subjects):  # armies in Wales and Yorkshire
                    kind = subject.kind or kind
                    subjects[i] = Subject(kind, subject.at, subject.power)
                self.expect(announced, start)
                return [self._bare(subject) for subject in subjects]
            self.at = start
            subjects = [self.subject()]
        self.expect(announced[:1], start)
        order = self._verb_of(subjects[0], self.at)
        return [order, *(more for form in self.reader.forms if form.beside for more in form.beside(self, order))]

    def expect(self, announced: Sequence[int], start: int) -> None:
        """As many units must be named as were announced (``2 armies``; 0 if no number was said, -1 if the kind before
        is meant)."""
        for i, number in enumerate(announced):
            named = 1
            while i + named < len(announced) and announced[i + named] < 0:
                named += 1
            if number > 0 and number != named:
                self.fail(f"it speaks of {number} and names {named}", start)

    def step_to_verb(self) -> int:
        """Step to the verb, over ``is``, ``will`` and the like."""
        self.take(":")
        if self.peek() == "," and self.peek(1) in self.reader.verbs and self.peek(1) not in self.reader.kinds:
            self.at += 1
        while self.peek() in AUXILIARIES and (self.peek(1) in self.reader.verbs or self.peek(1) in AUXILIARIES):
            self.at += 1
        if self.peek() in LENDS and self.peek(1) == "support":
            self.at += 1
        for words in BACK:  # falls back to
            if self.peek(len(words)) == "to":
                self.take(*words)
        return self.at

    def names_place(self, *, ending: bool = False) -> bool:
        """Whether a place comes next, and after it another joint or what may be said of several units, or the end."""
        for length in range(min(4, len(self.tokens) - self.at), 0, -1):
            words = " ".join(self.peek(i) for i in range(length))
            if self.reader.places.meaning(words, self.power).keys:
                after = self.peek(length)
                verb = self.reader.verbs.get(self.peek(length + 1) if after in AUXILIARIES else after)
                if after in JOINTS | BOTH or (ending and not after) or (verb is not None and verb.shared):
                    return True
        return ending and self.only_place_comes()

    def own_unit_comes(self) -> bool:
        """Whether the place of an own unit without an order comes next, and something that it does."""
        meaning, end = self._longest_name(self.at)
        if not any(self.present("", self.power)(key) and key not in self.ordered for key in meaning.keys):
            return False
        after = self.tokens[end].text if end < len(self.tokens) else ""
        self.context_counted = True
        return bool(meaning.keys) and (after == "-" or (after in self.reader.verbs and after not in JOINTS))

    def own_name(self) -> None:
        """Step over the own power's name or adjective."""
        if (name := self.reader.powers.exact(self.peek())) is not None and len(self.peek()) > 2:
            if self.power and name != self.power:
                self.fail(f"this sheet is {self.power}'s, not {name}'s", kind="not yours")
            self.at += 1

    def kind_comes(self) -> bool:
        """Whether a kind of unit and a place come next."""
        before = self.at
        try:
            return bool(self.kind()) and bool(self._longest_name(self.at)[0].keys)
        finally:
            self.at = before

    def names_unit(self) -> bool:
        """Whether a kind of unit comes next, so that a unit is named."""
        before = self.at
        self.skip(ARTICLES)
        self.owner()
        self.skip(ARTICLES)
        known = bool(self.kind())
        self.at = before
        return known

    def _verb_of(self, subject: Subject, at: int) -> Order:
        self.at = at
        self.step_to_verb()
        subject = self._kind_after(subject)
        if self.peek() == "-" and self._verb_after_dash():
            self.at += 1
        bracket = self.peek() == "("  # A par (S) A mar, A par (S A mar)
        word = self.peek(int(bracket))
        form = self.reader.verbs.get(word)
        if form is not None and not self.stopped:
            self.at += 1 + bracket
            whole = bracket and not self.take(")")
            order = form.read(self, subject, word)
            if whole and not self.take(")"):
                self.fail("a closing bracket is missing")
            return order
        if self.ended or (self.bare is not None and self.kind_comes()):
            return self._bare(subject)
        if self.reader.unsaid is not None and (subject.kind or self._goes_unsaid(subject)) and self.only_place_comes():
            return self.reader.unsaid(self, subject)
        self.at += 1
        verbs = self.reader.verbs_shown.get(self.phase)
        written = self.text[self.tokens[self.at - 1].start : self.tokens[self.at - 1].end]
        self.fail(
            f"{written[:60]!r} is nothing that a unit can do" + (f"; write {verbs}" if verbs else ""), self.at - 1
        )

    def _goes_unsaid(self, subject: Subject) -> bool:
        """Whether what follows the place of an own unit is a place in its reach where no other own unit stands, so that
        ``Ven Tri`` is a move and no list of units."""
        self.context_counted = True
        if not self.present("", self.power)(province_of(subject.at)):
            return False
        keys = self._longest_name(self.at)[0].keys
        mine = self.present("", self.power)
        return any(self.reaches(subject)(key) and (key in self.ordered or not mine(key)) for key in keys)

    def _kind_after(self, subject: Subject) -> Subject:
        """``Par: A - bur``, ``Par (A) - bur``: the kind of unit after its place."""
        bracket = self.peek() == "(" and self.peek(2) == ")"
        dash = self.peek() in ("-", "=") and self.bare is not None
        kind = self.reader.kinds.get(self.peek(int(bracket or dash)))
        after = 3 if bracket else 2 if dash else 1
        follows = self.peek(after)
        if (
            kind is None
            or subject.kind
            or not (follows in self.reader.verbs or (self.bare is not None and (not follows or follows in JOINTS)))
        ):
            return subject
        self.at += after
        return Subject(kind, subject.at, subject.power)

    def _verb_after_dash(self) -> bool:
        """Whether the dash that comes next stands before a verb (``A par - hold``), not before a place."""
        word = self.peek(1)
        if word not in self.reader.verbs or self.reader.places.meaning(word, self.power).keys:
            return False
        return len(word) != SHORTEST_BEGINNING or not self.reader.places.shortened(word, self.power).keys

    def may_be_place(self, at: int) -> bool:
        """Whether the word there may be the name of a place, or its beginning."""
        word, places = self.tokens[at].text, self.reader.places
        return bool(places.meaning(word, self.power).keys or places.shortened(word, self.power).keys)

    def only_place_comes(self) -> bool:
        """Whether a place, written in full or by its code, comes next and then the end."""
        before = self.at
        meaning, self.at = self._longest_name(before)
        try:
            if meaning.keys:
                self.coast(meaning.keys[0])
            return bool(meaning.keys) and self.ended
        except OrderTextError:
            return False
        finally:
            self.at = before

    def _bare(self, subject: Subject) -> Order:
        """A unit of which nothing is said: in placement it is placed."""
        if self.bare is not None:
            return self.bare(self, subject)
        verbs = self.reader.verbs_shown.get(self.phase)
        self.fail(SAYS_NOTHING + (f"; write {verbs}" if verbs else ""))

    def subject(self) -> Subject:
        """The unit that is ordered; another power's name before it makes the order that power's."""
        start = self.at
        unit = self.unit(own=True)
        if unit.power and self.power and unit.power != self.power and not self._may_be_lent(unit):
            self.fail(f"this sheet is {self.power}'s, not {unit.power}'s", start, kind="not yours")
        return unit

    def _may_be_lent(self, unit: Subject) -> bool:
        """Whether another power's unit can be under this power's orders, so that it may be named with its owner."""
        if not self.reader.lending:
            return False
        self.context_counted = True
        stands = self.standing.get(province_of(unit.at))
        return stands is None or stands.power == unit.power

    def all_units(self, kind: str = "", *, rest: bool) -> list[Subject]:
        """All units of this power, of one kind if it is given, or those of them that are not ordered yet."""
        if self.position is None or not self.power:
            self.fail("say which units", max(self.at - 1, 0))
        self.context_counted = True
        mine = [u for u in self.standing.values() if u.power == self.power and kind in ("", u.kind)]
        twice = [u for u in mine if u.province in self.ordered]
        if twice and not rest:
            self.fail(f"{twice[0]} has an order already; write 'all others'", max(self.at - 1, 0))
        return [Subject(u.kind, u.at) for u in mine if u.province not in self.ordered]
