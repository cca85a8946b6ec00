"""Places: their names in full or shortened, their coasts, and which of several with one name is meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from legation.notation.names import COASTS, LETTERS, Meaning
from legation.notation.parsing.kinds import KindParser
from legation.notation.small_words import ARTICLES, BOTH
from legation.notation.tokens import Token
from legation.notation.vocabulary import Vocabulary
from legation.orders import Order
from legation.position import Phase, Position, Unit

Test = Callable[[str], bool]
"""Of a province: whether it may be the one that is meant."""


class Mention(msgspec.Struct, frozen=True):
    """A place as it was written: what it can mean, its coast if one was named, and where it stands among the tokens."""

    meaning: Meaning
    coast: str
    first: int
    last: int


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
        coast = self._coast_before()
        first = self.at
        meaning, end = self.longest_name(first)
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
        said = " ".join(words)
        if len(said) > 2 and self.reader.powers.exact(said) is not None:
            self.fail(f"{written[:60]!r} is a power and no place on this board", first)
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
        if self.name_begins():  # A devon North Kerry
            return ""
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
