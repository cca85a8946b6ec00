"""Headings on a sheet: whose, for which turn and of which kind the orders below or behind them are."""

import msgspec

from legation.notation.errors import refuse
from legation.notation.layout import Line
from legation.notation.lexicon import lexicon
from legation.notation.names import SHORTEST_BEGINNING, possessive
from legation.notation.order_reader import OrderReader, units_of
from legation.notation.reading_text import Text
from legation.notation.sheet import Sheet
from legation.orders import Build
from legation.position import Phase, Turn

LONGEST = 16  # words of a heading
LONGEST_HEAD = 100  # characters before a colon
MOST_UNKNOWN = 4  # words of a heading that are not known, where it names the turn
_DECOR = frozenset(["-", ":", ",", "(", ")", "|", ".", "#", "=", "*", "~", "_", "/", "&", "[", "]", '"', ";", "…"])


class Heading(msgspec.Struct):
    """A line, or what stands before a colon, that says whose and which orders follow.

    ``season`` may be several, with blanks between them; ``section`` is what is done with units of which nothing is said
    below; ``draft``: it says that these orders may not count; ``certain``: it has a word that only headings have;
    ``unknown`` counts its words that mean nothing."""

    power: str = ""
    season: str = ""
    year: str = ""
    phases: str = ""
    section: str = ""
    kind: str = ""
    draft: bool = False
    titled: bool = False
    earlier: bool = False
    certain: bool = False
    unknown: int = 0

    def fits(self, turn: Turn) -> bool:
        """Return whether it can be that of a turn: its season, year and phase, as far as it names them."""
        if self.phases and turn.phase.value not in self.phases.split():
            return False
        if self.year and int(self.year) != (turn.year if len(self.year) > 2 else turn.year % 100):
            return False
        if self.season and turn.season:
            names = season_of(turn.season)
            if names not in self.season.split():
                return turn.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT)
        return True


def season_of(name: str) -> str:
    """Return the season of the table that a turn's season is."""
    return lexicon().values("SEASON").get(name.casefold(), name.casefold())


def turn_code(word: str) -> tuple[str, str, str] | None:
    """Read a folded word such as ``s1642m``, ``05s`` as seasons, year and phases; None if it is none."""
    if word.isalpha():
        return None
    codes, phases = lexicon().values("SEASONCODE"), lexicon().values("PHASECODE")
    letters = word.rstrip("0123456789mrbap")
    for length in range(len(letters), len(letters) + 4):
        season, rest = word[:length], word[length:]
        year = rest.rstrip("mrbap")
        phase = rest[len(year) :]
        if season in codes and year.isdecimal() and 2 <= len(year) <= 4 and len(phase) < 2:
            if phase == "r" and codes[season] == "winter":
                phase = "b"
            seasons = codes[season].split()[0] if phase else codes[season]  # S1643M is the e-mail Judge's
            return seasons, year, phases.get(phase, "")
    year = word.rstrip("abcdefghijklmnopqrstuvwxyz")
    if year.isdecimal() and 2 <= len(year) <= 4 and word[len(year) :] in codes:
        return codes[word[len(year) :]], year, ""
    return None


def read_heading(text: Text, first: int, last: int, *, whole: bool, own: str = "") -> Heading | None:
    """Read words as a heading; None if they are none. ``whole``: they are a line by themselves, so that no colon says
    that they head something."""
    found = Heading()
    if _unit_comes(text, first):
        return None
    i, count = first, 0
    while i < last:
        if text.words[i] in _DECOR:
            i += 1
            continue
        count += 1
        if count > LONGEST:
            return None
        step = _power(text, i, last, found, whole, own)
        if step < 0:
            return None
        step = step or _turn(text, i, last, found) or _title(text, i, last, found, whole)
        if not step:
            found.unknown += 1
            word = text.words[i]
            if not text.text[text.tokens[i].start].isupper() and not found.year:
                return None
            place = text.reader.places.exact(word) is not None and len(word) > 2
            if found.unknown > MOST_UNKNOWN or (place and not found.power) or text.at[i].keys() & _SPEAKS:
                return None
            step = 1
        i += step
    dated = found.year and (found.season or found.power)
    if found.unknown and not dated and not (found.power and found.unknown <= 2 and not whole):
        return None
    if not found.certain or (whole and any(_unit_comes(text, k) for k in range(first + 1, last))):
        return None
    found.earlier = found.earlier and not any("REPLACES" in text.at[k] for k in range(first, last))
    return found


def _unit_comes(text: Text, i: int) -> bool:
    """Whether a kind of unit and a place come at a word."""
    kinds = text.kinds(i)
    return bool(kinds) and any(
        cost < 0.4 or (cost < 1 and text.words[end] == "-")
        for end, _, cost in text.places(kinds[0][0] + (text.words[kinds[0][0]] == "("))
    )


_BEFORE_KIND = frozenset(["ARTICLE", "NUMBER", "NEW", "BOTH", "BUILD", "REMOVE"])
_SPEAKS = frozenset(["NEGATION", "CONDITION", "CHOICE", "QUOTATION", "RETRACTION"])


def _power(text: Text, i: int, last: int, found: Heading, whole: bool, own: str) -> int:
    """How many words name a power; less than none if it is another than the one before."""
    for end, power, cost in text.powers(i):
        alone = end == last and i == 0
        if cost and not (power == own or (not whole and alone and not text.reader.places.exact(text.words[i]))):
            continue
        if found.power not in ("", power):
            return -1
        found.power, found.certain = power, True
        return end - i
    word = text.words[i]
    if len(word) <= SHORTEST_BEGINNING and not whole and last - i == 1 and word.isalpha():
        named = text.reader.powers.begins_one(word)
        place = text.reader.places.exact(word, own)
        if place and named != own and text.adjusting and text.orders_at(place):
            return 0  # Bri: F, of the Franks in Brittany
        if named and (_owns_next(text, last + 1, named) if word in text.reader.codes else own):
            found.power, found.certain = named, True
            return 1
    return 0


def _owns_next(text: Text, i: int, power: str) -> bool:
    """Whether a unit that is named with its kind at a word is a power's, or can be built by it: ``A: A vie - gal``."""
    named = text.units(i + (text.words[i] == "+"))[:2]
    at = {key for _, subject, _ in named if subject.kind for key in subject.place.meaning.keys[:1]}
    position = text.position
    if position is None or not at:
        return False
    owned = position.centers_of(power) if text.adjusting else ()
    return not at.isdisjoint([*owned, *(key for key, unit in text.standing.items() if unit.power == power)])


def _turn(text: Text, i: int, last: int, found: Heading) -> int:
    word = text.words[i]
    if said := text.at[i].get("SEASON"):
        found.season, found.certain = said[0][1], True
        return said[0][0]
    if word.isdecimal() and len(word) < 3 and i and text.words[i - 1] in ("-", "+"):
        found.section, found.certain = ("remove" if text.words[i - 1] == "-" else "build"), True
        return 1
    if word.isdecimal() and (3 <= len(word) <= 4 or (len(word) == 2 and found.season and not found.year)):
        if i and "GAMEWORD" in text.at[i - 1]:
            return 1
        found.year = word.zfill(4) if len(word) > 2 else word
        return 1
    if code := turn_code(word):
        found.season, found.year, found.phases = code[0], code[1], code[2] or found.phases
        found.certain = True
        return 1
    if found.year and (said := text.at[i].get("PHASECODE")) and not found.season:
        found.phases = said[0][1]
        return 1
    if said := text.at[i].get("SEASONCODE"):
        after = text.words[i + 1]
        if after.isdecimal() and len(after) > 2:
            found.season, found.certain = said[0][1], True
            return 1
    return 0


def _title(text: Text, i: int, last: int, found: Heading, whole: bool) -> int:
    classes = text.at[i]
    for end, kind, _ in text.kinds(i):
        alone = all(
            text.words[k] in _DECOR or "PLEASE" in text.at[k] or text.words[k].isdecimal() for k in range(end, last)
        )
        led = i == 0 or text.words[i - 1] in _DECOR or not text.at[i - 1].keys().isdisjoint(_BEFORE_KIND)
        if alone and led and (len(text.words[i]) > 1 or not whole) and not any(map(text.kinds, range(i))):
            found.kind, found.certain = kind, True
            return last - i
    if "EARLIER" in classes:
        found.earlier = True
        return classes["EARLIER"][0][0]
    if "DOUBT" in classes:
        found.draft = True
        return classes["DOUBT"][0][0]
    if said := classes.get("SECTION"):
        length, section = said[0]
        if "TITLE" in classes or not whole:
            found.section = section or found.section
            found.certain = found.titled = True
            return length
    if said := classes.get("TITLE"):
        found.certain = found.titled = True
        return said[0][0]
    for name in ("HEADING", "GREETING", "REPLACES", "NUMBER"):
        if said := classes.get(name):
            found.titled = found.titled or name == "REPLACES"
            found.certain = found.certain or name == "REPLACES"
            return said[0][0]
    if text.words[i].isdecimal():
        return 1
    return 0


def headed(sheet: Sheet, line: Line, text: Text) -> int:
    """Go on under the heading that a line is, or with which it begins; return the word with which the rest begins."""
    last = len(text.tokens)
    whole = read_heading(text, 0, last, whole=not line.text.rstrip().endswith(":"), own=sheet.section)
    heads = {i: read_heading(text, 0, i, whole=text.words[i] != ":", own=sheet.section) for i in _head_ends(text)}
    if whole is None and not any(heads.values()):
        return 0
    ordered = [one for one in OrderReader(text).at(0) if one.end > 1 and one.cost < 1]
    open_kind = sheet.follows and isinstance(sheet.last, Build) and not sheet.last.kind
    if whole is not None and not ordered and not (whole.draft and sheet.last) and not (whole.kind and open_kind):
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


def _begins(sheet: Sheet, text: Text, i: int) -> bool:
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
