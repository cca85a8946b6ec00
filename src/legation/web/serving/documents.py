"""Positions of the sandbox: documents under random names, in bounded room. A name tells nothing of a
document, so nobody finds one by guessing what is in it. There may be orders in it that somebody is going to send: it is
locked with a key made of its name, which is kept nowhere, so that the database and the files tell nothing of it.

What has not been asked for the longest goes first. No document is anybody's: whoever has the name has the
document, and the documents can be taken along.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import threading
import zlib
from base64 import b32encode
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec

from legation.office.keys.seals import lock_padded, unlock_padded
from legation.office.store.shared_values import Shared

LARGEST = 8 * 1024 * 1024
"""Bytes of one document before it is packed."""
NAME = 16  # characters: 80 bits
NAMED = re.compile(f"[a-z2-7]{{{NAME}}}")
KEPT = 90 * 86_400  # seconds after somebody asked for it, where processes share it and there is room


class DocumentTooLargeError(ValueError):
    """A document is too large to be kept."""


class DocumentCache:
    """Documents (plain JSON data) by name: in memory, and in files of ``folder`` where there is one.

    ``room`` is in packed bytes.
    """

    def __init__(self, room: int, folder: Path | None = None) -> None:
        self.room = room
        self.folder = folder
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, bytes | int] = OrderedDict()  # packed content, or its size where that is in a file
        self._taken = 0
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for file in sorted(folder.glob("*.z"), key=lambda f: f.stat().st_mtime):
                self._kept[file.stem] = file.stat().st_size
                self._taken += file.stat().st_size
            self._make_room()

    def put(self, document: Any) -> str:
        """Store a document and return its name.

        :raises DocumentTooLargeError: when it is too large.
        """
        packed = self._packed(document)
        name = b32encode(secrets.token_bytes(NAME)).decode().lower()[:NAME]
        self._keep(_derived("place", name).hex(), lock_padded(_derived("key", name), packed))
        return name

    def _packed(self, document: Any) -> bytes:
        content = msgspec.json.encode(document, order="sorted")
        packed = zlib.compress(content, 6)
        if len(content) > LARGEST or len(packed) > self.room // 4:
            raise DocumentTooLargeError(
                f"it is larger than what is kept here ({min(LARGEST, self.room // 4) // 1024} kB)"
            )
        return packed

    def _keep(self, place: str, locked: bytes) -> None:
        with self._lock:
            if self.folder is not None:
                scratch = self.folder / f"{place}.part"
                with os.fdopen(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                    file.write(locked)
                scratch.rename(self.folder / f"{place}.z")
            self._kept[place] = locked if self.folder is None else len(locked)
            self._taken += len(locked)
            self._make_room()

    def get(self, name: str) -> Any | None:
        """A document, or None where it was never kept or has gone."""
        locked = self._find(_derived("place", name).hex()) if NAMED.fullmatch(name) else None
        if locked is None:
            return None
        return msgspec.json.decode(zlib.decompress(unlock_padded(_derived("key", name), locked)))

    def _find(self, place: str) -> bytes | None:
        with self._lock:
            kept = self._kept.get(place)
            if kept is None:
                return None
            self._touch(place)
            try:
                return kept if isinstance(kept, bytes) else (self.folder or Path()).joinpath(f"{place}.z").read_bytes()
            except OSError:
                del self._kept[place]
                self._taken -= kept if isinstance(kept, int) else len(kept)
                return None

    def _touch(self, place: str) -> None:
        self._kept.move_to_end(place)
        if self.folder is not None:
            with suppress(OSError):
                os.utime(self.folder / f"{place}.z")  # nothing is made of a file that has gone

    def _make_room(self) -> None:
        while self._taken > self.room:
            place, kept = self._kept.popitem(last=False)
            self._taken -= len(kept) if isinstance(kept, bytes) else kept
            if self.folder is not None:
                (self.folder / f"{place}.z").unlink(missing_ok=True)


class SharedDocuments(DocumentCache):
    """Documents shared by all processes of an office, in its database."""

    def __init__(self, shared: Shared, room: int) -> None:
        super().__init__(room)
        self._shared = shared

    def _keep(self, place: str, locked: bytes) -> None:
        self._shared.keep("shelf", place, locked, KEPT, self.room)

    def _find(self, place: str) -> bytes | None:
        return self._shared.kept("shelf", place, KEPT)


def _derived(what: Literal["place", "key"], name: str) -> bytes:
    """What a document's place or key is: nobody without its name, of 80 random bits, can tell the one from the
    other."""
    return hashlib.sha256(f"legation/shelf {what} {name}".encode()).digest()
