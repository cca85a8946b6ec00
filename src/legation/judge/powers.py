"""The powers of a variant: their names and their homes."""

from __future__ import annotations

import msgspec

from legation.notation.names import called


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

    @property
    def called(self) -> str:
        """Its name within a sentence, with the article where it has one: ``France``, ``the Franks``, ``the Crown``."""
        return called(self.name, self.aliases)

    def name_in(self, language: str) -> str:
        """Its name in a language; its own where it has none in it."""
        return dict(self.names).get(language, self.name)
