"""The tactician in dense games: whole sheets tried against sampled replies.

Sheets of every power come from DumbBot at several temperatures; its own also from these by changing the order of one
unit, with supports and convoys that match. The best few against samples of the others' sheets go on to regret matching
among all powers, and the one that is then played most is ordered. Retreats and adjustments are chosen among samples by
what they lead to.
"""

from __future__ import annotations

from typing import Any

from legation.lab.dense.choosing import is_move
from legation.lab.dense.dumb import order_army, order_changes, order_retreats
from legation.lab.dense.judging import judge_outlooks
from legation.lab.dense.layout import (
    CONVOYS,
    COUNT,
    ENDED,
    EVALUATIONS,
    FIELD_MASK,
    FULL,
    HOLDS,
    KIND_MASK,
    MORE_SHIFT,
    MOVEMENT,
    OUT,
    OWN_SHEETS,
    PLACE_ROWS,
    POWER,
    POWER_ROWS,
    RANDOM,
    RETREATS,
    RUNS,
    SHEETS,
    SUPPORTS_HOLD,
    SUPPORTS_MOVE,
    TO_SHIFT,
    TURN,
    UNIT_SHIFT,
    Scratch,
    State,
    Tables,
)
from legation.lab.dense.listing import list_movement, occupy
from legation.lab.dense.moving import resolve_movement
from legation.lab.dense.playing import order_all
from legation.lab.dense.turning import draw_below, draw_number, play_turn, survives
from legation.lab.dense.weighing import measure_presence

HEATS = 4  # temperatures of DumbBot's sheets: 0, 10, 20 and 30 per cent of noise on what places are worth
DRAWN = 12  # own sheets from DumbBot; the others are edits of these
FINALISTS = 6  # own sheets that go on to regret matching
CHANGES = 8  # samples of retreats and adjustments


def copy_game(s: State, a: int, b: int) -> None:
    """Copy game ``a`` over game ``b``, all but its random numbers."""
    for k in range(RANDOM):
        s.game[b, k] = s.game[a, k]
    for row in range(3):
        for i in range(s.game[a, COUNT]):
            s.units[b, row, i] = s.units[a, row, i]
    for row in range(4):
        for d in range(s.game[a, OUT]):
            s.out[b, row, d] = s.out[a, row, d]
    for row in range(PLACE_ROWS):
        for p in range(s.places.shape[2]):
            s.places[b, row, p] = s.places[a, row, p]
    for row in range(POWER_ROWS):
        for power in range(s.powers.shape[2]):
            s.powers[b, row, power] = s.powers[a, row, power]


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


def draw_sheets(t: Tables, s: State, g: int, w: Scratch, power: int, count: int) -> None:
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


def edit_sheet(t: Tables, s: State, g: int, w: Scratch, power: int, k: int) -> None:
    """Make sheet ``k`` of a power from one before it: another legal order for one unit, with convoys of its own fleets
    and supports of units that do nothing better."""
    take_sheet(s, g, w, power, draw_below(s, g, k))
    mine = 0
    chosen = -1
    for i in range(s.game[g, COUNT]):
        if s.units[g, POWER, i] == power:
            mine += 1
            if draw_below(s, g, mine) == 0:
                chosen = i
    order = w.legal[w.start[chosen] + draw_below(s, g, w.start[chosen + 1] - w.start[chosen])]
    if is_move(order) == 0 and draw_below(s, g, 3) > 0:  # most legal orders are supports: rather a move
        order = w.legal[w.start[chosen] + draw_below(s, g, w.start[chosen + 1] - w.start[chosen])]
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
            elif idle and has_order(w, i, support) == 1:
                w.chosen[i] = support
        elif idle and has_order(w, i, SUPPORTS_HOLD | chosen << UNIT_SHIFT) == 1 and draw_below(s, g, 2) == 0:
            w.chosen[i] = SUPPORTS_HOLD | chosen << UNIT_SHIFT
    keep_sheet(s, g, w, power, k)


def try_sheets(t: Tables, s: State, g: int, w: Scratch, trial: int) -> None:
    """Judge the movement in ``Scratch.chosen`` aside, and write what every power's outlook then is."""
    copy_game(s, g, trial)
    for i in range(s.game[g, COUNT]):
        w.kept[i] = w.chosen[i]
    resolve_movement(t, s, trial, w)
    judge_outlooks(t, s, trial, w)
    for i in range(s.game[g, COUNT]):
        w.chosen[i] = w.kept[i]
    w.counts[EVALUATIONS] += 1


def respond(t: Tables, s: State, g: int, w: Scratch, trial: int, power: int, own: int, samples: int) -> None:
    """Try each own sheet against samples of the others', and sort the sheets by their mean outlook, the best first."""
    for k in range(own):
        w.means[k] = 0.0
    for _ in range(samples):
        for other in range(t.powers):
            if other != power:
                take_sheet(s, g, w, other, draw_below(s, g, SHEETS))
        for k in range(own):
            take_sheet(s, g, w, power, k)
            try_sheets(t, s, g, w, trial)
            w.means[k] += w.outlook[power] / samples
    for k in range(own):
        best = k
        for e in range(k + 1, own):
            if w.means[e] > w.means[best]:
                best = e
        if best != k:
            mean = w.means[best]
            w.means[best] = w.means[k]
            w.means[k] = mean
            for i in range(s.game[g, COUNT]):
                if s.units[g, POWER, i] == power:
                    order = w.sheets[best, i]
                    w.sheets[best, i] = w.sheets[k, i]
                    w.sheets[k, i] = order


def draw_by_regret(s: State, g: int, w: Scratch, power: int, sheets: int) -> int:
    """Draw one of a power's sheets in proportion to its positive regret; the first where none is positive."""
    total = 0.0
    for k in range(sheets):
        total += max(0.0, w.regrets[power, k])
    if total <= 0.0:
        return draw_below(s, g, sheets)
    left = total * draw_below(s, g, 1 << 20) / (1 << 20)
    for k in range(sheets):
        left -= max(0.0, w.regrets[power, k])
        if left < 0.0:
            return k
    return sheets - 1


def match_regrets(t: Tables, s: State, g: int, w: Scratch, trial: int, power: int, budget: int) -> int:
    """Match regrets among all powers' sheets until the budget of trials is spent; return the own sheet played most."""
    for other in range(t.powers):
        for k in range(OWN_SHEETS):
            w.regrets[other, k] = 0.0
            w.played[other, k] = 0.0
    for k in range(FINALISTS):
        w.played[power, k] = 1e-6 * (FINALISTS - k)
    rounds = 0
    while w.counts[EVALUATIONS] < budget:
        rounds += 1
        for other in range(t.powers):
            k = draw_by_regret(s, g, w, other, FINALISTS if other == power else SHEETS)
            w.drawn[other] = k
            take_sheet(s, g, w, other, k)
        w.played[power, w.drawn[power]] += rounds
        try_sheets(t, s, g, w, trial)
        for other in range(t.powers):
            w.now[other] = w.outlook[other]
        for other in range(t.powers):
            sheets = FINALISTS if other == power else SHEETS
            if other != power and rounds % 3 > 0:  # the others' replies are weighed less often than one's own
                continue
            for k in range(sheets):
                w.regrets[other, k] *= rounds / (rounds + 1.0)
                if k != w.drawn[other]:
                    take_sheet(s, g, w, other, k)
                    try_sheets(t, s, g, w, trial)
                    w.regrets[other, k] += w.outlook[other] - w.now[other]
            take_sheet(s, g, w, other, w.drawn[other])
    best = 0
    for k in range(FINALISTS):
        if w.played[power, k] > w.played[power, best]:
            best = k
    return best


def search_movement(t: Tables, s: State, g: int, w: Scratch, trial: int, power: int, budget: int) -> int:
    """Find the sheet of a power in movement, with so many trials; the others' orders in ``Scratch.chosen`` stay as they
    are. Returns -1 where the scratch is too small."""
    n = s.game[g, COUNT]
    mine = 0
    for i in range(n):
        w.ordered[i] = w.chosen[i]
        mine += 1 if s.units[g, POWER, i] == power else 0
    if mine == 0:
        return 0
    if list_movement(t, s, g, w) == FULL:
        return FULL
    measure_presence(t, s, g, w)
    for other in range(t.powers):
        draw_sheets(t, s, g, w, other, DRAWN if other == power else SHEETS)
    for k in range(DRAWN, OWN_SHEETS):
        edit_sheet(t, s, g, w, power, k)
    w.counts[EVALUATIONS] = 0
    samples = max(2, budget * 6 // (10 * OWN_SHEETS))
    respond(t, s, g, w, trial, power, OWN_SHEETS, samples)
    best = match_regrets(t, s, g, w, trial, power, budget)
    for i in range(n):
        w.chosen[i] = w.ordered[i]
    take_sheet(s, g, w, power, best)
    return 0


def find_fear(t: Tables, s: State, g: int, w: Scratch, trial: int, power: int, own: int) -> int:
    """Which sheet of another power hurts an own sheet most, as power * sheets + sheet; its outlook stands in
    ``Scratch.now`` of the power."""
    worst = -1
    for other in range(t.powers):
        if other != power:
            take_sheet(s, g, w, other, 0)
    take_sheet(s, g, w, power, own)
    for other in range(t.powers):
        if other == power:
            continue
        for k in range(SHEETS):
            take_sheet(s, g, w, other, k)
            try_sheets(t, s, g, w, trial)
            if worst < 0 or w.outlook[power] < w.now[power]:
                worst = other * SHEETS + k
                w.now[power] = w.outlook[power]
        take_sheet(s, g, w, other, 0)
    return worst


def weigh_future(t: Tables, s: State, g: int, w: Scratch, trial: int, ordered: int, base: Any) -> None:
    """Play the orders in ``Scratch.chosen`` aside, and DumbBots to the end of the next movement; the outlooks stand in
    ``Scratch.outlook``. What was chosen is chosen again afterwards."""
    copy_game(s, g, trial)
    for e in range(ordered):
        w.kept[e] = w.chosen[e]
    play_turn(t, s, trial, w, ordered)
    moved = 0
    while moved == 0 and s.game[trial, ENDED] == RUNS:
        phase = t.phase[s.game[trial, TURN]]
        count = order_all(t, s, trial, w, base)
        if count == FULL:
            break
        moved = 1 if phase == MOVEMENT else 0
        if moved == 1:
            resolve_movement(t, s, trial, w)
        else:
            play_turn(t, s, trial, w, count)
    judge_outlooks(t, s, trial, w)
    for e in range(ordered):
        w.chosen[e] = w.kept[e]


def search_changes(t: Tables, s: State, g: int, w: Scratch, trial: int, power: int, ordered: int, base: Any) -> int:
    """Choose a power's retreats, builds or removals among samples of DumbBot's by what they lead to; return how many
    orders stand in ``Scratch.chosen``."""
    retreats = t.phase[s.game[g, TURN]] == RETREATS
    best = -1e18
    count = ordered
    kept = ordered
    for e in range(ordered):
        w.ordered[e] = w.chosen[e]
    for _ in range(CHANGES):
        occupy(t, s, g, w)
        measure_presence(t, s, g, w)
        count = ordered
        if retreats:
            order_retreats(t, s, g, w, power)
        else:
            count = 0
            for e in range(ordered):  # the others' orders, then its own anew
                if (w.kept_orders[e] >> MORE_SHIFT) & FIELD_MASK != power:
                    w.chosen[count] = w.kept_orders[e]
                    count += 1
            count = order_changes(t, s, g, w, power, count)
        weigh_future(t, s, g, w, trial, count, base)
        if w.outlook[power] > best:
            best = w.outlook[power]
            kept = count
            for e in range(count):
                w.ordered[e] = w.chosen[e]
    for e in range(kept):
        w.chosen[e] = w.ordered[e]
    return kept


def order_with_search(t: Tables, s: State, g: int, w: Scratch, base: Any, budgets: Any) -> int:
    """Write the orders of all seats: by ``base`` bots, and by search where a seat has a budget of trials.

    The last game of the state is where trials are made. Returns how many orders there are, or -1 where the scratch is
    too small.
    """
    trial = s.game.shape[0] - 1
    ordered = order_all(t, s, g, w, base)
    if ordered == FULL:
        return FULL
    for power in range(t.powers):
        if budgets[g, power] == 0 or survives(t, s, g, power) == 0:
            continue
        for k in range(4):
            s.game[trial, RANDOM + k] = draw_number(s, g) | 1
        if t.phase[s.game[g, TURN]] == MOVEMENT:
            if search_movement(t, s, g, w, trial, power, budgets[g, power]) == FULL:
                return FULL
        else:
            for e in range(ordered):
                w.kept_orders[e] = w.chosen[e]
            ordered = search_changes(t, s, g, w, trial, power, ordered, base)
    return ordered
