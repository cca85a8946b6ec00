"""The end of a game by the calendar, won by whoever owns most. No seed asks for it; other systems end games so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from legation.judge import Ending, Rule, RulesError
from legation.position import Turn, TurnTextError

if TYPE_CHECKING:
    from legation.judge import Ruleset
    from legation.position import Position


class MostCenters(Rule):
    """After the turn ``last`` (``"Winter 1911 Adjustments"``) the power with the most centers wins; several with
    equally many share a draw."""

    key = "most_centers"
    runs_after = ("solo", "solo_with_capitals", "last_survivors", "draw_by_vote")  # any other ending comes first

    def __init__(self, last: str) -> None:
        try:
            self.last = Turn.parse(last)
        except TurnTextError as error:
            raise RulesError(f"last: {error}") from None

    def faults(self, rules: Ruleset) -> tuple[str, ...]:
        try:
            rules.next_turn(self.last)
        except TurnTextError as error:
            return (f"last: {error}",)
        opening = rules.first_turn()
        if self.last.year < opening.year:
            return (f"last: {self.last} comes before the game opens in {opening}",)
        return ()

    def refuses_turn(self, rules: Ruleset, turn: Turn) -> str | None:
        later = rules.next_turn(self.last)
        while later.year == self.last.year and later != turn:
            later = rules.next_turn(later)
        if turn.year > self.last.year or later == turn:
            return f"{turn} comes after {self.last}, with which the game ends"
        return None

    def ending(
        self, rules: Ruleset, before: Position, after: Position, votes: frozenset[str], settled: bool
    ) -> Ending | None:
        turn = before.turn
        while turn != after.turn:  # the last turn may be passed over when nobody has anything to adjust
            if turn == self.last:
                counts = {power: len(after.centers_of(power)) for power in rules.played}
                most = max(counts.values())
                best = tuple(power for power, count in counts.items() if count == most)
                reason = f"{' and '.join(best)} own most when the game ends after {self.last}"
                return Ending("solo" if len(best) == 1 else "draw", best, reason)
            turn = rules.next_turn(turn)
        return None

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            f"After {self.last} the game ends: the power with the most centers wins; several that own equally many "
            "share a draw.",
        )
