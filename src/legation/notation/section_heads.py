"""Headings on a sheet: whose, for which turn and of which kind the orders below or behind them are."""

from legation.notation.errors import refuse
from legation.notation.headings import Heading, read_heading
from legation.notation.layout import Line
from legation.notation.names import possessive
from legation.notation.order_reader import OrderReader, units_of
from legation.notation.reading_text import Text
from legation.notation.sheet import Sheet

LONGEST_HEAD = 100  # characters before a colon


def headed(sheet: Sheet, line: Line, text: Text) -> int:
    """Go on under the heading that a line is, or with which it begins; return the word with which the rest begins."""
    last = len(text.tokens)
    whole = read_heading(text, 0, last, whole=not line.text.rstrip().endswith(":"), own=sheet.section)
    heads = {i: read_heading(text, 0, i, whole=text.words[i] != ":", own=sheet.section) for i in _head_ends(text)}
    if whole is None and not any(heads.values()):
        return 0
    ordered = [one for one in OrderReader(text).at(0) if one.end > 1 and one.cost < 1]
    if whole is not None and not ordered and not (whole.draft and sheet.last) and not _is_order(sheet, text):
        _enter(sheet, whole)
        sheet.remark(line.start, line.end, line.number)
        return last
    for i, heading in heads.items():
        if any(one.end <= i for one in ordered):
            return 0
        if heading is None:
            continue
        begin = i + (text.words[i] in (":", "-", "."))
        whole_line = [units_of(one.orders) for one in ordered if one.end >= last and not heading.section]
        mine = any(units and all(map(text.own, units)) for units in whole_line)
        if mine and not OrderReader(text, sheet.bare()).at(begin):
            return 0  # English Channel: hold
        if text.words[i] != ":" and any(end == i for end, _, _ in text.places(0)) and not heading.season:
            continue
        named = heading.season or heading.year or (heading.power and len(text.words[0]) > 2)
        whose = not sheet.power and sheet.section and text.words[0] in sheet.reader.adjectives
        if text.words[i] != ":" and (not (_begins(sheet, text, begin) and named) or (whose and text.kinds(i))):
            continue  # Russian A Rum: whose unit it is
        _enter(sheet, heading)
        sheet.remark(line.start, line.start + text.tokens[max(begin - 1, 0)].end, line.number)
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
    found = OrderReader(text, sheet.bare()).at(0)
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
