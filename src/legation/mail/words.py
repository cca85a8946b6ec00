"""The table of words by which mail programs are known (``words.toml``)."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from legation.formats import read_toml


@cache
def _table() -> dict[str, Any]:
    return read_toml((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))


@cache
def words(name: str) -> tuple[str, ...]:
    """A list of the table, as it stands there."""
    return tuple(_table()[name])


@cache
def word_set(name: str) -> frozenset[str]:
    """A list of the table, to look words up in."""
    return frozenset(_table()[name])


@cache
def answers(name: str) -> dict[str, str]:
    """A part of the table that tells, of each word, what is said of it."""
    return dict(_table()[name])


@cache
def pattern(name: str, form: str = "{}") -> re.Pattern[str]:
    """A pattern for any entry of a list, wherever its lines are broken; in ``form`` ``{}`` is the place for it, among
    what has to stand around it."""
    entries = sorted(_table()[name], key=len, reverse=True)
    found = (r"\s+".join(map(re.escape, entry.split(" "))) for entry in entries)
    return re.compile(form.replace("{}", f"(?:{'|'.join(found)})", 1), re.IGNORECASE)


def told(name: str, **facts: object) -> str:
    """A sentence that answers say, with what it is about."""
    return answers("told")[name].format(**facts)
