"""All legal orders of a dense position: of units in movement, of the dislodged in retreats.

Orders are numbers: what is done, where to, with which unit, and one place more (:mod:`.layout`). They lie unit by unit
in ``Scratch.legal``; those of unit ``i`` begin at ``Scratch.start[i]``.

It is long because what is compiled calls plain functions over arrays, and those of one list share its places."""

from legation.judge.chains import MOST_CHAINS
from legation.lab.dense.layout import *


def occupy(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Note which unit stands in each province."""
    w.places[OCCUPANT, :] = -1
    for i in range(s.game[g, COUNT]):
        w.places[OCCUPANT, t.province[s.units[g, LOCATION, i]]] = i


def add_goal(w: Scratch, place: int, unit: int, to: int, by_itself: int) -> int:
    """Note that a unit can come to a province; the number of the note, or -1 where there is no room for it, as
    :func:`list_movement` tells in the end."""
    e = w.counts[GOALS]
    if e >= w.goals.shape[1]:
        return FULL
    w.goals[GOAL_UNIT, e] = unit
    w.goals[GOAL_TO, e] = to
    w.goals[GOAL_BY_ITSELF, e] = by_itself
    w.goals[GOAL_NEXT, e] = w.places[GOAL_HEAD, place]
    w.places[GOAL_HEAD, place] = e
    w.counts[GOALS] = e + 1
    return int(e)


def add_extra(w: Scratch, unit: int, order: int) -> None:
    """Add a legal order to a unit's chain, if there is room for it, likewise."""
    x = w.counts[EXTRAS]
    if x < w.extra.shape[1]:
        w.extra[0, x] = order
        w.extra[1, x] = w.units[EXTRA_HEAD, unit]
        w.units[EXTRA_HEAD, unit] = x
        w.counts[EXTRAS] = x + 1


def number_fleets(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Number the fleets at sea that could convoy, and find their chains (the least number in a chain names it)."""
    fleets = 0
    for i in range(s.game[g, COUNT]):
        at = s.units[g, LOCATION, i]
        convoys = t.kinds[CONVOYING, s.units[g, KIND, i]] == 1 and t.places[IS_SEA, t.province[at]] == 1
        w.units[FLEET_NUMBER, i] = -1
        w.units[CLUSTER, i] = -1
        if convoys:
            w.units[FLEET_NUMBER, i] = fleets
            fleets += 1
    w.counts[FLEETS] = fleets
    for i in range(s.game[g, COUNT]):
        if w.units[FLEET_NUMBER, i] >= 0 and w.units[CLUSTER, i] < 0:
            flood_chain(t, s, g, w, i, -1, i)


def flood_chain(t: DenseTables, s: State, g: int, w: Scratch, first: int, without: int, name: int) -> None:
    """Give every fleet in one chain with ``first`` a name, leaving out the fleet ``without``."""
    w.units[CLUSTER, first] = name
    w.stack[0] = first
    height = 1
    while height > 0:
        height -= 1
        at = t.province[s.units[g, LOCATION, w.stack[height]]]
        for e in range(t.by_sea_start[at], t.by_sea_start[at + 1]):
            j = w.places[OCCUPANT, t.by_sea[e]]
            if j >= 0 and j != without and w.units[FLEET_NUMBER, j] >= 0 and w.units[CLUSTER, j] != name:
                w.units[CLUSTER, j] = name
                w.stack[height] = j
                height += 1


def reach_goal(t: DenseTables, w: Scratch, place: int, depth: int, words: int) -> None:
    """Note the fleets of one more way to a province."""
    if w.places[REACHED, place] != w.counts[CLOCK]:
        w.places[REACHED, place] = w.counts[CLOCK]
        w.stack[w.counts[ROUTES]] = place
        w.counts[ROUTES] += 1
        for word in range(words):
            w.any_way[word, place] = w.masks[depth, word]
            w.every_way[word, place] = w.masks[depth, word]
    else:
        for word in range(words):
            w.any_way[word, place] |= w.masks[depth, word]
            w.every_way[word, place] &= w.masks[depth, word]


def touch(t: DenseTables, w: Scratch, at: int, by: int) -> None:
    """Count a province and those that fleets pass to from it as passed, or no longer."""
    w.places[TOUCHED, at] += by
    for e in range(t.by_sea_start[at], t.by_sea_start[at + 1]):
        w.places[TOUCHED, t.by_sea[e]] += by


def follow_chains(t: DenseTables, s: State, g: int, w: Scratch, start: int, first: int, tried: int) -> int:
    """Follow every chain of fleets from ``start`` that begins with the one in ``first`` and of which none could be left
    out; return how many were tried, those before included.

    A chain counts if only its first fleet touches the start, only its last the goal, and each only the next."""
    words = (w.counts[FLEETS] + BITS - 1) // BITS
    depth = 0
    w.places[PATH, 0] = first
    entering = 1
    while depth >= 0:
        at = w.places[PATH, depth]
        if entering == 1:
            tried += 1
            if tried > MOST_CHAINS:
                break
            f = w.units[FLEET_NUMBER, w.places[OCCUPANT, at]]
            for word in range(words):
                w.masks[depth, word] = w.masks[depth - 1, word] if depth > 0 else 0
            w.masks[depth, f // BITS] |= 1 << (f % BITS)
            for e in range(t.by_sea_start[at], t.by_sea_start[at + 1]):
                q = t.by_sea[e]
                if w.places[TOUCHED, q] == 0 and t.places[IS_SEA, q] == 0:
                    reach_goal(t, w, q, depth, words)
            touch(t, w, at, 1)
            w.places[STEP, depth] = t.by_sea_start[at]
        entering = 0
        e = w.places[STEP, depth]
        if e == t.by_sea_start[at + 1]:
            touch(t, w, at, -1)
            depth -= 1
            continue
        w.places[STEP, depth] = e + 1
        q = t.by_sea[e]
        j = w.places[OCCUPANT, q]
        # of what was passed only this fleet touches it, and it does not touch the start
        if (
            j >= 0
            and w.units[FLEET_NUMBER, j] >= 0
            and w.places[TOUCHED, q] == 1
            and t.near[start * t.provinces + q] == 0
        ):
            depth += 1
            w.places[PATH, depth] = q
            entering = 1
    while depth >= 0:  # given up: what was passed is free again
        if entering == 0:
            touch(t, w, w.places[PATH, depth], -1)
        entering = 0
        depth -= 1
    return tried


def list_ways(t: DenseTables, s: State, g: int, w: Scratch, start: int) -> int:
    """Find where fleets at sea could convoy an army from a province, with the fleets on any way and on all ways there.

    Returns how many places there are; they stand in ``Scratch.stack``. Where there are too many chains every fleet is
    taken to be of use."""
    w.counts[CLOCK] += 1
    w.counts[ROUTES] = 0
    w.places[TOUCHED, start] += 1
    for e in range(t.by_sea_start[start], t.by_sea_start[start + 1]):
        j = w.places[OCCUPANT, t.by_sea[e]]
        if j < 0 or w.units[FLEET_NUMBER, j] < 0:
            continue
        first_of_chain = 1
        for before in range(t.by_sea_start[start], e):
            k = w.places[OCCUPANT, t.by_sea[before]]
            if k >= 0 and w.units[FLEET_NUMBER, k] >= 0 and w.units[CLUSTER, k] == w.units[CLUSTER, j]:
                first_of_chain = 0
        if first_of_chain == 1:
            tried = 0
            for after in range(e, t.by_sea_start[start + 1]):
                k = w.places[OCCUPANT, t.by_sea[after]]
                if k >= 0 and w.units[FLEET_NUMBER, k] >= 0 and w.units[CLUSTER, k] == w.units[CLUSTER, j]:
                    if tried <= MOST_CHAINS:
                        tried = follow_chains(t, s, g, w, start, t.by_sea[after], tried)
            if tried > MOST_CHAINS:
                w.counts[LIMITED] = 1
                take_whole_chain(t, s, g, w, start, w.units[CLUSTER, j])
    w.places[TOUCHED, start] -= 1
    return int(w.counts[ROUTES])


def take_whole_chain(t: DenseTables, s: State, g: int, w: Scratch, start: int, name: int) -> None:
    """Take every fleet of a chain to be on some way to each of its shores; on all ways are those without which the
    shore is not reached."""
    n = s.game[g, COUNT]
    words = (w.counts[FLEETS] + BITS - 1) // BITS
    whole = t.provinces  # the last row of masks holds the chain, the one before what a shore cannot do without
    for word in range(words):
        w.masks[whole, word] = 0
    for i in range(n):
        if w.units[CLUSTER, i] == name:
            f = w.units[FLEET_NUMBER, i]
            w.masks[whole, f // BITS] |= 1 << (f % BITS)
    for i in range(n):
        if w.units[CLUSTER, i] != name:
            continue
        at = t.province[s.units[g, LOCATION, i]]
        for e in range(t.by_sea_start[at], t.by_sea_start[at + 1]):
            q = t.by_sea[e]
            if t.places[IS_SEA, q] == 1 or q == start:
                continue
            if w.places[REACHED, q] != w.counts[CLOCK]:
                w.places[REACHED, q] = w.counts[CLOCK]
                w.stack[w.counts[ROUTES]] = q
                w.counts[ROUTES] += 1
                for word in range(words):
                    w.any_way[word, q] = 0
                    w.every_way[word, q] = w.masks[whole, word]
            for word in range(words):
                w.any_way[word, q] |= w.masks[whole, word]
    for f in range(n):  # without each fleet in turn: which shores are still reached?
        if w.units[CLUSTER, f] == name:
            spare_fleet(t, s, g, w, start, f)


def spare_fleet(t: DenseTables, s: State, g: int, w: Scratch, start: int, without: int) -> None:
    """Take a fleet off the ways to each shore that is reached without it."""
    n, number = s.game[g, COUNT], w.units[FLEET_NUMBER, without]
    w.places[STEP, 0] = 0
    base = w.counts[ROUTES]  # the stack above the list of shores is free
    height = base
    for i in range(n):
        w.units[QUEUE, i] = 0
    for e in range(t.by_sea_start[start], t.by_sea_start[start + 1]):
        j = w.places[OCCUPANT, t.by_sea[e]]
        if j >= 0 and j != without and w.units[FLEET_NUMBER, j] >= 0 and w.units[QUEUE, j] == 0:
            w.units[QUEUE, j] = 1
            w.stack[height] = j
            height += 1
    while height > base:
        height -= 1
        at = t.province[s.units[g, LOCATION, w.stack[height]]]
        for e in range(t.by_sea_start[at], t.by_sea_start[at + 1]):
            q = t.by_sea[e]
            if t.places[IS_SEA, q] == 0:
                if w.places[REACHED, q] == w.counts[CLOCK]:
                    w.every_way[number // BITS, q] &= ~(1 << (number % BITS))
                continue
            j = w.places[OCCUPANT, q]
            if j >= 0 and j != without and w.units[FLEET_NUMBER, j] >= 0 and w.units[QUEUE, j] == 0:
                w.units[QUEUE, j] = 1
                w.stack[height] = j
                height += 1


def list_goals(t: DenseTables, s: State, g: int, w: Scratch, i: int) -> None:
    """Note where unit ``i`` can go, by itself, by convoy and by ferry, with the orders of the fleets that take it
    there."""
    k, owner, at = s.units[g, KIND, i], s.units[g, POWER, i], s.units[g, LOCATION, i]
    place = t.province[at]
    row = t.kinds[TRAVEL, k] * t.locations + at
    w.counts[CLOCK] += 1
    by_itself = w.counts[CLOCK]
    for e in range(t.reach_start[row], t.reach_start[row + 1]):
        to = t.reach[e]
        q = t.province[to]
        if t.entry[k, owner, q] == 1:
            w.places[STAMP, q] = by_itself
            add_goal(w, q, i, to, 1)
    if t.kinds[CONVOYED, k] == 0 or w.counts[FLEETS] == 0:
        return
    for e in range(t.by_sea_start[place], t.by_sea_start[place + 1]):
        j = w.places[OCCUPANT, t.by_sea[e]]
        if j >= 0 and w.units[FLEET_NUMBER, j] >= 0:
            list_convoys(t, s, g, w, i, by_itself)
            return


def list_convoys(t: DenseTables, s: State, g: int, w: Scratch, i: int, known: int) -> None:
    """List where fleets can convoy unit ``i``, which stands beside one, and note the convoy for each of them."""
    k, owner = s.units[g, KIND, i], s.units[g, POWER, i]
    ways = list_ways(t, s, g, w, t.province[s.units[g, LOCATION, i]])
    words = (w.counts[FLEETS] + BITS - 1) // BITS
    for r in range(ways):
        to = w.stack[r]
        if t.entry[k, owner, to] == 0:
            continue
        walks = w.places[STAMP, to] == known
        add_extra(w, i, (MOVES_VIA if walks else MOVES) | to << TO_SHIFT)
        if not walks:
            w.places[STAMP, to] = known
            e = add_goal(w, to, i, to, 0)
            for word in range(words):
                w.needed[e, word] = w.every_way[word, to]
        for f in range(s.game[g, COUNT]):
            number = w.units[FLEET_NUMBER, f]
            if number >= 0 and (w.any_way[number // BITS, to] >> (number % BITS)) & 1 == 1:
                add_extra(w, f, CONVOYS | to << TO_SHIFT | i << UNIT_SHIFT)
    if t.settings[FERRY] == 1:
        list_rides(t, s, g, w, i, known)


def list_rides(t: DenseTables, s: State, g: int, w: Scratch, i: int, known: int) -> None:
    """List the places to which army ``i`` can ride on one moving fleet, and note the ferry for that fleet."""
    k, owner = s.units[g, KIND, i], s.units[g, POWER, i]
    place = t.province[s.units[g, LOCATION, i]]
    for e in range(t.by_sea_start[place], t.by_sea_start[place + 1]):
        f = w.places[OCCUPANT, t.by_sea[e]]
        if f < 0 or w.units[FLEET_NUMBER, f] < 0:
            continue
        sails = t.locations + s.units[g, LOCATION, f]
        for r in range(t.reach_start[sails], t.reach_start[sails + 1]):
            sea = t.province[t.reach[r]]
            if t.places[IS_SEA, sea] == 0:
                continue
            for x in range(t.by_sea_start[sea], t.by_sea_start[sea + 1]):
                to = t.by_sea[x]
                if t.places[IS_SEA, to] == 1 or to == place or t.entry[k, owner, to] == 0:
                    continue
                ride = RIDES | to << TO_SHIFT | f << UNIT_SHIFT | sea << MORE_SHIFT
                carry = CARRIES | sea << TO_SHIFT | i << UNIT_SHIFT | to << MORE_SHIFT
                add_extra(w, i, ride)
                add_extra(w, f, carry)
                if w.places[STAMP, to] != known:
                    w.places[STAMP, to] = known
                    add_goal(w, to, i, to, 1)


def add_legal(w: Scratch, c: int, order: int) -> int:
    """Write an order into place ``c`` of the list; return the next place, or -1 where the list is full."""
    if c == FULL or c >= w.legal.shape[0] - 1:
        return FULL
    w.legal[c] = order
    return c + 1


def list_unit(t: DenseTables, s: State, g: int, w: Scratch, i: int, c: int) -> int:
    """Write the legal orders of unit ``i`` from place ``c`` of the list on; return where they end, or -1 where the list
    is full."""
    k, owner, at = s.units[g, KIND, i], s.units[g, POWER, i], s.units[g, LOCATION, i]
    place = t.province[at]
    row = t.kinds[TRAVEL, k] * t.locations + at
    c = add_legal(w, c, HOLDS)
    if s.powers[g, STANDING, owner] == IN_ANARCHY:
        return c
    for e in range(t.reach_start[row], t.reach_start[row + 1]):
        if t.entry[k, owner, t.province[t.reach[e]]] == 1:
            c = add_legal(w, c, MOVES | t.reach[e] << TO_SHIFT)
    x = w.units[EXTRA_HEAD, i]
    while x >= 0:
        c = add_legal(w, c, w.extra[0, x])
        x = w.extra[1, x]
    if t.settings[CONVERSION] > 0 and s.places[g, OWNER, place] == owner:
        pair = k * t.provinces + place
        for e in range(t.becomes_start[pair], t.becomes_start[pair + 1]):
            to, kind = t.becomes[e] % t.locations, t.becomes[e] // t.locations
            c = add_legal(w, c, CONVERTS | to << TO_SHIFT | kind << UNIT_SHIFT)
    for e in range(t.into_start[row], t.into_start[row + 1]):
        q = t.into[e]
        if t.entry[k, owner, q] == 1 and t.helps[k, owner, q] == 1:
            c = list_supports(w, i, q, c)
    return c


def list_supports(w: Scratch, i: int, q: int, c: int) -> int:
    """Write the supports that unit ``i`` can give in or into a province, as :func:`list_unit` does."""
    number, j = w.units[FLEET_NUMBER, i], w.places[OCCUPANT, q]
    if j >= 0:
        c = add_legal(w, c, SUPPORTS_HOLD | j << UNIT_SHIFT)
    x = w.places[GOAL_HEAD, q]
    while x >= 0:
        j = w.goals[GOAL_UNIT, x]
        needs = 0
        if number >= 0 and w.goals[GOAL_BY_ITSELF, x] == 0:
            needs = (w.needed[x, number // BITS] >> (number % BITS)) & 1
        if j != i and needs == 0:
            c = add_legal(w, c, SUPPORTS_MOVE | w.goals[GOAL_TO, x] << TO_SHIFT | j << UNIT_SHIFT)
        x = w.goals[GOAL_NEXT, x]
    return c


def list_movement(t: DenseTables, s: State, g: int, w: Scratch) -> int:
    """List the legal orders of every unit; return how many there are, or -1 where the scratch is too small for them.

    The orders of a unit whose power is in anarchy are one: it holds."""
    n = s.game[g, COUNT]
    occupy(t, s, g, w)
    w.places[GOAL_HEAD, :] = -1
    for i in range(n):
        w.units[EXTRA_HEAD, i] = -1
    w.counts[GOALS] = 0
    w.counts[EXTRAS] = 0
    w.counts[LIMITED] = 0
    number_fleets(t, s, g, w)
    for i in range(n):
        list_goals(t, s, g, w, i)
    if w.counts[GOALS] >= w.goals.shape[1] or w.counts[EXTRAS] >= w.extra.shape[1]:
        return FULL
    c = 0
    for i in range(n):
        w.start[i] = c
        c = list_unit(t, s, g, w, i, c)
        if c == FULL:
            return FULL
    w.start[n] = c
    w.counts[LISTED] = c
    return c


def may_retreat(t: DenseTables, s: State, g: int, w: Scratch, d: int, to: int) -> int:
    """Whether the dislodged unit ``d`` may retreat to a location near it: vacant, not contested, not where its attacker
    came from (STD-4)."""
    q = t.province[to]
    if w.places[OCCUPANT, q] >= 0 or s.places[g, CONTESTED, q] == 1 or s.out[g, ATTACKED_FROM, d] == q:
        return 0
    return 1 if t.entry[s.out[g, KIND, d], s.out[g, POWER, d], q] == 1 else 0


def count_retreats(t: DenseTables, s: State, g: int, w: Scratch, d: int) -> int:
    """How many locations are open to the dislodged unit ``d``."""
    if s.powers[g, STANDING, s.out[g, POWER, d]] == IN_ANARCHY:
        return 0
    row = t.kinds[TRAVEL, s.out[g, KIND, d]] * t.locations + s.out[g, LOCATION, d]
    count = 0
    for e in range(t.reach_start[row], t.reach_start[row + 1]):
        count += may_retreat(t, s, g, w, d, t.reach[e])
    return count


def list_retreats(t: DenseTables, s: State, g: int, w: Scratch) -> int:
    """List the legal orders of every dislodged unit, disbanding first; return how many there are, or -1."""
    occupy(t, s, g, w)
    c = 0
    for d in range(s.game[g, OUT]):
        w.start[d] = c
        row = t.kinds[TRAVEL, s.out[g, KIND, d]] * t.locations + s.out[g, LOCATION, d]
        if c + 1 + t.reach_start[row + 1] - t.reach_start[row] >= w.legal.shape[0]:
            return FULL
        w.legal[c] = DISBANDS
        c += 1
        if s.powers[g, STANDING, s.out[g, POWER, d]] == IN_ANARCHY:
            continue
        for e in range(t.reach_start[row], t.reach_start[row + 1]):
            if may_retreat(t, s, g, w, d, t.reach[e]) == 1:
                w.legal[c] = RETREATS_TO | t.reach[e] << TO_SHIFT
                c += 1
    w.start[s.game[g, OUT]] = c
    w.counts[LISTED] = c
    return c
