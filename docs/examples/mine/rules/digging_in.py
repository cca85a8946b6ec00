"""Digging in: an army that does nothing else holds with greater strength."""

from __future__ import annotations

from collections.abc import Sequence

from legation.board import ARMY
from legation.judge import Rule, RulesError, Ruleset
from legation.notation import Drawn, OrderKind, OrderTextError, Production, Slots, Subject, Text, write_unit
from legation.orders import Order, UnitOrder
from legation.position import Phase, Position, Unit


class DigIn(UnitOrder, frozen=True):
    """``A par digs in``."""


def read(text: Text, unit: Subject, slots: Slots) -> Order:
    if "said" not in slots:
        raise OrderTextError(text.text, (0, len(text.text)), "say 'digs in'")
    return DigIn(unit.kind, unit.at)


DIG_IN = OrderKind(
    DigIn,
    "digging in",
    lambda order: f"{write_unit(order.kind, order.at)} digs in",
    lambda order, names: f"{names.unit(order.kind, order.at)} digs in",
    grammar='dig_in = DIGS said="in"?',
    words=(("DIGS", "dig, digs"),),
    productions=(Production("dig_in", "says", read, shared=True, stays=True),),
    phases=(Phase.MOVEMENT,),
    title="Dig in",
    meaning="The army holds, and is stronger where it stands.",
    ways=("A par digs in",),
    examples=lambda rules, land: [DigIn("A", land[0])],
    drawn=Drawn(strokes="ring", legend="digs in"),
    becomes=lambda order: (order.kind, order.at),
)


class DiggingIn(Rule):
    """An army may dig in. Setting: ``strength`` (1), the strength it gains."""

    key = "digging_in"
    orders = (DIG_IN,)

    def __init__(self, strength: int = 1) -> None:
        if strength < 1:
            raise RulesError(f"digging_in: strength must be at least 1, not {strength}")
        self.strength_gained = strength

    def check(self, rules: Ruleset, position: Position, power: str, order: Order) -> str | None:
        """Return why the order is illegal, if it is. That the unit is there and the power's own is checked already."""
        assert isinstance(order, DigIn)
        return None if rules.kinds[order.kind].travel == ARMY else "only armies dig in"

    def legal_orders(self, rules: Ruleset, position: Position, power: str) -> Sequence[Order]:
        if position.turn.phase is not Phase.MOVEMENT:
            return ()
        armies = [unit for unit in position.units_of(power) if rules.kinds[unit.kind].travel == ARMY]
        return [DigIn(unit.kind, unit.at) for unit in armies]

    def strength(self, rules: Ruleset, position: Position, unit: Unit, order: Order) -> int:
        return self.strength_gained if isinstance(order, DigIn) else 0

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (f"An army that digs in holds with a strength of {1 + self.strength_gained}.",)
