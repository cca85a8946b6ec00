"""The office's own pictures, known again when a mail program sends them back with an answer: each has a mark in a text
chunk of its PNG, and a name."""

from __future__ import annotations

import struct
import zlib

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_KEYWORD, _TEXT = b"Source", b"Legation, results by mail"
NAME = "legation-map"
"""How the names begin of pictures within the office's mails; programs that write them anew keep the name."""


def marked(png: bytes) -> bytes:
    """A PNG with the office's mark."""
    if not png.startswith(_SIGNATURE):
        return png
    content = b"tEXt" + _KEYWORD + b"\0" + _TEXT
    chunk = struct.pack(">I", len(content) - 4) + content + struct.pack(">I", zlib.crc32(content))
    after_head = len(_SIGNATURE) + 25  # the head chunk is always as long
    return png[:after_head] + chunk + png[after_head:]


def is_ours(data: bytes, name: str) -> bool:
    """Whether a picture is one of the office's."""
    return name.casefold().startswith(NAME) or (data.startswith(_SIGNATURE) and _TEXT in data[:400])
