"""What is said anew of the unit that was ordered last: ``no wait, Bur``, ``make that a hold``, ``sorry: army``."""

from typing import Any

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.forms.adjusting import site_of
from legation.notation.forms.movement import picked
from legation.notation.names import Meaning
from legation.notation.order_reader import OrderReader, units_of
from legation.notation.reading_text import Mention, Subject, Text
from legation.orders import Build, Hold, Move, Order, Retreat, UnitOrder

_SIGNS = frozenset([",", ":", "-", "…", ".", "(", '"', "/", "^"])
_LEADS = ("LEADCORRECTION", "LEAD", "CHOICE", "IT", "AUX", "DET")
_BUILDS = ("BUILD", "BUILT", "MAKE", "FIELD")


def amended(text: Text, last: Order | None, first: int, end: int, *, asked: bool) -> Order | None:
    """Return the order that words give in place of the last one; None if they give none. ``asked``: the last one was
    only asked about, so that no word need say that it is corrected."""
    if not isinstance(last, UnitOrder):
        return None
    if any("CONTRAST" in text.at[i] for i in range(first, min(first + 3, end))):
        return None
    starts = _starts(text, first, end)
    for start, corrects in starts:
        if not (corrects or asked) or start >= end:
            continue
        order = _anew(text, last, start, end)
        said = msgspec.structs.replace(order, kind=order.kind or last.kind) if isinstance(order, UnitOrder) else order
        if order is not None and said != last and type(order) in text.reader.played:
            return order
    return None


def _starts(text: Text, first: int, end: int) -> list[tuple[int, bool]]:
    """Where what is said anew may begin, behind words that correct, and whether there are any."""
    edge, found = [(first, False)], [(first, False)]
    for _ in range(8):
        further = []
        for i, corrects in edge:
            if i < end and text.words[i] in _SIGNS:
                further.append((i + 1, corrects))
            for name in (*_LEADS, *(_BUILDS if text.adjusting else ())):
                for length, _ in text.at[i].get(name, ()):
                    signed = text.words[i + length] in _SIGNS
                    if ("NEGATION" in text.at[i] and not signed) or (
                        name == "DET" and (signed or "CHOICE" in text.at[i + length])
                    ):
                        continue  # no A par - bur; A or F
                    if i + length <= end:
                        further.append((i + length, corrects or name == "LEADCORRECTION"))
        edge = [one for one in dict.fromkeys(further) if one not in found]
        found += edge
    return found


def _anew(text: Text, last: UnitOrder, start: int, end: int) -> Order | None:
    tail = end
    while tail > start + 1 and (
        text.words[tail - 1] in _SIGNS or text.at[tail - 1].keys() & {"TAIL", "THERE"} or text.words[tail - 1] == ")"
    ):
        tail -= 1
    unit = Subject(last.kind, Mention(Meaning((province_of(last.at),)), "", start, start), "", 0, last.at)
    goal: Any = last
    for after, mention, cost in text.places(start):
        if after in (tail, end) and cost < 1 and isinstance(last, Move | Retreat | Hold):
            try:
                to = picked(text, mention, text.lands(unit.kind, unit.at), text.reaches(unit.kind, unit.at))
            except OrderTextError:
                continue
            place = province_of(to)
            waits = isinstance(last, Hold) and text.own(place) and place not in text.ordered
            if waits or place == province_of(last.at) or not text.reaches(unit.kind, unit.at)(place):
                continue
            return Move(last.kind, last.at, to) if isinstance(last, Hold) else msgspec.structs.replace(goal, to=to)
    field = "at" if isinstance(last, Build) else "to"
    place = province_of(getattr(last, field, ""))
    for length, code in text.at[start].get("COAST", ()):
        if place and start + length in (tail, end) and code in text.reader.board.provinces[place].coasts:
            return msgspec.structs.replace(last, **{field: f"{place}/{code}"})
    if isinstance(last, Build):
        sites = [m for after, m, cost in text.places(start) if after in (tail, end) and cost < 1]
        if sites and last.kind:
            return msgspec.structs.replace(last, at=site_of(text, sites[0], last.kind))
        begins = (start, start + ("DET" in text.at[start]))
        kinds = [kind for begin in begins for after, kind, _ in text.kinds(begin) if after in (tail, end)]
        return msgspec.structs.replace(last, kind=kinds[0]) if kinds and kinds[0] != last.kind else None
    reader = OrderReader(text)
    named = any(subject.kind and cost < 1 for _, subject, cost in text.units(start))
    for one in () if named else reader.said_of(start, unit):
        if one.end in (tail, end) and len(one.orders) == 1:
            return one.orders[0]
    for one in reader.at(start):
        if one.end in (tail, end) and len(one.orders) == 1 and units_of(one.orders) == units_of([last]):
            return one.orders[0]
    return None
