"""What a relay adds to a mail in base64 without coding it: plain text above the coded lines, below them, or both."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from email.message import EmailMessage
from typing import NamedTuple

_CODED = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)")
"""A line of base64."""
_UNSAID = re.compile(r"[^\t\n\r\x20-\U0010ffff]")
"""What no text has: the bytes of words that are taken for base64 hold it."""
MOST_DOUBTFUL = 3  # lines at the end of the coded ones that may be words of a footer
MOST_ABOVE = 20  # lines of a banner
LONGEST_WORD = 40  # characters; what is longer is coded, and nothing below it is the beginning


class CodedText(NamedTuple):
    """The bytes of a part, and the plain text that a relay added above and below them."""

    data: bytes
    above: str = ""
    below: str = ""


def coded_and_added(part: EmailMessage) -> CodedText:
    """Take a part apart into what is coded and what a relay added to it."""
    payload, raw = part.get_payload(decode=True), part.get_payload()
    data = payload if isinstance(payload, bytes) else b""
    if not isinstance(raw, str) or str(part.get("Content-Transfer-Encoding", "")).strip().lower() != "base64":
        return CodedText(data)
    lines = [line.strip() for line in raw.split("\n")]
    charset = part.get_content_charset() or "utf-8"
    for first, last in sorted(_blocks(lines), key=lambda block: -len("".join(lines[slice(*block)]))):
        for end in range(last, max(last - MOST_DOUBTFUL - 1, first), -1):
            coded = [line for line in lines[first:end] if line]
            if _is_even(coded) and (text := _text("".join(coded), charset)) is not None:
                return CodedText(text, *("\n".join(filter(None, added)) for added in (lines[:first], lines[end:])))
    return CodedText(data)


def _blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Where what is coded may begin and end: at the top, and below a shorter line or words, which may be a banner's."""
    for number, line in enumerate(lines[: MOST_ABOVE + 1]):
        above = lines[number - 1] if number else ""
        if line and (len(above) < len(line) or not _CODED.fullmatch(above)):
            yield number, number + _coded_lines(lines[number:])
        if len(line) > LONGEST_WORD and " " not in line:
            return


def _is_even(coded: list[str]) -> bool:
    """Whether lines are as long as each other, but for the last: so a program writes them, and nobody writes words."""
    return len({len(line) for line in coded[:-1]}) < 2 and len(coded[-1]) <= len(coded[0])


def _text(coded: str, charset: str) -> bytes | None:
    """The bytes of a text in base64; None for what isn't one."""
    try:
        data = base64.b64decode(coded, validate=True)
        said = data.decode(charset)
    except (binascii.Error, LookupError, UnicodeDecodeError):
        return None
    return None if _UNSAID.search(said) else data


def _coded_lines(lines: list[str]) -> int:
    """How many lines stand above the first that isn't base64, or follows its end."""
    for number, line in enumerate(lines):
        if line and not _CODED.fullmatch(line):
            return number
        if line.endswith("="):
            return number + 1
    return len(lines)
