"""Retreats (STD-4): each dislodged unit goes to an open province or leaves the board; two that choose the same one both leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    chosen: dict[str, tuple[Order, Order | None, str]] = {}  # by province: as written, as it takes effect, refusal
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
            refused = Verdict(
                sheet.power,
                order,
                Outcome.ILLEGAL,
                Cause("refused", reason=effect.reason if isinstance(effect, Refusal) else "the unit has an order"),
            )
            if entry is None or entry[0].power != sheet.power or (place in chosen and isinstance(effect, Refusal)):
                loose.append(refused)
            elif isinstance(effect, Refusal):
                chosen[place] = (order, None, effect.reason)
            elif place not in chosen or chosen[place][1] is None:
                if place in chosen:
                    loose.append(
                        Verdict(
                            sheet.power, chosen[place][0], Outcome.ILLEGAL, Cause("refused", reason=chosen[place][2])
                        )
                    )
                chosen[place] = (order, effect, "")
            else:
                loose.append(refused)
    goals: dict[str, list[str]] = {}
    for place, (_, effect, _) in chosen.items():
        if isinstance(effect, Retreat):
            goals.setdefault(province_of(effect.to), []).append(place)
    for entry in position.dislodged:
        unit = entry.unit
        place = province_of(unit.at)
        written, effect, reason = chosen.get(place, (None, None, ""))
        gone = Disband(unit.kind, unit.at)
        if written is None:
            nowhere = not situation.dislodged[place][1]
            result.verdicts.append(
                Verdict(unit.power, gone, Outcome.DISBANDED, Cause("no retreat" if nowhere else "no order"))
            )
        elif effect is None:
            result.verdicts.append(Verdict(unit.power, written, Outcome.ILLEGAL, Cause("refused", reason=reason)))
        elif isinstance(effect, Retreat):
            rivals = [p for p in goals[province_of(effect.to)] if p != place]
            if rivals:
                result.verdicts.append(
                    Verdict(unit.power, effect, Outcome.DISBANDED, Cause("clash", by=chosen[rivals[0]][1]))
                )
            else:
                result.verdicts.append(Verdict(unit.power, effect, Outcome.SUCCEEDS))
                result.units.append(Unit(unit.kind, effect.to, unit.power))
        else:
            result.verdicts.append(Verdict(unit.power, effect, Outcome.SUCCEEDS))
    result.verdicts += loose
    return result, frozenset(votes)
