"""How games end."""

from __future__ import annotations

import msgspec


class Ending(msgspec.Struct, frozen=True):
    """How a game ended: ``solo``, ``draw`` or ``ranking`` (best first), for whom, and by which rule."""

    kind: str
    powers: tuple[str, ...]
    reason: str
    tied: tuple[tuple[str, ...], ...] = ()
    """Those of a ranking that share a place, together."""
