"""What a dense position is worth to each power: the outlook, from features of the position.

The weights are fitted by :mod:`legation.lab.fitting`, the network, by which ``strong`` and ``strongest`` judge, by
:mod:`legation.lab.fitting_network`; their docstrings say on what."""

from math import exp

from legation.lab.dense.layout import *
from legation.lab.dense.listing import occupy
from legation.lab.dense.weighing import find_presence, measure_presence

TO_COME = 0.6
"""Of a center on which another's unit stands before centers are counted, so much is its own already."""


def measure_features(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Write every power's features into ``Scratch.features``: centers held or about to be, what threatens them, what
    could be taken, units, and the greatest rival, each as a part of what is needed to win."""
    occupy(t, s, g, w)
    measure_presence(t, s, g, w)
    coming = 1.0 if t.counted[s.game[g, TURN]] == 1 else TO_COME
    w.features[:, :] = 0.0
    w.features[:, FEATURE_BIAS] = 1.0
    for p in range(t.provinces):
        if t.places[IS_CENTER, p] == 1:
            measure_center(t, s, g, w, p, coming)
    for i in range(s.game[g, COUNT]):
        w.features[s.units[g, POWER, i], FEATURE_UNITS] += 1.0
    for d in range(s.game[g, OUT]):
        w.features[s.out[g, POWER, d], FEATURE_OUT] += 1.0
    squares = 1e-9
    for power in range(t.powers):
        squares += w.features[power, FEATURE_CENTERS] ** 2
    for power in range(t.powers):
        rival = 0.0
        for other in range(t.powers):
            if other != power and w.features[other, FEATURE_CENTERS] > rival:
                rival = w.features[other, FEATURE_CENTERS]
        w.features[power, FEATURE_RIVAL] = rival
        w.features[power, FEATURE_SHARE] = w.features[power, FEATURE_CENTERS] ** 2 / squares
    for power in range(t.powers):
        mark = t.marks[power] if t.marks[power] > 0 else 1
        for k in range(FEATURE_SHARE):
            w.features[power, k] /= mark


def measure_center(t: DenseTables, s: State, g: int, w: Scratch, p: int, coming: float) -> None:
    """Count one center for whoever holds it, whom it threatens and who could take it."""
    owner, unit = s.places[g, OWNER, p], w.places[OCCUPANT, p]
    holder = owner
    if unit >= 0:
        holder = s.units[g, POWER, unit]
        w.features[holder, FEATURE_CENTERS] += coming if holder != owner else 1.0
    if owner >= 0 and holder != owner:
        w.features[owner, FEATURE_CENTERS] += 1.0 - coming
    elif owner >= 0 and unit < 0:
        w.features[owner, FEATURE_CENTERS] += 1.0
    guard = 0
    if holder >= 0:
        guard = find_presence(t, s, g, w, holder, p)
    for power in range(t.powers):
        strength = w.entering[power, p]
        if power == holder or strength == 0:
            continue
        w.features[power, FEATURE_REACH] += 1.0
        if strength > guard:
            w.features[power, FEATURE_CHANCES] += 1.0
            if holder >= 0:
                w.features[holder, FEATURE_THREATS] += 1.0


def measure_surroundings(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Write the features that only the network reads: centers that nobody else can enter, how many powers could enter
    one, others' units and centers within two steps, how many powers are left, and the second greatest rival."""
    w.fronts[:, :] = 0
    for p in range(t.provinces):
        if t.places[IS_CENTER, p] == 1:
            measure_access(t, s, g, w, p)
            measure_nearness(t, s, g, w, p)
    left = 0.0
    for power in range(t.powers):
        if w.features[power, FEATURE_CENTERS] + w.features[power, FEATURE_UNITS] > 0.0:
            left += 1.0
    for power in range(t.powers):
        mark = t.marks[power] if t.marks[power] > 0 else 1
        rival = second = 0.0
        for other in range(t.powers):
            if other == power:
                continue
            w.features[power, FEATURE_FRONTS] += w.fronts[power, other] / t.powers
            size = w.features[other, FEATURE_CENTERS]
            if size > rival:
                rival, second = size, rival
            elif size > second:
                second = size
        w.features[power, FEATURE_SECOND] = second
        w.features[power, FEATURE_LEFT] = left / t.powers
        w.features[power, FEATURE_COMING] = t.counted[s.game[g, TURN]]
        w.features[power, FEATURE_SAFE] /= mark
        w.features[power, FEATURE_NEAR] /= 2 * mark
        w.features[power, FEATURE_AT_HAND] /= mark


def measure_access(t: DenseTables, s: State, g: int, w: Scratch, p: int) -> None:
    """Note who could enter a center that somebody holds."""
    unit = w.places[OCCUPANT, p]
    holder = s.places[g, OWNER, p] if unit < 0 else s.units[g, POWER, unit]
    if holder < 0:
        return
    safe = 1.0
    for power in range(t.powers):
        if power != holder and w.entering[power, p] > 0:
            w.fronts[holder, power] = 1
            safe = 0.0
    w.features[holder, FEATURE_SAFE] += safe


def measure_nearness(t: DenseTables, s: State, g: int, w: Scratch, p: int) -> None:
    """Count for the owner of a center the units of others within two steps, and for these the center."""
    owner, unit = s.places[g, OWNER, p], w.places[OCCUPANT, p]
    if unit >= 0 and t.counted[s.game[g, TURN]] == 1:  # whose it then is
        owner = s.units[g, POWER, unit]
    w.at_hand[:] = 0
    for i in range(s.game[g, COUNT]):
        power = s.units[g, POWER, i]
        if power != owner and t.distance[p, t.province[s.units[g, LOCATION, i]]] <= 2:
            w.at_hand[power] = 1
            if owner >= 0:
                w.features[owner, FEATURE_NEAR] += 1.0
    for power in range(t.powers):
        w.features[power, FEATURE_AT_HAND] += w.at_hand[power]


def score_power(t: DenseTables, w: Scratch, power: int) -> float:
    """The network's score of a power, from its features."""
    for j in range(HIDDEN):
        value = 0.0
        for k in range(FEATURES):
            value += w.features[power, k] * t.network[k, j]
        w.hidden[j] = max(value, 0.0)
    score = 0.0
    for j in range(HIDDEN):
        value = t.network[FEATURES + HIDDEN, j]
        for k in range(HIDDEN):
            value += w.hidden[k] * t.network[FEATURES + k, j]
        score += max(value, 0.0) * t.network[FEATURES + HIDDEN + 1, j]
    return score


def predict_winner(t: DenseTables, w: Scratch) -> None:
    """Write each power's chance to win alone into ``Scratch.outlook``; 0 where it has neither center nor unit."""
    greatest = -1e9
    for power in range(t.powers):
        w.outlook[power] = -1e9
        if w.features[power, FEATURE_CENTERS] + w.features[power, FEATURE_UNITS] > 0.0:
            w.outlook[power] = score_power(t, w, power)
        greatest = max(greatest, w.outlook[power])
    total = 0.0
    for power in range(t.powers):
        w.outlook[power] = exp(w.outlook[power] - greatest)
        total += w.outlook[power]
    for power in range(t.powers):
        w.outlook[power] /= total


def weigh_features(t: DenseTables, w: Scratch, power: int) -> float:
    """A power's features as one number."""
    value = 0.0
    for k in range(WEIGHED):
        value += t.weights[k] * w.features[power, k]
    return value


def judge_outlooks(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Write every power's outlook into ``Scratch.outlook``: about the score that it will have, 0 to 1, or, by the
    network, how likely it is to win alone."""
    measure_features(t, s, g, w)
    winner = -1
    for power in range(t.powers):
        if t.marks[power] > 0 and w.features[power, FEATURE_CENTERS] >= 1.0:
            winner = power
    if len(t.network) > 0:
        measure_surroundings(t, s, g, w)
        predict_winner(t, w)
    else:
        for power in range(t.powers):
            w.outlook[power] = weigh_features(t, w, power)
    for power in range(t.powers):
        if winner == power:
            w.outlook[power] += 1.0
        elif winner >= 0:
            w.outlook[power] = min(w.outlook[power], 0.0)
