"""Powers that nobody orders: neutral units and dummies. No variant that ships has them; many boards of others are
played so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from legation.judge import Rule
from legation.position import Phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from legation.judge import Aftermath, Ruleset
    from legation.orders import Sheet
    from legation.position import Position


class PassivePowers(Rule):
    """The units of the ``powers`` only hold: they may be supported, are destroyed when dislodged, and none are built or
    removed. These powers have no voice in draws and cannot win.

    With ``rebuilt``, what stood in a center at the start comes again when adjustments are over, if the center is vacant
    and belongs to nobody or to that power.
    """

    key = "passive_powers"

    def __init__(self, powers: list[str], rebuilt: bool = False) -> None:
        self.powers = powers
        self.rebuilt = rebuilt

    def faults(self, rules: Ruleset) -> Sequence[str]:
        faults = [f"powers: there is no power {power!r}" for power in self.powers if power not in rules.powers]
        if not self.powers:
            faults.append("powers: names at least one power")
        elif not faults and len(set(self.powers)) == len(rules.powers):
            faults.append("powers: names every power; somebody must play")
        return faults

    def nobody_plays(self, rules: Ruleset) -> Iterable[str]:
        return self.powers

    def refuses_orders(self, rules: Ruleset, position: Position, power: str) -> str | None:
        return f"nobody plays {power}: its units hold" if power in self.powers else None

    def supply(self, rules: Ruleset, position: Position, power: str, sheets: Sequence[Sheet]) -> int:
        """As many units as there are."""
        if power not in self.powers:
            return 0
        return len(position.units_of(power)) - len(position.centers_of(power))

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        """Bring back what stood in centers that nobody else owns."""
        if not self.rebuilt or aftermath.before.turn.phase is not Phase.ADJUSTMENTS:
            return
        taken = {unit.province for unit in aftermath.units}
        centers = {*rules.board.centers}
        for unit in rules.start:
            if unit.power not in self.powers or unit.province not in centers - taken:
                continue
            if aftermath.before.owners.get(unit.province) in (None, unit.power):
                aftermath.units.append(unit)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        names = " and ".join(self.powers)
        text = [
            f"Nobody plays {names}: such units hold, may be supported, and are destroyed when dislodged. They are "
            "neither built nor removed. Draws need no vote of theirs, and they cannot win."
        ]
        if self.rebuilt:
            text.append(
                "When adjustments are over, a unit that stood in a center at the start comes again, if the center is "
                "vacant and belongs to nobody else."
            )
        return tuple(text)
