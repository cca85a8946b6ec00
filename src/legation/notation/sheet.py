"""Whole sheets: every character is part of an order, of something that is none (a heading, a remark), or is told as not
carried out, with the reason."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from legation.board import province_of
from legation.notation.acts import Act, acts, beside, effects, has, head_kind, kinds_in, named, of_sentence
from legation.notation.amendments import amended
from legation.notation.cover import ENDS, MOST_PARTS, Cover, Part
from legation.notation.errors import OrderTextError, refuse
from legation.notation.forms.adjusting import section_bare
from legation.notation.headings import Heading, read_heading
from legation.notation.known_orders import KnownOrders
from legation.notation.layout import STRUCK, TICKED, UNTICKED, Line, lines_of, lines_struck, plain_text
from legation.notation.names import SHORTEST_BEGINNING, fold, possessive
from legation.notation.order_reader import OrderReader, units_of
from legation.notation.reading_text import LONGEST_CODE, Text
from legation.notation.tokens import DOTS
from legation.notation.vocabulary import VERBS, Vocabulary
from legation.orders import Build, Convoy, Hold, Order, SupportMove, UnitOrder, Waive
from legation.position import Phase, Position

LONGEST_SHEET = 60_000  # characters
LONGEST_LINE = 6_000
LONGEST_JOINED = 2_000  # characters of lines that are read as one
MOST_FAULTS = 50  # of one sheet; what comes after them is not read
LONG_FAULT = 500  # characters; a fault counts once more for each so many of what is not read
LONGEST_ROW = 30  # words and signs of one order in cells
LONGEST_HEAD = 100  # characters before a colon
_TOO_MANY = f"a sheet has at most {MOST_PARTS} orders and sentences, and {MOST_FAULTS} that aren't understood"
_INK = re.compile(r"\S(?:[^\n]*\S)?")


class Passage(msgspec.Struct, frozen=True):
    """A part of a sheet, ``text[start:end]``: an order of ``power``, or why it is none (``error``, whose span counts
    from ``start``), or neither (a heading, a remark). ``general``: the order was given to all units, or all others."""

    start: int
    end: int
    line: int
    order: Order | None = None
    error: OrderTextError | None = None
    power: str = ""
    general: bool = False


class Sheet(msgspec.Struct):
    """A sheet on its way: what was read so far, and under what the next line stands.

    ``section`` is whose orders the lines are, ``verb`` what is done with units of which nothing is said, ``kind`` the
    kind of those that are named without one, ``refusal`` why the lines are not read; ``above`` is the line before
    with where its passages begin, if it may go on.
    """

    reader: Vocabulary
    known: KnownOrders
    text: str
    plain: str
    phase: Phase
    power: str
    position: Position | None
    section: str = ""
    verb: str = ""
    amends: int = 0  # the line that only changes what was sent before
    kind: str = ""
    refusal: OrderTextError | None = None
    passages: list[Passage] = []
    ordered: dict[str, Order] = {}
    claimed: int = 0
    faults: int = 0
    parts: int = 0  # that were read
    above: tuple[Line, int] | None = None
    open: bool = False  # that line ends with words of which an order may begin
    last: Order | None = None  # the order that was given last
    asked: bool = False  # it was only asked about
    behind: bool = False  # it ends the sentence before
    follows: bool = False  # an order stands right above
    voids: list[tuple[str, str, int]] = []  # power, code and line of what takes all its orders back
    named: list[tuple[str, frozenset[str], int]] = []  # power and places of orders below that aren't carried out, line
    undecided: set[tuple[str, str]] = set()  # powers and units that are left a choice
    block: str = ""  # why the lines up to the next blank one are not read
    blocks: bool = False  # lines were not read for that
    carried: str = ""  # why the sentence with which the next line begins is not read
    ended: str = ""  # why everything below is not read

    def note(self, orders: Iterable[Order], general: frozenset[str]) -> None:
        """Keep what is ordered, for what is said below of it."""
        for order in orders:
            at = province_of(getattr(order, "at", ""))
            if at and at not in general and not isinstance(order, Build):
                self.ordered.pop(at, None)
                self.ordered[at] = order
            self.claimed += isinstance(order, Build | Waive)


def read_sheet(
    reader: Vocabulary, known: KnownOrders, text: str, phase: Phase, power: str, position: Position | None
) -> tuple[Passage, ...]:
    """Read a sheet of one power, or a message with those of several (``power`` empty): all passages, in the order of
    the text."""
    plain = plain_text(text[:LONGEST_SHEET])
    sheet = Sheet(reader, known, text, plain, phase, power, position, section=power)
    adjusting = phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT)
    struck = lines_struck(plain) if STRUCK in plain else set()
    ticked = TICKED.search(text[:LONGEST_SHEET]) is not None
    for line in lines_of(plain, plus_is_bullet=not adjusting):
        if sheet.faults >= MOST_FAULTS or max(sheet.parts, len(sheet.passages)) >= MOST_PARTS:
            _refuse(sheet, line.start, len(plain), line.number, "too many", said=_TOO_MANY)
            break
        if line.number in struck:
            _refuse(sheet, line.start, line.end, line.number, "crossed out")
        elif ticked and UNTICKED.match(text, plain.rfind("\n", 0, line.start) + 1) and line.text:
            _refuse(sheet, line.start, line.end, line.number, "not ticked")
        else:
            _read_line(sheet, line)
    _settle(sheet)
    if len(text) > LONGEST_SHEET:
        said = f"a sheet is at most {LONGEST_SHEET} characters long; what comes after them is not read"
        error = refuse("too long", text[LONGEST_SHEET:][:80], said=said)
        sheet.passages.append(Passage(LONGEST_SHEET, len(text), plain.count("\n") + 1, None, error, sheet.section))
    return tuple(_covering(sheet))


def _refuse(sheet: Sheet, start: int, end: int, number: int, code: str, **said: str) -> None:
    if start >= end:
        return
    written = sheet.text[start:end]
    error = refuse(code, written[:300], (0, min(len(written), 300)), (), **said)
    sheet.passages.append(Passage(start, end, number, None, error, sheet.section))
    sheet.faults += 1 + (end - start) // LONG_FAULT
    sheet.above, sheet.follows = None, False


def _remark(sheet: Sheet, start: int, end: int, number: int) -> None:
    sheet.passages.append(Passage(start, end, number, power=sheet.section))


def _read_line(sheet: Sheet, line: Line) -> None:
    if not line.text:
        sheet.above, sheet.follows, sheet.carried = None, False, ""
        if sheet.blocks:
            sheet.block, sheet.blocks = "", False
        if sheet.verb == "hold":
            sheet.verb = ""
        return
    if len(line.text) > LONGEST_LINE:
        said = f"a line is at most {LONGEST_LINE} characters long"
        _refuse(sheet, line.start, line.end, line.number, "too long", said=said)
        return
    free = sheet.refusal is None and not (sheet.block or sheet.carried or sheet.ended)
    order = sheet.known.find(line.text, sheet.phase, sheet.section) if free else None
    if order is not None and not line.comment:
        sheet.passages.append(Passage(line.start, line.end, line.number, order, None, sheet.section))
        sheet.note([order], frozenset())
        sheet.above, sheet.follows = (line, len(sheet.passages) - 1), True
        sheet.last, sheet.asked = order, False
        return
    text = _text(sheet, line.text)
    if not text.tokens:
        _remark(sheet, line.start, line.end, line.number)
        return
    if STRUCK in line.text:
        _without_struck(sheet, line)
        return
    if _ends_sheet(sheet, line, text):
        return
    begin = _headed(sheet, line, text)
    text.kind = sheet.kind
    if begin >= len(text.tokens):
        return
    if sheet.block and not begin:
        sheet.blocks = True
        _refuse(sheet, line.start, line.end, line.number, sheet.block, **_NOTHING)
        return
    kept = sheet.section, sheet.refusal
    if sheet.refusal is not None:
        error = sheet.refusal
        _refuse(sheet, line.start + text.tokens[begin].start, line.end, line.number, error.code, **_said(sheet, error))
    else:
        _read_parts(sheet, line, text, begin)
    if begin and sheet.power:
        sheet.section, sheet.refusal = kept if sheet.refusal is None else (sheet.section, None)
    if line.comment:
        _comment(sheet, line)


_STRUCK = re.compile(rf"{STRUCK}[^\n]{{0,600}}?{STRUCK}")


def _without_struck(sheet: Sheet, line: Line) -> None:
    """Read a line of which whole parts are struck out."""
    for match in _STRUCK.finditer(line.text):
        _refuse(sheet, line.start + match.start(), line.start + match.end(), line.number, "crossed out")
    rest = _STRUCK.sub(lambda m: " " * len(m.group()), line.text)
    begin = len(rest) - len(rest.lstrip())
    if STRUCK in rest or (
        begin == 0
        and rest != line.text
        and not rest.rstrip().endswith((",", ";", "."))
        and rest.rstrip() != line.text.rstrip()
    ):
        _refuse(sheet, line.start, line.end, line.number, "crossed out")
    elif rest.strip():
        _read_line(sheet, msgspec.structs.replace(line, start=line.start + begin, text=rest.strip()))


def _ends_sheet(sheet: Sheet, line: Line, text: Text) -> bool:
    """Whether a line is what somebody said (``GM> A par - gas``), part of a letter to other powers, or of what stands
    below a signature or the head of an older message; orders there are told as not read."""
    last = len(text.tokens)
    if "PRESSEND" in text.at[0]:
        sheet.ended = ""
        _remark(sheet, line.start, line.end, line.number)
        return True
    if not sheet.ended:
        begin = sheet.plain.rfind("\n", 0, line.start) + 1
        raw = sheet.plain[begin : line.end].strip()
        if "PRESSHEAD" in text.at[0] and (
            text.words[1] in (":", ",", "") or "TO" in text.at[1] or text.at[0]["PRESSHEAD"][0][0] > 1
        ):
            sheet.ended = "letter"
        elif raw == "--" or has(text, 0, last, "BELOWHEAD"):
            sheet.ended = "below"
        elif not line.speaker or sheet.reader.places.exact(fold(line.speaker)) is not None:
            return False
    if any(looks_like_order(text, part) or part.orders for part in Cover(text, _bare(sheet)).read()):
        _refuse(sheet, line.start, line.end, line.number, sheet.ended or "quotation")
    else:
        _remark(sheet, line.start, line.end, line.number)
    return True


def _said(sheet: Sheet, error: OrderTextError) -> dict[str, str]:
    turn = sheet.position.turn.name if sheet.position is not None else ""
    mine, theirs = possessive(sheet.power or "?"), error.text
    return {"turn": turn, "mine": mine, "theirs": theirs}


def _text(sheet: Sheet, written: str) -> Text:
    text = Text(sheet.reader, written, sheet.phase, sheet.section, sheet.position, sheet.ordered)
    text.claimed, text.kind = sheet.claimed, sheet.kind
    if sheet.follows and isinstance(sheet.last, UnitOrder) and "LEADCORRECTION" in text.at[0]:
        text.topic = province_of(sheet.last.at)
    return text


# Headings


def _headed(sheet: Sheet, line: Line, text: Text) -> int:
    """Go on under the heading that a line is, or with which it begins; return the word with which the rest begins."""
    last = len(text.tokens)
    whole = read_heading(text, 0, last, whole=not line.text.rstrip().endswith(":"), own=sheet.section)
    heads = {i: read_heading(text, 0, i, whole=text.words[i] != ":", own=sheet.section) for i in _head_ends(text)}
    if whole is None and not any(heads.values()):
        return 0
    ordered = [one for one in OrderReader(text).at(0) if one.end > 1 and one.cost < 1]
    if whole is not None and not ordered and not (whole.draft and sheet.last) and not _is_order(sheet, text):
        _enter(sheet, whole)
        _remark(sheet, line.start, line.end, line.number)
        return last
    for i, heading in heads.items():
        if any(one.end <= i for one in ordered):
            return 0
        if heading is None:
            continue
        begin = i + (text.words[i] in (":", "-", "."))
        if text.words[i] != ":" and any(end == i for end, _, _ in text.places(0)) and not heading.season:
            continue
        named = heading.season or heading.year or (heading.power and len(text.words[0]) > 2)
        if (
            text.words[i] != ":"
            and not sheet.power
            and sheet.section
            and text.words[0] in sheet.reader.adjectives
            and text.kinds(i)
        ):
            continue  # Russian A Rum: whose unit it is
        if text.words[i] != ":" and not (_begins(sheet, text, begin) and named):
            continue
        _enter(sheet, heading)
        _remark(sheet, line.start, line.start + text.tokens[max(begin - 1, 0)].end, line.number)
        return begin
    return 0


def _head_ends(text: Text) -> list[int]:
    """Where a heading with which a line begins may end: before a colon or a dash, or before a unit."""
    limit = next((i for i, t in enumerate(text.tokens) if t.start > LONGEST_HEAD), len(text.tokens))
    colon = [i for i in range(1, limit) if text.words[i] == ":" and i + 1 < len(text.tokens)][:1]
    dashes = [i for i in range(1, min(limit, 12)) if text.words[i] == "-" and not text.tokens[i].glued][:2]
    units = [i for i in range(min(limit, 8) - 1, 0, -1) if text.kinds(i)]
    stops = [i for i in range(1, min(limit, 12)) if text.words[i] == "." and i + 1 < len(text.tokens)][:1]
    return [*colon, *dashes, *stops, *units]


def _is_order(sheet: Sheet, text: Text) -> bool:
    """Whether a whole line can be read as orders."""
    found = OrderReader(text, _bare(sheet)).at(0)
    return any(one.end >= len(text.tokens) and one.cost < 1 for one in found) and bool(text.units(0) or text.words[0])


def _begins(sheet: Sheet, text: Text, i: int) -> bool:
    """Whether an order begins at a word."""
    if i >= len(text.tokens):
        return False
    return any(
        subject.kind or text.own(key) for _, subject, _ in text.units(i)[:2] for key in subject.place.meaning.keys[:1]
    )


def _enter(sheet: Sheet, heading: Heading) -> None:
    sheet.above, sheet.follows, sheet.carried = None, False, ""
    sheet.block, sheet.blocks = "", False
    if heading.power:
        if not sheet.power:
            sheet.section, sheet.ordered, sheet.claimed = heading.power, {}, 0
        elif heading.power != sheet.power:
            sheet.refusal = refuse("not yours", possessive(heading.power), mine="", theirs="")
        elif sheet.refusal is not None and sheet.refusal.code == "not yours":
            sheet.refusal = None
    if heading.season or heading.year:
        fits = sheet.position is None or heading.fits(sheet.position.turn)
        if not fits:
            sheet.refusal = refuse("other turn", "", turn="")
        elif sheet.refusal is not None and sheet.refusal.code == "other turn":
            sheet.refusal = None
    if heading.draft or (heading.earlier and not heading.season and not heading.power):
        sheet.refusal = refuse("doubt", "")
    elif heading.titled and sheet.refusal is not None and sheet.refusal.code == "doubt":
        sheet.refusal = None
    sheet.verb, sheet.kind = heading.section, heading.kind


def _bare(sheet: Sheet) -> functools.partial[Order | None]:
    return functools.partial(section_bare, sheet.verb)


# A line


class Sentence(msgspec.Struct):
    """The parts of a sentence, and whether a question mark ends it."""

    parts: list[Part]
    asks: bool = False
    carried: str = ""
    replaces: int = 0  # so many parts before its orders take back or correct others

    @property
    def orders(self) -> list[Part]:
        """The parts that hold orders."""
        return [part for part in self.parts if part.orders]


def _sentences(text: Text, parts: Sequence[Part]) -> list[Sentence]:
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


def _read_parts(sheet: Sheet, line: Line, text: Text, begin: int) -> None:
    cover = Cover(text, _bare(sheet), begin)
    parts = cover.read(MOST_PARTS - sheet.parts)
    sheet.parts += len(parts)
    if not any(part.orders for part in parts) and (row := _row(sheet, line, text, begin)) is not None:
        text, parts = row
    elif cover.end < len(text.tokens):
        _refuse(sheet, line.start + text.tokens[cover.end].start, line.end, line.number, "too many", said=_TOO_MANY)
    if _goes_on(sheet, line, text, parts):
        return
    first = len(sheet.passages)
    before = dict(sheet.ordered)
    carried, sheet.carried = sheet.carried, ""
    for sentence in _sentences(text, parts):
        if sheet.faults >= MOST_FAULTS:
            break  # the next line tells it, or the end
        if carried and sentence.orders:
            sentence.carried = carried
        carried = ""
        _read_sentence(sheet, line, text, sentence, before)
        sheet.behind = bool(sentence.parts[-1].orders)
        before.update({province_of(o.at): o for p in sentence.orders for o in p.orders if isinstance(o, UnitOrder)})
    sheet.above = line, first
    last = len(text.tokens)
    sheet.open = any(text.kinds(i) or text.places(i) for i in range(max(last - 4, 0), last)) or acts(
        text, last - 2, last
    )


def _row(sheet: Sheet, line: Line, text: Text, begin: int) -> tuple[Text, list[Part]] | None:
    """Read a line that gives one order in cells: ``A par;move;gas``, ``|A|par|-|gas|``."""
    if len(text.tokens) - begin > LONGEST_ROW:
        return None
    for sign in ("|", ";", ",", '"'):
        at = text.tokens[begin].start
        if line.text.count(sign, at) == 0:
            continue
        plain = line.text[:at] + line.text[at:].translate({ord(c): " " for c in f'{sign}"'})
        row = _text(sheet, plain)
        parts = Cover(row, _bare(sheet), begin).read()
        if len(parts) == 1 and len(parts[0].orders) == 1:
            return row, parts
    return None


def _goes_on(sheet: Sheet, line: Line, text: Text, parts: Sequence[Part]) -> bool:
    """Read a line together with the end of the one above, where one of them doesn't stand by itself."""
    if sheet.above is None or not parts:
        return False
    above, first = sheet.above
    if not parts[0].orders and text.units(parts[0].first) and _open(sheet, line.text):
        return False  # the line below says whom its unit helps
    if parts[0].orders and not (_open(sheet, above.text) and _indent(sheet, line) > _indent(sheet, above)):
        return False
    last = next((i for i in range(len(sheet.passages) - 1, first - 1, -1) if sheet.passages[i].end > above.start), -1)
    if last < first or last < 0:
        return False
    while last > first and sheet.passages[last - 1].start == sheet.passages[last].start:
        last -= 1
    passage = sheet.passages[last]
    gap = sheet.plain[passage.start : line.end]
    if len(gap) > LONGEST_JOINED or (passage.order is None and passage.error is None and not sheet.open):
        return False
    kept = dict(sheet.ordered)
    for removed in sheet.passages[last:]:
        kept.pop(province_of(getattr(removed.order, "at", "")), None)
    helps = not text.at[parts[0].first].keys().isdisjoint(("SUPPORTED", "CONVOYING"))
    joined = Line(passage.line, passage.start, gap.replace("\n", "," if helps else " "))
    whole = Text(sheet.reader, joined.text, sheet.phase, sheet.section, sheet.position, kept)
    whole.claimed = sheet.claimed
    found = Cover(whole, _bare(sheet)).read()
    border = line.start - passage.start
    spans = [p for p in found if whole.tokens[p.first].start < border < whole.tokens[p.last - 1].end]
    until = found.index(spans[0]) if spans else 0
    unread = any(not part.orders for part in found[:until])
    if not spans or not spans[0].orders or (unread and not parts[0].fault):
        return False
    if len(spans[0].orders) == 1 and passage.order == spans[0].orders[0]:
        return False
    if passage.order is not None and sum(not p.orders for p in found) >= sum(not p.orders for p in parts):
        return False
    del sheet.passages[last:]
    sheet.ordered = kept
    for sentence in _sentences(whole, found):
        _read_sentence(sheet, joined, whole, sentence, kept)
    sheet.above = joined, last
    return True


def _indent(sheet: Sheet, line: Line) -> int:
    return line.start - sheet.plain.rfind("\n", 0, line.start)


def _open(sheet: Sheet, above: str) -> bool:
    """Whether a line ends before it is said which unit is helped."""
    last = fold(above.split()[-1]) if above.split() else ""
    return not sheet.reader.lexicon.classes(last).keys().isdisjoint(("SUPPORT", "CONVOY"))


def _read_sentence(sheet: Sheet, line: Line, text: Text, sentence: Sentence, before: dict[str, Order]) -> None:
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
        if i < sentence.replaces:
            _remark(sheet, start, end, line.number)
        elif not part.orders:
            _clause(sheet, line, text, part, code)
        elif code:
            _refuse(sheet, start, end, line.number, code, **_NOTHING)
            if code == "condition":
                sheet.undecided |= {(sheet.section, unit) for unit in units_of(part.orders)}
        else:
            anew = has(text, part.first, part.first + 1, "IT") or (
                isinstance(part.orders[0], Hold) and has(text, part.first, part.last, "NEGATION")
            )
            if part.amends or anew or has(text, led, part.last, "CORRECTION", "LEADCORRECTION"):
                corrected = _correct(sheet, line.number, part)
                amends = any("AMENDS" in text.at[k] and "CONTRAST" not in text.at[k] for k in range(led, part.last))
                if not corrected and amends:
                    sheet.amends = line.number
            _instead(sheet, line.number, text, part)
            _add(sheet, start, end, line.number, part.orders, part.general)
    sheet.follows = True
    sheet.last = orders[-1].orders[-1]
    sheet.asked = stopped.get(orders[-1].first) == "question"


def _amend(sheet: Sheet, text: Text, sentence: Sentence) -> None:
    """Read what is said anew of the unit that was ordered last, behind words that correct: ``no wait, Bur``, ``make
    that a hold``. The clauses that say it become a part with an order."""
    parts = sentence.parts
    last, asked = sheet.last, sheet.asked
    i = 0
    while i < len(parts):
        if parts[i].orders:
            _other_build(text, parts[i], last)
            last, asked = parts[i].orders[-1], False
            i += 1
            continue
        run = i
        while run + 1 < len(parts) and not parts[run + 1].orders:
            run += 1
        open_kind = isinstance(last, Build) and not last.kind
        dots = sheet.behind and parts[i].first > 0 and text.words[parts[i].first - 1] == DOTS
        order = None
        for until in (run, i):
            order = amended(text, last, parts[i].first, parts[until].last, asked=asked or open_kind or dots)
            if order is not None:
                run = until
                break
        if order is not None:
            parts[i : run + 1] = [Part(parts[i].first, parts[run].last, [order], amends=True, replaced=last)]
            last = order
        i = i + 1 if order is not None else run + 1


def _instead(sheet: Sheet, number: int, text: Text, part: Part) -> None:
    """Take back the order of a unit instead of which another is ordered: ``remove F sev instead of A rum``."""
    given = set(units_of(part.orders))
    for i in range(part.first, part.last):
        for length, _ in text.at[i].get("CONTRAST", ()):
            for end, unit, cost in text.units(i + length)[:1]:
                places = frozenset(unit.place.meaning.keys[:1]) - given
                if end <= part.last and cost < 1 and unit.kind:
                    _stop(sheet, number, "corrected", places, subjects=True)


def _other_build(text: Text, part: Part, last: Order | None) -> None:
    """A build that corrects takes the place of the last one, and is of its kind if it names none."""
    order = part.orders[0]
    if isinstance(last, Build) and isinstance(order, Build) and "LEADCORRECTION" in text.at[part.first] and last.kind:
        part.orders[0] = msgspec.structs.replace(order, kind=order.kind or last.kind)
        part.replaced = last


def _replace(sheet: Sheet, line: Line, text: Text, sentence: Sentence) -> None:
    """Take back what a clause takes back or corrects before new orders: ``scrap that, A par - pic``."""
    parts = sentence.parts
    until = next(i for i, part in enumerate(parts) if part.orders)
    leading = [beside(text, part.first, part.last, leads=True) for part in parts[:until]]
    found = [act for act in leading if act is not None and act.kind in ("correction", "retraction")]
    if not found or any(
        act is not None and act.kind not in ("correction", "retraction", "negation") for act in leading
    ):
        return
    act = found[-1]
    sentence.replaces = until
    code = "corrected" if act.kind == "correction" else "taken back"
    if act.named:
        _stop(sheet, line.number, code, act.named)
    elif act.kind == "retraction":
        _carry_out(sheet, line.number, Act(act.kind, "beside"))
    for part in parts[until:]:
        part.amends = bool(part.orders)


_NOTHING = {"said": "", "line": "", "turn": "", "example": ""}


def _add(sheet: Sheet, start: int, end: int, number: int, orders: Sequence[Order], general: frozenset[str]) -> None:
    for order in orders:
        at = province_of(getattr(order, "at", ""))
        sheet.passages.append(Passage(start, end, number, order, None, sheet.section, at in general))
    sheet.note(orders, general)


def _stopped(text: Text, sentence: Sentence) -> dict[int, str]:
    """Why parts of a sentence with orders are not carried out, by their first words."""
    parts = sentence.parts
    stopped = {part.first: sentence.carried for part in parts if part.orders and sentence.carried}
    if sentence.asks and parts[-1].orders and not has(text, parts[0].first, parts[-1].last, "ASKED"):
        stopped |= {part.first: "question" for part in parts if part.orders}
    for i, part in enumerate(parts):
        if part.orders or i < sentence.replaces:
            continue
        leads = not any(before.orders for before in parts[:i])
        act = beside(text, part.first, part.last, leads=leads)
        if act is None or effects().get((act.kind, act.scope)) == "keep":
            continue
        if part.fault is not None and act.kind not in kinds_in(text, part.first, part.last):
            continue  # it is told what is wrong with it
        stopped[part.first] = act.kind
        ordered = [before.first for before in parts[:i] if before.orders][-1:]
        stopped |= dict.fromkeys(ordered, act.kind)
        if i == 0 or act.kind == "choice" or not parts[i - 1].orders:
            for later in parts[i + 1 :]:
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
        _refuse(sheet, start, end, line.number, code, **_NOTHING)
    elif looks_like_order(text, part):
        _fault(sheet, line, text, part)
    else:
        _remark(sheet, start, end, line.number)


def looks_like_order(text: Text, part: Part) -> bool:
    """Whether words that aren't read may be meant as an order: a unit stands at their beginning, or they name a place
    and say what is done."""
    if part.fault is not None:
        return True
    i = part.first
    while i < part.last - 1 and (text.at[i].keys() & _LEADS or text.words[i] == "(" or text.words[i].isdecimal()):
        i += 1
    built = any(unit.kind and cost < 1 for k in range(i, part.last) for _, unit, cost in text.units(k)[:1])
    if text.adjusting and built and not has(text, part.first, part.last, "PAST", "PLAN"):
        return True
    for end, subject, cost in text.units(i)[:3]:
        if end <= part.last and cost < 1.5 and (subject.kind or any(map(text.own, subject.place.meaning.keys))):
            if end < part.last or subject.kind:
                return True
    unit = next((end for end, power, cost in text.powers(i) if power == text.power and not cost), i)
    if text.kinds(unit) and len(text.words[unit]) > 1 and acts(text, unit, part.last):
        return True
    if _only_verbs(text, i, part.last):
        return True
    if _names_unit(text, i, part.last):
        return True
    return (
        bool(named(text, part.first, part.last))
        and acts(text, part.first, part.last)
        and not has(text, part.first, part.last, "PAST", "PLAN")
    )


def _names_unit(text: Text, i: int, last: int) -> bool:
    """Whether a kind's code in capitals stands before a name that needn't be known, and a sign or a code of what a unit
    does behind it (``A xyz - abc``); or a word of builds and removals before both (``build A xyz``)."""
    begins = not text.at[i].keys().isdisjoint(("BUILD", "REMOVE")) and len(text.words[i]) > LONGEST_CODE
    i += begins
    code = text.kinds(i) and text.text[text.tokens[i].start].isupper() if i < last else False
    if not code or i + 1 >= last or not (text.words[i + 1].isalpha() and len(text.words[i + 1]) > LONGEST_CODE):
        return False
    after = text.words[i + 2] if i + 2 < last else ""
    does = len(after) <= LONGEST_CODE and not text.at[i + 2].keys().isdisjoint((*VERBS, "TO")) if after else begins
    return after == "-" or does


def _only_verbs(text: Text, first: int, last: int) -> bool:
    return last - first <= 2 and all(
        text.at[i].keys() & {"HOLD", "RETREAT", "LEAVE", "WAIVE"} and len(text.words[i]) > 3 for i in range(first, last)
    )


_LEADS = frozenset(["LEAD", "ARTICLE", "CORRECTION"])


def _fault(sheet: Sheet, line: Line, text: Text, part: Part) -> None:
    """Tell what isn't understood as an order; orders of the unit with which it begins are stopped."""
    first, last = text.tokens[part.first].start, text.tokens[part.last - 1].end
    error = part.fault
    if error is None:
        error = _nearest_fault(sheet, text, part)
    low, high = (min(max(at, first), last) - first for at in error.span)
    written = sheet.text[line.start + first : line.start + last]
    error = OrderTextError(written, (low, max(high, low)), error.message, error.suggestions, error.kind, error.code)
    number = line.number
    sheet.passages.append(Passage(line.start + first, line.start + last, number, None, error, sheet.section))
    sheet.faults += 1
    sheet.last = None
    i = part.first
    while i < part.last - 1 and text.at[i].keys() & _LEADS:
        i += 1
    for end, subject, cost in text.units(i)[:1]:
        if cost < 0.7 and end <= part.last:
            _stop(sheet, number, "stopped", frozenset(subject.place.meaning.keys[:1]), subjects=True)


def _nearest_fault(sheet: Sheet, text: Text, part: Part) -> OrderTextError:
    """What is wrong with words that are no order: the first of them that isn't known, or what is missing."""
    named = [(end, unit.place) for end, unit, _ in text.units(part.first) if end <= part.last]
    units = [end for end, _ in named]
    verbs = sheet.reader.shown.get(sheet.phase, "")
    end = units[0] if units else part.first
    if named and (named[0][1].misspelled or text.pick(named[0][1]) is None):
        mention = named[0][1]
        said, span = text.written(mention.first, mention.last), text.span(mention.first, mention.last)
        code = "unknown place" if mention.misspelled else "ambiguous"
        near = sheet.reader.places.nearest(fold(said), sheet.section)
        shown = near if mention.misspelled else sheet.reader.places.shown(mention.meaning.keys)
        return refuse(code, text.text, span, shown, said=repr(said))
    if units and end < part.last and text.words[end].isalpha() and not text.at[end] and not text.places(end):
        said = repr(text.written(end, end + 1))
        return refuse("no verb", text.text, text.span(end, end + 1), said=said, verbs=verbs)
    for i in range(end, part.last):
        beside_kind = bool(i and text.kinds(i - 1)) or text.words[i - 1] == "-" or "TO" in text.at[i - 1]
        if (units or beside_kind) and (error := _unknown_place(sheet, text, i, beside_kind)) is not None:
            return error
    if not units:
        return refuse("not order", text.written(part.first, part.last), example=repr(_example(sheet)))
    if end == part.last:
        return refuse("says nothing", text.text, text.span(part.first, part.last), verbs=verbs)
    if end == part.last - 1 and (text.words[end] == "-" or "MOVE" in text.at[end]):
        return refuse("say where", text.text, text.span(end, part.last))
    if text.words[end] != "-" and text.at[end].keys().isdisjoint(sheet.reader.verbs):
        said = repr(text.written(end, end + 1))
        return refuse("no verb", text.text, text.span(end, end + 1), said=said, verbs=verbs)
    return refuse("rest unread", text.text, text.span(end, part.last), said=repr(text.written(end, part.last)[:60]))


def _unknown_place(sheet: Sheet, text: Text, i: int, beside_kind: bool) -> OrderTextError | None:
    """What is wrong with a word where a place may stand: it is unknown, or ambiguous, or the name of a power."""
    word, said, span = text.words[i], repr(text.written(i, i + 1)), text.span(i, i + 1)
    if not word.isalpha() or len(word) < SHORTEST_BEGINNING:
        return None
    places = text.places(i)
    if not places and text.at[i].keys() <= {"NOBODY"} and not text.kinds(i):
        if any(not cost for _, _, cost in text.powers(i)):
            return refuse("power not place", text.text, span, said=said) if beside_kind else None
        names, powers = sheet.reader.places, sheet.reader.powers
        if powers.likeness(word) > names.likeness(word):
            return refuse("unknown power", text.text, span, powers.nearest(word, ""), said=said)
        return refuse("unknown place", text.text, span, names.nearest(word, sheet.section), said=said)
    mention = places[0][1] if places else None
    if beside_kind and mention is not None and len(mention.meaning.keys) > 1 and text.pick(mention) is None:
        return refuse("ambiguous", text.text, span, sheet.reader.places.shown(mention.meaning.keys), said=said)
    return None


def _example(sheet: Sheet) -> str:
    units = sheet.position.units_of(sheet.section) if sheet.position is not None and sheet.section else ()
    unit = next(iter(units), None)
    return f"{unit} H" if unit is not None else "A ... - ..."


def _read_remark(sheet: Sheet, line: Line, text: Text, sentence: Sentence) -> None:
    """A sentence that holds no order."""
    first, last = sentence.parts[0].first, sentence.parts[-1].last
    start, end = line.start + text.tokens[first].start, line.start + text.tokens[last - 1].end
    said = all(text.at[i] or text.places(i) or not text.words[i].isalpha() for i in range(first, last))
    if said and has(text, first, last, "UNCHANGED") and has(text, first, last, "ALL", "REST", "AMENDS"):
        sheet.voids.append((sheet.section, "amends", line.number))
        _refuse(sheet, start, end, line.number, "amends")
        return
    act = of_sentence(text, first, last, sentence.asks, follows=sheet.follows)
    whole = Part(first, last, [], fault=next((p.fault for p in sentence.parts if p.fault), None))
    if act is None or effects()[act.kind, act.scope] != "stop":
        if not sentence.asks and looks_like_order(text, whole):
            _fault(sheet, line, text, whole)
        else:
            _remark(sheet, start, end, line.number)
        _lead_on(sheet, line, text, first, last)
        return
    _carry_out(sheet, line.number, act)
    _refuse(sheet, start, end, line.number, _CODES.get(act.kind, act.kind), **_NOTHING)


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
        spoken = has(text, first, last, "SHEETWORD") or "retraction" not in kinds
        sheet.carried = (
            ""
            if not spoken
            else code or next((k for k in ("condition", "negation", "doubt", "quotation") if k in kinds), "")
        )


# Effects


def _carry_out(sheet: Sheet, number: int, act: Act) -> None:
    """Stop the orders in the scope of an act."""
    code = "taken back" if act.kind == "retraction" else "stopped"
    if act.scope == "named":
        _stop(sheet, number, code, act.named)
        if act.kind in ("condition", "choice", "doubt", "question", "negation"):
            sheet.named.append((sheet.section, act.named, number))
    elif act.scope == "sheet":
        if act.kind == "retraction":
            _stop(sheet, number, code, None)
        else:
            sheet.voids.append((sheet.section, code, number))
    else:
        last = max((p.start for p in sheet.passages if p.order is not None and p.power == sheet.section), default=-1)
        for i, passage in enumerate(sheet.passages):
            if passage.start == last and passage.order is not None:
                _take_back(sheet, i, code, number)


def _stop(sheet: Sheet, number: int, code: str, places: frozenset[str] | None, *, subjects: bool = False) -> None:
    """Stop the orders that name one of the provinces, or whose unit stands there; all if ``places`` is None."""
    for i, passage in enumerate(sheet.passages):
        order = passage.order
        if order is None or passage.power != sheet.section:
            continue
        unit = province_of(getattr(order, "at", ""))
        spoken = {unit} if subjects or unit in (places or ()) else _places_of(order)
        if places is None or spoken & places:
            _take_back(sheet, i, code, number)


def _places_of(order: Order) -> set[str]:
    return {province_of(value) for value in msgspec.structs.asdict(order).values() if isinstance(value, str)}


def _take_back(sheet: Sheet, at: int, code: str, number: int) -> None:
    passage = sheet.passages[at]
    written = sheet.text[passage.start : passage.end]
    error = refuse(code, written[:300], (0, min(len(written), 300)), line=number)
    sheet.passages[at] = msgspec.structs.replace(passage, order=None, error=error)
    sheet.ordered.pop(province_of(getattr(passage.order, "at", "")), None)


def _correct(sheet: Sheet, number: int, part: Part) -> bool:
    """Orders that correct others take the place of those of the same units, and of the one that is said anew. Return
    whether there are any."""
    before = sum(passage.order is not None for passage in sheet.passages)
    units = frozenset(province_of(o.at) for o in part.orders if isinstance(o, UnitOrder))
    for i, passage in enumerate(sheet.passages):
        order = passage.order
        if order is not None and passage.power == sheet.section:
            if province_of(getattr(order, "at", "")) in units or order == part.replaced:
                _take_back(sheet, i, "corrected", number)
    return before > sum(passage.order is not None for passage in sheet.passages)


def _comment(sheet: Sheet, line: Line) -> None:
    """What stands behind ``#`` or ``//`` on a line."""
    text = _text(sheet, line.comment)
    if not text.tokens:
        return
    start = sheet.text.find(line.comment, line.end)
    act = beside(text, 0, len(text.tokens)) or of_sentence(text, 0, len(text.tokens), "?" in text.words, follows=True)
    if act is not None and effects()[act.kind, act.scope] == "stop":
        given = [i for i, p in enumerate(sheet.passages) if p.line == line.number and p.order is not None]
        for i in given[-1:] if sheet.passages[-1].order is not None else ():
            _take_back(sheet, i, "stopped", line.number)
    if start < 0:
        return
    if any(part.orders for part in Cover(text).read()):
        _refuse(sheet, start, start + len(line.comment), line.number, "remark")
    else:
        _remark(sheet, start, start + len(line.comment), line.number)


# The whole sheet


def _settle(sheet: Sheet) -> None:
    """Let what was said of the whole sheet, and of all units, count for what it is meant."""
    for power, code, number in sheet.voids:
        for i, passage in enumerate(sheet.passages):
            if passage.power == power and passage.order is not None:
                _take_back(sheet, i, code, number)
    for i, passage in enumerate(sheet.passages):
        if (passage.power, province_of(getattr(passage.order, "at", ""))) in sheet.undecided:
            _take_back(sheet, i, "condition", passage.line)
    for power, places, number in sheet.named:
        for i, passage in enumerate(sheet.passages):
            below = passage.line > number and passage.power == power and not passage.general
            if passage.order is not None and below and places <= _places_of(passage.order):
                _take_back(sheet, i, "stopped", number)
    _leave_out_ordered(sheet)
    _merge_builds(sheet)
    _take_back_contrary(sheet)
    if sheet.amends and sheet.phase is Phase.MOVEMENT and sheet.position is not None:
        given = {province_of(getattr(p.order, "at", "")) for p in sheet.passages if p.order is not None}
        if {unit.province for unit in sheet.position.units_of(sheet.section)} - given:
            for i, passage in enumerate(sheet.passages):
                if passage.order is not None:
                    _take_back(sheet, i, "amends", sheet.amends)


def _leave_out_ordered(sheet: Sheet) -> None:
    """What was said of all units, or of all others, does not count for those of which something else is said anywhere
    on the sheet, understood or not: ``Rest hold. A par - gas``."""
    if not any(passage.general for passage in sheet.passages):
        return
    apart = {(p.power, province_of(getattr(p.order, "at", ""))) for p in sheet.passages if not p.general}
    apart |= {
        (p.power, province_of(p.order.target)) for p in sheet.passages if isinstance(p.order, SupportMove | Convoy)
    }
    unclear: set[str] = set()
    for refused in (p for p in sheet.passages if p.error is not None):
        text = _text(sheet, sheet.plain[refused.start : refused.end][:LONGEST_LINE])
        text.power = refused.power
        places = _own_units(text)
        apart |= {(refused.power, place) for place in places}
        if not places and text.kinds(next(iter(text._skips(0, "ARTICLE")[-1:]))):
            unclear.add(refused.power)
    kept: list[Passage] = []
    for passage in sheet.passages:
        at = province_of(getattr(passage.order, "at", ""))
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


def _own_units(text: Text) -> set[str]:
    """Where own units stand that words name."""
    found: set[str] = set()
    for i in range(len(text.tokens)):
        for _, subject, cost in text.units(i)[:1]:
            if cost < 0.7:
                found |= {key for key in subject.place.meaning.keys[:1] if text.own(key)}
    return found


def _take_back_contrary(sheet: Sheet) -> None:
    """Orders to build beside one that nothing is built: none of them counts."""
    built = [i for i, p in enumerate(sheet.passages) if isinstance(p.order, Build)]
    waived = [i for i, p in enumerate(sheet.passages) if isinstance(p.order, Waive)]
    texts = {i: _text(sheet, sheet.plain[sheet.passages[i].start : sheet.passages[i].end]) for i in waived if built}
    for i, text in texts.items():
        if has(text, 0, len(text.tokens), "NOBUILDS"):
            for at in (*[b for b in built if sheet.passages[b].power == sheet.passages[i].power], i):
                if sheet.passages[at].order is not None:
                    _take_back(sheet, at, "builds or not", sheet.passages[i].line)


def _merge_builds(sheet: Sheet) -> None:
    """Leave out a place that was named alone where it is said what is built there."""
    kinds = {(p.power, p.order.at) for p in sheet.passages if isinstance(p.order, Build) and p.order.kind}
    for i, passage in enumerate(sheet.passages):
        order = passage.order
        if isinstance(order, Build) and not order.kind and (passage.power, order.at) in kinds:
            sheet.passages[i] = msgspec.structs.replace(passage, order=None)


def _covering(sheet: Sheet) -> list[Passage]:
    """The passages, and between them those of mere layout (bullets, markup, commas), so that nothing of the text is
    left out."""
    passages: list[Passage] = []
    at, number = 0, 1
    for passage in [*sorted(sheet.passages, key=lambda p: p.start), Passage(len(sheet.text), len(sheet.text), 0)]:
        for match in _INK.finditer(sheet.text, at, max(passage.start, at)):
            number += sheet.text.count("\n", at, match.start())
            at = match.start()
            passages.append(Passage(match.start(), match.end(), number, power=passage.power))
        if passage.end > at:
            number, at = passage.line, passage.end
        if passage.line:
            passages.append(passage)
    return passages
