"""Orders of several powers in one text: under a heading for each, or else of whose unit they are."""

from __future__ import annotations

from legation.board import province_of
from legation.game import check_orders
from legation.judge import Ruleset
from legation.notation import capital, write
from legation.orders import Order
from legation.position import Position


def read_by_power(rules: Ruleset, position: Position, text: str) -> tuple[dict[str, list[Order]], list[str]]:
    """Return the orders of a text by power, and all that isn't an order or can't be one. ``position`` is as the writer
    sees it; where rules hide a part, orders there may be guesses."""
    found: dict[str, list[Order]] = {}
    faults: list[str] = []
    owners = {unit.province: unit.power for unit in position.units}
    owners |= {one.unit.province: one.unit.power for one in position.dislodged}
    for power, (orders, errors) in rules.reader.sheets(text, position.turn.phase, position).items():
        faults += [f"orders: {error}" for error in errors]
        for order in orders:
            whose = power or owners.get(province_of(getattr(order, "at", "")), "")
            if whose:
                found.setdefault(whose, []).append(order)
            else:
                faults.append(f"orders: whose is {write(order)}? Write the power before it, 'France: ...'")
    if not rules.steps["visible_provinces"]:
        for power, orders in found.items():
            checked = check_orders(rules, position, power, orders)
            faults += [f"{power}: {one.problem.message}" for one in checked.entries if one.problem is not None]
    return {power: found[power] for power in rules.powers if power in found}, [capital(fault) for fault in faults]
