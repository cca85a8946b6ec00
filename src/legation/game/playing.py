"""A turn played from the texts that count: what each power sent for it, and what it ordered ahead."""

from collections.abc import Mapping

import msgspec

from legation.game.log import PlayedTurn
from legation.game.reading_sheets import Unread
from legation.game.sheets import carried, interpret_sheet, unread
from legation.judge import Ruleset, has_business, resolve
from legation.orders import Order, Sheet
from legation.position import Phase, Position, Turn


def awaited_powers(rules: Ruleset, position: Position) -> tuple[str, ...]:
    """The powers that have something to order in a position."""
    phase = position.turn.phase
    if phase is Phase.MOVEMENT:
        awaited = {u.power for u in position.units}
    elif phase is Phase.RETREATS:
        awaited = {d.unit.power for d in position.dislodged}
    else:
        awaited = {power for power in rules.powers if has_business(rules, position, power)}
    return tuple(p for p in rules.powers if p in awaited and not rules.refuses_orders(position, p))


class OrderedAhead(msgspec.Struct, frozen=True):
    """What a sheet of an earlier turn of the season says for later ones; ``position`` is the one it was written in."""

    text: str
    turn: Turn
    position: Position


class GivenText(msgspec.Struct, frozen=True):
    """What a power gave for a turn: its sheet, and what it ordered ahead, the latest first."""

    text: str = ""
    ahead: tuple[OrderedAhead, ...] = ()


def play_texts(
    rules: Ruleset, position: Position, given: Mapping[str, GivenText], seed: str
) -> tuple[PlayedTurn, dict[str, tuple[Order, ...]]]:
    """Judge a turn from texts; also tells by power which orders came from what was ordered ahead.

    Only a power whose own sheet is blank is given what it ordered ahead, and of that the latest that comes to count."""
    sheets: list[Sheet] = []
    lost: list[Unread] = []
    from_ahead: dict[str, tuple[Order, ...]] = {}
    for power, sent in given.items():
        interpreted = interpret_sheet(rules, rules.seen(position, power), power, sent.text)
        orders = interpreted.check.sheet.orders
        lost += [Unread(power, text, why) for text, why in unread(interpreted.check)]
        if not orders and not sent.text.strip():
            orders = orders_ahead(rules, position, power, sent.ahead)
            if orders:
                from_ahead[power] = orders
        if orders:
            sheets.append(Sheet(power, tuple(orders)))
    resolution = resolve(rules, position, sheets, seed)
    return PlayedTurn(tuple(sheets), resolution, tuple(lost), seed), from_ahead


def orders_ahead(rules: Ruleset, position: Position, power: str, ahead: tuple[OrderedAhead, ...]) -> tuple[Order, ...]:
    """The orders that come to count of what a power ordered ahead, the latest first."""
    for sheet in ahead:
        seen, sent = rules.seen(position, power), rules.seen(sheet.position, power)
        if orders := carried(rules, seen, power, sheet.text, sheet.turn, sent):
            return tuple(orders)
    return ()
