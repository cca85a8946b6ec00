"""A log of games with bots: every order and what came of it, and who owns each province after each turn."""

from typing import Any

from legation.judge.core import MOVE, NO, SUPPORT, YES
from legation.lab.dense.layout import *


def log_orders(t: DenseTables, s: State, g: int, w: Scratch, log: Any, ordered: int) -> None:
    """Write a row for each order in ``Scratch.chosen``, from row ``Scratch.counts[LOGGED]`` on; the outcome follows."""
    phase = t.phase[s.game[g, TURN]]
    for i in range(ordered):
        row = w.counts[LOGGED] + i
        o = w.chosen[i]
        what = o & KIND_MASK
        unit = (o >> UNIT_SHIFT) & FIELD_MASK
        log[row, LOG_GAME] = g
        log[row, LOG_TURN] = s.game[g, TURN]
        log[row, LOG_ORDER] = o
        log[row, LOG_OUTCOME] = SUCCEEDS
        log[row, LOG_BY] = -1
        if phase == MOVEMENT or phase == RETREATS:
            units = s.units if phase == MOVEMENT else s.out
            log[row, LOG_POWER] = units[g, POWER, i]
            log[row, LOG_KIND] = units[g, KIND, i]
            log[row, LOG_FROM] = units[g, LOCATION, i]
        else:
            log[row, LOG_POWER] = (o >> MORE_SHIFT) & FIELD_MASK
            log[row, LOG_KIND] = -1
            log[row, LOG_FROM] = -1
            if what == BUILDS:
                log[row, LOG_KIND] = unit
                log[row, LOG_FROM] = (o >> TO_SHIFT) & FIELD_MASK
            elif what == REMOVES:
                log[row, LOG_KIND] = s.units[g, KIND, unit]
                log[row, LOG_FROM] = s.units[g, LOCATION, unit]


def log_outcomes(t: DenseTables, s: State, g: int, w: Scratch, log: Any, phase: int, ordered: int) -> None:
    """Write what came of the orders that :func:`log_orders` wrote, once the turn is judged."""
    for i in range(ordered):
        row = w.counts[LOGGED] + i
        if phase == MOVEMENT:
            log[row, LOG_OUTCOME] = find_outcome(w, i)
            if w.units[DISLODGER, i] >= 0:
                log[row, LOG_BY] = log[w.counts[LOGGED] + w.units[DISLODGER, i], LOG_FROM]
        elif phase == RETREATS and log[row, LOG_ORDER] & KIND_MASK == RETREATS_TO:
            to = (log[row, LOG_ORDER] >> TO_SHIFT) & FIELD_MASK
            log[row, LOG_OUTCOME] = BOUNCED
            for j in range(s.game[g, COUNT]):
                if s.units[g, LOCATION, j] == to and s.units[g, POWER, j] == log[row, LOG_POWER]:
                    log[row, LOG_OUTCOME] = SUCCEEDS
    w.counts[LOGGED] += ordered


def find_outcome(w: Scratch, i: int) -> int:
    """What came of the order of unit ``i`` in the movement turn that was judged last; as verdicts have it, a support
    that was weakened and a convoy that was not needed succeed."""
    out = w.units[DISLODGER, i] >= 0
    if w.units[DOES, i] == MOVE:
        if w.units[MOVED, i] == YES:
            return SUCCEEDS
        return NO_CONVOY if w.units[ROUTE, i] == NO else BOUNCED
    if w.units[DOES, i] == SUPPORT:
        given = w.units[LOW, i]
        return SUCCEEDS if given == w.units[FORCE, i] or (given > 0 and not out) else CUT
    what = w.chosen[i] & KIND_MASK
    if what == CONVOYS:
        j = (w.chosen[i] >> UNIT_SHIFT) & FIELD_MASK
        goes = w.units[DOES, j] == MOVE and w.units[TARGET, j] == (w.chosen[i] >> TO_SHIFT) & FIELD_MASK
        if not goes:
            return NOT_MATCHED
        return NO_CONVOY if out or w.units[BROKEN, i] == 1 else SUCCEEDS
    return NOT_MATCHED if what == SUPPORTS_HOLD or what == SUPPORTS_MOVE else SUCCEEDS
