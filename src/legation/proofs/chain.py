"""The journal as a chain: every line holds the hash of the line before it."""

from typing import Annotated, Any

import msgspec

from legation.proofs.canonical import digest
from legation.proofs.records import Digest, Moment, Signature

PAUSE_LEEWAY = 60_000_000
"""Microseconds by which less may be left of a deadline after a pause than before: a word of the office may be slower on
its way than another."""
FIRST = ""  # what the first line has instead of the hash of a line before it


class JournalLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the journal: its number from 1, its time in microseconds, what kind it is, its data (see
    :mod:`legation.proofs.kinds`), and the hash of the line before it."""

    n: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]
    at: Moment
    kind: str
    data: dict[str, Any]
    prev: str

    @property
    def hash(self) -> str:
        """The hash that the next line holds, and that heads are signed over."""
        return digest("line", msgspec.to_builtins(self))


class PrivateOpening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a ``private`` line holds the hash of, for those who may read it. ``n`` is the line, ``index`` counts its
    hashes from 0."""

    n: int
    index: int
    kind: str
    data: dict[str, Any]
    salt: Digest

    @property
    def hash(self) -> str:
        """The hash that stands in the line."""
        return private_hash(self.kind, self.data, self.salt)


class Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The office's signature over the journal up to a line."""

    n: int
    hash: Digest
    at: Moment
    signature: Signature


def next_line(last: tuple[int, int, str] | None, at: int, kind: str, data: dict[str, Any]) -> JournalLine:
    """Return the line after the ``last`` (its number, time and hash); its time is never before that of the last."""
    n, before, prev = last or (0, at, FIRST)
    return JournalLine(n=n + 1, at=max(at, before), kind=kind, data=data, prev=prev)


def private_hash(kind: str, data: dict[str, Any], salt: str) -> str:
    """The hash of what not all may read; ``salt`` is 32 random bytes in hexadecimal."""
    return digest("private", {"data": data, "kind": kind, "salt": salt})


def head_statement(game: str, n: int, line_hash: str, at: int) -> dict[str, Any]:
    """What the office signs of its journal (``head``)."""
    return {"game": game, "n": n, "hash": line_hash, "at": at}


def turn_statement(game: str, turn: str, key: str, secret: str, part: str, due: int) -> dict[str, Any]:
    """What the keeper signs when a turn opens (``turn``): its public key, what the office and it commit to for the
    lots, and the deadline it was told (0: none)."""
    return {"game": game, "turn": turn, "key": key, "secret": secret, "part": part, "due": due}


def deadline_statement(game: str, turn: str, due: int) -> dict[str, Any]:
    """What the keeper signs when it is told a deadline (``deadline``); 0: none until it is told one."""
    return {"game": game, "turn": turn, "due": due}


def closing_statement(game: str, turn: str, n: int, head: str, at: int) -> dict[str, Any]:
    """What the keeper signs of a closing (``closing``): the closing line, its hash, and the keeper's own time."""
    return {"game": game, "turn": turn, "n": n, "head": head, "at": at}


def succession_statement(game: str, n: int, key: str) -> dict[str, Any]:
    """What is signed when another key follows (``key``): the number of the line that says so, and the new key."""
    return {"game": game, "n": n, "key": key}
