"""Remarks beside orders: what stands in brackets or after a ``#`` and changes nothing of the order before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from legation.notation import other_languages
from legation.notation.grammar import Grammar
from legation.notation.names import COASTS, SHORTEST_BEGINNING, fold
from legation.notation.parsing.orders import Parser
from legation.notation.prose import announcing, sayings, seasons
from legation.notation.small_words import ARTICLES, ASIDES, JOINTS, POLITE, PREPOSITIONS
from legation.notation.tokens import SIGNS, tokenize

MOST_WORDS = 30  # of a remark
LONGEST_LOOKED_AT = 500  # characters
SAYS_HOW = frozenset(
    "overland land route way direction opposite other side priority choice choose decide decides decision debate erase "
    "revise revised below awaiting await confirm confirms confirmation tbc placeholder do use same before usual round "
    "versa like ask everyone set".split()
)
"""Words of remarks that may say how, or whether, an order is meant."""
_AGAINST = (sayings.AGAINST | sayings.QUESTIONS | sayings.QUOTES | other_languages.DOUBT) - sayings.SHORT_RETRACTS


def aside_end(parser: Parser) -> int:
    """Where a remark in brackets ends that comes next; 0 where what comes is none, or may mean something."""
    comma = int(parser.peek() == "," and parser.peek(1) in ("to", "just"))
    comma += parser.peek(comma) == "just" and parser.peek(comma + 1) == "to"
    if parser.peek(comma) in ("to", "for") and parser.peek(comma + 1) in sayings.AIMS:  # to cut support
        end = parser.at + comma
        while end < len(parser.tokens) and parser.tokens[end].text not in JOINTS | {"("}:
            end += 1
            if parser.tokens[end - 1].stop:
                break
        said = [token.text for token in parser.tokens[parser.at + comma + 1 : end]]
        return 0 if set(said) & _AGAINST or "-" in said or orders_a_place(said, parser.reader) else end
    if parser.peek() != "(":
        return 0
    words: list[str] = []
    for i in range(parser.at + 1, min(parser.at + 2 + MOST_WORDS, len(parser.tokens))):
        word = parser.tokens[i].text
        if word == "(":
            return 0
        if word == ")":
            return i + 1 if is_aside(words, parser.reader) else 0
        words.append(word)
    return 0


def is_aside(words: Sequence[str], reader: Grammar) -> bool:
    """Whether these words say nothing of what a unit does: why an order is given (``this will cut any support from
    Kent``), or a kindness; not the outcome of an order, a doubt or another place."""
    said = [word for word in words if word.isalnum()]
    if said and (said[0] if len(said) == 1 else " ".join(said)) in sayings.PURPOSES_ALONE:
        return True
    if " ".join(said) in ASIDES:
        return True
    counted = sayings.ORDINALS - {"next", "then"}  # (next turn) may put the order off
    if said and said[0] in counted and len(said) <= 2 and set(said[1:]) <= sayings.COUNTED:  # second build
        return True
    if " ".join(said[:2]) in ASIDES and not set(words) & (_AGAINST | sayings.HELPED):  # as agreed with Austria
        return not any(names(word, reader) for word in said[2:] if reader.powers.exact(word) is None)
    if said and all(word in sayings.EXCLAMATIONS or (len(word) > 2 and reader.powers.exact(word)) for word in said):
        return bool(set(said) & sayings.EXCLAMATIONS) and not set(words) & _AGAINST
    if said[:2] == ["just", "to"]:  # just to cut support
        said = said[1:]
    if said[:2] == ["to", "be"]:  # to be confirmed
        return False
    if not said or len(said) < 2 or "-" in words or set(words) & (_AGAINST | sayings.HELPED):
        return False
    if set(said) <= sayings.OUTCOMES or any(word.isdecimal() for word in said):
        return False
    if said[0] in sayings.PURPOSES and len(said) >= sayings.PURPOSES[said[0]]:
        return not (said[0] == "to" and reader.places.meaning(said[1]).keys) and not orders_a_place(said, reader)
    if said[0] in ("see", "you", "hi", "hello") and any(len(w) > 1 and w in reader.telling_words for w in said):
        return False
    if said[0] in sayings.KINDNESSES and not any(names(word, reader) for word in said[1:]):
        return True
    return is_chat(said, reader) and (sayings.DOUBTS | COASTS.keys() | seasons.SEASONS.keys() | SAYS_HOW).isdisjoint(
        said
    )


def is_chat(words: Sequence[str], reader: Grammar) -> bool:
    """Whether a sentence names nothing of the board, and says nothing for or against what stands beside it."""
    said = set(words)
    against = (
        (_AGAINST - sayings.CHATTY - sayings.QUOTES)
        | sayings.CORRECTS
        | sayings.ORDERING
        | sayings.HEARD
        | sayings.POINTS_AT
    )
    if said & against or words[0] in sayings.CHATTY:
        return False
    return not any(
        word == "-" or word.isdecimal() or word in reader.telling_words or (len(word) > 1 and names(word, reader))
        for word in words
    )


def orders_a_place(said: Sequence[str], reader: Grammar) -> bool:
    """Whether a place is named, and right after it something that a unit does: ``Brest holds``."""
    return any(
        after in reader.verbs and bool(reader.places.meaning(word).keys) and len(word) >= SHORTEST_BEGINNING
        for word, after in pairwise(said)
    )


def names(word: str, reader: Grammar) -> bool:
    """Whether a word may name a place or a kind of unit."""
    if len(word) < SHORTEST_BEGINNING:
        return False
    return word in reader.kinds or bool(reader.places.meaning(word).keys) or reader.places.nearly(word)


def orders_in_short(parser: Parser, text: str) -> bool:
    """Whether a text that begins like a greeting names places in short behind a unit or beside a dash: ``OK, A Cons -
    Bulg``, ``Hi, F AM``."""
    letters = text.split()
    signs = any(t.text == "-" or t.text.upper() in letters for t in parser.tokens if len(t.text) == 1)
    if not signs and parser.bare is None:
        return False
    places, powers = parser.reader.places, parser.reader.powers
    said = [t.text for t in parser.tokens if powers.exact(t.text) is None]
    if any(places.shortened(word, parser.power).sure or places.misspelled(word) for word in said):
        return True
    return signs and any(_kind_stands_at(parser, at) for at in range(len(parser.tokens)))


def _kind_stands_at(parser: Parser, at: int) -> bool:
    """Whether a letter for a kind of unit stands at a token, and a place behind it."""
    parser.at = at
    return len(parser.peek()) == 1 and parser.kind_comes()


def may_mean_an_order(text: str, reader: Grammar) -> bool:
    """Whether a text that isn't an order may have been meant as one: it names a place or a unit, or nearly, or says
    what units do."""
    words = [token.text for token in tokenize(text[:LONGEST_LOOKED_AT], reader.codes)]
    return any(
        names(word, reader)
        or word == "-"
        or (len(word) > 1 and word in reader.telling_words)
        or word in sayings.RETRACTS
        for word in words
    )


def resembles_an_order(text: str, reader: Grammar, power: str) -> bool:
    """Whether a text that isn't an order looks like one: it begins with a unit, or names a place and something that a
    unit does; talk that only names a place does not."""
    words = [token.text for token in tokenize(text[:LONGEST_LOOKED_AT], reader.codes)]
    return words[:1] != [] and (words[0] in reader.kinds or speaks_of_orders(words, reader, power))


def speaks_of_orders(words: Sequence[str], reader: Grammar, power: str) -> bool:
    """Whether words name a place of the board, and something that a unit does or that an order is to be another."""
    named = any(len(word) >= SHORTEST_BEGINNING and reader.places.exact(word, power) for word in words)
    return named and any(
        word in sayings.CORRECTS or word in sayings.RETRACTS or word == "-" or word in reader.telling_words
        for word in words
        if not reader.places.meaning(word, power).keys
    )


_PAIRS = {
    '"': '"',
    "“": "”",
    "„": "“”",
    "”": "”",
    "«": "»",
    "»": "«",
    "‹": "›",
    "‘": "’",
    "‚": "‘’",
    "'": "'",
    "`": "'`",
}
_MARKS = frozenset("".join(_PAIRS) + "".join(_PAIRS.values()))


def unquoted(text: str, reader: Grammar) -> str:
    """A line without the quotation marks around its orders or names, as long as before; one that tells what somebody
    said keeps them."""
    if not _MARKS & set(text):
        return text
    runs: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        closing = _PAIRS.get(text[at])
        begins = closing is not None and (at == 0 or text[at - 1] in " (,;-–—>")
        end = -1
        if begins and closing is not None:
            ends = (text.find(mark, at + 1) for mark in closing)
            end = min((i for i in ends if i > at + 1), default=-1)
            if end > 0 and end + 1 < len(text) and text[end + 1].isalnum():
                end = -1
        if end < 0:
            at += 1
            continue
        runs.append((at, end))
        at = end + 1
    if not runs:
        return text
    outside = list(text)
    for begin, end in runs:
        outside[begin : end + 1] = " " * (end + 1 - begin)
    small = (
        reader.verbs.keys() | reader.openings.keys() | reader.kinds.keys() | JOINTS | PREPOSITIONS | ARTICLES | POLITE
    )
    said = " ".join("".join(outside).split())
    lead = announcing.ORDERS_ARE.match(f"{said} x")
    words = [token.text for token in tokenize(said[lead.end() :] if lead else said, reader.codes)]
    if any(word not in small and word not in SIGNS and word not in _MARKS for word in words):
        return text
    if any(kind in reader.kinds and reader.places.exact(word) for kind, word in pairwise(words)):
        return text  # "build A lis", build A and
    bare = list(text)
    for begin, end in runs:
        bare[begin] = bare[end] = " "
    return "".join(bare)


MOST_BLOCKS = 5  # of several lines between quotation marks
_BLOCK = re.compile(r"(?:^|:)[^\S\n]{0,20}(?P<open>[\"“„”«»])(?P<within>[^\"“„”«»]{2,5000})", re.MULTILINE)
_CLOSED = re.compile(r"(?P<close>[\"“”«»])[.,;!]{0,2}[^\S\n]{0,20}$", re.MULTILINE)
_TELLS = sayings.HEARD | sayings.QUESTIONS | sayings.POINTS_AT | sayings.RETRACTS | sayings.NEGATIONS


def unquoted_lines(text: str) -> str:
    """A sheet without the quotation marks around several whole lines of it, as long as before, where nothing else on it
    tells of what somebody says or asks; else as it is."""
    if not _MARKS & set(text) or "\n" not in text:
        return text
    blocks: list[tuple[int, int]] = []
    at = 0
    while (match := _BLOCK.search(text, at)) is not None and len(blocks) <= MOST_BLOCKS:
        at = match.end("within")
        ends = _CLOSED.match(text, at)
        if ends is not None and "\n" in match["within"] and ends["close"] in _PAIRS[match["open"]]:
            blocks.append((match.start("open"), at))
    if not 0 < len(blocks) <= MOST_BLOCKS:
        return text
    outside, bare = list(text), list(text)
    for begin, end in blocks:
        outside[begin : end + 1] = " " * (end + 1 - begin)
        bare[begin] = bare[end] = " "
    if "?" in outside or _TELLS & set(fold("".join(outside)).split()):
        return text
    return "".join(bare)
