"""JSON read so that nothing in it is lost: of two equal keys in one object, decoders keep the later and say nothing."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from legation.formats import decode_json
from legation.game.reading_documents import DocumentError

_SPACED_KEY = re.compile(rb'"\s+:')


def decode(data: bytes) -> object:
    """A JSON document.

    :raises DocumentError: where an object has a key twice.
    :raises msgspec.DecodeError: where it is none."""
    document = decode_json(data)
    objects, keys = _count(document)
    if data.count(b"{") > objects:  # some in lists, or braces in texts
        keys += _count_in_lists(document)
    # a key that is lost leaves its colon; where texts have colons, too, those behind quotation marks are counted
    if data.count(b":") > keys and data.count(b'":') + len(_SPACED_KEY.findall(data)) > keys:
        json.loads(data, object_pairs_hook=_single_keys)  # noqa: TID251 (it was read within bounds already)
    return document


def _count(value: object) -> tuple[int, int]:
    """How many objects there are outside lists, and how many keys they have."""
    if type(value) is not dict:
        return 0, 0
    objects, keys = 1, len(value)
    for part in value.values():
        if type(part) is dict:
            more = _count(part)
            objects, keys = objects + more[0], keys + more[1]
    return objects, keys


def _count_in_lists(value: object) -> int:
    """How many keys the objects in lists have."""
    if type(value) is dict:
        return sum(_count_in_lists(part) for part in value.values() if type(part) is dict or type(part) is list)
    count = 0
    for part in value if type(value) is list else ():
        if type(part) is dict or type(part) is list:
            count += _count(part)[1] + _count_in_lists(part)
    return count


def _single_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise DocumentError([f"{twice[:60]!r} is in one object twice; combine its values"])
    return entries
