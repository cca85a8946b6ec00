"""Supports and convoys in writing: what a unit does for another, and what is said of helpers beside another order."""

from collections.abc import Sequence

import msgspec

from legation.board import province_of
from legation.notation.errors import refuse
from legation.notation.forms.movement import MOVEMENT, goal, is_army, move, picked, route_of
from legation.notation.gestures import Gesture, Phrases
from legation.notation.order_kinds import OrderKind, Production, Slots, of, write_unit
from legation.notation.reading_text import Subject, Text
from legation.orders import Convoy, Hold, Move, Moving, Order, SupportHold, SupportMove, UnitOrder


def helped_unit(text: Text, subject: Subject, unit: Subject, *, near: bool = False) -> Subject:
    """Return the unit that another helps, with where it stands."""
    tests = [text.stands(subject.kind), text.present(subject.kind, subject.power), text.present(subject.kind)]
    tests += [text.reaches(unit.kind, unit.at)] if near else []
    return msgspec.structs.replace(subject, at=picked(text, subject.place, *tests))


def _support_hold(text: Text, unit: Subject, slots: Slots) -> Order | None:
    target = helped_unit(text, slots["target"][0], unit, near=True)
    if province_of(target.at) == province_of(unit.at) and "of" in slots:
        return None
    return SupportHold(unit.kind, unit.at, target.kind, target.at, _whose(target, slots))


def _whose(target: Subject, slots: Slots) -> str:
    """Whose the unit is that another helps, which may be said behind it, or behind all."""
    return target.power or next(iter(slots.get("owner", ())), "")


def _support_move(text: Text, unit: Subject, slots: Slots) -> Order | None:
    target = helped_unit(text, slots["target"][0], unit)
    to = goal(text, target, slots["to"][0], unit)
    if province_of(to) == province_of(target.at) and "IN" in text.at[slots["to"][0].first - 1]:
        return SupportHold(unit.kind, unit.at, target.kind, target.at, _whose(target, slots))
    route_of(text, target, slots.get("sea", ()))
    return SupportMove(unit.kind, unit.at, target.kind, target.at, to, _whose(target, slots))


def _support_unsaid(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``A mar S A par bur``."""
    made = _support_move(text, unit, slots)
    if not isinstance(made, SupportMove):
        return None
    last = slots["to"][0].last
    near = text.reaches(made.target_kind, made.target)(province_of(made.to))
    return made if near and (text.ends(last) or text.kinds(last)) else None


def _support_attack(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``supports the attack of A bud``, whose move stands above."""
    target = helped_unit(text, slots["target"][0], unit)
    given = text.ordered.get(province_of(target.at))
    if not isinstance(given, Move):
        return None
    return SupportMove(unit.kind, unit.at, target.kind, target.at, given.to, target.power)


def _pointed_at(text: Text, slots: Slots) -> Order | None:
    """The order right above, of an own unit.

    :raises OrderTextError: if no word points at it, and no order stands before on the line."""
    if "it" not in slots and not text.given:
        raise refuse("say whom", text.text)
    return text.last_ordered()


def _support_it(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``supports it`` right after the order of an own unit that moves, holds, or supports or convoys one."""
    last = _pointed_at(text, slots)
    near = text.reaches(unit.kind, unit.at)
    if isinstance(last, UnitOrder) and province_of(last.at) == province_of(unit.at):
        raise refuse("say whom", text.text)
    if isinstance(last, Convoy):
        given = text.ordered.get(province_of(last.target))
        last = given if isinstance(given, Move) and given.to == last.to else last
    if isinstance(last, Move) and near(province_of(last.to)):
        return SupportMove(unit.kind, unit.at, last.kind, last.at, last.to)
    if isinstance(last, Convoy) and near(province_of(last.to)) and not near(province_of(last.at)):
        return SupportMove(unit.kind, unit.at, last.target_kind, last.target, last.to, last.power)
    if isinstance(last, Hold) and near(province_of(last.at)):
        return SupportHold(unit.kind, unit.at, last.kind, last.at)
    if isinstance(last, SupportMove | SupportHold):
        return msgspec.structs.replace(last, kind=unit.kind, at=unit.at)
    raise refuse("say whom", text.text)


def _each_other(text: Text, unit: Subject, slots: Slots) -> Order | None:
    others = [one for one in slots.get("of", ()) if one.at != unit.at]
    return SupportHold(unit.kind, unit.at, others[0].kind, others[0].at) if len(others) == 1 else None


def _same(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``Amsterdam too``: the last order that moves no unit, for another own unit."""
    last = text.last_ordered()
    if not isinstance(last, UnitOrder) or isinstance(last, Moving) or not text.own(province_of(unit.at)):
        return None
    helps = getattr(last, "target", "")
    near = text.reaches(unit.kind, unit.at)(province_of(getattr(last, "to", "") or helps)) if helps else True
    if province_of(helps) == province_of(unit.at) or not near:
        return None
    return msgspec.structs.replace(last, kind=unit.kind, at=unit.at)


def _convoy(text: Text, unit: Subject, slots: Slots) -> Order | None:
    army = helped_unit(text, slots["target"][0], unit)
    if is_army(text, unit) and not is_army(text, army):
        return None
    to = picked(text, slots["to"][-1], text.lands(army.kind, army.at))
    route_of(text, army, slots.get("sea", ()))
    return Convoy(unit.kind, unit.at, army.kind, army.at, to, army.power)


def _convoy_it(text: Text, unit: Subject, slots: Slots) -> Order | None:
    last = _pointed_at(text, slots)
    if isinstance(last, Move):
        return Convoy(unit.kind, unit.at, last.kind, last.at, last.to)
    if isinstance(last, Convoy):
        return msgspec.structs.replace(last, kind=unit.kind, at=unit.at)
    if isinstance(last, SupportMove):
        return Convoy(unit.kind, unit.at, last.target_kind, last.target, last.to, last.power)
    raise refuse("say whom", text.text)


def _convoys_itself(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``A lon convoys to nwy``."""
    if not is_army(text, unit):
        return None
    return move(text, unit, {**slots, "convoy": (True,)})


# Helpers beside another order


def helpers(text: Text, slots: Slots) -> list[Subject]:
    """Return the own units that are named as helpers.

    :raises OrderTextError: if one of them is another power's."""
    found: list[Subject] = []
    for one in slots["unit"]:
        unit = text.own_unit(one)
        if unit is None:
            raise refuse("ambiguous", text.text, said=repr(text.written(one.place.first, one.place.last)))
        theirs = text.position is not None and text.power != "" and not text.own(province_of(unit.at))
        if unit.power not in ("", text.power) or theirs:
            raise refuse("only own", text.text)
        found.append(unit)
    return found


def not_given_yet(text: Text, orders: Sequence[UnitOrder]) -> list[Order]:
    """Return the orders but those that the sheet has given already.

    :raises OrderTextError: if a unit that helps is ordered to do something else."""
    new: list[Order] = []
    for order in orders:
        given = text.ordered.get(province_of(order.at))
        if given is None:
            new.append(order)
        elif type(given) is not type(order) or getattr(given, "target", "") != getattr(order, "target", ""):
            raise refuse("unclear", text.text)
    return new


def _supported(text: Text, order: Order, slots: Slots) -> list[Order] | None:
    """``with support from A mar`` behind a move or a hold: the orders of the units that support it."""
    if not isinstance(order, Move | Hold):
        return None
    units = helpers(text, slots)
    if any(province_of(unit.at) == province_of(order.at) for unit in units):
        return None
    if isinstance(order, Move):
        return not_given_yet(text, [SupportMove(u.kind, u.at, order.kind, order.at, order.to) for u in units])
    return not_given_yet(text, [SupportHold(u.kind, u.at, order.kind, order.at) for u in units])


def _convoyed(text: Text, order: Order, slots: Slots) -> list[Order] | None:
    """``convoyed by F nth`` behind a move: the orders of the fleets that carry it."""
    if not isinstance(order, Move):
        return None
    units = helpers(text, slots)
    provinces = text.reader.board.provinces
    if not all(provinces[province_of(unit.at)].sea for unit in units):
        return None
    return not_given_yet(text, [Convoy(u.kind, u.at, order.kind, order.at, order.to) for u in units])


def _likewise(text: Text, order: Order, slots: Slots) -> list[Order] | None:
    """``..., as does F eng``: the same order of further own units; an error if it moves one."""
    if not isinstance(order, UnitOrder) or isinstance(order, Moving):
        raise refuse("unclear", text.text)
    return not_given_yet(text, [msgspec.structs.replace(order, kind=u.kind, at=u.at) for u in helpers(text, slots)])


def _supports_first(text: Text, slots: Slots) -> list[Order] | None:
    """``Support A pic - bel with A bur and F eng``."""
    orders: list[Order] = []
    for unit in helpers(text, slots):
        made = _support_move(text, unit, slots) if "to" in slots else _support_hold(text, unit, slots)
        if made is None:
            return None
        orders.append(made)
    return orders


def _convoys_first(text: Text, slots: Slots) -> list[Order] | None:
    """``Convoy Edinburgh to Denmark with the North Sea fleet``: the convoy, and the move of the army if it is an own
    one."""
    fleets = helpers(text, slots)
    made = [_convoy(text, fleet, slots) for fleet in fleets]
    convoys = [one for one in made if isinstance(one, Convoy)]
    if not convoys:
        return None
    army = convoys[0]
    if not text.own(province_of(army.target)):
        return [*convoys]
    if province_of(army.target) in text.ordered:
        raise refuse("ordered already", text.text, said=army.target)
    return [Move(army.target_kind, army.target, army.to, via_convoy=True), *convoys]


def _helped_first(text: Text, slots: Slots) -> list[Order] | None:
    """``With support from F eng, A pic attacks bel``."""
    *named, moved = slots["unit"]
    unit = text.own_unit(moved)
    order = move(text, unit, slots) if unit is not None else None
    further = _supported(text, order, {"unit": named}) if order is not None else None
    return [order, *further] if order is not None and further is not None else None


def _attack_first(text: Text, slots: Slots) -> Order | None:
    """``Attack Norway from St Petersburg``, ``with F nth``: the move of the one own unit that is named."""
    units = helpers(text, slots)
    return move(text, units[0], slots) if len(units) == 1 else None


def _helped(o: SupportHold | SupportMove | Convoy, w: Phrases) -> str:
    return f"{of(o.power)}{w.unit(o.target_kind, o.target)}"


SUPPORT_GESTURE = Gesture(
    name="support",
    taps="helped",
    label="Support {whom}[ to {to}]",
    group="Support",
    key="s",
    asks="{unit} S {whom}[ - {to}]",
    stroke="dotted line",
)
SUPPORT_HOLD = OrderKind(
    SupportHold,
    "support",
    lambda o: f"{write_unit(o.kind, o.at)} S {of(o.power)}{write_unit(o.target_kind, o.target)}",
    lambda o, w: f"{w.unit(o.kind, o.at)} supports {_helped(o, w)}",
    productions=(
        Production("support_hold", "says", _support_hold, MOVEMENT, shared=True),
        Production("each_other", "says", _each_other, MOVEMENT, shared=True),
        Production("same", "says", _same, shared=True, far=0.3),
        Production("likewise", "beside", _likewise, shared=True),
    ),
    gesture=SUPPORT_GESTURE,
)
SUPPORT_MOVE = OrderKind(
    SupportMove,
    "support",
    lambda o: f"{write_unit(o.kind, o.at)} S {of(o.power)}{write_unit(o.target_kind, o.target)} - {o.to}",
    lambda o, w: f"{w.unit(o.kind, o.at)} supports {_helped(o, w)} to {w.place(o.to)}",
    productions=(
        Production("support_move", "says", _support_move, MOVEMENT, shared=True),
        Production("support_unsaid", "says", _support_unsaid, MOVEMENT, shared=True, far=1.0),
        Production("support_attack", "says", _support_attack, MOVEMENT, shared=True),
        Production("support_it", "says", _support_it, MOVEMENT, shared=True, far=0.4),
        Production("supported", "beside", _supported, MOVEMENT),
        Production("support_first", "opens", _supports_first, MOVEMENT),
        Production("helped_first", "opens", _helped_first, MOVEMENT),
        Production("attack_first", "opens", _attack_first, MOVEMENT, far=0.3),
    ),
    shown="S",
    gesture=SUPPORT_GESTURE,
)
CONVOY = OrderKind(
    Convoy,
    "a convoy",
    lambda o: f"{write_unit(o.kind, o.at)} C {of(o.power)}{write_unit(o.target_kind, o.target)} - {o.to}",
    lambda o, w: f"{w.unit(o.kind, o.at)} convoys {_helped(o, w)} to {w.place(o.to)}",
    productions=(
        Production("convoy", "says", _convoy, MOVEMENT, shared=True),
        Production("convoy_it", "says", _convoy_it, MOVEMENT, shared=True, far=1.2),
        Production("convoys_itself", "says", _convoys_itself, MOVEMENT, far=0.3),
        Production("convoyed", "beside", _convoyed, MOVEMENT),
        Production("convoy_first", "opens", _convoys_first, MOVEMENT),
    ),
    shown="C",
    gesture=Gesture(
        name="convoy",
        taps="helped",
        label="Convoy {whom}[ to {to}]",
        group="Convoy",
        key="c",
        rank=1,
        asks="{unit} C {whom}[ - {to}]",
        carries=True,
        stroke="wavy line",
    ),
)
KINDS = (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY)
