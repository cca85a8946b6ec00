"""Supply that is sent, in writing (W-13)."""

from __future__ import annotations

from legation.notation.forms.form import Opening, OrderForm, Phrases
from legation.notation.parsing import Parser
from legation.orders import Order, Send

SENDS = frozenset("send sends transfer transfers give gives allocate allocates lend lends".split())
UNITS = frozenset("unit units s supply supplies of center centers centre centres".split())


def _read(p: Parser, word: str) -> list[Order]:
    p.skip(("the", "supply", "of", "for"))
    start = p.at
    count = p.number()
    if count < 1:
        p.at = min(p.at + 1, len(p.tokens))
        p.fail("say how many units' supply to send, as in 'send 2 to ...'", start)
    p.skip(UNITS)
    if not p.take("to"):
        p.fail("say to whom, as in 'send 2 to ...'")
    return [Send(count, p.power_name())]


def _say(o: Send, w: Phrases) -> str:
    whose = "unit's" if o.count == 1 else "units'"
    return f"Send {o.count} {whose} supply to {o.power}"


SEND = OrderForm(
    Send, "sending supply", lambda o: f"send {o.count} to {o.power}", _say, openings=(Opening(SENDS, _read),)
)
FORMS = (SEND,)
