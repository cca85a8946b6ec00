"""The powers of a variant: their names and their homes."""

from __future__ import annotations

import msgspec

from legation.notation.names import called


class Power(msgspec.Struct, frozen=True):
    """A power: its name, adjective, further names, home centers, and its homeland (all provinces inside its home
    borders) if the variant has one."""

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
        """Return its name in a language; if it has none there, its usual name."""
        return dict(self.names).get(language, self.name)
