"""Units disbanded in movement turns. No built-in variant uses it."""

from collections.abc import Sequence

from legation.board import province_of
from legation.judge import Aftermath, Rule, Ruleset
from legation.orders import Disband, Order
from legation.position import Phase, Position


class MovementDisbands(Rule):
    """A unit can be ordered to disband in a movement turn: it holds, and is gone at the end of the turn."""

    key = "movement_disbands"

    def order_kinds(self, rules: Ruleset, phase: Phase) -> tuple[type[Order], ...]:
        return (Disband,) if phase is Phase.MOVEMENT else ()

    def legal_orders(self, rules: Ruleset, position: Position, power: str) -> Sequence[Order]:
        if position.turn.phase is not Phase.MOVEMENT:
            return ()
        return [Disband(unit.kind, unit.at) for unit in position.units_of(power)]

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        if aftermath.before.turn.phase is not Phase.MOVEMENT:
            return
        gone = {province_of(order.at) for _, order in aftermath.successful(Disband)}
        stood = {unit.at for unit in aftermath.before.units if unit.province in gone}
        before = {unit for unit in aftermath.before.units if unit.at in stood}
        aftermath.units = [unit for unit in aftermath.units if unit not in before]
        aftermath.dislodged = [entry for entry in aftermath.dislodged if entry.unit not in before]
        for place in gone:
            aftermath.retreats.pop(place, None)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return ("A unit may be ordered to disband in movement: it holds, and is gone when the turn is over.",)
