"""The fast ferry: a fleet that moves and carries an army with it (K-9). The judge knows how ferries work; this module lets a game have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import msgspec

from legation.board import ARMY, province_of
from legation.judge import Module, Option, Refusal, Situation
from legation.orders import Convoy, Ferry, Move, Sheet
from legation.position import Phase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from legation.judge import Ruleset, Verdict
    from legation.orders import Order
    from legation.position import Position


class FastFerry(Module):
    """Armies may be ferried; the option ``ferry`` turns it off."""

    key = "ferry"
    options = (Option("ferry", "K-9", (True, False), "Whether a fleet that moves may carry an army with it."),)
    orders: ClassVar[Mapping[Phase, tuple[type[Order], ...]]] = {Phase.MOVEMENT: (Ferry,)}

    def order_kinds(self, rules: Ruleset, phase: Phase) -> tuple[type[Order], ...]:
        return self.orders.get(phase, ()) if rules.options["ferry"] is True else ()

    def rewrite(
        self, rules: Ruleset, position: Position, sheets: tuple[Sheet, ...]
    ) -> tuple[tuple[Sheet, ...], tuple[Verdict, ...]]:
        """An army that is ordered to where a fleet is to ferry it goes by that ferry, though its order does not say so.

        Its own power's fleets come first, so that nobody else's order can turn it away from them; where several rides are left, none is taken. Only legal orders count, and
        convoys only where they make a whole way without a fleet that moves: else they may be links of the ferry's chain.
        """
        if position.turn.phase is not Phase.MOVEMENT or rules.options["ferry"] is not True:
            return sheets, ()
        situation = Situation(rules, position)
        rides: dict[tuple[str, str], dict[str, set[tuple[str, str]]]] = {}  # by army and goal, then by power
        convoys: dict[tuple[str, str], dict[str, set[str]]] = {}  # the same: where the fleets are
        for sheet in sheets:
            for order in sheet.orders:
                if not isinstance(order, Ferry | Convoy):
                    continue
                effect = situation.read(sheet.power, order)
                if isinstance(effect, Ferry):
                    passage = effect.target, effect.target_to
                    rides.setdefault(passage, {}).setdefault(sheet.power, set()).add((effect.at, effect.to))
                elif isinstance(effect, Convoy):
                    passage = effect.target, effect.to
                    convoys.setdefault(passage, {}).setdefault(sheet.power, set()).add(effect.at)

        def aboard(power: str, order: Order) -> Order:
            if not isinstance(order, Move) or order.ferry or order.route or order.via_convoy:
                return order
            passage = province_of(order.at), province_of(order.to)
            offered = rides.get(passage, {})
            convoyed = convoys.get(passage, {})
            if not offered or passage[1] in rules.board.reach(ARMY, passage[0]):
                return order
            if _leads(rules, passage, convoyed.get(power, set())):
                return order
            chosen = offered.get(power, set())
            if not chosen and not _leads(rules, passage, set().union(*convoyed.values())):
                chosen = set().union(*offered.values())
            ways = [msgspec.structs.replace(order, ferry=ride) for ride in chosen]
            possible = [way for way in ways if not isinstance(situation.read(power, way), Refusal)]
            return possible[0] if len(possible) == 1 else order

        if not rides:
            return sheets, ()
        return tuple(Sheet(s.power, tuple(aboard(s.power, order) for order in s.orders)) for s in sheets), ()

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        if rules.options["ferry"] is not True:
            return ("Armies cross the sea by convoy only; the fast ferry is not played.",)
        return (
            "Fast ferry: in one turn an army boards a fleet in an adjacent sea, the fleet moves to an adjacent sea, and the army lands on a coast adjacent to that: 'A lon - nwy by ferry F nth - nwg', and for the fleet 'F nth - nwg ferries A lon - nwy' (a plain move will do for a fleet of the same power).",
            "Decided: where a fleet is ordered to ferry an army, the army's order need not say so: 'A lon - nwy' will do, unless the army can walk there, is convoyed all the way, or is offered several rides; its own power's fleets come first, and illegal orders of others change nothing. A fleet that two armies would ride on takes neither.",
            "Several fleets may ferry one army in a chain; one of them moves, the others convoy. Ferrying fleets are at sea and stay at sea.",
            "Decided: the army lands only if every fleet of its chain is undislodged and the moving fleet's move succeeds; else it stays where it was. The landing is an ordinary attack.",
        )


def _leads(rules: Ruleset, passage: tuple[str, str], fleets: set[str]) -> bool:
    """Whether fleets that stay make a whole way from one coast to the other."""
    by_sea = rules.tables.by_sea
    left = set(fleets)
    reached = {passage[0]}
    while further := {sea for sea in left if by_sea[sea] & reached}:
        left -= further
        reached |= further
    return any(passage[1] in by_sea[sea] for sea in reached - {passage[0]})
