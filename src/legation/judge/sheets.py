"""Sheets read for a movement turn: the one order that counts for each unit (STD-7, DATC 4.D.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from legation.board import province_of
from legation.judge.legality import Situation
from legation.judge.options import Reading
from legation.judge.refusal import Judged, Refusal
from legation.judge.verdicts import Cause, Outcome, Verdict
from legation.orders import Hold, Order, Sheet, UnitOrder, VoteDraw


class Ordered(msgspec.Struct, frozen=True, gc=False):
    """What one unit is to do: the order as written (if any) and as it takes effect, or why it does not.

    ``torn``: it was given different legal orders, so that none of them counts.
    """

    written: Order | None
    effect: Order
    refusal: str | None = None
    torn: bool = False


DIFFERENT = "the unit was given different orders"


def illegal(power: str, order: Order, reason: str) -> Verdict:
    """The verdict on an order that is understood but not allowed."""
    return Verdict(power, order, Outcome.ILLEGAL, Cause("refused", reason=reason))


def another(power: str, before: Ordered, order: Order, effect: Judged, doubles: Reading) -> tuple[Ordered, Verdict]:
    """A further order for a unit that has one: what counts now, and the verdict on the order that does not (DATC
    4.D.3).

    An illegal order beside another is no second order, and neither is the same order again. Of different ones the first
    or the last counts, or (``"hold"``) none.
    """
    if isinstance(effect, Refusal):
        return before, illegal(power, order, effect.reason)
    assert before.written is not None
    if before.refusal is not None and not before.torn:
        return Ordered(order, effect), illegal(power, before.written, before.refusal)
    if before.effect == effect and not before.torn:
        return before, Verdict(power, order, Outcome.IGNORED, Cause("fact", reason="it was given twice"))
    if doubles == "first":
        return before, Verdict(power, order, Outcome.IGNORED, Cause("fact", reason="an earlier order stands"))
    if doubles == "last":
        stands = Cause("fact", reason="a later order stands")
        return Ordered(order, effect), Verdict(power, before.written, Outcome.IGNORED, stands)
    return Ordered(before.written, before.effect, DIFFERENT, torn=True), illegal(power, order, DIFFERENT)


def torn_apart(loose: Iterable[Verdict], chosen: Mapping[str, Ordered]) -> list[Verdict]:
    """The verdicts with those on repeated orders for units that were given different ones: they are as illegal as the
    orders that they repeat."""
    return [
        illegal(verdict.power, verdict.order, DIFFERENT)
        if verdict.outcome is Outcome.IGNORED
        and (given := chosen.get(province_of(getattr(verdict.order, "at", "")))) is not None
        and given.torn
        else verdict
        for verdict in loose
    ]


def merge_sheets(sheets: Iterable[Sheet]) -> tuple[Sheet, ...]:
    """The sheets with those of one power put together, in the order in which they came."""
    written: dict[str, tuple[Order, ...]] = {}
    for sheet in sheets:
        written[sheet.power] = (*written.get(sheet.power, ()), *sheet.orders)
    return tuple(Sheet(power, orders) for power, orders in written.items())


def legal_sheets(situation: Situation, sheets: Iterable[Sheet]) -> tuple[Sheet, ...]:
    """The sheets with those of their orders that are legal by themselves: rules count no others."""
    return tuple(
        Sheet(
            sheet.power, tuple(o for o in sheet.orders if not isinstance(situation.interpret(sheet.power, o), Refusal))
        )
        for sheet in sheets
    )


def without_illegal(sheets: Iterable[Sheet], verdicts: Iterable[Verdict]) -> tuple[Sheet, ...]:
    """The sheets without the orders that were judged illegal, of which nothing may come (STD-7). Of an order that was
    written twice, and illegal once, one is left."""
    refused = Counter((v.power, v.order) for v in verdicts if v.outcome is Outcome.ILLEGAL)
    if not refused:
        return tuple(sheets)
    left = []
    for sheet in sheets:
        kept: list[Order] = []
        for order in reversed(sheet.orders):
            if refused[sheet.power, order]:
                refused[sheet.power, order] -= 1
            else:
                kept.append(order)
        left.append(Sheet(sheet.power, tuple(reversed(kept))))
    return tuple(left)


def read_sheets(
    situation: Situation, sheets: Iterable[Sheet]
) -> tuple[dict[str, Ordered], list[Verdict], frozenset[str]]:
    """The one order of each unit (by province), verdicts for orders that reach no unit or are superseded, and the votes
    for a draw."""
    rules = situation.rules
    doubles = rules.options["double_orders"]
    province, units, interpret = rules.tables.province, situation.units, situation.interpret
    ordered: dict[str, Ordered] = {}
    loose: list[Verdict] = []
    votes: set[str] = set()
    for sheet in sheets:
        power = sheet.power
        for order in sheet.orders:
            effect = interpret(power, order)
            if isinstance(effect, VoteDraw):
                votes.add(power)
                loose.append(Verdict(power, order, Outcome.SUCCEEDS))
                continue
            if not isinstance(order, UnitOrder) and not isinstance(effect, Refusal):  # of a rule, for no unit
                loose.append(Verdict(power, effect, Outcome.SUCCEEDS))
                continue
            at = getattr(order, "at", "")
            place = province.get(at) or province_of(at)
            unit = units.get(place)
            if unit is None or unit.power != power:
                reason = effect.reason if isinstance(effect, Refusal) else "no unit can carry it out"
                loose.append(illegal(power, order, reason))
                continue
            before = ordered.get(place)
            if before is not None:
                ordered[place], lost = another(power, before, order, effect, doubles)
                loose.append(lost)
            elif isinstance(effect, Refusal):
                ordered[place] = Ordered(order, Hold(unit.kind, unit.at), effect.reason)
            else:
                ordered[place] = Ordered(order, effect)
    for place, chosen in ordered.items():
        if chosen.torn:
            unit = units[place]
            ordered[place] = msgspec.structs.replace(chosen, effect=Hold(unit.kind, unit.at))
    return ordered, torn_apart(loose, ordered), frozenset(votes)
