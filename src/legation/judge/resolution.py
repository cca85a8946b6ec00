"""What a turn led to, once it has been judged."""

from collections.abc import Mapping, Sequence

import msgspec

from legation.judge.lots import Lot
from legation.judge.verdicts import Verdict
from legation.position import Dislodged, Position


class Ending(msgspec.Struct, frozen=True):
    """How a game ended: ``solo``, ``draw`` or ``ranking`` (best first), for whom, and by which rule."""

    kind: str
    powers: tuple[str, ...]
    reason: str
    tied: tuple[tuple[str, ...], ...] = ()
    """Those of a ranking that share a place, together."""


class Resolution(msgspec.Struct, frozen=True):
    """The result of a turn.

    ``dislodged`` and ``retreats`` (by province, where each may go) are a movement turn's; units that cannot retreat are
    in ``dislodged`` but not in ``after``. ``verdicts`` are made when they are first looked at. ``limits`` say what was
    decided without trying every possibility, to save time."""

    before: Position
    verdicts: Sequence[Verdict]
    after: Position
    dislodged: tuple[Dislodged, ...] = ()
    retreats: Mapping[str, tuple[str, ...]] = {}
    ending: Ending | None = None
    lots: tuple[Lot, ...] = ()
    limits: tuple[str, ...] = ()
