"""The class that every rule extends."""

from typing import Any

import msgspec

from legation.judge.aftermath import Aftermath
from legation.judge.questions import Questions
from legation.judge.resolution import Ending
from legation.judge.ruleset import Ruleset
from legation.position import Position


class Rule(Questions):
    """A mechanism that variants can choose. It answers a question of :class:`~legation.judge.questions.Questions` by
    overriding its method. ``docs/writing-rules.md`` shows how a rule is written."""

    def _kept(self, held: Position | Aftermath) -> Any:
        """Return the rule's slice; an empty table where it keeps nothing."""
        return held.slices.get(self.key, {})

    def _with_kept(self, position: Position, kept: Any) -> Position:
        """Return the position with another slice of the rule's, or without any (None)."""
        slices = {**position.slices, self.key: kept}
        if kept is None:
            del slices[self.key]
        return msgspec.structs.replace(position, slices=slices)

    def _keep(self, aftermath: Aftermath, kept: Any) -> None:
        """Put this in the place of the rule's slice, or nothing if it's empty."""
        aftermath.slices.pop(self.key, None)
        if kept:
            aftermath.slices[self.key] = kept


class EndingByCenters(Rule):
    """A rule that ends the game, if at all, when centers have just changed hands."""

    def ending(
        self, rules: Ruleset, before: Position, after: Position, votes: frozenset[str], settled: bool
    ) -> Ending | None:
        """Return how the game has ended; None if it goes on, as it does where no center could change hands."""
        return self._ending(rules, before, after) if settled else None

    def _ending(self, rules: Ruleset, before: Position, after: Position) -> Ending | None:
        raise NotImplementedError
