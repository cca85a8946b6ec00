"""The protocol for writing out places, units and kinds in an order's sentence."""

from typing import Protocol


class Phrases(Protocol):
    """How places, units and kinds are written out in sentences."""

    def place(self, location: str) -> str:
        """``Spain (south coast)``."""

    def unit(self, kind: str, at: str) -> str:
        """``Army Paris``."""

    def kind(self, code: str) -> str:
        """``army``."""
