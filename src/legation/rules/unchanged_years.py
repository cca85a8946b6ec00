"""The end of a game in which no center changes hands. No built-in variant uses it."""

from typing import Any

from legation.frozen import Frozen
from legation.judge import Ending, EndingByCenters, RulesError, Ruleset
from legation.judge.slices import CENTER, COUNT, POWER
from legation.position import Position


class UnchangedYears(EndingByCenters):
    """The game is a draw of the survivors if no center has changed its owner for some years, counted each time centers
    change hands.

    Setting: ``years`` (how many)."""

    key = "unchanged_years"
    slice_form = Frozen({"years": COUNT, "owners": {CENTER: POWER}})
    slice_told = "has the years without a change, and the owners of centers when they last changed hands"
    runs_after = ("solo", "solo_with_capitals", "last_survivors", "draw_by_vote")  # any other ending comes first

    def __init__(self, years: int) -> None:
        if years < 1:
            raise RulesError(f"years: must be at least 1, not {years}")
        self.years = years

    def opening(self, rules: Ruleset, position: Position) -> Position:
        return self._with(position, 0)

    def _with(self, position: Position, years: int) -> Position:
        kept = {"years": years, "owners": dict(sorted(position.owners.items()))}
        return self._with_kept(position, kept)

    def settle(self, rules: Ruleset, position: Position) -> Position:
        kept = position.slices.get(self.key)
        same = kept is not None and kept["owners"] == position.owners
        return self._with(position, kept["years"] + 1 if kept is not None and same else 0)

    def redact_slice(self, rules: Ruleset, kept: Any, power: str, sees: frozenset[str]) -> Any:
        """In fog, who owns what is told by what is seen alone."""
        return {"years": kept["years"], "owners": {c: p for c, p in kept["owners"].items() if c in sees or p == power}}

    def _ending(self, rules: Ruleset, before: Position, after: Position) -> Ending | None:
        if self._kept(after).get("years", 0) < self.years:
            return None
        survivors = tuple(p for p in rules.played if p in after.survivors())
        return Ending("draw", survivors, f"no center has changed its owner for {self.years} years")

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        years = "a year" if self.years == 1 else f"{self.years} years"
        return (f"When no center has changed its owner for {years} the game is a draw of all surviving powers.",)
