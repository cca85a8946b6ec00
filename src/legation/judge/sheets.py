"""Sheets read: the one order that counts for each unit (STD-7, DATC 4.D.3)."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import msgspec

from legation.board import province_of
from legation.judge.legality import Situation
from legation.judge.options import Reading
from legation.judge.plain_orders import MOST_PLAIN, Judged, Ordered, PlainOrder, Refusal, units_named
from legation.judge.verdicts import Cause, Outcome, Rewritten, Verdict
from legation.orders import Disband, Hold, Move, Order, Sheet, SupportMove, UnitOrder, VoteDraw
from legation.position import Unit

DIFFERENT = "the unit was given different orders"


def illegal(power: str, order: Order, reason: str) -> Verdict:
    """The verdict on an order that is understood but not allowed."""
    return Verdict(power, order, Outcome.ILLEGAL, Cause("refused", reason=reason))


def another(power: str, before: Ordered, order: Order, effect: Judged, doubles: Reading) -> tuple[Ordered, Verdict]:
    """A further order for a unit that has one: what counts now, and the verdict on the order that does not (DATC
    4.D.3).

    An illegal order beside another isn't a second order; the same order again isn't, either. Of different ones the
    first or the last counts, or (``"hold"``) none."""
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


def merge_sheets(sheets: Iterable[Sheet]) -> tuple[Sheet, ...]:
    """The sheets with those of one power put together, in the order in which they came."""
    sheets = tuple(sheets)
    if len({sheet.power for sheet in sheets}) == len(sheets):
        return sheets
    written: dict[str, tuple[Order, ...]] = {}
    for sheet in sheets:
        written[sheet.power] = (*written.get(sheet.power, ()), *sheet.orders)
    return tuple(Sheet(power, orders) for power, orders in written.items())


def refuse_orders(sheets: Iterable[Sheet], reasons: Callable[[Sheet], Iterable[str | None]]) -> Rewritten:
    """The sheets without the orders that a rule refuses, and the verdicts on these. ``reasons`` gives for each order of
    a sheet why it is refused, None for those that stay."""
    left: list[Sheet] = []
    noted: list[Verdict] = []
    for sheet in sheets:
        given = list(zip(sheet.orders, reasons(sheet), strict=True))
        left.append(Sheet(sheet.power, tuple(order for order, reason in given if reason is None)))
        noted += [illegal(sheet.power, order, reason) for order, reason in given if reason is not None]
    return tuple(left), tuple(noted)


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
    illegal = Outcome.ILLEGAL
    told = [(v.power, v.order) for v in verdicts if v.outcome is illegal]
    if not told:
        return tuple(sheets)
    refused = Counter(told)
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
    situation: Situation, sheets: Iterable[Sheet], dislodged: Mapping[str, Unit] | None = None
) -> tuple[dict[str, Ordered], list[Verdict], frozenset[str]]:
    """The one order of each unit (by province), verdicts for orders that reach no unit or are superseded, and the votes
    for a draw. In retreats the units are those ``dislodged``; one whose order does not count is disbanded."""
    rules = situation.rules
    doubles = rules.options["double_orders"]
    province, interpret, standing = rules.tables.province, situation.interpret, situation.standing
    units: Mapping[str, Unit] = situation.units
    idle: type[Hold | Disband] = Hold
    known = rules.made_orders.plain
    if dislodged is not None:
        units, idle, known = dislodged, Disband, {}
    ordered: dict[str, Ordered] = {}
    loose: list[Verdict] = []
    votes: set[str] = set()
    for sheet in sheets:
        power = sheet.power
        for order in sheet.orders:
            plain = known.get(order)
            if (
                plain is not None
                and standing.get(plain.unit) == power
                and plain.helped in standing
                and plain.province not in ordered
                and (not plain.by_sea or plain.by_sea in situation.by_convoy(plain.start, plain.province))
            ):
                ordered[plain.province] = plain
                continue
            effect = interpret(power, order)
            at = getattr(order, "at", "")
            place = province.get(at) or province_of(at)
            unit = units.get(place)
            if unit is None or unit.power != power:
                loose.append(_of_no_unit(power, order, effect))
                if type(effect) is VoteDraw:
                    votes.add(power)
                continue
            before = ordered.get(place)
            if before is not None:
                ordered[place], lost = another(power, before, order, effect, doubles)
                loose.append(lost)
            elif type(effect) is Refusal:
                ordered[place] = Ordered(order, idle(unit.kind, unit.at), effect.reason)
            else:
                ordered[place] = _keep_plain(situation, order, effect) or Ordered(order, effect)
    if not loose:  # no unit was given two orders
        return ordered, loose, frozenset()
    torn = {place: units[place] for place, chosen in ordered.items() if chosen.torn}
    for place, unit in torn.items():
        ordered[place] = msgspec.structs.replace(ordered[place], effect=idle(unit.kind, unit.at))
    for number, lost in enumerate(loose):  # a repeated order is as illegal as the one that it repeats
        if lost.outcome is Outcome.IGNORED and province_of(getattr(lost.order, "at", "")) in torn:
            loose[number] = illegal(lost.power, lost.order, DIFFERENT)
    return ordered, loose, frozenset(votes)


def _keep_plain(situation: Situation, order: Order, effect: Order) -> PlainOrder | None:
    """Keep a legal order for all positions, if it is so wherever the units that it names stand as they do now; None if
    more decides it."""
    rules = situation.rules
    named = units_named(order) if rules.units_decide else ()
    if not named:
        return None
    start, by_sea = province_of(named[-1][1]), ""
    if isinstance(order, Move | SupportMove):
        to = province_of(order.to)
        by_sea = "" if to in situation.reach_provinces(situation.units[start]) else to
    made, standing = rules.made_orders, situation.standing
    unit, helped = made.numbers.get(named[0], -1), made.numbers.get(named[-1], -1)
    if unit not in standing or helped not in standing:
        return None
    if len(made.plain) >= MOST_PLAIN:
        made.plain.clear()
    effect = order if effect == order else effect
    province = province_of(named[0][1])
    plain = made.plain[order] = PlainOrder(order, effect, None, False, province, unit, helped, start, by_sea)
    return plain


def _of_no_unit(power: str, order: Order, effect: Judged) -> Verdict:
    """The verdict on an order that no unit of its power carries out: a vote, one of a rule for no unit, or an illegal
    one."""
    if type(effect) is Refusal:
        return illegal(power, order, effect.reason)
    if isinstance(order, UnitOrder):
        return illegal(power, order, "no unit can carry it out")
    return Verdict(power, order if type(effect) is VoteDraw else effect, Outcome.SUCCEEDS)
