"""Sheets drawn from the policy of human orders: what a person might send, and how likely it is."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from legation.bots.adjusting import Change, adjust
from legation.judge import Ruleset, legal_orders
from legation.lab.policy.choices import RETREAT, Choices, Coder, Sheets
from legation.lab.policy.encoding import Encoded, Memory, encode, graph_of
from legation.lab.policy.network import Reading, Scorer, log_chances, read_position, weights
from legation.orders import Hold, Order, Sheet, UnitOrder
from legation.position import Phase, Position

UNKNOWN = -8.0
"""The logarithm of how likely an order is that the network doesn't know."""


class DrawnSheet(NamedTuple):
    """A sheet and the logarithm of the chance that it is drawn so, at heat 1."""

    sheet: Sheet
    chance: float


@lru_cache(maxsize=8)
def _coder(rules: Ruleset) -> Coder:
    return Coder(rules, graph_of(rules))


class _Choosing:
    """Sheets of one power, side by side, while their orders are chosen one unit after the other."""

    def __init__(self, scorer: Scorer, sheets: Sheets, decided: Any) -> None:
        self.scorer, self.sheets, self.decided = scorer, sheets, decided

    def scores(self, choices: Choices) -> Any:
        """Return the score of each choice for each sheet."""
        context = np.clip(self.sheets.context(choices), 0, 1)
        scores = self.scorer.scores(choices, context, self.decided)
        # two units never retreat to one place
        return scores - 1e6 * ((choices.kind == RETREAT) & (context[:, :, 3] > 0))

    def take(self, choices: Choices, chosen: Any) -> None:
        """Note which choice each sheet takes."""
        self.sheets.add(choices, chosen)
        self.decided = self.scorer.decide(choices, chosen, self.decided)

    def go_on_from(self, rows: Any) -> None:
        """Go on with these sheets alone, one of them more than once where it is named so."""
        self.sheets.take(rows)
        self.decided = self.decided[rows]


class Policy:
    """The policy in one position, read once for all powers.

    :attr:`outlooks` are every power's expected part of the game, by name."""

    def __init__(self, rules: Ruleset, position: Position, memory: Memory | None = None) -> None:
        self.rules, self.position, self.memory = rules, position, memory
        self.graph, self.coder, self.w = graph_of(rules), _coder(rules), weights()
        self.encoded: Encoded = encode(rules, position, memory)
        self.reading: Reading = read_position(self.w, self.graph, self.encoded)
        self._by_unit: dict[str, dict[str, list[Order]]] = {}

    @property
    def outlooks(self) -> dict[str, float]:
        """Return every power's expected part of the game; together they are 1."""
        return dict(zip(self.graph.powers, self.reading.outlook.tolist(), strict=True))

    def draw(self, power: str, random: Random, count: int = 1, heat: float = 1.0) -> list[DrawnSheet]:
        """Draw sheets of a power in movement or retreats; at heat 0 each order is the likeliest."""
        by_unit = self._legal(power)
        places = random.sample(sorted(by_unit), len(by_unit))
        sheets, total = self._begin(power, len(places), count), np.zeros(count)
        chance = np.random.default_rng(random.getrandbits(64))
        orders: list[list[Order]] = [[] for _ in range(count)]
        for at in places:
            choices = self.coder.choices(by_unit[at], self.memory)
            scores = sheets.scores(choices)
            chosen = pick(scores, chance, heat)
            total += log_chances(scores)[np.arange(count), chosen]
            sheets.take(choices, chosen)
            for n, k in enumerate(chosen.tolist()):
                orders[n].append(choices.orders[k])
        return [DrawnSheet(Sheet(power, tuple(o)), float(t)) for o, t in zip(orders, total, strict=True)]

    def likeliest(self, power: str, count: int) -> list[DrawnSheet]:
        """Return about the likeliest sheets of a power in movement, the likeliest first (a beam search, its units in
        the order of their places)."""
        by_unit = self._legal(power)
        sheets, total = self._begin(power, len(by_unit), 1), np.zeros(1)
        orders: list[list[Order]] = [[]]
        for at in sorted(by_unit):
            choices = self.coder.choices(by_unit[at], self.memory)
            chances = (total[:, None] + log_chances(sheets.scores(choices))).ravel()
            kept = np.argsort(-chances, kind="stable")[:count]
            rows, chosen = np.divmod(kept, len(choices.orders))
            total = chances[kept]
            sheets.go_on_from(rows)
            sheets.take(choices, chosen)
            orders = [[*orders[row], choices.orders[k]] for row, k in zip(rows.tolist(), chosen.tolist(), strict=True)]
        return [DrawnSheet(Sheet(power, tuple(o)), float(t)) for o, t in zip(orders, total, strict=True)]

    def chances(self, power: str, sheets: Sequence[Sheet]) -> Any:
        """Return the logarithm of how likely each of these sheets of a power in movement is."""
        by_unit = self._legal(power)
        ordered = [{order.at: order for order in sheet.orders if isinstance(order, UnitOrder)} for sheet in sheets]
        read, total = self._begin(power, len(by_unit), len(sheets)), np.zeros(len(sheets))
        for at in sorted(by_unit):
            choices = self.coder.choices(by_unit[at], self.memory)
            numbers: dict[Order | None, int] = {order: n for n, order in enumerate(choices.orders)}
            known = np.array([orders.get(at) in numbers for orders in ordered])
            rest = next((n for n, order in enumerate(choices.orders) if isinstance(order, Hold)), 0)
            chosen = np.array([numbers.get(orders.get(at), rest) for orders in ordered])
            chances = log_chances(read.scores(choices))[np.arange(len(sheets)), chosen]
            total += np.where(known, chances, UNKNOWN)
            read.take(choices, chosen)
        return total

    def _legal(self, power: str) -> dict[str, list[Order]]:
        """The legal orders of a power that the network knows, by the place of their unit."""
        if power not in self._by_unit:
            orders = legal_orders(self.rules, self.position, [power])[power]
            self._by_unit[power] = self.coder.by_unit(orders)
        return self._by_unit[power]

    def _begin(self, power: str, steps: int, count: int) -> _Choosing:
        number = self.graph.power[power]
        own = self.encoded.views[number, :, 0] > 0
        scorer = Scorer(self.w, self.reading, self.encoded, number)
        return _Choosing(scorer, Sheets(self.graph, own, steps, count), scorer.start(count))

    def adjust(self, power: str, random: Random, heat: float = 1.0) -> Sheet:
        """Draw the builds or removals of a power."""
        room = abs(self.rules.limit(self.position, power) - self.rules.size(self.position, power))
        sheet = self._begin(power, room, 1)
        chance = np.random.default_rng(random.getrandbits(64))

        def choose(legal: list[Change]) -> Change:
            choices = self.coder.choices(self._cheapest(legal))
            chosen = pick(sheet.scores(choices), chance, heat)
            sheet.take(choices, chosen)
            change = choices.orders[int(chosen[0])]
            return next(way for way in legal if way == change)

        return Sheet(power, tuple(adjust(self.rules, self.position, power, choose)))

    def _cheapest(self, legal: Sequence[Change]) -> list[Order]:
        """Of changes that the network takes for the same, the one with the unit that costs least."""
        found: dict[Any, Order] = {}
        for change in sorted(legal, key=lambda way: self.rules.kinds[way.kind].cost):
            found.setdefault(self.coder.code(change), change)
        return list(found.values())


def pick(scores: Any, chance: np.random.Generator, heat: float) -> Any:
    """Return which order each row of scores takes, drawn by lot; at heat 0 the one with the best score."""
    if heat == 0:
        return scores.argmax(axis=-1)
    return (scores / heat + chance.gumbel(size=scores.shape)).argmax(axis=-1)


@lru_cache(maxsize=2)
def _read(rules: Ruleset, position: Position) -> Policy:
    return Policy(rules, position)


def policy_of(rules: Ruleset, position: Position) -> Policy:
    """Return the policy in a position; bots of several powers that see the same position share it."""
    return _read(rules, position)


def draw_sheet(rules: Ruleset, view: Position, power: str, random: Random, heat: float) -> Sheet | None:
    """Draw a sheet in any phase; None in a phase that the policy does not know."""
    if view.turn.phase in (Phase.MOVEMENT, Phase.RETREATS):
        return policy_of(rules, view).draw(power, random, heat=heat)[0].sheet
    if view.turn.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
        return policy_of(rules, view).adjust(power, random, heat)
    return None
