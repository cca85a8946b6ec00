"""The formats of stored documents, and how older ones are brought up to date.

A document says its format under ``format``. Each step of :data:`STEPS` takes a document of one version to the next;
what is read is always of the newest. A position document that says none, such as one that was written by hand, is of
the newest format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Step = Callable[[dict[str, Any]], dict[str, Any]]

POSITION = "legation position 1"
ANSWER = "legation answer 1"
GAME = "legation game 2"


KINDS: Mapping[str, str] = {
    "position": "a position; 'legation adjudicate' judges it",
    "answer": "an answer; its 'after' is the next position",
    "game": "a saved game; 'legation replay' judges it again, and 'legation position' gives its present position",
}
"""The kinds of documents, and what each is for."""


def kind_of(document: object) -> str:
    """Which of :data:`KINDS` a document is, by what it says or else by its keys; empty if it looks like none."""
    if not isinstance(document, Mapping):
        return ""
    named = str(document.get("format", "")).removeprefix("legation ").partition(" ")[0]
    if "format" in document:
        return named if named in KINDS else ""
    if "turns" in document:
        return "game"
    if "after" in document:
        return "answer"
    return "position" if "variant" in document else ""


class FormatError(ValueError):
    """A document of another kind, or of a later version."""


def brought_up(document: Mapping[str, Any], wanted: str) -> Mapping[str, Any]:
    """A document in the format that is wanted; the given one is left as it is.

    :raises FormatError: when it is of another kind, or was written by a later version of Legation.
    """
    given = document.get("format")
    if given == wanted:
        return document
    kind, _, newest = wanted.rpartition(" ")
    named, _, version = given.rpartition(" ") if isinstance(given, str) else ("", "", "")
    other = kind_of(document)
    if other and other != kind.removeprefix("legation "):
        raise FormatError(f"this is {KINDS[other]}")
    if named != kind or not version.isdecimal() or len(version) > 6:
        raise FormatError(f"format: must be {wanted!r}, not {str(given)[:60]!r}")
    if int(version) > int(newest):
        raise FormatError(f"format: {given!r} is of a later version of Legation, which this one cannot read")
    brought = dict(document)
    for number in range(int(version), int(newest)):
        if f"{kind} {number}" not in STEPS:
            raise FormatError(f"format: must be {wanted!r}, not {str(given)[:60]!r}")
        brought = STEPS[f"{kind} {number}"](brought)
    return {**brought, "format": wanted}


def _game_of_1(document: dict[str, Any]) -> dict[str, Any]:
    """The first format knew the version of the program, not the rules; and the opening was that of the first turn."""
    turns = document.get("turns")
    first = turns[0] if isinstance(turns, list) and turns else None
    opening = first.get("position") if isinstance(first, dict) else document.get("after")
    known = {key: value for key, value in document.items() if key != "rules_version"}
    return {**known, "rules": "", "opening": opening}


STEPS: Mapping[str, Step] = {"legation game 1": _game_of_1}
