"""What may be meant as an order and isn't read: whether words are such, and what is wrong with them."""

from legation.notation.acts import SHORT, acts, has, named
from legation.notation.cover import Part
from legation.notation.errors import OrderTextError, refuse
from legation.notation.layout import Line
from legation.notation.names import SHORTEST_BEGINNING, fold
from legation.notation.reading_text import LONGEST_CODE, Text
from legation.notation.sheet import Passage, Sheet
from legation.notation.vocabulary import VERBS
from legation.position import Phase


def looks_like_order(text: Text, part: Part) -> bool:
    """Whether words that aren't read may be meant as an order: a unit stands at their beginning, or they name a place
    and say what is done."""
    if part.fault is not None:
        return True
    first, last = part.first, part.last
    i = _behind_leads(text, first, last, "(")
    past = has(text, first, last, "PAST", "PLAN")
    if text.adjusting and (not past or has(text, first, last, "REMOVE")) and any(text.units_with_kind(i, last)):
        return True
    places = named(text, first, last)
    if text.adjusting and not past and (places or not has(text, first, last, "NEGATION")):
        named_at = [k for k in range(i, last) if text.kinds(k)]
        if any(len(text.words[k]) > LONGEST_CODE or not text.at[k] or k == last - 1 for k in named_at):
            return True  # in whatever words
    for end, subject, cost in text.units(i)[:3]:
        kind = subject.kind or text.kind or (text.adjusting and text.kinds(end))
        if end <= last and cost < 1.5 and (kind or any(map(text.own, subject.place.meaning.keys))):
            told = text.phase is not Phase.MOVEMENT and (text.adjusting or text.words[last] != ":")
            if end < last or kind or told:
                return True
    unit = next((end for end, power, cost in text.powers(i) if power == text.power and not cost), i)
    if text.kinds(unit) and len(text.words[unit]) > 1:
        behind = unit + 1 < last and text.names(unit + 1) and not text.at[unit + 1]
        if behind or acts(text, unit, last):
            return True
    if any(test(text, i, last) for test in (_only_verbs, _only_names, _names_unit, _only_unknown, _of_several)):
        return True
    if not places or past:
        return False
    removes = text.adjusting and text.units_over() > 0 and not has(text, first, last, "KEEP")
    if removes and any(map(text.own, places)):
        return True  # which units it removes matters
    short = last - i <= SHORT and not has(text, first, last, "CONTRAST")
    if len(places) > 1 and short and any(map(text.own, places)):
        return True  # Serbia gets Budapest
    return acts(text, first, last) or (len(places) > 1 and any(text.units_with_kind(i, last)))


def _only_names(text: Text, first: int, last: int) -> bool:
    """Whether words are nothing but names of places, or of one and a kind of unit, and what joins them: ``Gascony for
    Paris``, ``den hel kie den``."""
    places = kinds = 0
    joining = _JOINING | {"PLAN"} if text.adjusting else _JOINING  # Par and Mar later
    i = first
    while i < last:
        if end := next((end for end, _, cost in text.places(i) if end <= last and cost < 0.5), 0):
            places += 1
        elif text.kinds(i):
            end, kinds = text.kinds(i)[0][0], kinds + (text.adjusting or len(text.words[i]) > LONGEST_CODE)
        elif said := [n for name in text.at[i].keys() & joining for n, _ in text.at[i][name]]:
            end, kinds = i + max(said), kinds + ("LIKEWISE" in text.at[i])
            places += "REST" in text.at[i] and not text.adjusting
        elif text.words[i] in _SIGNS or (text.words[i] == "-" and places):
            end = i + 1
        else:
            return False
        i = end
    alone = text.adjusting and not has(text, first, last, "NEGATION")
    return places + alone > 1 or (places == 1 and kinds > 0)


_SIGNS = frozenset(["(", ")", ",", ":"])
_JOINING = frozenset("TO TOWARDS IN FROM ARTICLE DET LEAD TAIL NEGATION CHOICE OR REMOVE CHOOSE LIKEWISE REST".split())


def _names_unit(text: Text, i: int, last: int) -> bool:
    """Whether a kind of unit in capitals stands before a name, known or not, and a sign or a code of what a unit
    does behind it (``A xyz - abc``), or a word of builds and removals before both (``build A xyz``), or the kind says
    nothing else (``F foo``); or a word that is no kind here stands beside a place as if it were (``cavalry par H``)."""
    begins = not text.at[i].keys().isdisjoint(("BUILD", "REMOVE")) and len(text.words[i]) > LONGEST_CODE
    i += begins
    if i + 1 >= last:
        return False
    code = text.coded(i) and text.words[i] in text.reader.codes and len(text.words[i + 1]) > LONGEST_CODE
    whole = i + 2 == last and not text.at[i + 1] and not text.written(i + 1, last).islower()
    if code and (whole or "DET" not in text.at[i]):
        return True
    starts = [i + 1, *(i + 1 + length for length, _ in text.at[i + 1].get("IN", ()))] if text.odd(i) else []
    places = [named for start in starts for named in text.places(start)]
    ends = [end for end, place, _ in places if any(map(text.orders_at, place.meaning.keys[:1]))]
    ends = [i + 2] if text.coded(i) else ends
    alone = begins or (text.adjusting and (not text.at[i + 1] or not text.coded(i)))
    return any(_says(text, end) if end < last else end == last and alone for end in ends)


def _says(text: Text, i: int) -> bool:
    """Whether a sign or a code at a word says what a unit does."""
    code = len(text.words[i]) <= LONGEST_CODE and not text.at[i].keys().isdisjoint((*VERBS, "TO"))
    return text.words[i] == "-" or code


def _only_unknown(text: Text, first: int, last: int) -> bool:
    """Whether words that mean nothing here stand on both sides of a dash, with capitals: ``Pietari - Pohjanlahti``."""
    dashes = [i for i in range(first + 1, last - 1) if text.words[i] == "-" and not text.tokens[i].glued]
    capitals = all(text.text[text.tokens[i].start].isupper() for i in (first, *(dash + 1 for dash in dashes)))
    words = [i for i in range(first, last) if text.words[i] != "-"]
    known = any((text.at[i] and text.at[i].keys().isdisjoint(_IN_NAMES)) or text.powers(i) for i in words)
    return len(dashes) == 1 and capitals and not known


_IN_NAMES = frozenset(["OF", "ARTICLE", "GENERIC", "SPELLED"])


def _only_verbs(text: Text, first: int, last: int) -> bool:
    return last - first <= 2 and all(
        text.at[i].keys() & {"HOLD", "RETREAT", "LEAVE", "WAIVE"} and len(text.words[i]) > 3 for i in range(first, last)
    )


def _of_several(text: Text, i: int, last: int) -> bool:
    """Whether words begin with a verb of orders and say that it is for several units, without naming these:
    ``Remove the two westernmost units``, ``Hold with both armies``."""
    if len(text.words[i]) <= LONGEST_CODE or text.at[i].keys().isdisjoint(text.reader.verbs):
        return False
    names = ("ALL", "REST", "TWO")
    ends = [k + n for k in range(i + 1, min(i + 3, last)) for name in names for n, _ in text.at[k].get(name, ())]
    of_units = has(text, i + 2, min(i + 6, last), "UNITS") or any(end >= last or text.at[end] for end in ends)
    return of_units and not has(text, i, last, "PAST", "PLAN")


def _behind_leads(text: Text, i: int, last: int, sign: str) -> int:
    """Return where an order may begin: behind words that only lead to one (``please``, ``the``), numbers and a sign."""
    leads = {"LEAD", "ARTICLE", "CORRECTION"} | ({"KEEP"} if not text.adjusting else set())  # what is kept is not built
    while i < last - 1 and (text.at[i].keys() & leads or text.words[i] == sign or text.words[i].isdecimal()):
        i += 1
    return i


def tell_unread(sheet: Sheet, line: Line, text: Text, part: Part) -> None:
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
    for end, subject, cost in text.units(_behind_leads(text, part.first, part.last, ","))[:1]:
        if cost < 0.7 and end <= part.last:
            sheet.stop(number, "stopped", frozenset(subject.place.meaning.keys[:1]), subjects=True)


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
