"""Reasons behind ``because``, ``so that`` and the like, or told of other powers: they leave the order beside them as it
is, unless they make it doubtful."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from legation.board import province_of
from legation.notation.grammar import Grammar
from legation.notation.names import COASTS, SHORTEST_BEGINNING
from legation.notation.parsing.orders import Parser
from legation.notation.prose import sayings, seasons
from legation.notation.sheets.asides import MOST_WORDS, names
from legation.notation.sheets.shapes import looks_like_order
from legation.notation.small_words import ARTICLES, PREPOSITIONS
from legation.notation.subjects import Subject
from legation.orders import Move, Order, SupportHold

_TO = frozenset("to into toward towards".split())
_OPENS_REASON = tuple(
    tuple(words.split())
    for words in (
        "because",
        "since",
        "in order to",
        "in order not to",
        "in order that",
        "so that",
        "even if",
        "even though",
        "so as to",
        "so as not to",
        "for fear of",
        *(
            f"{though} i {fears}"
            for though in ("though", "although")
            for fears in ("fear", "doubt", "suspect", "expect")
        ),
        "there is",
        "there are",
        "theres",
        "i have no",
        "ive no",
        "we have no",
    )
)
"""How a reason begins that needs no brackets."""
_THIRD = frozenset("he she they hes shes theyre everybody everyone nobody".split())
_SAYS_NO = sayings.DENIES | {"stop", "avoid"}
"""Words with which a reason says what does not happen."""
_UNDERMINES = (
    (sayings.OPENS - {"because", "while", "when"})
    | (sayings.DOUBTS - {"maybe", "perhaps", "possibly"})
    | (sayings.CORRECTS - frozenset("no not make take should second change changes changed mean rather".split()))
    | sayings.DRAFTS
    | sayings.QUOTES
    | sayings.CROSSES
    | frozenset("? confirm confirms confirmed must needs tbc agree".split())
) - _SAYS_NO
"""Words of reasons that may say whether an order is meant."""


def reason_before(parser: Parser) -> int:
    """Where a reason ends that comes next, before a comma and an order: ``Because Italy leaves, A tri - ven``; 0 where
    none comes."""
    start = parser.at
    length = opens_reason(parser) or 2 * (parser.peek() == "to" and parser.peek(1) in sayings.AIMS)
    if not length:
        return 0
    for end in range(start + length, min(start + MOST_WORDS, len(parser.tokens))):
        token = parser.tokens[end]
        if token.stop or token.text in ("(", ")", ";", ":"):
            return 0
        if token.text == "," and looks_like_order(parser, end + 1):
            said = [one.text for one in parser.tokens[start + length : end]]
            return end if said and _tells_why(said, parser) else 0
    return 0


def opens_reason(parser: Parser) -> int:
    """How many words begin a reason that comes next; 0 where none comes."""
    for words in _OPENS_REASON:
        if all(parser.peek(i) == word for i, word in enumerate(words)):
            return len(words)
    return 0


def _tells_why(said: Sequence[str], parser: Parser) -> bool:
    """Whether what stands behind ``because`` orders no own unit and makes nothing doubtful."""
    plain = [word for i, word in enumerate(said) if word != "else" or said[i - 1] not in _SAYS_NO]
    return bool(plain) and not set(plain) & _UNDERMINES and not orders_own(plain, parser)


def leaves_order(parser: Parser, length: int, end: int, order: Order) -> bool:
    """Whether the words up to an end, behind those that begin a reason, leave an order as it is: of what a supported
    unit is supported for, it may be where that goes; ``no`` may be said of the order itself."""
    opens = [token.text for token in parser.tokens[parser.at : parser.at + length]]
    said = [token.text for token in parser.tokens[parser.at + length : end]]
    if opens[:1] == ["since"] and any(word.isdecimal() or word in seasons.SEASONS for word in said[:2]):
        return False
    if (
        isinstance(order, SupportHold)
        and opens[0] in ("in", "so")
        and any(may_name(word, parser.reader) for word in said)
    ):
        return False
    speaks_of_it = opens[0] in ("because", "since") and said[:1] != [] and said[0] in _OF_THIS
    return _tells_why(said, parser) and not (speaks_of_it and set(said) & _SAYS_NO)


_OF_THIS = frozenset("i im we it its this that thats my".split())


def tells_of_others(words: Sequence[str], said: Sequence[str], parser: Parser, order: Order) -> bool:
    """Whether a remark begins with another power or with ``because``, and only tells a reason: ``(Germany won't
    attack)``; a convoy matters where the army could walk."""
    if isinstance(order, SupportHold):
        return False
    begins = next((len(opens) for opens in _OPENS_REASON if tuple(words[: len(opens)]) == opens), 0)
    power = power_of(words[0], parser.reader)
    other = (power and power != parser.power) or words[0] in _THIRD
    if not (begins or other) or len(words) < 3 or "-" in said:
        return False
    carried = any(word.startswith(("convoy", "ferr", "carr")) for word in words)
    if carried and (
        not isinstance(order, Move) or parser.reaches(Subject(order.kind, order.at))(province_of(order.to))
    ):
        return False
    return _tells_why(said[begins:], parser) and not set(words) & COASTS.keys()


def power_of(word: str, reader: Grammar) -> str:
    """Return the power that a word names, also in the possessive (``France's``); empty if it names none."""
    bare = word.removesuffix("s")
    return (reader.powers.exact(word) or reader.powers.exact(bare) or "") if len(bare) > 2 else ""


def orders_own(said: Sequence[str], parser: Parser) -> bool:
    """Whether an own unit's place is named, and right after it something that a unit does: ``Bur holds``."""
    position = parser.position
    if position is None:
        return True
    units = [*position.units, *(out.unit for out in position.dislodged)]
    mine = {unit.province for unit in units if unit.power == parser.power}
    reader = parser.reader
    return any(
        (after == "-" or after in reader.verbs)
        and not mine.isdisjoint(province_of(key) for key in reader.places.meaning(word, parser.power).keys)
        for word, after in pairwise(said)
    )


def may_name(word: str, reader: Grammar) -> bool:
    """Whether a word may be of an order: it names a place or a unit, or says what one does."""
    small = word in _TO or word in PREPOSITIONS or word in ARTICLES
    return (
        word == "-"
        or (not small and len(word) > 1 and word in reader.telling_words)
        or (len(word) >= SHORTEST_BEGINNING and names(word, reader))
    )
