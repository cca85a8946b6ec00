"""What happened on the way in some games: orders and what came of them, centers that changed hands, borders fought
over, first contacts and openings, as tables.

A :class:`History` holds the games as flat columns, from dense games (:func:`read_log`) or from games that the judge
played (:func:`read_games`); :func:`tabulate_history` counts."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from legation.board import province_of
from legation.game import Game
from legation.judge import Outcome, Ruleset
from legation.lab.dense.codec import Codec
from legation.lab.dense.layout import *
from legation.lab.dense.tables import turns_of
from legation.notation import write
from legation.orders import Order
from legation.position import Phase

OTHER = 14
_KINDS = (
    (HOLDS, "hold", "Hold"),
    (MOVES, "move", "Move"),
    (MOVES_VIA, "move via convoy", ""),
    (SUPPORTS_HOLD, "support to hold", "SupportHold"),
    (SUPPORTS_MOVE, "support to move", "SupportMove"),
    (CONVOYS, "convoy", "Convoy"),
    (RIDES, "ride on a ferry", "Ride"),
    (CARRIES, "carry by ferry", "Ferry"),
    (CONVERTS, "convert", "Convert"),
    (BUILDS, "build", "Build"),
    (REMOVES, "remove", "Remove"),
    (WAIVES, "waive", "Waive"),
    (RETREATS_TO, "retreat", "Retreat"),
    (DISBANDS, "disband", "Disband"),
    (OTHER, "other", ""),
)
WHATS = {code: words for code, words, _ in _KINDS}
"""What is ordered, by the codes of dense games; what they do not know is the last."""
_TYPES = {name: code for code, _, name in _KINDS if name}
_GOES = (MOVES, MOVES_VIA, RIDES, CARRIES, RETREATS_TO)
OUTCOMES = ("succeeds", "bounced", "cut", "no convoy", "not matched", "illegal")
ILLEGAL = 5
_OUTCOMES = {
    Outcome.SUCCEEDS: SUCCEEDS,
    Outcome.BOUNCED: BOUNCED,
    Outcome.CUT: CUT,
    Outcome.DISRUPTED: NO_CONVOY,
    Outcome.NO_CONVOY: NO_CONVOY,
    Outcome.VOID: NOT_MATCHED,
    Outcome.ILLEGAL: ILLEGAL,
    Outcome.DISBANDED: BOUNCED,
    Outcome.IGNORED: ILLEGAL,
}


def columns(listed: str) -> pa.Schema:
    """Return a table's columns, which are listed with their kinds as Arrow calls them."""
    return pa.schema([(name, pa.type_for_alias(kind)) for name, kind in map(str.split, listed.split(", "))])


ORDERS = columns("game int64, power string, what string, outcome string, count int32")
PLACES = columns("game int64, province string, stays int32, changes int32, taken int32, owner string")
"""``stays`` are movement turns that began with a unit there, ``changes`` how often a power took it from another,
``taken`` the year in which it first had another owner than in the beginning (null for never), ``owner`` the last."""
BORDERS = columns("game int64, from string, to string, moves int32, bounced int32, dislodged int32")
CONTACTS = columns("game int64, power string, other string, year int32")  # null for never
OPENINGS = columns("game int64, power string, orders string")
CHANGED = columns("game int64, number int32, changed int32")
RECORDED = {
    "orders": ORDERS,
    "places": PLACES,
    "borders": BORDERS,
    "contacts": CONTACTS,
    "openings": OPENINGS,
    "changed": CHANGED,  # centers that changed hands in a turn, first taken or not; turns without any are left out
}


class History(NamedTuple):
    """Games as columns: a row for each turn, and one for each order; places are provinces by number, -1 for none."""

    game: Any  # by turn: the game's number in the run
    number: Any  # by turn: its number in the game
    year: Any  # by turn
    moves: Any  # by turn: whether it was a movement turn
    owners: Any  # turns x provinces: who owned what after it
    turn: Any  # by order: the row of its turn
    power: Any
    what: Any
    at: Any
    to: Any
    outcome: Any
    by: Any  # where the unit that dislodged the ordered one came from
    openings: list[tuple[int, str, str]]  # game, power, its orders


def read_log(codec: Codec, numbers: Sequence[int], pieces: Sequence[tuple[Any, Any, Any]]) -> History:
    """Return the history of dense games, from the pieces of :meth:`~legation.lab.games.Games.play_seats`."""
    rows, owners, log = (np.concatenate([piece[k] for piece in pieces]) for k in range(3))
    calendar = turns_of(codec.rules)
    years = np.array([turn.year for turn in calendar])
    moves = np.array([turn.phase is Phase.MOVEMENT for turn in calendar])
    game, when = rows[:, ROW_GAME], rows[:, ROW_TURN]
    begins = np.searchsorted(game, np.arange(len(numbers)))
    number = np.arange(len(game)) - begins[game]
    places = np.append(codec.tables.province, -1)  # -1 finds the last
    order = log[:, LOG_ORDER]
    what = order & KIND_MASK
    goes = np.isin(what, _GOES)
    turn_keys = game * len(calendar) + when
    return History(
        np.asarray(numbers)[game],
        number,
        years[when],
        moves[when],
        owners,
        np.searchsorted(turn_keys, log[:, LOG_GAME] * len(calendar) + log[:, LOG_TURN]),
        log[:, LOG_POWER],
        what,
        places[log[:, LOG_FROM]],
        np.where(goes, places[order >> TO_SHIFT & FIELD_MASK], -1),
        log[:, LOG_OUTCOME],
        places[log[:, LOG_BY]],
        list(_openings(codec, numbers, log, moves)),
    )


def _openings(codec: Codec, numbers: Sequence[int], log: Any, moves: Any) -> Iterator[tuple[int, str, str]]:
    """What each power ordered up to its first movement turn, in dense games."""
    first = np.flatnonzero(np.diff(log[:, LOG_GAME], prepend=-1))
    for begin, end in zip(first, [*first[1:], len(log)], strict=True):
        sheets: dict[str, list[str]] = {power: [] for power in codec.powers}
        for _, group in groupby(range(begin, end), key=lambda row: log[row, LOG_TURN]):
            rows = log[list(group)]
            units = np.zeros((1, UNIT_ROWS, len(rows)), np.int64)
            units[0, LOCATION], units[0, KIND], units[0, POWER] = (rows[:, k] for k in (LOG_FROM, LOG_KIND, LOG_POWER))
            state = State(None, units, units, None, None)
            for i, row in enumerate(rows.tolist()):
                sheets[codec.powers[row[LOG_POWER]]].append(write(codec.order(state, 0, i, row[LOG_ORDER])))
            if moves[rows[0, LOG_TURN]]:
                break
        for power, orders in sheets.items():
            yield numbers[log[begin, LOG_GAME]], power, "; ".join(sorted(orders))


def read_games(rules: Ruleset, games: Sequence[tuple[int, Game]]) -> History:
    """Return the history of judged games, given with their numbers."""
    place = {name: i for i, name in enumerate(rules.board.provinces)}
    powers = {name: i for i, name in enumerate(rules.powers)}
    turns: list[tuple[int, int, int, bool]] = []
    owners = []
    orders = []
    openings: list[tuple[int, str, str]] = []
    for number, game in games:
        opened: dict[str, list[str]] = {power: [] for power in rules.powers}
        moved = False
        for n, turn in enumerate(game.turns):
            before, after = turn.resolution.before, turn.resolution.after
            moves = before.turn.phase is Phase.MOVEMENT
            for verdict in turn.resolution.verdicts:
                if verdict.power not in powers:
                    continue
                at, to = (getattr(verdict.order, name, None) for name in ("at", "to"))
                orders.append(
                    (
                        len(turns),
                        powers[verdict.power],
                        _what(verdict.order),
                        place[province_of(at)] if at else -1,
                        place[province_of(to)] if to and _what(verdict.order) in _GOES else -1,
                        _OUTCOMES[verdict.outcome],
                        place[province_of(verdict.dislodged_from)] if verdict.dislodged_from else -1,
                    )
                )
                if not moved:
                    opened[verdict.power].append(write(verdict.order))
            moved = moved or moves
            turns.append((number, n, before.turn.year, moves))
            owners.append([powers.get(after.owners.get(name, ""), -1) for name in place])
        openings += [(number, power, "; ".join(sorted(texts))) for power, texts in opened.items()]
    turned, ordered = (np.array(rows, np.int64).reshape(-1, width).T for rows, width in ((turns, 4), (orders, 7)))
    owned = np.array(owners, np.int16).reshape(-1, len(place))
    return History._make([*turned[:3], turned[3] == 1, owned, *ordered, openings])


def _what(order: Order) -> int:
    what = _TYPES.get(type(order).__name__, OTHER)
    return MOVES_VIA if what == MOVES and getattr(order, "via_convoy", False) else what


def tabulate_history(rules: Ruleset, history: History) -> dict[str, pa.Table]:
    """Return the tables of ``RECORDED`` for some games."""
    counts = _Counts(rules, history)
    games, powers, texts = zip(*history.openings, strict=True) if history.openings else ((), (), ())
    return {
        "orders": counts.orders(),
        "places": counts.places(),
        "borders": counts.borders(),
        "contacts": counts.contacts(),
        "openings": pa.table([games, powers, texts], schema=OPENINGS),
        "changed": counts.changed(),
    }


class _Counts:
    """The counting; games by their place in the list of numbers."""

    def __init__(self, rules: Ruleset, history: History) -> None:
        self.rules = rules
        self.history = history
        self.provinces = np.array(list(rules.board.provinces), object)
        self.powers = np.array(list(rules.powers), object)
        self.numbers, self.game = np.unique(history.game, return_inverse=True)
        self.order_game = self.game[history.turn]
        opening = rules.opening().owners
        names = {name: i for i, name in enumerate(rules.powers)}
        at_first = np.array([names.get(opening.get(p, ""), -1) for p in self.provinces], np.int16)
        earlier = np.roll(history.owners, 1, axis=0)
        earlier[np.flatnonzero(np.diff(self.game, prepend=-1))] = at_first
        self.at_first = at_first
        self.earlier = earlier

    def _grouped(self, *columns: Any) -> tuple[Any, Any]:
        """The different rows of these columns, and how often each comes."""
        if not len(columns[0]):
            return np.zeros((len(columns), 0), np.int64), np.zeros(0, np.int64)
        sizes = [int(column.max()) + 1 for column in columns]
        keys, counts = np.unique(np.ravel_multi_index(columns, sizes), return_counts=True)
        return np.array(np.unravel_index(keys, sizes)), counts

    def _near(self) -> Any:
        """Which provinces are next to which (provinces x provinces)."""
        board = self.rules.board
        return np.array([[other in board.adjacent(name) for other in self.provinces] for name in self.provinces])

    def orders(self) -> pa.Table:
        h = self.history
        rows, counts = self._grouped(self.order_game, h.power, h.what, h.outcome)
        whats, outcomes = np.array([WHATS[code] for code in range(OTHER + 1)], object), np.array(OUTCOMES, object)
        return pa.table(
            [self.numbers[rows[0]], self.powers[rows[1]], whats[rows[2]], outcomes[rows[3]], counts.astype(np.int32)],
            schema=ORDERS,
        )

    def places(self) -> pa.Table:
        h, count = self.history, (len(self.numbers), len(self.provinces))
        stays, changes = np.zeros(count, np.int32), np.zeros(count, np.int32)
        taken = np.full(count, np.iinfo(np.int32).max, np.int32)
        standing = h.moves[h.turn] & (h.at >= 0)
        np.add.at(stays, (self.order_game[standing], h.at[standing]), 1)
        turns, places = np.nonzero((h.owners != self.earlier) & (self.earlier >= 0))
        np.add.at(changes, (self.game[turns], places), 1)
        turns, places = np.nonzero(h.owners != self.at_first)
        np.minimum.at(taken, (self.game[turns], places), h.year[turns].astype(np.int32))
        last = h.owners[np.flatnonzero(np.diff(self.game, append=-1))]
        owner = np.array([*self.powers, None], object)[last]
        flat = taken.ravel()
        return pa.table(
            [
                np.repeat(self.numbers, count[1]),
                np.tile(self.provinces, count[0]),
                stays.ravel(),
                changes.ravel(),
                pa.array(flat, mask=flat == np.iinfo(np.int32).max),
                owner.ravel(),
            ],
            schema=PLACES,
        )

    def borders(self) -> pa.Table:
        h = self.history
        near = np.pad(self._near(), (0, 1))  # the last row and column for no place
        found: dict[tuple[int, ...], list[int]] = {}
        walks = h.moves[h.turn] & np.isin(h.what, (MOVES, MOVES_VIA)) & near[h.at, h.to]
        bounces = walks & (h.outcome == BOUNCED)
        thrown = h.moves[h.turn] & near[h.by, h.at]
        for k, (chosen, start, end) in enumerate(((walks, h.at, h.to), (bounces, h.at, h.to), (thrown, h.by, h.at))):
            rows, counts = self._grouped(self.order_game[chosen], start[chosen], end[chosen])
            for row, count in zip(rows.T.tolist(), counts.tolist(), strict=True):
                found.setdefault(tuple(row), [0, 0, 0])[k] += count
        keys = np.array(sorted(found), np.int64).reshape(-1, 3).T
        values = np.array([found[key] for key in sorted(found)], np.int32).reshape(-1, 3).T
        return pa.table(
            [self.numbers[keys[0]], self.provinces[keys[1]], self.provinces[keys[2]], *values], schema=BORDERS
        )

    def contacts(self) -> pa.Table:
        """The first year in which a movement turn began with units of both powers side by side."""
        h, near = self.history, self._near().astype(np.float32)
        seats = len(self.powers)
        first = np.full((len(self.numbers), seats, seats), np.iinfo(np.int32).max, np.int32)
        standing = np.flatnonzero(h.moves[h.turn] & (h.at >= 0))
        present = np.zeros((seats, len(near)), np.float32)
        begins = np.flatnonzero(np.diff(h.turn[standing], prepend=-1))
        for begin, end in zip(begins, [*begins[1:], len(standing)], strict=True):
            rows = standing[begin:end]
            turn = h.turn[rows[0]]
            of_game = first[self.game[turn]]
            if of_game.max() < np.iinfo(np.int32).max:  # all have met
                continue
            present[:] = 0
            present[h.power[rows], h.at[rows]] = 1
            met = present @ near @ present.T > 0
            np.fill_diagonal(met, True)
            of_game[met] = np.minimum(of_game[met], h.year[turn])
        a, b = np.triu_indices(seats, 1)
        year = first[:, a, b].ravel()
        return pa.table(
            [
                np.repeat(self.numbers, len(a)),
                np.tile(self.powers[a], len(self.numbers)),
                np.tile(self.powers[b], len(self.numbers)),
                pa.array(year, mask=year == np.iinfo(np.int32).max),
            ],
            schema=CONTACTS,
        )

    def changed(self) -> pa.Table:
        h = self.history
        counts = (h.owners != self.earlier).sum(axis=1)
        rows = np.flatnonzero(counts)
        return pa.table([h.game[rows], h.number[rows].astype(np.int32), counts[rows].astype(np.int32)], schema=CHANGED)
