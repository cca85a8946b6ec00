"""JSON read so that nothing in it is lost: of two equal keys in one object, decoders keep the later and say nothing."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from legation.game.reading_documents import DocumentError

_decode = msgspec.json.Decoder().decode
_SPACED_KEY = re.compile(rb'"\s+:')


def decode(data: bytes) -> object:
    """A JSON document.

    :raises DocumentError: where an object has a key twice.
    :raises msgspec.DecodeError: as msgspec does.
    """
    document = _decode(data)
    keys = _count_keys(document)
    # a key that is lost leaves its colon; where texts have colons, too, those behind quotation marks are counted
    if data.count(b":") > keys and data.count(b'":') + len(_SPACED_KEY.findall(data)) > keys:
        json.loads(data, object_pairs_hook=_single_keys)
    return document


def _count_keys(value: object) -> int:
    count = 0
    if type(value) is dict:
        count = len(value)
        value = value.values()
    elif type(value) is not list:
        return 0
    for part in value:
        if type(part) is dict or type(part) is list:
            count += _count_keys(part)
    return count


def _single_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in entries if names.count(name) > 1)
        raise DocumentError([f"{twice[:60]!r} is in one object twice; combine its values"])
    return entries
