"""Times in a document of another office: no game has those with which nothing can be counted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated

import msgspec

Moment = Annotated[datetime, msgspec.Meta(tz=True)]
FIRST, LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)


def time_faults(value: object, place: str = "") -> Iterator[str]:
    """Find the times in a record that no game can have, each with its place (``turns[2].opened``): near the ends of the
    calendar, where another zone or one more day is none that there is."""
    if isinstance(value, datetime):
        if not FIRST <= value < LAST:
            yield f"{place}: must be in the years from {FIRST.year} to {LAST.year - 1}"
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from time_faults(getattr(value, field), f"{place}.{field}" if place else field)
    elif isinstance(value, tuple):
        for number, entry in enumerate(value):
            yield from time_faults(entry, f"{place}[{number}]")
