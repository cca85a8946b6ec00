"""First builds in any home, owned or not. No built-in variant uses it."""

from collections.abc import Sequence

from legation.judge import Rule, RulesError, Ruleset
from legation.judge.setting_names import PowerName
from legation.orders import Sheet
from legation.position import Phase, Position


class Mobilization(Rule):
    """In the first turn, which must be one of adjustments, each power that starts without units builds some in its
    vacant homes, whether or not it owns them.

    Settings: ``units`` (how many, 1), ``powers`` (other numbers for some powers, in addition to the units with which
    they start)."""

    key = "mobilization"

    def __init__(self, units: int = 1, powers: dict[PowerName, int] | None = None) -> None:
        self.units = units
        self.powers = powers or {}
        if units < 0 or any(number < 0 for number in self.powers.values()):
            raise RulesError("units: how many units a power may have at first, 0 or more")

    def faults(self, rules: Ruleset) -> Sequence[str]:
        if rules.first_turn().phase is Phase.ADJUSTMENTS:
            return ()
        return ["the game must open with adjustments; give the calendar such an opening"]

    def supply(self, rules: Ruleset, position: Position, power: str, sheets: Sequence[Sheet]) -> int:
        if position.turn != rules.first_turn():
            return 0
        started = sum(unit.power == power for unit in rules.start)
        number = self.powers.get(power, 0 if started else self.units)
        return started + number - len(position.centers_of(power))

    def extra_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        return rules.homes(position, power) if position.turn == rules.first_turn() else ()

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        others = "".join(f", {power} {number}" for power, number in self.powers.items())
        return (
            f"In {rules.first_turn()} a power that starts without units builds {self.units}{others}, however many "
            "centers it owns; any vacant home of its own will do, whether it owns it or not.",
        )
