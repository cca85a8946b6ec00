"""Characters that a program on the way has read as others: what was UTF-8 read as one byte a letter, and what was
quoted-printable and is called plain text."""

from __future__ import annotations

import re

_CP1252 = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_TWICE = re.compile(f"[\u00c2-\u00f4][\u0080-\u00bf{_CP1252}]{{1,3}}")
"""What UTF-8 looks like where it was read as Windows-1252: a dash is ``â€“``."""
_QUOTED = re.compile(r"(?:=[89A-F][0-9A-F]){2,4}")
"""Bytes of UTF-8 as quoted-printable writes them: a dash is ``=E2=80=93``."""
_ENDS_QUOTED = re.compile(r"=20$", re.MULTILINE)
_SOFT_BREAK = re.compile(r"=[ \t]{0,9}\n")
_PLAIN = re.compile(r"=(20|3D|09)")


def repaired(text: str) -> str:
    """A text in which such characters are what was written; all else is left as it stands."""
    if _QUOTED.search(text) or _ENDS_QUOTED.search(text):
        text = _SOFT_BREAK.sub("", text)
        text = _QUOTED.sub(lambda m: _as_utf8(m.group(), bytes.fromhex(m.group().replace("=", ""))), text)
        text = _PLAIN.sub(lambda m: bytes.fromhex(m[1]).decode(), text)
    return text if text.isascii() else _TWICE.sub(lambda m: _as_utf8(m.group(), _bytes(m.group())), text)


def _as_utf8(written: str, data: bytes) -> str:
    """The characters that bytes are in UTF-8; what was written if they are none."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return written


def _bytes(text: str) -> bytes:
    """The bytes that were read as these characters of Windows-1252; of those that it lacks, their numbers."""
    return b"".join(bytes([ord(c)]) if ord(c) < 256 else c.encode("cp1252", "replace") for c in text)
