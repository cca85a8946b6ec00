"""What a heading (``Builds:``) or a dash orders for lines that only name a unit."""

from __future__ import annotations

import re
from collections.abc import Callable

from legation.notation.grammar import Grammar
from legation.notation.names import fold
from legation.notation.parsing.orders import Parser
from legation.notation.parsing.saying import SAYS_NOTHING
from legation.notation.prose.heading_text import is_plain_name, read_heading
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


_VERBS: dict[str, tuple[Callable[[Parser, Subject], Order], tuple[Phase, ...]]] = {
    "build": (_build, (Phase.ADJUSTMENTS, Phase.PLACEMENT)),
    "remove": (_remove, (Phase.MOVEMENT, Phase.RETREATS, Phase.ADJUSTMENTS, Phase.PLACEMENT)),
    "hold": (_hold, (Phase.MOVEMENT,)),
}
"""What a heading may say, and when."""


def read_bare(
    verb: str, phase: Phase, *, after_dash: bool, removes: bool = False
) -> Callable[[Parser, Subject], Order] | None:
    """How a unit is read of which nothing is said, if the sheet and not the phase tells; ``removes``: as many lines
    with a dash before them take units away as must go."""
    read, phases = _VERBS.get(verb, (None, ()))
    if phase in phases:
        return read
    if not after_dash or phase is not Phase.ADJUSTMENTS:
        return None
    return _remove if removes else _unclear


_DASHED_UNIT = re.compile(
    r"[-–−]\s{0,3}(?:(?:[AFaf]|[Aa]rmy|[Ff]leet)\.?\s{1,3})?[^\W\d_]{2,20}(?:\s[^\W\d_]{2,20}){0,2}"
)


def dashes_remove(text: str, reader: Grammar, position: Position | None, power: str) -> bool:
    """Whether the dashes of a sheet remove units: it is nothing but lines such as ``- A par`` (a line with the power's
    name may stand above), as many as units must go, and not as many as may stay."""
    if position is None or not power:
        return False
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    heading = read_heading(lines[0], reader.powers, reader.places, whole=True) if lines else None
    if heading is not None and heading.power in ("", power) and not heading.verb:
        del lines[0]
    if lines and is_plain_name(fold(lines[-1]), reader.powers, reader.places):  # who writes
        del lines[-1]
    units = sum(reader.costs.get(unit.kind, 1) for unit in position.units_of(power))
    stay = len(position.centers_of(power))
    if not len(lines) == units - stay > 0 or len(lines) == stay:
        return False
    said = {word for line in lines for word in fold(line).split() if len(word) > 1}
    acts = (reader.verbs.keys() | reader.openings.keys()) - reader.kinds.keys()
    return all(_DASHED_UNIT.fullmatch(line) for line in lines) and said.isdisjoint(acts)
