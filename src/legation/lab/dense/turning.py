"""From one turn to the next: retreats, adjustments and placement carried out, the calendar, centers that change hands,
and endings.

It is long because what is compiled calls plain functions over arrays, and the steps of a turn follow each other here.
"""

from legation.lab.dense.layout import *
from legation.lab.dense.listing import occupy
from legation.lab.dense.moving import resolve_movement

WORD = 0xFFFFFFFF


def draw_number(s: State, g: int) -> int:
    """The game's next random number, of 32 bits (Marsaglia's xorshift of 128)."""
    x = s.game[g, RANDOM]
    x = x ^ ((x << 11) & WORD)
    x = x ^ (x >> 8)
    s.game[g, RANDOM] = s.game[g, RANDOM + 1]
    s.game[g, RANDOM + 1] = s.game[g, RANDOM + 2]
    s.game[g, RANDOM + 2] = s.game[g, RANDOM + 3]
    last = s.game[g, RANDOM + 3]
    s.game[g, RANDOM + 3] = last ^ (last >> 19) ^ x
    return int(s.game[g, RANDOM + 3])


def draw_below(s: State, g: int, n: int) -> int:
    """A random number from 0 to ``n - 1``."""
    return (draw_number(s, g) * n) >> 32


def count_centers(t: DenseTables, s: State, g: int, power: int) -> int:
    """How many centers a power owns."""
    count = 0
    for p in range(t.provinces):
        if s.places[g, OWNER, p] == power:
            count += 1
    return count


def measure_size(t: DenseTables, s: State, g: int, power: int) -> int:
    """How many units a power has, by cost."""
    size = 0
    for i in range(s.game[g, COUNT]):
        if s.units[g, POWER, i] == power:
            size += t.kinds[COST, s.units[g, KIND, i]]
    return size


def find_room(t: DenseTables, s: State, g: int, power: int) -> int:
    """How many units (by cost) a power may still have; below 0 it must remove some."""
    limit = count_centers(t, s, g, power)
    if t.phase[s.game[g, TURN]] == PLACEMENT:
        limit += t.settings[PLACE_SUPPLY]
    if limit == 0 and t.settings[MERCY] == 1:
        for i in range(s.game[g, COUNT]):
            cost = t.kinds[COST, s.units[g, KIND, i]]
            if s.units[g, POWER, i] == power and (limit == 0 or cost < limit):
                limit = cost
    return limit - measure_size(t, s, g, power)


def may_build(t: DenseTables, s: State, g: int, w: Scratch, power: int, thing: int) -> int:
    """Whether a power may build a unit (kind and location) now, with room for it or not."""
    kind = thing // t.locations
    place = t.province[thing % t.locations]
    if w.places[OCCUPANT, place] >= 0:
        return 0
    if s.powers[g, STANDING, power] == IN_ANARCHY:
        return 0
    if t.phase[s.game[g, TURN]] == ADJUSTMENTS:
        if s.places[g, OWNER, place] != power:
            return 0
        if t.settings[CHOSEN_HOMES] == 1 and s.places[g, HOME_OF, place] != power:
            return 0
    if t.kinds[SINGLE, kind] == 1:
        for i in range(s.game[g, COUNT]):
            if s.units[g, POWER, i] == power and s.units[g, KIND, i] == kind:
                return 0
    return 1


def list_builds(t: DenseTables, s: State, g: int, w: Scratch, power: int, begun: int, ordered: int, room: int) -> int:
    """List in ``Scratch.stack`` what a power may build besides the builds from place ``begun`` of the chosen on;
    return how many there are."""
    placing = t.phase[s.game[g, TURN]] == PLACEMENT
    first = t.place_builds_start[power] if placing else t.builds_start[power]
    end = t.place_builds_start[power + 1] if placing else t.builds_start[power + 1]
    n = 0
    for e in range(first, end):
        thing = t.place_builds[e] if placing else t.builds[e]
        kind = thing // t.locations
        if t.kinds[COST, kind] > room or may_build(t, s, g, w, power, thing) == 0:
            continue
        free = 1
        for x in range(begun, ordered):
            again = (w.chosen[x] >> UNIT_SHIFT) & FIELD_MASK == kind and t.kinds[SINGLE, kind] == 1
            if t.province[(w.chosen[x] >> TO_SHIFT) & FIELD_MASK] == t.province[thing % t.locations] or again:
                free = 0
        if free == 1:
            w.stack[n] = thing
            n += 1
    return n


def write_build(t: DenseTables, w: Scratch, power: int, c: int, thing: int) -> int:
    """Write a build into place ``c`` of ``Scratch.chosen``; return what it costs."""
    kind = thing // t.locations
    w.chosen[c] = BUILDS | thing % t.locations << TO_SHIFT | kind << UNIT_SHIFT | power << MORE_SHIFT
    return int(t.kinds[COST, kind])


def list_removals(s: State, g: int, w: Scratch, power: int, begun: int, ordered: int) -> int:
    """List in ``Scratch.stack`` a power's units that are not among the removals from place ``begun`` of the chosen on;
    return how many there are."""
    n = 0
    for i in range(s.game[g, COUNT]):
        free = s.units[g, POWER, i] == power
        for x in range(begun, ordered):
            if (w.chosen[x] >> UNIT_SHIFT) & FIELD_MASK == i:
                free = False
        if free:
            w.stack[n] = i
            n += 1
    return n


def write_removal(t: DenseTables, s: State, g: int, w: Scratch, power: int, c: int, i: int) -> int:
    """Write a removal into place ``c`` of ``Scratch.chosen``; return what it makes room for."""
    w.chosen[c] = REMOVES | i << UNIT_SHIFT | power << MORE_SHIFT
    return int(t.kinds[COST, s.units[g, KIND, i]])


def list_changes(t: DenseTables, s: State, g: int, w: Scratch) -> int:
    """List in ``Scratch.legal`` every build of powers that have room and every removal of those that must make some;
    return how many there are."""
    occupy(t, s, g, w)
    listed = 0
    for power in range(t.powers):
        room = find_room(t, s, g, power)
        n = 0
        if room > 0:
            n = list_builds(t, s, g, w, power, 0, 0, room)
        elif room < 0 and s.powers[g, STANDING, power] != IN_ANARCHY:
            n = list_removals(s, g, w, power, 0, 0)
        for e in range(n):
            if room > 0:
                write_build(t, w, power, 0, w.stack[e])
            else:
                write_removal(t, s, g, w, power, 0, w.stack[e])
            w.legal[listed] = w.chosen[0]
            listed += 1
    return listed


def has_site(t: DenseTables, s: State, g: int, w: Scratch, power: int) -> int:
    """Whether any place where a power builds is its own and vacant."""
    for p in range(t.provinces):
        if t.sites[power, p] == 1 and s.places[g, OWNER, p] == power and w.places[OCCUPANT, p] < 0:
            if t.settings[CHOSEN_HOMES] == 0 or s.places[g, HOME_OF, p] == power:
                return 1
    return 0


def has_business(t: DenseTables, s: State, g: int, w: Scratch) -> int:
    """Whether anybody has anything to order in adjustments."""
    if t.settings[ALWAYS_ADJUSTS] == 1:
        alive, owns = 0, 0
        for power in range(t.powers):
            centers = count_centers(t, s, g, power)
            alive += 1 if centers > 0 or measure_size(t, s, g, power) > 0 else 0
            owns += 1 if centers > 0 else 0
        if owns > 0 and alive > 1:
            return 1
    for power in range(t.powers):
        room = find_room(t, s, g, power)
        if room < 0 or (room > 0 and has_site(t, s, g, w, power) == 1):
            return 1
    return 0


def change_hands(t: DenseTables, s: State, g: int) -> None:
    """Centers go to the powers whose units stand on them (STD-5); then anarchy and homes are looked at."""
    for i in range(s.game[g, COUNT]):
        place = t.province[s.units[g, LOCATION, i]]
        if t.places[IS_CENTER, place] == 1:
            s.places[g, OWNER, place] = s.units[g, POWER, i]
    if t.settings[ANARCHY] == 1:
        for power in range(t.powers):
            settle_anarchy(t, s, g, power)
    if t.settings[CHOSEN_HOMES] == 1 and s.game[g, TURN] == t.settings[FIXED_TURN]:
        for p in range(t.provinces):
            s.places[g, HOME_OF, p] = s.places[g, OWNER, p]
    if t.settings[CONVERSION] > 0 and t.settings[ACROSS_WINTER] == 0:
        s.places[g, BECOMES, :] = -1
        s.places[g, BECOMING_FOR, :] = 0


def settle_anarchy(t: DenseTables, s: State, g: int, power: int) -> None:
    """What has become of a power's homes (K-13)."""
    homes, kept, owned = 0, 0, 0
    for p in range(t.provinces):
        mine = s.places[g, OWNER, p] == power
        owned += 1 if mine else 0
        if t.homes[power, p] == 1:
            homes += 1
            kept += 1 if mine else 0
    lost = homes > 0 and owned > 0 and kept == 0
    back = s.powers[g, STANDING, power] == RETAKEN
    if back or not lost:
        s.powers[g, STANDING, power] = FREE
    if lost and s.powers[g, STANDING, power] == FREE:
        s.powers[g, STANDING, power] = IN_ANARCHY if back else IN_GRACE


def end_grace(t: DenseTables, s: State, g: int) -> None:
    """At the end of a movement season a power in grace stands in a home, or falls into anarchy."""
    for power in range(t.powers):
        if s.powers[g, STANDING, power] != IN_GRACE:
            continue
        back = 0
        for i in range(s.game[g, COUNT]):
            if s.units[g, POWER, i] == power and t.homes[power, t.province[s.units[g, LOCATION, i]]] == 1:
                back = 1
        s.powers[g, STANDING, power] = RETAKEN if back == 1 else IN_ANARCHY


def advance_turn(t: DenseTables, s: State, g: int, w: Scratch) -> int:
    """Go on to the next turn in which anybody has anything to order; return whether centers changed hands on the
    way."""
    settled = 0
    occupy(t, s, g, w)
    while True:
        s.game[g, TURN] += 1
        phase = t.phase[s.game[g, TURN]]
        if phase == CALENDAR_ENDS:
            s.game[g, ENDED] = NO_TURNS_LEFT
            return settled
        if phase == MOVEMENT or phase == PLACEMENT:
            return settled
        if phase == RETREATS:
            if s.game[g, OUT] > 0:
                return settled
        else:
            change_hands(t, s, g)
            settled = 1
            if has_business(t, s, g, w) == 1:
                return settled


def name_best(t: DenseTables, s: State, g: int) -> int:
    """Name those who have won by centers, if any have; return how the game so ends."""
    best, count = -1, 0
    for power in range(t.powers):
        if t.marks[power] == 0:
            continue
        margin = count_centers(t, s, g, power) - t.marks[power]
        if margin < 0 or holds_one_of_each(t, s, g, power) == 0:
            continue
        if margin > best:
            best = margin
            count = 0
            for other in range(t.powers):
                s.powers[g, RANK, other] = 0
        if margin == best:
            count += 1
            s.powers[g, RANK, power] = 1
    if count == 0:
        return RUNS
    return SOLO if count == 1 else DRAW


def holds_one_of_each(t: DenseTables, s: State, g: int, power: int) -> int:
    """Whether a power owns a center of each group that a winner needs."""
    for group in range(t.settings[FOR_ALL_TO_WIN]):
        found = 0
        for e in range(t.win_start[group], t.win_start[group + 1]):
            if s.places[g, OWNER, t.win[e]] == power:
                found = 1
        if found == 0:
            return 0
    return 1


def rank_survivors(t: DenseTables, s: State, g: int) -> int:
    """Rank the last powers that own centers, by centers and then by units (K-12e)."""
    left = 0
    for power in range(t.powers):
        left += 1 if count_centers(t, s, g, power) > 0 else 0
    if left == 0 or left > t.settings[LAST_SURVIVORS] or left == t.powers:
        return RUNS
    for power in range(t.powers):
        s.powers[g, RANK, power] = 0
        mine = count_centers(t, s, g, power)
        if mine == 0:
            continue
        place = 1
        for other in range(t.powers):
            theirs = count_centers(t, s, g, other)
            if theirs == 0 or other == power:
                continue
            more = measure_size(t, s, g, other) - measure_size(t, s, g, power)
            if theirs > mine or (theirs == mine and (more > 0 or (more == 0 and other < power))):
                place += 1
        s.powers[g, RANK, power] = place
    return RANKING


def survives(t: DenseTables, s: State, g: int, power: int) -> int:
    """Whether a power has a unit, a dislodged one too, or a center."""
    for i in range(s.game[g, COUNT]):
        if s.units[g, POWER, i] == power:
            return 1
    for d in range(s.game[g, OUT]):
        if s.out[g, POWER, d] == power:
            return 1
    return 1 if count_centers(t, s, g, power) > 0 else 0


def name_survivors(t: DenseTables, s: State, g: int) -> int:
    """Let all survivors share the game; return how many there are."""
    count = 0
    for power in range(t.powers):
        s.powers[g, RANK, power] = survives(t, s, g, power)
        count += s.powers[g, RANK, power]
    return count


def may_draw(t: DenseTables, s: State, g: int) -> int:
    """Whether every survivor owns the whole of one group of capitals, where the rules ask for it."""
    groups = t.settings[FOR_ALL_TO_DRAW]
    if groups == 0:
        return 1
    for power in range(t.powers):
        if survives(t, s, g, power) == 0:
            continue
        found = 0
        for group in range(groups):
            whole = 1
            for e in range(t.share_start[group], t.share_start[group + 1]):
                if s.places[g, OWNER, t.share[e]] != power:
                    whole = 0
            found |= whole
        if found == 0:
            return 0
    return 1


def has_agreed(t: DenseTables, s: State, g: int) -> int:
    """Whether all survivors, two at least, have agreed to a draw that is allowed."""
    count = 0
    for power in range(t.powers):
        if survives(t, s, g, power) == 1:
            count += 1
            if (s.game[g, AGREED] >> power) & 1 == 0:
                return 0
    return 1 if count >= 2 and may_draw(t, s, g) == 1 else 0


def end_by_centers(t: DenseTables, s: State, g: int) -> int:
    """How the game ends by the centers owned now."""
    ending = name_best(t, s, g)
    if ending == RUNS and t.settings[LAST_SURVIVORS] > 0:
        ending = rank_survivors(t, s, g)
    return ending


def look_for_ending(t: DenseTables, s: State, g: int, before: int, settled: int) -> None:
    """End the game if it ends with the turn that was played, by the first rule that says so."""
    ending = RUNS
    if settled == 1:
        ending = end_by_centers(t, s, g)
    if ending == RUNS and t.settings[VOTES] == 1 and s.game[g, AGREED] > 0 and has_agreed(t, s, g) == 1:
        name_survivors(t, s, g)
        ending = DRAW
    if ending == RUNS and before <= t.settings[LAST_TURN] < s.game[g, TURN]:
        name_survivors(t, s, g)
        ending = DRAW
    if ending != RUNS:
        s.game[g, ENDED] = ending


def resolve_retreats(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Carry out the retreats in ``Scratch.chosen``; two to one province both leave the board."""
    occupy(t, s, g, w)
    out, n = s.game[g, OUT], s.game[g, COUNT]
    for d in range(out):
        if w.chosen[d] & KIND_MASK != RETREATS_TO:
            continue
        to = (w.chosen[d] >> TO_SHIFT) & FIELD_MASK
        alone = 1
        for e in range(out):
            if e != d and w.chosen[e] & KIND_MASK == RETREATS_TO:
                if t.province[(w.chosen[e] >> TO_SHIFT) & FIELD_MASK] == t.province[to]:
                    alone = 0
        if alone == 1:
            s.units[g, LOCATION, n] = to
            s.units[g, KIND, n] = s.out[g, KIND, d]
            s.units[g, POWER, n] = s.out[g, POWER, d]
            n += 1
    s.game[g, COUNT] = n
    s.game[g, OUT] = 0
    s.places[g, CONTESTED, :] = 0


def add_unit(t: DenseTables, s: State, g: int, w: Scratch, power: int, thing: int) -> None:
    """Build a unit."""
    n = s.game[g, COUNT]
    s.units[g, KIND, n] = thing // t.locations
    s.units[g, LOCATION, n] = thing % t.locations
    s.units[g, POWER, n] = power
    w.places[OCCUPANT, t.province[thing % t.locations]] = n
    s.game[g, COUNT] = n + 1


def mark_removed(s: State, g: int, i: int) -> None:
    """Take a unit off the board; its number stays until :func:`close_ranks`."""
    s.units[g, POWER, i] = -1


def close_ranks(s: State, g: int) -> None:
    """Number the units anew without those that were taken off."""
    kept = 0
    for i in range(s.game[g, COUNT]):
        if s.units[g, POWER, i] >= 0:
            for row in range(3):
                s.units[g, row, kept] = s.units[g, row, i]
            kept += 1
    s.game[g, COUNT] = kept


def rank_removal(t: DenseTables, s: State, g: int, i: int) -> int:
    """Where a unit comes when units are removed for its power: the least first (STD-C)."""
    kind, power, at = s.units[g, KIND, i], s.units[g, POWER, i], s.units[g, LOCATION, i]
    place = t.province[at]
    spared = 0
    far = 1 << 20
    if t.settings[DISORDER] == BY_OWN_CENTERS:
        spared = t.places[IS_CENTER, place]
        for p in range(t.provinces):
            if s.places[g, OWNER, p] == power and t.distance[place, p] < far:
                far = t.distance[place, p]
    elif t.settings[DISORDER] == BY_HOMES:
        far = t.home_distance[t.kinds[TRAVEL, kind], power, at]
    elif t.settings[DISORDER] == BY_LOT:
        far = draw_below(s, g, 1 << 20)
    by_land = 1 if t.kinds[TRAVEL, kind] == 0 else 0
    near = spared * ((1 << 20) + 1) + (1 << 20) - far
    return int((near * 2 + by_land) * t.provinces + t.places[NAME_RANK, place])


def remove_in_disorder(t: DenseTables, s: State, g: int, power: int, room: int) -> None:
    """Remove a power's units by the rule for civil disorder until the rest fit its limit."""
    while room < 0:
        first, least = -1, 0
        for i in range(s.game[g, COUNT]):
            if s.units[g, POWER, i] == power:
                rank = rank_removal(t, s, g, i)
                if first < 0 or rank < least:
                    first = i
                    least = rank
        if first < 0:
            return
        room += t.kinds[COST, s.units[g, KIND, first]]
        mark_removed(s, g, first)


def resolve_adjustments(t: DenseTables, s: State, g: int, w: Scratch, ordered: int) -> None:
    """Carry out the first ``ordered`` builds and removals in ``Scratch.chosen``, in their order, and what is then done
    for a power that orders too few removals, or places nothing where it must."""
    occupy(t, s, g, w)
    standing = s.game[g, COUNT]
    for power in range(t.powers):
        room = find_room(t, s, g, power)
        due = room < 0
        for e in range(ordered):
            o = w.chosen[e]
            if (o >> MORE_SHIFT) & FIELD_MASK != power:
                continue
            what = o & KIND_MASK
            if what == BUILDS:
                thing = ((o >> UNIT_SHIFT) & FIELD_MASK) * t.locations + ((o >> TO_SHIFT) & FIELD_MASK)
                cost = t.kinds[COST, thing // t.locations]
                if cost <= room and may_build(t, s, g, w, power, thing) == 1:
                    add_unit(t, s, g, w, power, thing)
                    room -= cost
            elif what == WAIVES and room > 0:
                room -= 1
            elif what == REMOVES and room < 0:
                i = (o >> UNIT_SHIFT) & FIELD_MASK
                if i < standing and s.units[g, POWER, i] == power:
                    room += t.kinds[COST, s.units[g, KIND, i]]
                    mark_removed(s, g, i)
        if due and room < 0:
            remove_in_disorder(t, s, g, power, room)
    close_ranks(s, g)
    if t.settings[CONVERSION] > 0:
        forget_conversions(t, s, g, w)
    if t.settings[CHOSEN_HOMES] == 1 and t.phase[s.game[g, TURN]] == PLACEMENT:
        choose_homes(t, s, g, w)


def forget_conversions(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """A unit that was removed leaves no conversion behind."""
    occupy(t, s, g, w)
    for p in range(t.provinces):
        if w.places[OCCUPANT, p] < 0:
            s.places[g, BECOMES, p] = -1
            s.places[g, BECOMING_FOR, p] = 0


def choose_homes(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """What each power has placed is its home and its only center; who has placed nothing gets an army by lot (N-2)."""
    for power in range(t.powers):
        if measure_size(t, s, g, power) > 0:
            continue
        armies = 0
        for e in range(t.place_builds_start[power], t.place_builds_start[power + 1]):
            armies += 1 if t.place_builds[e] < t.locations else 0
        drawn = draw_below(s, g, armies)
        for e in range(t.place_builds_start[power], t.place_builds_start[power + 1]):
            if t.place_builds[e] < t.locations:
                if drawn == 0:
                    add_unit(t, s, g, w, power, t.place_builds[e])
                drawn -= 1
    s.places[g, OWNER, :] = -1
    for i in range(s.game[g, COUNT]):
        place = t.province[s.units[g, LOCATION, i]]
        s.places[g, OWNER, place] = s.units[g, POWER, i]
        s.places[g, HOME_OF, place] = s.units[g, POWER, i]
        s.places[g, INITIAL, place] = s.units[g, POWER, i]


def play_turn(t: DenseTables, s: State, g: int, w: Scratch, ordered: int) -> None:
    """Judge one turn of a game on the orders in ``Scratch.chosen`` and go on to the next."""
    before = s.game[g, TURN]
    phase = t.phase[before]
    decided = RUNS
    if phase == MOVEMENT:
        retreating = resolve_movement(t, s, g, w)
        if t.settings[ANARCHY] == 1 and retreating == 0:
            end_grace(t, s, g)
    elif phase == RETREATS:
        resolve_retreats(t, s, g, w)
        if t.settings[ANARCHY] == 1:
            end_grace(t, s, g)
    else:
        if phase == ADJUSTMENTS:
            decided = end_by_centers(t, s, g)
        resolve_adjustments(t, s, g, w, ordered)
    settled = advance_turn(t, s, g, w)
    if decided != RUNS:
        s.game[g, ENDED] = decided
    elif s.game[g, ENDED] == RUNS:
        look_for_ending(t, s, g, before, settled)
    s.game[g, AGREED] = 0
    s.game[g, PLAYED] += 1
