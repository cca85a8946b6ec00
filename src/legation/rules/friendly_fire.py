"""Attacks on units of one's own power. No built-in variant uses it."""

from collections.abc import Mapping

from legation.judge import Matching, Rule, Ruleset


class FriendlyFire(Rule):
    """A unit can dislodge units of its own power and cut their support, and is held off by them, as if they were
    another power's."""

    key = "friendly_fire"

    def match(self, rules: Ruleset, matching: Matching) -> None:
        matching.part_powers()

    def basics(self, rules: Ruleset) -> Mapping[str, str]:
        return {"own units": "", "own attacks": ""}

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "A unit may dislodge a unit of its own power and cut its support, and support counts against a unit of the "
            "supporter's own power.",
        )
