"""JSON read so that nothing in it is lost: of two equal keys in one object, decoders keep the later and say nothing."""

import json
from collections import Counter
from typing import Any

import msgspec

from legation.formats import decode_json
from legation.game.reading_documents import DocumentError


def decode(data: bytes) -> object:
    """A JSON document.

    :raises DocumentError: where an object has a key twice.
    :raises msgspec.DecodeError: where it is none."""
    document = decode_json(data)
    if _count_entries(document) == data.count(b":"):  # every key has its colon, so that none was lost
        return document
    try:
        json.loads(data, object_pairs_hook=_single_keys)  # noqa: TID251 (it was read within bounds already)
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None
    return document


def _count_entries(document: object) -> int:
    """Return how many entries the objects of a document have together; lists that don't begin with one are left out."""
    count = 0
    values = [document]
    for value in values:
        if type(value) is dict:
            count += len(value)
            values += value.values()
        elif type(value) is list and value and type(value[0]) is dict:
            values += value
    return count


def _single_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise DocumentError([f"{twice[:60]!r} is in one object twice; combine its values"])
    return entries
