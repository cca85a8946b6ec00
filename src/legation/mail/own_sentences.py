"""Sentences that only the office writes: by them it knows what is quoted of its mails where a mail program brings back
nothing else (no ``References``, no marks, no head).

Only its mails that hold orders, or lines that read as commands or as instructions about versions, matter: receipts,
results, lists of retreats, help, letters, what waits on a desk.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from legation.mail.commands import HELP
from legation.office.desk.task_words import OTHERWISE

BETWEEN = re.compile(r"-{4,}[^-]{3,60}-{4,}")
"""Words between dashes, as programs write them above what they quote, in whatever language."""
A_PERSONS = 36
"""Letters of a sentence that anybody may write; longer ones are the office's."""

SENTENCES = (
    "To change anything, send the whole sheet again before the deadline; UNDO goes back one version.",
    "To change anything, send the whole sheet again",
    "This replaces everything you sent before",
    "UNDERSTOOD, BUT WILL NOT BE CARRIED OUT",
    "it was given no order",
    "if it is then possible:",
    "These are draft results. They become final",
    "These results replace the draft results",
    "Ownership of supply centers:",
    "Keep this: it proves what the game's record said",
    "Send one of these lines back",
    "To answer by mail, write PRESS TO and the power's name on one line",
    "To answer a letter by mail, write PRESS TO",
    *(told for told in OTHERWISE.values() if len(told) > A_PERSONS and "{" not in told),
    *(told for _, told in HELP if ";" in told),
)


def _broken(said: str) -> str:
    """A pattern for a sentence, wherever a program breaks its lines."""
    return r"\s+".join(map(re.escape, said.split()))


_SENTENCES = "|".join(
    (
        r"\b(?:" + "|".join(map(_broken, SENTENCES)) + ")",
        r"\borders\s+v\d+,\s+\d+\s+of\s+\d+\s+units\b",
        r"\bresults\s+for\s+[^()\n]{1,60}\(\S{1,80}\.\d{3}\)",
        r"^your orders(?:,| as) [^\n]{1,60}$",
        r"^a letter from [^\n]{1,60}\n=+$",
        r"\(\*[a-z, ]{3,40}\*\)",
    )
)
_SHORT = (
    r"\bcommitment\s+[0-9a-f]{32}"
    r"|^(?-i:NOT UNDERSTOOD|NO ORDER|WHAT YOU CAN WRITE)$"
    r"|(?<=\n)(?-i:UNDERSTOOD)$"  # who begins with it may only mean that he understood
)
_LONG = re.compile(_SENTENCES, re.IGNORECASE | re.MULTILINE)
_OURS = re.compile(f"{_SENTENCES}|{_SHORT}", re.IGNORECASE | re.MULTILINE)
_TITLE = re.compile(
    r"^(?:[^\n]{1,160}\n=+|[^\n]{0,120}\borders\s+v\d+(?:,[^\n]*)?|[^\n]{1,120}, (?:corrected )?(?:draft )?results|"
    r"a letter from [^\n]{1,60}|[^\n]{1,120}: (?:your )?orders are [^\n]{1,30})$",
    re.IGNORECASE | re.MULTILINE,
)
_FIRST_HEADING = re.compile(
    r"^(?:your orders(?:,| as) [^\n]{1,60}|understood|what you can write)$", re.IGNORECASE | re.MULTILINE
)
"""What has no orders above it in a mail of the office."""
_FOOTER = re.compile(
    "(?:"
    + _broken("Answer this mail with your orders, or with HELP to see what else you can write.")
    + "|"
    + _broken("You get this when something waits on your desk, and once a day until it's done.")
    + r"(?:\s+Sent\s+by\s+[^\n]+)?)(?:\s+Stop\s+mails\s+of\s+this\s+kind:\s+\S+)?"
)
_NAMES_COMMANDS = re.compile(_broken("To see what else you can write in a mail, answer HELP"))


class _Text:
    """Lines as one text, and the numbers of the lines on which something in it stands."""

    def __init__(self, lines: Sequence[str]) -> None:
        bare = [line.strip() for line in lines]
        self.text = "\n".join(bare)
        self.ends = list(accumulate(len(line) + 1 for line in bare))

    def line(self, place: int) -> int:
        """Return the number, from 0, of the line that holds an offset of the text."""
        return min(bisect_right(self.ends, place), len(self.ends) - 1)


def spoken_lines(lines: Sequence[str]) -> set[int]:
    """The numbers of the lines, from 0, on which sentences of the office stand, wherever they are broken."""
    text = _Text(lines)
    found = (match for pattern in (_OURS, _FOOTER, _NAMES_COMMANDS) for match in pattern.finditer(text.text))
    return {at for match in found for at in range(text.line(match.start()), text.line(match.end() - 1) + 1)}


def office_part(lines: Sequence[str], *, known: bool) -> range | None:
    """Which of these lines, without those that are known to be quoted, are from a mail of the office: from its title to
    its footer; to the last line where there is no footer, and all of them where there is no title. None if they are all
    new. ``known``: whether others are known to be the office's already; then headings and digests between new lines,
    which are too short for a fingerprint, tell nothing."""
    text = _Text(lines)
    footer = next(reversed(list(_FOOTER.finditer(text.text))), None)
    first = (_LONG if known else _OURS).search(text.text) or footer
    if first is None:
        return None
    titles = list(_TITLE.finditer(text.text, 0, first.end()))[-1:]
    begins = titles or list(_FIRST_HEADING.finditer(text.text, 0, first.end()))[:1]
    if not begins:
        return None if first is footer else range(len(lines))
    begin = text.line(begins[0].start())
    above = next((n for n in range(begin - 1, max(begin - 4, -1), -1) if lines[n].strip()), begin)
    if BETWEEN.fullmatch(lines[above].strip()) or (above == begin - 1 and lines[above].rstrip().endswith(":")):
        begin = above  # According to the office:
    ended = footer is not None and footer.start() >= first.start()
    return range(begin, text.line(footer.end() - 1) + 1 if footer and ended else len(lines))
