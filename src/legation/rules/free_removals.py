"""Units removed to build others. No built-in variant uses it."""

from legation.judge import Rule, Ruleset
from legation.position import Position


class FreeRemovals(Rule):
    """In adjustments a power can remove units that it doesn't have to remove, and build others instead."""

    key = "free_removals"

    def frees_units(self, rules: Ruleset, position: Position, power: str) -> bool:
        return True

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "In adjustments a power may remove any of its units, whether it has to or not, and build as many more; a "
            "province from which a unit was removed stays vacant until the next adjustments.",
        )
