"""JSON in a row: compressed, because positions and results of a hundred thousand turns are kept."""

from __future__ import annotations

import zlib
from typing import Any

import msgspec

SHORT = 200  # bytes; less is kept as it is


def pack(value: object) -> bytes:
    """A value as JSON, compressed where that pays; nothing is packed as nothing."""
    if value is None or value == {}:
        return b""
    plain = msgspec.json.encode(value)
    return plain if len(plain) < SHORT else zlib.compress(plain, 6)


def unpack(packed: bytes) -> Any:
    """What was packed; an object without keys for nothing."""
    if not packed:
        return {}
    return msgspec.json.decode(zlib.decompress(packed) if packed[:1] == b"\x78" else packed)
