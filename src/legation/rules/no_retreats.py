"""Dislodged units are destroyed. No built-in variant uses it."""

from collections.abc import Mapping

from legation.judge import Aftermath, Rule, Ruleset


class NoRetreats(Rule):
    """A dislodged unit is destroyed at once: there are no retreats."""

    key = "no_retreats"

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        aftermath.dislodged = []
        aftermath.retreats = {}

    def basics(self, rules: Ruleset) -> Mapping[str, str]:
        return {"retreats": "A unit that is dislodged is destroyed."}

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return ("A dislodged unit is destroyed; there are no retreats.",)
