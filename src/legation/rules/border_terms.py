"""Borders that are closed for a time or to some, and borders that weaken who crosses them. No variant that ships has
them; ice, straits and rivers of many boards are so."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from legation.board import province_of
from legation.judge import Rule, RulesError
from legation.orders import Move

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from legation.judge import Ruleset
    from legation.orders import Order
    from legation.position import Position, Turn, Unit

YEARS = ("odd", "even")


class ClosedBorder(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from", "but": "except"}):
    """A border that is closed, in one direction; what is left empty does not matter."""

    start: str = ""
    """Empty: whoever comes."""
    to: str
    seasons: list[str] = []
    years: str = ""
    """``odd``, ``even`` or ``1905-1909``."""
    phases: list[str] = []
    kinds: list[str] = []
    but: list[str] = []
    owners: list[str] = []


class WeakBorder(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from"}):
    """A border over which a move counts less, in one direction."""

    start: str = ""
    to: str
    less: int = 1
    kinds: list[str] = []


class BorderTerms(Rule):
    """Some borders are closed to some units or for a time, and some weaken whoever crosses them.

    ``closed`` lists borders that units may not cross, moving or retreating, while what it says holds; ``weak`` lists
    borders over which a move counts ``less`` (1) and nobody supports.

    Each is a table with ``from`` and ``to`` (provinces; ``from`` may be left out: whoever comes), in that direction
    only. ``closed``: ``seasons``, ``years`` (``"odd"``, ``"even"`` or ``"1905-1909"``), ``phases``, ``kinds`` (codes of
    units); ``except`` (powers that may pass), ``owners`` (centers of which the power must own all to pass). What is
    left out does not matter.
    """

    key = "border_terms"

    def __init__(self, closed: list[ClosedBorder] | None = None, weak: list[WeakBorder] | None = None) -> None:
        self.closed = closed or []
        self.weak = weak or []
        for number, border in enumerate(self.closed):
            if border.years and border.years not in YEARS and _span(border.years) is None:
                raise RulesError(f"closed[{number}]: years is 'odd', 'even' or '1905-1909'")
        for number, crossing in enumerate(self.weak):
            if not 1 <= crossing.less <= 9:
                raise RulesError(f"weak[{number}]: less is a whole number from 1")
        self._closed = _by_border(self.closed)
        self._weak = _by_border(self.weak)

    def faults(self, rules: Ruleset) -> Sequence[str]:
        faults = [f"closed[{i}]: {fault}" for i, one in enumerate(self.closed) for fault in _faults_of(rules, one)]
        faults += [f"weak[{i}]: {fault}" for i, one in enumerate(self.weak) for fault in _faults_of(rules, one)]
        if not self.closed and not self.weak:
            faults.append("lists no border; give closed or weak")
        return faults

    def refuses_entry(self, rules: Ruleset, position: Position, unit: Unit, province: str) -> str | None:
        for border in (*self._closed.get((unit.province, province), ()), *self._closed.get(("", province), ())):
            if _holds(border, position, unit):
                return f"the way from {unit.province} to {province} is closed{_why(border)}"
        return None

    def _crossed(self, unit: Unit, province: str) -> int:
        """By how much a move over a border counts less."""
        borders = self._weak.get((unit.province, province), ())
        return max((border.less for border in borders if unit.kind in (border.kinds or (unit.kind,))), default=0)

    def strength(self, rules: Ruleset, position: Position, unit: Unit, order: Order) -> int:
        if isinstance(order, Move) and not order.via_convoy:
            return -self._crossed(unit, province_of(order.to))
        return 0

    def refuses_support(
        self, rules: Ruleset, position: Position, unit: Unit, target: Unit, province: str
    ) -> str | None:
        if self._crossed(unit, province):
            return f"nobody supports over the border from {unit.province} to {province}"
        return None

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        def ends(border: ClosedBorder | WeakBorder) -> str:
            to = rules.board.provinces[border.to].name
            return f"from {rules.board.provinces[border.start].name} to {to}" if border.start else f"into {to}"

        text = [f"The way {ends(border)} is closed{_why(border)}." for border in self.closed]
        for crossing in self.weak:
            whose = f" ({', '.join(rules.kinds[k].name for k in crossing.kinds)})" if crossing.kinds else ""
            text.append(f"A move {ends(crossing)}{whose} counts {crossing.less} less, and nobody supports across.")
        return tuple(text)


def _faults_of(rules: Ruleset, border: ClosedBorder | WeakBorder) -> Iterator[str]:
    for key, province in (("from", border.start), ("to", border.to)):
        if (province or key == "to") and province not in rules.board.provinces:
            yield f"{key}: there is no province {province!r}"
    for kind in border.kinds:
        if kind not in rules.kinds:
            yield f"kinds: {kind!r} is no kind of unit here"
    if isinstance(border, ClosedBorder):
        for power in border.but:
            if power not in rules.powers:
                yield f"except: there is no power {power!r}"
        for center in border.owners:
            if center not in rules.board.centers:
                yield f"owners: {center!r} is no supply center"


def _span(text: str) -> tuple[int, int] | None:
    first, dash, last = text.partition("-")
    if not dash or not first.isdigit() or not last.isdigit() or len(text) > 11:
        return None
    return int(first), int(last)


Border = TypeVar("Border", ClosedBorder, WeakBorder)


def _by_border(borders: Sequence[Border]) -> Mapping[tuple[str, str], list[Border]]:
    found: dict[tuple[str, str], list[Border]] = {}
    for border in borders:
        found.setdefault((border.start, border.to), []).append(border)
    return found


def _holds(border: ClosedBorder, position: Position, unit: Unit) -> bool:
    """Whether a border is closed to a unit now."""
    if not _now(border, position.turn) or unit.kind not in (border.kinds or (unit.kind,)) or unit.power in border.but:
        return False
    return not border.owners or any(position.owners.get(center) != unit.power for center in border.owners)


def _now(border: ClosedBorder, turn: Turn) -> bool:
    if turn.season not in (border.seasons or (turn.season,)):
        return False
    if turn.phase.value not in (border.phases or (turn.phase.value,)):
        return False
    if not border.years:
        return True
    if border.years in YEARS:
        return (turn.year % 2 == 1) is (border.years == "odd")
    first, last = _span(border.years) or (0, 0)
    return first <= turn.year <= last


def _why(border: ClosedBorder) -> str:
    """The terms in words."""
    said: list[str] = []
    if border.seasons:
        said.append(f"in {' and '.join(border.seasons)}")
    if border.years:
        said.append(f"in {border.years} years" if border.years in YEARS else f"in {border.years}")
    if border.phases:
        said.append(f"in {' and '.join(border.phases)}")
    if border.kinds:
        said.append(f"to {' and '.join(border.kinds)}")
    if border.but:
        said.append(f"to all but {' and '.join(border.but)}")
    if border.owners:
        said.append(f"to whoever does not own {' and '.join(border.owners)}")
    return (" " if said else "") + ", ".join(said)
