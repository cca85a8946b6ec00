"""What may part the orders of a line beside commas and semicolons: long dashes, numbers and letters that count, the
kinds of units in brackets; and remarks behind a long dash. Every text is as long as the line that it stands for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from legation.notation.names import Names, fold

_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"
_LABEL = re.compile(
    rf"(?<!\S)(?:\(|no\.?\s?)?(?P<label>\d{{1,2}}|[{_CIRCLED}]|(?:[a-z]|{'|'.join(_ROMAN)})(?=[).:/]))"
    r"[).:/]{0,2}\s{1,3}(?=[^\W\d_])",
    re.IGNORECASE,
)
"""What may count an order within a line: ``1``, ``2:``, ``(3)``, ``b)``, ``III.``, ``No. 4``."""
_NUMBERED_KIND = r"(?<!\S)(?P<kind>{kinds})\d{{1,2}}[:.)]?(?=\s{{1,3}}[^\W\d_])"
_HEAD = re.compile(r"[^\W\d_]{4,20}\s{0,3}:?\s{0,3}[-–—]\s")
"""A word with a dash behind it that says what is done with all units of a line: ``Builds - A par - F bre``."""
_WAIVED = re.compile(r"\((?P<said>[^()\n]{3,30}\swaived|waive(?:\s[^()\n]{1,30})?)\)", re.IGNORECASE)
"""A build that is waived in brackets behind others."""
_LONG = r"(?<=\s)(?:—|–|―|--)(?=\s)"
_REMARK = re.compile(
    rf"{_LONG}\s{{1,3}}(?P<said>[^—–―;()\n]{{5,200}}?)(?P<end>\s(?:—|–|―|--)(?=\s)|[.!](?=\s|\Z)|(?=\s{{0,3}};)|\Z)"
)
"""What stands behind a long dash, up to the end of its sentence or another one."""
_SHORT_REMARK = re.compile(r"(?<=\s)--?\s{1,3}(?P<said>[^\W\d_]+\s[^—–―;()\n-]{3,200}?)(?P<end>[.!](?=\s|\Z)|\Z)")
"""Several words behind a short dash, up to the end of their sentence."""


def parted(text: str, kinds: Collection[str], *, minus: bool) -> Iterator[str]:
    """The ways in which a line may be several orders, with semicolons between them; ``minus``: a short dash or two may
    take units away."""
    if counted := _counted(text):
        yield counted
    every = "|".join(re.escape(kind) for kind in kinds)
    unit = rf"(?=\s{{1,3}}(?:{every})[\s.(])"
    signs = "—|–|―" if minus else "—|–|―|--|-"
    begin = head.end() if (head := _HEAD.match(text)) else 0
    for dashes in (rf"(?:(?<=\s)|\A)(?:{signs}){unit}", r"(?<=\s)(?:—|–|―)(?=\s)"):
        found, count = re.subn(dashes, lambda m: ";".ljust(len(m.group())), text[begin:], flags=re.IGNORECASE)
        if count:
            yield text[:begin] + found
    for marked in (rf"[\[(](?P<kind>{every})[\])](?=\s?\w)", _NUMBERED_KIND.format(kinds=every)):
        found, count = re.subn(marked, lambda m: f";{m['kind']}".ljust(len(m.group())), text, flags=re.IGNORECASE)
        if count:
            yield found
    if _WAIVED.search(text):
        yield _WAIVED.sub(lambda m: f";{m['said']} ", text)


def _counted(text: str) -> str:
    """A line with semicolons for labels that count its orders, 1, 2, 3 or a, b, c or i, ii, iii; the first may stand
    before the line. Empty where none do."""
    for numbers in (_ROMAN, tuple("abcdefghijklmnop"), tuple(_CIRCLED), tuple(str(n) for n in range(1, 35))):
        expected, kept, at = 0, "", 0
        for match in _LABEL.finditer(text):
            label = match["label"].casefold()
            number = numbers.index(label) + 1 if label in numbers else 0
            first = not expected and number == (2 if match.start() else 1)
            if number and (first or number == expected):
                expected = number + 1
                kept, at = kept + text[at : match.start()] + ";".ljust(len(match.group())), match.end()
        if expected > 2:
            return kept + text[at:]
    return ""


def remarks_bracketed(text: str, places: Names) -> str:
    """A line with what stands behind dashes in brackets, as if it were a remark: ``A smy — Italy looks friendly.``
    Empty where there is no such dash, or a place stands behind one: alone, or behind a short dash at all."""
    found, count = _REMARK.subn(_in_brackets, text)
    named = any(places.meaning(fold(match["said"])).keys for match in _REMARK.finditer(text))
    if count and not named:
        return found
    found, count = _SHORT_REMARK.subn(_in_brackets, text)
    named = any(_begins_with_place(fold(match["said"]).split(), places) for match in _SHORT_REMARK.finditer(text))
    return found if count and not named else ""


def _begins_with_place(words: list[str], places: Names) -> bool:
    """Whether words begin with the name of a place, or with something near to one."""
    begun = [" ".join(words[:length]) for length in range(1, min(len(words), places.longest) + 1)]
    return any(places.meaning(name).keys or places.misspelled(name) for name in begun)


def _in_brackets(match: re.Match[str]) -> str:
    end = match["end"]
    if end:
        return f"({match.group()[1 : -len(end)]}{')'.rjust(len(end))}"
    return f"({match.group()[2:]})" if match.group()[1:2].isspace() else match.group()
