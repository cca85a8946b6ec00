"""Winning by entering a province. No built-in variant uses it."""

from collections.abc import Sequence

from legation.judge import Ending, Rule, Ruleset
from legation.judge.setting_names import PowerName, ProvinceId
from legation.notation import listed
from legation.position import Phase, Position


class EnteredProvinces(Rule):
    """A power wins if a unit of its own stands in one of certain provinces after movement. Several powers that do so in
    the same turn share a draw.

    Setting: ``provinces`` (by power, these provinces)."""

    key = "entered_provinces"
    runs_after = ("solo", "solo_with_capitals")

    def __init__(self, provinces: dict[PowerName, list[ProvinceId]]) -> None:
        self.provinces = provinces

    def faults(self, rules: Ruleset) -> Sequence[str]:
        return () if any(self.provinces.values()) else ["provinces: names none"]

    def ending(
        self, rules: Ruleset, before: Position, after: Position, votes: frozenset[str], settled: bool
    ) -> Ending | None:
        if before.turn.phase is not Phase.MOVEMENT:
            return None
        there = [
            power
            for power, keys in self.provinces.items()
            if any(unit.power == power and unit.province in keys for unit in after.units)
        ]
        if not there:
            return None
        return Ending(
            "solo" if len(there) == 1 else "draw", tuple(there), f"{listed(there)} entered a winning province"
        )

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return tuple(
            f"{power} wins when a unit of its own comes to {' or '.join(rules.board.provinces[k].name for k in keys)}; "
            "powers that come there in one turn share a draw."
            for power, keys in self.provinces.items()
        )
