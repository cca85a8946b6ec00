"""The words of a text, taken one after the other."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NoReturn, TypeVar

import msgspec

from legation.notation.errors import FaultKind, OrderTextError
from legation.notation.small_words import ASIDES, JOINTS, NUMBERS
from legation.notation.tokens import Token

T = TypeVar("T")

_ASIDES_BEGIN = frozenset(aside.split()[0] for aside in ASIDES)
LONGEST_ABBREVIATION = 5  # letters before a full stop that may be the beginning of a word


def _without_asides(tokens: list[Token]) -> list[Token]:
    """The tokens without asides such as ``, as agreed``."""
    kept: list[Token] = []
    i = 0
    while i < len(tokens):
        if (length := _aside(tokens, i)) > 0:
            i += length
            if kept and (kept[-1].text == "," or (kept[-1].text == "-" and i == len(tokens))):
                kept.pop()
            elif not kept and i < len(tokens) and tokens[i].text in (",", ":"):
                i += 1
            if kept and tokens[i - 1].stop:
                kept[-1] = msgspec.structs.replace(kept[-1], stop=True)
        else:
            kept.append(tokens[i])
            i += 1
    return kept


def _aside(tokens: list[Token], at: int) -> int:
    """How many tokens a remark takes that begins at one and changes nothing; 0 where none does."""
    if tokens[at].text not in _ASIDES_BEGIN:
        return 0
    for length in (4, 3, 2):
        if at + length <= len(tokens) and " ".join(t.text for t in tokens[at : at + length]) in ASIDES:
            opened = at > 0 and tokens[at - 1].text == "("
            return 0 if opened else length  # what stands in brackets is one remark
    return 0


def ends(tokens: list[Token], at: int) -> bool:
    """Whether what is said ends before a token."""
    return at >= len(tokens) or tokens[at - 1].stop or tokens[at].text in JOINTS


class WordStream:
    """The tokens of a text; ``at`` is the one that comes next."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = _without_asides(tokens)
        self.at = 0

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
        bracket = self.peek() == "(" and self.peek(2) != ")" and not self.bracket_is_short() and self.take("(")
        inner = read()
        if bracket and not self.take(")"):
            self.fail("a closing bracket is missing")
        return inner

    def bracket_is_short(self) -> bool:
        """Whether a bracket that opens here closes before what is said ends: ``(FRA AMY PAR) MTO BUR``."""
        return False

    def number(self) -> int:
        """A small number in digits or words; 0 if none comes next."""
        word = self.peek()
        token = self.tokens[self.at] if word else None
        written = "" if token is None else self.text[token.start : token.end]
        count = int(word) if word.isdecimal() and word == written and len(word) < 4 else NUMBERS.get(word, 0)
        if count:
            self.at += 1
        return count

    @property
    def stopped(self) -> bool:
        """Whether a sentence has just ended; none begins with a dash, so what ends before one was an abbreviation, and
        what stands in brackets belongs to what goes before. Neither does one begin in the middle of ``A. Par. S. A.
        Mar.``."""
        if self.at == 0 or not self.tokens[self.at - 1].stop or self.peek() in ("-", "("):
            return False
        if self.at == len(self.tokens):
            return True
        before, after = self.tokens[self.at - 1], self.tokens[self.at]
        abbreviated = len(before.text) <= LONGEST_ABBREVIATION and self.text[before.end - 1] == "."
        return not (abbreviated and self.goes_on_in_short(after))

    def goes_on_in_short(self, token: Token) -> bool:
        """Whether after an abbreviation a word goes on with what was said: one that says what a unit does."""
        return False

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
