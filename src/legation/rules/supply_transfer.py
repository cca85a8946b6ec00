"""Supply sent to another power for a year (W-13): the order, how it is read and written, and its effect."""

from collections.abc import Sequence
from typing import ClassVar

from legation.frozen import Frozen
from legation.judge import Aftermath, DenseForm, Resolution, Rewritten, Rule, Ruleset, refuse_orders
from legation.judge.slices import POWER
from legation.notation import (
    Drawn,
    Gesture,
    OnPaper,
    OrderKind,
    Phrases,
    Production,
    Slots,
    Text,
    agrees,
    capital,
    refuse,
)
from legation.orders import Order, Sheet
from legation.position import Phase, Position


class Send(Order, frozen=True):
    """``send 2 to Argyll``: supply for a year (W-13)."""

    count: int
    power: str


# In writing

GRAMMAR = """
amount = SUPPLY* count=NUM SUPPLY*
gift = amount GOES? SENDTO ("the" | "player")* power=POWER | ("the" | "player")* power=POWER (SENDTO | ":")? amount
send = SENDS ":"? gift ((AND | "for")* gift)* | SUPPLY (":" SENDS? | "for")? gift (AND* gift)* | gift (AND* gift)*
no_count = SENDS SUPPLY* SENDTO? POWER END | SENDS amount "the"? POWER END
send_each = SENDS? amount each=EACH TO "the"? power=POWER (AND* "the"? power=POWER)*
to_nobody = SENDS? ":"? (gift (AND | "for")*)* amount GOES? SENDTO name=NAME
feed = FEEDS count=NUM SUPPLY* "the"? power=POWER SUPPLY*
receive = power=POWER RECEIVES count=NUM SUPPLY* FROMME? (AND AND* power=POWER count=NUM SUPPLY*)*
"""
WORDS = (
    ("SENDS", "send, sends, transfer, transfers, give, gives, allocate, allocates, lend, lends, loan, loans"),
    ("SUPPLY", "unit, units, s, supply, supplies, point, points, of, center, centers, centre, centres, for, the"),
    ("SENDTO", "to, for, -"),
    ("EACH", "each"),
    ("FEEDS", "feed, feeds"),
    ("RECEIVES", "gets, receives, get, receive"),
    ("FROMME", "from me, from us"),
)


def _read(text: Text, slots: Slots) -> list[Order] | None:
    """``send 2 to Argyll and 1 to Ormond``, ``1 supply each to B and C``."""
    counts, powers = slots["count"], slots["power"]
    if "each" in slots:
        counts = [counts[0]] * len(powers)
    if len(counts) != len(powers):
        return None
    if 0 in counts:
        raise refuse("say count", text.text)
    return [Send(count, power) for count, power in zip(counts, powers, strict=True)]


def _no_count(text: Text, slots: Slots) -> Order:
    """``send to Argyll``, ``send 2 Argyll``."""
    raise refuse("say count", text.text)


def _to_nobody(text: Text, slots: Slots) -> Order:
    """``send 1 to Argyll and 2 to Nowhere``."""
    raise refuse("unknown power", text.text, said=repr(slots["name"][-1]))


def _say(o: Send, w: Phrases) -> str:
    whose = f"{o.count} unit's" if o.count == 1 else f"{o.count} units'"
    return f"Send {whose} supply to {o.power}"


def _units(order: Send) -> str:
    return f"{order.count} unit{'' if order.count == 1 else 's'}"


def _most(rules: Ruleset) -> range:
    return range(1, len(rules.board.centers) + 1)


def _left(rules: Ruleset, position: Position, power: str, counted: Sequence[Order]) -> int:
    sent = sum(o.count for o in counted if isinstance(o, Send))
    return max(len(position.centers_of(power)) - sent, 0)


SEND = OrderKind(
    Send,
    "sending supply",
    lambda o: f"send {o.count} to {o.power}",
    _say,
    grammar=GRAMMAR,
    words=WORDS,
    productions=(
        *(Production(name, "opens", _read) for name in ("send", "send_each", "feed", "receive")),
        Production("no_count", "opens", _no_count),
        Production("to_nobody", "opens", _to_nobody, (Phase.ADJUSTMENTS,)),
    ),
    phases=(Phase.ADJUSTMENTS,),
    title="Send supply",
    meaning="Another power may have that many more units for a year.",
    ways=("send 2 to Argyll",),
    examples=lambda rules, land: [Send(2, [*rules.powers][:2][-1])],
    drawn=Drawn(words=lambda power, order: f"{power}: {order.count} sent to {order.power}"),
    gesture=Gesture(
        name="send",
        whom=lambda o: o.power,
        to=lambda o: str(o.count),
        label=lambda o, w: f"Send {o.count} to {o.power}",
        group="Send supply",
    ),
    paper=OnPaper(
        reminder="You may send supply to another power, and build with what is sent to you.",
        rows=("Send", "Send", ""),
        told=("sent supply for", lambda o: f"{_units(o)} to {o.power}"),
        receives=lambda o: o.power,
        received=("received supply for", lambda power, o: f"{_units(o)} from {power}"),
    ),
    left=_left,
)


# The rule


class SupplyTransfer(Rule):
    """In adjustments a power can send the supply of some of its centers to another. Its own unit limit falls and the
    other's rises until the next adjustments.

    The slice ``supply_transfer`` lists the transfers of the current year, each ``{"from", "to", "count"}``; it's empty
    in adjustments, where the sheets have them."""

    key = "supply_transfer"
    slice_form = (Frozen({"from": POWER, "to": POWER, "count": _most}),)
    slice_told = (
        "lists transfers; a transfer is written {'from': 'A', 'to': 'B', 'count': 1}, with powers of this variant"
    )
    orders: ClassVar[tuple[OrderKind, ...]] = (SEND,)
    # dense games send no supply; a power with centers could, so adjustments are never passed over
    dense_form = DenseForm(always_adjusts=True)

    def supply(self, rules: Ruleset, position: Position, power: str, sheets: Sequence[Sheet]) -> int:
        total = 0
        for giver, taker, count in self._transfers(rules, position, sheets):
            total += count * ((taker == power) - (giver == power))
        return total

    def _transfers(self, rules: Ruleset, position: Position, sheets: Sequence[Sheet]) -> list[tuple[str, str, int]]:
        """Who sends whom the supply of how many units; by sender, so that the order of the sheets leaves no trace."""
        if position.turn.phase is Phase.ADJUSTMENTS:
            place = {power: number for number, power in enumerate(rules.powers)}
            return [
                (sheet.power, order.power, order.count)
                for sheet in sorted(sheets, key=lambda sheet: place.get(sheet.power, len(place)))
                for order, reason in self._weighed(rules, position, sheet)
                if reason is None
            ]
        return [(t["from"], t["to"], t["count"]) for t in self._kept(position)]

    def position_faults(self, rules: Ruleset, position: Position) -> Sequence[str]:
        kept = self._kept(position)
        if kept and position.turn.phase is Phase.ADJUSTMENTS:
            return [f"state.{self.key}: what was sent has lapsed in adjustments; the sheets tell what is sent now"]
        return [
            f"state.{self.key}: {transfer['from']} sends supply to itself"
            for transfer in kept
            if transfer["from"] == transfer["to"]
        ]

    def _weighed(self, rules: Ruleset, position: Position, sheet: Sheet) -> list[tuple[Send, str | None]]:
        """The transfers on a sheet, each with the reason why it does not count, if any; in the order listed until the
        power's own centers are used up."""
        left = len(position.centers_of(sheet.power))
        weighed: list[tuple[Send, str | None]] = []
        for order in sheet.orders:
            if not isinstance(order, Send):
                continue
            reason = self.check(rules, position, sheet.power, order)
            if reason is None and order.count > left:
                sender = rules.named(sheet.power)
                nothing = f"{sender} {sender:has|have} nothing left to send"
                reason = f"{sender} {sender:has|have} only {left} left to send" if left else nothing
            if reason is None:
                left -= order.count
            weighed.append((order, reason))
        return weighed

    def check(self, rules: Ruleset, position: Position, power: str, order: Order) -> str | None:
        assert isinstance(order, Send)
        owned = len(position.centers_of(power))
        if order.power not in rules.powers:
            return f"there is no power {order.power!r}"
        if order.power == power:
            return "a power cannot send supply to itself"
        if order.count < 1:
            return "say how many units' supply is sent"
        if order.power not in position.survivors():
            taker = rules.named(order.power)
            return f"{taker} {taker:is|are} out of the game"
        if order.count > owned:
            sender = rules.named(power)
            owns = f"{sender} {sender:owns|own} {owned} center{'' if owned == 1 else 's'}"
            return f"{owns} and cannot send the supply of {order.count}"
        return None

    def legal_orders(self, rules: Ruleset, position: Position, power: str) -> Sequence[Order]:
        if position.turn.phase is not Phase.ADJUSTMENTS:
            return ()
        owned = len(position.centers_of(power))
        takers = [p for p in position.survivors() if p != power and p in rules.powers]
        return [Send(count, taker) for taker in takers for count in range(1, owned + 1)]

    def news(self, rules: Ruleset, resolution: Resolution) -> Sequence[str]:
        after = resolution.after
        called = {power.name: power.called for power in rules.powers.values()}
        lent = [
            f"{capital(called[t['from']])} {agrees(t['from'], 'sends', 'send')} the supply of {t['count']} "
            f"unit{'' if t['count'] == 1 else 's'} to {called[t['to']]} for the year."
            for t in self._kept(after)
        ]
        if after.turn.phase is Phase.ADJUSTMENTS:
            free = [f"{p} ({len(owned)})" for p in rules.powers if (owned := after.centers_of(p))]
            lent.append(f"Supply that can be sent: {', '.join(free)}.")
        return lent

    def rewrite(self, rules: Ruleset, position: Position, sheets: tuple[Sheet, ...]) -> Rewritten:
        """Takes off the transfers that do not count, so that what is left is the year's."""
        if position.turn.phase is not Phase.ADJUSTMENTS:
            return sheets, ()

        def reasons(sheet: Sheet) -> list[str | None]:
            standing = iter(self._weighed(rules, position, sheet))
            return [next(standing)[1] if isinstance(order, Send) else None for order in sheet.orders]

        return refuse_orders(sheets, reasons)

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        if aftermath.before.turn.phase is not Phase.ADJUSTMENTS:
            return
        transfers = self._transfers(rules, aftermath.before, aftermath.sheets)
        self._keep(aftermath, [{"from": a, "to": b, "count": n} for a, b, n in transfers])

    def settle(self, rules: Ruleset, position: Position) -> Position:
        """What was sent a year ago lapses when adjustments begin; only a new order sends it again."""
        return self._with_kept(position, None)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "In adjustments a power may send the supply of one or more of its centers to another power. For the "
            "coming year the receiver's unit limit rises by as many and the sender's falls.",
            "A transfer is ordered anew each winter, or it ends with that winter; it cannot be withdrawn during the "
            "year.",
            "All transfers happen at once. A sender whose limit falls below its units must remove some; a receiver's "
            "builds are made in the order listed until its supply runs out.",
            "Decided: a power sends the supply of its own centers only, not what it receives; so supply sent round a "
            "circle arrives everywhere. Transfers count in the order listed, and one that would take a power beyond "
            "its centers does not count at all. Nothing can be sent to a power that is out of the game; supply that "
            "the receiver does not use is not returned.",
        )
