"""Kinds of units among the words, and the names of places, written in full, that stand after them."""

from __future__ import annotations

from legation.notation.names import GENERIC, SHORTEST_BEGINNING, Meaning
from legation.notation.parsing.stream import LONGEST_ABBREVIATION, WordStream
from legation.notation.small_words import JOINTS, PREPOSITIONS
from legation.notation.tokens import SIGNS, Token
from legation.notation.vocabulary import Vocabulary

PLURAL = frozenset(["armies", "fleets"])
TROOPS = frozenset(["mercenaries", "troops", "soldiers"])
"""What an army may be called before its place."""
LONGEST_CODE = 2  # letters of the code of a kind of unit, or of several: A, AA


class KindParser(WordStream):
    """Words among which a variant's kinds of units and places are found, as ``power`` calls them."""

    reader: Vocabulary

    def __init__(self, reader: Vocabulary, text: str, tokens: list[Token], power: str) -> None:
        super().__init__(text, tokens)
        self.reader = reader
        self.power = power
        self.count_said = 0  # how many units were announced (``2 armies``)

    def goes_on_in_short(self, token: Token) -> bool:
        """Whether after an abbreviation a word goes on with what was said: one that says what a unit does."""
        written = self.text[token.start : token.end]
        said = token.text in self.reader.verb_words and token.text not in self.reader.kinds
        return said and (len(token.text) == 1 or written[:1].islower() or written.isupper())  # A Yorks. TO Denmark

    def kind(self) -> str:
        """A kind of unit, or nothing (for ``unit`` too)."""
        kinds = self.reader.kinds
        if self.peek() in ("a", "an", "the") and (
            (self.peek(1) in kinds and len(self.peek(1)) > 1) or f"{self.peek(1)} {self.peek(2)}" in kinds
        ):
            self.at += 1
        if self.peek() == "other" and self.peek(1) in kinds and self.peek(2) in (*PREPOSITIONS, "("):
            self.at += self.peek(1) not in PLURAL and len(self.peek(1)) > LONGEST_CODE  # the other fleet (North Sea)
        self.count_said = 0
        counts = self.peek(1) in kinds and (len(self.peek(1)) > 1 or (self.peek().isdecimal() and self.peek(2) != ""))
        if counts and (count := self.number()):
            self.count_said = count
        if [self.peek(i) for i in range(3)] == ["3", "-", "d"] and self.peek(3):
            self.at += 2
        pair = f"{self.peek()} {self.peek(1)}"
        if pair in kinds:
            self.at += 2
            if self.peek() == "(" and kinds.get(self.peek(1)) == kinds[pair] and self.peek(2) == ")":
                self.at += 3  # Defensive Army (3D)
            self.take(":")
            self._step_over_code(kinds[pair])
            return kinds[pair]
        self._part_kind()
        word = self.peek()
        listed = self.peek(1) == "-" and len(word) > LONGEST_CODE and word.endswith("s")  # Armies - Par-Gas, Mar-Spa
        if word in kinds and (listed or self.peek(1) not in ("", "-", "/")):
            self.at += 1 + listed
            self.take(":")
            if len(word) > LONGEST_CODE and self.peek(1) in (*PREPOSITIONS, "("):
                self.take_one(("unit", "units"))  # army units in Burgundy
            self._step_over_code(kinds[word])
            return kinds[word]
        if word in ("unit", "units"):
            self.at += 1
            if self.take(":"):  # Dislodged unit: Fleet Belgium
                return self.kind()
        if word in TROOPS and "army" in kinds:
            placed = 1 + (self.peek(1) in PREPOSITIONS)  # the mercenaries in Provence
            if self.longest_name(self.at + placed)[0].keys:
                self.at += 1
                return kinds["army"]
        return ""

    def _step_over_code(self, kind: str) -> None:
        """Step over another word for the same kind in brackets: ``a defensive army (3D) in Mercia``."""
        inner = self.tokens[self.at + 1 : self.at + 1 + 4]
        close = next((i for i, token in enumerate(inner) if token.text == ")"), 0)
        word = "".join(token.text for token in inner[:close] if token.text != "-")
        if self.peek() == "(" and close and self.reader.kinds.get(word) == kind:
            self.at += close + 2

    def _part_kind(self) -> None:
        """Part the letter of a unit's kind from a name that is glued to it (``ALon``), where both say nothing else."""
        word, places = self.peek(), self.reader.places
        if word[:1] not in self.reader.codes or len(word) <= SHORTEST_BEGINNING or not places.meaning(word[1:]).keys:
            return
        token = self.tokens[self.at]
        capitals = self.text[token.start : token.start + 2].isupper()
        if not (capitals or self.stands_glued(word)) or word in self.reader.ends_name | PREPOSITIONS:
            return
        if places.meaning(word).keys or places.shortened(word).keys:
            return
        middle = token.start + 1
        self.tokens[self.at : self.at + 1] = [
            Token(word[0], token.start, middle, glued=token.glued),
            Token(word[1:], middle, token.end, token.stop, True, token.owns),
        ]

    def stands_glued(self, word: str) -> bool:
        """Whether ``word`` is a kind and a place as one word (``apar``), and such an own unit stands there."""
        return False

    def stands_there(self, kind: str, province: str) -> bool:
        """Whether such a unit stands in a province."""
        return False

    def kind_comes(self) -> bool:
        """Whether a kind of unit and a place come next; the place may stand in brackets."""
        before = self.at
        try:
            if not self.kind():
                return False
            bracket = self.peek() == "("
            meaning, end = self.longest_name(self.at + bracket)
            closes = [token.text for token in self.tokens[end : end + 1]] == [")"]
            return bool(meaning.keys) and (not bracket or closes)
        finally:
            self.at = before

    def longest_name(self, first: int) -> tuple[Meaning, int]:
        """The longest name written in full that begins at a token, and where it ends."""
        names = self.reader.places
        if (called := self._called_after(first)) is not None:
            return called
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
                    closes = i + len(inner) + 2
                    inner = inner[inner[:1] == ["the"] :]  # Portland (the sea)
                    said = " ".join([*words, *inner])
                    key = names.exact(said, self.power)
                    if key is None and len(inner) == 1 and inner[0] in GENERIC:  # Londonderry (county), Wight (sea)
                        loose = names.meaning(said, self.power)
                        key = names.exact(" ".join([*inner, *words]), self.power)
                        key = key or (loose.keys[0] if loose.sure and loose.keys else None)
                    if key is not None:
                        best = Meaning((key,)), closes
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
                eaten = word in self.reader.ends_name and best[0].keys  # Icelandic Sea S A mth
                if meaning.keys and not (eaten and names.exact(" ".join(words), self.power) is None):
                    best = meaning, i + 1
            i += 1
        best = self._without_neighbor(first, best)
        end = best[1]
        if best[0].keys and end < len(self.tokens) and self._continues_name(end):
            longer = self.words_from(first)
            for stop in range(first + len(longer), end, -1):
                meaning = names.shortened(" ".join(longer[: stop - first]), self.power)
                if meaning.sure or len(meaning.keys) > 1:  # Nor Sea may be two, and is none that is called Nor
                    return meaning, stop
        return best

    def _called_after(self, first: int) -> tuple[Meaning, int] | None:
        """The land after which the only such unit is called (``the Greek army``, ``the Greek and Serbian armies``), and
        where its name ends."""
        for end in (first + 2, first + 1):
            land = self.reader.peoples.get(" ".join(token.text for token in self.tokens[first:end]))
            if land is None or end > len(self.tokens) or self.tokens[end - 1].stop:
                continue
            further = end
            while further < len(self.tokens) and self.tokens[further].text in self.reader.peoples.keys() | JOINTS:
                further += 1
            kind = self.tokens[further].text if further < len(self.tokens) else ""
            one = further == end or kind in PLURAL
            if len(kind) > LONGEST_CODE and one and kind in self.reader.kinds.keys() | {"one"}:
                if self.stands_there(self.reader.kinds.get(kind, ""), land):
                    return Meaning((land,)), end
        return None

    def _without_neighbor(self, first: int, found: tuple[Meaning, int]) -> tuple[Meaning, int]:
        """A name that was found, less the word with which another begins: ``devon County Stirling`` are Devon and
        County Stirling, and no Devon County."""
        for begin in range(first + 1, found[1]):
            if self.tokens[begin].text in GENERIC and self._exact_end(begin) > max(found[1], begin + 1):
                names = self.reader.places
                words = [t.text for t in self.tokens[first:begin] if t.text not in SIGNS and t.text != "the"]
                meaning = names.meaning(" ".join("and" if word == "&" else word for word in words), self.power)
                if meaning.keys:
                    end = begin
                    while self.tokens[end - 1].text in SIGNS:
                        end -= 1
                    return meaning, end
        return found

    def _exact_end(self, first: int) -> int:
        """Where the longest name of several words ends that begins at a token and has no word too many; ``first`` if
        none does."""
        words: list[str] = []
        end = first
        if first >= len(self.tokens) or self.tokens[first].text not in self.reader.places.beginnings:
            return end
        for i in range(first, min(first + self.reader.places.longest, len(self.tokens))):
            if self.tokens[i].text in SIGNS and self.tokens[i].text != "&":
                break
            words.append("and" if self.tokens[i].text == "&" else self.tokens[i].text)
            if self.reader.places.exact(" ".join(words), self.power) is not None:
                end = i + 1
        return end

    def name_begins(self) -> bool:
        """Whether the word that comes next, whatever else it may say, begins the name of a place: ``cross tipperary``,
        ``the rest``."""
        return self._exact_end(self.at) > self.at + 1

    def short_name_begins(self) -> bool:
        """Whether what comes next, whatever its first word may say, are beginnings of the words of one name: ``cross
        tipp``."""
        if self.peek() not in self.reader.places.beginnings or not self.peek(1).isalpha():
            return False
        said = f"{self.peek()} {self.peek(1)}"
        return self.reader.places.shortened(said, self.power).sure

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

    def words_from(self, first: int) -> list[str]:
        """The words from a token on that may be one name."""
        words: list[str] = []
        for i in range(first, min(first + self.reader.places.longest + 2, len(self.tokens))):
            if (
                i > first
                and not self._continues_name(i)
                and not (self.tokens[i - 1].stop and self.tokens[i].text.isalpha())
            ):
                break
            if self.tokens[i].text in SIGNS or (i > first and self.tokens[i].text in self.reader.ends_name):
                break
            if i > first and self.tokens[i].text in self.reader.kinds and self.reader.powers.exact(" ".join(words)):
                break  # Newcastle fleet, where Newcastle is a place, too
            words.append(self.tokens[i].text)
        return words

    def may_be_place(self, at: int) -> bool:
        """Whether the word there may be the name of a place, or its beginning."""
        word, places = self.tokens[at].text, self.reader.places
        return bool(places.meaning(word, self.power).keys or places.shortened(word, self.power).keys)
