"""Retreats (STD-4): each dislodged unit goes to an open province or leaves the board; two that choose the same one both
leave."""

from legation.board import province_of
from legation.judge.aftermath import Aftermath
from legation.judge.legality import Situation
from legation.judge.plain_orders import Ordered
from legation.judge.refusal import Refusal
from legation.judge.ruleset import Ruleset
from legation.judge.sheets import another, illegal, torn_apart
from legation.judge.verdicts import Cause, Outcome, Verdict
from legation.orders import Disband, Retreat, Sheet, UnitOrder, VoteDraw
from legation.position import Position, Unit


def resolve_retreats(
    rules: Ruleset, position: Position, sheets: tuple[Sheet, ...], seed: str
) -> tuple[Aftermath, frozenset[str]]:
    """The aftermath of a retreat phase, and who voted for a draw."""
    situation = Situation(rules, position)
    result = Aftermath(position, sheets, seed, units=list(position.units), slices=dict(position.slices))
    chosen, loose, votes = _read(situation, sheets)
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


def _read(situation: Situation, sheets: tuple[Sheet, ...]) -> tuple[dict[str, Ordered], list[Verdict], frozenset[str]]:
    """The one order of each dislodged unit (by province), verdicts on the others, and the votes for a draw."""
    doubles = situation.rules.options["double_orders"]
    chosen: dict[str, Ordered] = {}
    loose: list[Verdict] = []
    votes: set[str] = set()
    for sheet in sheets:
        for order in sheet.orders:
            effect = situation.interpret(sheet.power, order)
            if isinstance(effect, VoteDraw):
                votes.add(sheet.power)
                loose.append(Verdict(sheet.power, order, Outcome.SUCCEEDS))
                continue
            if not isinstance(order, UnitOrder) and not isinstance(effect, Refusal):  # of a rule, for no unit
                loose.append(Verdict(sheet.power, effect, Outcome.SUCCEEDS))
                continue
            place = province_of(getattr(order, "at", ""))
            entry = situation.dislodged.get(place)
            if entry is None or entry[0].power != sheet.power:
                assert isinstance(effect, Refusal), "no unit can carry it out"
                loose.append(illegal(sheet.power, order, effect.reason))
            elif place in chosen:
                chosen[place], lost = another(sheet.power, chosen[place], order, effect, doubles)
                loose.append(lost)
            elif isinstance(effect, Refusal):
                unit = entry[0]
                chosen[place] = Ordered(order, Disband(unit.kind, unit.at), effect.reason)
            else:
                chosen[place] = Ordered(order, effect)
    return chosen, torn_apart(loose, chosen), frozenset(votes)
