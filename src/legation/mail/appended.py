"""What a relay adds to a mail in base64 without coding it: a footer as plain text, below the coded lines."""

from __future__ import annotations

import base64
import binascii
import re
from email.message import EmailMessage

_CODED = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)")
"""A line of base64."""
MOST_DOUBTFUL = 3  # lines at the end of the coded ones that may be words of a footer


def coded_and_added(part: EmailMessage) -> tuple[bytes, str]:
    """The bytes of a part, and the plain text that stands below what is coded; empty where nothing was added."""
    payload, raw = part.get_payload(decode=True), part.get_payload()
    data = payload if isinstance(payload, bytes) else b""
    if not isinstance(raw, str) or str(part.get("Content-Transfer-Encoding", "")).strip().lower() != "base64":
        return data, ""
    lines = [line.strip() for line in raw.split("\n")]
    last = _coded_lines(lines)
    if any(lines[last:]):
        for end in range(last, max(last - MOST_DOUBTFUL - 1, 0), -1):
            try:
                text = base64.b64decode("".join(lines[:end]), validate=True)
                text.decode()
            except (binascii.Error, UnicodeDecodeError):
                continue
            return text, "\n".join(line for line in lines[end:] if line)
    return data, ""


def _coded_lines(lines: list[str]) -> int:
    """How many lines stand above the first that isn't base64, or follows its end."""
    for number, line in enumerate(lines):
        if line and not _CODED.fullmatch(line):
            return number
        if line.endswith("="):
            return number + 1
    return len(lines)
