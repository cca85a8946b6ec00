"""The powers of a variant: their names and their homes."""

import msgspec

from legation.notation.names import agrees, called, possessive


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

    @property
    def whose(self) -> str:
        """Its possessive within a sentence: ``France's``, ``the Franks'``, ``the British``."""
        return possessive(self.called)

    def __format__(self, forms: str) -> str:
        """Return its name within a sentence; with ``forms`` the form of the verb that goes with it: ``is|are``."""
        return agrees(self.name, *forms.split("|")) if forms else self.called

    def name_in(self, language: str) -> str:
        """Return its name in a language; if it has none there, its usual name."""
        return dict(self.names).get(language, self.name)
