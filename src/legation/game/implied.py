"""The position that orders imply, for those who have the orders of a turn and no position."""

from collections.abc import Iterable

import msgspec

from legation.board import province_of
from legation.judge import Ruleset
from legation.orders import Build, Move, Order, Sheet, SupportMove, UnitOrder
from legation.position import Dislodged, Phase, Position, Turn, Unit


def bare_position(rules: Ruleset, turn: Turn) -> Position:
    """Return the opening without units and owners, at a turn."""
    nothing = {"units": (), "dislodged": (), "contested": frozenset[str](), "owners": {}}
    return msgspec.structs.replace(rules.opening(), turn=turn, **nothing)


def implied_position(rules: Ruleset, turn: Turn, sheets: Iterable[Sheet]) -> tuple[Position, list[str]]:
    """Return the position in which orders can be given, and why some of them name no unit of it.

    Who builds owns the center; nobody owns another."""
    faults: list[str] = []
    units: dict[str, Unit] = {}
    owners: dict[str, str] = {}
    for sheet in sheets:
        for order in sheet.orders:
            if isinstance(order, Build):
                owners[province_of(order.at)] = sheet.power
            elif isinstance(order, UnitOrder):
                able = [code for code, kind in rules.kinds.items() if rules.board.stands(kind.travel, order.at)]
                kind = order.kind or (able[0] if len(able) == 1 else "")
                unit = Unit(kind, order.at, sheet.power)
                if kind not in able:
                    faults.append(
                        f"{sheet.power}: {order.at}: needs the kind of its unit, and its coast if it has some"
                    )
                elif (other := units.setdefault(unit.province, unit)) != unit:
                    faults.append(f"{sheet.power}: {unit} stands where {other.power} has {other}")
    standing = tuple(units.values())
    out = turn.phase is Phase.RETREATS
    position = msgspec.structs.replace(
        bare_position(rules, turn),
        units=() if out else standing,
        dislodged=tuple(Dislodged(unit, None) for unit in standing) if out else (),
        owners=owners,
    )
    return position, faults


def sheets_apart(rules: Ruleset, orders: Iterable[Order]) -> list[Sheet]:
    """Return sheets for orders that nobody is said to have given: a unit and those that move against it, or support
    that, are of different powers. That decides a movement as if each unit were of a power of its own.

    Returned is nothing if the rules have too few powers for that."""
    given = {province_of(order.at): order for order in orders if isinstance(order, UnitOrder)}
    goals = {at: province_of(o.to) for at, o in given.items() if isinstance(o, Move | SupportMove)}
    sheets: dict[str, list[Order]] = {}
    owners: dict[str, str] = {}
    for at, order in given.items():
        foes = {goals.get(at), *(other for other, goal in goals.items() if goal == at)} - {at}
        taken = {owners[foe] for foe in foes if foe in owners}
        power = next((name for name in rules.powers if name not in taken), "")
        if not power:
            return []
        owners[at] = power
        sheets.setdefault(power, []).append(order)
    return [Sheet(power, tuple(listed)) for power, listed in sheets.items()]
