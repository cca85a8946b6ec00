"""Draws by vote (STD-6, K-12a)."""

from collections.abc import Mapping

from legation.judge import DenseForm, Ending, Rule, Ruleset
from legation.position import Position


class DrawByVote(Rule):
    """The game ends in a draw of all surviving powers if all of them vote for it in the same turn."""

    key = "draw_by_vote"
    runs_after = ("solo", "solo_with_capitals", "last_survivors")  # who has won needs no vote
    dense_form = DenseForm(votes=True)

    def ending(
        self, rules: Ruleset, before: Position, after: Position, votes: frozenset[str], settled: bool
    ) -> Ending | None:
        if not votes:
            return None
        survivors = tuple(p for p in rules.played if p in after.survivors())
        if len(survivors) < 2 or not votes.issuperset(survivors):
            return None
        return Ending("draw", survivors, "all surviving powers agreed")

    def basics(self, rules: Ruleset) -> Mapping[str, str]:
        return {"draw": "The players who are left may also agree on a draw."}

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return ("If every surviving power votes for a draw in the same turn, the game ends in a draw that they share.",)
