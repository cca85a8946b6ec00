"""Positions of the sandbox: documents under random names, in bounded room. A name tells nothing of a
document, so nobody finds one by guessing what is in it. There may be orders in it that somebody is going to send: it is
locked with a key made of its name, which is kept nowhere, so that the database tells nothing of it.

What has not been asked for the longest goes first. No document is anybody's: whoever has the name has the
document, and the documents can be taken along."""

import hashlib
import re
import secrets
import threading
import zlib
from base64 import b32encode
from collections import OrderedDict
from typing import Any, Generic, Literal, TypeVar

import msgspec

from legation.formats import decode_json
from legation.office.keys.seals import lock_padded, unlock_padded
from legation.office.store.shared_values import Shared

LARGEST = 8 * 1024 * 1024
"""Bytes of one document before it is packed."""
NAME = 16  # characters: 80 bits
NAMED = re.compile(f"[a-z2-7]{{{NAME}}}")
KEPT = 90 * 86_400  # seconds after somebody asked for it, where processes share it and there is room


class DocumentTooLargeError(ValueError):
    """A document is too large to be kept."""


Value = TypeVar("Value", str, bytes)


class LatestUsed(Generic[Value]):
    """Texts or bytes by key. ``room``: how many characters or bytes in all; the value that was put or asked for longest
    ago goes first."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Value] = OrderedDict()
        self._taken = 0

    def put(self, key: str, value: Value) -> None:
        """Store a value, as the one used last."""
        with self._lock:
            self._taken += len(value) - len(self._kept.pop(key, ""))
            self._kept[key] = value
            while self._taken > self.room:
                self._taken -= len(self._kept.popitem(last=False)[1])

    def get(self, key: str) -> Value | None:
        """A value, or None where it is not kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)


class DocumentCache:
    """Documents (plain JSON data) by name, in memory. ``room`` is in packed bytes."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._kept = LatestUsed[bytes](room)

    def put(self, document: Any) -> str:
        """Store a document and return its name (DocumentTooLargeError: when it is too large)."""
        content = msgspec.json.encode(document, order="sorted")
        packed, most = zlib.compress(content, 6), self.room // 4
        if len(content) > LARGEST or len(packed) > most:
            raise DocumentTooLargeError(f"it is larger than what is kept here ({min(LARGEST, most) // 1024} kB)")
        name = b32encode(secrets.token_bytes(NAME)).decode().lower()[:NAME]
        self._keep(_derived("place", name).hex(), lock_padded(_derived("key", name), packed))
        return name

    def _keep(self, place: str, locked: bytes) -> None:
        self._kept.put(place, locked)

    def get(self, name: str) -> Any | None:
        """A document, or None where it was never kept or has gone."""
        locked = self._find(_derived("place", name).hex()) if NAMED.fullmatch(name) else None
        if locked is None:
            return None
        return decode_json(zlib.decompress(unlock_padded(_derived("key", name), locked)))

    def _find(self, place: str) -> bytes | None:
        return self._kept.get(place)


class SharedDocuments(DocumentCache):
    """Documents shared by all processes of an office, in its database."""

    def __init__(self, shared: Shared, room: int) -> None:
        super().__init__(room)
        self._shared = shared

    def _keep(self, place: str, locked: bytes) -> None:
        self._shared.put("shelf", place, locked, KEPT, self.room)

    def _find(self, place: str) -> bytes | None:
        return self._shared.get("shelf", place, KEPT)


def _derived(what: Literal["place", "key"], name: str) -> bytes:
    """Return a document's place or key; without its name (80 random bits) neither tells the other."""
    return hashlib.sha256(f"legation/shelf {what} {name}".encode()).digest()
