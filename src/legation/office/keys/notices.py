"""Messages between the office and a keeper of the turns' keys: notices, countersignatures, what is asked of it.

:mod:`legation.office.keys.keeper` tells what a keeper does with them; it may be in the office's folder or elsewhere."""

from datetime import datetime
from typing import Annotated

import msgspec

from legation.proofs.signing import sign

LATEST = 253_402_300_799_999_999  # the last microsecond that the calendar knows


class KeyRequest(msgspec.Struct, frozen=True):
    """Request for a key, as a keeper gets it. ``not_before``: the turn's deadline, in microseconds; None: the key is
    given after a notice alone. ``early``: the turn may end sooner when every seat is ready. ``office``: the public key
    that signs notices. ``game`` and ``turn`` are what is signed about, and ``secret``, the commitment to the turn's for
    the lots. ``after``: the key is made ahead, for a later turn of the season than that of this key. ``seats``: the
    seats that the opening turn awaits and a person holds, with their public keys (empty: none). They stand from then
    on, so that who rules the office's machine can put no key in another's place unseen."""

    not_before: Annotated[int, msgspec.Meta(ge=0, le=LATEST)] | None = None
    early: bool = True
    office: str = ""
    game: str = ""
    turn: str = ""
    secret: str = ""
    after: str = ""
    seats: dict[str, str] = {}


class Notice(msgspec.Struct, frozen=True):
    """The office's word that a turn is closed for good. It cannot be taken back. ``line`` and ``head`` are the number
    and the hash of the journal's line that says so, ``at`` its time in microseconds; ``why`` is "deadline", "all ready"
    (before the deadline), "waited" (the game waits no longer), "dealt" (the lot of the powers) or "skipped" (the turn
    never came; the line is that of the next season's opening)."""

    name: str
    line: int
    head: str
    at: int
    why: str


class SaidReady(msgspec.Struct, frozen=True):
    """A seat's signed word (hexadecimal) that it is ready: with which version, and how often it was before."""

    seat: str
    version: int
    again: int
    signature: str


class Opened(msgspec.Struct, frozen=True):
    """Answer of a keeper when a turn opens: the key that seals, the commitment to its part of the lots (empty where it
    has none), the deadline it was told (microseconds, 0: none), and its signature of these (hexadecimal)."""

    public: str
    part: str
    due: int
    signature: str


class Witness(msgspec.Struct, frozen=True):
    """The keeper's countersignature of a notice, at its own time (microseconds); key and signature are hexadecimal."""

    game: str
    turn: str
    line: int
    head: str
    seen: int
    keeper: str
    signature: str


class GivenKey(msgspec.Struct, frozen=True):
    """The private key of a turn, and the keeper's part of its lots (hexadecimal; empty where it has none)."""

    private: bytes
    part: str


class LogLine(msgspec.Struct, frozen=True):
    """Line of a keeper's log: when (UTC), what ("made", "opened", "moved", "closed", "gave" ...), about what."""

    at: datetime
    what: str
    about: str = ""


def signed_notice(secret: bytes, notice: Notice) -> str:
    """The office's signature of a notice, in hexadecimal."""
    return sign(secret, "notice", msgspec.to_builtins(notice))
