"""The kinds of unit: army, fleet, and those that rules add."""

import msgspec

from legation.board import Travel


class UnitKind(msgspec.Struct, frozen=True):
    """A kind of unit: how it travels, its strength in every role, what it costs in centers, and its part in convoys."""

    code: str
    name: str
    travel: Travel
    strength: int = 1
    cost: int = 1
    convoys: bool = False
    convoyed: bool = False
    symbol: str = ""
    """Its symbol as SVG, within 10 units of the origin; empty for a default one."""
    also: tuple[str, ...] = ()
    """Other names that players use for it, in lower case."""

    @property
    def one(self) -> str:
        """``an army``, ``a fleet``."""
        return f"{'an' if self.name[:1] in 'aeiou' else 'a'} {self.name}"


ARMY_KIND = UnitKind("A", "army", "army", convoyed=True)
FLEET_KIND = UnitKind("F", "fleet", "fleet", convoys=True)
