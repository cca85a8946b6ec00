"""Builds, placements and removals, one after the other, each from the legal list that the ones before leave."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from legation.judge import Ruleset, legal_orders
from legation.orders import Build, Order, Remove, Sheet, Waive
from legation.position import Position, Unit

Change: TypeAlias = Build | Remove


def adjust(
    rules: Ruleset,
    view: Position,
    power: str,
    choose: Callable[[list[Change]], Change | None],
    sent: Sequence[Order] = (),
) -> list[Order]:
    """What a power orders in adjustments or placement, with the supply that it sends.

    ``choose`` picks from what is legal, or None to waive what is left of its builds."""
    ordered = list(sent)
    sends = [Sheet(power, tuple(sent))]
    removing = False
    while True:
        legal = legal_orders(rules, view, [power])[power]
        room = rules.limit(view, power, sends) - rules.size(view, power)
        if removing and room >= 0:  # what a costly unit leaves beyond need is not built on
            return ordered
        removing = room < 0
        changes: list[Change]
        if not removing:
            changes = [o for o in legal if isinstance(o, Build) and rules.kinds[o.kind].cost <= room]
        elif sent:  # the legal list does not know of what is sent
            changes = [Remove(unit.kind, unit.at) for unit in view.units_of(power)]
        else:
            changes = [o for o in legal if isinstance(o, Remove)]
        change = choose(changes) if changes else None
        if change is None:
            return ordered + [Waive()] * (room if Waive() in legal else 0)
        ordered.append(change)
        if isinstance(change, Build):
            units = (*view.units, Unit(change.kind, change.at, power))
        else:
            units = tuple(unit for unit in view.units if unit.at != change.at)
        view = msgspec.structs.replace(view, units=units)
