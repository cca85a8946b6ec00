"""The formats of stored documents, which say theirs under ``format``. A position document that says none, such as one
that was written by hand, is of the present format."""

from collections.abc import Mapping
from typing import Any

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


def check_format(document: Mapping[str, Any], wanted: str) -> None:
    """Check that a document is in the format that is wanted.

    :raises FormatError: when it is of another kind, or was written by a later version of Legation."""
    given = document.get("format")
    if given == wanted:
        return
    kind, _, newest = wanted.rpartition(" ")
    named, _, version = given.rpartition(" ") if isinstance(given, str) else ("", "", "")
    other = kind_of(document)
    if other and other != kind.removeprefix("legation "):
        raise FormatError(f"this is {KINDS[other]}")
    if named == kind and version.isdecimal() and len(version) <= 6 and int(version) > int(newest):
        raise FormatError(f"format: {given!r} is of a later version of Legation, which this one cannot read")
    raise FormatError(f"format: must be {wanted!r}, not {str(given)[:60]!r}")
