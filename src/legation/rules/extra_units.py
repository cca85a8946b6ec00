"""More units than centers: reserves, militia and garrison. No built-in variant uses it."""

from collections.abc import Sequence

from legation.judge import Rule, RulesError, Ruleset
from legation.judge.setting_names import PowerName
from legation.orders import Sheet
from legation.position import Phase, Position


class ExtraUnits(Rule):
    """A power can have more units than centers.

    Settings: ``reserves`` (by power, how many more while it owns one of its homes), ``militia`` (powers that can have
    one more for each unit on a home of their own), ``garrison`` (a power that owns nothing can have one unit if no
    other power's unit stands on any of its homes; it's built in a home that the power doesn't own)."""

    key = "extra_units"

    def __init__(
        self,
        reserves: dict[PowerName, int] | None = None,
        militia: list[PowerName] | None = None,
        garrison: bool = False,
    ) -> None:
        self.reserves = reserves or {}
        self.militia = militia or []
        self.garrison = garrison
        if any(number < 1 for number in self.reserves.values()):
            raise RulesError("reserves: each is at least 1")
        if not (self.reserves or self.militia or self.garrison):
            raise RulesError("give reserves, militia or garrison = true")

    def supply(self, rules: Ruleset, position: Position, power: str, sheets: Sequence[Sheet]) -> int:
        homes = {*rules.powers[power].homes}
        more = 0
        if power in self.reserves and homes & {*position.centers_of(power)}:
            more += self.reserves[power]
        if power in self.militia:
            more += sum(unit.province in homes for unit in position.units_of(power))
        return more + self._returns(rules, position, power)

    def _returns(self, rules: Ruleset, position: Position, power: str) -> bool:
        homes = {*rules.powers[power].homes}
        if not self.garrison or power in position.owners.values() or not homes:
            return False
        return not any(unit.province in homes for unit in position.units if unit.power != power)

    def extra_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        if position.turn.phase is not Phase.ADJUSTMENTS or not self._returns(rules, position, power):
            return ()
        return rules.powers[power].homes

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        text = [
            f"{power} may have {number} more than it has centers, while it owns one of its homes."
            for power, number in self.reserves.items()
        ]
        if self.militia:
            text.append(
                f"{' and '.join(self.militia)} may have one more for each unit that stands on a home of its own."
            )
        if self.garrison:
            text.append(
                "A power that owns nothing may build one unit in one of its homes, if no unit of another stands on any "
                "of them."
            )
        return tuple(text)
