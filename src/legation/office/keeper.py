"""The keeper of the turns' private keys.

It makes a pair when a turn opens, gives the public key, and gives the private one only when the deadline that it was
told has passed. The deadline may be moved later, never earlier; only when it is told that every seat is ready does it
give the key before. The keeper in the office's folder (:class:`FolderKeeper`, files of mode 600 beside the database,
never in its backup) protects from whoever gets the database; one on another machine (:mod:`legation.office.keeping`)
also from whoever rules the office's machine. ``docs/office.md`` says what each does not protect from.
"""

from __future__ import annotations

import os
import re
from datetime import datetime
from pathlib import Path
from typing import Protocol

import msgspec

from legation.office.clock import Chance, Clock, micros
from legation.office.errors import Busy, Sealed
from legation.office.seals import make_keys

NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,119}")


class Kept(msgspec.Struct):
    """What the keeper knows of one key."""

    public: str
    private: str
    not_before: int | None  # microseconds; None: until every seat is ready
    early: bool = True  # whether it may be given before, when every seat is ready
    released: str = ""  # why it was


class Keeper(Protocol):
    """What the office asks of a keeper. ``name`` is the turn's, such as ``powick-bridge.3``."""

    remote: bool

    def make(self, name: str, not_before: datetime | None, early: bool = True) -> bytes:
        """Make a pair and give the public key; asked again, the same one.

        ``early``: the key may be given sooner when every seat is ready.
        """

    def move(self, name: str, not_before: datetime) -> None:
        """Tell a later deadline; an earlier one changes nothing."""

    def release(self, name: str, why: str) -> None:
        """Tell that every seat is ready."""

    def key(self, name: str) -> bytes:
        """The private key.

        :raises Sealed: before its time.
        :raises Busy: when the keeper cannot be reached.
        """

    def own(self, name: str) -> bytes | None:
        """The private key for a holder who reads back an own submission; None from a keeper that gives it to nobody."""


class FolderKeeper:
    """Keys in a folder of the office's machine."""

    remote = False

    def __init__(self, folder: Path, clock: Clock, chance: Chance) -> None:
        self.folder = folder
        self.clock = clock
        self.chance = chance
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def make(self, name: str, not_before: datetime | None, early: bool = True) -> bytes:
        known = self._find(name)
        if known is None:
            pair = make_keys(self.chance.bytes(32))
            known = Kept(pair.public.hex(), pair.private.hex(), micros(not_before) if not_before else None, early)
            self._write(name, known)
        return bytes.fromhex(known.public)

    def move(self, name: str, not_before: datetime) -> None:
        kept = self._read(name)
        if kept.not_before is None or micros(not_before) > kept.not_before:
            kept.not_before = micros(not_before)
            self._write(name, kept)

    def release(self, name: str, why: str) -> None:
        kept = self._read(name)
        if not kept.early:
            raise Sealed("The keeper was told that this key is never given before the deadline.")
        kept.released = why
        self._write(name, kept)

    def key(self, name: str) -> bytes:
        kept = self._read(name)
        passed = kept.not_before is not None and micros(self.clock.now()) >= kept.not_before
        if not passed and not kept.released:
            raise Sealed("The keeper gives this key when the deadline has passed, and not before.")
        return bytes.fromhex(kept.private)

    def has_deadline(self, name: str) -> bool:
        """Whether a key is a turn's (that of the deal of the powers has no deadline)."""
        return self._read(name).not_before is not None

    def own(self, name: str) -> bytes | None:
        return bytes.fromhex(self._read(name).private)

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
            raise Busy(f"The key of {name} cannot be read: {error}") from error

    def _read(self, name: str) -> Kept:
        kept = self._find(name)
        if kept is None:
            raise Busy(f"The keeper has no key for {name}; restore the folder of keys.")
        return kept

    def _write(self, name: str, kept: Kept) -> None:
        path = self._path(name)
        part = path.with_suffix(f".{os.getpid()}.part")
        try:
            write_private(part, msgspec.json.encode(kept))
            part.replace(path)
        except OSError as error:
            raise Busy(f"The key of {name} cannot be written: {error}") from error


def write_private(path: Path, content: bytes, *, new: bool = False) -> None:
    """Write a file that only its owner may read; with ``new`` there may be none."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_EXCL if new else os.O_TRUNC)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
