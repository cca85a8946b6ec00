"""Orders that a heading or a dash gives to the bare units below it."""

from __future__ import annotations

from collections.abc import Callable

from legation.notation.parsing.orders import SAYS_NOTHING, Parser
from legation.notation.subjects import Subject
from legation.orders import Build, Disband, Hold, Order, Remove
from legation.position import Phase


def _build(parser: Parser, subject: Subject) -> Order:
    return Build(subject.kind, subject.at)


def _remove(parser: Parser, subject: Subject) -> Order:
    return Disband(subject.kind, subject.at) if parser.phase is Phase.RETREATS else Remove(subject.kind, subject.at)


def _hold(parser: Parser, subject: Subject) -> Order:
    return Hold(subject.kind, subject.at)


def _unclear(parser: Parser, subject: Subject) -> Order:
    """A unit after a dash, which may be a bullet or take the unit away."""
    parser.fail(f"{SAYS_NOTHING}; write {parser.reader.verbs_shown[parser.phase]}")


_DEEDS: dict[str, tuple[Callable[[Parser, Subject], Order], tuple[Phase, ...]]] = {
    "build": (_build, (Phase.ADJUSTMENTS, Phase.PLACEMENT)),
    "remove": (_remove, (Phase.MOVEMENT, Phase.RETREATS, Phase.ADJUSTMENTS, Phase.PLACEMENT)),
    "hold": (_hold, (Phase.MOVEMENT,)),
}
"""What a heading may say, and when."""


def read_bare(deed: str, phase: Phase, *, after_dash: bool) -> Callable[[Parser, Subject], Order] | None:
    """How a unit is read of which nothing is said, if the sheet and not the phase tells."""
    read, phases = _DEEDS.get(deed, (None, ()))
    if phase in phases:
        return read
    return _unclear if after_dash and phase is Phase.ADJUSTMENTS else None
