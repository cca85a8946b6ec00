"""The orders that rules bring: every word that says them, what is wrong with them, and how maps tell them."""

import pytest

from legation.judge import Cause, Outcome, Verdict
from legation.notation import OrderTextError, write
from legation.position import Phase
from legation.rules.conversion import CONVERT, Convert
from legation.variants import load

CONVERTS = (
    "convert converts converting converted conversion become becomes becoming changes changed turns turned".split()
)
UNDER = "under obey obeys proxied proxy proxies".split()
ORDERS = "order orders command".split()
SENDS = "send sends transfer transfers give gives allocate allocates lend lends loan loans".split()
UNITS = "unit units s supply supplies point points of center centers centre centres".split()

FERRIED = "F enc - nth ferries A lon - fri"
RIDDEN = "A lon - fri by ferry F enc - nth"
READ = {
    "1000ad": {
        "F enc - nth ferries A lon - fri": FERRIED,
        "F enc - nth ferry A lon - fri": FERRIED,
        "F enc - nth ferrying A lon - fri": FERRIED,
        "F enc - nth, ferrying A lon - fri": FERRIED,
        "F enc - nth and ferries A lon - fri": FERRIED,
        "A lon - fri ferried by F enc - nth": RIDDEN,
        "A lon - fri by ferry F enc - nth": RIDDEN,
        "A lon - fri by the ferry F enc - nth": RIDDEN,
        "A lon - fri via the fast ferry of F enc - nth": RIDDEN,
        "A lon - fri by a ferry on F enc - nth": RIDDEN,
        "A lon - fri ferry F enc - nth": RIDDEN,
        "A lon - fri, ferry F enc - nth": RIDDEN,
        "A lon - fri and ferry F enc - nth": RIDDEN,
        "A lon ferried by F enc - nth to fri": RIDDEN,
        "A lon ferried by F enc - nth - fri": RIDDEN,
    },
    "three-kingdoms": {
        **{f"A surrey {word} to F": "A surrey converts to F" for word in CONVERTS},
        **{f"{word} A surrey to F": "A surrey converts to F" for word in CONVERTS},
        "A surrey converts into the fleet": "A surrey converts to F",
        "A surrey becomes a fleet": "A surrey converts to F",
        "A surrey is converted to a fleet": "A surrey converts to F",
        "F surrey converts to an army": "F surrey converts to A",
        "A surrey converts to F in surrey": "A surrey converts to F",
        "A surrey converts to F at surrey": "A surrey converts to F",
        "A surrey converts to F on surrey": "A surrey converts to F",
        "A surrey converts": "A surrey converts to F",
        **{f"A london {word} Argyll": "A london under Argyll" for word in UNDER},
        **{f"A london under {word} of Argyll": "A london under Argyll" for word in ORDERS},
        **{f"A london under Argyll's {word}": "A london under Argyll" for word in ORDERS},
        "A london under the orders of Argyll": "A london under Argyll",
        "A london proxy to Argyll": "A london under Argyll",
        "command of A london is offered to Argyll": "A london under Argyll",
        "command of A london given to Argyll": "A london under Argyll",
        "proxy A london to Argyll": "A london under Argyll",
    },
}
SENT = {
    **{f"{word} 2 to Argyll": "send 2 to Argyll" for word in SENDS},
    **{f"send 2 {word} to Argyll": "send 2 to Argyll" for word in UNITS},
    "send Argyll 2": "send 2 to Argyll",
    "send Argyll the supply of 2 units": "send 2 to Argyll",
    "send supply for 2 units to Argyll": "send 2 to Argyll",
}
WRONG = {
    "1000ad": {
        "A lon ferried F enc - nth": "landing",
        "A lon ferried by F enc - nth": "landing",
        "F enc - nth - nwg ferries A lon - fri": "say ferry",
    },
    "three-kingdoms": {
        "A surrey converts to H": "rest unread",
        "A surrey converts to F in london": "rest unread",
        "A london under orders Argyll": "say power",
        "proxy A london Argyll": "say power",
        "send to Argyll": "say count",
        "send 0 to Argyll": "say count",
        "send 2 Argyll": "say count",
    },
}
"""Orders that lack something, with the codes of what is told."""


@pytest.mark.parametrize(("variant", "text"), [(name, text) for name, texts in READ.items() for text in sorted(texts)])
def test_every_word_is_read(variant: str, text: str) -> None:
    assert write(load(variant).reader.order(text)) == READ[variant][text]


@pytest.mark.parametrize("text", sorted(SENT))
def test_every_way_to_send_supply_is_read(text: str) -> None:
    assert write(load("three-kingdoms").reader.order(text, Phase.ADJUSTMENTS)) == SENT[text]


@pytest.mark.parametrize(("variant", "text"), [(name, text) for name, texts in WRONG.items() for text in sorted(texts)])
def test_what_is_wrong_is_told(variant: str, text: str) -> None:
    phase = Phase.ADJUSTMENTS if text.startswith("send") else Phase.MOVEMENT
    with pytest.raises(OrderTextError) as caught:
        load(variant).reader.order(text, phase)
    assert caught.value.code == WRONG[variant][text]


def test_maps_tell_how_far_a_conversion_is() -> None:
    assert CONVERT.drawn is not None and CONVERT.drawn.tag is not None
    order = Convert("A", "surrey", "F")
    begun = Verdict("Crown", order, Outcome.SUCCEEDS, Cause("fact", reason="1 of 2"))
    assert CONVERT.drawn.tag(begun, order) == "1 of 2"
    assert CONVERT.drawn.tag(Verdict("Crown", order, Outcome.CUT, Cause("attacked", by=order)), order) == ""
    assert CONVERT.drawn.tag(Verdict("Crown", order, Outcome.SUCCEEDS), order) == ""
    assert CONVERT.drawn.tag(None, order) == ""
