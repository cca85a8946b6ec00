"""What Python asks of dense games: one function that answers any question, so that all is compiled as one."""

from typing import Any, NamedTuple

from legation.lab.dense.judging import judge_outlooks
from legation.lab.dense.layout import *
from legation.lab.dense.listing import list_movement, list_retreats
from legation.lab.dense.playing import order_all
from legation.lab.dense.seating import play_seats
from legation.lab.dense.tactics import find_fear, order_with_search, search_from
from legation.lab.dense.trying import try_movements
from legation.lab.dense.turning import list_changes, play_turn

QUESTIONS = (
    "list_changes list_movement list_retreats judge_outlooks find_fear order_all order_with_search search_from "
    "try_movements play_turn play_seats".split()
)
"""The functions that Python calls; what each takes is a field of :class:`Question` by the same name."""
LIST_CHANGES, LIST_MOVEMENT, LIST_RETREATS, JUDGE_OUTLOOKS, FIND_FEAR, ORDER_ALL = range(6)
ORDER_WITH_SEARCH, SEARCH_FROM, TRY_MOVEMENTS, PLAY_TURN, PLAY_SEATS = range(6, 11)


class Question(NamedTuple):
    """The number of a function in ``QUESTIONS`` and its arguments; fields that it does not take are 0 or empty."""

    question: int
    g: int  # the game, or the first of several
    power: int
    budget: int
    ordered: int
    end: int
    turns: int
    base: Any  # int64, games x powers: the bots in the seats
    budgets: Any  # int64, games x powers
    brought: Any  # int64, rows x units
    orders: Any  # int64, rows x units
    outlooks: Any  # float64, rows x powers
    rows: Any  # int64, NOTED_ROWS x what is noted of a turn
    owners: Any  # int16, rows x provinces
    log: Any  # int64, rows x LOG_FIELDS


def answer(t: DenseTables, s: State, w: Scratch, q: Question) -> int:
    """Answer a question as its function does; 0 where that returns nothing."""
    asked, g = q.question, q.g
    if asked == LIST_CHANGES:
        return list_changes(t, s, g, w)
    if asked == LIST_MOVEMENT:
        return list_movement(t, s, g, w)
    if asked == LIST_RETREATS:
        return list_retreats(t, s, g, w)
    if asked == FIND_FEAR:
        return find_fear(t, s, g, w, q.power)
    if asked == ORDER_ALL:
        return order_all(t, s, g, w, q.base)
    if asked == ORDER_WITH_SEARCH:
        return order_with_search(t, s, g, w, q.base, q.budgets)
    if asked == SEARCH_FROM:
        return search_from(t, s, g, w, q.power, q.budget, q.base, q.brought)
    if asked == PLAY_SEATS:
        return play_seats(t, s, w, g, q.end, q.turns, q.base, q.budgets, q.rows, q.owners, q.log)
    if asked == JUDGE_OUTLOOKS:
        judge_outlooks(t, s, g, w)
    elif asked == TRY_MOVEMENTS:
        try_movements(t, s, g, w, q.orders, q.outlooks)
    elif asked == PLAY_TURN:
        play_turn(t, s, g, w, q.ordered)
    return 0
