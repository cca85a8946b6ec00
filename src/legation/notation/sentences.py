"""A sentence of a sheet: its orders, what it says beside them, and what that does to orders of the sheet."""

from collections.abc import Collection, Sequence
from itertools import pairwise

import msgspec

from legation.notation.acts import Act, beside, effects, has, head_kind, is_known, kinds_in, named, nth_of, of_sentence
from legation.notation.amendments import amended
from legation.notation.cover import ENDS, Part, section_of
from legation.notation.layout import Line
from legation.notation.order_reader import units_of
from legation.notation.reading_text import Text, noted
from legation.notation.sheet import Sheet, places_of
from legation.notation.tokens import DOTS
from legation.notation.unread import looks_like_order, tell_unread
from legation.orders import Build, Hold, Order, Retreat
from legation.position import Phase


class Sentence(msgspec.Struct):
    """The parts of a sentence, and whether a question mark ends it."""

    parts: list[Part]
    asks: bool = False
    carried: str = ""
    replaces: Collection[int] = ()  # parts before its orders that take back or correct others

    @property
    def orders(self) -> list[Part]:
        """The parts that hold orders."""
        return [part for part in self.parts if part.orders]


def sentences(text: Text, parts: Sequence[Part]) -> list[Sentence]:
    """Return parts of a line, by sentence."""
    found: list[Sentence] = []
    current: list[Part] = []
    for part, after in [*pairwise([*parts, None])]:
        assert part is not None
        current.append(part)
        until = after.first if after is not None else len(text.tokens)
        between = text.words[part.last : until]
        soft = text.tokens[part.last - 1].soft
        if after is None or not ENDS.isdisjoint(between) or soft:
            found.append(Sentence(current, "?" in between))
            current = []
    return found


def read_sentence(sheet: Sheet, line: Line, text: Text, sentence: Sentence, before: dict[str, Order]) -> None:
    """Carry out a sentence; ``before`` are the orders given before it, by province."""
    if sheet.follows or sentence.orders or "LEADCORRECTION" in text.at[sentence.parts[0].first]:
        _amend(sheet, text, sentence)
    orders = sentence.orders
    if not orders:
        _read_remark(sheet, line, text, sentence)
        return
    _replace(sheet, line, text, sentence)
    stopped = _stopped(text, sentence)
    first = sentence.parts[0].first
    for i, part in enumerate(sentence.parts):
        start, end = line.start + text.tokens[part.first].start, line.start + text.tokens[part.last - 1].end
        code = stopped.get(part.first, "")
        led = sentence.parts[i - 1].last if i and sentence.parts[i - 1].orders else first
        if i in sentence.replaces:
            sheet.remark(start, end, line.number)
        elif not part.orders:
            _clause(sheet, line, text, part, code)
        elif code:
            sheet.refuse(start, end, line.number, code, **NOTHING)
            for at, given in enumerate(sheet.passages):
                if code == "negation" and given.order in part.orders and given.power == sheet.section:
                    sheet.take_back(at, "taken back", line.number)  # A par - bur; delete: A par - bur
            if code == "condition" and (sheet.phase is not Phase.MOVEMENT or not isinstance(part.orders[0], Retreat)):
                sheet.undecided |= {(sheet.section, unit) for unit in units_of(part.orders)}
        else:
            anew = has(text, part.first, part.first + 1, "IT") or (
                isinstance(part.orders[0], Hold) and has(text, part.first, part.last, "NEGATION")
            )
            if part.amends or anew or has(text, led, part.last, "CORRECTION", "LEADCORRECTION"):
                corrected = sheet.correct(line.number, part)
                amends = any("AMENDS" in text.at[k] and "CONTRAST" not in text.at[k] for k in range(led, part.last))
                if not corrected and amends:
                    sheet.amends = line.number
            _instead(sheet, line.number, text, part)
            sheet.add(start, end, line.number, part.orders, part.general)
    sheet.follows = True
    sheet.last = orders[-1].orders[-1]
    sheet.asked = stopped.get(orders[-1].first) == "question"


def _amend(sheet: Sheet, text: Text, sentence: Sentence) -> None:
    """Read what is said anew of the unit that was ordered last, behind words that correct: ``no wait, Bur``, ``make
    that a hold``. The clauses that say it become a part with an order."""
    parts = sentence.parts
    unclear = any(p.error is not None and p.line == sheet.passages[-1].line for p in sheet.passages[-9:])
    last, asked = sheet.last, sheet.asked
    i = 0
    while i < len(parts):
        if parts[i].orders:
            _other_build(sheet, text, parts[i], last)
            last, asked, unclear = parts[i].orders[-1], False, False
            i += 1
            continue
        run = i
        while run + 1 < len(parts) and not parts[run + 1].orders:
            run += 1
        meant = _denied(sheet, text, parts[i : run + 1]) or last
        open_kind = isinstance(meant, Build) and not meant.kind and not unclear
        dots = sheet.behind and parts[i].first > 0 and text.words[parts[i].first - 1] == DOTS
        order = None
        for until in (run, i):
            if nth_of(text, parts[i].first, parts[until].last):
                break  # it may be another one than the last
            order = amended(text, meant, parts[i].first, parts[until].last, asked=asked or open_kind or dots)
            if order is not None:
                run = until
                break
        if order is not None:
            parts[i : run + 1] = [Part(parts[i].first, parts[run].last, [order], amends=True, replaced=meant)]
            text.ordered = noted(text.ordered, order)
            last = order
        last = None if order is None and looks_like_order(text, parts[i]) else last
        i += 1


def _denied(sheet: Sheet, text: Text, parts: Sequence[Part]) -> Order | None:
    """The only order that names what clauses deny: the move to Holland in ``make it Denmark, not Holland``."""
    denied = {
        place
        for part in parts
        for i in range(part.first, part.last)
        if not text.at[i].keys().isdisjoint(("NEGATION", "CONTRAST"))
        for place in named(text, i, part.last)
    }
    given = [p.order for p in sheet.passages if p.order is not None and p.power == sheet.section]
    found = [order for order in given if denied & places_of(order)]
    return found[0] if len(found) == 1 else None


def _instead(sheet: Sheet, number: int, text: Text, part: Part) -> None:
    """Take back the order of a unit instead of which another is ordered: ``remove F sev instead of A rum``."""
    given = set(units_of(part.orders))
    for i in range(part.first, part.last):
        for length, _ in text.at[i].get("CONTRAST", ()):
            for end, unit, cost in text.units(i + length)[:1]:
                places = frozenset(unit.place.meaning.keys[:1]) - given
                if end <= part.last and cost < 1 and (unit.kind or not part.orders):
                    sheet.stop(number, "corrected", places, subjects=True)


def _other_build(sheet: Sheet, text: Text, part: Part, last: Order | None) -> None:
    """A build that corrects takes the place of that at its place, of the last one of its kind, or of the last one, and
    is of that kind if it names none."""
    order = part.orders[0]
    if not isinstance(order, Build) or "LEADCORRECTION" not in text.at[part.first]:
        return
    given = [p.order for p in reversed(sheet.passages) if isinstance(p.order, Build) and p.power == sheet.section]
    there = [one for one in given if one.at == order.at]
    last = next(iter([*there, *(one for one in given if one.kind == order.kind)]), last)
    if isinstance(last, Build):
        part.orders[0] = msgspec.structs.replace(order, kind=order.kind or last.kind)
        part.replaced = last


def _replace(sheet: Sheet, line: Line, text: Text, sentence: Sentence) -> None:
    """Take back what a clause takes back or corrects before new orders: ``scrap that, A par - pic``."""
    parts = sentence.parts
    until = next(i for i, part in enumerate(parts) if part.orders)
    leading = [beside(text, part.first, part.last, leads=True) for part in parts[:until]]
    found = [a for a in leading if a is not None and a.kind in ("correction", "retraction") and a.scope != "head"]
    if not found:
        return
    act = found[-1]
    taken = [one is not None and one.kind == "retraction" for one in leading]
    sentence.replaces = [i for i in range(until) if taken[i] or not looks_like_order(text, parts[i])]
    code = "corrected" if act.kind == "correction" else "taken back"
    if act.named:
        sheet.stop(line.number, code, act.named)
    elif act.kind == "retraction":
        _carry_out(sheet, line.number, Act(act.kind, "beside"))
    for part in parts[until:]:
        part.amends = bool(part.orders)


NOTHING = {"said": "", "line": "", "turn": "", "example": ""}


def _stopped(text: Text, sentence: Sentence) -> dict[int, str]:
    """Why parts of a sentence with orders are not carried out, by their first words."""
    parts = sentence.parts
    stopped = {part.first: sentence.carried for part in parts if part.orders and sentence.carried}
    ordered = bool(parts[-1].orders or parts[-1].fault)  # or is meant to be
    if sentence.asks and ordered and not has(text, parts[0].first, parts[-1].last, "ASKED"):
        stopped |= {part.first: "question" for part in parts if part.orders}
    for i, part in enumerate(parts):
        if part.orders or i in sentence.replaces:
            continue
        leads = not any(before.orders for before in parts[:i])
        act = beside(text, part.first, part.last, leads=leads)
        if act is None or effects().get((act.kind, act.scope)) == "keep":
            continue
        spoken = act.kind in kinds_in(text, part.first, part.last)
        if part.fault is not None and not spoken and has(text, part.first, part.last, *text.reader.verbs):
            continue  # it is told what is wrong with it
        stopped[part.first] = act.kind
        enclosed = text.words[part.first] == "("  # of the order before the bracket alone
        listed = (act.kind == "condition" and not enclosed) or has(text, part.first, part.last, "SHEETWORD")
        last = next((k for k in range(i - 1, -1, -1) if parts[k].orders), -1)
        while last >= 0 and parts[last].orders:
            stopped[parts[last].first] = act.kind
            last = last - 1 if listed else -1  # a condition may be meant for all orders listed before it
        goes_on = act.kind == "choice" and spoken and not enclosed
        if i == 0 or goes_on or not parts[i - 1].orders:
            given = next(k for k, one in enumerate(parts) if one.orders)  # if Turkey attacks, as I fear, A gal - vie
            for later in parts[given if act.kind == "condition" and i == 0 else i + 1 :]:
                anew = act.kind == "quotation" and "LEADCORRECTION" in text.at[later.first]
                if not later.orders or anew:
                    break
                stopped[later.first] = act.kind
    return {first: _CODES.get(code, code) for first, code in stopped.items()}


_CODES = {"choice": "condition", "correction": "which order", "retraction": "negation"}


def _clause(sheet: Sheet, line: Line, text: Text, part: Part, code: str) -> None:
    """A clause beside orders: an act, what looks like an order and isn't read, or a remark."""
    start, end = line.start + text.tokens[part.first].start, line.start + text.tokens[part.last - 1].end
    if code:
        sheet.refuse(start, end, line.number, code, **NOTHING)
    elif looks_like_order(text, part):
        _instead(sheet, line.number, text, part)
        tell_unread(sheet, line, text, part)
    elif not _tell_unchanged(sheet, start, end, line.number, text, part):
        sheet.remark(start, end, line.number)


def _tell_unchanged(sheet: Sheet, start: int, end: int, number: int, text: Text, part: Part) -> bool:
    """Refuse words that leave all else as sent before: what that was isn't known here. Return whether they do."""
    first, last = part.first, part.last
    found = _all_unchanged(text, first, last) and is_known(text, first, last)
    earlier = (k for k in range(first + 1, last) if "EARLIER" in text.at[k] and has(text, k - 1, k + 2, "SHEETWORD"))
    if has(text, first, last, "DIRECTION") and not has(text, first, last, "NEGATION", "REPLACES", "PAST"):
        found = found or any(earlier)
    if found:
        sheet.voids.append((sheet.section, "amends", number))
        sheet.refuse(start, end, number, "amends")
    return found


_OTHERS = ("ALL", "REST", "AMENDS", "EXCEPT", "SHEETWORD")
_BETWEEN = frozenset(["AUX", "SHEETWORD", "UNITS"])


def _all_unchanged(text: Text, first: int, last: int) -> bool:
    """Whether it is said of all else, right beside it, that it is as before, or with what follows excepted: ``all other
    units are as before``, ``same as last time but A par - gas``."""
    for k in range(first, last):
        if "UNCHANGED" in text.at[k] and has(text, k + 1, last, "EXCEPT"):
            return True
        for end in (k + length for name in _OTHERS for length, _ in text.at[k].get(name, ())):
            while end < last and (text.words[end] in (",", ":") or not _BETWEEN.isdisjoint(text.at[end])):
                end += 1
            if end < last and "UNCHANGED" in text.at[end]:
                return True
    return False


def _read_remark(sheet: Sheet, line: Line, text: Text, sentence: Sentence) -> None:
    first, last = sentence.parts[0].first, sentence.parts[-1].last
    start, end = line.start + text.tokens[first].start, line.start + text.tokens[last - 1].end
    if _tell_unchanged(sheet, start, end, line.number, text, Part(first, last, [])):
        return
    act = of_sentence(text, first, last, sentence.asks, follows=sheet.follows)
    behind = sentence.parts[-1].first
    if act is None and text.words[behind - 1] == ":" and last - behind > 2:  # one more thing: the order for Mar is void
        act = of_sentence(text, behind, last, sentence.asks, follows=sheet.follows)
    whole = Part(first, last, [], fault=next((p.fault for p in sentence.parts if p.fault), None))
    if act is None or effects()[act.kind, act.scope] != "stop":
        naming = (part for part in sentence.parts if text.adjusting or named(text, part.first, part.last))
        bare = any(end == last and unit.kind for end, unit, _ in text.units(first)[:1])  # A par?
        if bare or (not sentence.asks and any(looks_like_order(text, part) for part in (whole, *naming))):
            _instead(sheet, line.number, text, whole)
            tell_unread(sheet, line, text, whole)
        elif act is not None and act.kind == "correction":
            sheet.refuse(start, end, line.number, "which order", **NOTHING)
        else:
            sheet.remark(start, end, line.number)
        _lead_on(sheet, line, text, first, last)
        if line.text.rstrip().endswith(":"):  # another head
            sheet.kind, sheet.verb = "", section_of(text, first, last)
        return
    _carry_out(sheet, line.number, act)
    code = _CODES.get(act.kind, act.kind)
    sheet.refuse(start, end, line.number, code, **NOTHING)
    if act.kind == "choice" and last == len(text.tokens) and "OPENEND" in text.at[last - 1]:
        sheet.carried = code  # A par - gas / or / A par - bre


def _lead_on(sheet: Sheet, line: Line, text: Text, first: int, last: int) -> None:
    """A sentence with an act that goes on in the line below, or heads the lines below it."""
    kinds = kinds_in(text, first, last)
    if last < len(text.tokens) - 1 or not kinds:
        return
    ending = line.text.rstrip()[-1:]
    code = _CODES.get(head := head_kind(text, first, last, kinds), head)
    if (ending == ":" and code) or (last - first <= 2 and first == 0 and ("doubt" in kinds or "choice" in kinds)):
        sheet.block, sheet.blocks = code or "doubt", False
    elif ending == "," or (ending.isalnum() and ("CONDITION" in text.at[first] or "OPENEND" in text.at[last - 1])):
        if has(text, first, last, "SHEETWORD") or "retraction" not in kinds:
            code = code or next((k for k in ("condition", "negation", "doubt", "quotation") if k in kinds), "")
            sheet.carried = code


def _carry_out(sheet: Sheet, number: int, act: Act) -> None:
    """Stop the orders in the scope of an act."""
    code = "taken back" if act.kind == "retraction" else "stopped"
    if act.scope == "named":
        sheet.stop(number, code, act.named)
        if act.kind in ("condition", "choice", "doubt", "question", "negation"):
            sheet.named.append((sheet.section, act.named, number))
    elif act.scope == "sheet":
        if act.kind == "retraction":
            sheet.stop(number, code, None)
        else:
            sheet.voids.append((sheet.section, code, number))
    else:
        pointed = _pointed_at(sheet, act.nth)
        for i, passage in enumerate(sheet.passages):
            if passage.order is not None and passage.start in pointed:
                sheet.take_back(i, code, number)


def _pointed_at(sheet: Sheet, nth: int) -> set[int]:
    """Where the orders begin that words mean by ``the second one``, ``line 2``; the last one if it is 0 or less. What
    isn't understood may be counted or not: then two are meant."""
    own = [p for p in sheet.passages if p.power == sheet.section and (p.order is not None or p.error is not None)]
    if nth <= 0:
        return {max((p.start for p in own if p.order is not None), default=-1)}
    orders = [p.start for p in own if p.error is None or p.error.kind == "superseded"]
    starts = (list(dict.fromkeys(counted)) for counted in (orders, [p.start for p in own]))
    return {p.start for p in own if p.line == nth}.union(*(counted[nth - 1 : nth] for counted in starts))
