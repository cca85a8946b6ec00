"""Orders drawn by chance from the legal ones."""

from legation.lab.dense.layout import *
from legation.lab.dense.turning import draw_below


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


def draw_help(t: DenseTables, s: State, g: int, w: Scratch, i: int) -> int:
    """Draw a legal order of a unit that helps what another, its own or foreign, is ordered to do; -1 if there is
    none."""
    seen, drawn = 0, -1
    for e in range(w.start[i], w.start[i + 1]):
        if fits_chosen(t, w, w.legal[e]) == 1:
            seen += 1
            if draw_below(s, g, seen) == 0:
                drawn = w.legal[e]
    return int(drawn)


def draw_matched(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Draw orders of which about half are moves and most others help what is ordered."""
    n = s.game[g, COUNT]
    for i in range(n):
        w.chosen[i] = w.legal[w.start[i] + draw_below(s, g, w.start[i + 1] - w.start[i])]
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
        helps = draw_help(t, s, g, w, i)
        if helps >= 0:
            w.chosen[i] = helps
