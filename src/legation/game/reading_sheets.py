"""The sheets of a document: by power a text, or a list of texts, which means the same as its entries on lines of their
own."""

from typing import Any

import msgspec

from legation.judge import Ruleset
from legation.notation import OrderTextError
from legation.notation.cover import MOST_PARTS
from legation.notation.sheet import LONGEST_LINE
from legation.orders import Order, Sheet
from legation.position import Position

MOST_SHEETS = 4  # of one power, under different spellings of its name


class Unread(msgspec.Struct, frozen=True):
    """A part of a sheet that isn't an order, with what is wrong."""

    power: str
    text: str
    reason: str


def read_orders(
    rules: Ruleset, position: Position, orders: object, faults: list[str]
) -> tuple[tuple[Sheet, ...], tuple[Unread, ...]]:
    """The sheets of a document's ``orders``; what isn't a sheet is noted in ``faults``."""
    if not isinstance(orders, dict):
        faults.append("orders: must be an object by power")
        return (), ()
    sheets: list[Sheet] = []
    unread: list[Unread] = []
    if len(orders) > (most := MOST_SHEETS * len(rules.powers)):
        faults.append(f"orders: {len(orders)} sheets are more than {most}; put those of one power together")
        return (), ()
    for name, listed in orders.items():
        try:
            power = name if name in rules.powers else rules.reader.power(name)
        except OrderTextError as error:
            faults.append(f"orders: {error}")
            continue
        if isinstance(listed, str):
            orders_read, lost = _read_text(rules, position, power, listed)
        elif isinstance(listed, list):
            orders_read, lost = _read_list(rules, position, power, listed, name, faults)
        else:
            faults.append(f"orders.{name}: must be a list of orders, or one text")
            continue
        sheets.append(Sheet(power, orders_read))
        unread += lost
    return tuple(sheets), tuple(unread)


def _read_text(rules: Ruleset, position: Position, power: str, text: str) -> tuple[tuple[Order, ...], list[Unread]]:
    orders, errors = rules.reader.orders(text, position.turn.phase, power, position)
    return tuple(orders), [Unread(power, error.text, str(error)) for error in errors]


def _read_list(
    rules: Ruleset, position: Position, power: str, entries: list[Any], name: str, faults: list[str]
) -> tuple[tuple[Order, ...], list[Unread]]:
    if len(entries) <= MOST_PARTS:
        known = rules.reader.known_orders.find_all(entries, position.turn.phase, power)
        if known is not None:
            return known, []
    lost: list[Unread] = []
    if len(entries) > MOST_PARTS:
        reason = f"a sheet has at most {MOST_PARTS} orders; what comes after them is not read"
        lost.append(Unread(power, f"{len(entries) - MOST_PARTS} further orders", reason))
        entries = entries[:MOST_PARTS]
    texts = [entry for entry in entries if isinstance(entry, str)]
    if len(texts) < len(entries):
        wrong = [n for n, entry in enumerate(entries) if not isinstance(entry, str)]
        faults += [f"orders.{name}[{n}]: an order is a text" for n in wrong[:50]]
    for text in texts:
        if len(text) > LONGEST_LINE:
            reason = f"an entry is at most {LONGEST_LINE} characters long; this one is not read"
            lost.append(Unread(power, text[:80], reason))
    texts = [text for text in texts if len(text) <= LONGEST_LINE]
    orders, unread = _read_text(rules, position, power, "\n".join(texts))
    return orders, unread + lost
