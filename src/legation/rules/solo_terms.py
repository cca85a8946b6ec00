"""Winning by centers on further terms: a number for each year, several years in a row, a shared win, a lead, allies. No
built-in variant uses it."""

from collections.abc import Mapping, Sequence

from legation.frozen import Frozen
from legation.judge import Ending, EndingByCenters, RulesError, Ruleset
from legation.judge.setting_names import CenterId, PowerName
from legation.judge.slices import COUNT, POWER
from legation.notation import agrees, listed
from legation.position import Position


class SoloTerms(EndingByCenters):
    """A power wins if it owns enough centers when they have changed hands, on further terms.

    Settings: ``centers`` (how many: in the first year of the game, the second, and so on; the last number holds from
    then on), ``hold`` (for how many years in a row), ``shared`` (all that reach the number share the win; otherwise the
    one with the most wins, and if they have equally many the game goes on), ``lead`` (a year: a lead over the second
    that is greater than that year minus the current one also wins), ``allies`` (by power, those whose centers count for
    it), ``counted`` (only these centers count)."""

    key = "solo_terms"
    slice_form = Frozen({POWER: COUNT})
    slice_told = "is the number of years by power for which it has had the centers to win"
    added_settings = frozenset(["counted"])

    def __init__(
        self,
        centers: list[int],
        hold: int = 1,
        shared: bool = False,
        lead: int = 0,
        allies: dict[PowerName, list[PowerName]] | None = None,
        counted: list[CenterId] | None = None,
    ) -> None:
        if not centers or min(centers) < 1 or hold < 1 or lead < 0:
            raise RulesError("names numbers of centers from 1 on, by year; hold is 1 or more, lead a year")
        self.centers = centers
        self.hold = hold
        self.shared = shared
        self.lead = lead
        self.allies = allies or {}
        self.counted = counted

    def faults(self, rules: Ruleset) -> Sequence[str]:
        there = len(rules.board.centers if self.counted is None else self.counted)
        return [f"centers: {n} isn't a mark on a board of {there} centers" for n in self.centers if n > there]

    def _mark(self, rules: Ruleset, year: int) -> int:
        return self.centers[max(0, min(year - rules.first_turn().year, len(self.centers) - 1))]

    def _owned(self, position: Position, power: str) -> int:
        owners = {power, *self.allies.get(power, ())}
        counted = self.counted
        return sum(o in owners and (counted is None or c in counted) for c, o in position.owners.items())

    def settle(self, rules: Ruleset, position: Position) -> Position:
        """Count for how many years each power has had the number."""
        if self.hold == 1:
            return position
        before = self._kept(position)
        mark = self._mark(rules, position.turn.year)
        held = {p: before.get(p, 0) + 1 for p in rules.played if self._owned(position, p) >= mark}
        return self._with_kept(position, held)

    def _ending(self, rules: Ruleset, before: Position, after: Position) -> Ending | None:
        counts = {power: self._owned(after, power) for power in rules.played}
        mark = self._mark(rules, before.turn.year)
        held: dict[str, int] = self._kept(after)
        there = [p for p, n in counts.items() if n >= mark and (self.hold == 1 or held.get(p, 0) >= self.hold)]
        most = max(counts.values(), default=0)
        best = there if self.shared else [p for p in there if counts[p] == most]
        if best and (self.shared or len(best) == 1):
            reason = f"{listed(best)} reached {mark} centers"
            return Ending("solo" if len(best) == 1 else "draw", tuple(best), reason)
        ranked = sorted(counts, key=lambda power: -counts[power])
        if self.lead and len(ranked) > 1 and counts[ranked[0]] - counts[ranked[1]] > self.lead - before.turn.year:
            first, lead = ranked[0], counts[ranked[0]] - counts[ranked[1]]
            return Ending("solo", (first,), f"{first} {agrees(first, 'leads', 'lead')} by {lead} centers")
        return None

    def basics(self, rules: Ruleset) -> Mapping[str, str]:
        return {
            "winning": "A power wins if it owns as many centers as the rules below say after they have changed hands."
        }

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        first = rules.first_turn().year
        last = first + len(self.centers) - 1
        by_year = [f"{n} in {year}" for year, n in zip(range(first, last), self.centers, strict=False)]
        terms = f" (in {last} and later; before, {', '.join(by_year)})" if by_year else ""
        text = [f"A power wins if it owns at least {self.centers[-1]} centers{terms} after centers have changed hands."]
        if self.counted is not None:
            names = ", ".join(rules.board.name_of(center) for center in self.counted)
            text.append(f"Only these centers count for it: {names}.")
        if self.hold > 1:
            text.append(f"It must own that many in {self.hold} years one after the other.")
        if self.shared:
            text.append("All powers that have reached it then share the win.")
        else:
            text.append(
                "Of several that are there the one with the most wins; while they own equally many, the game goes on."
            )
        if self.lead:
            text.append(
                f"A power also wins if it leads the second by more than {self.lead - first} centers in {first}, "
                f"{self.lead - first - 1} in {first + 1}, and so on."
            )
        for power, allies in self.allies.items():
            text.append(f"The centers of {listed(allies)} count for {power}.")
        return tuple(text)
