"""What mail programs put above what they quote: ``On Monday Anna wrote:``, and the heads of forwarded mails."""

import re
from collections.abc import Sequence

from legation.mail.words import word_set, words

LONGEST = 400  # characters of a line that may be one
LONGEST_LEAD = 60  # characters of a line above the head of a mail that is passed on
MOST_HEAD_LINES = 13  # of a head and what stands above it, with the empty ones among them
MOST_LINES = 3  # on which an attribution may stand
MOST_LOOKED_AT = MOST_HEAD_LINES + 4  # lines that say all about whether one begins

_DIRECTIONS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # what turns the direction of writing
_ADDRESS = re.compile(r"[<(\[]\s?[^\s<>@]{1,128}@[^\s<>@]{1,253}?\s?[>)\]]")
_BY = re.compile(r"\bby\s[^\s<>@]{1,128}@[^\s<>@:]{1,253}:")
_ORIGINAL_RULE = re.compile(r"-{5,99}\s?original\s?-{5,99}")
_LABELED = re.compile(r"[*\s]*[^\W\d][^:：\d<>@]{0,30}[:：]")
"""A line with a colon behind a few words, as those of heads are."""
_TIME = re.compile(r"\b\d{1,2}[:.h]\d\d\b")
_RULE = re.compile(r"_{5,}|-{5,}|={5,}")


def attribution_length(lines: Sequence[str]) -> int:
    """How many of these lines, from the first, only say that a quotation follows; 0 if the first says nothing such."""
    line = lines[0]
    if not line.strip():
        return 0
    if _is_attribution(line):
        return 1
    if length := _head_length(lines[:MOST_HEAD_LINES]):
        return length
    if line.rstrip().endswith(":") and len(line) < LONGEST_LEAD:  # Begin forwarded message:
        below = next((n for n, further in enumerate(lines[1:4], 1) if further.strip()), 0)
        if below and _opens_head(lines[below : below + 8]):
            return below + _head_length(lines[below : below + MOST_HEAD_LINES])
    first = line.split(maxsplit=1)[0].casefold().strip(",")
    if first in word_set("wrote_first") or first[:1].isdigit():
        for length in range(2, MOST_LINES + 1):
            part = lines[:length]
            if len(part) < length or not part[-1].strip():
                return 0
            if _is_attribution(" ".join(part)):
                return length
    return 0


def _is_attribution(text: str) -> bool:
    line = _DIRECTIONS.sub("", text).strip().strip(">").strip().strip("-").strip()
    if not line or len(line) > LONGEST:
        return False
    if line.endswith((":", "：")) and (_ADDRESS.search(line) or _BY.search(line)) and _TIME.search(line):
        return True  # somebody at some time, whatever the language says between
    if not line.endswith((":", "：", "wrote", "schrieb", "écrit", ">")):
        return False
    said = word_set("wrote").intersection(word.strip(",:;<>()[]*") for word in line.casefold().split())
    if not said and not any(mark in line for mark in words("wrote_within")):
        return False
    return line.endswith((":", "：")) or any(c.isdigit() for c in line) or "@" in line


def _opens_original(text: str) -> bool:
    """Whether a line is the rule above a mail that is quoted or passed on: ``-----Original Message-----``."""
    line = text.strip().casefold()
    if not line or len(line) > LONGEST:
        return False
    bare = line.strip("-_=* ").removeprefix("begin ").rstrip(":")
    return _ORIGINAL_RULE.fullmatch(line) is not None or any(
        bare.startswith(name) and len(bare) < len(name) + 40 for name in words("original")
    )


def _head_name(text: str) -> str:
    """``from`` or ``other`` if a line looks like one of the head of a quoted mail (``*From:* Anna``); else nothing."""
    line = _DIRECTIONS.sub("", text).strip().lstrip("*").strip()
    name, colon, _ = line[:60].replace("：", ":").partition(":")
    word = name.strip(" *\u00a0").casefold()
    if not colon or not word:
        return ""
    return "from" if word in word_set("head_sender") else "other" if word in word_set("head_other") else ""


def _opens_head(lines: Sequence[str], least: int = 2) -> bool:
    """Whether the lines that come next are the head of a quoted mail: a sender, and some of its other lines. In a
    language that isn't known here it is an address and two more lines with colons, one with a time or an address."""
    shown = [line for line in lines[:8] if line.strip()][:5]
    if not shown:
        return False
    if _head_name(shown[0]) == "from" and sum(_head_name(line) == "other" for line in shown[1:]) >= least:
        return True
    below = [line for line in shown[1:4] if _LABELED.match(line)]
    dated = any(_TIME.search(line) or "@" in line for line in below)
    return bool(_LABELED.match(shown[0]) and _ADDRESS.search(shown[0]) and len(below) >= least and dated)


def _head_length(lines: Sequence[str]) -> int:
    """How many of these lines, from the first, are the head of a quoted mail, with the rule or the words right above
    it; 0 if the first begins none."""
    first, below = lines[0], lines[1:]
    if _opens_head(lines):
        return max(1, _head_lines(lines))
    ruled = _RULE.fullmatch(first.strip()) and _opens_head(below, 1)
    dated = _head_name(first) == "other" and _opens_head(below)  # Gesendet: ... Von: ... An: ... Betreff: ...
    return 1 + _head_lines(below) if ruled or dated or _opens_original(first) else 0


def _head_lines(lines: Sequence[str]) -> int:
    end = 0
    for number, line in enumerate(lines[: MOST_HEAD_LINES - 1], 1):
        if line.strip():
            if not _head_name(line):
                break
            end = number
    return end
