"""A power without centers keeps one unit (W-5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from legation.judge import Module

if TYPE_CHECKING:
    from legation.judge import Ruleset
    from legation.position import Position


class Mercy(Module):
    """The unit limit of a power that owns no center is at least one unit, as long as it has one."""

    key = "mercy"

    def least(self, rules: Ruleset, position: Position, power: str) -> int:
        if power in position.owners.values():
            return 0
        units = [*position.units_of(power), *(d.unit for d in position.dislodged if d.unit.power == power)]
        return min((rules.kinds[u.kind].cost for u in units), default=0)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "A power that has lost its last center keeps one unit. Once destroyed it is not replaced, and the power is out of the game; the first center that it takes pays "
            "for that unit, and only a second allows a build.",
            "Decided: mercy is for powers that own no center. One that gives away the supply of all its centers has no claim to it.",
        )
