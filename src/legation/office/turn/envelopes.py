"""Envelopes: whose first orders of a season are still to come by post (W-20a)."""

from __future__ import annotations

from legation.office.act import GameContext
from legation.office.store.rows import SubmissionRow, TurnRow
from legation.office.turn.turns import phase_of


def lacks_envelope(scene: GameContext, turn: TurnRow, seat: int) -> bool:
    """Return whether a seat is to post its orders of a turn, and none has come."""
    if not scene.settings.wants_envelope(phase_of(turn)):
        return False
    return not scene.tx.count(SubmissionRow, turn=turn.id, seat=seat, kind="posted", withdrawn=None)
