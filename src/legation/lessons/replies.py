"""Replies: whether a goal is reached whatever the others order, by trying all that they could order about it.

Of the others only orders count that touch the places on which the goal depends: where the power's units stand and go
that have to do with it. All other units hold, which is as good for who is in the way as anything else."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from legation.board import province_of
from legation.judge import Resolution, Ruleset, legal_orders, resolve
from legation.lessons.goals import Goal
from legation.orders import Convoy, Hold, Move, Order, Sheet, SupportHold, SupportMove, UnitOrder
from legation.position import Position

MOST_REPLIES = 6_000
Replies = list[tuple[str, list[Order]]]


def best_reply(rules: Ruleset, position: Position, sheet: Sheet, goal: Goal) -> Resolution:
    """Return the result of a turn with a reply that prevents the goal; with others holding if there is none."""
    quiet = resolve(rules, position, [sheet])
    if goal.missed(rules, quiet):
        return quiet
    options = replies_about(rules, position, sheet.power, concerned(sheet.orders, goal.places[0]))
    return next(refutations(rules, position, sheet, goal, options), quiet)


def refutations(rules: Ruleset, position: Position, sheet: Sheet, goal: Goal, options: Replies) -> Iterator[Resolution]:
    """The results of replies by which a goal is missed."""
    for chosen in product(*(orders for _, orders in options)):
        sheets = [Sheet(power, (order,)) for (power, _), order in zip(options, chosen, strict=True)]
        resolution = resolve(rules, position, [sheet, *sheets])
        if goal.missed(rules, resolution):
            yield resolution


def replies_about(rules: Ruleset, position: Position, power: str, places: set[str]) -> Replies:
    """Return others' units that can affect ``places``, with their orders: attacks first, holding last."""
    found: Replies = []
    others = [name for name in rules.powers if name != power]
    own = {unit.province for unit in position.units_of(power)}
    for other, legal in legal_orders(rules, position, others).items():
        by_unit: dict[str, list[Order]] = {}
        for order in legal:
            if isinstance(order, UnitOrder) and touches(order) & places and not _helps(own, order):
                by_unit.setdefault(order.at, []).append(order)
        for at, orders in by_unit.items():
            kept = sorted(_without_more(orders), key=_rank)
            if any(not isinstance(order, Hold) for order in kept):
                unit = next(unit for unit in position.units if unit.at == at)
                found.append((other, [*kept, Hold(unit.kind, unit.at)]))
    return found


def count_replies(options: Replies) -> int:
    """Return in how many ways the others can reply."""
    return prod(len(orders) for _, orders in options)


def touches(order: Order) -> set[str]:
    """Return the provinces that an order does something in: where it attacks, or whom it helps, and where to."""
    match order:
        case Move():
            return {province_of(order.to)}
        case SupportHold():
            return {province_of(order.target)}
        case SupportMove() | Convoy():
            return {province_of(order.to)}
    return set()


def concerned(orders: Sequence[Order], target: str) -> set[str]:
    """Return the places on which it depends whether a unit is at ``target`` in the end: where the units stand that go
    there, stay there or help with it, and, where they attack somebody to that end, where they go."""
    places = {target}
    while True:
        more = {
            place
            for order in orders
            if isinstance(order, UnitOrder) and touches(order) & places
            for place in (province_of(order.at), *touches(order), province_of(getattr(order, "target", order.at)))
        }
        if more <= places:
            return places
        places |= more


def _helps(own: set[str], order: Order) -> bool:
    """Whether an order helps one of the units in ``own`` provinces, which nobody does who wants it to fail."""
    return province_of(getattr(order, "target", "")) in own


def _without_more(orders: list[Order]) -> list[Order]:
    """Return orders but holds, and but moves by convoy of which the same stands among them by land."""
    by_land = {order.to for order in orders if isinstance(order, Move) and not order.via_convoy}
    return [
        o for o in orders if not ((isinstance(o, Move) and o.via_convoy and o.to in by_land) or isinstance(o, Hold))
    ]


def _rank(order: Order) -> int:
    return next((n for n, kind in enumerate((Move, SupportMove, SupportHold, Convoy)) if isinstance(order, kind)), 9)
