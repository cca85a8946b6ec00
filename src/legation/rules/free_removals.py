"""Units that are given up for others. No variant that ships has it; other systems have it as an option."""

from __future__ import annotations

from typing import TYPE_CHECKING

from legation.judge import Rule

if TYPE_CHECKING:
    from legation.judge import Ruleset
    from legation.position import Position


class FreeRemovals(Rule):
    """A power may remove units in adjustments that need not go, and build others in their stead."""

    key = "free_removals"

    def frees_units(self, rules: Ruleset, position: Position, power: str) -> bool:
        return True

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "In adjustments a power may remove any of its units, whether it has to or not, and build as many more; a "
            "province from which a unit was removed stays vacant until the next adjustments.",
        )
