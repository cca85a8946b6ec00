"""What a dense position is worth to each power: the outlook, from features that were weighed on games of bots.

The weights are fitted by :mod:`legation.lab.fitting`; its docstring says on what."""

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


def weigh_features(t: DenseTables, w: Scratch, power: int) -> float:
    """A power's features as one number."""
    value = 0.0
    for k in range(FEATURES):
        value += t.weights[k] * w.features[power, k]
    return value


def judge_outlooks(t: DenseTables, s: State, g: int, w: Scratch) -> None:
    """Write every power's outlook into ``Scratch.outlook``: about the score that it will have, 0 to 1."""
    measure_features(t, s, g, w)
    winner = -1
    for power in range(t.powers):
        if t.marks[power] > 0 and w.features[power, FEATURE_CENTERS] >= 1.0:
            winner = power
    for power in range(t.powers):
        value = weigh_features(t, w, power)
        if winner == power:
            value += 1.0
        elif winner >= 0:
            value = min(value, 0.0)
        w.outlook[power] = value
