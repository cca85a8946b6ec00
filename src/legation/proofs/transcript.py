"""The transcript: a game's journal with what is open of it, one canonical JSON object a line.

A header, then the lines of the journal, the openings of private lines, the openings of records, and the signed heads,
each group in its order."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from legation.proofs.canonical import CanonicalError, decode, encode
from legation.proofs.chain import Head, JournalLine, PrivateOpening
from legation.proofs.records import Opening

FORMAT = "legation transcript 2"
MOST_LINES = 1_000_000
MOST_BYTES = 256 << 20


class TranscriptError(ValueError):
    """A file that isn't a transcript; ``row`` is the line of the file, from 1."""

    def __init__(self, row: int, what: str) -> None:
        self.row, self.what = row, what
        super().__init__(f"line {row} of the file: {what}")


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of the file. ``rules`` is the text whose digest (``rules``) stands in the journal's line 1."""

    format: Literal["legation transcript 2"] = "legation transcript 2"
    game: str
    rules: str


class Transcript(msgspec.Struct, frozen=True):
    """A transcript, read but not checked."""

    header: Header
    lines: tuple[JournalLine, ...]
    private: tuple[PrivateOpening, ...]
    openings: tuple[Opening, ...]
    heads: tuple[Head, ...]


GROUPS: dict[str, Any] = {"line": JournalLine, "private": PrivateOpening, "opening": Opening, "head": Head}
PLACES: dict[str, Callable[[Any], Any]] = {
    "private": lambda opened: (opened.n, opened.index),
    "opening": lambda opening: opening.commitment,
    "head": lambda head: (head.n, head.at, head.signature),
}
"""The key by which each group's entries are sorted; no two entries have the same."""


def write_transcript(transcript: Transcript) -> Iterator[bytes]:
    """The lines of the file, each with its line feed."""
    yield encode(msgspec.to_builtins(transcript.header)) + b"\n"
    groups: tuple[Sequence[Any], ...] = (transcript.lines, transcript.private, transcript.openings, transcript.heads)
    for name, entries in zip(GROUPS, groups, strict=True):
        for entry in sorted(entries, key=PLACES[name]) if name in PLACES else entries:
            yield encode({name: msgspec.to_builtins(entry)}) + b"\n"


def read_transcript(data: bytes) -> Transcript:
    """Return a transcript from its bytes; TranscriptError names the first line of the file that is wrong."""
    if len(data) > MOST_BYTES:
        raise TranscriptError(1, f"the file has more than {MOST_BYTES >> 20} MiB")
    rows = data.split(b"\n")
    if rows.pop() != b"":
        raise TranscriptError(len(rows) + 1, "the file does not end with a line feed; it is not whole")
    if len(rows) > MOST_LINES:
        raise TranscriptError(1, f"the file has more than {MOST_LINES} lines")
    groups: dict[str, list[Any]] = {name: [] for name in GROUPS}
    order, reached = list(GROUPS), 0
    header: Header | None = None
    for number, row in enumerate(rows, 1):
        try:
            document = decode(row)
            if header is None:
                header = msgspec.convert(document, Header)
                continue
            if not isinstance(document, dict) or len(document) != 1 or next(iter(document)) not in GROUPS:
                raise TranscriptError(number, f"not one of {', '.join(GROUPS)}")
            name = next(iter(document))
            if order.index(name) < reached:
                raise TranscriptError(number, f"a {name} after a {order[reached]}")
            reached = order.index(name)
            groups[name].append(msgspec.convert(document[name], GROUPS[name]))
        except (CanonicalError, msgspec.ValidationError) as error:
            raise TranscriptError(number, str(error)) from None
    if header is None:
        raise TranscriptError(1, "the file is empty")
    first = 2 + len(groups["line"])
    for name, place in PLACES.items():
        for number, (one, other) in enumerate(itertools.pairwise(map(place, groups[name])), 1):
            if not one < other:
                raise TranscriptError(first + number, f"this {name} is there twice, or out of order")
        first += len(groups[name])
    return Transcript(header, *map(tuple, groups.values()))
