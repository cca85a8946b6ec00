"""The fast ferry: a fleet that moves and carries an army with it (K-9). The judge knows how ferries work; this module lets a game have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from legation.judge import Module, Option
from legation.orders import Ferry
from legation.position import Phase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from legation.judge import Ruleset
    from legation.orders import Order


class FastFerry(Module):
    """Armies may be ferried; the option ``ferry`` turns it off."""

    key = "ferry"
    options = (Option("ferry", "K-9", (True, False), "Whether a fleet that moves may carry an army with it."),)
    orders: ClassVar[Mapping[Phase, tuple[type[Order], ...]]] = {Phase.MOVEMENT: (Ferry,)}

    def order_kinds(self, rules: Ruleset, phase: Phase) -> tuple[type[Order], ...]:
        return self.orders.get(phase, ()) if rules.options["ferry"] is True else ()

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        if rules.options["ferry"] is not True:
            return ("Armies cross the sea by convoy only; the fast ferry is not played.",)
        return (
            "Fast ferry: in one turn an army boards a fleet in an adjacent sea, the fleet moves to an adjacent sea, and the army lands on a coast adjacent to that: 'A lon - nwy by ferry F nth - nwg', and for the fleet 'F nth - nwg ferries A lon - nwy' (a plain move will do for a fleet of the same power).",
            "Several fleets may ferry one army in a chain; one of them moves, the others convoy. Ferrying fleets are at sea and stay at sea.",
            "Decided: the army lands only if every fleet of its chain is undislodged and the moving fleet's move succeeds; else it stays where it was. The landing is an ordinary attack.",
        )
