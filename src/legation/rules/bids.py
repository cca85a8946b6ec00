"""An opening in which powers bid for centers. No built-in variant uses it."""

from collections.abc import Sequence
from typing import ClassVar

from legation.board import province_of
from legation.judge import Aftermath, Outcome, Resolution, Rule, RulesError, Ruleset
from legation.judge.setting_names import CenterId
from legation.judge.slices import POWER
from legation.notation import Drawn, OrderKind, Production, Slots, Text
from legation.orders import Order
from legation.position import Phase, Position, Unit

BIDS = Phase("Bids")


class Bid(Order, frozen=True):
    """``bid 2 for par``."""

    tokens: int
    center: str


def _read(text: Text, slots: Slots) -> Order | None:
    center = text.pick(slots["at"][0])
    return None if center is None else Bid(slots["tokens"][0], province_of(center))


BID = OrderKind(
    Bid,
    "a bid",
    lambda order: f"bid {order.tokens} for {order.center}",
    lambda order, names: f"Bid {order.tokens} for {names.place(order.center)}",
    grammar="bid = BIDS tokens=NUM TOKENS* at=PLACE",
    words=(("BIDS", "bid, bids"), ("TOKENS", "token, tokens, for, on")),
    productions=(Production("bid", "opens", _read),),
    phases=(BIDS,),
    title="Bid for a center",
    meaning="The power that bids most for a center gets it, with its unit, as one of its homes.",
    ways=("bid 2 for par",),
    examples=lambda rules, land: [
        Bid(2, next(center for m in rules.modules if isinstance(m, Bidding) for center in m.units))
    ],
    drawn=Drawn(words=lambda power, order: f"{power}: {order.tokens} bid for {order.center}"),
)


class Bidding(Rule):
    """In the phase Bids each power divides its tokens among centers. The highest bid for a center wins it as a home,
    with its unit; if two bids are equally high, it stays neutral.

    Settings: ``tokens`` (how many each power has), ``units`` (for each center the unit that comes with it, ``"F
    bre"``). The slice ``bids`` lists by power the homes that it has won."""

    key = "bids"
    slice_told = "lists by power the centers that it has won"
    replaces = frozenset({"homes"})
    orders: ClassVar[tuple[OrderKind, ...]] = (BID,)
    phases = (BIDS,)

    def __init__(self, units: dict[CenterId, str], tokens: int = 4) -> None:
        self.units: dict[str, str] = units
        self.tokens = tokens
        self.slice_form = {POWER: (frozenset(units),)}
        if not units or tokens < 1:
            raise RulesError("give units, by center, and at least one token")

    def faults(self, rules: Ruleset) -> Sequence[str]:
        return [
            f"units: {center}: {text!r} isn't a unit that can stand there"
            for center, text in self.units.items()
            if text not in rules.standing or province_of(rules.standing[text][1]) != center
        ]

    def homes(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        return (*rules.powers[power].homes, *self._kept(position).get(power, ()))

    def check(self, rules: Ruleset, position: Position, power: str, order: Order) -> str | None:
        assert isinstance(order, Bid)
        if order.center not in self.units:
            return f"{order.center} isn't one of the centers to bid for"
        if not 1 <= order.tokens <= self.tokens:
            return f"bid from 1 to {self.tokens} tokens"
        return None

    def legal_orders(self, rules: Ruleset, position: Position, power: str) -> Sequence[Order]:
        if position.turn.phase is not BIDS or power not in rules.played:
            return ()
        return [Bid(tokens, center) for center in self.units for tokens in range(1, self.tokens + 1)]

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        if aftermath.before.turn.phase is not BIDS:
            return
        left = dict.fromkeys(rules.powers, self.tokens)
        bids: dict[str, dict[str, int]] = {}
        for verdict in aftermath.verdicts:
            order, power = verdict.order, verdict.power
            if not isinstance(order, Bid) or verdict.outcome is not Outcome.SUCCEEDS or order.tokens > left[power]:
                continue
            left[power] -= order.tokens
            of_center = bids.setdefault(order.center, {})
            of_center[power] = of_center.get(power, 0) + order.tokens
        won: dict[str, list[str]] = {}
        for center, offers in sorted(bids.items()):
            best = [power for power, tokens in offers.items() if tokens == max(offers.values())]
            if len(best) > 1:
                continue
            won.setdefault(best[0], []).append(center)
            kind, at = rules.standing[self.units[center]]
            aftermath.owners[center] = best[0]
            aftermath.units = [unit for unit in aftermath.units if unit.province != center]
            aftermath.units.append(Unit(kind, at, best[0]))
        if won:
            aftermath.slices[self.key] = dict(sorted(won.items()))

    def news(self, rules: Ruleset, resolution: Resolution) -> Sequence[str]:
        if resolution.before.turn.phase is not BIDS:
            return ()
        won: dict[str, list[str]] = self._kept(resolution.after)
        return [f"{power} has won {', '.join(map(rules.board.name_of, centers))}." for power, centers in won.items()]

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        units = ", ".join(self.units.values())
        return (
            "A power builds in the vacant home centers that it owns.",
            f"In the phase Bids each power divides {self.tokens} tokens among these centers, which come with a unit "
            f"each: {units}. Bids beyond them do not count.",
            "The power that bids most for a center gets it, with its unit, as one of its homes. If two bid equally "
            "much, it stays as it was.",
        )
