"""Canonical bytes: the one way in which a value is written, hashed and signed.

RFC 8785 without floats: integers below 2^53, ASCII keys, no lone surrogates. Readers refuse bytes that are not the
canonical form of what they say, so what is hashed is what is read."""

import hashlib
import json
import unicodedata
from typing import Any, NoReturn

VERSION = 2  # names all algorithms: SHA-256, HMAC-SHA-256, Ed25519, RFC 8785
LARGEST = 2**53 - 1
DEEPEST = 24
MOST_BYTES = 8 << 20  # of one value
compact = json.JSONEncoder(ensure_ascii=False, check_circular=False, sort_keys=True, separators=(",", ":")).encode
"""A value as one line of JSON with its keys in order."""


class CanonicalError(ValueError):
    """A value that has no canonical form, or bytes that are not one."""


def encode(value: Any) -> bytes:
    """Return the canonical bytes of objects, lists, texts, integers, booleans and null; CanonicalError for others."""
    _refuse(value, 0)
    try:  # of what is not refused, the standard library's compact JSON is the form of RFC 8785, and written in C
        return compact(value).encode()
    except UnicodeEncodeError as error:
        raise CanonicalError(str(error)) from None


def decode(data: bytes) -> Any:
    """Return the value whose canonical form these bytes are; CanonicalError for others, too large or too deep ones."""
    if len(data) > MOST_BYTES:
        raise CanonicalError(f"larger than {MOST_BYTES} bytes")
    try:
        value = json.loads(data.decode(), parse_float=_no_float, parse_constant=_no_float)  # noqa: TID251 (bounded here)
    except RecursionError:
        raise CanonicalError(f"deeper than {DEEPEST} levels") from None
    except ValueError as error:
        raise CanonicalError(f"not JSON: {error}") from None
    if encode(value) != data:
        raise CanonicalError("not in canonical form (a key twice or out of order, white space, another way of writing)")
    return value


def statement(what: str, value: Any) -> bytes:
    """The bytes that are hashed or signed: the line that says what it is, then the canonical bytes."""
    return f"legation/{what}/{VERSION}\n".encode() + encode(value)


def digest(what: str, value: Any) -> str:
    """SHA-256 of a :func:`statement`, in hexadecimal."""
    return hashlib.sha256(statement(what, value)).hexdigest()


def clean_text(text: str) -> str:
    """Return a text in NFC with line feeds; CanonicalError for lone surrogates and null characters."""
    if "\x00" in text:
        raise CanonicalError("it has null characters")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise CanonicalError(f"character {error.start + 1} is half a character (a lone surrogate)") from None
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


def _refuse(value: Any, depth: int) -> None:
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return
    if kind is int:
        if not -LARGEST <= value <= LARGEST:
            raise CanonicalError("an integer of 2^53 or more")
    elif depth >= DEEPEST:
        raise CanonicalError(f"deeper than {DEEPEST} levels")
    elif kind is dict:
        for key, part in value.items():
            if type(key) is not str or not key.isascii():
                raise CanonicalError(f"a key that is not ASCII: {key!r}"[:80])
            _refuse(part, depth + 1)
    elif kind is list or kind is tuple:
        for part in value:
            _refuse(part, depth + 1)
    else:
        raise CanonicalError(f"{kind.__name__} has no canonical form")


def _no_float(text: str) -> NoReturn:
    raise CanonicalError(f"{text[:40]} is not an integer")
