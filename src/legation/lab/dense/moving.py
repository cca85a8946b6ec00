"""Movement of a dense position: orders matched with each other, decided by the judge's core, and what comes of them.

The orders of all units stand in ``Scratch.chosen``; they come from the legal list.

It is long because what is compiled calls plain functions over arrays, and a turn of movement is one chain of them."""

from legation.judge.core import *
from legation.lab.dense.layout import *
from legation.lab.dense.listing import count_retreats, occupy


def walks_to(t: DenseTables, at: int, to: int) -> int:
    """Whether an army goes from a province to another by itself."""
    for e in range(t.reach_start[at], t.reach_start[at + 1]):
        if t.reach[e] == to:
            return 1
    return 0


def own_convoys_lead(t: DenseTables, s: State, g: int, w: Scratch, i: int, goal: int) -> int:
    """Whether fleets of its own power that are ordered to convoy army ``i`` make a whole way to a goal."""
    for f in range(s.game[g, COUNT]):
        o = w.chosen[f]
        fits = o & KIND_MASK == CONVOYS and (o >> UNIT_SHIFT) & FIELD_MASK == i
        fits = fits and (o >> TO_SHIFT) & FIELD_MASK == goal and s.units[g, POWER, f] == s.units[g, POWER, i]
        w.units[QUEUE, f] = 1 if fits else 0
    return spread_over(t, s, g, w, t.province[s.units[g, LOCATION, i]], goal)


def spread_over(t: DenseTables, s: State, g: int, w: Scratch, start: int, goal: int) -> int:
    """Whether the fleets marked in ``QUEUE`` make a whole way between two coasts."""
    n = s.game[g, COUNT]
    height = 1
    w.stack[0] = start
    while height > 0:
        height -= 1
        at = w.stack[height]
        if at != start and t.near[at * t.provinces + goal] == 1:
            return 1
        for f in range(n):
            q = t.province[s.units[g, LOCATION, f]]
            if w.units[QUEUE, f] == 1 and t.near[at * t.provinces + q] == 1:
                w.units[QUEUE, f] = 0
                w.stack[height] = q
                height += 1
    return 0


def board_ferries(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Let armies that are ordered to where one fleet of their own power is to ferry them go by that ferry, unless they
    walk there or their own power's convoys make a whole way (K-9)."""
    n = s.game[g, COUNT]
    any_ferry = 0
    for f in range(n):
        w.units[ALONE, f] = -1  # the fleet to ride on
        if w.chosen[f] & KIND_MASK == CARRIES:
            any_ferry = 1
    if any_ferry == 0:
        return
    for i in range(n):
        o = w.chosen[i]
        goal = (o >> TO_SHIFT) & FIELD_MASK
        if o & KIND_MASK != MOVES or t.kinds[CONVOYED, s.units[g, KIND, i]] == 0:
            continue
        if walks_to(t, t.province[s.units[g, LOCATION, i]], goal) == 1:
            continue
        offers, ride = 0, -1
        for f in range(n):
            offer = w.chosen[f]
            fits = offer & KIND_MASK == CARRIES and (offer >> UNIT_SHIFT) & FIELD_MASK == i
            fits = fits and (offer >> MORE_SHIFT) & FIELD_MASK == goal
            if fits and s.units[g, POWER, f] == s.units[g, POWER, i]:
                offers += 1
                ride = f
        if offers == 1 and own_convoys_lead(t, s, g, w, i, goal) == 0:
            w.units[ALONE, i] = ride
    for i in range(n):
        f = w.units[ALONE, i]
        if f >= 0:
            goal = (w.chosen[i] >> TO_SHIFT) & FIELD_MASK
            sea = (w.chosen[f] >> TO_SHIFT) & FIELD_MASK
            w.chosen[i] = RIDES | goal << TO_SHIFT | f << UNIT_SHIFT | sea << MORE_SHIFT


def match_orders(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Hold the orders against each other: who moves, supports and convoys, and whom."""
    n = s.game[g, COUNT]
    if t.settings[FERRY] == 1:
        board_ferries(t, s, g, w)
    for i in range(n):
        o, at = w.chosen[i], s.units[g, LOCATION, i]
        place = t.province[at]
        w.units[AT, i] = place
        w.units[BY, i] = s.units[g, POWER, i]
        w.units[FORCE, i] = t.kinds[STRENGTH, s.units[g, KIND, i]]
        w.units[DOES, i] = HOLD
        w.units[TARGET, i] = place
        w.units[HELPED, i] = -1
        w.units[VIA, i] = BY_LAND
        w.units[FIRM, i] = 0  # no rule that refuses dislodgement has a dense form
        w.units[ARRIVES, i] = at
        w.units[ROUTE, i] = YES
        what = o & KIND_MASK
        if what == MOVES or what == MOVES_VIA or what == RIDES or what == CARRIES:
            to = (o >> TO_SHIFT) & FIELD_MASK
            w.units[DOES, i] = MOVE
            w.units[ARRIVES, i] = to
            w.units[TARGET, i] = t.province[to]
    match_supports(t, n, w)
    for i in range(n):
        o = w.chosen[i]
        if o & KIND_MASK == CONVOYS:
            j = (o >> UNIT_SHIFT) & FIELD_MASK
            if w.units[DOES, j] == MOVE and w.units[TARGET, j] == (o >> TO_SHIFT) & FIELD_MASK:
                w.units[DOES, i] = CONVOY
                w.units[HELPED, i] = j
                w.units[TARGET, i] = w.units[TARGET, j]
    if t.settings[FERRY] == 1:
        match_ferries(s, g, w)
    for i in range(n):
        what = w.chosen[i] & KIND_MASK
        if (what == MOVES or what == MOVES_VIA) and goes_by_sea(t, s, g, w, i) == 1:
            w.units[VIA, i] = BY_CONVOY
    for i in range(n):
        if w.units[DOES, i] == CONVOY and w.units[VIA, w.units[HELPED, i]] == BY_LAND:
            leave_unused(w, i)


def match_supports(t: DenseTables, n: int, w: Scratch) -> None:
    """Let the units support whose orders fit what the supported units do."""
    for i in range(n):
        o = w.chosen[i]
        what = o & KIND_MASK
        if what == SUPPORTS_HOLD or what == SUPPORTS_MOVE:
            j = (o >> UNIT_SHIFT) & FIELD_MASK
            moving = w.units[DOES, j] == MOVE
            fits = not moving
            there = w.units[AT, j]
            if what == SUPPORTS_MOVE:
                to = (o >> TO_SHIFT) & FIELD_MASK
                there = t.province[to]
                fits = moving and w.units[TARGET, j] == there and (to < t.provinces or to == w.units[ARRIVES, j])
            if fits:
                w.units[DOES, i] = SUPPORT
                w.units[TARGET, i] = there
                w.units[HELPED, i] = j


def leave_unused(w: Scratch, i: int) -> None:
    """Let the convoy of fleet ``i`` carry nobody, as its army goes by land."""
    w.units[DOES, i] = HOLD
    w.units[HELPED, i] = -1
    w.units[TARGET, i] = w.units[AT, i]


def match_ferries(s: State, g: int, w: Scratch) -> None:
    """Each rider boards the fleet that moves as its order says, if that fleet takes it; else it stays (K-9b)."""
    n = s.game[g, COUNT]
    for f in range(n):
        o = w.chosen[f]
        w.units[ALONE, f] = 0
        if o & KIND_MASK == CARRIES:
            ride = w.chosen[(o >> UNIT_SHIFT) & FIELD_MASK]
            fits = ride & KIND_MASK == RIDES and (ride >> UNIT_SHIFT) & FIELD_MASK == f
            fits = fits and (ride >> MORE_SHIFT) & FIELD_MASK == (o >> TO_SHIFT) & FIELD_MASK
            fits = fits and (ride >> TO_SHIFT) & FIELD_MASK == (o >> MORE_SHIFT) & FIELD_MASK
            w.units[ALONE, f] = 0 if fits else 1
    for i in range(n):
        o = w.chosen[i]
        if o & KIND_MASK != RIDES:
            continue
        for f in range(n):  # no other power's fleet has a part in the ferry (K-9e)
            if w.units[DOES, f] == CONVOY and w.units[HELPED, f] == i and w.units[BY, f] != w.units[BY, i]:
                leave_unused(w, f)
        f = (o >> UNIT_SHIFT) & FIELD_MASK
        sea = (o >> MORE_SHIFT) & FIELD_MASK
        takes = w.units[DOES, f] == MOVE and w.units[TARGET, f] == sea
        if takes and w.chosen[f] & KIND_MASK == CARRIES:
            takes = w.units[ALONE, f] == 0 and (w.chosen[f] >> UNIT_SHIFT) & FIELD_MASK == i
        elif takes:  # a plain move will do for a fleet of the army's own power, unless several armies would ride on it
            takes = w.units[BY, i] == w.units[BY, f]
            for j in range(n):
                other = w.chosen[j]
                same = j != i and other & KIND_MASK == RIDES and (other >> UNIT_SHIFT) & FIELD_MASK == f
                if same and (other >> MORE_SHIFT) & FIELD_MASK == sea and w.units[BY, j] == w.units[BY, f]:
                    takes = False
        w.units[VIA, i] = BY_CONVOY
        if takes:
            w.units[HELPED, f] = i
        else:
            w.units[ROUTE, i] = NO


def goes_by_sea(t: DenseTables, s: State, g: int, w: Scratch, i: int) -> int:
    """Whether an army's move goes by convoy (DATC 4.A.3)."""
    if t.kinds[CONVOYED, s.units[g, KIND, i]] == 0:
        return 0
    to = w.units[TARGET, i]
    if walks_to(t, w.units[AT, i], to) == 0:
        return 1
    fleets, own = 0, 0
    for f in range(s.game[g, COUNT]):
        if w.units[DOES, f] == CONVOY and w.units[HELPED, f] == i:
            fleets += 1
            if w.units[BY, f] == w.units[BY, i]:
                own += 1
    if w.chosen[i] & KIND_MASK == MOVES_VIA:
        if t.settings[VIA_FALLBACK] == 1:
            return 1 if fleets > 0 and whole_route(t, s, g, w, i) == 1 else 0
        return 1
    if t.settings[ADJACENT_CONVOY] == OWN_FLEET:
        return 1 if own > 0 else 0
    if t.settings[ADJACENT_CONVOY] == READING_1971 and fleets > 0:
        d = w.places[OCCUPANT, to]
        if d >= 0 and w.units[DOES, d] == MOVE and w.units[TARGET, d] == w.units[AT, i]:
            return whole_route(t, s, g, w, i)
    return 0


def whole_route(t: DenseTables, s: State, g: int, w: Scratch, i: int) -> int:
    """Whether the fleets ordered to convoy army ``i`` make a whole route if none is dislodged."""
    for f in range(s.game[g, COUNT]):
        w.units[QUEUE, f] = 1 if w.units[DOES, f] == CONVOY and w.units[HELPED, f] == i else 0
    return spread_over(t, s, g, w, w.units[AT, i], w.units[TARGET, i])


def lay_out(s: State, g: int, w: Scratch) -> MovementProblem:
    """The matched orders as the core takes them; routes known to fail are so already."""
    w.turn.n = s.game[g, COUNT]
    return w.turn


def decide_moves(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Run the core on the matched orders."""
    w.places[INTO_HEAD, :] = -1
    turn = lay_out(s, g, w)
    begin_rows(turn.n, w.units[LINKED:])
    link_orders(turn)
    if resolve(turn):
        resolve_cycles(turn)


def land_after_all(t: DenseTables, s: State, g: int, w: Scratch) -> int:
    """Let armies whose convoys were disrupted walk, by the 1971 reading; return how many there are."""
    n = s.game[g, COUNT]
    lost = 0
    for i in range(n):
        w.units[QUEUE, i] = 0
        plain = w.chosen[i] & KIND_MASK == MOVES
        if plain and w.units[VIA, i] == BY_CONVOY and w.units[ROUTE, i] == NO:
            if walks_to(t, w.units[AT, i], w.units[TARGET, i]) == 1:
                w.units[QUEUE, i] = 1
                lost += 1
    if lost == 0:
        return 0
    for i in range(n):
        rides = w.chosen[i] & KIND_MASK == RIDES
        carried = 0
        for f in range(n):
            if rides and w.units[DOES, f] == MOVE and w.units[HELPED, f] == i:
                carried = 1
        # routes that orders alone made hopeless stay so; the rest is open again
        w.units[ROUTE, i] = NO if rides and carried == 0 else YES
        if w.units[QUEUE, i] == 1:
            w.units[VIA, i] = BY_LAND
        if w.units[DOES, i] == CONVOY and w.units[QUEUE, w.units[HELPED, i]] == 1:
            leave_unused(w, i)
    return lost


def carry_out(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Move the units, put the dislodged aside with the places that they may not go to, and go on with conversions."""
    n = s.game[g, COUNT]
    s.places[g, CONTESTED, :] = 0
    turn = lay_out(s, g, w)
    w.units[DISLODGER, :n] = -1
    find_dislodgers(turn, w.units[DISLODGER])
    mark_contested(turn, w.units[DISLODGER], s.places[g, CONTESTED])
    if t.settings[CONVERSION] > 0:
        convert_units(t, s, g, w)
    kept, out = 0, 0
    for i in range(n):
        if w.units[DISLODGER, i] >= 0:
            d = w.units[DISLODGER, i]
            by_sea = w.units[VIA, d] == BY_CONVOY and t.settings[OPEN_ORIGIN] == 1
            s.out[g, LOCATION, out] = s.units[g, LOCATION, i]
            s.out[g, KIND, out] = s.units[g, KIND, i]
            s.out[g, POWER, out] = s.units[g, POWER, i]
            s.out[g, ATTACKED_FROM, out] = -1 if by_sea else w.units[AT, d]
            out += 1
        else:
            s.units[g, LOCATION, kept] = w.units[ARRIVES, i] if w.units[MOVED, i] == YES else s.units[g, LOCATION, i]
            s.units[g, KIND, kept] = s.units[g, KIND, i]
            s.units[g, POWER, kept] = s.units[g, POWER, i]
            kept += 1
    s.game[g, COUNT] = kept
    s.game[g, OUT] = out


def convert_units(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Count conversions on; the last turn of one replaces the unit, an attack by another power ends it (W-11)."""
    n = s.game[g, COUNT]
    for i in range(n):
        w.units[QUEUE, i] = s.places[g, BECOMES, w.units[AT, i]]
        w.units[SEEN, i] = s.places[g, BECOMING_FOR, w.units[AT, i]]
    s.places[g, BECOMES, :] = -1
    s.places[g, BECOMING_FOR, :] = 0
    for i in range(n):
        o = w.chosen[i]
        if o & KIND_MASK != CONVERTS:
            continue
        place = w.units[AT, i]
        attacked = 0
        k = w.places[INTO_HEAD, place]
        while k >= 0:
            if w.units[ROUTE, k] == YES and w.units[BY, k] != w.units[BY, i]:
                attacked = 1
            k = w.units[INTO_NEXT, k]
        if attacked == 1:
            continue
        to = (o >> TO_SHIFT) & FIELD_MASK
        kind = (o >> UNIT_SHIFT) & FIELD_MASK
        thing = kind * t.locations + to
        done = 1
        if w.units[QUEUE, i] == thing:
            done += w.units[SEEN, i]
        if done >= t.settings[CONVERSION]:
            s.units[g, KIND, i] = kind
            s.units[g, LOCATION, i] = to
        else:
            s.places[g, BECOMES, place] = thing
            s.places[g, BECOMING_FOR, place] = done


def resolve_movement(t: DenseTables, s: State, g: int, w: Scratch) -> int:
    """Judge a movement turn on the orders in ``Scratch.chosen``; return whether any dislodged unit can retreat."""
    occupy(t, s, g, w)
    match_orders(t, s, g, w)
    decide_moves(t, s, g, w)
    if t.settings[ADJACENT_CONVOY] == READING_1971 and land_after_all(t, s, g, w) > 0:
        decide_moves(t, s, g, w)
    carry_out(t, s, g, w)
    occupy(t, s, g, w)
    retreating = 0
    for d in range(s.game[g, OUT]):
        w.units[QUEUE, d] = count_retreats(t, s, g, w, d)
        if w.units[QUEUE, d] > 0:
            retreating = 1
    kept = 0
    for d in range(s.game[g, OUT]):  # who can go nowhere leaves the board
        if w.units[QUEUE, d] > 0:
            for row in range(s.out.shape[1]):
                s.out[g, row, kept] = s.out[g, row, d]
            kept += 1
    s.game[g, OUT] = kept
    if kept == 0:
        s.places[g, CONTESTED, :] = 0
    return retreating
