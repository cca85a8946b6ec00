"""Which retreats and disbandments are legal (STD-4)."""

from legation.board import province_of
from legation.judge.legality.reach import Reach
from legation.judge.plain_orders import Judged, Refusal
from legation.notation import listed
from legation.orders import Disband, Retreat
from legation.position import Phase, Unit


def _dislodged_unit(situation: Reach, power: str, order: Retreat | Disband) -> tuple[Unit, tuple[str, ...]] | Refusal:
    entry = situation.dislodged.get(province_of(order.at))
    if entry is None or entry[0].power != power:
        named = situation.rules.named(power)
        return Refusal(f"{named} {named:has|have} no dislodged unit in {province_of(order.at)}")
    return entry


def judge_retreat(situation: Reach, power: str, order: Retreat) -> Judged:
    """The retreat with its coast settled."""
    entry = _dislodged_unit(situation, power, order)
    if isinstance(entry, Refusal):
        return entry
    unit, open_to = entry
    at = situation.destination(unit, order.to, frozenset(open_to))
    if isinstance(at, Refusal):
        if "name the coast" in at.reason:
            return at
        return Refusal(f"{unit} can retreat only to {listed(open_to, 'or')}" if open_to else f"{unit} has no retreat")
    return Retreat(unit.kind, unit.at, at)


def judge_disbandment(situation: Reach, power: str, order: Disband) -> Judged:
    """Return the order to disband with its unit named in full: a dislodged unit, or in movement any unit."""
    if situation.position.turn.phase is Phase.MOVEMENT:  # where a rule lets units be disbanded then
        unit = situation.unit(power, order)
        return unit if isinstance(unit, Refusal) else Disband(unit.kind, unit.at)
    entry = _dislodged_unit(situation, power, order)
    return entry if isinstance(entry, Refusal) else Disband(entry[0].kind, entry[0].at)
