"""Orders that a heading or a dash gives to the bare units below it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from legation.notation.parsing.orders import SAYS_NOTHING, Parser
from legation.notation.subjects import Subject
from legation.orders import Build, Disband, Hold, Order, Remove
from legation.position import Phase, Position


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


def read_bare(
    deed: str, phase: Phase, *, after_dash: bool, removes: bool = False
) -> Callable[[Parser, Subject], Order] | None:
    """How a unit is read of which nothing is said, if the sheet and not the phase tells; ``removes``: as many lines
    with a dash before them take units away as must go."""
    read, phases = _DEEDS.get(deed, (None, ()))
    if phase in phases:
        return read
    if not after_dash or phase is not Phase.ADJUSTMENTS:
        return None
    return _remove if removes else _unclear


_DASHED_UNIT = re.compile(r"^[^\S\n]{0,9}[-–−][^\S\n]{0,3}[^\W\d_][^-–−\n]{2,60}$", re.MULTILINE)


def dashes_remove(text: str, position: Position | None, power: str, costs: Mapping[str, int]) -> bool:
    """Whether a sheet has as many lines that begin with a dash as units of the power must go, and not as many as may
    stay."""
    if position is None or not power:
        return False
    units = sum(costs.get(unit.kind, 1) for unit in position.units_of(power))
    stay = len(position.centers_of(power))
    listed = len(_DASHED_UNIT.findall(text))
    return listed == units - stay > 0 and listed != stay
