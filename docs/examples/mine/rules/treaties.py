"""Treaties: each spring, powers that name each other bind themselves to keep out of each other's home centers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from legation.judge import Aftermath, Rule, Resolution, Ruleset
from legation.notation import Drawn, OrderKind, OrderTextError, Production, Slots, Text
from legation.orders import Order
from legation.position import Phase, Position, Unit

TREATIES = Phase("Treaties")


class Treaty(Order, frozen=True):
    """``treaty with Germany``."""

    power: str


def read(text: Text, slots: Slots) -> Order:
    if "power" not in slots:
        raise OrderTextError(text.text, (0, len(text.text)), "say with whom, as in 'treaty with ...'")
    return Treaty(slots["power"][0])


TREATY = OrderKind(
    Treaty,
    "a treaty",
    lambda order: f"treaty with {order.power}",
    lambda order, names: f"Treaty with {order.power}",
    grammar='treaty = TREATY ("with" power=POWER)?',
    words=(("TREATY", "treaty"),),
    productions=(Production("treaty", "opens", read),),
    phases=(TREATIES,),
    title="Offer a treaty",
    meaning="If the other offers one too, neither enters the other's home centers until the next treaties.",
    ways=("treaty with Germany",),
    examples=lambda rules, land: [Treaty(list(rules.powers)[-1])],
    drawn=Drawn(words=lambda power, order: f"{power} offers {order.power} a treaty"),
)


class Treaties(Rule):
    """Treaties for a year. The slice ``treaties`` lists the pairs of powers that are bound."""

    key = "treaties"
    orders = (TREATY,)
    phases = (TREATIES,)

    def check(self, rules: Ruleset, position: Position, power: str, order: Order) -> str | None:
        assert isinstance(order, Treaty)
        if order.power == power:
            return "a power has no treaty with itself"
        return None if order.power in position.survivors() else f"{order.power} is out of the game"

    def legal_orders(self, rules: Ruleset, position: Position, power: str) -> Sequence[Order]:
        alive = position.survivors()
        if position.turn.phase is not TREATIES or power not in alive:
            return ()
        return [Treaty(other) for other in alive if other != power]

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        if aftermath.before.turn.phase is not TREATIES:
            return
        offers = {(power, treaty.power) for power, treaty in aftermath.successful(Treaty)}
        aftermath.slices[self.key] = sorted([a, b] for a, b in offers if a < b and (b, a) in offers)

    def refuses_entry(self, rules: Ruleset, position: Position, unit: Unit, province: str) -> str | None:
        for pair in position.slices.get(self.key, ()):
            for other in pair:
                if unit.power in pair and other != unit.power and province in rules.homes(position, other):
                    return f"{unit.power} is bound by its treaty with {other}"
        return None

    def slice_faults(self, rules: Ruleset, kept: Any) -> Sequence[str]:
        pairs = [[a, b] for a in rules.powers for b in rules.powers if a < b]
        good = isinstance(kept, list) and all(pair in pairs for pair in kept)
        return () if good else ["lists pairs of powers, as in ['France', 'Germany']"]

    def news(self, rules: Ruleset, resolution: Resolution) -> Sequence[str]:
        if resolution.before.turn.phase is not TREATIES:
            return ()
        return [f"{a} and {b} have a treaty." for a, b in resolution.after.slices.get(self.key, ())]

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return ("Powers that offer each other a treaty keep out of each other's home centers until the next treaties.",)
