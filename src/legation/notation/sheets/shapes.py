"""The shape of an order: where it begins and ends, before it is parsed."""

from __future__ import annotations

from legation.notation.parsing.orders import Parser
from legation.notation.small_words import JOINTS

OF_OTHERS = frozenset(["s", "c"])
SHORT_HELPS = frozenset("sup supp supt spt unterst unt conv cvy konv".split())
"""Shortened words behind which the unit that is helped comes: ``F bre supp. A par - gas``."""
SHORT_WORDS = frozenset("me us it so we he my no in on at by up do go is be am ok".split())


def looks_like_order(parser: Parser, begin: int) -> bool:
    """Whether what begins at a token looks like an order: a unit and something it does, or a word with which orders
    begin and a unit."""
    before = parser.at
    parser.at = begin
    try:
        word = parser.peek()
        opening = parser.reader.openings.get(word)
        if opening is not None and opening.fits(parser):
            parser.at += 1
            parser.take(":")
            return parser.names_unit() or len(parser.tokens) - parser.at <= 3 or place_comes(parser)
        has_kind = parser.names_unit()
        if has_kind:
            parser.skip(("the", "my", "our"))
            parser.owner()
            parser.kind()
            parser.skip(("in", "at", "of", "("))
        if place_comes(parser):
            return has_kind or any(
                t.text in parser.reader.verbs or t.text == ":" for t in parser.tokens[parser.at + 1 : parser.at + 6]
            )
        if has_kind and parser.bare is not None and parser.peek().isalpha():
            return True  # a unit alone is an order here, though its name may not be read
        signs = [t.text for t in parser.tokens[parser.at + 1 : parser.at + 4]]
        return has_kind and (
            "-" in signs or any(w in parser.reader.verbs and w not in ("to", "into", "stop") for w in signs)
        )
    finally:
        parser.at = before


def place_comes(parser: Parser) -> bool:
    """Whether a place comes next, its name not shortened."""
    for length in (1, 2, 3):
        words = " ".join([token.text for token in parser.tokens[parser.at : parser.at + length]])
        if parser.reader.places.meaning(words, parser.power).keys:
            return True
    return False


def joint_opens(parser: Parser) -> bool:
    """Whether what may join orders begins one here (``+A par``)."""
    opening = parser.reader.openings.get(parser.peek())
    return opening is not None and opening.fits(parser)


def _order_begins(parser: Parser, at: int) -> bool:
    """Whether an order seems to begin at a token."""
    tokens = parser.tokens
    while at < len(tokens) and tokens[at].text in JOINTS:
        at += 1
    return at < len(tokens) and looks_like_order(parser, at)


def part_end(parser: Parser, begin: int, at: int) -> int:
    """Where a part that cannot be read ends: at the end of its sentence, or before a joint after which an order
    begins."""
    tokens = parser.tokens
    k = max(at, begin + 1)
    while k < len(tokens):
        if tokens[k - 1].stop and not _abbreviates(parser, tokens[k - 1].text):
            return k
        word = tokens[k].text
        if word in (";", "|") or _number_begins(parser, k):
            return k
        if word in JOINTS and _order_begins(parser, k + 1):
            return k
        k += 1
    return len(tokens)


def _number_begins(parser: Parser, at: int) -> bool:
    """Whether a number comes at a token that counts orders, and then a unit: ``... 3. F bre - mao``."""
    if not parser.tokens[at].text.isdecimal() and parser.tokens[at].text != "(":
        return False
    before, parser.at = parser.at, at
    counts = parser.numbered > 0
    parser.at = before
    return counts


def sentence_end(parser: Parser, at: int) -> int:
    """Return where the sentence around ``at`` ends. The stop of ``W.`` or ``St.`` ends none."""
    while at < len(parser.tokens) and not ends_sentence(parser, at):
        at += 1
    return at


def ends_sentence(parser: Parser, at: int) -> bool:
    """Whether a sentence ends right before a token."""
    before = parser.tokens[at - 1]
    return before.stop and not _abbreviates(parser, before.text)


def _abbreviates(parser: Parser, word: str) -> bool:
    """Whether a word with a full stop may be a part of a name (``St. Petersburg``), or asks for a unit (``S. A.
    Pic``)."""
    if word in SHORT_HELPS and parser.reader.places.exact(word) is None:
        return True
    return len(word) <= 2 and (word not in parser.reader.verbs or word in OF_OTHERS) and word not in SHORT_WORDS
