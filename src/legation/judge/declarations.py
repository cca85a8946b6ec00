"""Phases that rules bring: what is ordered moves no unit, and is carried out by the rules' own steps."""

from __future__ import annotations

from legation.judge.aftermath import Aftermath
from legation.judge.legality import Situation
from legation.judge.refusal import Refusal
from legation.judge.ruleset import Ruleset
from legation.judge.sheets import illegal
from legation.judge.verdicts import Outcome, Verdict
from legation.orders import Sheet, VoteDraw
from legation.position import Position


def resolve_declarations(
    rules: Ruleset, position: Position, sheets: tuple[Sheet, ...], seed: str
) -> tuple[Aftermath, frozenset[str]]:
    """The aftermath of a phase of a rule's own, in which every legal order succeeds, and who voted for a draw."""
    result = Aftermath(
        position,
        sheets,
        seed,
        units=list(position.units),
        slices=dict(position.slices),
    )
    situation = Situation(rules, position)
    votes: set[str] = set()
    for sheet in sheets:
        for order in sheet.orders:
            effect = situation.interpret(sheet.power, order)
            if isinstance(effect, Refusal):
                result.verdicts.append(illegal(sheet.power, order, effect.reason))
                continue
            if isinstance(effect, VoteDraw):
                votes.add(sheet.power)
            result.verdicts.append(Verdict(sheet.power, effect, Outcome.SUCCEEDS))
    return result, frozenset(votes)
