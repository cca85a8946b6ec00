"""What stands in brackets behind the own power's name and orders nothing: who plays it, or which centers it gained."""

from __future__ import annotations

import re
from collections.abc import Callable

from legation.notation.grammar import Grammar
from legation.notation.names import fold
from legation.notation.prose.heading_text import is_plain_name
from legation.notation.prose.sayings import OUTCOMES

_BRACKETED = re.compile(r"\s{0,9}(?P<who>[^\W\d_]{3,20})\s{0,3}(?P<bracket>\((?P<said>[^()\n]{2,60})\))")
_NAMESAKE = re.compile(r"(?P<first>[A-Z][^\W\d_]{1,20}) (?P<last>[A-Z][^\W\d_]{1,20})")
_SAID = re.compile(r"[+\-–−]|[^\W\d_]+|[^\s,;&.]")
_GAINS = frozenset("+ gain gains gained plus take takes took capture captures captured won wins has".split())
_LOSSES = frozenset("- – − loses lose lost minus".split())


def without_brackets_of(text: str, power: str, reader: Grammar, told: Callable[[str, bool], bool]) -> str:
    """A line that begins with the name of ``power``, less such brackets: ``TURKEY (Andy York) A(Con)-BUL``, ``AUSTRIA
    (+Ser, +Gre): ...``; blanks stand in their place. ``told``: whether a center may have been gained, or lost."""
    match = _BRACKETED.match(text)
    if match is None or not power or reader.powers.exact(fold(match["who"])) != power:
        return text
    if not (_is_namesake(match["said"], reader) or _counts_centers(match["said"], reader, told)):
        return text
    begin, end = match.span("bracket")
    return text[:begin] + " " * (end - begin) + text[end:]


def _is_namesake(said: str, reader: Grammar) -> bool:
    """Whether somebody is named who is called like a place: ``Andy York``."""
    match = _NAMESAKE.fullmatch(said)
    if match is None or reader.places.exact(fold(match["last"])) is None:
        return False
    first = fold(match["first"])
    acts = first in reader.telling_words or first in reader.openings or first.endswith("ing") or first in OUTCOMES
    return not acts and is_plain_name(first, reader.powers, reader.places) and not reader.places.nearly(first)


def _counts_centers(said: str, reader: Grammar, told: Callable[[str, bool], bool]) -> bool:
    """Whether only centers are named that were gained or lost: ``gains Ser, Gre``, ``+Rum +Bul``."""
    gained, named = None, 0
    for word in _SAID.findall(said):
        if fold(word) in _GAINS or word in _GAINS:
            gained = True
        elif fold(word) in _LOSSES or word in _LOSSES:
            gained = False
        elif fold(word) != "and":
            key = reader.places.exact(fold(word))
            if gained is None or key is None or not reader.board.provinces[key].center or not told(key, gained):
                return False
            named += 1
    return named > 0
