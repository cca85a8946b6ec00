"""A turn as the live map needs it: units, what each power has open, and every legal order in short style with what to
tap for it."""

from __future__ import annotations

from typing import Any

from legation.board import province_of
from legation.judge import Ruleset, legal_orders
from legation.notation import write
from legation.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    UnitOrder,
    VoteDraw,
    Waive,
)
from legation.position import Phase, Position
from legation.rules.conversion import Convert
from legation.rules.ferry import Ferry, Ride
from legation.rules.proxy import Proxy
from legation.rules.supply_transfer import Send

Choice = tuple[str, str, str, str, str]
"""A legal order: its verb, the location of its unit, whom it helps or concerns, where to, and its text."""


def choice(order: Order) -> Choice:
    """An order as the map takes it."""
    text = write(order)
    match order:
        case Hold(at=at):
            return "hold", at, "", "", text
        case Ride(at=at, to=to):
            return "ferry", at, "", to, text
        case Move(at=at, to=to):
            verb = "via" if order.via_convoy or order.route else "move"
            return verb, at, "", to, text
        case SupportHold(at=at, target=whom):
            return "support", at, whom, "", text
        case SupportMove(at=at, target=whom, to=to):
            return "support", at, whom, to, text
        case Convoy(at=at, target=whom, to=to):
            return "convoy", at, whom, to, text
        case Ferry(at=at, target=whom, target_to=to):
            return "carry", at, whom, to, text
        case Convert(at=at, to=kind, coast=coast):
            return "convert", at, kind, coast, text
        case Proxy(at=at, power=power):
            return "under", at, power, "", text
        case Retreat(at=at, to=to):
            return "retreat", at, "", to, text
        case Disband(at=at):
            return "disband", at, "", "", text
        case Build(kind=kind, at=at):
            return "build", at, kind, "", text
        case Remove(at=at):
            return "remove", at, "", "", text
        case Send(count=count, power=power):
            return "send", "", power, str(count), text
        case Waive():
            return "waive", "", "", "", text
        case VoteDraw():
            return "draw", "", "", "", text
        case UnitOrder(at=at):  # of a rule's own, which is offered by its text
            return "own", at, "", "", text
    return "own", "", text, "", text  # not reached: of somebody else's rule, an order that is no unit's


def live_turn(rules: Ruleset, position: Position, number: dict[str, int], of: tuple[str, ...] = ()) -> dict[str, Any]:
    """The turn for the live map; with the choices of some powers only (``of``), of all if none are named.

    ``number`` are the powers' colors on it.
    """
    legal = legal_orders(rules, position, of or None)
    choices = {power: [choice(order) for order in orders] for power, orders in legal.items()}
    if VoteDraw in rules.order_kinds[position.turn.phase] and not rules.refuses_draw(position):  # it is no unit's order
        for power in of:
            choices.setdefault(power, []).append(choice(VoteDraw()))
    adjusting = position.turn.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT)
    powers = {}
    for power in rules.powers:
        room = rules.limit(position, power) - rules.size(position, power) if adjusting else 0
        sites = len(rules.build_sites(position, power)) if adjusting else 0
        powers[power] = {"number": number[power], "builds": max(0, min(room, sites)), "removals": max(0, -room)}
    return {
        "turn": str(position.turn),
        "phase": position.turn.phase.value,
        "units": [[unit.kind, unit.at, unit.power] for unit in position.units],
        "dislodged": [[d.unit.kind, d.unit.at, d.unit.power] for d in position.dislodged],
        "kinds": {kind.code: kind.name for kind in rules.kinds.values()},
        "powers": powers,
        "choices": choices,
        "lends": bool(rules.steps["on_condition"]) and position.turn.phase is Phase.MOVEMENT,
    }


def lent_choices(rules: Ruleset, position: Position, power: str, place: str) -> list[Choice]:
    """What a power may order another's unit, in case its owner lets it; nothing where no rule knows of that."""
    unit = next((u for u in position.units if u.province == province_of(place) and u.power != power), None)
    if unit is None or position.turn.phase is not Phase.MOVEMENT or not rules.steps["on_condition"]:
        return []
    orders = [o for o in legal_orders(rules, position, (unit.power,))[unit.power] if getattr(o, "at", "") == unit.at]
    return [choice(order) for order in orders if rules.on_condition(position, power, order, unit.power)]


def owner_at(position: Position, place: str) -> str:
    """The power whose unit stands in a province (the dislodged one in retreats), else who owns the center there; empty
    for nobody."""
    province = province_of(place)
    if position.turn.phase is Phase.RETREATS:
        return next((d.unit.power for d in position.dislodged if d.unit.province == province), "")
    unit = next((u for u in position.units if u.province == province), None)
    return unit.power if unit is not None else position.owners.get(province, "")
