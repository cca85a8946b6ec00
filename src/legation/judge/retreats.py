"""Retreats (STD-4): each dislodged unit goes to an open province or leaves the board; two that choose the same one both leave."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from legation.board import province_of
from legation.judge.aftermath import Aftermath
from legation.judge.legality import Refusal, Situation
from legation.judge.verdicts import Cause, Outcome, Verdict
from legation.orders import Disband, Order, Retreat, Sheet, VoteDraw
from legation.position import Position, Unit

if TYPE_CHECKING:
    from legation.judge.ruleset import Ruleset


def resolve_retreats(
    rules: Ruleset, position: Position, sheets: tuple[Sheet, ...], seed: str
) -> tuple[Aftermath, frozenset[str]]:
    """The aftermath of a retreat phase, and who voted for a draw."""
    situation = Situation(rules, position)
    result = Aftermath(position, sheets, seed, units=list(position.units), slices=dict(position.slices))
    votes: set[str] = set()
    chosen: dict[str, _Choice] = {}
    loose: list[Verdict] = []
    for sheet in sheets:
        for order in sheet.orders:
            effect = situation.read(sheet.power, order)
            if isinstance(effect, VoteDraw):
                votes.add(sheet.power)
                loose.append(Verdict(sheet.power, order, Outcome.SUCCEEDS))
                continue
            place = province_of(getattr(order, "at", ""))
            entry = situation.dislodged.get(place)
            mine = entry is not None and entry[0].power == sheet.power
            before = chosen.get(place)
            if isinstance(effect, Refusal):
                if mine and before is None:
                    chosen[place] = _Choice(order, None, effect.reason)
                else:
                    loose.append(_refused(sheet.power, order, effect.reason))
            elif before is not None and before.effect is not None:
                loose.append(_refused(sheet.power, order, "the unit has an order already"))
            else:
                if before is not None:  # a legal order beside an illegal one counts
                    loose.append(_refused(sheet.power, before.written, before.refusal))
                chosen[place] = _Choice(order, effect, "")
    goals: dict[str, list[str]] = {}
    for place, choice in chosen.items():
        if isinstance(choice.effect, Retreat):
            goals.setdefault(province_of(choice.effect.to), []).append(place)
    for dislodged in position.dislodged:
        unit = dislodged.unit
        place = province_of(unit.at)
        made = chosen.get(place)
        if made is None:
            nowhere = not situation.dislodged[place][1]
            cause = Cause("no retreat" if nowhere else "no order")
            result.verdicts.append(Verdict(unit.power, Disband(unit.kind, unit.at), Outcome.DISBANDED, cause))
        elif made.effect is None:
            result.verdicts.append(_refused(unit.power, made.written, made.refusal))
        elif isinstance(made.effect, Retreat):
            rivals = [p for p in goals[province_of(made.effect.to)] if p != place]
            if rivals:
                clash = Cause("clash", by=chosen[rivals[0]].effect)
                result.verdicts.append(Verdict(unit.power, made.effect, Outcome.DISBANDED, clash))
            else:
                result.verdicts.append(Verdict(unit.power, made.effect, Outcome.SUCCEEDS))
                result.units.append(Unit(unit.kind, made.effect.to, unit.power))
        else:
            result.verdicts.append(Verdict(unit.power, made.effect, Outcome.SUCCEEDS))
    result.verdicts += loose
    return result, frozenset(votes)


class _Choice(NamedTuple):
    """What a dislodged unit was ordered: as written, as it takes effect (None if illegal), and why it is illegal."""

    written: Order
    effect: Order | None
    refusal: str


def _refused(power: str, order: Order, reason: str) -> Verdict:
    return Verdict(power, order, Outcome.ILLEGAL, Cause("refused", reason=reason))
