"""Winning by owning home centers of other powers. No built-in variant uses it."""

from collections.abc import Sequence

from legation.judge import Ending, EndingByCenters, RulesError, Ruleset
from legation.notation import agrees, listed
from legation.position import Position


class CapturedHomes(EndingByCenters):
    """A power wins if it owns enough home centers of other powers when centers have changed hands.

    Setting: ``count`` (how many)."""

    key = "captured_homes"
    runs_after = ("solo", "solo_with_capitals")

    def __init__(self, count: int) -> None:
        if count < 1:
            raise RulesError(f"count: must be at least 1, not {count}")
        self.count = count

    def faults(self, rules: Ruleset) -> Sequence[str]:
        homes = {home for power in rules.powers.values() for home in power.homes}
        return () if self.count < len(homes) else (f"count: the board has only {len(homes)} homes",)

    def _ending(self, rules: Ruleset, before: Position, after: Position) -> Ending | None:
        taken = {power: self._taken(rules, after, power) for power in rules.played}
        best = [power for power, n in taken.items() if n >= self.count and n == max(taken.values())]
        if not best:
            return None
        number = taken[best[0]]
        named = listed(best)
        reason = f"{named} {agrees(named, 'owns', 'own')} {number} home{'' if number == 1 else 's'} of other powers"
        return Ending("solo" if len(best) == 1 else "draw", tuple(best), reason)

    def _taken(self, rules: Ruleset, position: Position, power: str) -> int:
        others = {home for other in rules.powers.values() if other.name != power for home in other.homes}
        return len(others & {*position.centers_of(power)})

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            f"A power wins if it owns {self.count} or more home centers of others after centers have changed hands. Of "
            "several such powers, the one with the most wins; if they have equally many, they share a draw.",
        )
