"""What places are worth to a power in a dense position: DumbBot's values, as :mod:`legation.bots.worth` has them."""

from legation.bots.worth import (
    AT_HAND,
    CHASED,
    CHASED_AT,
    CHASED_OF,
    HERE_FIRST,
    LEADS_AT,
    LEADS_OF,
    NEAR_FIRST,
    NEUTRALS,
    PRESENCE,
    SPREAD,
)
from legation.lab.dense.layout import *


def measure_presence(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Sum up the strength with which each power may come into each province, and count everybody's centers."""
    w.powers[CENTERS, :] = 0
    w.entering[:, :] = 0
    for p in range(t.provinces):
        if s.places[g, OWNER, p] >= 0:
            w.powers[CENTERS, s.places[g, OWNER, p]] += 1
    for i in range(s.game[g, COUNT]):
        kind, power = s.units[g, KIND, i], s.units[g, POWER, i]
        row = t.kinds[TRAVEL, kind] * t.locations + s.units[g, LOCATION, i]
        for e in range(t.into_start[row], t.into_start[row + 1]):
            q = t.into[e]
            if t.entry[kind, power, q] == 1:
                w.entering[power, q] += t.kinds[STRENGTH, kind]


def weigh_size(centers: int) -> int:
    """The weight of a power that owns so many centers."""
    return centers * centers + 4 * centers + 16


def find_competition(t: DenseTables, s: State, g: int, w: Scratch, power: int, place: int) -> int:
    """How strong the strongest other power is in a province: its units in it and those that may enter it."""
    strongest = 0
    for other in range(t.powers):
        if other != power:
            strength = find_presence(t, s, g, w, other, place)
            if strength > strongest:
                strongest = strength
    return strongest


def find_presence(t: DenseTables, s: State, g: int, w: Scratch, power: int, place: int) -> int:
    """How strong a power is in a province: its unit in it and those that may enter it."""
    strength, i = w.entering[power, place], w.places[OCCUPANT, place]
    if i >= 0 and s.units[g, POWER, i] == power:
        strength += t.kinds[STRENGTH, s.units[g, KIND, i]]
    return int(strength)


def weigh_centers(t: DenseTables, s: State, g: int, w: Scratch, power: int) -> None:
    """Write what the centers themselves are worth to a power, by province, and how its own are threatened."""
    moving = t.phase[s.game[g, TURN]] == MOVEMENT or t.phase[s.game[g, TURN]] == RETREATS
    counted = moving and t.counted[s.game[g, TURN]] == 1
    attack = 600 if counted else 700
    defense = 400 if counted else 300
    unowned = 0
    for p in range(t.provinces):
        if t.places[IS_CENTER, p] == 1 and s.places[g, OWNER, p] < 0:
            unowned += 1
    neutral = weigh_size(min(NEUTRALS, unowned))
    mark = t.marks[power]
    leads = mark > 0 and w.powers[CENTERS, power] * LEADS_OF >= mark * LEADS_AT
    for p in range(t.provinces):
        w.sums[DEFENSE, p] = 0
        w.sums[WORTH, p] = 0
        if t.places[IS_CENTER, p] == 0:
            continue
        owner = s.places[g, OWNER, p]
        if owner == power:
            w.sums[DEFENSE, p] = find_threat(t, w, power, p)
            w.sums[WORTH, p] = defense * w.sums[DEFENSE, p]
        elif leads:  # what is missing to win is taken where the others are weakest
            w.sums[WORTH, p] = attack * weigh_size(mark) * AT_HAND // (AT_HAND + find_competition(t, s, g, w, power, p))
        elif owner < 0:
            w.sums[WORTH, p] = attack * neutral
        else:
            w.sums[WORTH, p] = attack * weigh_size(w.powers[CENTERS, owner])
            if t.marks[owner] > 0 and w.powers[CENTERS, owner] * CHASED_OF >= t.marks[owner] * CHASED_AT:
                w.sums[WORTH, p] *= CHASED


def find_threat(t: DenseTables, w: Scratch, power: int, place: int) -> int:
    """The weight of the greatest other power that could enter a province."""
    threat = 0
    for other in range(t.powers):
        if other != power and w.entering[other, place] > 0:
            size = weigh_size(w.powers[CENTERS, other])
            if size > threat:
                threat = size
    return threat


def weigh_places(t: DenseTables, s: State, g: int, w: Scratch, power: int) -> None:
    """Write the worth of every location to a power into ``Scratch.worth``, by travel and location."""
    moving = t.phase[s.game[g, TURN]] == MOVEMENT or t.phase[s.game[g, TURN]] == RETREATS
    here_first = not moving or t.counted[s.game[g, TURN]] == 1
    weigh_centers(t, s, g, w, power)
    for node in range(2 * t.locations):
        value = w.sums[WORTH, t.province[node % t.locations]]
        w.worth[WORTH, node] = value
        w.worth[WORTH_TOTAL, node] = value * (HERE_FIRST[0] if here_first else NEAR_FIRST[0])
    now = WORTH
    after = WORTH_NEXT
    for step in range(1, SPREAD):
        weight = HERE_FIRST[step] if here_first else NEAR_FIRST[step]
        for node in range(2 * t.locations):
            travel = node // t.locations
            total = w.worth[now, node]
            last, best = -1, 0
            for e in range(t.reach_start[node], t.reach_start[node + 1]):
                to = t.reach[e]
                value = w.worth[now, travel * t.locations + to]
                if t.province[to] == last:  # of several coasts the best
                    if value > best:
                        total += value - best
                        best = value
                else:
                    total += value
                    best = value
                    last = t.province[to]
            total = total * t.average[travel, 0] // t.average[travel, 1]
            w.worth[after, node] = total
            w.worth[WORTH_TOTAL, node] += weight * total
        now, after = after, now


def weigh_unit(t: DenseTables, s: State, g: int, w: Scratch, power: int, kind: int, at: int) -> int:
    """What it is worth to a power to have a unit of a kind at a location, for each center that it costs."""
    place = t.province[at]
    value = w.worth[WORTH_TOTAL, t.kinds[TRAVEL, kind] * t.locations + at]
    phase = t.phase[s.game[g, TURN]]
    if phase != MOVEMENT and phase != RETREATS:
        return int((value + PRESENCE * w.sums[DEFENSE, place]) // t.kinds[COST, kind])
    mine = find_presence(t, s, g, w, power, place)
    return int(value + PRESENCE * (mine - find_competition(t, s, g, w, power, place)))
