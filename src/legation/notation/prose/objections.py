"""Why a sentence isn't an order, whatever else it says: a condition, a question, a denial, hearsay."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from legation.notation.names import Names
from legation.notation.prose.sayings import CONDITIONS, HEARSAY, NEGATIONS, QUESTIONS, QUOTES

PLAIN = frozenset(["if", "no", "not", "or"])
"""Words that mean what they mean even where a place is called so too."""
DEPENDS = "an order can't depend on a condition or leave a choice; write what the unit should do in any case"


def objection(words: Sequence[str], places: Names) -> str:
    """Why a sentence with these words isn't an order whatever else it says; empty if nothing speaks against it.

    Words that are names of places do not count.
    """
    words = without_politeness(words)
    said = [word for word in words if len(word) > 3 or word in PLAIN or places.exact(word) is None]
    if not QUOTES.isdisjoint(said):
        return "a quotation isn't an order; write it without quotation marks if it is one"
    if "?" in said:
        return "a question isn't an order; write it without the question mark if it is one"
    if word := _first(said, QUESTIONS):
        return f"{word} makes this more than an order; write only the order"
    if not CONDITIONS.isdisjoint(said):
        return DEPENDS
    if word := _first(said, NEGATIONS):
        return f"{word} may take back or limit the order, so it wasn't read; write only what the unit should do"
    if not HEARSAY.isdisjoint(said):
        return "this talks about orders; if it is one, write only the order"
    return ""


_POLITE_CONDITIONS = frozenset(
    {("if", "you", "please"), ("if", "you", "will"), ("if", "i", "may"), ("if", "we", "may")}
)


def without_politeness(words: Sequence[str]) -> Sequence[str]:
    """Words less conditions that set none: ``if you please``."""
    if "if" not in words:
        return words
    kept: list[str] = []
    at = 0
    while at < len(words):
        polite = tuple(words[at : at + 3]) in _POLITE_CONDITIONS and words[at + 3 : at + 4] not in (["be"], ["have"])
        kept += [] if polite else [words[at]]
        at += 3 if polite else 1
    return kept


def _first(said: Sequence[str], wanted: Collection[str]) -> str:
    """The first of the words that are wanted, in quotation marks; empty if there is none."""
    word = next((word for word in said if word in wanted or (wanted is NEGATIONS and _denies(word))), "")
    return repr(f"{word[:-1]}'t" if _denies(word) else word) if word else ""


def _denies(word: str) -> bool:
    """Whether a word is a negation that was written with an apostrophe."""
    return word.endswith("nt") and (word in NEGATIONS or word[:-2] in ("do", "wo", "is", "ca"))
