"""Retreats (STD-4): each dislodged unit goes to an open province or leaves the board; two that choose the same one both
leave."""

from legation.board import province_of
from legation.judge.aftermath import Aftermath
from legation.judge.legality import Situation
from legation.judge.ruleset import Ruleset
from legation.judge.sheets import illegal, read_sheets
from legation.judge.verdicts import Cause, Outcome, Verdict
from legation.orders import Disband, Retreat, Sheet
from legation.position import Position, Unit


def resolve_retreats(
    rules: Ruleset, position: Position, sheets: tuple[Sheet, ...], seed: str
) -> tuple[Aftermath, frozenset[str]]:
    """The aftermath of a retreat phase, and who voted for a draw."""
    situation = Situation(rules, position)
    result = Aftermath(position, sheets, seed, units=list(position.units), slices=dict(position.slices))
    units = {place: unit for place, (unit, _) in situation.dislodged.items()}
    chosen, loose, votes = read_sheets(situation, sheets, units)
    goals: dict[str, list[str]] = {}
    for place, choice in chosen.items():
        if isinstance(choice.effect, Retreat) and choice.refusal is None:
            goals.setdefault(province_of(choice.effect.to), []).append(place)
    for dislodged in position.dislodged:
        unit = dislodged.unit
        place = province_of(unit.at)
        given = chosen.get(place)
        if given is None:
            nowhere = not situation.dislodged[place][1]
            cause = Cause("no retreat" if nowhere else "no order")
            result.verdicts.append(Verdict(unit.power, Disband(unit.kind, unit.at), Outcome.DISBANDED, cause))
        elif given.refusal is not None:
            assert given.written is not None
            result.verdicts.append(illegal(unit.power, given.written, f"{given.refusal}, so the unit is disbanded"))
        elif isinstance(given.effect, Retreat):
            rivals = sorted(p for p in goals[province_of(given.effect.to)] if p != place)
            if rivals:
                clash = Cause("clash", by=chosen[rivals[0]].effect)
                result.verdicts.append(Verdict(unit.power, given.effect, Outcome.DISBANDED, clash))
            else:
                result.verdicts.append(Verdict(unit.power, given.effect, Outcome.SUCCEEDS))
                result.units.append(Unit(unit.kind, given.effect.to, unit.power))
        else:
            result.verdicts.append(Verdict(unit.power, given.effect, Outcome.SUCCEEDS))
    result.verdicts += loose
    return result, votes
