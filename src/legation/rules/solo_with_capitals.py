"""Winning with a capital of every kingdom (W-6)."""

from collections.abc import Mapping, Sequence

from legation.board.capitals import capitals, kingdom_faults, names
from legation.judge import DenseForm, Ending, EndingByCenters, Ruleset
from legation.notation import listed
from legation.position import Position


class SoloWithCapitals(EndingByCenters):
    """A power wins if it owns enough centers, and at least one capital in each kingdom, when centers have changed
    hands.

    Settings: ``centers`` (how many), ``kingdoms`` (names of regions; by default every region with a capital)."""

    key = "solo_with_capitals"

    def __init__(self, centers: int, kingdoms: list[str] | None = None) -> None:
        self.centers = centers
        self.kingdoms = kingdoms

    def faults(self, rules: Ruleset) -> Sequence[str]:
        there = len(rules.board.centers)
        if not 1 <= self.centers <= there:
            mark = f"centers: {self.centers} isn't a mark on a board of {there} centers"
            return [mark, *kingdom_faults(rules.board, self.kingdoms)]
        return kingdom_faults(rules.board, self.kingdoms)

    def _ending(self, rules: Ruleset, before: Position, after: Position) -> Ending | None:
        seats = capitals(rules.board, self.kingdoms).values()
        count: dict[str, int] = {}
        for power in rules.powers:
            owned = after.centers_of(power)
            if len(owned) >= self.centers and all(any(s in owned for s in of_one) for of_one in seats):
                count[power] = len(owned)
        if not count:
            return None
        best = tuple(p for p, owned in count.items() if owned == max(count.values()))
        winners = listed([rules.powers[power].called for power in best])
        reason = f"{winners} reached {count[best[0]]} centers with a capital of every kingdom"
        return Ending("solo" if len(best) == 1 else "draw", best, reason)

    def dense(self, rules: Ruleset) -> DenseForm:
        return DenseForm(
            marks=dict.fromkeys(rules.powers, self.centers),
            capitals=tuple(capitals(rules.board, self.kingdoms).values()),
        )

    def basics(self, rules: Ruleset) -> Mapping[str, str]:
        return {
            "winning": f"A power wins if it owns at least {self.centers} centers and a capital of every kingdom after "
            "centers have changed hands."
        }

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        seats = capitals(rules.board, self.kingdoms)
        each = "; ".join(
            f"{names(rules.board, of_one, 'or')} in {kingdom}" for kingdom, of_one in sorted(seats.items())
        )
        return (
            f"A power wins if it owns at least {self.centers} centers and a capital of every kingdom ({each}).",
            "Decided: this is checked as soon as centers have changed hands, before adjustments. If several powers "
            "have that many, the one with the most centers wins; if they have equally many, they share a draw.",
        )
