"""The tactician in dense games: whole sheets tried against sampled replies.

In movement, sheets of every power come from DumbBot at several temperatures; its own are then changed unit by unit,
again and again, and those stay that do best against samples of the others' sheets. The best few are played on against
more samples, with DumbBots in all seats to the end of the next movement, and the one with the best outlook now and then
is ordered. Retreats and adjustments are chosen among samples by what they lead to.

Its time is counted in work, so that it finds the same wherever it runs."""

from typing import Any

from legation.lab.dense.dumb import order_changes, order_retreats
from legation.lab.dense.judging import judge_outlooks
from legation.lab.dense.layout import *
from legation.lab.dense.listing import list_movement, list_retreats, occupy
from legation.lab.dense.moving import resolve_movement
from legation.lab.dense.playing import order_all
from legation.lab.dense.sheets import draw_sheets, edit_sheet, same_sheets, swap_sheets, take_sheet
from legation.lab.dense.turning import draw_below, draw_number, find_room, play_turn, survives
from legation.lab.dense.weighing import measure_presence

DRAWN = 12  # own sheets from DumbBot; the others are edits of these, and the best of all stay
TRIED = 24  # samples that a sheet is tried against, with little time fewer
EDITING = 0.35  # of the work goes into edits of sheets, the rest into playing on
FINALISTS = 8  # own sheets that are played on
LATER = 0.5  # weight of the outlook after the next movement, beside the present one
CHANGES = 8  # samples of retreats and adjustments
DOUBLE = -1e9  # the mean of a sheet that is there already
LOOKING = 40  # playing on a turn is about as much work as trying so many sheets


def copy_game(s: State, a: int, b: int) -> None:
    """Copy game ``a`` over game ``b``, all but its random numbers."""
    for k in range(RANDOM):
        s.game[b, k] = s.game[a, k]
    for row in range(3):
        for i in range(s.game[a, COUNT]):
            s.units[b, row, i] = s.units[a, row, i]
    for row in range(s.out.shape[1]):
        for d in range(s.game[a, OUT]):
            s.out[b, row, d] = s.out[a, row, d]
    for row in range(PLACE_ROWS):
        for p in range(s.places.shape[2]):
            s.places[b, row, p] = s.places[a, row, p]
    for row in range(POWER_ROWS):
        for power in range(s.powers.shape[2]):
            s.powers[b, row, power] = s.powers[a, row, power]


def try_sheets(t: DenseTables, s: State, g: int, w: Scratch, trial: int) -> None:
    """Judge the movement in ``Scratch.chosen`` aside, and write what every power's outlook then is."""
    copy_game(s, g, trial)
    for i in range(s.game[g, COUNT]):
        w.kept[i] = w.chosen[i]
    resolve_movement(t, s, trial, w)
    judge_outlooks(t, s, trial, w)
    for i in range(s.game[g, COUNT]):
        w.chosen[i] = w.kept[i]
    w.counts[WORK] += 1


def draw_replies(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Draw samples of what the others order, from their sheets."""
    for r in range(REPLIES):
        for other in range(t.powers):
            w.replies[r, other] = draw_below(s, g, SHEETS)


def take_reply(t: DenseTables, s: State, g: int, w: Scratch, power: int, r: int) -> None:
    """Order the units of all others as a sample says."""
    for other in range(t.powers):
        if other != power:
            take_sheet(s, g, w, other, w.replies[r, other])


def weigh_sheets(
    t: DenseTables, s: State, g: int, w: Scratch, trial: int, power: int, first: int, replies: int
) -> None:
    """Try own sheets from ``first`` on against samples of the others', and sort all by their mean outlook, the best
    first; those that are there twice come last."""
    for k in range(first, OWN_SHEETS):
        w.means[k] = 0.0
        for e in range(k):
            if w.means[k] == 0.0 and same_sheets(s, g, w, power, e, k) == 1:
                w.means[k] = DOUBLE
    for r in range(replies):
        take_reply(t, s, g, w, power, r)
        for k in range(first, OWN_SHEETS):
            if w.means[k] > DOUBLE:
                take_sheet(s, g, w, power, k)
                try_sheets(t, s, g, w, trial)
                w.means[k] += w.outlook[power] / replies
    sort_sheets(s, g, w, power, OWN_SHEETS)


def sort_sheets(s: State, g: int, w: Scratch, power: int, count: int) -> None:
    """Sort the first sheets of a power by their means, the best first."""
    for k in range(count):
        best = k
        for e in range(k + 1, count):
            if w.means[e] > w.means[best]:
                best = e
        if best != k:
            mean = w.means[best]
            w.means[best] = w.means[k]
            w.means[k] = mean
            swap_sheets(s, g, w, power, k, best)


def look_ahead(t: DenseTables, s: State, g: int, w: Scratch, trial: int, ordered: int, base: Any) -> None:
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
        w.counts[WORK] += LOOKING
    judge_outlooks(t, s, trial, w)
    for e in range(ordered):
        w.chosen[e] = w.kept[e]


def play_on(t: DenseTables, s: State, g: int, w: Scratch, trial: int, power: int, budget: int, base: Any) -> None:
    """Play the finalists on against samples of replies until the budget is spent, and sort them by their mean outlook
    now and then."""
    for k in range(FINALISTS):
        w.ahead[k] = 0.0
    samples = 0
    while samples < REPLIES and w.counts[WORK] < budget:
        take_reply(t, s, g, w, power, samples)
        for k in range(FINALISTS):
            if w.means[k] > DOUBLE:
                take_sheet(s, g, w, power, k)
                look_ahead(t, s, g, w, trial, s.game[g, COUNT], base)
                w.ahead[k] += w.outlook[power]
        samples += 1
    if samples > 0:
        for k in range(FINALISTS):
            if w.means[k] > DOUBLE:
                w.means[k] = w.means[k] * (1.0 - LATER) + LATER * w.ahead[k] / samples
        sort_sheets(s, g, w, power, FINALISTS)


def prepare_search(t: DenseTables, s: State, g: int, w: Scratch, power: int) -> int:
    """List the legal orders of a movement turn and draw sheets of all powers; return how many units the power has, or
    -1 where the scratch is too small. The orders in ``Scratch.chosen`` are kept in ``Scratch.ordered``."""
    mine = 0
    for i in range(s.game[g, COUNT]):
        w.ordered[i] = w.chosen[i]
        mine += 1 if s.units[g, POWER, i] == power else 0
    if mine == 0:
        return 0
    if list_movement(t, s, g, w) == FULL:
        return FULL
    measure_presence(t, s, g, w)
    for other in range(t.powers):
        draw_sheets(t, s, g, w, other, DRAWN if other == power else SHEETS)
    return mine


def improve_sheets(
    t: DenseTables, s: State, g: int, w: Scratch, trial: int, power: int, budget: int, base: Any
) -> None:
    """Find the best sheet of a power from those in ``Scratch.sheets``, with so much work, and order it beside what is
    in ``Scratch.ordered``."""
    w.counts[WORK] = 0
    draw_replies(t, s, g, w)
    replies = max(2, min(TRIED, budget // (4 * OWN_SHEETS)))
    first = 0
    while first == 0 or w.counts[WORK] < budget * EDITING:
        take_reply(t, s, g, w, power, draw_below(s, g, replies))
        for k in range(DRAWN, OWN_SHEETS):
            edit_sheet(t, s, g, w, power, k, draw_below(s, g, 1 + draw_below(s, g, DRAWN)))
        weigh_sheets(t, s, g, w, trial, power, first, replies)
        w.counts[WORK] += OWN_SHEETS
        first = DRAWN
    play_on(t, s, g, w, trial, power, budget, base)
    for i in range(s.game[g, COUNT]):
        w.chosen[i] = w.ordered[i]
    take_sheet(s, g, w, power, 0)


def search_movement(
    t: DenseTables, s: State, g: int, w: Scratch, trial: int, power: int, budget: int, base: Any
) -> int:
    """Find the sheet of a power in movement, with so much work; the others' orders in ``Scratch.chosen`` stay as they
    are. Returns -1 where the scratch is too small."""
    units = prepare_search(t, s, g, w, power)
    if units > 0:
        improve_sheets(t, s, g, w, trial, power, budget, base)
    return FULL if units == FULL else 0


def search_from(t: DenseTables, s: State, g: int, w: Scratch, power: int, budget: int, base: Any, brought: Any) -> int:
    """Find the sheet of a power in movement, with so much work, from sheets that are ``brought`` (rows x units): each
    power's in the columns of its units from the first row on, -1 where it has no more and DumbBot's stand. Returns -1
    where the scratch is too small."""
    trial = s.game.shape[0] - 1
    for k in range(4):
        s.game[trial, RANDOM + k] = draw_number(s, g) | 1
    for i in range(s.game[g, COUNT]):
        w.chosen[i] = HOLDS
    occupy(t, s, g, w)
    units = prepare_search(t, s, g, w, power)
    if units <= 0:
        return units
    for k in range(len(brought)):
        for i in range(s.game[g, COUNT]):
            if brought[k, i] >= 0:
                w.sheets[k, i] = brought[k, i]
    improve_sheets(t, s, g, w, trial, power, budget, base)
    return units


def find_fear(t: DenseTables, s: State, g: int, w: Scratch, power: int) -> int:
    """Which sheet of another power hurts a power's best sheet most, as power * sheets + sheet; its outlook stands in
    ``Scratch.now`` of the power."""
    worst = -1
    trial = s.game.shape[0] - 1
    for other in range(t.powers):
        take_sheet(s, g, w, other, 0)
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


def draw_changes(t: DenseTables, s: State, g: int, w: Scratch, power: int, ordered: int, by_chance: int) -> int:
    """Draw a power's retreats, builds or removals beside the others' in ``Scratch.kept_orders``, from DumbBot or by
    chance; return how many orders there then are, or -1 where the scratch is too small."""
    for e in range(ordered):
        w.chosen[e] = w.kept_orders[e]
    occupy(t, s, g, w)
    measure_presence(t, s, g, w)
    if t.phase[s.game[g, TURN]] == RETREATS:
        if by_chance == 0:
            order_retreats(t, s, g, w, power)
            return ordered
        if list_retreats(t, s, g, w) == FULL:
            return FULL
        for d in range(ordered):
            if s.out[g, POWER, d] == power:
                w.chosen[d] = w.legal[w.start[d] + draw_below(s, g, w.start[d + 1] - w.start[d])]
        return ordered
    count = 0
    for e in range(ordered):
        if (w.kept_orders[e] >> MORE_SHIFT) & FIELD_MASK != power:
            w.chosen[count] = w.kept_orders[e]
            count += 1
    return order_changes(t, s, g, w, power, count, 1 - by_chance)


def decides(t: DenseTables, s: State, g: int, power: int) -> int:
    """Whether a power has something to order in retreats, adjustments or placement."""
    if t.phase[s.game[g, TURN]] != RETREATS:
        return 1 if find_room(t, s, g, power) != 0 else 0
    for d in range(s.game[g, OUT]):
        if s.out[g, POWER, d] == power:
            return 1
    return 0


def search_changes(
    t: DenseTables, s: State, g: int, w: Scratch, trial: int, power: int, ordered: int, budget: int, base: Any
) -> int:
    """Choose a power's retreats, builds or removals among samples by what they lead to; return how many orders stand in
    ``Scratch.chosen``, or -1 where the scratch is too small."""
    if decides(t, s, g, power) == 0:
        return ordered
    best = -1e18
    kept = ordered
    for e in range(ordered):
        w.kept_orders[e] = w.chosen[e]
        w.ordered[e] = w.chosen[e]
    samples = max(1, min(REPLIES, budget // (2 * LOOKING * CHANGES)))
    for k in range(4):
        w.luck[k] = s.game[trial, RANDOM + k]
    for change in range(CHANGES):
        count = draw_changes(t, s, g, w, power, ordered, change % 2)
        if count == FULL:
            return FULL
        for k in range(4):  # the same luck for all
            s.game[trial, RANDOM + k] = w.luck[k]
        outlook = 0.0
        for _ in range(samples):
            look_ahead(t, s, g, w, trial, count, base)
            outlook += w.outlook[power]
        if outlook > best:
            best = outlook
            kept = count
            for e in range(count):
                w.ordered[e] = w.chosen[e]
    for e in range(kept):
        w.chosen[e] = w.ordered[e]
    return kept


def order_with_search(t: DenseTables, s: State, g: int, w: Scratch, base: Any, budgets: Any) -> int:
    """Write the orders of all seats: by ``base`` bots, and by search where a seat has a budget of work.

    The last game of the state is where trials are made. Returns how many orders there are, or -1 where the scratch is
    too small."""
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
            if search_movement(t, s, g, w, trial, power, budgets[g, power], base) == FULL:
                return FULL
        else:
            ordered = search_changes(t, s, g, w, trial, power, ordered, budgets[g, power], base)
            if ordered == FULL:
                return FULL
    return ordered
