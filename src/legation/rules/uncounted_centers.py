"""Centers that don't count for some powers. No built-in variant uses it."""

from collections.abc import Mapping, Sequence

from legation.judge import Rule, Ruleset
from legation.judge.setting_names import CenterId, PowerName
from legation.notation import possessive
from legation.orders import Sheet
from legation.position import Position


class UncountedCenters(Rule):
    """Some centers don't count for a power's units, though it can own them.

    Setting: ``centers`` (by power, these centers)."""

    key = "uncounted_centers"

    def __init__(self, centers: dict[PowerName, list[CenterId]]) -> None:
        self.centers = centers

    def faults(self, rules: Ruleset) -> Sequence[str]:
        return () if self.centers else ["centers: names at least one power"]

    def supply(self, rules: Ruleset, position: Position, power: str, sheets: Sequence[Sheet]) -> int:
        return -sum(position.owners.get(center) == power for center in self.centers.get(power, ()))

    def basics(self, rules: Ruleset) -> Mapping[str, str]:
        return {
            "supply": "Supply centers are what the game is about: each that a power owns pays for one unit, but for "
            "those that the rules below leave out."
        }

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return tuple(
            f"{' and '.join(rules.board.provinces[key].name for key in keys)} {'does' if len(keys) == 1 else 'do'} not "
            f"count for {possessive(power)} units."
            for power, keys in self.centers.items()
        )
