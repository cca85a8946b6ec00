"""Text made safe for SVG."""

from __future__ import annotations

import re

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(text: str) -> str:
    """Text as element content and double-quoted attributes may hold it."""
    return printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def printable(text: str) -> str:
    """Text in which what no XML may hold (most control characters, halves of characters) is a replacement character
    (U+FFFD)."""
    return _NO_XML.sub("\ufffd", text)
