"""Headings: whose and which orders stand below them."""

import msgspec

from legation.notation.lexicon import lexicon
from legation.notation.names import SHORTEST_BEGINNING
from legation.notation.reading_text import Text
from legation.position import Phase, Turn

LONGEST = 16  # words of a heading
MOST_UNKNOWN = 4  # words of a heading that are not known, where it names the turn
_DECOR = frozenset(["-", ":", ",", "(", ")", "|", ".", "#", "=", "*", "~", "_", "/", "&", "[", "]", '"', ";", "…"])


class Heading(msgspec.Struct, frozen=True):
    """A line, or what stands before a colon, that says whose and which orders follow.

    ``season`` may be several, with blanks between them; ``section`` is what is done with units of which nothing is said
    below; ``draft``: it says that these orders may not count."""

    power: str = ""
    season: str = ""
    year: str = ""
    phases: str = ""
    section: str = ""
    draft: bool = False
    titled: bool = False
    earlier: bool = False
    kind: str = ""

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


class _Found:
    def __init__(self) -> None:
        self.power = self.season = self.year = self.phases = self.section = self.kind = ""
        self.certain = self.draft = self.titled = self.earlier = False
        self.unknown = 0


def read_heading(text: Text, first: int, last: int, *, whole: bool, own: str = "") -> Heading | None:
    """Read words as a heading; None if they are none. ``whole``: they are a line by themselves, so that no colon says
    that they head something."""
    found = _Found()
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
    return Heading(*(getattr(found, name) for name in Heading.__struct_fields__))


def _unit_comes(text: Text, i: int) -> bool:
    """Whether a kind of unit and a place come at a word."""
    kinds = text.kinds(i)
    return bool(kinds) and any(
        cost < 0.4 or (cost < 1 and text.words[end] == "-")
        for end, _, cost in text.places(kinds[0][0] + (text.words[kinds[0][0]] == "("))
    )


_BEFORE_KIND = frozenset(["ARTICLE", "NUMBER", "NEW", "BOTH", "BUILD", "REMOVE"])
_SPEAKS = frozenset(["NEGATION", "CONDITION", "CHOICE", "QUOTATION", "RETRACTION"])


def _power(text: Text, i: int, last: int, found: _Found, whole: bool, own: str) -> int:
    """How many words name a power; less than none if it is another than the one before."""
    for end, power, cost in text.powers(i):
        if end > last:
            continue
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


def _turn(text: Text, i: int, last: int, found: _Found) -> int:
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


def _title(text: Text, i: int, last: int, found: _Found, whole: bool) -> int:
    classes = text.at[i]
    for end, kind, _ in text.kinds(i):
        alone = all(
            text.words[k] in _DECOR or "PLEASE" in text.at[k] or text.words[k].isdecimal() for k in range(end, last)
        )
        led = i == 0 or text.words[i - 1] in _DECOR or not text.at[i - 1].keys().isdisjoint(_BEFORE_KIND)
        if alone and led and (len(text.words[i]) > 1 or not whole):
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
