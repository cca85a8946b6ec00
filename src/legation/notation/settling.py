"""A whole sheet, read to its end: what was said of all of it, or of all units, counts for what it is meant."""

from collections import Counter

import msgspec

from legation.board import province_of
from legation.notation.acts import has
from legation.notation.errors import refuse
from legation.notation.reading_text import Text
from legation.notation.sheet import LONGEST_LINE, Passage, Sheet, places_of
from legation.orders import Build, Remove, Waive, province_at
from legation.position import Phase


def settle(sheet: Sheet) -> None:
    """Let what was said of the whole sheet, and of all units, count for what it is meant."""
    for power, code, number in sheet.voids:
        for i, passage in enumerate(sheet.passages):
            if passage.power == power and passage.order is not None:
                sheet.take_back(i, code, number)
    for i, passage in enumerate(sheet.passages):
        if (passage.power, province_at(passage.order)) in sheet.undecided:
            sheet.take_back(i, "condition", passage.line)
    for power, places, number in sheet.named:
        for i, passage in enumerate(sheet.passages):
            below = passage.line > number and passage.power == power and not passage.general
            if passage.order is not None and below and places <= places_of(passage.order):
                sheet.take_back(i, "stopped", number)
    _leave_out_ordered(sheet)
    _merge_builds(sheet)
    _take_back_choices(sheet)
    _take_back_contrary(sheet)
    if sheet.amends and sheet.phase is Phase.MOVEMENT and sheet.position is not None:
        given = {province_at(p.order) for p in sheet.passages if p.order is not None}
        if {unit.province for unit in sheet.position.units_of(sheet.section)} - given:
            for i, passage in enumerate(sheet.passages):
                if passage.order is not None:
                    sheet.take_back(i, "amends", sheet.amends)


def _leave_out_ordered(sheet: Sheet) -> None:
    """What was said of all units, or of all others, does not count for those of which something else is said anywhere
    on the sheet, understood or not: ``Rest hold. A par - gas``."""
    if not any(passage.general for passage in sheet.passages):
        return
    apart = {(p.power, province_at(p.order)) for p in sheet.passages if not p.general}
    helped = [(p.power, p.order) for p in sheet.passages if hasattr(p.order, "to")]
    apart |= {(power, province_of(getattr(order, "target", ""))) for power, order in helped}
    unclear: set[str] = set()
    for refused in (p for p in sheet.passages if p.error is not None):
        text = _words_of(sheet, refused)
        named = (subject for i in range(len(text.tokens)) for _, subject, _ in text.units(i)[:1])
        places = {key for subject in named for key in subject.place.meaning.keys[:1] if text.own(key)}
        apart |= {(refused.power, place) for place in places}
        if not places and text.kinds(text.behind_articles(0)[-1]):
            unclear.add(refused.power)
    kept: list[Passage] = []
    for passage in sheet.passages:
        at = province_at(passage.order)
        if passage.general and (passage.power, at) in apart:
            if kept and kept[-1].start == passage.start:
                continue
            passage = msgspec.structs.replace(passage, order=None)
        elif passage.general and passage.power in unclear:
            written = sheet.text[passage.start : passage.end]
            passage = msgspec.structs.replace(passage, order=None, error=refuse("which rest", written))
        elif kept and kept[-1].start == passage.start and kept[-1].order is None and kept[-1].error is None:
            kept.pop()
        kept.append(passage)
    sheet.passages = kept


def _words_of(sheet: Sheet, passage: Passage) -> Text:
    """Return the words of a passage, as those of its power."""
    text = sheet.words_of(sheet.plain[passage.start : passage.end][:LONGEST_LINE])
    text.power = passage.power
    return text


def _take_back_contrary(sheet: Sheet) -> None:
    """Orders to build beside one that nothing is built: none of them counts."""
    built = [i for i, p in enumerate(sheet.passages) if isinstance(p.order, Build)]
    waived = [i for i, p in enumerate(sheet.passages) if isinstance(p.order, Waive)]
    for i, text in [(i, _words_of(sheet, sheet.passages[i])) for i in waived if built]:
        if has(text, 0, len(text.tokens), "NOBUILDS"):
            for at in (*[b for b in built if sheet.passages[b].power == sheet.passages[i].power], i):
                if sheet.passages[at].order is not None:
                    sheet.take_back(at, "builds or not", sheet.passages[i].line)


def _take_back_choices(sheet: Sheet) -> None:
    """Places with a slash between them are a choice, but for units that are named with their kinds where the sheet
    names no more of them than are due."""
    named = Counter(p.power for p in sheet.passages if isinstance(p.order, Build | Waive | Remove))
    for i, passage in enumerate(sheet.passages):
        if passage.order is not None and named[passage.power] and "/" in sheet.plain[passage.start : passage.end]:
            text = _words_of(sheet, passage)
            glued = (k for k, token in enumerate(text.tokens) if token.glued and text.words[k - 1] == "/")
            parted = [k for k in glued if text.units(k) and "COAST" not in text.at[k] and not text.kinds(k - 2)]
            bare = any(not text.kinds(k) for k in parted)
            if parted and (bare or named[passage.power] > abs(text.units_over())):
                sheet.take_back(i, "condition", passage.line)


def _merge_builds(sheet: Sheet) -> None:
    """Leave out a place that was named alone where it is said what is built there."""
    kinds = {(p.power, p.order.at) for p in sheet.passages if isinstance(p.order, Build) and p.order.kind}
    for i, passage in enumerate(sheet.passages):
        order = passage.order
        if isinstance(order, Build) and not order.kind and (passage.power, order.at) in kinds:
            sheet.passages[i] = msgspec.structs.replace(passage, order=None)
