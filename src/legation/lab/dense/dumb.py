"""DumbBot in dense games: the same moves, supports, retreats, builds and removals as :mod:`legation.bots.dumbbot`, for
one power at a time, with the game's own random numbers."""

from legation.bots.dumbbot import CONSIDERED, CONVERTED, GAP
from legation.lab.dense.layout import *
from legation.lab.dense.listing import may_retreat
from legation.lab.dense.turning import draw_below, find_room, list_builds, list_removals, write_build, write_removal
from legation.lab.dense.weighing import find_competition, weigh_places, weigh_unit


def add_candidate(w: Scratch, row: int, worth: int, at: int) -> None:
    """Put a place into a unit's list, the best first."""
    n = w.units[CANDIDATES, row]
    e = n
    while e > 0 and w.candidates[CANDIDATE_WORTH, row, e - 1] < worth:
        w.candidates[CANDIDATE_WORTH, row, e] = w.candidates[CANDIDATE_WORTH, row, e - 1]
        w.candidates[CANDIDATE_AT, row, e] = w.candidates[CANDIDATE_AT, row, e - 1]
        e -= 1
    w.candidates[CANDIDATE_WORTH, row, e] = worth
    w.candidates[CANDIDATE_AT, row, e] = at
    w.units[CANDIDATES, row] = n + 1


def pick_candidate(s: State, g: int, w: Scratch, row: int) -> int:
    """Which of a unit's list is taken: mostly the first, a later one by chance as long as each is close to the one
    before."""
    at = 0
    while at + 1 < w.units[CANDIDATES, row]:
        here = w.candidates[CANDIDATE_WORTH, row, at]
        following = w.candidates[CANDIDATE_WORTH, row, at + 1]
        difference = 0
        if here != 0:
            difference = GAP * (here - following) // here
        if draw_below(s, g, 100) >= CONSIDERED or draw_below(s, g, 100) < difference:
            break
        at += 1
    return at


def strike_candidate(w: Scratch, row: int, e: int) -> None:
    """Take a place off a unit's list."""
    for x in range(e, w.units[CANDIDATES, row] - 1):
        w.candidates[CANDIDATE_WORTH, row, x] = w.candidates[CANDIDATE_WORTH, row, x + 1]
        w.candidates[CANDIDATE_AT, row, x] = w.candidates[CANDIDATE_AT, row, x + 1]
    w.units[CANDIDATES, row] -= 1


def list_candidates(t: DenseTables, s: State, g: int, w: Scratch, power: int, i: int, kind: int, at: int) -> None:
    """List where a unit of a kind at a location may go or stay, the best first, as the list of unit ``i``."""
    w.units[CANDIDATES, i] = 0
    row = t.kinds[TRAVEL, kind] * t.locations + at
    for e in range(t.reach_start[row], t.reach_start[row + 1]):
        to = t.reach[e]
        if t.entry[kind, power, t.province[to]] == 1:
            add_candidate(w, i, weigh_unit(t, s, g, w, power, kind, to), to)
    add_candidate(w, i, weigh_unit(t, s, g, w, power, kind, at) + 1, at)


def support_there(t: DenseTables, s: State, g: int, w: Scratch, i: int, place: int, least: int) -> int:
    """The order of unit ``i`` to support what a unit of its power does in a province that others contest with more than
    ``least``; -1 where it is of no use or not allowed."""
    power = s.units[g, POWER, i]
    if find_competition(t, s, g, w, power, place) <= least or t.helps[s.units[g, KIND, i], power, place] == 0:
        return -1
    mover = w.places[GOING, place]
    if mover >= 0:
        return int(SUPPORTS_MOVE | (w.chosen[mover] & (FIELD_MASK << TO_SHIFT)) | mover << UNIT_SHIFT)
    return int(SUPPORTS_HOLD | w.places[OCCUPANT, place] << UNIT_SHIFT)


def order_unit(t: DenseTables, s: State, g: int, w: Scratch, i: int) -> int:
    """Order one unit, or return the unit of the same power that must be ordered before it (-1: none)."""
    power = s.units[g, POWER, i]
    own = t.province[s.units[g, LOCATION, i]]
    while True:
        e = pick_candidate(s, g, w, i)
        to = w.candidates[CANDIDATE_AT, i, e]
        place = t.province[to]
        if place == own:
            w.chosen[i] = HOLDS
            break
        there = w.places[OCCUPANT, place]
        if there >= 0 and s.units[g, POWER, there] != power:
            there = -1
        if there >= 0 and w.units[ORDERED, there] == 0:
            if w.waited[i, there] != w.counts[CLOCK]:
                w.waited[i, there] = w.counts[CLOCK]
                return int(there)
            strike_candidate(w, i, e)
            continue
        order = MOVES | to << TO_SHIFT
        if there >= 0 and w.chosen[there] & KIND_MASK != MOVES:
            order = support_there(t, s, g, w, i, place, 1)
        elif w.places[GOING, place] >= 0:
            order = support_there(t, s, g, w, i, place, 0)
        if order < 0:
            strike_candidate(w, i, e)  # its own place is never struck out, so this ends
            continue
        w.chosen[i] = order
        if order & KIND_MASK == MOVES:
            w.places[GOING, place] = i
        break
    w.units[ORDERED, i] = 1
    return -1


def make_use(t: DenseTables, s: State, g: int, w: Scratch, i: int) -> None:
    """Let a unit that would only hold support where that is worth most."""
    kind, power = s.units[g, KIND, i], s.units[g, POWER, i]
    row = t.kinds[TRAVEL, kind] * t.locations + s.units[g, LOCATION, i]
    best = 0
    for e in range(t.reach_start[row], t.reach_start[row + 1]):
        to = t.reach[e]
        place = t.province[to]
        if t.entry[kind, power, place] == 0:
            continue
        value = weigh_unit(t, s, g, w, power, kind, to)
        if value <= best:
            continue
        there = w.places[OCCUPANT, place]
        mine = there >= 0 and s.units[g, POWER, there] == power
        support = -1
        if w.places[GOING, place] >= 0:
            support = support_there(t, s, g, w, i, place, 0)
        elif mine and w.chosen[there] & KIND_MASK != MOVES:
            support = support_there(t, s, g, w, i, place, 1)
        if support >= 0:
            best = value
            w.chosen[i] = support


def convert_where_better(t: DenseTables, s: State, g: int, w: Scratch, power: int, i: int) -> None:
    """Let a unit that nobody can disturb convert where the other kind would have far better places to go."""
    kind = s.units[g, KIND, i]
    place = t.province[s.units[g, LOCATION, i]]
    if s.places[g, OWNER, place] != power or find_competition(t, s, g, w, power, place) > 0:
        return
    own = w.candidates[CANDIDATE_WORTH, i, 0]
    pair = kind * t.provinces + place
    for e in range(t.becomes_start[pair], t.becomes_start[pair + 1]):
        new = t.becomes[e] // t.locations
        at = t.becomes[e] % t.locations
        list_candidates(t, s, g, w, power, i, new, at)
        if w.candidates[CANDIDATE_WORTH, i, 0] > CONVERTED * own:
            w.chosen[i] = CONVERTS | at << TO_SHIFT | new << UNIT_SHIFT
            w.units[ORDERED, i] = 1
    list_candidates(t, s, g, w, power, i, kind, s.units[g, LOCATION, i])


def order_army(t: DenseTables, s: State, g: int, w: Scratch, power: int, heat: int) -> None:
    """Write the orders of all units of a power in movement, one after the other in random order; what places are worth
    is disturbed by up to ``heat`` per cent."""
    if s.powers[g, STANDING, power] == IN_ANARCHY:
        return
    weigh_places(t, s, g, w, power)
    if heat > 0:
        for node in range(2 * t.locations):
            percent = 100 - heat + draw_below(s, g, 2 * heat + 1)
            w.worth[WORTH_TOTAL, node] = w.worth[WORTH_TOTAL, node] * percent // 100
    w.counts[CLOCK] += 1
    w.places[GOING, :] = -1
    waiting = 0
    for i in range(s.game[g, COUNT]):
        if s.units[g, POWER, i] != power:
            continue
        w.units[ORDERED, i] = 0
        list_candidates(t, s, g, w, power, i, s.units[g, KIND, i], s.units[g, LOCATION, i])
        if t.settings[CONVERSION] > 0:
            convert_where_better(t, s, g, w, power, i)
        if w.units[ORDERED, i] == 0:  # into a random place of the queue
            x = draw_below(s, g, waiting + 1)
            w.units[QUEUE, waiting] = w.units[QUEUE, x]
            w.units[QUEUE, x] = i
            waiting += 1
    head = 0
    while head < waiting:
        i = w.units[QUEUE, head]
        head += 1
        other = order_unit(t, s, g, w, i)
        if other >= 0:  # it comes right after that one
            head -= 1
            k = head
            while w.units[QUEUE, k + 1] != other:
                w.units[QUEUE, k] = w.units[QUEUE, k + 1]
                k += 1
            w.units[QUEUE, k] = other
            w.units[QUEUE, k + 1] = i
    for i in range(s.game[g, COUNT]):
        if s.units[g, POWER, i] == power and w.chosen[i] & KIND_MASK == HOLDS:
            make_use(t, s, g, w, i)


def order_retreats(t: DenseTables, s: State, g: int, w: Scratch, power: int) -> None:
    """Write the retreats of a power, no two to the same province."""
    if s.powers[g, STANDING, power] == IN_ANARCHY:
        return
    weigh_places(t, s, g, w, power)
    w.places[GOING, :] = -1
    out = s.game[g, OUT]
    first = draw_below(s, g, out)
    for number in range(out):
        d = (first + number) % out
        if s.out[g, POWER, d] != power:
            continue
        kind = s.out[g, KIND, d]
        row = t.kinds[TRAVEL, kind] * t.locations + s.out[g, LOCATION, d]
        w.units[CANDIDATES, d] = 0
        for e in range(t.reach_start[row], t.reach_start[row + 1]):
            to = t.reach[e]
            if w.places[GOING, t.province[to]] < 0 and may_retreat(t, s, g, w, d, to) == 1:
                add_candidate(w, d, weigh_unit(t, s, g, w, power, kind, to), to)
        w.chosen[d] = DISBANDS
        if w.units[CANDIDATES, d] > 0:
            to = w.candidates[CANDIDATE_AT, d, pick_candidate(s, g, w, d)]
            w.places[GOING, t.province[to]] = d
            w.chosen[d] = RETREATS_TO | to << TO_SHIFT


def pick_change(s: State, g: int, w: Scratch, n: int, lowest: int) -> int:
    """Pick one of the ``n`` changes in ``Scratch.stack`` by the worth in ``Scratch.values``: mostly the best, or the
    worst (``lowest``), a later one by chance. What is not taken stays in any order."""
    for first in range(n):
        best = first
        for e in range(first + 1, n):
            if (w.values[e] < w.values[best]) if lowest == 1 else (w.values[e] > w.values[best]):
                best = e
        value, change = w.values[best], w.stack[best]
        w.values[best] = w.values[first]
        w.stack[best] = w.stack[first]
        w.values[first] = value
        w.stack[first] = change
        if first > 0:
            here = w.values[first - 1]
            difference = 0
            if here != 0:
                difference = GAP * (here - value) // here
            if draw_below(s, g, 100) >= CONSIDERED or draw_below(s, g, 100) < difference:
                return int(w.stack[first - 1])
    return int(w.stack[n - 1])


def draw_listed(s: State, g: int, w: Scratch, n: int) -> int:
    """Draw one of the ``n`` entries of ``Scratch.stack``, each alike."""
    drawn = -1
    for e in range(n):
        if draw_below(s, g, e + 1) == 0:
            drawn = w.stack[e]
    return int(drawn)


def order_changes(t: DenseTables, s: State, g: int, w: Scratch, power: int, c: int, by_worth: int) -> int:
    """Write a power's builds or removals into ``Scratch.chosen`` from index ``c`` on; return the index behind them.
    It builds where that is worth most and removes what is worth least, or draws among all that it may."""
    room = find_room(t, s, g, power)
    if room == 0 or s.powers[g, STANDING, power] == IN_ANARCHY:
        return c
    if by_worth == 1:
        weigh_places(t, s, g, w, power)
    builds, begun = room > 0, c
    while builds or room < 0:
        n = list_builds(t, s, g, w, power, begun, c, room) if builds else list_removals(s, g, w, power, begun, c)
        if n == 0:
            break
        if by_worth == 1:
            for e in range(n):
                x = w.stack[e]
                kind, at = x // t.locations, x % t.locations
                if not builds:
                    kind, at = s.units[g, KIND, x], s.units[g, LOCATION, x]
                w.values[e] = weigh_unit(t, s, g, w, power, kind, at)
        change = pick_change(s, g, w, n, 0 if builds else 1) if by_worth == 1 else draw_listed(s, g, w, n)
        if builds:
            room -= write_build(t, w, power, c, change)
        else:
            room += write_removal(t, s, g, w, power, c, change)
        c += 1
    return c
