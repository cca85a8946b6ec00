"""The unit that an order is for, as its text names it."""

from __future__ import annotations

import msgspec


class Subject(msgspec.Struct, frozen=True):
    """A unit as an order names it; ``kind`` and ``power`` are empty where they were not written."""

    kind: str
    at: str
    power: str = ""
