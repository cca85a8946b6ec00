"""JSON in a row: compressed, because positions and results of a hundred thousand turns are kept.

And text that no row can hold: no database keeps NUL, and half of a surrogate pair isn't a character at all."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from legation.formats import decode_json
from legation.office.errors import DamagedError

SHORT = 200  # bytes; less is kept as it is


def pack(value: object) -> bytes:
    """A value as JSON, compressed where that pays; nothing is packed as nothing."""
    if value is None or value == {}:
        return b""
    plain = msgspec.json.encode(value)
    return plain if len(plain) < SHORT else zlib.compress(plain, 6)


def unpack(packed: bytes) -> dict[str, Any]:
    """Return what was packed; an object without keys for nothing. DamagedError when it cannot be read."""
    if not packed:
        return {}
    try:
        found: dict[str, Any] = decode_json(zlib.decompress(packed) if packed[:1] == b"\x78" else packed)
    except (zlib.error, msgspec.DecodeError, ValueError):
        raise DamagedError("Part of this record is damaged and can't be read. Tell whoever runs the office.") from None
    return found


def unpack_facts(packed: bytes) -> dict[str, Any]:
    """The facts of a row; none where they cannot be read, for lists, which must not fail for one line."""
    try:
        facts = unpack(packed)
    except DamagedError:
        return {}
    return facts if isinstance(facts, dict) else {}


def is_kept(text: str) -> bool:
    """Return whether a text can be kept as it is."""
    return ("\0" not in text and text.isascii()) or not any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text)


def unkept_places(value: Any) -> Iterator[str]:
    """Find the texts in plain data and records that cannot be kept: their places, such as ``turns[2].text``."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        place, present = waiting.pop()
        if isinstance(present, str):
            if not is_kept(present):
                yield place
        elif isinstance(present, Mapping):
            for key, entry in present.items():
                if not isinstance(key, str) or is_kept(key):
                    waiting.append((f"{place}.{key}" if place else str(key), entry))
                else:
                    yield place
        elif isinstance(present, msgspec.Struct):
            waiting += [
                (f"{place}.{field}" if place else field, getattr(present, field)) for field in present.__struct_fields__
            ]
        elif isinstance(present, Sequence) and not isinstance(present, bytes | bytearray):
            waiting += [(f"{place}[{number}]", entry) for number, entry in enumerate(present)]
