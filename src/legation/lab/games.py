"""Thousands of games at once: made, listed, judged and played on one core.

:class:`Games` is the front door. The work is done by the functions of this package, compiled by numba
(:mod:`legation.lab.compiled`), or as they stand."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NoReturn, get_type_hints

import numpy as np
from numpy.typing import NDArray

from legation.judge import Ending, Ruleset
from legation.judge.core import MovementProblem
from legation.lab.compiled import compiled_answer, compiles, log_beginning
from legation.lab.dense.answering import QUESTIONS, Question, answer
from legation.lab.dense.codec import Codec
from legation.lab.dense.layout import *
from legation.lab.dense.tables import network_of
from legation.lab.references import Reference
from legation.orders import Order, Sheet, VoteDraw
from legation.position import Position
from legation.variants import STANDARD, load

NOTED_ROWS = 4096
"""Turns of which is noted at once how powers stood after them."""


def new_state(t: DenseTables, games: int) -> State:
    """Return arrays for ``games`` games that have not begun.

    In adjustments units are built before those that other powers remove are taken off: there is room for both."""
    built = int((t.places[IS_CENTER] == 1).sum())
    return State(
        game=np.zeros((games, GAME_FIELDS), np.int64),
        units=np.zeros((games, UNIT_ROWS, t.width + built), np.int32),
        out=np.zeros((games, UNIT_ROWS, t.width), np.int32),
        places=np.full((games, PLACE_ROWS, t.provinces), -1, np.int32),
        powers=np.zeros((games, POWER_ROWS, t.powers), np.int32),
    )


def new_scratch(t: DenseTables, size: int = 1) -> Scratch:
    """Return work space for one thread; ``size`` 2 gives lists of twice the length."""
    n, p = t.width, t.provinces
    sizes = {"units": n, "one more unit": n + 1, "orders": 2 * n, "words": n // BITS + 1, "work": 4 * n * (n + 4)}
    sizes |= {"goals": size * 24 * n, "legal": size * 160 * n, "extra": size * 80 * n, "stack": 2 * p + 4 * n}
    sizes |= {"provinces": p, "one more province": p + 1, "nodes": 2 * t.locations, "powers": t.powers}
    sizes["near"] = int(np.diff(t.reach_start).max()) + 1

    def array(name: str, *shape: int | str) -> NDArray[Any]:
        kind = np.float64 if name in FLOATS else np.int64
        return np.zeros([sizes[part] if isinstance(part, str) else part for part in shape], kind)

    hints = get_type_hints(Scratch, include_extras=True)
    w = {name: array(name, *hint.__metadata__) for name, hint in hints.items() if name != "turn"}
    rows: Any = [*w["units"][:LINKED], w["places"][OCCUPANT], w["places"][INTO_HEAD], *w["units"][LINKED:OTHERS]]
    rows += [w["limited"], w["stack"], w["work"]]
    return Scratch(**w, turn=MovementProblem(0, p, t.rules, t.near, *rows))


def seed_words(seed: str) -> list[int]:
    """Return four 32-bit words from a seed, for a game's random numbers."""
    digest = hashlib.sha256(seed.encode()).digest()
    return [int.from_bytes(digest[4 * i : 4 * i + 4], "big") | (i == 0) for i in range(4)]


_NUMBERS = dict.fromkeys("question g power budget ordered end turns".split(), 0)
_ARRAYS = dict.fromkeys("base budgets brought orders rows log".split(), np.zeros((0, 0), np.int64))
_NOTHING = Question(**_NUMBERS, **_ARRAYS, outlooks=np.zeros((0, 0)), owners=np.zeros((0, 0), np.int16))  # type: ignore[arg-type]


def compile_all(tell: Callable[[int, int], None] = log_beginning) -> bool:
    """Compile, or read from disk, the functions of dense games; ``tell`` is told how many, of how many."""
    Games(load(STANDARD), [], tell=tell)
    return True


def _unchanged(values: Any) -> Any:
    return values


class Games:
    """Games of one variant side by side, each with random numbers of its own. With ``by_network`` a search
    judges what orders lead to by the network that predicts who wins, where the variant has one; ``interpreted``
    the functions of dense games run as they stand. ``tell`` is told how many of them are compiled, of how many.

    :raises NoDenseFormError: for a variant that the judge must play."""

    def __init__(
        self,
        rules: Ruleset,
        seeds: Sequence[str],
        *,
        by_network: bool = False,
        interpreted: bool = False,
        tell: Callable[[int, int], None] = log_beginning,
    ) -> None:
        self.codec = Codec(rules)
        self.rules = rules
        self.tables = self.codec.tables
        if by_network:
            self.tables = self.tables._replace(network=network_of(rules))
        self.state = new_state(self.tables, len(seeds) + 1)  # the last is where bots try what they think of
        self.scratch = new_scratch(self.tables)
        self._size = 1
        interpreted = interpreted or not compiles()
        self._pass: Callable[[Any], Any] = _unchanged if interpreted else Reference
        self._given = [self._pass(values) for values in (self.tables, self.state, self.scratch)]
        self._answer: Callable[..., int] = answer
        self._question: Reference | None = None
        if not interpreted:
            self._question = Reference(_NOTHING)
            self._answer = compiled_answer((*(given.form for given in self._given), self._question.form), tell)
        opening = rules.opening()
        for g, seed in enumerate(seeds):
            self.codec.write(self.state, g, opening)
            self.state.game[g, RANDOM:] = seed_words(seed)

    def __reduce__(self) -> NoReturn:
        raise TypeError("games cannot be copied: compiled code works at the addresses of these")

    def __len__(self) -> int:
        return len(self.state.game) - 1

    def position(self, g: int) -> Position:
        """Return the position of game ``g``."""
        return self.codec.read(self.state, g)

    def set_position(self, g: int, position: Position, seed: str | None = None) -> None:
        """Let game ``g`` go on from a position, with the random numbers of a seed if one is given."""
        self.codec.write(self.state, g, position)
        if seed is not None:
            self.state.game[g, RANDOM:] = seed_words(seed)

    def ending(self, g: int) -> Ending | None:
        """Return how game ``g`` ended, without its reason in words; None while it runs."""
        return self.codec.ending(self.state, g)

    def ended(self, g: int) -> bool:
        """Whether game ``g`` has ended, or its calendar has run out."""
        return bool(self.state.game[g, ENDED])

    @property
    def turns_played(self) -> int:
        """Return how many turns all games have had together."""
        return int(self.state.game[:-1, PLAYED].sum())

    def use_tables(self, tables: DenseTables) -> None:
        """Replace the variant's tables, for example to use another network.

        :raises TypeError: for tables of other types."""
        given = self._pass(tables)
        if isinstance(given, Reference) and given.form != self._given[0].form:
            raise TypeError("these tables have other types than those that the games began with")
        self.tables, self._given[0] = tables, given

    def grow(self) -> None:
        """Make the lists of the work space twice as long."""
        self._size *= 2
        self.scratch = new_scratch(self.tables, self._size)
        self._given[2] = self._pass(self.scratch)

    def call(self, question: str, g: int, **given: Any) -> int:
        """Ask a question of a game (:data:`~legation.lab.dense.answering.QUESTIONS`); where the lists of the work space
        are full, again with larger ones."""
        given |= {"question": QUESTIONS.index(question), "g": g}
        asked: Any = self._question
        if asked is None:
            asked = _NOTHING._replace(**given)
        else:
            for name, value in given.items():
                asked.put(name, value)
        while (found := self._answer(*self._given, asked)) < 0:
            self.grow()
        return int(found)

    def legal(self, g: int) -> dict[str, list[Order]]:
        """Return the legal orders of each power for units in movement and retreats, as the judge lists them.

        Proxies and supply that could be sent are not among them; those of adjustments are asked of the judge."""
        phase = self.tables.phase[self.state.game[g, TURN]]
        legal: dict[str, list[Order]] = {power: [] for power in self.codec.powers}
        units = self.state.out if phase == RETREATS else self.state.units
        self.call("list_retreats" if phase == RETREATS else "list_movement", g)
        silenced = self.codec.silenced(self.state, g)
        for i in range(self.state.game[g, OUT if phase == RETREATS else COUNT]):
            power = self.codec.powers[units[g, POWER, i]]
            if power not in silenced:
                start, end = self.scratch.start[i : i + 2]
                listed = self.scratch.legal[start:end].tolist()
                legal[power] += [self.codec.order(self.state, g, i, order) for order in listed]
        return legal

    def list_codes(self, g: int) -> Iterator[tuple[int, int, Order]]:
        """Yield every legal order of game ``g`` in movement: its unit, its code and its record."""
        self.call("list_movement", g)
        starts = self.scratch.start[: self.state.game[g, COUNT] + 1].tolist()
        for i, (start, end) in enumerate(pairwise(starts)):
            for code in self.scratch.legal[start:end].tolist():
                yield i, code, self.codec.order(self.state, g, i, code)

    def try_movements(self, g: int, orders: Any) -> Any:
        """Return every power's part of the outlook after each row of orders (rows x units, as codes) of game ``g``."""
        outlooks = np.zeros((len(orders), self.tables.powers))
        self.call("try_movements", g, orders=np.ascontiguousarray(orders, np.int64), outlooks=outlooks)
        return outlooks

    def outlooks(self, g: int) -> Any:
        """Return every power's outlook in game ``g``; to stand on enough centers is not to have won while others may
        still order."""
        self.call("judge_outlooks", g)
        if self.tables.phase[self.state.game[g, TURN]] == MOVEMENT:
            return self.scratch.features[:, :WEIGHED] @ self.tables.weights
        return self.scratch.outlook.copy()

    def order_seats(self, g: int, seats: NDArray[np.int64], budgets: NDArray[np.int64] | None = None) -> int:
        """Write the next orders of all powers by the bots in their seats (games x powers); return how many.

        ``budgets`` (games x powers) gives seats so much work for a search of their orders."""
        base, given = self._seats(seats, budgets)
        return self.call("order_with_search", g, base=base, budgets=given)

    def search_from(self, g: int, power: int, budget: int, brought: Any) -> int:
        """Write the orders of a power that a search finds in movement, with so much work, from sheets that are
        ``brought`` (:func:`~legation.lab.dense.tactics.search_from`); return how many units it has."""
        base, _ = self._seats(np.full((len(self), self.tables.powers), DUMB), None)
        return self.call("search_from", g, power=power, budget=budget, base=base, brought=brought)

    def _seats(self, seats: NDArray[np.int64], budgets: NDArray[np.int64] | None) -> tuple[Any, Any]:
        """Bots and budgets with a row for the game of trials, in which DumbBot plays."""
        trial = np.full((1, self.tables.powers), DUMB)
        none = np.zeros((len(seats), self.tables.powers), np.int64) if budgets is None else budgets
        return np.concatenate([seats, trial]), np.concatenate([none, 0 * trial])

    def sheets(self, g: int, ordered: int) -> list[Sheet]:
        """Return the orders in ``Scratch.chosen`` as sheets, each power's in their order, votes for a draw included."""
        phase = self.tables.phase[self.state.game[g, TURN]]
        by_power: dict[str, list[Order]] = {power: [] for power in self.codec.powers}
        silenced = self.codec.silenced(self.state, g)
        for i, order in enumerate(self.scratch.chosen[:ordered].tolist()):
            if phase in (MOVEMENT, RETREATS):
                power = (self.state.units if phase == MOVEMENT else self.state.out)[g, POWER, i]
            else:
                power = order >> MORE_SHIFT & FIELD_MASK
            if self.codec.powers[power] not in silenced:
                by_power[self.codec.powers[power]].append(self.codec.order(self.state, g, i, order))
        agreed = int(self.state.game[g, AGREED])
        for number, power in enumerate(self.codec.powers):
            if agreed >> number & 1:
                by_power[power].append(VoteDraw())
        return [Sheet(power, tuple(orders)) for power, orders in by_power.items() if orders]

    def play_turn(self, g: int, ordered: int) -> None:
        """Judge the orders in ``Scratch.chosen`` and go on to the next turn."""
        self.call("play_turn", g, ordered=ordered)

    def play_by_chance(self, turns: int) -> None:
        """Play every game on by chance until it ends or has had so many turns."""
        for _ in self.play_seats(np.full((len(self), self.tables.powers), RANDOM_MOVER), turns):
            pass

    def play_seats(
        self, seats: NDArray[np.int64], turns: int, budgets: NDArray[np.int64] | None = None, *, logged: bool = False
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int16], NDArray[np.int64]]]:
        """Play every game on with a bot in each seat (games x powers) until it ends or has had so many turns.

        What is noted of each turn comes in pieces of ``NOTED_ROWS``: game, turn in the calendar, dislodged units, then
        each power's centers and each power's units. With each piece of a ``logged`` game come the owner of every
        province after each of its turns (rows x provinces, -1 for nobody), and a row of ``LOG_FIELDS`` for every order
        of these turns."""
        noted = np.zeros((NOTED_ROWS, ROW_POWERS + 2 * self.tables.powers), np.int64)
        owners = np.zeros((NOTED_ROWS * logged, self.tables.provinces), np.int16)
        log = np.zeros((logged * (NOTED_ROWS // 2 + 4) * self.tables.width, LOG_FIELDS), np.int64)
        base, budgets = self._seats(seats, budgets)
        played = {"end": len(self), "turns": turns, "base": base, "budgets": budgets}
        filled = written = done = 0
        while done < len(self):
            counts = self.scratch.counts
            counts[NOTED], counts[LOGGED] = filled, written
            done = self.call("play_seats", done, **played, rows=noted, owners=owners, log=log)
            filled, written = int(counts[NOTED]), int(counts[LOGGED])
            if counts[TOO_SMALL]:
                self.grow()
            elif done < len(self):
                yield noted[:filled].copy(), owners[:filled].copy(), log[:written].copy()
                filled = written = 0
        yield noted[:filled].copy(), owners[:filled].copy(), log[:written].copy()
