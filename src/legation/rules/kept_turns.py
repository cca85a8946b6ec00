"""Turns that are played even if nobody has anything to order. No built-in variant uses it."""

from legation.judge import Rule, RulesError, Ruleset
from legation.position import Phase, Position


class KeptTurns(Rule):
    """Some turns are played even if nobody has anything to order.

    Setting: ``phases`` (``["Retreats", "Adjustments"]``)."""

    key = "kept_turns"

    def __init__(self, phases: list[str] | None = None) -> None:
        self.kept = [Phase.RETREATS.value, Phase.ADJUSTMENTS.value] if phases is None else phases
        known = [phase.value for phase in Phase.all()]
        if strange := [phase for phase in self.kept if phase not in known]:
            raise RulesError(f"phases: {strange[0]!r} isn't a phase; phases are {', '.join(known)}")
        if not self.kept:
            raise RulesError("phases: names none")

    def keeps_turn(self, rules: Ruleset, position: Position) -> bool:
        return position.turn.phase.value in self.kept

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        named = " and ".join(phase.lower() for phase in self.kept)
        return (f"Turns of {named} are played even where nobody has anything to order.",)
