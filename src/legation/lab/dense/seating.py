"""Games with a bot in each seat, played to their end, and what is noted of them."""

from typing import Any

from legation.lab.dense.layout import *
from legation.lab.dense.logging import log_orders, log_outcomes
from legation.lab.dense.tactics import order_with_search
from legation.lab.dense.turning import play_turn


def note_turn(t: DenseTables, s: State, g: int, rows: Any, row: int, before: int, out: int) -> None:
    """Note how all powers stand after a turn: centers, then units."""
    rows[row, ROW_GAME] = g
    rows[row, ROW_TURN] = before
    rows[row, ROW_OUT] = out
    rows[row, ROW_POWERS:] = 0
    for p in range(t.provinces):
        if s.places[g, OWNER, p] >= 0:
            rows[row, ROW_POWERS + s.places[g, OWNER, p]] += 1
    for i in range(s.game[g, COUNT]):
        rows[row, ROW_POWERS + t.powers + s.units[g, POWER, i]] += 1


def play_seats(
    t: DenseTables,
    s: State,
    w: Scratch,
    first: int,
    end: int,
    turns: int,
    base: Any,
    budgets: Any,
    rows: Any,
    owners: Any,
    log: Any,
) -> int:
    """Play games ``first`` to ``end - 1`` on with a bot in each seat until each has ended or had so many turns, and
    note every turn in ``rows`` from row ``Scratch.counts[NOTED]`` on.

    Where ``log`` has rows, every order and its outcome stands there from row ``Scratch.counts[LOGGED]`` on, and who
    owns each province after each turn in ``owners``. Returns the number of the first game that is not done: ``end``,
    or one for whose next turn the scratch or the rows are too small."""
    w.counts[TOO_SMALL] = 0
    logs = log.shape[0] > 0
    for g in range(first, end):
        while s.game[g, ENDED] == RUNS and s.game[g, PLAYED] < turns:
            if w.counts[NOTED] >= rows.shape[0]:
                return g
            if logs and w.counts[LOGGED] + w.chosen.shape[0] > log.shape[0]:
                return g
            ordered = order_with_search(t, s, g, w, base, budgets)
            if ordered == FULL:
                w.counts[TOO_SMALL] = 1
                return g
            before = s.game[g, TURN]
            if logs:
                log_orders(t, s, g, w, log, ordered)
            play_turn(t, s, g, w, ordered)
            note_turn(t, s, g, rows, w.counts[NOTED], before, s.game[g, OUT])
            if logs:
                log_outcomes(t, s, g, w, log, t.phase[before], ordered)
                for p in range(t.provinces):  # one by one, as a copy of a whole row might allocate
                    owners[w.counts[NOTED], p] = s.places[g, OWNER, p]
            w.counts[NOTED] += 1
    return end
