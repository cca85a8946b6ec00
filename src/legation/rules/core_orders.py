"""Centers that a unit makes homes by an order (coring). No built-in variant uses it."""

from collections.abc import Sequence
from typing import Any, ClassVar

from legation.board import province_of
from legation.judge import Aftermath, Outcome, Rule, RulesError, Ruleset
from legation.judge.slices import CENTER, POWER
from legation.notation import Drawn, OrderKind, Production, write_unit
from legation.orders import Order, UnitOrder
from legation.position import Phase, Position


def _example(rules: Ruleset, land: Sequence[str]) -> str:
    """A center that is nobody's home, where there is one."""
    homes = {home for power in rules.powers.values() for home in power.homes}
    return next((place for place in land if place in rules.board.centers and place not in homes), land[0])


class Core(UnitOrder, frozen=True):
    """``A bel cores``: the unit holds, and makes the center a home."""


CORE = OrderKind(
    Core,
    "a core order",
    lambda order: f"{write_unit(order.kind, order.at)} cores",
    lambda order, names: f"{names.unit(order.kind, order.at)} cores",
    grammar="core = CORES",
    words=(("CORES", "core, cores"),),
    productions=(Production("core", "says", lambda text, unit, slots: Core(unit.kind, unit.at), stays=True),),
    phases=(Phase.MOVEMENT,),
    title="Core",
    meaning="The unit holds; ordered often enough one time after the other, its center becomes a home.",
    ways=("A bel cores",),
    examples=lambda rules, land: [Core("A", _example(rules, land))],
    drawn=Drawn(strokes="ring", legend="cores"),
)


class CoreOrders(Rule):
    """A unit in a center that its power owns makes it a home by core orders in consecutive movement turns in which it
    isn't dislodged.

    Setting: ``times`` (how many, 2). The slice ``core_orders`` has ``homes`` (by power, those made so) and ``cored``
    (by center, its power and the number of orders)."""

    key = "core_orders"
    slice_told = "has lists of homes by power under 'homes', and under 'cored' by center its power and how often"
    replaces = frozenset({"homes"})
    orders: ClassVar[tuple[OrderKind, ...]] = (CORE,)

    def __init__(self, times: int = 2) -> None:
        if times < 1:
            raise RulesError(f"times: must be at least 1, not {times}")
        self.times = times
        self.slice_form = {"homes?": {POWER: (CENTER,)}, "cored?": {CENTER: (POWER, range(1, times))}}

    def homes(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        made = self._kept(position).get("homes", {}).get(power, ())
        return tuple(dict.fromkeys([*rules.powers[power].homes, *made]))

    def check(self, rules: Ruleset, position: Position, power: str, order: Order) -> str | None:
        assert isinstance(order, Core)
        place = province_of(order.at)
        if position.owners.get(place) != power:
            name = rules.board.name_of(place)
            return (
                f"{rules.named(power)} {rules.named(power):does|do} not own {name}"
                if place in rules.board.centers
                else f"{name} isn't a center"
            )
        return (
            f"{rules.board.name_of(place)} is a home of {rules.named(power)} already"
            if place in self.homes(rules, position, power)
            else None
        )

    def legal_orders(self, rules: Ruleset, position: Position, power: str) -> Sequence[Order]:
        if position.turn.phase is not Phase.MOVEMENT:
            return ()
        orders = [Core(unit.kind, unit.at) for unit in position.units_of(power)]
        return [order for order in orders if self.check(rules, position, power, order) is None]

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        if aftermath.before.turn.phase is not Phase.MOVEMENT:
            return
        kept: dict[str, Any] = aftermath.slices.pop(self.key, {})
        homes = {power: [*centers] for power, centers in kept.get("homes", {}).items()}
        cored: dict[str, list[Any]] = {}
        for verdict in aftermath.verdicts:
            if not isinstance(verdict.order, Core) or verdict.outcome is not Outcome.SUCCEEDS:
                continue
            place, power = province_of(verdict.order.at), verdict.power
            if verdict.dislodged_from is not None or any(d.unit.province == place for d in aftermath.dislodged):
                continue
            before = kept.get("cored", {}).get(place, ["", 0])
            done = before[1] + 1 if before[0] == power else 1
            if done < self.times:
                cored[place] = [power, done]
            else:
                homes[power] = sorted({*homes.get(power, ()), place})
        if homes or cored:
            aftermath.slices[self.key] = {"homes": dict(sorted(homes.items())), "cored": dict(sorted(cored.items()))}

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        often = "once" if self.times == 1 else f"in {self.times} consecutive movement turns"
        return (
            "A power builds in the vacant home centers that it owns.",
            f"A unit that cores {often} in a center that its power owns, without being dislodged, makes it a home of "
            "its power. Meanwhile it holds.",
        )
