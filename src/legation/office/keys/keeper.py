"""The keeper of the turns' private keys, and the witness of their closing.

It makes a pair when a turn opens and gives the public key. The private one it gives only after a signed notice of
closing, once: when its own clock has passed the last effective deadline that it was told (grace included), and the turn
is not held up (by a pause, or because the game waits for orders); or before, when each seat that was awaited when the
turn opened has signed that it is ready, by the key that it had then (one in the folder takes the office's word). It
countersigns the notice with its own time. After that it takes no more word about the turn: no later deadline, no other
notice. Deadlines move later, never earlier. Of all that it is told and gives it keeps a log, which may be asked for.

The keeper in the office's folder (:class:`FolderKeeper`, files of mode 600 beside the database, never in its backup)
protects from whoever gets the database; one on another machine (``remote_keeper``) also from whoever rules
the office's machine. ``docs/office.md`` says what each does not protect from.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

import msgspec

from legation.office.clock import Clock, RandomSource, micros, moment
from legation.office.errors import ConflictError, KeyNotReleasedError, UnavailableError
from legation.office.keys.seals import make_keys
from legation.proofs.chain import closing_statement, deadline_statement, succession_statement, turn_statement
from legation.proofs.lots import part_commitment
from legation.proofs.records import ready_statement
from legation.proofs.signing import public_key, sign, signed

NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,119}")
IDENTITY = "identity"
LOG = "keeper.log"
LEFT = "left"  # the folder that tells which games went to which other office
NONE: Mapping[str, str] = MappingProxyType({})


class Notice(msgspec.Struct, frozen=True):
    """The office's word that a turn is closed for good. It cannot be taken back.

    ``line`` and ``head`` are the number and the hash of the journal's line that says so, ``at`` its time in
    microseconds; ``why`` is "deadline", "all ready" (before the deadline), "waited" (the game waits no longer), "dealt"
    (the lot of the powers) or "skipped" (the turn never came; the line is that of the next season's opening).
    """

    name: str
    line: int
    head: str
    at: int
    why: str


class SaidReady(msgspec.Struct, frozen=True):
    """A seat's word that it is ready: of which version, how often it was before in this turn, and the signature of that
    by the seat's key (hexadecimal)."""

    seat: str
    version: int
    again: int
    signature: str


class Opened(msgspec.Struct, frozen=True):
    """What a keeper gives when a turn opens: the key that seals, the commitment to its part of the lots (empty where it
    has none), the deadline it was told (microseconds, 0: none), and its signature of these (hexadecimal)."""

    public: str
    part: str
    due: int
    signature: str


class Witness(msgspec.Struct, frozen=True):
    """The keeper's countersignature of a notice: when it came by the keeper's own clock (microseconds), the keeper's
    public key and its signature (hexadecimal)."""

    game: str
    turn: str
    line: int
    head: str
    seen: int
    keeper: str
    signature: str

    def holds(self) -> bool:
        """Whether the signature is by the key that is named."""
        statement = closing_statement(self.game, self.turn, self.line, self.head, self.seen)
        return signed(self.keeper, self.signature, "closing", statement)


class GivenKey(msgspec.Struct, frozen=True):
    """The private key of a turn, and the keeper's part of its lots (hexadecimal; empty where it has none)."""

    private: bytes
    part: str


class LogLine(msgspec.Struct, frozen=True):
    """What a keeper did: when (UTC), what ("made", "opened", "moved", "held", "closed", "refused", "gave"), and about
    what."""

    at: datetime
    what: str
    about: str = ""


class Kept(msgspec.Struct):
    """What the keeper knows of one key.

    ``not_before``: the last effective deadline, in microseconds; None: until a notice (of the deal). ``office`` is the
    public key by which notices are signed. ``after``: of a key that was made ahead, for a later turn of the season, the
    key of the turn in which that was. ``seats``: who has to sign that they are ready, with their keys when the turn
    opened. ``released`` is of keys from before there were notices.
    """

    public: str
    private: str
    not_before: int | None
    early: bool = True
    released: str = ""
    office: str = ""
    held: str = ""
    game: str = ""
    turn: str = ""
    secret: str = ""
    part: str = ""
    after: str = ""
    seats: dict[str, str] = {}
    notice: Notice | None = None
    witness: Witness | None = None


class Keeper(Protocol):
    """What the office asks of a keeper. ``name`` is the turn's, such as ``powick-bridge.3``."""

    remote: bool

    def identity(self) -> str:
        """The public key by which the keeper signs, in hexadecimal."""

    def make(
        self,
        name: str,
        not_before: datetime | None,
        early: bool = True,
        office: str = "",
        game: str = "",
        turn: str = "",
        secret: str = "",
        after: str = "",
        seats: Mapping[str, str] = NONE,
    ) -> Opened:
        """Make a pair and give the public key; asked again, the same one.

        ``after``: it is made ahead, for a later turn of the season than that of this key. When that turn opens it is
        asked for again, with its deadline; if it never does, it is given after a notice that it was skipped.

        ``early``: the turn may end sooner when every seat is ready. ``office``: the public key that signs notices.
        ``game`` and ``turn`` are what is signed about, and ``secret``, the commitment to the turn's for the lots.
        ``seats``: the seats that the opening turn awaits and a person holds, with their public keys (empty: none). They
        stand from then on, so that who rules the office's machine can put no key in another's place unseen.
        """

    def public(self, name: str) -> str:
        """The public half of a key, in hexadecimal; empty where the keeper has it not, or it is damaged.

        :raises UnavailableError: when it cannot be looked for.
        """

    def move(self, name: str, not_before: datetime) -> str:
        """Tell a later deadline, after which the turn is held up no more; an earlier one changes nothing else. The
        answer is the keeper's signature of the deadline that stands.

        :raises ConflictError: when the turn is closed for good.
        """

    def hold(self, name: str, why: str) -> str:
        """Tell that a turn is held up: no notice is taken until a deadline is told. The answer is the keeper's
        signature of that.

        :raises ConflictError: when the turn is closed for good.
        """

    def takes_early(self, name: str, ready: Sequence[SaidReady] = ()) -> bool:
        """Whether a notice that all are ready would be taken, with these words of the seats."""

    def passed(self, name: str) -> bool:
        """Whether the deadline that it was told last has passed by its own clock; True where none stands."""

    def close(self, notice: Notice, signature: str, ready: Sequence[SaidReady] = ()) -> Witness:
        """Take a notice of closing, and countersign it; the same notice again gets the same answer. ``ready``: the
        seats' words, where it says that all are.

        :raises KeyNotReleasedError: when it comes too early, or is not the office's.
        :raises ConflictError: when there was another one.
        """

    def key(self, name: str) -> GivenKey:
        """The private key, and the keeper's part of the lots.

        :raises KeyNotReleasedError: before a notice of closing.
        :raises UnavailableError: when the keeper cannot be reached.
        """

    def follow(self, game: str, line: int, keeper: str, office: str) -> str:
        """Hear that a game goes to the office with this key, by this line of its journal, and to the keeper with that
        key: from then on no other office is served in it, but that skipped turns are still opened. The answer is this
        keeper's signature of its successor; empty where it stays the keeper.

        :raises ConflictError: when it was told of another office before.
        """

    def succeeds(self, game: str, line: int, before: str) -> str:
        """The signature of the key by which this keeper signed before of the one by which it signs now; empty where it
        has not that key."""

    def log(self, name: str) -> list[LogLine]:
        """What was told and given of one key, and when."""


class FolderKeeper:
    """Keys in a folder of the office's machine."""

    remote = False

    def __init__(
        self, folder: Path, clock: Clock, random_source: RandomSource, *, believes: bool = True, elsewhere: bool = False
    ) -> None:
        self.folder = folder
        self.clock = clock
        self.random_source = random_source
        self.believes = believes  # the office's word that all are ready
        self.elsewhere = elsewhere  # and so contributes to lots
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(OSError):
            folder.chmod(0o700)

    def identity(self) -> str:
        return public_key(self._secret())

    def make(
        self,
        name: str,
        not_before: datetime | None,
        early: bool = True,
        office: str = "",
        game: str = "",
        turn: str = "",
        secret: str = "",
        after: str = "",
        seats: Mapping[str, str] = NONE,
    ) -> Opened:
        self._path(name)
        with self._alone(name):
            self._refuse_left(name, game, office)
            kept = self._find(name)
            if kept is None:
                pair = make_keys(self.random_source.bytes(32))
                due = micros(not_before) if not_before else None
                part = self.random_source.bytes(32).hex() if self.elsewhere else ""
                kept = Kept(
                    pair.public.hex(),
                    pair.private.hex(),
                    due,
                    early,
                    "",
                    office,
                    "",
                    game,
                    turn,
                    secret,
                    part,
                    after,
                    dict(seats),
                )
                self._write(name, kept)
                self._note("made", name, f"for {not_before.isoformat()}" if not_before else "")
            elif not_before is not None and _is_ahead(kept):
                kept.not_before, kept.early, kept.seats = micros(not_before), early, dict(seats)
                self._write(name, kept)
                self._note("opened", name, f"for {not_before.isoformat()}")
        part, due = part_commitment(kept.part), _due(kept)
        signature = sign(
            self._secret(), "turn", turn_statement(kept.game, kept.turn, kept.public, kept.secret, part, due)
        )
        return Opened(kept.public, part, due, signature)

    def public(self, name: str) -> str:
        try:
            return msgspec.json.decode(self._path(name).read_bytes(), type=Kept).public
        except (FileNotFoundError, msgspec.DecodeError):
            return ""
        except OSError as error:
            raise UnavailableError(f"The key of {name} cannot be read: {error}") from error

    def move(self, name: str, not_before: datetime) -> str:
        with self._alone(name):
            kept = self._open(name)
            later = kept.not_before is None or micros(not_before) > kept.not_before
            if later or kept.held:
                kept.not_before = max(micros(not_before), kept.not_before or 0)
                kept.held = ""
                self._write(name, kept)
                self._note("moved", name, f"to {moment(kept.not_before).isoformat()}")
        return self._acknowledged(kept)

    def hold(self, name: str, why: str) -> str:
        with self._alone(name):
            kept = self._open(name)
            if kept.held != why:
                kept.held = why
                self._write(name, kept)
                self._note("held", name, why)
        return self._acknowledged(kept)

    def _acknowledged(self, kept: Kept) -> str:
        return sign(self._secret(), "deadline", deadline_statement(kept.game, kept.turn, _due(kept)))

    def takes_early(self, name: str, ready: Sequence[SaidReady] = ()) -> bool:
        kept = self._read(name)
        believed = self.believes or kept.not_before is None or _all_signed(kept, ready)
        return kept.early and not _is_ahead(kept) and believed

    def passed(self, name: str) -> bool:
        return micros(self.clock.now()) >= _due(self._read(name))

    def close(self, notice: Notice, signature: str, ready: Sequence[SaidReady] = ()) -> Witness:
        with self._alone(notice.name):
            return self._close(notice, signature, ready)

    def _close(self, notice: Notice, signature: str, ready: Sequence[SaidReady]) -> Witness:
        name = notice.name
        kept = self._read(name)
        if kept.witness is not None:
            if kept.notice != notice:
                self._note("refused", name, "it is closed already")
                raise ConflictError("The keeper was told otherwise before that this turn is closed.")
            return kept.witness
        if reason := self._too_early(kept, notice, signature, ready):
            self._note("refused", name, reason)
            raise KeyNotReleasedError(f"The keeper does not close this turn: {reason}.")
        seen, secret = micros(self.clock.now()), self._secret()
        statement = closing_statement(kept.game, kept.turn, notice.line, notice.head, seen)
        kept.notice = notice
        kept.witness = Witness(
            kept.game, kept.turn, notice.line, notice.head, seen, public_key(secret), sign(secret, "closing", statement)
        )
        self._write(name, kept)
        self._note("closed", name, f"{notice.why}, line {notice.line}, head {notice.head}")
        return kept.witness

    def _too_early(self, kept: Kept, notice: Notice, signature: str, ready: Sequence[SaidReady]) -> str:
        """Why a notice is not taken; empty if it is."""
        if kept.office and not signed(kept.office, signature, "notice", msgspec.to_builtins(notice)):
            return "the notice is not signed by the office that opened it"
        if notice.why == "skipped":
            return self._not_skipped(kept)
        if self._has_left(kept.game, kept.office):
            return "the game went to another office"
        if kept.held:
            return f"it is held up ({kept.held})"
        if kept.not_before is not None and micros(self.clock.now()) >= kept.not_before:
            return ""
        if notice.why in ("all ready", "dealt") and self.takes_early(notice.name, ready):
            return ""
        return "its deadline has not passed"

    def _not_skipped(self, kept: Kept) -> str:
        """Why a turn is not taken to have been skipped; empty if it is."""
        if not _is_ahead(kept):
            return "the turn has opened"
        if self._read(kept.after).witness is None:
            return "the turn in which its key was made is not closed"
        return ""

    def key(self, name: str) -> GivenKey:
        kept = self._read(name)
        if kept.witness is None and not kept.released:
            raise KeyNotReleasedError("The keeper gives this key when the turn is closed for good, and not before.")
        self._note("gave", name)
        return GivenKey(bytes.fromhex(kept.private), kept.part)

    def follow(self, game: str, line: int, keeper: str, office: str) -> str:
        if not NAME.fullmatch(game):
            raise ValueError(f"{game!r} is no game")
        path = self.folder / LEFT / game
        with self._alone(game):
            if path.exists() and path.read_text(encoding="utf-8") != office:
                raise ConflictError("The keeper was told of another office that this game went to.")
            try:
                path.parent.mkdir(exist_ok=True, mode=0o700)
                write_private(path, office.encode())
            except OSError as error:
                raise UnavailableError(f"The keeper cannot note that {game} leaves: {error}") from error
            self._note("left", game, f"for the office {office}, line {line}")
        own = self._secret()
        return "" if keeper == public_key(own) else sign(own, "key", succession_statement(game, line, keeper))

    def succeeds(self, game: str, line: int, before: str) -> str:
        try:
            old = (self.folder / f"{IDENTITY}.before").read_bytes()
        except OSError:
            return ""
        fits = public_key(old) == before
        return sign(old, "key", succession_statement(game, line, self.identity())) if fits else ""

    def log(self, name: str) -> list[LogLine]:
        try:
            lines = (self.folder / LOG).read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        split = [line.split(" ", 3) for line in lines]
        return [LogLine(datetime.fromisoformat(s[0]), s[1], s[3] if len(s) > 3 else "") for s in split if s[2] == name]

    @contextlib.contextmanager
    def _alone(self, name: str) -> Iterator[None]:
        """Keep other processes and threads out meanwhile: what is countersigned once stands."""
        try:
            lock = os.open(self.folder / "lock", os.O_WRONLY | os.O_CREAT, 0o600)
        except OSError as error:
            raise UnavailableError(f"The key of {name} cannot be written: {error}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _note(self, what: str, name: str, about: str = "") -> None:
        line = f"{self.clock.now().isoformat()} {what} {name} {' '.join(about.split())[:200]}".rstrip()
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        with contextlib.suppress(OSError), os.fdopen(os.open(self.folder / LOG, flags, 0o600), "ab") as log:
            log.write(line.encode() + b"\n")

    def _secret(self) -> bytes:
        return lasting_secret(self.folder / IDENTITY, self.random_source)

    def _path(self, name: str) -> Path:
        if not NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a key")
        return self.folder / f"{name}.key"

    def _find(self, name: str) -> Kept | None:
        try:
            return msgspec.json.decode(self._path(name).read_bytes(), type=Kept)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError) as error:
            raise UnavailableError(f"The key of {name} cannot be read: {error}") from error

    def _read(self, name: str) -> Kept:
        kept = self._find(name)
        if kept is None:
            raise UnavailableError(f"The keeper has no key for {name}; restore the folder of keys.")
        return kept

    def _open(self, name: str) -> Kept:
        """What is known of a turn that is not closed."""
        kept = self._read(name)
        if kept.witness is not None:
            self._note("refused", name, "it is closed already")
            raise ConflictError("The keeper was told that this turn is closed; nothing more is taken for it.")
        self._refuse_left(name, kept.game, kept.office)
        return kept

    def _has_left(self, game: str, office: str) -> bool:
        """Whether a game went to another office than this one."""
        path = self.folder / LEFT / game
        return bool(NAME.fullmatch(game)) and path.exists() and path.read_text(encoding="utf-8") != office

    def _refuse_left(self, name: str, game: str, office: str) -> None:
        if self._has_left(game, office):
            self._note("refused", name, "the game went to another office")
            raise ConflictError("The keeper was told that this game went to another office.")

    def _write(self, name: str, kept: Kept) -> None:
        path = self._path(name)
        part = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.part")
        try:
            write_private(part, msgspec.json.encode(kept))
            part.replace(path)
        except OSError as error:
            raise UnavailableError(f"The key of {name} cannot be written: {error}") from error


def signed_notice(secret: bytes, notice: Notice) -> str:
    """The office's signature of a notice, in hexadecimal."""
    return sign(secret, "notice", msgspec.to_builtins(notice))


def tell_keeper(keeper: Keeper, keys: Sequence[bytes], notice: Notice, ready: Sequence[SaidReady] = ()) -> Witness:
    """Give a keeper notice, signed by that of the office's keys, the newest first, which it knew when the turn opened;
    ``ready``: the seats' words, where it says that all are.

    :raises KeyNotReleasedError: when it does not take it yet.
    """
    *others, last = keys
    for key in others:
        with contextlib.suppress(KeyNotReleasedError):
            return keeper.close(notice, signed_notice(key, notice), ready)
    return keeper.close(notice, signed_notice(last, notice), ready)


def _all_signed(kept: Kept, ready: Sequence[SaidReady]) -> bool:
    """Whether each seat that was awaited when a turn opened has signed that it is ready, by the key of then."""
    said = {word.seat: word for word in ready}

    def has_signed(seat: str, key: str) -> bool:
        word = said.get(seat)
        if word is None or not key:
            return False
        return signed(
            key, word.signature, "ready", ready_statement(kept.game, kept.turn, seat, word.version, word.again)
        )

    return bool(kept.seats) and all(has_signed(seat, key) for seat, key in kept.seats.items())


def _is_ahead(kept: Kept) -> bool:
    """Whether a key was made ahead, and its turn has not opened."""
    return bool(kept.after) and kept.not_before is None


def _due(kept: Kept) -> int:
    """The deadline that stands; 0 for none."""
    return 0 if kept.held or kept.not_before is None else kept.not_before


def lasting_secret(path: Path, random_source: RandomSource) -> bytes:
    """The 32 bytes of a file that only its owner may read; made if there is none."""
    with contextlib.suppress(FileExistsError):
        write_private(path, random_source.bytes(32), new=True)
    return path.read_bytes()


def write_private(path: Path, content: bytes, *, new: bool = False) -> None:
    """Write a file that only its owner may read; with ``new`` there may be none."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_EXCL if new else os.O_TRUNC)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
