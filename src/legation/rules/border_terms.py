"""Borders that are closed for a time or to some, and borders that weaken who crosses them. No variant that ships has
them; ice, straits and rivers of many boards are so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from legation.board import province_of
from legation.judge import Rule, RulesError
from legation.judge.core import CONVOY
from legation.orders import Move

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from legation.judge import Ruleset
    from legation.judge.matching import Matching
    from legation.orders import Order
    from legation.position import Position, Turn, Unit

CLOSED_KEYS = frozenset(["from", "to", "seasons", "years", "kinds", "except", "owners", "phases"])
WEAK_KEYS = frozenset(["from", "to", "less", "kinds"])
HALF_KEYS = frozenset(["from", "to", "kinds", "convoyed"])
SHUT_KEYS = frozenset(["to", "seasons", "years", "phases"])
YEARS = ("odd", "even")


class BorderTerms(Rule):
    """``closed`` lists borders that units may not cross, moving or retreating, while what it says holds; ``weak`` lists
    borders over which a move counts ``less`` (1) and nobody supports, ``half`` those over which it counts half a
    strength less and nobody supports, ``shut`` provinces that nobody enters, and in which units only hold.

    Each is a table with ``from`` and ``to`` (provinces; ``from`` may be left out: whoever comes), in that direction
    only. ``closed``: ``seasons``, ``years`` (``"odd"``, ``"even"`` or ``"1905-1909"``), ``phases``, ``kinds`` (codes of
    units); ``half``: ``convoyed`` (true where it counts for convoyed armies, too); ``shut``: ``to``, with seasons,
    years and phases. ``except`` (powers that may pass), ``owners`` (centers of which the power must own all to pass).
    What is left out does not matter.
    """

    key = "border_terms"
    added_settings = frozenset(["half", "shut"])

    def __init__(
        self,
        closed: list[dict[str, Any]] | None = None,
        weak: list[dict[str, Any]] | None = None,
        half: list[dict[str, Any]] | None = None,
        shut: list[dict[str, Any]] | None = None,
    ) -> None:
        self.closed = closed or []
        self.weak = weak or []
        self.half = half or []
        self.shut = shut or []
        for (title, tables), keys in zip(self._tables(), (CLOSED_KEYS, WEAK_KEYS, HALF_KEYS, SHUT_KEYS), strict=True):
            for number, table in enumerate(tables):
                for key, value in table.items():
                    if fault := _fault(key, value, keys):
                        raise RulesError(f"{title}[{number}]: {fault}")
        self._closed = _by_border(self.closed)
        self._weak = _by_border(self.weak)
        self._half = _by_border(self.half)

    def _tables(self) -> tuple[tuple[str, list[dict[str, Any]]], ...]:
        return ("closed", self.closed), ("weak", self.weak), ("half", self.half), ("shut", self.shut)

    def faults(self, rules: Ruleset) -> Sequence[str]:
        faults: list[str] = []
        for title, tables in self._tables():
            for number, table in enumerate(tables):
                faults += [f"{title}[{number}]: {fault}" for fault in self._faults_of(rules, table)]
        if not any(tables for _, tables in self._tables()):
            faults.append("lists no border; give closed, weak, half or shut")
        return faults

    def _faults_of(self, rules: Ruleset, table: Mapping[str, Any]) -> Iterator[str]:
        provinces = rules.board.provinces
        if "to" not in table:
            yield "needs 'to', a province"
        for key in ("from", "to"):
            if key in table and table[key] not in provinces:
                yield f"{key}: there is no province {table[key]!r}"
        for kind in table.get("kinds", ()):
            if kind not in rules.kinds:
                yield f"kinds: {kind!r} is no kind of unit here"
        for power in table.get("except", ()):
            if power not in rules.powers:
                yield f"except: there is no power {power!r}"
        for center in table.get("owners", ()):
            if center not in rules.board.centers:
                yield f"owners: {center!r} is no supply center"

    def refuses_entry(self, rules: Ruleset, position: Position, unit: Unit, province: str) -> str | None:
        for table in (*self._closed.get((unit.province, province), ()), *self._closed.get(("", province), ())):
            if _holds(table, position, unit):
                return f"the way from {unit.province} to {province} is closed{_why(table)}"
        if table := self._shut(position, province):
            return f"{province} is shut{_why(table)}"
        return None

    def _shut(self, position: Position, province: str) -> Mapping[str, Any] | None:
        """The entry by which a province is shut now."""
        shut = (table for table in self.shut if table["to"] == province and _now(table, position.turn))
        return next(shut, None)

    def refuses_departure(self, rules: Ruleset, position: Position, unit: Unit) -> str | None:
        table = self._shut(position, unit.province)
        return f"{unit.province} is shut{_why(table)}: the unit there holds" if table else None

    def match(self, rules: Ruleset, matching: Matching) -> None:
        """Let units in shut provinces convoy nobody."""
        for i, unit in enumerate(matching.units):
            if matching.order[i] == CONVOY and (table := self._shut(matching.position, unit.province)):
                matching.set_aside(i, f"{unit.province} is shut{_why(table)}: the unit there holds")

    def _crossed(self, unit: Unit, province: str) -> int:
        """By how much a move over a border counts less."""
        tables = [t for t in self._weak.get((unit.province, province), ()) if unit.kind in t.get("kinds", (unit.kind,))]
        return max((int(t.get("less", 1)) for t in tables), default=0)

    def strength(self, rules: Ruleset, position: Position, unit: Unit, order: Order) -> int:
        if isinstance(order, Move) and not order.via_convoy:
            return -self._crossed(unit, province_of(order.to))
        return 0

    def _halved(self, unit: Unit, province: str) -> list[dict[str, Any]]:
        """The entries by which a move over a border counts half a strength less."""
        listed = self._half.get((unit.province, province), ())
        return [table for table in listed if unit.kind in table.get("kinds", (unit.kind,))]

    def half_strength(self, rules: Ruleset, position: Position, unit: Unit, order: Order) -> int:
        if not isinstance(order, Move):
            return 0
        tables = self._halved(unit, province_of(order.to))
        return -any(table.get("convoyed", False) or not order.via_convoy for table in tables)

    def refuses_support(
        self, rules: Ruleset, position: Position, unit: Unit, target: Unit, province: str
    ) -> str | None:
        if table := self._shut(position, unit.province):
            return f"{unit.province} is shut{_why(table)}: the unit there holds"
        if self._crossed(unit, province) or self._halved(unit, province):
            return f"nobody supports over the border from {unit.province} to {province}"
        return None

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        def ends(table: Mapping[str, Any]) -> str:
            to = rules.board.provinces[table["to"]].name
            return f"from {rules.board.provinces[table['from']].name} to {to}" if "from" in table else f"into {to}"

        text = [f"The way {ends(table)} is closed{_why(table)}." for table in self.closed]
        for table in self.weak:
            whose = f" ({', '.join(rules.kinds[k].name for k in table['kinds'])})" if "kinds" in table else ""
            text.append(f"A move {ends(table)}{whose} counts {table.get('less', 1)} less, and nobody supports across.")
        for table in self.half:
            whose = f" ({', '.join(rules.kinds[k].name for k in table['kinds'])})" if "kinds" in table else ""
            sea = ", by convoy too," if table.get("convoyed") else ""
            text.append(f"A move {ends(table)}{whose}{sea} counts half of one less, and nobody supports across.")
        for table in self.shut:
            name = rules.board.provinces[table["to"]].name
            text.append(f"{name} is shut{_why(table)}: nobody enters it, and a unit in it only holds.")
        return tuple(text)


def _fault(key: str, value: Any, keys: frozenset[str]) -> str:
    """What is wrong with an entry of a table."""
    if key not in keys:
        return f"unknown key {key!r}; known are {', '.join(sorted(keys))}"
    if key in ("from", "to"):
        return "" if isinstance(value, str) else f"{key} is a province"
    if key == "less":
        fine = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 9
        return "" if fine else "less is a whole number from 1"
    if key == "convoyed":
        return "" if isinstance(value, bool) else "convoyed is true or false"
    if key == "years":
        fine = isinstance(value, str) and (value in YEARS or _span(value) is not None)
        return "" if fine else "years is 'odd', 'even' or '1905-1909'"
    if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
        return f"{key} is a list of texts"
    return ""


def _span(text: str) -> tuple[int, int] | None:
    first, dash, last = text.partition("-")
    if not dash or not first.isdigit() or not last.isdigit() or len(text) > 11:
        return None
    return int(first), int(last)


def _by_border(tables: Sequence[dict[str, Any]]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for table in tables:
        found.setdefault((str(table.get("from", "")), str(table.get("to", ""))), []).append(table)
    return found


def _holds(table: Mapping[str, Any], position: Position, unit: Unit) -> bool:
    """Whether a border is closed to a unit now."""
    if not _now(table, position.turn) or unit.kind not in table.get("kinds", (unit.kind,)):
        return False
    if unit.power in table.get("except", ()):
        return False
    owners = table.get("owners")
    return owners is None or any(position.owners.get(center) != unit.power for center in owners)


def _now(table: Mapping[str, Any], turn: Turn) -> bool:
    if turn.season not in table.get("seasons", (turn.season,)):
        return False
    if turn.phase.value not in table.get("phases", (turn.phase.value,)):
        return False
    years = table.get("years")
    if years is None:
        return True
    if years in YEARS:
        odd = turn.year % 2 == 1
        return odd if years == "odd" else not odd
    first, last = _span(years) or (0, 0)
    return first <= turn.year <= last


def _why(table: Mapping[str, Any]) -> str:
    """The terms in words."""
    said: list[str] = []
    if "seasons" in table:
        said.append(f"in {' and '.join(table['seasons'])}")
    if "years" in table:
        said.append(f"in {table['years']} years" if table["years"] in YEARS else f"in {table['years']}")
    if "phases" in table:
        said.append(f"in {' and '.join(table['phases'])}")
    if "kinds" in table:
        said.append(f"to {' and '.join(table['kinds'])}")
    if "except" in table:
        said.append(f"to all but {' and '.join(table['except'])}")
    if "owners" in table:
        said.append(f"to whoever does not own {' and '.join(table['owners'])}")
    return (" " if said else "") + ", ".join(said)
