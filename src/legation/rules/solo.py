"""Winning by centers (STD-6, H3-5b, K-12)."""

from collections import Counter
from collections.abc import Mapping, Sequence

from legation.judge import DenseForm, Ending, EndingByCenters, Ruleset
from legation.judge.setting_names import PowerName
from legation.notation import listed
from legation.position import Position


class Solo(EndingByCenters):
    """A power wins if it owns enough centers when they have changed hands.

    Settings: ``centers`` (how many), ``powers`` (other numbers for some powers). If several powers reach their number,
    the one furthest above it wins; an exact tie is a draw between them (K-12)."""

    key = "solo"

    def __init__(self, centers: int, powers: dict[PowerName, int] | None = None) -> None:
        self.centers = centers
        self.marks = powers or {}

    def faults(self, rules: Ruleset) -> Sequence[str]:
        there = len(rules.board.centers)
        strange = [mark for mark in (self.centers, *self.marks.values()) if not 1 <= mark <= there]
        return [f"centers: {mark} isn't a mark on a board of {there} centers" for mark in strange]

    def _mark(self, power: str) -> int:
        return self.marks.get(power, self.centers)

    def _ending(self, rules: Ruleset, before: Position, after: Position) -> Ending | None:
        above: dict[str, int] = {}
        owned = Counter(after.owners.values())
        for power in rules.played:
            margin = owned[power] - self._mark(power)
            if margin >= 0:
                above[power] = margin
        if not above:
            return None
        best = [p for p, margin in above.items() if margin == max(above.values())]
        reason = " and ".join(f"{rules.powers[p].called} reached {self._mark(p)} centers" for p in best)
        return Ending("solo" if len(best) == 1 else "draw", tuple(best), reason)

    def dense(self, rules: Ruleset) -> DenseForm:
        return DenseForm(marks={power: self._mark(power) for power in rules.powers})

    def basics(self, rules: Ruleset) -> Mapping[str, str]:
        some = ", or the number that the rules below give it," if self.marks else ""
        return {
            "winning": f"A power wins if it owns at least {_centers(self.centers)}{some} after they have changed hands."
        }

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        text = [f"A power wins if it owns at least {_centers(self.centers)} after centers have changed hands."]
        if self.marks:
            by_mark: dict[int, list[str]] = {}
            for power in rules.powers:
                by_mark.setdefault(self._mark(power), []).append(power)
            each = "; ".join(f"{mark} for {listed(powers)}" for mark, powers in sorted(by_mark.items()))
            text = [f"A power wins if it owns enough centers after they have changed hands: {each}."]
        marks = sorted(self._mark(power) for power in rules.powers)[:2]
        if sum(marks) <= len(rules.board.centers):  # where that is more than all centers, only one can be at its mark
            text.append(
                "Decided: if several powers reach their number, the one furthest above it wins; an exact tie is a draw "
                "between them."
            )
        return tuple(text)


def _centers(number: int) -> str:
    return "1 center" if number == 1 else f"{number} centers"
