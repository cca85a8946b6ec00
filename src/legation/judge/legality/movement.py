"""Which holds, moves, supports and convoys are legal (STD-1 to STD-3)."""

from collections.abc import Callable, Mapping
from typing import Any

from legation.board import ARMY, province_of
from legation.judge.legality.reach import NO_COAST, Reach
from legation.judge.plain_orders import Judged, Refusal
from legation.notation import possessive
from legation.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove
from legation.position import Unit


def _hold(situation: Reach, unit: Unit, order: Hold) -> Judged:
    return Hold(unit.kind, unit.at)


def _move(situation: Reach, unit: Unit, order: Move) -> Judged:
    reach = situation.reach(unit)
    plain = order.kind == unit.kind and order.at == unit.at and not order.via_convoy and not order.route
    if plain and order.to in reach and not situation.rules.restricts_moves:
        return order
    kind = situation.kinds[unit.kind]
    refusal = situation.refuses_move(unit, order)
    if refusal is not None:
        return refusal
    to = province_of(order.to)
    if kind.travel == ARMY and to not in reach and (by_sea := _by_sea(situation, unit, order, to)):
        return by_sea  # the commonest case: where the army doesn't get by itself, no coast is to be filled in
    at = situation.destination(unit, order.to, reach)
    if isinstance(at, str):
        if order.via_convoy or order.route:
            if not kind.convoyed:
                return Refusal(f"{kind.one} cannot be convoyed")
            return Move(unit.kind, unit.at, at, via_convoy=True, route=order.route)
        return order if plain and order.to == at else Move(unit.kind, unit.at, at)
    return _by_sea(situation, unit, order, to) or at


def _by_sea(situation: Reach, unit: Unit, order: Move, to: str) -> Move | None:
    """The move of a unit that a convoy could take to a province, as it takes effect; None where none could."""
    if not situation.kinds[unit.kind].convoyed or to not in situation.by_convoy(unit.at):
        return None
    if to == order.to and order.kind == unit.kind and order.at == unit.at:
        return order
    return Move(unit.kind, unit.at, to, via_convoy=order.via_convoy, route=order.route)


def _target(situation: Reach, order: SupportHold | SupportMove | Convoy, unit: Unit) -> Unit | Refusal:
    target = situation.units.get(order.target) or situation.units.get(province_of(order.target))
    if target is None:
        return Refusal(f"there is no unit in {province_of(order.target)}")
    if target is unit:
        return Refusal("a unit can't support or convoy itself")
    if order.target_kind and order.target_kind != target.kind and situation.refuses("wrong_kind"):
        return Refusal(f"the unit in {order.target} is {target}")
    if order.power and order.power != target.power and situation.refuses("wrong_nationality"):
        return Refusal(f"the unit in {order.target} is not {possessive(order.power)}")
    if not order.power and target.power != unit.power and situation.refuses("missing_nationality"):
        return Refusal("name the power of a foreign unit")
    return target


def _support_hold(situation: Reach, unit: Unit, order: SupportHold) -> Judged:
    target = _target(situation, order, unit)
    if type(target) is Refusal:
        return target
    place = situation.rules.tables.province[target.at]
    if place not in situation.support_provinces(unit):
        return Refusal(f"{unit} cannot reach {place}")
    reason = situation.refuses_support(unit, target, place)
    if reason:
        return Refusal(reason)
    return SupportHold(unit.kind, unit.at, target.kind, target.at)


def _support_move(situation: Reach, unit: Unit, order: SupportMove) -> Judged:
    target = _target(situation, order, unit)
    if type(target) is Refusal:
        return target
    province = situation.rules.tables.province
    to = province.get(order.to) or province_of(order.to)
    if to not in situation.support_provinces(unit):
        return Refusal(f"{unit} cannot reach {to}")
    if to == province[target.at]:
        return Refusal(f"{target} is already in {to}")
    arrives = _arrival(situation, target, order.to, without=province[unit.at])
    if type(arrives) is Refusal:
        return arrives
    reason = situation.refuses_arrival(target, to) or situation.refuses_support(unit, target, to)
    if reason:
        return Refusal(reason)
    return SupportMove(unit.kind, unit.at, target.kind, target.at, arrives)


def _arrival(situation: Reach, target: Unit, to: str, without: str = "") -> str | Refusal:
    """Where a unit that somebody else helps could arrive: with the
    coast if it was named (DATC 4.B.4), by convoy too."""
    kind = situation.kinds[target.kind]
    reach = situation.reach(target)
    if to in reach:
        return to
    province = situation.rules.board.provinces[province_of(to)]
    if kind.travel == ARMY:
        if to != province.id and situation.refuses("irrelevant_coast"):
            return Refusal(NO_COAST)
        if province.id in reach:
            return province.id
        if kind.convoyed and province.id in situation.by_convoy(target.at, without):
            return province.id
        if kind.convoyed and situation.supports_arrival(target, province.id):
            return province.id  # whether that was ordered is seen when orders are matched
        return Refusal(f"{target} cannot reach {province.id}")
    coasts = [loc for loc in province.locations if loc in reach]
    if not coasts:
        return Refusal(f"{target} cannot reach {province.id}")
    if to in province.locations:
        return Refusal(f"{target} cannot reach {to}")
    if province.coasts and situation.rules.options["support_coast"] == "required":
        return Refusal(f"name the coast: {' or '.join(coasts)}")
    return province.id


def _convoy(situation: Reach, unit: Unit, order: Convoy) -> Judged:
    if not situation.kinds[unit.kind].convoys:
        return Refusal(f"{situation.kinds[unit.kind].one} cannot convoy")
    if unit.at not in situation.rules.tables.convoying:
        return Refusal("only a fleet at sea can convoy")
    target = _target(situation, order, unit)
    if type(target) is Refusal:
        return target
    if not situation.kinds[target.kind].convoyed:
        return Refusal(f"{situation.kinds[target.kind].one} cannot be convoyed")
    to = province_of(order.to)
    if to == target.at or to in situation.rules.tables.sea:
        return Refusal(f"no convoy leads from {target.at} to {to}")
    link = situation.supports_arrival(target, to)  # the fleet may be one of a longer chain
    if not link and not situation.on_route(unit.at, target.at, to):
        return Refusal(_no_convoy(situation, unit, target.at, to))
    reason = situation.refuses_arrival(target, to)
    if reason:
        return Refusal(reason)
    return Convoy(unit.kind, unit.at, target.kind, target.at, to)


def _no_convoy(situation: Reach, fleet: Unit, start: str, to: str) -> str:
    """Why a fleet takes no part in any convoy between two coasts: none leads there, or it does without this one."""
    shores = situation.clusters[fleet.at].shores
    if start in shores and to in shores:
        return f"{fleet} is not needed: every convoy from {start} to {to} can do without it"
    return f"no chain of fleets through {fleet.at} leads from {start} to {to}"


LEGALITY: Mapping[type[Order], Callable[[Reach, Unit, Any], Judged]] = {
    Hold: _hold,
    Move: _move,
    SupportHold: _support_hold,
    SupportMove: _support_move,
    Convoy: _convoy,
}
"""What judges each kind of order for a unit that is its power's own."""
