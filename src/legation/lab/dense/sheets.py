"""Whole sheets of orders for a power in movement: drawn from DumbBot, and changed unit by unit.

They stand in ``Scratch.sheets``; sheet ``k`` of every power lies in the same row, each in its own units' columns."""

from legation.lab.dense.choosing import draw_help, is_move
from legation.lab.dense.dumb import order_army
from legation.lab.dense.layout import *
from legation.lab.dense.turning import draw_below

HEATS = 4  # temperatures of DumbBot's sheets: 0, 10, 20 and 30 per cent of noise on what places are worth


def keep_sheet(s: State, g: int, w: Scratch, power: int, k: int) -> None:
    """Keep what ``Scratch.chosen`` orders a power's units as its sheet ``k``."""
    for i in range(s.game[g, COUNT]):
        if s.units[g, POWER, i] == power:
            w.sheets[k, i] = w.chosen[i]


def take_sheet(s: State, g: int, w: Scratch, power: int, k: int) -> None:
    """Order a power's units as its sheet ``k`` says."""
    for i in range(s.game[g, COUNT]):
        if s.units[g, POWER, i] == power:
            w.chosen[i] = w.sheets[k, i]


def swap_sheets(s: State, g: int, w: Scratch, power: int, a: int, b: int) -> None:
    """Let two sheets of a power change places."""
    for i in range(s.game[g, COUNT]):
        if s.units[g, POWER, i] == power:
            order = w.sheets[a, i]
            w.sheets[a, i] = w.sheets[b, i]
            w.sheets[b, i] = order


def same_sheets(s: State, g: int, w: Scratch, power: int, a: int, b: int) -> int:
    """Whether two sheets of a power order the same."""
    for i in range(s.game[g, COUNT]):
        if s.units[g, POWER, i] == power and w.sheets[a, i] != w.sheets[b, i]:
            return 0
    return 1


def draw_sheets(t: DenseTables, s: State, g: int, w: Scratch, power: int, count: int) -> None:
    """Draw sheets of a power from DumbBot, the first as it plays, others with its worth of places disturbed."""
    for k in range(count):
        for i in range(s.game[g, COUNT]):
            if s.units[g, POWER, i] == power:
                w.chosen[i] = HOLDS
        order_army(t, s, g, w, power, 10 * (k % HEATS))
        keep_sheet(s, g, w, power, k)


def has_order(w: Scratch, i: int, order: int) -> int:
    """Whether an order is among the legal ones of a unit."""
    for e in range(w.start[i], w.start[i + 1]):
        if w.legal[e] == order:
            return 1
    return 0


def draw_order(s: State, g: int, w: Scratch, i: int) -> int:
    """Draw a legal order of a unit, a move rather than a support, of which there are more."""
    order = w.legal[w.start[i] + draw_below(s, g, w.start[i + 1] - w.start[i])]
    if is_move(order) == 0 and draw_below(s, g, 3) > 0:
        order = w.legal[w.start[i] + draw_below(s, g, w.start[i + 1] - w.start[i])]
    return int(order)


def change_order(s: State, g: int, w: Scratch, power: int, chosen: int, order: int) -> None:
    """Give one unit in ``Scratch.chosen`` another order, with convoys of its power's fleets and supports of units that
    do nothing better."""
    w.chosen[chosen] = order
    to = (order >> TO_SHIFT) & FIELD_MASK
    for i in range(s.game[g, COUNT]):
        if s.units[g, POWER, i] != power or i == chosen:
            continue
        what = w.chosen[i] & KIND_MASK
        idle = what == HOLDS or what == SUPPORTS_HOLD
        if what == SUPPORTS_MOVE and (w.chosen[i] >> UNIT_SHIFT) & FIELD_MASK == chosen:
            w.chosen[i] = HOLDS  # what it supported is not ordered any more
            idle = True
        if is_move(order) == 1:
            convoy = CONVOYS | to << TO_SHIFT | chosen << UNIT_SHIFT
            support = SUPPORTS_MOVE | to << TO_SHIFT | chosen << UNIT_SHIFT
            if has_order(w, i, convoy) == 1:
                w.chosen[i] = convoy
            elif (idle or draw_below(s, g, 4) == 0) and has_order(w, i, support) == 1:
                w.chosen[i] = support
        elif idle and has_order(w, i, SUPPORTS_HOLD | chosen << UNIT_SHIFT) == 1 and draw_below(s, g, 2) == 0:
            w.chosen[i] = SUPPORTS_HOLD | chosen << UNIT_SHIFT


def edit_sheet(t: DenseTables, s: State, g: int, w: Scratch, power: int, k: int, source: int) -> None:
    """Make sheet ``k`` of a power from another of its sheets by changing what one unit does: another legal order with
    what helps it, or help for what any unit does by the orders in ``Scratch.chosen``."""
    take_sheet(s, g, w, power, source)
    mine, chosen = 0, -1
    for i in range(s.game[g, COUNT]):
        if s.units[g, POWER, i] == power:
            mine += 1
            if draw_below(s, g, mine) == 0:
                chosen = i
    helps = -1
    if draw_below(s, g, 3) == 0:
        helps = draw_help(t, s, g, w, chosen)
    if helps >= 0:
        w.chosen[chosen] = helps
    else:
        change_order(s, g, w, power, chosen, draw_order(s, g, w, chosen))
    keep_sheet(s, g, w, power, k)
