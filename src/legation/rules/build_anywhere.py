"""Builds in any owned center (H3-7, W-4)."""

from collections.abc import Mapping

from legation.judge import DenseForm, Rule, Ruleset
from legation.position import Position


class BuildAnywhere(Rule):
    """There are no fixed home centers: a power can build in every vacant center that it owns."""

    key = "build_anywhere"
    replaces = frozenset({"homes"})

    def homes(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        return position.centers_of(power)

    def build_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        return position.centers_of(power)

    def dense(self, rules: Ruleset) -> DenseForm | None:
        """None where removals count from homes, which here are the centers of the moment."""
        return None if rules.options["civil_disorder"] in ("2000", "1971") else DenseForm()

    def basics(self, rules: Ruleset) -> Mapping[str, str]:
        return {"home": "centers"}

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return ("A power builds in any vacant center that it owns; there are no home centers.",)
