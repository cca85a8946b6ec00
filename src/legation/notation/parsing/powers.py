"""Powers: by their names or adjectives, shortened, misspelled or in brackets, before units and behind them."""

from __future__ import annotations

from legation.notation.names import (
    COASTS,
    LETTERS,
    NOTHING,
    SHORTEST_BEGINNING,
    Meaning,
    UnknownNameError,
    fold,
    misspelled_power,
    possessive,
)
from legation.notation.parsing.kinds import LONGEST_CODE
from legation.notation.parsing.places import PlaceParser
from legation.notation.small_words import ARTICLES, JOINTS, PREPOSITIONS

_PARTS = frozenset("(),;:/|+")
"""Signs that stand in no power's name."""


class PowerParser(PlaceParser):
    """Words that name powers."""

    @property
    def ended(self) -> bool:
        """Whether an order may end here."""
        return self.at >= len(self.tokens)

    def names_unit_after(self, ahead: int) -> bool:
        """Whether a kind of unit comes so far ahead."""
        return False

    def owner(self) -> str:
        """A power or its adjective before a unit, or nothing."""
        if self.peek() == "(":
            return self.bracketed_power(before_unit=True)
        names = self.reader.powers
        may_begin = (self.peek()[-1:].isalnum() or self.peek() == "@") and names.may_begin(self.peek())
        longest = min(names.longest, 6) + 1 if may_begin else 0
        for length in range(longest, 0, -1):
            words = [self.peek(i) for i in range(length)]
            if not all(words) or words[-1] == "-" or (self.peek(length) in ("", "-") and not self._hyphen(length)):
                continue
            hyphens = {i for i, w in enumerate(words) if w == "-" and self._hyphen(i)}
            phrase = fold(" ".join(["and" if w == "&" else w for i, w in enumerate(words) if i not in hyphens]))
            power = names.exact(phrase) or (
                names.exact(phrase[:-1]) if phrase.endswith("s") and len(phrase) > 4 else None
            )
            if power is None or len(phrase) <= 2:
                continue
            owns = self.tokens[self.at + length - 1].owns
            if not owns and self.longest_name(self.at)[1] > self.at + length and not self._unit_follows(length):
                continue  # the German Bight
            kind_ends = self.peek(length) in self.reader.kinds and self.peek(length + 1) in JOINTS | {""}
            if not owns and kind_ends and self._may_be_place_of(phrase):
                continue  # Newcastle F, where Newcastle is a place, too
            if owns or not self.is_own_place(phrase) or self._unit_follows(length) or self._stands_at(length, power):
                self.at += length
                self.take(":")
                return power
        return self._short_power() or self._misspelled_power()

    def _misspelled_power(self) -> str:
        """Read the name of a power with one wrong letter, before a unit of that power; return the power, or nothing."""
        start = self.at
        if self.position is None or not self.peek().isalpha():
            return ""
        power = misspelled_power(self.peek(), self.reader.powers, self.reader.places)
        if power:
            self.at += 1
            self.take(":")
            named = self.at
            kind = self.kind()
            self.skip(PREPOSITIONS)
            if any(self.present(kind, power)(key) for key in self.longest_name(self.at)[0].keys):
                self.context_counted = True
                self.at = named
                return power
        self.at = start
        return ""

    def _stands_at(self, ahead: int, power: str) -> bool:
        """Whether the place so far ahead is one where a unit of this power stands: ``English Nth``, ``the English in
        Calais``."""
        keys = self.longest_name(self.at + ahead + (self.peek(ahead) in ("in", "at")))[0].keys
        self.context_counted = True
        return power != self.power and any(self.present("", power)(key) for key in keys)

    def _hyphen(self, ahead: int) -> bool:
        """Whether a dash so far ahead joins two words (``Austria-Hungary``)."""
        i = self.at + ahead
        return (
            self.peek(ahead) == "-" and i + 1 < len(self.tokens) and self.tokens[i].glued and self.tokens[i + 1].glued
        )

    def _may_be_place_of(self, phrase: str) -> bool:
        """Whether a power's name is that of a place, too, in full or shortened."""
        places = self.reader.places
        return places.exact(phrase, self.power) is not None or places.shortened(phrase, self.power).sure

    def is_own_place(self, phrase: str) -> bool:
        """Whether a power's name is a place's too, or begins that of a place where a unit of this power stands."""
        places = self.reader.places
        if places.exact(phrase, self.power) is not None:
            return True
        short = places.shortened(phrase, self.power)
        return short.sure and self.present("", self.power)(short.keys[0])

    def bracketed_power(self, *, before_unit: bool = False) -> str:
        """A power or its adjective in brackets, or nothing; ``before_unit``: a unit of that power follows."""
        if whose := self._bracketed_unit():
            return whose
        word = self.peek(1)
        initial = len(word) == 1 and word not in self.reader.codes | LETTERS.keys()
        initial = initial and (word not in self.reader.verb_words or (before_unit and self.names_unit_after(3)))
        if self.peek() != "(" or self.peek(2) != ")" or word in COASTS or len(word) < SHORTEST_BEGINNING - 2 * initial:
            return ""
        power = self.reader.powers.exact(word)
        if power is None and self.tokens[self.at + 1].owns:
            power = self.reader.powers.exact(word.removesuffix("s"))
        if power is None and initial:
            power = self.reader.powers.begins_one(word) or None
        if power is None:
            meaning = self.reader.powers.shortened(word)
            power = meaning.keys[0] if meaning.sure else ""
            power = power or misspelled_power(word, self.reader.powers, self.reader.places)
        if power:
            self.at += 3
        return power

    def _bracketed_unit(self) -> str:
        """The power of ``(German army)``, ``(the army of Germany)``, ``(belonging to Germany)``; nothing where no such
        bracket comes."""
        start = self.at
        if self.peek() != "(":
            return ""
        self.at += 1
        self.skip(ARTICLES)
        kind = self.take_one(self.reader.kinds) if len(self.peek()) > LONGEST_CODE else ""
        of = bool(self.take_one(("of", "from"))) or self.take("belonging", "to") or self.take("owned", "by")
        power = self.power_next()
        if power and not of and not kind:
            kind = self.take_one(self.reader.kinds) or self.take_one(("unit",))
        if power and (of or kind) and self.take(")"):
            return power
        self.at = start
        return ""

    def _short_power(self) -> str:
        """The beginning of a power's name before a unit (``Ger A mun``), if it isn't a place (``Eng F nth``) or the
        unit is that power's; its letter (``G A mun``), if the unit is."""
        word = self.peek()
        meaning = self.reader.powers.shortened(word) if word.isalpha() else NOTHING
        initial = (len(word) == 1 and word not in self.reader.codes) or (len(word) == SHORTEST_BEGINNING - 1)
        if initial and (named := self.reader.powers.begins_one(word)):
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
            keys = self.longest_name(self.at + (self.peek() == "("))[0].keys
            self.at = before
            if any(self.present(kind, meaning.keys[0])(key) for key in keys):
                self.context_counted = True
                return meaning.keys[0]
        elif not initial and self._stands_at(0, meaning.keys[0]):  # s ger ruh - bel
            moves = self.tokens[self.longest_name(self.at)[1] :][:1]
            known = places.meaning(word, self.power).keys
            if not any(self.present()(key) for key in known) or (moves and moves[0].text == "-"):
                return meaning.keys[0]
        self.at -= 1
        return ""

    def _unit_follows(self, ahead: int) -> bool:
        """Whether a kind of unit and a place come after so many words: in ``Argyll A kinty`` the power is meant, not
        the place of that name."""
        if self.peek(ahead) in ("the", ":"):
            ahead += 1
        return self.peek(ahead) in self.reader.kinds and self.peek(ahead + 1) not in self.reader.verb_words | {
            "",
            "/",
        }

    def power_name(self) -> str:
        """A power."""
        self.skip(ARTICLES)
        self.take("player")
        start = self.at
        names = self.reader.powers
        for length in range(min(names.longest, len(self.tokens) - start), 0, -1):
            words = [t.text for t in self.tokens[start : start + length]]
            if not words[-1].isalnum():
                continue  # Argyll?
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
        if any(not t.text.isalnum() and t.text not in "-&" for t in self.tokens[start : self.at]):
            self.fail(f"cannot read {written[:60]!r}", start)
        try:
            return names.find(written)
        except UnknownNameError as error:
            word = "is ambiguous" if error.ambiguous else "isn't a power in this game"
            self.fail(f"{written[:60]!r} {word}", start, error.candidates)

    def power_next(self) -> str:
        """A power if one is named next, or nothing."""
        start = self.at
        self.skip(ARTICLES)
        names = self.reader.powers
        longest = min(names.longest, len(self.tokens) - self.at) if names.may_begin(self.peek()) else 0
        for length in range(longest, 0, -1):
            words = [self.peek(i) for i in range(length)]
            if not _PARTS.isdisjoint(words):
                continue  # by Germany)
            power = names.exact(fold(" ".join("and" if word == "&" else word for word in words)))
            if power is not None:
                self.at += length
                return power
        self.at = start
        return ""

    def own_name(self) -> None:
        """Step over the own power's name or adjective."""
        owns = self.at < len(self.tokens) and self.tokens[self.at].owns
        name = self.reader.powers.exact(self.peek()) or self.reader.powers.exact(self.peek().removesuffix("s") * owns)
        if name is not None and len(self.peek()) > 2:
            if self.power and name != self.power:
                self.fail(f"this sheet is {possessive(self.power)}, not {possessive(name)}", kind="not yours")
            self.at += 1
