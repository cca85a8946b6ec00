"""The names of turns in addresses."""

from __future__ import annotations

import re


def turn_key(name: str) -> str:
    """``Summer 1643 Movement`` is ``1643-summer-movement`` in addresses; ``1425 Movement`` is ``1425-movement``."""
    words = name.lower().split()
    return re.sub(r"[^a-z0-9]+", "-", " ".join([words[-2], *words[:-2], words[-1]]))
