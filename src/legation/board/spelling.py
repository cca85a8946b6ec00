"""How names are compared: what a person may leave out or write otherwise does not count."""

from __future__ import annotations

import re
import unicodedata

_DROPPED = re.compile(r"['’`´.]")
_SPACES = re.compile(r"[\W_]+")


def fold(text: str) -> str:
    """A name without case, accents, apostrophes, dashes and ``the``; ``&`` is ``and``."""
    text = unicodedata.normalize("NFKD", text.replace("&", " and ").replace("ß", "ss"))
    text = "".join(c for c in text if not unicodedata.combining(c)).casefold()
    text = _DROPPED.sub("", text).replace("ø", "o").replace("æ", "ae").replace("ð", "d").replace("þ", "th")
    words = _SPACES.split(text)
    return " ".join(w for w in words if w and w != "the")
