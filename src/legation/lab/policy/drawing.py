"""Sheets drawn from the policy of human orders: what a person might send, and how likely it is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from legation.bots.adjusting import Change, adjust
from legation.judge import Ruleset, legal_orders
from legation.lab.policy.choices import RETREAT, Coder, Sheets
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


class Policy:
    """The policy in one position, read once for all powers.

    :attr:`outlooks` are every power's expected part of the game, by name."""

    def __init__(self, rules: Ruleset, position: Position, memory: Memory | None = None) -> None:
        self.rules, self.position, self.memory = rules, position, memory
        self.graph, self.coder, self.w = graph_of(rules), _coder(rules), weights()
        self.encoded: Encoded = encode(rules, position, memory)
        self.reading: Reading = read_position(self.w, self.graph, self.encoded)

    @property
    def outlooks(self) -> dict[str, float]:
        """Return every power's expected part of the game; together they are 1."""
        return dict(zip(self.graph.powers, self.reading.outlook.tolist(), strict=True))

    def draw(self, power: str, random: Random, count: int = 1, heat: float = 1.0) -> list[DrawnSheet]:
        """Draw sheets of a power in movement or retreats; at heat 0 each order is the likeliest."""
        legal = legal_orders(self.rules, self.position, [power])[power]
        by_unit = self.coder.by_unit(legal)
        places = random.sample(sorted(by_unit), len(by_unit))
        scorer, sheets = self._begin(power, len(places), count)
        decided, total = scorer.start(count), np.zeros(count)
        chance = np.random.default_rng(random.getrandbits(64))
        orders: list[list[Order]] = [[] for _ in range(count)]
        for at in places:
            choices = self.coder.choices(by_unit[at], self.memory)
            context = np.clip(sheets.context(choices), 0, 1)
            scores = scorer.scores(choices, context, decided)
            if choices.kind[0] >= RETREAT:  # two units never retreat to one place
                scores = scores - 1e6 * ((choices.kind == RETREAT) & (context[:, :, 3] > 0))
            chosen = pick(scores, chance, heat)
            total += log_chances(scores)[np.arange(count), chosen]
            sheets.add(choices, chosen)
            decided = scorer.decide(choices, chosen, decided)
            for n, k in enumerate(chosen.tolist()):
                orders[n].append(choices.orders[k])
        return [DrawnSheet(Sheet(power, tuple(o)), float(t)) for o, t in zip(orders, total, strict=True)]

    def likeliest(self, power: str, count: int) -> list[DrawnSheet]:
        """Return about the likeliest sheets of a power in movement, the likeliest first (a beam search, its units in
        the order of their places)."""
        by_unit = self.coder.by_unit(legal_orders(self.rules, self.position, [power])[power])
        scorer, sheets = self._begin(power, len(by_unit), 1)
        decided, total = scorer.start(1), np.zeros(1)
        orders: list[list[Order]] = [[]]
        for at in sorted(by_unit):
            choices = self.coder.choices(by_unit[at], self.memory)
            scores = scorer.scores(choices, np.clip(sheets.context(choices), 0, 1), decided)
            chances = (total[:, None] + log_chances(scores)).ravel()
            kept = np.argsort(-chances, kind="stable")[:count]
            rows, chosen = np.divmod(kept, len(choices.orders))
            total, decided = chances[kept], decided[rows]
            sheets.take(rows)
            decided = scorer.decide(choices, chosen, decided)
            sheets.add(choices, chosen)
            orders = [[*orders[row], choices.orders[k]] for row, k in zip(rows.tolist(), chosen.tolist(), strict=True)]
        return [DrawnSheet(Sheet(power, tuple(o)), float(t)) for o, t in zip(orders, total, strict=True)]

    def chances(self, power: str, sheets: Sequence[Sheet]) -> Any:
        """Return the logarithm of how likely each of these sheets of a power in movement is."""
        by_unit = self.coder.by_unit(legal_orders(self.rules, self.position, [power])[power])
        ordered = [{order.at: order for order in sheet.orders if isinstance(order, UnitOrder)} for sheet in sheets]
        scorer, decisions = self._begin(power, len(by_unit), len(sheets))
        decided, total = scorer.start(len(sheets)), np.zeros(len(sheets))
        for at in sorted(by_unit):
            choices = self.coder.choices(by_unit[at], self.memory)
            numbers: dict[Order | None, int] = {order: n for n, order in enumerate(choices.orders)}
            rest = next((n for n, order in enumerate(choices.orders) if isinstance(order, Hold)), 0)
            chosen = np.array([numbers.get(orders.get(at), rest) for orders in ordered])
            known = np.array([orders.get(at) in numbers for orders in ordered])
            scores = scorer.scores(choices, np.clip(decisions.context(choices), 0, 1), decided)
            chances = log_chances(scores)[np.arange(len(sheets)), chosen]
            total += np.where(known, chances, UNKNOWN)
            decisions.add(choices, chosen)
            decided = scorer.decide(choices, chosen, decided)
        return total

    def _begin(self, power: str, steps: int, count: int) -> tuple[Scorer, Sheets]:
        number = self.graph.power[power]
        own = self.encoded.views[number, :, 0] > 0
        return Scorer(self.w, self.reading, self.encoded, number), Sheets(self.graph, own, steps, count)

    def adjust(self, power: str, random: Random, heat: float = 1.0) -> Sheet:
        """Draw the builds or removals of a power."""
        room = abs(self.rules.limit(self.position, power) - self.rules.size(self.position, power))
        scorer, sheets = self._begin(power, room, 1)
        chance = np.random.default_rng(random.getrandbits(64))
        decided = scorer.start(1)

        def choose(legal: list[Change]) -> Change:
            nonlocal decided
            choices = self.coder.choices(self._cheapest(legal))
            scores = scorer.scores(choices, sheets.context(choices), decided)
            chosen = pick(scores, chance, heat)
            sheets.add(choices, chosen)
            decided = scorer.decide(choices, chosen, decided)
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
