"""Lines of a journal that another office wrote: what this one reads of their facts again, and so must find in them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from legation.office.hosting.kept_games import KeptEntry
from legation.office.hosting.kept_times import Moment, time_faults
from legation.office.records import Document
from legation.office.turn.journal import SENTENCES


class _Opened(msgspec.Struct):
    deadline: Moment
    awaited: list[str] = []


class _Moved(msgspec.Struct):
    deadline: Moment
    reason: str


class _Results(msgspec.Struct):
    orders: dict[str, list[str]]
    corrected: list[str] = []


class _Asked(msgspec.Struct):
    what: str
    whom: str
    hours: int


class _Begun(_Asked):
    reason: str


FACTS: dict[str, type[msgspec.Struct]] = {
    "turn opened": _Opened,
    "deadline moved": _Moved,
    "draft results": _Results,
    "final results": _Results,
    "vote begun": _Begun,
    "vote": _Asked,
    "vote taken back": _Asked,
    "vote carried": _Asked,
}
"""What is read again of a line of each kind."""


def line_faults(entry: KeptEntry) -> Iterator[str]:
    """Return what keeps a line from being told, each with its place."""
    if entry.kind not in SENTENCES:
        yield f"kind: there are no lines of the kind {entry.kind[:40]!r}"
    if "deputy" in entry.facts:  # it would name whoever has that number here
        yield "facts: names somebody by a number of another office"
    if entry.kind in FACTS:
        yield from _facts_faults(entry.facts, FACTS[entry.kind])


def _facts_faults(facts: Document, form: type[msgspec.Struct]) -> Iterator[str]:
    try:
        yield from time_faults(msgspec.convert(facts, form), "facts")
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$")
        yield f"facts{place.rstrip('`')}: {what}"
