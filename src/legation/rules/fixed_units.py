"""Units that never move. No built-in variant uses it."""

from collections.abc import Sequence

from legation.judge import Rule, Ruleset
from legation.judge.setting_names import ProvinceId
from legation.position import Position, Unit


class FixedUnits(Rule):
    """Units in some provinces never move: they hold, support and convoy. If dislodged, they retreat like any other.

    Settings: ``provinces``, ``kept`` (these units are never removed in adjustments either)."""

    key = "fixed_units"
    added_settings = frozenset(["kept"])

    def __init__(self, provinces: list[ProvinceId], kept: bool = False) -> None:
        self.provinces = provinces
        self.kept = kept

    def faults(self, rules: Ruleset) -> Sequence[str]:
        return () if self.provinces else ["provinces: names none"]

    def refuses_departure(self, rules: Ruleset, position: Position, unit: Unit) -> str | None:
        if unit.province in self.provinces:
            return f"a unit in {rules.board.provinces[unit.province].name} never moves"
        return None

    def refuses_removal(self, rules: Ruleset, position: Position, unit: Unit) -> str | None:
        if self.kept and unit.province in self.provinces:
            return f"a unit in {rules.board.provinces[unit.province].name} is never removed"
        return None

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        names = " or ".join(rules.board.provinces[key].name for key in self.provinces)
        kept = (f"A unit in {names} is never removed in adjustments.",) if self.kept else ()
        return (
            f"A unit in {names} never moves; it holds, supports and convoys. Dislodged, it retreats as any other.",
            *kept,
        )
