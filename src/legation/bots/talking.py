"""What bots write to players: offers of support and of peace along a border, and answers to proposals, from a table of
phrases.

A bot proposes what fits the orders that it means to send, and agrees to what costs it little. It keeps what it agrees
to in nine cases of ten (:data:`KEEPS`)."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import TypeGuard

import msgspec

from legation.board import province_of
from legation.judge import Ruleset, legal_orders
from legation.notation import write
from legation.orders import Convoy, Hold, Move, Order, Sheet, SupportHold, SupportMove, UnitOrder
from legation.position import Position

KEEPS = 0.9
SPEAKS = 0.6
"""How often a bot writes an offer that it could make."""
OFFERS = 2
"""So many letters a bot writes in a turn at most, unless it is asked."""
AGREES_TO_PEACE = 0.5
"""How often it gives an attack up for peace."""
PEACE = re.compile(
    r"\b(peace|truce|non-?aggression|alliance|ally|allies|dmz|demilitari[sz]ed?|cease-?fire)\b", re.IGNORECASE
)

SUPPORT_ME = (
    "Will you support my move to {place}? I’d be grateful.",
    "With your support I take {place} this turn. Will you give it?",
)
HOLD_ME = ("I fear for {place}. Will you support me there?", "Could you support my unit in {place} this turn?")
HELPED = ("You can count on my support this turn, as below.", "I’m supporting you this turn. These are my orders.")
STAY_AWAY = (
    "Shall we leave each other alone this turn? I’ll stay out of {places}.",
    "I propose peace along our border: I won’t enter {places} if you do the same.",
)
AGREED = ("Agreed.", "Fine, I’ll order that.", "Yes, that suits me.")
PEACE_AGREED = (
    "Peace along our border this turn, then: I’ll enter none of your provinces.",
    "Agreed: I won’t attack you this turn.",
)
REFUSED = ("No: {why}.", "Sorry, I can’t: {why}.")
NO_PEACE = ("Not this turn.", "I can’t promise that now.")
NOT_UNDERSTOOD = (
    "I’m a bot. I understand orders that you propose to me, and the word “peace” when you want me to leave you alone "
    "this turn."
)


class Offer(msgspec.Struct, frozen=True):
    """A letter that a bot writes: to which power, and the orders that it proposes, by power."""

    to: str
    text: str
    orders: Mapping[str, tuple[Order, ...]] = {}


class Reply(msgspec.Struct, frozen=True):
    """What a bot answers, whether it agrees, and the orders of its own that it agrees to."""

    text: str
    agrees: bool = False
    orders: tuple[Order, ...] = ()


def offers(rules: Ruleset, view: Position, sheet: Sheet, others: Collection[str], random: Random) -> list[Offer]:
    """Return the letters that a bot writes to some of the others in a movement turn, with the orders that it means to
    send; the most useful first."""
    found = []
    for other in others:
        possible = next(_offers(rules, view, sheet, other, random), None)
        if possible is not None and random.random() < SPEAKS:
            found.append(possible)
    return sorted(found, key=lambda offer: not offer.orders)[:OFFERS]


def _offers(rules: Ruleset, view: Position, sheet: Sheet, other: str, random: Random) -> Iterator[Offer]:
    held, power = held_by(view), sheet.power
    helped = [order for order in sheet.orders if _helps(order) and held.get(province_of(order.target)) == other]
    if helped:
        yield Offer(other, random.choice(HELPED), {power: tuple(helped)})
    yield from _wishes(rules, view, sheet, other, random)
    beside = {near for place, holder in held.items() if holder == power for near in rules.board.adjacent(place)}
    border = sorted(place for place, holder in held.items() if holder == other and place in beside)
    if border and not any(_enters(order, held, other) for order in sheet.orders):
        places = ", ".join(rules.board.provinces[place].name for place in border[:4])
        yield Offer(other, random.choice(STAY_AWAY).format(places=places))


def _wishes(rules: Ruleset, view: Position, sheet: Sheet, other: str, random: Random) -> Iterator[Offer]:
    """Support by another for what a bot orders, where a third power may be in the way."""
    held, power = held_by(view), sheet.power
    given = {order.at: order for order in sheet.orders if isinstance(order, UnitOrder)}
    for help_ in legal_orders(rules, view, [other])[other]:
        if not isinstance(help_, SupportMove | SupportHold):
            continue
        order = given.get(help_.target)
        if isinstance(help_, SupportMove):
            place, fits = province_of(help_.to), isinstance(order, Move) and order.to == help_.to
        else:
            place, fits = province_of(help_.target), isinstance(order, Hold)
        if order is None or not fits or (isinstance(order, Move) and held.get(place) == other):
            continue
        if held.get(place) in (None, power, other) and not _threatened(rules, view, place, {power, other}):
            continue
        phrase = random.choice(SUPPORT_ME if isinstance(order, Move) else HOLD_ME)
        text = phrase.format(place=rules.board.provinces[place].name)
        yield Offer(other, text, {other: (help_,), power: (order,)})


def reply(
    rules: Ruleset, view: Position, sheet: Sheet, sender: str, asked: Sequence[Order], text: str, random: Random
) -> Reply:
    """Return what a bot answers to another power's letter: to the orders that it proposes to the bot, or to what it
    says."""
    if asked:
        legal = set(map(write, legal_orders(rules, view, [sheet.power])[sheet.power]))
        for order in asked:
            if why := _objection(view, sheet, sender, order, legal):
                return Reply(random.choice(REFUSED).format(why=why))
        return Reply(random.choice(AGREED), True, tuple(asked))
    if not PEACE.search(text):
        return Reply(NOT_UNDERSTOOD)
    held = held_by(view)
    attacks = [o for o in sheet.orders if isinstance(o, UnitOrder) and _enters(o, held, sender)]
    if attacks and random.random() >= AGREES_TO_PEACE:
        return Reply(random.choice(NO_PEACE))
    return Reply(random.choice(PEACE_AGREED), True, tuple(Hold(order.kind, order.at) for order in attacks))


def agreed(sheet: Sheet, orders: Sequence[Order]) -> Sheet:
    """Return a sheet with orders that were agreed to in the place of those units' own."""
    instead = {order.at: order for order in orders if isinstance(order, UnitOrder)}
    kept = tuple(instead.pop(o.at, o) if isinstance(o, UnitOrder) else o for o in sheet.orders)
    return Sheet(sheet.power, (*kept, *instead.values()))


def _objection(view: Position, sheet: Sheet, sender: str, order: Order, legal: Collection[str]) -> str:
    """Why a bot doesn't agree to an order; empty where it does."""
    if write(order) not in legal or not isinstance(order, UnitOrder):
        return f"{write(order)} isn’t possible"
    own = next((o for o in sheet.orders if isinstance(o, UnitOrder) and o.at == order.at), None)
    if own == order or isinstance(order, Hold):
        return ""
    held, power = held_by(view), sheet.power
    if isinstance(own, Move) and held.get(province_of(own.to)) != power:
        return "I need that unit elsewhere"
    if _helps(order):
        if held.get(province_of(order.target)) not in (power, sender):
            return "that helps somebody else"
        into = order.target if isinstance(order, SupportHold) else order.to
        if held.get(province_of(into)) == power and held.get(province_of(order.target)) != power:
            return "that place is mine"
        return ""
    return "I have other plans there"


def _helps(order: Order) -> TypeGuard[SupportHold | SupportMove | Convoy]:
    return isinstance(order, SupportHold | SupportMove | Convoy)


def _enters(order: Order, held: Mapping[str, str], power: str) -> bool:
    """Whether an order brings a unit into what a power holds, or helps to."""
    if not isinstance(order, Move | SupportMove | Convoy) or held.get(province_of(order.to)) != power:
        return False
    return isinstance(order, Move) or held.get(province_of(order.target)) != power


def held_by(view: Position) -> dict[str, str]:
    """Return who holds each province: its unit's power, else its owner."""
    return dict(view.owners) | {unit.province: unit.power for unit in view.units}


def _threatened(rules: Ruleset, view: Position, province: str, but: Collection[str]) -> bool:
    """Whether a unit of any other power stands beside a province."""
    near = set(rules.board.adjacent(province))
    return any(unit.province in near and unit.power not in but for unit in view.units)
