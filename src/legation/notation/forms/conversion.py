"""Conversion in writing (W-11)."""

from __future__ import annotations

from legation.board import COAST_NAMES
from legation.notation.forms.form import Opening, OrderForm, Phrases, Verb, unit
from legation.notation.names import COASTS
from legation.notation.parsing import Parser, Subject
from legation.orders import Convert, Order

CONVERTS = frozenset(["convert", "converts", "converting", "becomes", "become"])


def _read(p: Parser, subject: Subject, word: str) -> Order:
    kind, at = subject.kind, subject.at
    others = [code for code in p.reader.travel if code != kind]
    if p.ended and kind and len(others) == 1:  # there is only one thing that it can become
        return Convert(kind, at, others[0])
    p.skip(("to", "into", "the"))
    start = p.at
    if p.peek() in ("a", "an") and p.peek(1) in p.reader.kinds:
        p.at += 1
    new = p.reader.kinds.get(p.peek())
    p.at += 1
    if new is None:
        p.fail("say what it converts to, as in 'converts to F'", start)
    if p.peek() == "," and (p.peek(1) in COASTS or f"{p.peek(1)} {p.peek(2)}" in COASTS or p.peek(1) in ("on", "the")):
        p.at += 1
    p.skip(("on", "the"))
    province = at.partition("/")[0]
    if p.peek() in ("/", "(") or p.peek() in COASTS or f"{p.peek()} {p.peek(1)}" in COASTS:
        return Convert(kind, at, new, p.coast(province))
    if not p.ended:
        p.take_one(("in", "at", "on"))
        begin = p.at
        where = p.place()  # F caern/nc
        if where.partition("/")[0] != province:
            p.fail("a unit converts where it stands", begin)
        return Convert(kind, at, new, where.partition("/")[2])
    return Convert(kind, at, new)


def _first(p: Parser, word: str) -> list[Order]:
    return [_read(p, p.subject(), word)]


def _say(o: Convert, w: Phrases) -> str:
    coast = f" ({COAST_NAMES.get(o.coast, o.coast)})" if o.coast else ""
    return f"{w.unit(o.kind, o.at)} converts to {w.kind(o.to)}{coast}"


CONVERT = OrderForm(
    Convert,
    "conversion",
    lambda o: f"{unit(o.kind, o.at)} converts to {o.to}" + (f" {o.coast}" if o.coast else ""),
    _say,
    verbs=(Verb(CONVERTS, _read, stays=True),),
    openings=(Opening(CONVERTS, _first),),
)
FORMS = (CONVERT,)
