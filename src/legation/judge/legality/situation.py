"""A position in which orders are judged one by one: each as it takes effect, or why it is illegal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from legation.board import FLEET
from legation.judge.legality import adjustments, movement, retreats
from legation.judge.legality.reach import Reach
from legation.judge.plain_orders import Judged, Refusal
from legation.notation import kind_of
from legation.orders import Build, Disband, Order, Remove, Retreat, VoteDraw, Waive
from legation.position import Unit


def _as_it_is(situation: Situation, power: str, order: Order) -> Judged:
    return order


OF_OWN_UNITS: Mapping[type[Order], Callable[[Any, Unit, Any], Judged]] = {
    **movement.LEGALITY,
    Remove: adjustments.judge_removal,
}
LEGALITY: Mapping[type[Order], Callable[[Any, str, Any], Judged]] = {
    Retreat: retreats.judge_retreat,
    Disband: retreats.judge_disbandment,
    Build: adjustments.judge_build,
    Waive: _as_it_is,
    VoteDraw: _as_it_is,
}
"""What judges each kind of order that every game has: the first by the unit that it names, the others by its power."""


class Situation(Reach):
    """A position and what may be ordered in it.

    An order as written becomes the order that takes effect (the coast filled in, a wrong unit letter corrected) or a
    reason why it is illegal; an illegal order leaves the unit holding (STD-7). The list of legal orders
    (:mod:`legation.judge.possible`) comes from the same reach."""

    def interpret(self, power: str, order: Order) -> Judged:
        """The order as it takes effect, or why it is illegal."""
        kind = type(order)
        if kind not in self.rules.order_kinds[self.position.turn.phase]:
            noun = kind_of(order).noun
            if not any(kind in kinds for kinds in self.rules.order_kinds.values()):
                return Refusal(f"{noun} is not played in this game")
            return Refusal(f"{noun} can't be ordered in {self.position.turn.phase.value.lower()}")
        if self.silenced and power in self.silenced and kind is not VoteDraw:
            return Refusal(self.silenced[power])
        if judge_unit := OF_OWN_UNITS.get(kind):
            named: Any = order
            unit = self.unit(power, named)
            return unit if type(unit) is Refusal else judge_unit(self, unit, order)
        if judge := LEGALITY.get(kind):
            return judge(self, power, order)
        module = self.rules.handler(kind)
        assert module is not None, "an order that is allowed has a rule that knows it"
        return module.interpret(self, power, order)

    def builds(self, power: str) -> Iterator[Build]:
        """Yield the builds of a power that are legal by themselves, site by site; whether there is room for them is
        not asked."""
        rules = self.rules
        for site in rules.build_sites(self.position, power):
            for kind in rules.kinds.values():
                for at in rules.board.provinces[site].locations if kind.travel == FLEET else (site,):
                    build = Build(kind.code, at)
                    if not isinstance(self.interpret(power, build), Refusal):
                        yield build
