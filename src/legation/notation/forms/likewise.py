"""What is said of further units behind an order: ``as does F eng``, ``and so do both fleets``."""

from __future__ import annotations

import msgspec

from legation.board import province_of
from legation.notation.forms.helping import not_given_yet, own_helpers
from legation.notation.parsing.orders import Parser
from legation.notation.subjects import Subject
from legation.orders import Moving, Order, UnitOrder

_AS_DO = frozenset(["does", "do", "will", "is"])


def likewise(p: Parser, order: Order) -> list[Order]:
    """``..., as does F eng``, ``and so does F eng`` after an order that moves no unit: the same order of further own
    units."""
    if not isinstance(order, UnitOrder) or isinstance(order, Moving) or p.stopped:
        return []
    start = p.at
    p.take(",")
    p.take_one(("and", "&"))
    if not (p.take_one(("as", "so")) and p.take_one(_AS_DO)):
        p.at = start
        return []
    helpers = _both_of(p) or own_helpers(p, start)
    if not p.ended:
        p.fail("say which units do the same", start)
    kinds = {unit.kind for h in helpers if (unit := p.standing.get(province_of(h.at)))}
    if not hasattr(order, "target") and hasattr(order, "to") and kinds != {order.kind}:  # A lon converts to F
        p.fail("say what each unit does", start)
    same = [msgspec.structs.replace(order, kind=helper.kind, at=helper.at) for helper in helpers]
    return not_given_yet(p, start, same)


def _both_of(p: Parser) -> list[Subject]:
    """``both fleets``, ``my armies``: the own units of a kind that have no order yet; none where none are named so."""
    start = p.at
    both = p.take("both")
    p.skip(("my", "our", "the", "of"))
    if p.peek() not in ("armies", "fleets") or p.at == start:
        p.at = start
        return []
    p.at += 1
    units = p.all_units(p.reader.kinds.get(p.peek(-1), ""), rest=True)
    if both and len(units) != 2:
        p.fail(f"this says 2, but there are {len(units)}; name the units", start)
    return units
