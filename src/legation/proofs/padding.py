"""Padding: what is sealed tells nothing by its length but a step."""

from __future__ import annotations

SMALLEST = 4096
HEAD = 8  # bytes of the length


def pad(plain: bytes) -> bytes:
    """Length (8 bytes, big-endian), content, and zeros up to 4 KiB or the next power of two."""
    step = SMALLEST
    while step < HEAD + len(plain):
        step *= 2
    return (len(plain).to_bytes(HEAD, "big") + plain).ljust(step, b"\0")


def unpad(padded: bytes) -> bytes:
    """What was padded.

    :raises ValueError: for bytes that :func:`pad` does not make.
    """
    length = int.from_bytes(padded[:HEAD], "big")
    plain = padded[HEAD : HEAD + length]
    if pad(plain) != padded:
        raise ValueError("not padded as it should be")
    return plain
