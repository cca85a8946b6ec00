"""Builds that others see only after the next movement. No built-in variant uses it."""

from typing import Any

from legation.judge import Aftermath, Rule, Ruleset
from legation.judge.setting_names import ProvinceId
from legation.judge.slices import PROVINCE
from legation.position import Phase, Position, Unit


class HiddenBuilds(Rule):
    """Only its own power sees a new unit until the next movement is over.

    Setting: ``provinces`` (where; everywhere by default). The slice ``hidden_builds`` lists the provinces of such
    units."""

    key = "hidden_builds"
    slice_form = (PROVINCE,)
    slice_told = "lists the provinces of units whose build is hidden"
    runs_after = ("disorder", "default_builds")  # what is built by lot is hidden, too
    added_settings = frozenset(["provinces"])

    def __init__(self, provinces: list[ProvinceId] | None = None) -> None:
        self.provinces = provinces or []

    def visible_provinces(self, rules: Ruleset, position: Position, power: str) -> frozenset[str]:
        return frozenset(rules.board.provinces)

    def hides_unit(self, rules: Ruleset, position: Position, power: str, unit: Unit) -> bool:
        return unit.province in self._kept(position)

    def redact_slice(self, rules: Ruleset, kept: Any, power: str, sees: frozenset[str]) -> Any:
        return []

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        phase = aftermath.before.turn.phase
        if phase is Phase.MOVEMENT:
            aftermath.slices.pop(self.key, None)
        elif phase is Phase.ADJUSTMENTS:
            stood = {unit.province for unit in aftermath.before.units}
            built = sorted(unit.province for unit in aftermath.units if unit.province not in stood)
            built = [province for province in built if not self.provinces or province in self.provinces]
            if built:
                aftermath.slices[self.key] = built

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        names = " or ".join(rules.board.provinces[key].name for key in self.provinces)
        there = f" in {names}" if names else ""
        return (f"What was built{there} is seen by its own power alone, until the next movement turn is over.",)
