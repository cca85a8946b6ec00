"""Whole sheets: every character is part of an order, of something that is none (a heading, a remark), or is told as
not carried out, with the reason."""

import re
from collections.abc import Sequence

import msgspec

from legation.board import province_of
from legation.notation.acts import acts, beside, effects, has, of_sentence
from legation.notation.cover import MOST_PARTS, Cover, Part
from legation.notation.errors import OrderTextError, refuse
from legation.notation.headings import headed
from legation.notation.known_orders import KnownOrders
from legation.notation.layout import STRUCK, TICKED, UNTICKED, Line, lines_of, lines_struck, plain_text
from legation.notation.names import fold, possessive
from legation.notation.reading_text import Text
from legation.notation.sentences import NOTHING, read_sentence, sentences
from legation.notation.settling import settle
from legation.notation.sheet import LONGEST_LINE, LONGEST_SHEET, MOST_FAULTS, TOO_MANY, Passage, Sheet
from legation.notation.unread import looks_like_order
from legation.notation.vocabulary import Vocabulary
from legation.orders import UnitOrder, province_at
from legation.position import Phase, Position

LONGEST_JOINED = 500  # characters of lines that are read as one
MOST_JOINED = 100  # times that a sheet's lines are read with the ones above in vain
LONGEST_ROW = 30  # words and signs of one order in cells
_INK = re.compile(r"\S(?:[^\n]*\S)?")


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
    quoted = False
    for line in lines_of(plain, plus_is_bullet=not adjusting):
        if quoted and sheet.block and not line.quoted:
            _read_line(sheet, msgspec.structs.replace(line, text=""))  # a quotation ends as at a blank line
        quoted = line.quoted
        if sheet.faults >= MOST_FAULTS or max(sheet.parts, len(sheet.passages)) >= MOST_PARTS:
            sheet.refuse(line.start, len(plain), line.number, "too many", said=TOO_MANY)
            break
        if line.number in struck:
            sheet.refuse(line.start, line.end, line.number, "crossed out")
        elif ticked and UNTICKED.match(text, plain.rfind("\n", 0, line.start) + 1) and line.text:
            sheet.refuse(line.start, line.end, line.number, "not ticked")
        else:
            _read_line(sheet, line)
    settle(sheet)
    if len(text) > LONGEST_SHEET:
        said = f"a sheet is at most {LONGEST_SHEET} characters long; what comes after them is not read"
        error = refuse("too long", text[LONGEST_SHEET:][:80], said=said)
        sheet.passages.append(Passage(LONGEST_SHEET, len(text), plain.count("\n") + 1, None, error, sheet.section))
    return tuple(_covering(sheet))


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
        sheet.refuse(line.start, line.end, line.number, "too long", said=said)
        return
    free = sheet.refusal is None and not (sheet.block or sheet.carried or sheet.ended)
    order = sheet.known.find(line.text, sheet.phase, sheet.section) if free else None
    if order is not None and not line.comment:
        sheet.passages.append(Passage(line.start, line.end, line.number, order, None, sheet.section))
        sheet.note([order], frozenset())
        sheet.above, sheet.follows = (line, len(sheet.passages) - 1), True
        sheet.last, sheet.asked = order, False
        return
    text = sheet.words_of(line.text)
    if not text.tokens:
        sheet.remark(line.start, line.end, line.number)
        return
    if STRUCK in line.text:
        _without_struck(sheet, line)
        return
    if _ends_sheet(sheet, line, text):
        return
    begin = headed(sheet, line, text)
    if begin >= len(text.tokens):
        return
    if text.power != sheet.section:
        text = sheet.words_of(line.text)  # the heading names another power, whose units are meant
    text.kind = sheet.kind
    if sheet.block and not begin:
        sheet.blocks = True
        sheet.refuse(line.start, line.end, line.number, sheet.block, **NOTHING)
        return
    kept = sheet.section, sheet.refusal
    if sheet.refusal is not None:
        error = sheet.refusal
        sheet.refuse(line.start + text.tokens[begin].start, line.end, line.number, error.code, **_said(sheet, error))
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
        sheet.refuse(line.start + match.start(), line.start + match.end(), line.number, "crossed out")
    rest = _STRUCK.sub(lambda m: " " * len(m.group()), line.text)
    begin, left = len(rest) - len(rest.lstrip()), rest.rstrip()
    if STRUCK in rest or (begin == 0 and left != line.text.rstrip() and not left.endswith((",", ";", "."))):
        sheet.refuse(line.start, line.end, line.number, "crossed out")
    elif rest.strip():
        _read_line(sheet, msgspec.structs.replace(line, start=line.start + begin, text=rest.strip()))


def _ends_sheet(sheet: Sheet, line: Line, text: Text) -> bool:
    """Whether a line is what somebody said (``GM> A par - gas``), part of a letter to other powers, or of what stands
    below a signature or the head of an older message; orders there are told as not read."""
    last = len(text.tokens)
    if "PRESSEND" in text.at[0]:
        sheet.ended = ""
        sheet.remark(line.start, line.end, line.number)
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
    if any(looks_like_order(text, part) or part.orders for part in Cover(text, sheet.bare()).read()):
        sheet.refuse(line.start, line.end, line.number, sheet.ended or "quotation")
    else:
        sheet.remark(line.start, line.end, line.number)
    return True


def _said(sheet: Sheet, error: OrderTextError) -> dict[str, str]:
    turn = sheet.position.turn.name if sheet.position is not None else ""
    mine, theirs = possessive(sheet.power or "?"), error.text
    return {"turn": turn, "mine": mine, "theirs": theirs}


def _read_parts(sheet: Sheet, line: Line, text: Text, begin: int) -> None:
    cover = Cover(text, sheet.bare(), begin)
    parts = cover.read(MOST_PARTS - sheet.parts)
    sheet.parts += len(parts)
    alone = any(any(end == p.last for end, _, _ in text.kinds(p.first)) for p in parts if not p.orders)
    if (alone or not any(part.orders for part in parts)) and (row := _row(sheet, line, text, begin)) is not None:
        text, parts = row
    elif cover.end < len(text.tokens):
        sheet.refuse(line.start + text.tokens[cover.end].start, line.end, line.number, "too many", said=TOO_MANY)
    if _goes_on(sheet, line, text, parts):
        return
    first = len(sheet.passages)
    before = dict(sheet.ordered)
    carried, sheet.carried = sheet.carried, ""
    for sentence in sentences(text, parts):
        if sheet.faults >= MOST_FAULTS:
            break  # the next line tells it, or the end
        if carried and sentence.orders:
            sentence.carried = carried
        carried = ""
        read_sentence(sheet, line, text, sentence, before)
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
        row = sheet.words_of(plain)
        parts = Cover(row, sheet.bare(), begin).read()
        kinds = [sum(bool(row.kinds(k)) for k in range(part.first, part.last)) for part in parts]
        if parts and max(kinds) < 2 and all(len(part.orders) == 1 for part in parts):
            return row, parts
    return None


def _goes_on(sheet: Sheet, line: Line, text: Text, parts: Sequence[Part]) -> bool:
    """Read a line together with the end of the one above, where one of them doesn't stand by itself."""
    if sheet.above is None or not parts or sheet.joined >= MOST_JOINED:
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
    if passage.end <= above.end and sheet.phase is Phase.ADJUSTMENTS:  # a dash before a line is no goal there
        gap = sheet.plain[passage.start : above.end].ljust(line.start - passage.start) + line.text
    if len(gap) > LONGEST_JOINED or (passage.order is None and passage.error is None and not sheet.open):
        return False
    kept = dict(sheet.ordered)
    for removed in sheet.passages[last:]:
        kept.pop(province_at(removed.order), None)
    sheet.joined += 1
    helps = not text.at[parts[0].first].keys().isdisjoint(("SUPPORTED", "CONVOYING"))
    joined = Line(passage.line, passage.start, gap.replace("\n", "," if helps else " "))
    whole = Text(sheet.reader, joined.text, sheet.phase, sheet.section, sheet.position, kept)
    whole.claimed = sheet.claimed
    found = Cover(whole, sheet.bare()).read()
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
    for sentence in sentences(whole, found):
        read_sentence(sheet, joined, whole, sentence, kept)
    sheet.above = joined, last
    sheet.joined -= 1
    return True


def _indent(sheet: Sheet, line: Line) -> int:
    return line.start - sheet.plain.rfind("\n", 0, line.start)


def _open(sheet: Sheet, above: str) -> bool:
    """Whether a line ends before it is said which unit is helped."""
    last = fold(above.split()[-1]) if above.split() else ""
    return not sheet.reader.lexicon.classes(last).keys().isdisjoint(("SUPPORT", "CONVOY"))


def _comment(sheet: Sheet, line: Line) -> None:
    text = sheet.words_of(line.comment)
    if not text.tokens:
        return
    start = sheet.plain.find(line.comment, line.end)
    act = beside(text, 0, len(text.tokens)) or of_sentence(text, 0, len(text.tokens), "?" in text.words, follows=True)
    if act is not None and effects()[act.kind, act.scope] == "stop":
        given = [i for i, p in enumerate(sheet.passages) if p.line == line.number and p.order is not None]
        for i in given[-1:] if sheet.passages[-1].order is not None else ():
            sheet.take_back(i, "stopped", line.number)
    if any(part.orders for part in Cover(text).read()):
        sheet.refuse(start, start + len(line.comment), line.number, "remark")
    else:
        sheet.remark(start, start + len(line.comment), line.number)


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
