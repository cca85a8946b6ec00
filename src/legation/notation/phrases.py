"""How places, units and kinds are written out: what an order's sentence asks of whoever knows the game's names."""

from __future__ import annotations

from typing import Protocol


class Phrases(Protocol):
    """How places, units and kinds are written out in sentences."""

    def place(self, location: str) -> str:
        """``Spain (south coast)``."""

    def unit(self, kind: str, at: str) -> str:
        """``Army Paris``."""

    def kind(self, code: str) -> str:
        """``army``."""
