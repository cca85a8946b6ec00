"""How names are compared: what a person may leave out or write otherwise does not count."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_DROPPED = re.compile(r"['’`´.]")
_SPACES = re.compile(r"[\W_]+")


CACHED_LENGTH = 40  # characters: a name


def fold(text: str) -> str:
    """A name without case, accents, apostrophes, dashes and ``the``; ``&`` is ``and``."""
    return _fold_name(text) if len(text) <= CACHED_LENGTH else _fold(text)


@lru_cache(maxsize=20_000)
def _fold_name(text: str) -> str:
    return _fold(text)


def _fold(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.replace("&", " and ").replace("ß", "ss"))
    text = "".join(c for c in text if not unicodedata.combining(c)).casefold()
    text = _DROPPED.sub("", text).replace("ø", "o").replace("æ", "ae").replace("ð", "d").replace("þ", "th")
    words = _SPACES.split(text)
    return " ".join(w for w in words if w and w != "the")
