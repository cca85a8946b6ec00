"""Borders that are closed at times or to some units, and borders that weaken units crossing them: ice, straits, rivers.
No built-in variant uses it."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

from legation.board import province_of
from legation.judge import Matching, Rule, RulesError, Ruleset
from legation.judge.setting_names import CenterId, KindCode, PowerName, ProvinceId
from legation.notation import possessive
from legation.orders import Move, Order
from legation.position import Position, Turn, Unit

YEARS = ("odd", "even")


class ClosedBorder(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from", "but": "except"}):
    """A border that is closed in one direction; an omitted condition always holds."""

    start: ProvinceId = ""
    """Empty: whoever comes."""
    to: ProvinceId
    seasons: list[str] = []
    years: str = ""
    """``odd``, ``even`` or ``1905-1909``."""
    phases: list[str] = []
    kinds: list[KindCode] = []
    but: list[PowerName] = []
    owners: list[CenterId] = []


class WeakBorder(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from"}):
    """A border across which a move has less strength, in one direction."""

    start: ProvinceId = ""
    to: ProvinceId
    less: int = 1
    kinds: list[KindCode] = []


class HalfBorder(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from"}):
    """A border across which a move has half a strength less, in one direction."""

    start: ProvinceId = ""
    to: ProvinceId
    kinds: list[KindCode] = []
    convoyed: bool = False
    """Whether it counts for armies that are convoyed from the one to the other, too."""


class ShutPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A province that is shut; an omitted condition always holds."""

    to: ProvinceId
    seasons: list[str] = []
    years: str = ""
    phases: list[str] = []


class BorderTerms(Rule):
    """Some borders are closed to some units or at times, and some weaken units that cross them.

    Settings, each a list of tables: ``closed`` (borders that units can't cross, moving or retreating, while all
    conditions given hold), ``weak`` (borders across which a move loses strength, ``less`` or 1, and no support is
    given), ``half`` (the same with half a strength), ``shut`` (provinces that no unit can enter, and in which
    units only hold).

    A border has ``from`` and ``to`` (provinces; without ``from``, every border into ``to``) and counts in that
    direction only. For a convoyed army ``weak`` ones don't count, and ``half`` ones only with ``convoyed``. The
    conditions of ``closed`` are ``seasons``, ``years`` (``"odd"``, ``"even"`` or ``"1905-1909"``), ``phases``,
    ``kinds`` (codes of units), ``except`` (powers that can pass) and ``owners`` (centers of which a power must own
    all to pass)."""

    key = "border_terms"
    version = 2
    added_settings = frozenset(["half", "shut"])

    def __init__(
        self,
        closed: list[ClosedBorder] | None = None,
        weak: list[WeakBorder] | None = None,
        half: list[HalfBorder] | None = None,
        shut: list[ShutPlace] | None = None,
    ) -> None:
        self.closed = closed or []
        self.weak = weak or []
        self.half = half or []
        self.shut = shut or []
        timed: list[tuple[str, Sequence[ClosedBorder | ShutPlace]]] = [("closed", self.closed), ("shut", self.shut)]
        for title, entries in timed:
            for number, entry in enumerate(entries):
                if entry.years and entry.years not in YEARS and _span(entry.years) is None:
                    raise RulesError(f"{title}[{number}]: years is 'odd', 'even' or '1905-1909'")
        for number, crossing in enumerate(self.weak):
            if not 1 <= crossing.less <= 9:
                raise RulesError(f"weak[{number}]: less is a whole number from 1")
        self._closed = _by_border(self.closed)
        self._weak = _by_border(self.weak)
        self._half = _by_border(self.half)

    def faults(self, rules: Ruleset) -> Sequence[str]:
        named = self.closed or self.weak or self.half or self.shut
        return () if named else ["lists no border; give closed, weak, half or shut"]

    def refuses_entry(self, rules: Ruleset, position: Position, unit: Unit, province: str) -> str | None:
        for border in _between(self._closed, unit.province, province):
            if _holds(border, position, unit):
                start, into = rules.board.name_of(unit.province), rules.board.name_of(province)
                return f"the way from {start} to {into} is closed{_why(rules, border)}"
        if place := self._shut(position, province):
            return f"{rules.board.name_of(province)} is shut{_why(rules, place)}"
        return None

    def _shut(self, position: Position, province: str) -> ShutPlace | None:
        """The entry by which a province is shut now."""
        return next((place for place in self.shut if place.to == province and _now(place, position.turn)), None)

    def _held(self, rules: Ruleset, position: Position, province: str) -> str | None:
        """Why a unit in a province only holds, if it does."""
        place = self._shut(position, province)
        return f"{rules.board.name_of(province)} is shut{_why(rules, place)}: the unit there holds" if place else None

    def refuses_departure(self, rules: Ruleset, position: Position, unit: Unit) -> str | None:
        return self._held(rules, position, unit.province)

    def match(self, rules: Ruleset, matching: Matching) -> None:
        """Let units in shut provinces convoy nobody."""
        for i, unit in enumerate(matching.units):
            if matching.convoys(i) >= 0 and (reason := self._held(rules, matching.position, unit.province)):
                matching.set_aside(i, reason)

    def strength(self, rules: Ruleset, position: Position, unit: Unit, order: Order) -> int:
        if not isinstance(order, Move) or _by_sea(rules, position, unit, order):
            return 0
        return -max((border.less for border in _crossed(self._weak, unit, province_of(order.to))), default=0)

    def half_strength(self, rules: Ruleset, position: Position, unit: Unit, order: Order) -> int:
        if not isinstance(order, Move):
            return 0
        crossed = _crossed(self._half, unit, province_of(order.to))
        return -any(border.convoyed or not _by_sea(rules, position, unit, order) for border in crossed)

    def refuses_support(
        self, rules: Ruleset, position: Position, unit: Unit, target: Unit, province: str
    ) -> str | None:
        if reason := self._held(rules, position, unit.province):
            return reason
        if any((_crossed(self._weak, unit, province), _crossed(self._half, unit, province))):
            start, into = rules.board.name_of(unit.province), rules.board.name_of(province)
            return f"no support is given across the border from {start} to {into}"
        return None

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        def ends(border: ClosedBorder | WeakBorder | HalfBorder) -> str:
            into = rules.board.name_of(border.to)
            return f"from {rules.board.name_of(border.start)} to {into}" if border.start else f"into {into}"

        def over(border: WeakBorder | HalfBorder) -> str:
            return ends(border) if border.start else f"across a border {ends(border)}"

        text = [f"The way {ends(border)} is closed{_why(rules, border)}." for border in self.closed]
        for crossing in self.weak:
            whose = f" ({', '.join(rules.kinds[k].name for k in crossing.kinds)})" if crossing.kinds else ""
            text.append(
                f"A move {over(crossing)}{whose} counts {crossing.less} less, and no support is given across it."
            )
        for halved in self.half:
            whose = f" ({', '.join(rules.kinds[k].name for k in halved.kinds)})" if halved.kinds else ""
            sea = ", by convoy too," if halved.convoyed else ""
            text.append(
                f"A move {over(halved)}{whose}{sea} counts half a strength less, and no support is given across it."
            )
        for place in self.shut:
            name = rules.board.provinces[place.to].name
            text.append(f"{name} is shut{_why(rules, place)}: nobody enters it, and a unit in it only holds.")
        return tuple(text)


def _span(text: str) -> tuple[int, int] | None:
    first, dash, last = text.partition("-")
    if not dash or not first.isdecimal() or not last.isdecimal() or len(text) > 11:
        return None
    return int(first), int(last)


Border = TypeVar("Border", ClosedBorder, WeakBorder, HalfBorder)
Weakening = TypeVar("Weakening", WeakBorder, HalfBorder)


def _by_border(borders: Sequence[Border]) -> Mapping[tuple[str, str], list[Border]]:
    found: dict[tuple[str, str], list[Border]] = {}
    for border in borders:
        found.setdefault((border.start, border.to), []).append(border)
    return found


def _between(borders: Mapping[tuple[str, str], list[Border]], start: str, to: str) -> Sequence[Border]:
    """The entries of the border from one province to another: its own, and those of every border into ``to``."""
    return (*borders.get((start, to), ()), *borders.get(("", to), ()))


def _crossed(borders: Mapping[tuple[str, str], list[Weakening]], unit: Unit, province: str) -> list[Weakening]:
    """The entries of a border that count for a unit which crosses it."""
    there = _between(borders, unit.province, province)
    return [border for border in there if unit.kind in (border.kinds or (unit.kind,))]


def _by_sea(rules: Ruleset, position: Position, unit: Unit, order: Move) -> bool:
    """Whether a move goes by convoy: its order says so, or there is no other way."""
    if order.via_convoy or not rules.kinds[unit.kind].convoyed:
        return order.via_convoy
    to = province_of(order.to)
    return to not in rules.tables.army[unit.at] and to not in rules.extra_reach(position, unit)


def _holds(border: ClosedBorder, position: Position, unit: Unit) -> bool:
    if not _now(border, position.turn) or unit.kind not in (border.kinds or (unit.kind,)) or unit.power in border.but:
        return False
    return not border.owners or any(position.owners.get(center) != unit.power for center in border.owners)


def _now(border: ClosedBorder | ShutPlace, turn: Turn) -> bool:
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


def _why(rules: Ruleset, border: ClosedBorder | ShutPlace) -> str:
    said: list[str] = []
    if border.seasons:
        said.append(f"in {' and '.join(border.seasons)}")
    if border.years in YEARS:
        said.append("in odd years" if border.years == "odd" else "in even years")
    elif border.years:
        said.append(f"in {border.years}")
    if border.phases:
        said.append(f"in {' and '.join(border.phases)}")
    if isinstance(border, ClosedBorder):
        kinds = " and ".join(f"every {rules.kinds[code].name}" for code in border.kinds)
        others = " and ".join(possessive(power) if kinds else power for power in border.but)
        if kinds or others:
            said.append(f"to {kinds or 'all'}{f' but {others}' if others else ''}")
        if border.owners:
            said.append(f"to powers that do not own {' and '.join(map(rules.board.name_of, border.owners))}")
    return (" " if said else "") + ", ".join(said)
