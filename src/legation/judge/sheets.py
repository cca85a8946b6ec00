"""Sheets read for a movement turn: the one order that counts for each unit (STD-7, DATC 4.D.3)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from legation.board import province_of
from legation.judge.legality import Refusal, Situation
from legation.judge.verdicts import Cause, Outcome, Verdict
from legation.orders import Hold, Order, Sheet, VoteDraw


class Ordered(msgspec.Struct, frozen=True):
    """What one unit is to do: the order as written (if any) and as it takes effect, or why it does not."""

    written: Order | None
    effect: Order
    refusal: str | None = None


def one_each(sheets: Iterable[Sheet]) -> tuple[Sheet, ...]:
    """The sheets with those of one power put together, in the order in which they came."""
    written: dict[str, tuple[Order, ...]] = {}
    for sheet in sheets:
        written[sheet.power] = (*written.get(sheet.power, ()), *sheet.orders)
    return tuple(Sheet(power, orders) for power, orders in written.items())


def read_sheets(
    situation: Situation, sheets: Iterable[Sheet]
) -> tuple[dict[str, Ordered], list[Verdict], frozenset[str]]:
    """The one order of each unit (by province), verdicts for orders that reach no unit or are superseded, and the votes for a draw."""
    rules = situation.rules
    doubles = rules.options["double_orders"]
    province = rules.tables.province
    ordered: dict[str, Ordered] = {}
    loose: list[Verdict] = []
    votes: set[str] = set()
    for sheet in sheets:
        power = sheet.power
        repeated: set[str] = set()
        for order in sheet.orders:
            effect = situation.read(power, order)
            if isinstance(effect, VoteDraw):
                votes.add(power)
                loose.append(Verdict(power, order, Outcome.SUCCEEDS))
                continue
            at = getattr(order, "at", "")
            place = province.get(at) or province_of(at)
            unit = situation.units.get(place)
            if unit is None or unit.power != power:
                reason = effect.reason if isinstance(effect, Refusal) else "no unit can carry it out"
                loose.append(Verdict(power, order, Outcome.ILLEGAL, Cause("refused", reason=reason)))
                continue
            before = ordered.get(place)
            if isinstance(effect, Refusal):
                if before is None:
                    ordered[place] = Ordered(order, Hold(unit.kind, unit.at), effect.reason)
                else:  # an illegal order beside another is no second order (DATC 4.D.3)
                    loose.append(Verdict(power, order, Outcome.ILLEGAL, Cause("refused", reason=effect.reason)))
                continue
            if before is None:
                ordered[place] = Ordered(order, effect)
            elif before.refusal is not None and place not in repeated:
                assert before.written is not None
                loose.append(Verdict(power, before.written, Outcome.ILLEGAL, Cause("refused", reason=before.refusal)))
                ordered[place] = Ordered(order, effect)
            elif before.effect == effect and place not in repeated:
                loose.append(Verdict(power, order, Outcome.IGNORED, Cause("fact", reason="it was given twice")))
            elif doubles == "first":
                loose.append(Verdict(power, order, Outcome.IGNORED, Cause("fact", reason="an earlier order stands")))
            elif doubles == "last":
                assert before.written is not None
                loose.append(
                    Verdict(power, before.written, Outcome.IGNORED, Cause("fact", reason="a later order stands"))
                )
                ordered[place] = Ordered(order, effect)
            else:
                repeated.add(place)
                reason = "the unit was given different orders"
                loose.append(Verdict(power, order, Outcome.ILLEGAL, Cause("refused", reason=reason)))
                ordered[place] = Ordered(before.written, Hold(unit.kind, unit.at), reason)
    return ordered, loose, frozenset(votes)
