"""Reads the orders in a part of a line, and the remarks in brackets beside them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.parsing.orders import Parser
from legation.notation.prose import sayings
from legation.notation.sheets.asides import aside_end
from legation.notation.sheets.reasons import (
    reason_end,
)
from legation.notation.sheets.shapes import part_end
from legation.notation.tokens import BRACKETS
from legation.orders import Order, SupportHold

_CONTRASTS = (
    "not",
    "no",
    "was",
    "formerly",
    "previously",
    "instead of",
    "rather than",
    "changed from",
    "no longer",
    "not to",
)
_ELSE = (
    (sayings.CONDITIONS - sayings.CHATTY) | sayings.NEGATIONS | sayings.CORRECTS | sayings.RETRACTS | {"-", "?", ":"}
)


def read_orders(parser: Parser) -> list[Order]:
    """Orders up to where one may end.

    :raises OrderTextError: if any of it is not understood.
    """
    begin = parser.at
    orders = parser.orders()
    parser.take(":")
    while (end := aside_end(parser) or _contrast_end(parser, orders) or _repetition_end(parser, orders)) > 0:
        parser.at = end
    orders += _with_another(parser, orders)
    while orders and not parser.ended and not _may_go_on(orders[-1]):
        if not parser.kind_comes() and not parser.own_unit_comes() and not _opens_again(parser, begin):
            break
        orders += parser.orders()  # a unit after a whole order begins the next one
        parser.take(":")  # A par - pic: A mar - bur: F bre H
    if not parser.ended and not _rest_comes(parser):
        tokens, rest = parser.tokens, parser.at
        parser.at = stop = part_end(parser, begin, rest)
        parser.at = rest
        if reason_end(parser, orders):
            return orders
        parser.at = stop
        if stop == rest:  # A par - gas. H
            follows = parser.text[tokens[rest].start : tokens[rest].end][:60]
            what = "what follows in brackets" if follows in BRACKETS or follows == "(" else repr(follows)
            parser.fail(f"{what} may belong to it; write the order on a line of its own", rest)
        parser.fail(f"cannot read {parser.text[tokens[rest].start : tokens[stop - 1].end][:60]!r}", rest)
    return orders


def _with_another(parser: Parser, orders: Sequence[Order]) -> list[Order]:
    """What is said of another own unit in ``A gal - bud, with A ukr - gal``, ``with A ukr moving to gal``; of ``A gal -
    bud with A ukr - gal`` it may be that one takes the place of the other."""
    start = parser.at
    comma = parser.take(",")
    if orders and not parser.stopped and parser.peek() == "with" and parser.own_order_comes():
        parser.at += 1
        try:
            further = parser.orders()
        except OrderTextError:
            further = []
        moving = any(t.text.endswith("ing") or t.text == "behind" for t in parser.tokens[start : parser.at])
        if further and parser.ended and (comma or moving):
            return further
    parser.at = start
    return []


def _contrast_end(parser: Parser, orders: Sequence[Order]) -> int:
    """Where a remark in brackets ends that names what the order was not to be, another place: ``(not Pic)``; 0 where
    none comes."""
    if parser.peek() != "(" or not orders:
        return 0
    start = parser.at
    try:
        parser.at += 1
        if not any(parser.take(*words.split()) for words in reversed(_CONTRASTS)):
            return 0
        parser.take(":")
        meaning, end = parser.longest_name(parser.at)
        own = {province_of(place) for order in orders for place in places_of(order)}
        other = meaning.sure and not own & {province_of(key) for key in meaning.keys}
        close = end
        while close < len(parser.tokens) and parser.tokens[close].text not in ("(", ")"):
            close += 1
        said = [token.text for token in parser.tokens[end:close]]  # not Hel, where France could catch it
        tail = not said or (said[0] == "," and set(said).isdisjoint(_ELSE))
        closed = close < len(parser.tokens) and parser.tokens[close].text == ")"
        return close + 1 if other and tail and closed else 0
    finally:
        parser.at = start


def _repetition_end(parser: Parser, orders: Sequence[Order]) -> int:
    """Where brackets end that say one of these orders again: ``discharges the mercenaries in Provence (A Pro
    disbanded)``; 0 where none come."""
    start = parser.at
    if parser.peek() != "(" or not orders or parser.peek(2) == ")":
        return 0
    try:
        parser.at += 1
        again = parser.orders()
        closed = parser.peek() == ")" and parser.at + 1
        return closed if again and all(any(says_same(one, other) for other in orders) for one in again) else 0
    except OrderTextError:
        return 0
    finally:
        parser.at = start


def says_same(one: Order, other: Order) -> bool:
    """Whether two orders say the same, but for the kinds of units that one of them may leave out."""
    kinds = {getattr(order, "kind", "") for order in (one, other)} - {""}
    helped = {getattr(order, "target_kind", "") for order in (one, other)} - {""}
    same = type(one) is type(other) and without_kinds(one) == without_kinds(other)
    return same and len(kinds) < 2 and len(helped) < 2


def without_kinds(order: Order) -> dict[str, object]:
    """What an order says, but for the kinds of units."""
    said: dict[str, object] = msgspec.structs.asdict(order)
    return {name: value for name, value in said.items() if name not in ("kind", "target_kind")}


def places_of(order: Order) -> list[str]:
    """The places that an order names."""
    return [value for value in msgspec.structs.asdict(order).values() if isinstance(value, str)]


def leave_out_asides(parser: Parser) -> None:
    """Leave out remarks in brackets where a unit alone is an order: ``A war (sorry!)``."""
    at = 1
    while at < len(parser.tokens):
        parser.at = at
        end = aside_end(parser) if parser.peek() == "(" else 0
        if end > at:
            parser.tokens[at - 1] = msgspec.structs.replace(parser.tokens[at - 1], end=parser.tokens[end - 1].end)
            del parser.tokens[at:end]
        else:
            at += 1
    parser.at = 0


def _rest_comes(parser: Parser) -> bool:
    """Whether all other units come next, and what they do: ``par-gas mar-spa the rest hold``."""
    ahead = int(parser.peek() == "the")
    return parser.peek(ahead) in ("rest", "others") and parser.peek(ahead + 1) in parser.reader.stays


def _opens_again(parser: Parser, begin: int) -> bool:
    """Whether the word that began these orders comes again before a unit: ``REMOVE A gas REMOVE F eng``."""
    word = parser.peek()
    if word not in parser.reader.openings or word != parser.tokens[begin].text:
        return False
    parser.at += 1
    comes = parser.kind_comes()
    parser.at -= 1
    return comes


def _may_go_on(order: Order) -> bool:
    """Whether the unit that follows may belong to the order: ``S Eng F nth`` may name a power and its unit."""
    return isinstance(order, SupportHold) and not order.target_kind
