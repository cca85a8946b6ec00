"""Text that cannot be kept: no database keeps NUL, and half of a surrogate pair isn't a character at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec


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
