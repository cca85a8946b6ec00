"""Many dense games as one environment: arrays in, arrays out, for programs that learn.

Positions are the planes of :mod:`legation.lab.planes`, for all games at once. Every unit has a legal list, in
adjustments and placement every site where its power may build and every unit that it may remove; an action is an index
into the list of each. A game that has ended begins anew with the next seed."""

from typing import Any, NamedTuple

import numpy as np

from legation.lab.dense.layout import *
from legation.lab.dense.tables import turns_of
from legation.lab.games import Games
from legation.lab.planes import LAST_ORDERS, YEARS, Planes
from legation.variants import STANDARD, load


class Batch(NamedTuple):
    """What is to be decided, for ``games`` games side by side; ``width`` is the most units and sites that a game can
    have. In adjustments and placement a "unit" here is a site or a unit to remove, and its first order does nothing.

    ``planes`` float32, games x locations x planes (:attr:`BatchedEnv.planes` names them): the whole position.
    ``last_orders`` float32, games x locations x :data:`~legation.lab.planes.LAST_ORDERS`: those of the last movement.
    ``powers`` int64, games x width: whose each unit is, as a number of the ruleset's powers; -1 where there is none.
    ``locations`` int64, games x width: where it stands, as a row of the planes; -1 where there is none.
    ``starts`` int64, games x (width + 1): where each unit's orders begin in ``legal``; they end where the next begins.
    ``legal`` int64: the orders themselves, as dense games write them (:func:`order_features` reads them)."""

    planes: Any
    last_orders: Any
    powers: Any
    locations: Any
    starts: Any
    legal: Any


def order_features(legal: Any) -> Any:
    """Return what orders say, int64, orders x 4: their kind, the location they name, the unit they name, and whatever
    else they name."""
    parts = (legal & KIND_MASK, legal >> TO_SHIFT & FIELD_MASK, legal >> UNIT_SHIFT & FIELD_MASK, legal >> MORE_SHIFT)
    return np.stack([*parts[:3], parts[3] & FIELD_MASK], axis=-1)


class BatchedEnv:
    """``games`` games of a variant side by side. ``turns`` ends a game that goes on for longer; ``seed`` and the
    actions decide everything.

    :raises legation.lab.dense.tables.NoDenseFormError: for a variant that the judge must play.
    :raises ValueError: for fewer games or turns than one."""

    def __init__(self, variant: str = STANDARD, games: int = 64, *, seed: str = "1", turns: int = 200) -> None:
        if games < 1 or turns < 1:
            raise ValueError(f"games and turns are 1 or more, not {games} and {turns}")
        self.rules = load(variant)
        self.seed = seed
        self.turns = turns
        self.planes = Planes(self.rules)
        self.begun = games
        self.games = Games(self.rules, [f"{seed}: {n}" for n in range(games)])
        self.width = self.games.state.units.shape[2]
        self._bots = np.full((games, self.games.tables.powers), DUMB)
        self._opening = self.rules.opening()
        self._still = self.planes.of(self._opening) * 0
        for name in ("center", "land", "sea", "separate coast"):
            column = self.planes.names.index(name)
            self._still[:, column] = self.planes.of(self._opening)[:, column]
        calendar = turns_of(self.rules)
        names = self.planes.names
        self._phase = np.array([names.index(f"phase: {turn.phase.value}") for turn in calendar])
        first = calendar[0].year
        self._year = np.array([min(1.0, max(0, turn.year - first) / YEARS) for turn in calendar])
        self._last = np.zeros((games, len(self.planes.locations), len(LAST_ORDERS)), np.float32)
        self._list: Batch | None = None

    def __len__(self) -> int:
        return len(self.games)

    def observe(self) -> Batch:
        """Return what is to be decided now; in every game there is something."""
        if self._list is None:
            for g in range(len(self)):
                self._go_on(g)
            self._list = self._listed()
        return self._list

    def step(self, actions: Any) -> tuple[Batch, Any, Any]:
        """Carry out one order of every unit's legal list (games x width, int; what is beyond a list, or for no unit,
        takes the first of it) and return what is to be decided next, the rewards and which games ended.

        Builds for which a power has no room are left out, in the order of the list. Rewards are float64, games x
        powers: 1 for a solo, equal parts of a draw, else each power's share of the squared centers; 0 while a game goes
        on."""
        batch = self.observe()
        lengths = np.diff(batch.starts, axis=1)
        actions = np.asarray(actions)
        index = np.where((actions >= 0) & (actions < lengths), actions, 0)
        at = np.minimum(batch.starts[:, :-1] + index, max(0, len(batch.legal) - 1))
        chosen = batch.legal[at] if len(batch.legal) else np.zeros_like(at)
        rewards = np.zeros((len(self), self.games.tables.powers))
        ended = np.zeros(len(self), bool)
        for g in range(len(self)):
            orders = chosen[g, batch.powers[g] >= 0]
            if not self._moves(g):
                orders = orders[orders != HOLDS]
            self.games.scratch.chosen[: len(orders)] = orders
            if self._phase_of(g) == MOVEMENT:
                self._note_orders(g, orders)
            self.games.play_turn(g, len(orders))
            self._go_on(g)
            if self._is_over(g):
                rewards[g], ended[g] = self._rewards(g), True
                self.games.set_position(g, self._opening, f"{self.seed}: {self.begun}")
                self._last[g] = 0
                self.begun += 1
                self._go_on(g)
        self._list = self._listed()
        return self._list, rewards, ended

    def dumbbot(self) -> Any:
        """Return what DumbBot would choose for every unit, as :meth:`step` takes it."""
        batch = self.observe()
        actions = np.zeros((len(self), self.width), np.int64)
        for g in range(len(self)):
            drawn = self.games.scratch.chosen[: self.games.call("order_all", g, base=self._bots)].copy()
            self.games.state.game[g, AGREED] = 0  # it votes for a draw for everybody
            lengths = np.diff(batch.starts[g])
            legal, unit = (
                batch.legal[batch.starts[g, 0] : batch.starts[g, -1]],
                np.repeat(np.arange(self.width), lengths),
            )
            found = legal == drawn[unit] if self._moves(g) else (legal != HOLDS) & np.isin(legal, drawn)
            actions[g, unit[found]] = (np.arange(len(legal)) - (batch.starts[g] - batch.starts[g, 0])[unit])[found]
        return actions

    def _note_orders(self, g: int, orders: Any) -> None:
        """Draw the orders of a movement turn, as :meth:`~legation.lab.planes.Planes.last_orders` does."""
        at, kind = self.games.state.units[g, LOCATION, : len(orders)], orders & KIND_MASK
        to, helped = orders >> TO_SHIFT & FIELD_MASK, orders >> UNIT_SHIFT & FIELD_MASK
        moves = np.isin(kind, (MOVES, MOVES_VIA, RIDES, CARRIES))
        stays, follows = kind == SUPPORTS_HOLD, kind == SUPPORTS_MOVE
        last = self._last[g]
        last[:] = 0
        last[at[kind == HOLDS], 0] = 1
        last[at[moves], 1] = 1
        last[to[moves], 2] = 1
        last[at[stays | follows], 3] = 1
        last[self.games.state.units[g, LOCATION, helped[stays]], 4] = 1
        last[to[follows], 4] = 1
        last[at[kind == CONVOYS], 5] = 1

    def _phase_of(self, g: int) -> int:
        return int(self.games.tables.phase[self.games.state.game[g, TURN]])

    def _moves(self, g: int) -> bool:
        return self._phase_of(g) in (MOVEMENT, RETREATS)

    def _is_over(self, g: int) -> bool:
        return self.games.ended(g) or int(self.games.state.game[g, PLAYED]) >= self.turns

    def _go_on(self, g: int) -> None:
        """Pass over turns in which nobody has anything to order."""
        while not self._is_over(g) and not self._moves(g):
            if self.games.call("list_changes", g):
                break
            self.games.play_turn(g, 0)

    def _rewards(self, g: int) -> Any:
        state = self.games.state
        ending = state.game[g, ENDED]
        if ending in (SOLO, DRAW):
            named = state.powers[g, RANK] > 0
            return named / named.sum()
        owners = state.places[g, OWNER][self.games.tables.places[IS_CENTER] == 1]
        squares = np.bincount(owners[owners >= 0], minlength=self.games.tables.powers).astype(float) ** 2
        return squares / max(1.0, squares.sum())

    def _listed(self) -> Batch:
        starts = np.zeros((len(self), self.width + 1), np.int64)
        powers, locations = (np.full((len(self), self.width), -1, np.int64) for _ in range(2))
        pieces, total = [], 0
        for g in range(len(self)):
            owner, at, lengths, legal = self._list_units(g) if self._moves(g) else self._list_changes(g)
            powers[g, : len(owner)], locations[g, : len(at)] = owner, at
            starts[g] = total + len(legal)
            starts[g, 0] = total
            starts[g, 1 : len(lengths) + 1] = total + np.cumsum(lengths)
            pieces.append(legal)
            total += len(legal)
        return Batch(self._drawn(), self._last.copy(), powers, locations, starts, np.concatenate(pieces))

    def _list_units(self, g: int) -> tuple[Any, Any, Any, Any]:
        """Return the power, the location and the number of legal orders of each unit, and these orders."""
        state, scratch, retreats = self.games.state, self.games.scratch, self._phase_of(g) == RETREATS
        listed = self.games.call("list_retreats" if retreats else "list_movement", g)
        units, count = (state.out, state.game[g, OUT]) if retreats else (state.units, state.game[g, COUNT])
        lengths = np.diff(scratch.start[: count + 1])
        return units[g, POWER, :count], units[g, LOCATION, :count], lengths, scratch.legal[:listed].copy()

    def _list_changes(self, g: int) -> tuple[Any, Any, Any, Any]:
        """Return the same for sites and units to remove; first in the list of each is to do nothing."""
        legal = self.games.scratch.legal[: self.games.call("list_changes", g)].copy()
        _, to, unit, power = order_features(legal).T
        removes = legal & KIND_MASK == REMOVES
        at = np.where(removes, self.games.state.units[g, LOCATION, np.where(removes, unit, 0)], to)
        at = self.games.tables.province[at]
        by_place = np.lexsort((at, power))
        keys, first, counts = np.unique(
            np.stack([power, at])[:, by_place], axis=1, return_index=True, return_counts=True
        )
        return keys[0], keys[1], counts + 1, np.insert(legal[by_place], first, HOLDS)

    def _drawn(self) -> Any:
        state, n = self.games.state, len(self)
        planes = np.repeat(self._still[None], n, axis=0)
        kinds, powers = len(self.rules.kinds), len(self.rules.powers)
        for units, count, first in ((state.units, COUNT, 0), (state.out, OUT, kinds + powers)):
            there = np.arange(units.shape[2]) < state.game[:n, count][:, None]
            g, i = np.nonzero(there)
            row = units[g, LOCATION, i]
            planes[g, row, first + units[g, KIND, i]] = 1
            planes[g, row, first + kinds + units[g, POWER, i]] = 1
        g, place = np.nonzero(state.places[:n, OWNER] >= 0)
        planes[g, place, 2 * kinds + 2 * powers + state.places[g, OWNER, place]] = 1
        centers = np.flatnonzero(self.games.tables.places[IS_CENTER] == 1)
        neutral, contested = (self.planes.names.index(name) for name in ("neutral center", "contested"))
        planes[:, centers, neutral] = state.places[:n, OWNER][:, centers] < 0
        g, place = np.nonzero(state.places[:n, CONTESTED] == 1)
        planes[g, place, contested] = 1
        turn = state.game[:n, TURN]
        planes[np.arange(n), :, self._phase[turn]] = 1
        planes[:, :, -1] = self._year[turn][:, None]
        return planes
