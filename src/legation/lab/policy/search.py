"""Search on the policy of human orders: a few sheets of every power, drawn from the policy, and regret matching on what
they lead to against each other (SearchBot's way, with one movement of foresight).

A sheet's worth is the outlook after the movement (:mod:`legation.lab.dense.judging`). Effort is counted in movements
that are tried, not in time, so that the same position and seed give the same sheet on any machine.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

import msgspec
import numpy as np

from legation.bots import dumbbot
from legation.judge import Ruleset
from legation.lab.dense.layout import COUNT, HOLDS, POWER
from legation.lab.dense.tables import why_interpreted
from legation.lab.games import Games
from legation.lab.policy.drawing import Policy, policy_of
from legation.orders import Sheet, UnitOrder
from legation.position import Phase, Position

TRIES_A_SECOND = 20_000
"""Movements that one core of a common server tries in a second, on 75 provinces."""
DRAWN, MORE_DRAWN = 16, 50
"""So many sheets are drawn of every power, and another for so many trials."""
OTHERS, OWN, MORE_OWN = 8, 8, 200
"""Of them, as many different ones are kept, the likeliest; of one's own another for so many trials."""
OWN_HEAT = 0.7
FROM_DUMBBOT = 4
"""Own sheets that DumbBot adds."""
UNLIKELY, LIKELIER = -20.0, 0.005
"""The logarithm of how likely DumbBot's sheets are, and how much a sheet may be worse for each unit by which it is
likelier: what people order is often better than one movement shows."""
HUMAN = 0.5
"""How often another power's sheet is drawn as people order, not as suits it best."""


class Weighed(msgspec.Struct, frozen=True):
    """A sheet that was weighed and the mean outlook with it, about the score to come (0 to 1)."""

    sheet: Sheet
    outlook: float


class Searcher:
    """A table of dense games of one variant, to try movements on."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.games = Games(rules, ["position", "trial"])
        self.powers = self.games.codec.powers

    def search(self, view: Position, power: str, random: Random, tries: int) -> list[Weighed]:
        """Return own sheets, the best first, weighed with about so many trials."""
        policy = policy_of(self.rules, view)
        self.games.set_position(0, view)
        self._codes = {order: code for _, code, order in self.games.list_codes(0)}
        owners = self.games.state.units[0, POWER, : self.games.state.game[0, COUNT]]
        self._units = [np.flatnonzero(owners == p) for p in range(len(self.powers))]
        found = [self._draw(policy, p, power, random, tries) for p in range(len(self.powers))]
        own = self.powers.index(power)
        if len(found[own][0]) < 2:
            return [Weighed(sheet, 0.0) for sheet in found[own][0]]
        likely = [np.exp(chances - chances.max(initial=-1e9)) for _, _, chances in found]
        likely = [chances / max(chances.sum(), 1) for chances in likely]
        numbers = [n for _, n, _ in found]
        worth = self._match(numbers, likely, own, np.random.default_rng(random.getrandbits(64)), tries)
        worth = worth + LIKELIER * found[own][2]
        order = np.argsort(-worth, kind="stable")
        return [Weighed(found[own][0][k], round(float(worth[k]), 4)) for k in order.tolist()]

    def _draw(self, policy: Policy, p: int, power: str, random: Random, tries: int) -> tuple[list[Sheet], Any, Any]:
        """Sheets of a power that people might send, as numbers of its units, and the logarithm of how likely each
        is."""
        name, mine = self.powers[p], self.powers[p] == power
        if not len(self._units[p]):
            return [], np.zeros((0, 0), np.int64), np.zeros(0)
        count, heat = DRAWN + tries // MORE_DRAWN, OWN_HEAT if mine else 1.0
        drawn = [*policy.draw(name, random, heat=0), *policy.draw(name, random, count, heat)]
        chances: dict[Sheet, float] = {}
        for sheet, chance in drawn:
            chances.setdefault(Sheet(name, tuple(sorted(sheet.orders, key=str))), chance)
        kept = sorted(chances, key=lambda sheet: -chances[sheet])[: OWN + tries // MORE_OWN if mine else OTHERS]
        if mine:
            for _ in range(FROM_DUMBBOT):
                sheet = dumbbot.orders(self.rules, policy.position, power, random)
                kept.append(Sheet(name, tuple(sorted(sheet.orders, key=str))))
            kept = list(dict.fromkeys(kept))
        likely = np.array([chances.get(sheet, UNLIKELY) for sheet in kept])
        return kept, np.array([self._numbers(sheet, p) for sheet in kept]), likely

    def _numbers(self, sheet: Sheet, p: int) -> list[int]:
        by_place = {order.at: self._codes.get(order, HOLDS) for order in sheet.orders if isinstance(order, UnitOrder)}
        locations = self.games.codec.locations
        at = self.games.state.units[0, 0]
        return [by_place.get(locations[at[i]], HOLDS) for i in self._units[p].tolist()]

    def _match(self, numbers: Sequence[Any], likely: Sequence[Any], own: int, chance: Any, tries: int) -> Any:
        """Return the mean worth of own sheets against what the others come to play."""
        powers = [p for p in range(len(likely)) if len(likely[p])]
        regret = [np.zeros(len(chances)) for chances in likely]
        total, rounds = np.zeros(len(likely[own])), 0.0
        cost = sum(len(likely[p]) for p in powers)
        for t in range(max(4, tries // cost)):
            joint = [
                self._pick(regret[p], likely[p], p != own, chance) if len(likely[p]) else -1 for p in range(len(likely))
            ]
            for p in powers:
                self._order(numbers, joint)
                worth = np.array([self._try(numbers[p][k], p) for k in range(len(likely[p]))])
                regret[p] = regret[p] * (t / (t + 1)) + worth - worth @ _matched(regret[p], likely[p])
                if p == own:
                    total, rounds = total + worth, rounds + 1
        return total / rounds

    def _pick(self, regret: Any, likely: Any, human: bool, chance: Any) -> int:
        strategy = likely if human and chance.random() < HUMAN else _matched(regret, likely)
        return int(chance.choice(len(likely), p=strategy))

    def _order(self, numbers: Sequence[Any], joint: Sequence[int]) -> None:
        self._ordered = np.zeros(self.games.state.game[0, COUNT], np.int64)
        for p, k in enumerate(joint):
            if k >= 0:
                self._ordered[self._units[p]] = numbers[p][k]

    def _try(self, sheet: Any, p: int) -> float:
        orders = self._ordered.copy()
        orders[self._units[p]] = sheet
        self.games.try_movement(orders)
        return float(self.games.outlooks(1)[p].clip(0, 1))


def _matched(regret: Any, likely: Any) -> Any:
    """What regret matching plays: each sheet as much as its absence is regretted, at first as people do."""
    positive = np.maximum(regret, 0)
    return positive / positive.sum() if positive.sum() > 0 else likely


_in_use = threading.Lock()


@lru_cache(maxsize=4)
def _searcher(rules: Ruleset) -> Searcher:
    return Searcher(rules)


def search(rules: Ruleset, view: Position, power: str, random: Random, seconds: float) -> list[Weighed]:
    """Return sheets of a power in movement, the best first, found in about so many seconds; none where the variant has
    no dense form."""
    if why_interpreted(rules) or view.turn.phase is not Phase.MOVEMENT:
        return []
    tries = int(seconds * TRIES_A_SECOND * min(1.0, 75 / len(rules.board.provinces)))
    with _in_use:
        return _searcher(rules).search(view, power, random, tries)
