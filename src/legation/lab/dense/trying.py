"""Movements tried in dense games: what each of many sets of orders would lead to."""

from typing import Any

from legation.lab.dense.judging import judge_outlooks, weigh_features
from legation.lab.dense.layout import *
from legation.lab.dense.tactics import copy_game
from legation.lab.dense.turning import play_turn


def try_movements(t: DenseTables, s: State, g: int, w: Scratch, orders: Any, outlooks: Any) -> None:
    """Judge each row of ``orders`` (rows x units), and write every power's share of the outlook that follows into
    ``outlooks`` (rows x powers). The last game of ``s`` is overwritten."""
    trial = s.game.shape[0] - 1
    n = s.game[g, COUNT]
    for row in range(len(orders)):
        copy_game(s, g, trial)
        for i in range(n):
            w.chosen[i] = orders[row, i]
        play_turn(t, s, trial, w, n)
        judge_outlooks(t, s, trial, w)
        share_outlooks(t, s, trial, w)
        for power in range(t.powers):
            outlooks[row, power] = w.outlook[power]


def share_outlooks(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Make of the outlooks in ``Scratch.outlook`` parts of one game; to stand on enough centers is not to have won
    while others may still order."""
    total = 0.0
    for power in range(t.powers):
        value = w.outlook[power]
        if t.phase[s.game[g, TURN]] == MOVEMENT:
            value = weigh_features(t, w, power)
        w.outlook[power] = max(value, 0.0)
        total += w.outlook[power]
    for power in range(t.powers):
        w.outlook[power] = w.outlook[power] / total if total > 0.0 else 0.0
