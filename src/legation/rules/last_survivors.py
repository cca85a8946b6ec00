"""The end of a game when few powers are left (K-12e)."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from legation.judge import DenseForm, Ending, EndingByCenters, Ruleset
from legation.notation import listed
from legation.position import Position


class LastSurvivors(EndingByCenters):
    """When only a few powers still own centers after these have changed hands, the game ends and they are ranked by
    size.

    Setting: ``count`` (how many)."""

    key = "last_survivors"
    runs_after = ("solo", "solo_with_capitals")  # who has won is not ranked

    def __init__(self, count: int) -> None:
        self.count = count

    def faults(self, rules: Ruleset) -> Sequence[str]:
        if 1 <= self.count < len(rules.powers):
            return ()
        return (f"count: must be from 1 to {len(rules.powers) - 1}, fewer than the powers, not {self.count}",)

    def _ending(self, rules: Ruleset, before: Position, after: Position) -> Ending | None:
        sizes = {power: len(after.centers_of(power)) for power in rules.powers}
        left = [power for power, size in sizes.items() if size]
        if not 0 < len(left) <= self.count or len(left) == len(rules.powers):
            return None
        size = {power: (sizes[power], rules.size(after, power)) for power in left}
        ranked = sorted(left, key=lambda power: size[power], reverse=True)
        places = [(of, list(powers)) for of, powers in groupby(ranked, size.__getitem__)]
        centers = Counter(of[0] for of, _ in places)
        shown = [
            f"{listed([rules.powers[p].called for p in powers])} with {_size(*of, told=centers[of[0]] > 1)}"
            for of, powers in places
        ]
        tied = tuple(tuple(powers) for _, powers in places if len(powers) > 1)
        number = len(left)
        survive = f"only {number} {'power survives' if number == 1 else 'powers survive'}"
        return Ending("ranking", tuple(ranked), f"{survive}: {', '.join(shown)}", tied)

    def dense(self, rules: Ruleset) -> DenseForm:
        return DenseForm(survivors=self.count)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            f"When only {self.count} {'power survives' if self.count == 1 else 'powers survive'}, the game ends and "
            "they are ranked by size.",
            "Decided: size is centers, then units; powers equal in both share their place. A power survives while it "
            "owns a center.",
        )


def _size(centers: int, units: int, *, told: bool) -> str:
    """``3 centers``; ``told``: ``3 centers and 2 units``, where the units decide."""
    owned = f"{centers} center{'' if centers == 1 else 's'}"
    return f"{owned} and {units} unit{'' if units == 1 else 's'}" if told else owned
