"""Saved games of jDip: known by their look, and refused. They are Java objects written as XML, in a form that is
documented nowhere; a guess at it could be a wrong game."""

from __future__ import annotations

import zlib

from legation.interop.errors import ForeignFileError
from legation.interop.sources import Source

GZIP = b"\x1f\x8b"
ROOT = b"<jsx"
LOOKED_AT = 4096  # bytes, unpacked


def refuse(source: Source) -> None:
    """Refuse a source that is, or holds, such a game.

    :raises ForeignFileError: with what can be brought instead.
    """
    for name in source.names:
        if _starts_as_one(source.bytes(name)):
            raise ForeignFileError(
                f"{name}: is a saved game of jDip, which cannot be read here: it is a dump of the program's objects. "
                "Bring its orders as plain text instead, or a Judge's results mails"
            )


def _starts_as_one(data: bytes) -> bool:
    if data.startswith(GZIP):
        try:
            data = zlib.decompressobj(wbits=31).decompress(data, LOOKED_AT)
        except zlib.error:
            return False
    return ROOT in data[:LOOKED_AT]
