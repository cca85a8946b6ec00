"""Units under another power's orders, in writing (W-12)."""

from __future__ import annotations

from legation.notation.forms.form import Opening, OrderForm, Verb, unit
from legation.notation.parsing import Parser, Subject
from legation.orders import Order, Proxy

UNDER = frozenset(["under", "obeys", "obey", "proxy", "proxies"])
ORDERS = frozenset(["orders", "order", "command"])


def _read(p: Parser, subject: Subject, word: str) -> Order:
    p.take("to")
    p.take("the")
    if p.take_one(ORDERS) and not p.take("of"):
        p.fail("say whose orders")
    power = p.power_name()
    p.take_one(ORDERS)
    return Proxy(subject.kind, subject.at, power)


def _offered(p: Parser, word: str) -> list[Order]:
    """``Command of Army London is offered to Argyll``."""
    p.at += 1
    subject = p.subject()
    p.skip(("is", "offered", "given", "to"))
    return [Proxy(subject.kind, subject.at, p.power_name())]


PROXY = OrderForm(
    Proxy,
    "placing a unit under another power's orders",
    lambda o: f"{unit(o.kind, o.at)} under {o.power}",
    lambda o, w: f"{w.unit(o.kind, o.at)} is under the orders of {o.power}",
    verbs=(Verb(UNDER, _read, shared=True),),
    openings=(Opening(frozenset(["command"]), _offered, lambda p: p.peek(1) == "of"),),
)
FORMS = (PROXY,)
