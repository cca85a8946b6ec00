"""Messages between the office and a keeper of the turns' keys: notices, countersignatures, what is asked of it.

:mod:`legation.office.keys.keeper` tells what a keeper does with them; it may be in the office's folder or elsewhere."""

import contextlib
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Protocol

import msgspec

from legation.office.errors import KeyNotReleasedError
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


class Keeper(Protocol):
    """Interface of a keeper. ``name`` is the turn's, such as ``powick-bridge.3``."""

    remote: bool

    def identity(self) -> str:
        """The public key by which the keeper signs, in hexadecimal."""

    def make(self, name: str, request: KeyRequest) -> Opened:
        """Make a pair and give the public key; asked again, the same one. A key that was made ahead is asked for again
        with its deadline when its turn opens, and not before the earlier one is closed; if that turn never comes, the
        key is given after a notice that it was skipped."""

    def public(self, name: str) -> str:
        """The public half of a key (hexadecimal), or nothing; UnavailableError when it can't be looked for."""

    def move(self, name: str, not_before: datetime) -> str:
        """Tell a later deadline, after which the turn is held up no more; an earlier one changes nothing else, and a
        turn whose time stood still has as much left as it had then, but for a minute. The answer is the keeper's
        signature of the deadline that stands. Raises ConflictError when the turn is closed for good."""

    def hold(self, name: str, why: str, *, stops: bool = True) -> str:
        """Tell that a turn is held up: no notice is taken until a deadline is told. ``stops``: its time stands still
        meanwhile, which no later word takes back. The answer is the keeper's signature of that. Raises ConflictError
        when the turn is closed for good."""

    def takes_early(self, name: str, ready: Sequence[SaidReady] = ()) -> bool:
        """Return whether a notice that all are ready would be taken, with these words of the seats."""

    def passed(self, name: str) -> bool:
        """Return whether the deadline that it was told last has passed by its own clock; True where none stands."""

    def close(self, notice: Notice, signature: str, ready: Sequence[SaidReady] = ()) -> Witness:
        """Take a notice of closing, and countersign it; the same notice again gets the same answer. ``ready``: the
        seats' words, where it says that all are. Raises KeyNotReleasedError when it comes too early, or is not the
        office's. Raises ConflictError when there was another one."""

    def key(self, name: str) -> GivenKey:
        """The private key, and the keeper's part of the lots. Raises KeyNotReleasedError before a notice of closing.
        Raises UnavailableError when the keeper cannot be reached."""

    def follow(self, game: str, line: int, keeper: str, office: str) -> str:
        """Hear that a game goes to the office with this key, by this line of its journal, and to the keeper with that
        key: from then on no other office is served in it, but that skipped turns are still opened. The answer is this
        keeper's signature of its successor; empty where it stays the keeper. Raises ConflictError when it was told of
        another office before."""

    def succeeds(self, game: str, line: int, before: str) -> str:
        """The former key's signature of the present one; empty where the keeper hasn't that key."""

    def log(self, name: str) -> list[LogLine]:
        """Return the log of one key: what was told of it and given, and when."""


PROBE = "health.probe"  # the name of a key that is asked for and never given


def withholds_keys(keeper: Keeper) -> bool:
    """Return whether a keeper gives no key early. Raises UnavailableError when it cannot be asked."""
    keeper.make(PROBE, KeyRequest())
    try:
        keeper.key(PROBE)
    except KeyNotReleasedError:
        return True
    return False


def signed_notice(secret: bytes, notice: Notice) -> str:
    """The office's signature of a notice, in hexadecimal."""
    return sign(secret, "notice", msgspec.to_builtins(notice))


def tell_keeper(keeper: Keeper, keys: Sequence[bytes], notice: Notice, ready: Sequence[SaidReady] = ()) -> Witness:
    """Give a keeper notice, signed by that of the office's keys, the newest first, which it knew when the turn opened;
    ``ready``: the seats' words, where it says that all are. Raises KeyNotReleasedError when it does not take it yet."""
    *others, last = keys
    for key in others:
        with contextlib.suppress(KeyNotReleasedError):
            return keeper.close(notice, signed_notice(key, notice), ready)
    return keeper.close(notice, signed_notice(last, notice), ready)
