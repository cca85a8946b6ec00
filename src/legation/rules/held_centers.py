"""Winning by owning certain centers. No built-in variant uses it."""

from collections.abc import Sequence

from legation.judge import Ending, EndingByCenters, RulesError, Ruleset
from legation.judge.setting_names import CenterId
from legation.position import Position


class HeldCenters(EndingByCenters):
    """A power wins if it owns certain centers when centers have changed hands.

    Settings: ``centers``, ``least`` (how many centers it must own in all), ``from_year`` (the first year in which this
    wins). With ``solo`` it's a second way to win."""

    key = "held_centers"
    runs_after = ("solo", "solo_with_capitals")

    def __init__(self, centers: list[CenterId], least: int = 0, from_year: int = 0) -> None:
        if not centers or least < 0 or from_year < 0:
            raise RulesError("names at least one of the centers; least and from_year are 0 or more")
        self.centers = centers
        self.least = least
        self.from_year = from_year

    def faults(self, rules: Ruleset) -> Sequence[str]:
        there = len(rules.board.centers)
        return [f"least: there are only {there} centers"] if self.least > there else ()

    def _ending(self, rules: Ruleset, before: Position, after: Position) -> Ending | None:
        if before.turn.year < self.from_year:
            return None
        for power in rules.played:
            owned = {*after.centers_of(power)}
            if owned.issuperset(self.centers) and len(owned) >= self.least:
                names = " and ".join(rules.board.provinces[key].name for key in self.centers)
                return Ending("solo", (power,), f"{rules.named(power)} {rules.named(power):owns|own} {names}")
        return None

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        names = " and ".join(rules.board.provinces[key].name for key in self.centers)
        least = f", and at least {self.least} centers in all," if self.least else ""
        since = f", from {self.from_year} on" if self.from_year else ""
        return (f"A power wins if it owns {names}{least} after centers have changed hands{since}.",)
