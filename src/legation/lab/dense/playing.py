"""The orders of all seats of a dense game, each by its bot: one that holds, one that plays by chance, or DumbBot."""

from typing import Any

from legation.bots import PATIENCE
from legation.lab.dense.choosing import draw_matched
from legation.lab.dense.dumb import order_army, order_changes, order_retreats
from legation.lab.dense.layout import *
from legation.lab.dense.listing import list_movement, list_retreats, occupy
from legation.lab.dense.turning import draw_below, find_room, list_removals, may_draw, write_removal
from legation.lab.dense.weighing import measure_presence


def seats_random(t: DenseTables, seats: Any, g: int) -> int:
    """Whether any seat of a game plays by chance."""
    for power in range(t.powers):
        if seats[g, power] == RANDOM_MOVER:
            return 1
    return 0


def order_movement(t: DenseTables, s: State, g: int, w: Scratch, seats: Any) -> int:
    """Write the orders of all units, each by its seat's bot; return how many, or -1."""
    n = s.game[g, COUNT]
    occupy(t, s, g, w)
    if seats_random(t, seats, g) == 1:
        if list_movement(t, s, g, w) == FULL:
            return FULL
        draw_matched(t, s, g, w)
    for i in range(n):
        if seats[g, s.units[g, POWER, i]] != RANDOM_MOVER:
            w.chosen[i] = HOLDS
    measure_presence(t, s, g, w)
    for power in range(t.powers):
        if seats[g, power] == DUMB:
            order_army(t, s, g, w, power, 0)
    return int(n)


def order_dislodged(t: DenseTables, s: State, g: int, w: Scratch, seats: Any) -> int:
    """Write the retreats of all dislodged units; return how many, or -1."""
    out = s.game[g, OUT]
    if list_retreats(t, s, g, w) == FULL:
        return FULL
    measure_presence(t, s, g, w)
    for d in range(out):
        w.chosen[d] = DISBANDS
        if seats[g, s.out[g, POWER, d]] == RANDOM_MOVER:
            w.chosen[d] = w.legal[w.start[d] + draw_below(s, g, w.start[d + 1] - w.start[d])]
    for power in range(t.powers):
        if seats[g, power] == DUMB:
            order_retreats(t, s, g, w, power)
    return int(out)


def order_adjustments(t: DenseTables, s: State, g: int, w: Scratch, seats: Any) -> int:
    """Write what all powers build and remove; return how many orders there are."""
    occupy(t, s, g, w)
    measure_presence(t, s, g, w)
    c = 0
    for power in range(t.powers):
        if seats[g, power] != HOLDER:
            c = order_changes(t, s, g, w, power, c, 1 if seats[g, power] == DUMB else 0)
        elif s.powers[g, STANDING, power] != IN_ANARCHY:
            c = remove_first(t, s, g, w, power, c, find_room(t, s, g, power))
    return c


def remove_first(t: DenseTables, s: State, g: int, w: Scratch, power: int, c: int, room: int) -> int:
    """Write removals of a power's first units."""
    for e in range(list_removals(s, g, w, power, c, c)):
        if room < 0:
            room += write_removal(t, s, g, w, power, c, w.stack[e])
            c += 1
    return c


def order_all(t: DenseTables, s: State, g: int, w: Scratch, seats: Any) -> int:
    """Write the orders of all seats in any phase; return how many, or -1 where the scratch is too small."""
    phase = t.phase[s.game[g, TURN]]
    if phase == MOVEMENT:
        if t.rounds[s.game[g, TURN]] >= PATIENCE and may_draw(t, s, g) == 1:
            s.game[g, AGREED] = (1 << t.powers) - 1
        return order_movement(t, s, g, w, seats)
    if phase == RETREATS:
        return order_dislodged(t, s, g, w, seats)
    return order_adjustments(t, s, g, w, seats)
