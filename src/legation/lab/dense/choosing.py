"""Orders drawn by chance from the legal ones, and games played so."""

from __future__ import annotations

from legation.lab.dense.dumb import order_changes
from legation.lab.dense.layout import *
from legation.lab.dense.listing import list_movement, list_retreats, occupy
from legation.lab.dense.turning import draw_below, play_turn

UNIFORM, MATCHED = 0, 1
"""How orders are drawn: each legal one alike, or so that most supports and convoys fit what is ordered."""


def draw_any(s: State, g: int, w: Scratch, units: int) -> None:
    """Draw one legal order for each unit, each alike."""
    for i in range(units):
        w.chosen[i] = w.legal[w.start[i] + draw_below(s, g, w.start[i + 1] - w.start[i])]


def is_move(o: int) -> int:
    """Whether an order moves a unit."""
    what = o & KIND_MASK
    return 1 if what == MOVES or what == MOVES_VIA or what == RIDES or what == CARRIES else 0


def fits_chosen(t: DenseTables, w: Scratch, o: int) -> int:
    """Whether an order helps what another unit was told to do."""
    what = o & KIND_MASK
    if what != SUPPORTS_HOLD and what != SUPPORTS_MOVE and what != CONVOYS and what != CARRIES and what != RIDES:
        return 0
    j = (o >> UNIT_SHIFT) & FIELD_MASK
    other = w.chosen[j]
    if what == SUPPORTS_HOLD:
        return 1 - is_move(other)
    to = (o >> TO_SHIFT) & FIELD_MASK
    if what == CARRIES:
        to = (o >> MORE_SHIFT) & FIELD_MASK
        rides = other & KIND_MASK == RIDES and (other >> MORE_SHIFT) & FIELD_MASK == (o >> TO_SHIFT) & FIELD_MASK
        return 1 if rides and (other >> TO_SHIFT) & FIELD_MASK == to else 0
    if what == RIDES:
        moves = is_move(other) == 1 and (other >> TO_SHIFT) & FIELD_MASK == (o >> MORE_SHIFT) & FIELD_MASK
        return 1 if moves else 0
    if is_move(other) == 0:
        return 0
    return 1 if t.province[(other >> TO_SHIFT) & FIELD_MASK] == t.province[to] else 0


def draw_matched(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Draw orders of which about half are moves and most others help what is ordered."""
    n = s.game[g, COUNT]
    draw_any(s, g, w, n)
    for i in range(n):
        w.units[0, i] = is_move(w.chosen[i])
        if w.units[0, i] == 0 and draw_below(s, g, 100) < 40:  # most legal orders are supports: more moves
            seen = 0
            for e in range(w.start[i], w.start[i + 1]):
                if is_move(w.legal[e]) == 1:
                    seen += 1
                    if draw_below(s, g, seen) == 0:
                        w.chosen[i] = w.legal[e]
            w.units[0, i] = is_move(w.chosen[i])
    for i in range(n):
        if w.units[0, i] == 1 or draw_below(s, g, 100) >= 85:
            continue
        seen = 0
        for e in range(w.start[i], w.start[i + 1]):
            if fits_chosen(t, w, w.legal[e]) == 1:
                seen += 1
                if draw_below(s, g, seen) == 0:
                    w.chosen[i] = w.legal[e]


def draw_adjustments(t: DenseTables, s: State, g: int, w: Scratch) -> int:
    """Draw builds and removals for all powers; return how many."""
    occupy(t, s, g, w)
    c = 0
    for power in range(t.powers):
        c = order_changes(t, s, g, w, power, c, 0)
    return c


def choose_by_chance(t: DenseTables, s: State, g: int, w: Scratch, how: int) -> int:
    """Draw the orders of all powers in any phase; return how many, or -1 where the scratch is too small."""
    phase = t.phase[s.game[g, TURN]]
    if phase == MOVEMENT:
        if list_movement(t, s, g, w) == FULL:
            return FULL
        if how == MATCHED:
            draw_matched(t, s, g, w)
        else:
            draw_any(s, g, w, s.game[g, COUNT])
        return int(s.game[g, COUNT])
    if phase == RETREATS:
        if list_retreats(t, s, g, w) == FULL:
            return FULL
        draw_any(s, g, w, s.game[g, OUT])
        return int(s.game[g, OUT])
    return draw_adjustments(t, s, g, w)


def play_by_chance(t: DenseTables, s: State, w: Scratch, first: int, end: int, turns: int, how: int) -> int:
    """Play games ``first`` to ``end - 1`` on until each has ended or ``turns`` have been played since it began.

    Returns the number of the first game that is not done: ``end``, or one for whose next turn the scratch is too small.
    """
    for g in range(first, end):
        while s.game[g, ENDED] == RUNS and s.game[g, PLAYED] < turns:
            ordered = choose_by_chance(t, s, g, w, how)
            if ordered == FULL:
                return g
            play_turn(t, s, g, w, ordered)
    return end
