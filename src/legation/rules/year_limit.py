"""The end of a game by the calendar (K-11): a draw of the survivors, or a win for the most centers."""

from legation.judge import DenseForm, Ending, Rule, RulesError, Ruleset
from legation.notation import agrees, listed
from legation.position import Position, Turn, TurnTextError


class _LastTurn(Rule):
    """After the turn ``last`` (``"Winter 1015 Adjustments"``) the game ends, as :meth:`_end` says."""

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
                return self._end(rules, after)
            turn = rules.next_turn(turn)
        return None

    def _end(self, rules: Ruleset, after: Position) -> Ending:
        raise NotImplementedError


class YearLimit(_LastTurn):
    """After a certain turn the game ends in a draw of all survivors.

    Setting: ``last`` (that turn, ``"Winter 1015 Adjustments"``)."""

    key = "year_limit"

    def _end(self, rules: Ruleset, after: Position) -> Ending:
        survivors = tuple(p for p in rules.played if p in after.survivors())
        return Ending("draw", survivors, f"the game ends after {self.last}")

    def dense(self, rules: Ruleset) -> DenseForm:
        return DenseForm(last_turn=self.last)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (f"After {self.last} the game ends in a draw of all surviving powers.",)


class MostCenters(_LastTurn):
    """After a certain turn the power with the most centers wins; several with equally many share a draw. No built-in
    variant uses it.

    Setting: ``last`` (that turn, ``"Winter 1911 Adjustments"``)."""

    key = "most_centers"

    def _end(self, rules: Ruleset, after: Position) -> Ending:
        counts = {power: len(after.centers_of(power)) for power in rules.played}
        best = tuple(power for power, count in counts.items() if count == max(counts.values()))
        named = listed(best)
        reason = f"{named} {agrees(named, 'owns', 'own')} the most centers when the game ends after {self.last}"
        return Ending("solo" if len(best) == 1 else "draw", best, reason)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            f"After {self.last} the game ends: the power with the most centers wins; several that own equally many "
            "share a draw.",
        )
