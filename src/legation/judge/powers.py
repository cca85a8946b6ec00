"""The powers of a variant: their names and their homes."""

from __future__ import annotations

import msgspec


class Power(msgspec.Struct, frozen=True):
    """A power: its name, adjective, further names, its home centers and its homeland (all provinces inside its home
    borders) where the variant has such."""

    name: str
    adjective: str = ""
    aliases: tuple[str, ...] = ()
    homes: tuple[str, ...] = ()
    homeland: tuple[str, ...] = ()
    color: str = ""
    names: tuple[tuple[str, str], ...] = ()
    """Its names in other languages: (tag, name)."""

    def name_in(self, language: str) -> str:
        """Its name in a language; its own where it has none in it."""
        return dict(self.names).get(language, self.name)
