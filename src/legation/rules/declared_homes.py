"""Centers that a power declares to be its homes. No built-in variant uses it."""

from collections.abc import Sequence
from typing import Any, ClassVar

from legation.board import province_of
from legation.frozen import Frozen
from legation.judge import Aftermath, Rule, RulesError, Ruleset
from legation.judge.slices import CENTER, POWER
from legation.notation import Drawn, OrderKind, Production, Slots, Text
from legation.orders import Order
from legation.position import Phase, Position


def _example(rules: Ruleset, land: Sequence[str]) -> str:
    """A center that is nobody's home, where there is one."""
    homes = {home for power in rules.powers.values() for home in power.homes}
    return next((place for place in land if place in rules.board.centers and place not in homes), land[0])


class DeclareHome(Order, frozen=True):
    """``declare bel``: Belgium is a home from now on."""

    center: str


def _read(text: Text, slots: Slots) -> Order | None:
    center = text.pick(slots["at"][0])
    return None if center is None else DeclareHome(province_of(center))


DECLARE = OrderKind(
    DeclareHome,
    "the declaration of a home",
    lambda order: f"declare {order.center}",
    lambda order, names: f"Declare {names.place(order.center)} a home",
    grammar="declare = DECLARES at=PLACE",
    words=(("DECLARES", "declare, declares"),),
    productions=(Production("declare", "opens", _read),),
    phases=(Phase.ADJUSTMENTS,),
    title="Declare a home",
    meaning="A center that the power owns is a home of its own from the next adjustments on.",
    ways=("declare bel",),
    examples=lambda rules, land: [DeclareHome(_example(rules, land))],
    drawn=Drawn(words=lambda power, order: f"{power}: {order.center} declared a home"),
)


class DeclaredHomes(Rule):
    """A power can declare centers that it owns to be its homes.

    Setting: ``number`` (how many in a game, 1). The slice ``declared_homes`` lists by power those declared."""

    key = "declared_homes"
    slice_form = Frozen({POWER: (CENTER,)})
    replaces = frozenset({"homes"})
    orders: ClassVar[tuple[OrderKind, ...]] = (DECLARE,)

    def __init__(self, number: int = 1) -> None:
        if number < 1:
            raise RulesError(f"number: must be at least 1, not {number}")
        self.number = number
        self.slice_told = f"lists by power the centers that it has declared homes, {number} at most"

    def _declared(self, position: Position, power: str) -> Sequence[str]:
        declared: Sequence[str] = self._kept(position).get(power, ())
        return declared

    def homes(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*rules.powers[power].homes, *self._declared(position, power)]))

    def check(self, rules: Ruleset, position: Position, power: str, order: Order) -> str | None:
        assert isinstance(order, DeclareHome)
        named = rules.named(power)
        if position.owners.get(order.center) != power:
            return f"{rules.board.name_of(order.center)} isn't a center of {named}"
        if order.center in self.homes(rules, position, power):
            return f"{rules.board.name_of(order.center)} is a home of {named} already"
        if len(self._declared(position, power)) >= self.number:
            return f"{named} {named:has|have} declared {self.number}, as many as allowed"
        return None

    def legal_orders(self, rules: Ruleset, position: Position, power: str) -> Sequence[Order]:
        if position.turn.phase is not Phase.ADJUSTMENTS:
            return ()
        orders = [DeclareHome(center) for center in rules.board.centers if position.owners.get(center) == power]
        return [order for order in orders if self.check(rules, position, power, order) is None]

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        if aftermath.before.turn.phase is not Phase.ADJUSTMENTS:
            return
        declared = {power: [*centers] for power, centers in self._kept(aftermath).items()}
        for power, order in aftermath.successful(DeclareHome):
            own = declared.setdefault(power, [])
            if len(own) < self.number and order.center not in own:
                own.append(order.center)
        if declared:
            aftermath.slices[self.key] = dict(sorted(declared.items()))

    def slice_faults(self, rules: Ruleset, kept: Any) -> Sequence[str]:
        many = (
            [power for power, centers in kept.items() if len(centers) > self.number] if isinstance(kept, dict) else ()
        )
        return super().slice_faults(rules, kept) or [f"{power}: {self.slice_told}" for power in many]

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        some = "one center" if self.number == 1 else f"up to {self.number} centers"
        return (
            "A power builds in the vacant home centers that it owns.",
            f"In adjustments a power may declare centers that it owns its homes, {some} in a game; it may build there "
            "from the next adjustments on.",
        )
