"""The keeper of the turns' private keys, and the witness of their closing.

It makes a pair when a turn opens, and gives the private key only after a signed notice of closing, once: past the last
effective deadline by its own clock, if the turn isn't held up; or when each awaited seat has signed that it is ready
(in the office's folder it takes the office's word). It countersigns the notice with its own time, and takes no word
about the turn after that. Deadlines only move later; what was left of one when a pause stopped it is left when the turn
goes on. It logs all that it is told and gives. ``docs/office.md`` says what each kind of keeper protects from."""

import contextlib
import fcntl
import os
import re
import threading
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from legation.formats import decode_json
from legation.office.clock import Clock, RandomSource, micros, moment
from legation.office.errors import ConflictError, KeyNotReleasedError, UnavailableError
from legation.office.keys import notices
from legation.office.keys.seals import make_keys
from legation.proofs import chain
from legation.proofs.lots import DEAL, part_commitment
from legation.proofs.records import ready_statement
from legation.proofs.signing import public_key, sign, signed

NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,119}")
IDENTITY = "identity"
LOG = "keeper.log"
LEFT = "left"  # the folder that tells which games went to which other office
UNFINISHED = "the turn in which its key was made is not closed"


class KeyRecord(notices.KeyRequest, frozen=True, kw_only=True):
    """Record of one key, with what it was asked for last. ``held``: why the turn is held up; ``held_at``: since when
    its time stands still, in microseconds."""

    public: str
    private: str
    part: str = ""
    held: str = ""
    held_at: int | None = None
    notice: notices.Notice | None = None
    witness: notices.Witness | None = None


class Keeper:
    """Keys in a folder, of the office's machine or (:mod:`remote_keeper`) of another. ``name`` is the turn's, such as
    ``powick-bridge.3``. A keeper elsewhere is asked by the names and types of these methods."""

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
        """The public key by which the keeper signs, in hexadecimal."""
        return public_key(self._secret())

    def make(self, name: str, request: notices.KeyRequest) -> notices.Opened:
        """Make a pair and give the public key; asked again, the same one. A key that was made ahead is asked for again
        with its deadline when its turn opens, and not before the earlier one is closed; if that turn never comes, the
        key is given after a notice that it was skipped."""
        self._path(name)
        due = request.not_before
        with self._alone(name):
            self._refuse_left(name, request.game, request.office)
            kept = self._find(name)
            if kept is None:
                pair = make_keys(self.random_source.bytes(32))
                part = self.random_source.bytes(32).hex() if self.elsewhere else ""
                told = msgspec.structs.asdict(request)
                kept = KeyRecord(public=pair.public.hex(), private=pair.private.hex(), part=part, **told)
                self._write(name, kept)
                self._note("made", name, f"for {moment(due).isoformat()}" if due is not None else "")
            elif request.game and kept.game != request.game:
                self._note("refused", name, "it is the key of another game")
                raise ConflictError("The keeper already has a key under this name for another game. Rename the game.")
            elif due is not None and _is_ahead(kept):
                before = self._find(kept.after)  # a key that is lost stops nobody
                if before is not None and before.witness is None:
                    self._note("refused", name, UNFINISHED)
                    raise ConflictError(f"The keeper does not open this turn: {UNFINISHED}.")
                kept = msgspec.structs.replace(kept, not_before=due, early=request.early, seats=request.seats)
                self._write(name, kept)
                self._note("opened", name, f"for {moment(due).isoformat()}")
        part, stands = part_commitment(kept.part), _due(kept)
        signature = sign(
            self._secret(), "turn", chain.turn_statement(kept.game, kept.turn, kept.public, kept.secret, part, stands)
        )
        return notices.Opened(kept.public, part, stands, signature)

    def public(self, name: str) -> str:
        """The public half of a key (hexadecimal), or nothing; UnavailableError when it can't be looked for."""
        try:
            return decode_json(self._path(name).read_bytes(), type=KeyRecord).public
        except (FileNotFoundError, msgspec.DecodeError):
            return ""
        except OSError as error:
            raise UnavailableError(f"The key of {name} cannot be read: {error}") from error

    def move(self, name: str, not_before: datetime) -> str:
        """Tell a later deadline, after which the turn is held up no more; an earlier one changes nothing else, and a
        turn whose time stood still has as much left as it had then, but for a minute. The answer is the keeper's
        signature of the deadline that stands. Raises ConflictError when the turn is closed for good."""
        with self._alone(name):
            kept = self._open(name)
            if kept.held or micros(not_before) > (kept.not_before or 0):
                due = max(micros(not_before), kept.not_before or 0, self._after_hold(kept))
                kept = msgspec.structs.replace(kept, not_before=due, held="", held_at=None)
                self._write(name, kept)
                self._note("moved", name, f"to {moment(due).isoformat()}")
        return self._acknowledged(kept)

    def hold(self, name: str, why: str, *, stops: bool = True) -> str:
        """Tell that a turn is held up: no notice is taken until a deadline is told. ``stops``: its time stands still
        meanwhile, which no later word takes back. The answer is the keeper's signature of that. Raises ConflictError
        when the turn is closed for good."""
        why = " ".join(why.split())[:200]
        with self._alone(name):
            kept = self._open(name)
            if kept.held != why or (stops and kept.held_at is None):
                since = micros(self.clock.now()) if stops and kept.held_at is None else kept.held_at
                kept = msgspec.structs.replace(kept, held=why, held_at=since)
                self._write(name, kept)
                self._note("held", name, why)
        return self._acknowledged(kept)

    def _after_hold(self, kept: KeyRecord) -> int:
        """The earliest deadline after a hold: what was left of the one before is left; 0 if it had passed."""
        if kept.held_at is None or kept.not_before is None or kept.held_at >= kept.not_before:
            return 0
        return kept.not_before + micros(self.clock.now()) - kept.held_at - chain.PAUSE_LEEWAY

    def _acknowledged(self, kept: KeyRecord) -> str:
        return sign(self._secret(), "deadline", chain.deadline_statement(kept.game, kept.turn, _due(kept)))

    def takes_early(self, name: str, ready: Sequence[notices.SaidReady] = ()) -> bool:
        """Return whether a notice that all are ready would be taken, with these words of the seats."""
        kept = self._read(name)
        believed = self.believes or kept.turn == DEAL or _all_signed(kept, ready)
        return kept.early and not _is_ahead(kept) and believed

    def passed(self, name: str) -> bool:
        """Return whether the deadline that it was told last has passed by its own clock; True where none stands."""
        return micros(self.clock.now()) >= _due(self._read(name))

    def close(self, notice: notices.Notice, signature: str, ready: Sequence[notices.SaidReady] = ()) -> notices.Witness:
        """Take a notice of closing, and countersign it; the same notice again gets the same answer. ``ready``: the
        seats' words, where it says that all are. Raises KeyNotReleasedError when it comes too early, or is not the
        office's. Raises ConflictError when there was another one."""
        name, line, head = notice.name, notice.line, notice.head
        with self._alone(name):
            kept = self._read(name)
            if kept.witness is not None:
                if kept.notice != notice:
                    self._note("refused", name, "it is closed already")
                    raise ConflictError("The keeper was told otherwise before that this turn is closed.")
                return kept.witness
            if why := self._too_early(kept, notice, signature, ready):
                self._note("refused", name, why)
                raise KeyNotReleasedError(f"The keeper does not close this turn: {why}.")
            seen, secret = micros(self.clock.now()), self._secret()
            signed_by_it = sign(secret, "closing", chain.closing_statement(kept.game, kept.turn, line, head, seen))
            witness = notices.Witness(kept.game, kept.turn, line, head, seen, public_key(secret), signed_by_it)
            self._write(name, msgspec.structs.replace(kept, notice=notice, witness=witness))
            self._note("closed", name, f"{notice.why}, line {line}, head {head}")
            return witness

    def _too_early(
        self, kept: KeyRecord, notice: notices.Notice, signature: str, ready: Sequence[notices.SaidReady]
    ) -> str:
        if kept.office and not signed(kept.office, signature, "notice", msgspec.to_builtins(notice)):
            return "the notice is not signed by the office that opened it"
        if notice.why == "skipped":
            if not _is_ahead(kept):
                return "the turn has opened"
            return UNFINISHED if self._read(kept.after).witness is None else ""
        if self._has_left(kept.game, kept.office):
            return "the game went to another office"
        if kept.held:
            return f"it is held up ({kept.held})"
        if kept.not_before is not None and micros(self.clock.now()) >= kept.not_before:
            return ""
        if notice.why in ("all ready", "dealt") and self.takes_early(notice.name, ready):
            return ""
        return "its deadline has not passed"

    def key(self, name: str) -> notices.GivenKey:
        """Return the private key, and the keeper's part of the lots; KeyNotReleasedError before a notice of closing."""
        kept = self._read(name)
        if kept.witness is None:
            raise KeyNotReleasedError("The keeper gives this key when the turn is closed for good, and not before.")
        self._note("gave", name)
        return notices.GivenKey(bytes.fromhex(kept.private), kept.part)

    def follow(self, game: str, line: int, keeper: str, office: str) -> str:
        """Hear that a game goes to the office with this key, by this line of its journal, and to the keeper with that
        key: from then on no other office is served in it, but that skipped turns are still opened. The answer is this
        keeper's signature of its successor; empty where it stays the keeper. Raises ConflictError when it was told of
        another office before."""
        if not NAME.fullmatch(game):
            raise ValueError(f"{game!r} isn't a game")
        path = self.folder / LEFT / game
        with self._alone(game):
            if path.exists() and path.read_text(encoding="utf-8") != office:
                raise ConflictError("The keeper was told of another office that this game went to.")
            try:
                path.parent.mkdir(exist_ok=True, mode=0o700)
                write_private(path, office.encode())
            except OSError as error:
                raise UnavailableError(f"The keeper can't record that {game} is moving: {error}") from error
            self._note("left", game, f"for the office {office}, line {line}")
        own = self._secret()
        return "" if keeper == public_key(own) else sign(own, "key", chain.succession_statement(game, line, keeper))

    def succeeds(self, game: str, line: int, before: str) -> str:
        """The former key's signature of the present one; empty where the keeper hasn't that key."""
        try:
            old = (self.folder / f"{IDENTITY}.before").read_bytes()
        except OSError:
            return ""
        fits = public_key(old) == before
        return sign(old, "key", chain.succession_statement(game, line, self.identity())) if fits else ""

    def log(self, name: str) -> list[notices.LogLine]:
        """Return the log of one key: what was told of it and given, and when."""
        try:
            lines = (self.folder / LOG).read_text(encoding="utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return []
        found = []
        for line in lines:
            at, what, about, rest = [*line.split(" ", 3), "", "", ""][:4]
            with contextlib.suppress(ValueError):
                found += [notices.LogLine(datetime.fromisoformat(at), what, rest)] if about == name else []
        return found

    @contextlib.contextmanager
    def _alone(self, name: str) -> Iterator[None]:
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
            raise ValueError(f"{name!r} isn't a name of a key")
        return self.folder / f"{name}.key"

    def _find(self, name: str) -> KeyRecord | None:
        try:
            return decode_json(self._path(name).read_bytes(), type=KeyRecord)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError) as error:
            raise UnavailableError(f"The key of {name} cannot be read: {error}") from error

    def _read(self, name: str) -> KeyRecord:
        kept = self._find(name)
        if kept is None:
            raise UnavailableError(f"The keeper has no key for {name}; restore the folder of keys.")
        return kept

    def _open(self, name: str) -> KeyRecord:
        kept = self._read(name)
        if kept.witness is not None:
            self._note("refused", name, "it is closed already")
            raise ConflictError("The keeper was told that this turn is closed and takes no more orders.")
        self._refuse_left(name, kept.game, kept.office)
        return kept

    def _has_left(self, game: str, office: str) -> bool:
        path = self.folder / LEFT / game
        return bool(NAME.fullmatch(game)) and path.exists() and path.read_text(encoding="utf-8") != office

    def _refuse_left(self, name: str, game: str, office: str) -> None:
        if self._has_left(game, office):
            self._note("refused", name, "the game went to another office")
            raise ConflictError("The keeper was told that this game went to another office.")

    def _write(self, name: str, kept: KeyRecord) -> None:
        try:
            replace_private(self._path(name), msgspec.json.encode(kept))
        except OSError as error:
            raise UnavailableError(f"The key of {name} cannot be written: {error}") from error


PROBE = "health.probe"  # the name of a key that is asked for and never given


def withholds_keys(keeper: Keeper) -> bool:
    """Return whether a keeper gives no key early. Raises UnavailableError when it cannot be asked."""
    keeper.make(PROBE, notices.KeyRequest())
    try:
        keeper.key(PROBE)
    except KeyNotReleasedError:
        return True
    return False


def tell_keeper(
    keeper: Keeper, keys: Sequence[bytes], notice: notices.Notice, ready: Sequence[notices.SaidReady] = ()
) -> notices.Witness:
    """Give a keeper notice, signed by that of the office's keys, the newest first, which it knew when the turn opened;
    ``ready``: the seats' words, where it says that all are. Raises KeyNotReleasedError when it does not take it yet."""
    *others, last = keys
    for key in others:
        with contextlib.suppress(KeyNotReleasedError):
            return keeper.close(notice, notices.signed_notice(key, notice), ready)
    return keeper.close(notice, notices.signed_notice(last, notice), ready)


def _all_signed(kept: KeyRecord, ready: Sequence[notices.SaidReady]) -> bool:
    said = {word.seat: word for word in ready}
    for seat, key in kept.seats.items():
        if not key or (word := said.get(seat)) is None:
            return False
        statement = ready_statement(kept.game, kept.turn, seat, word.version, word.again)
        if not signed(key, word.signature, "ready", statement):
            return False
    return bool(kept.seats)


def _is_ahead(kept: KeyRecord) -> bool:
    return bool(kept.after) and kept.not_before is None


def _due(kept: KeyRecord) -> int:
    return 0 if kept.held or kept.not_before is None else kept.not_before


def lasting_secret(path: Path, random_source: RandomSource) -> bytes:
    """The 32 bytes of a file that only its owner may read; made if there is none."""
    with contextlib.suppress(FileNotFoundError):
        return path.read_bytes()
    with contextlib.suppress(FileExistsError):
        write_private(path, random_source.bytes(32), new=True)
    return path.read_bytes()


def replace_private(path: Path, content: bytes, *, lasting: bool = True) -> None:
    """Write a file for its owner alone in place of any, at once or not at all; ``lasting``: it is on the disk then."""
    part = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.part")
    write_private(part, content, lasting=lasting)
    part.replace(path)


def write_private(path: Path, content: bytes, *, new: bool = False, lasting: bool = True) -> None:
    """Write a file for its owner alone; with ``new`` there may be none. ``lasting``: it is on the disk then."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_EXCL if new else os.O_TRUNC)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(content)
        if lasting:
            file.flush()
            os.fsync(file.fileno())
