"""Headings: whose and which orders stand below them, and the name of who plays."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from legation.notation.names import Names, fold, misspelled_power
from legation.notation.prose.sayings import AGAINST, GREETINGS, HEARSAY, QUESTIONS, QUOTES
from legation.notation.prose.seasons import _CODED, _SEASON_CODES, SEASONS, read_turn_code
from legation.position import Turn

HEADING_WORDS = frozenset(
    "order orders ordered move moves movement movements retreat retreats build builds adjustment adjustments removal "
    "removals "
    "remove removes removed removing disband disbands disbanded disbanding be "
    "placement placements phase turn season year for of the from my our here are is as "
    "follows follow this "
    "these set sheet final initial submission version game units unit power country player and in hi hello please find "
    "below anbei hierbij mina seguenti siguientes suivants folgende "
    "gm mes meine mis miei mijn mina voici hier ecco sind aqui estan pour fur para los le les die il "
    "ordres befehle ordenes ordini ordrer ordens rozkazy zuge herewith enclosed submitted la il i gli de van voor per "
    "ciao hola hoi servus moin mis mijn "
    "following first second one two three four five six new revised latest "
    "heres in to on army armies fleet fleets i submit submitting name s1 attached "
    "full complete have must need we "
    "coordinator moderator umpire editor earl duke marquess general "
    "me just starting start opening setup up deployment "
    "adj adjs mov allowed available permitted construction constructions list target destination action due "
    "hours".split()
)
STARTS = {
    "build": "build",
    "builds": "build",
    "placement": "build",
    "placements": "build",
    "construction": "build",
    "constructions": "build",
    "removal": "remove",
    "removals": "remove",
    "remove": "remove",
    "removes": "remove",
    "removed": "remove",
    "removing": "remove",
    "disbanded": "remove",
    "disbanding": "remove",
    "disband": "remove",
    "disbands": "remove",
    "off": "remove",
    "retreat": "",
    "hold": "hold",
    "holds": "hold",
}
LABELS = frozenset(
    "supports support convoys convoy attacks attack move hold holds off board armies fleets units land sea".split()
)
"""Words that are headings only before a colon."""
REGIONS = frozenset(
    "home north south east west northern southern eastern western center centre central continent mainland overseas "
    "navy front coast".split()
)
"""Words by which a sheet is divided, before a colon, where no place is called so."""
LANDS = frozenset(
    "italy balkans scotland ireland wales england continent iberia spain france germany russia turkey greece poland "
    "scandinavia britain africa asia europe levant mediterranean med baltic atlantic channel midlands lowlands "
    "highlands anatolia caucasus low countries sea seas islands ashore".split()
)
"""Parts of maps by which a sheet is divided, before a colon, where no power is called so."""
LABELS_WITHIN = frozenset("moves move supports support convoys convoy attacks attack orders order".split())
"""Words that are headings within a line."""
TITLES = frozenset(
    "ordres befehle ordenes ordini ordrer ordens rozkazy zuge order orders "
    "moves movement movements retreats builds adjustment adjustments removals placement placements".split()
)
NO_TITLE = AGAINST | QUESTIONS | HEARSAY | frozenset("hold holds support supports convoy convoys to".split())
MOST_UNKNOWN = 4
ANEW = frozenset("full complete new revised final latest updated corrected this these here now current today".split())
"""Words of headings that say that what stands below counts."""
BEFORE_COLON = LABELS | ANEW | STARTS.keys()
_DECOR = "#=*-~_:|.>[]() \t"


class SheetHeading(msgspec.Struct, frozen=True):
    """A line, or what stands before a colon, that says whose and which orders follow."""

    power: str = ""
    season: str = ""  # or several, with blanks between them, that it may be
    year: str = ""
    verb: str = ""
    phase: str = ""  # the letter for it: F1902R
    anew: bool = False  # it says that these orders count, whatever stands above

    def fits(self, turn: Turn) -> bool:
        """Return whether a heading can be that of a turn: its season, year and phase, as far as it names them."""
        if self.phase and turn.phase not in _CODED[self.phase]:
            return False
        if self.year and len(self.year) == 4 and int(self.year) != turn.year:
            return False
        if self.year and len(self.year) == 2 and int(self.year) != turn.year % 100:
            return False
        if self.season and turn.season and SEASONS.get(turn.season.casefold()) not in self.season.split():
            return turn.phase.value in ("Adjustments", "Placement")
        return True


_ADDRESS = re.compile(r"[^\W\d_][\w.' -]{2,40},\s?\d{1,4}\w?\s[^\W\d_][^()\n>]{2,60}")
"""Who plays, and where: ``S. Brown, 12 Mill Lane, York``."""


_QUOTED = re.compile(r"[\"“”]([^\"“”\n]{2,60})[\"“”]")


def _without_player(text: str, powers: Names, places: Names, *, colon: bool = False) -> str:
    """A heading less the name of who plays: ``ENGLAND (J. Smith) Spring 1901``, ``France, P. Dupont``, ``P. Dupont
    (France)``."""
    text = _QUOTED.sub(r"(\1)", text)
    for opening, closing in ("()", "[]", "{}", "<>"):
        head, mark, inner = text.partition(opening)
        if not mark or text.count(opening) > 1:
            continue
        inner, _, turn = inner.partition(closing)
        inner = inner.strip()
        if closing in turn:
            continue
        if powers.exact(fold(head)) and (_is_player(inner, powers, places) or _ADDRESS.fullmatch(inner)):
            return f"{head} {turn}"
        if len(inner) > 2 and powers.exact(fold(inner)) and _is_player(head.strip(), powers, places):
            return f"{inner} {turn}"
    for mark in (",", " - ", " – ", " — ", "/"):
        head, found, name = text.partition(mark)
        if not found or len(head) < 3 or not powers.exact(fold(head)) or not _is_player(name, powers, places):
            continue
        if "." in name or (colon and all(_is_no_place(word, powers, places) for word in fold(name).split())):
            return head
    return text


def _is_no_place(word: str, powers: Names, places: Names) -> bool:
    """Whether a word can only be a person's name: it is like that of no place."""
    return is_plain_name(word, powers, places) and not places.shortened(word).keys and not places.nearly(word)


def _is_player(text: str, powers: Names, places: Names) -> bool:
    """Whether a text may be the name, the address or the color of who plays, and nothing that a unit does."""
    if not text or len(text) > 60 or any(sign in text for sign in (" -", "- ", "->", ">", ":", ";", "/", "?")):
        return False
    words = fold(text).split()
    return (
        len(words) <= FEW_NAMES
        and not any(len(w) > 2 and places.exact(w) for w in words)
        and places.exact(" ".join(words)) is None
        and not {w for w in words if len(w) > 1} & (NO_TITLE | QUOTES)  # I. Ivanov
    )


FEW_NAMES = 6  # words in the name of who plays


_GAME_NUMBER = re.compile(r"\((?=[^()]*\d)[A-Z\d]{1,6}/[A-Z\d]{1,6}\)")
"""The number of a game beside the turn."""


def is_plain_name(word: str, powers: Names, places: Names) -> bool:
    """Whether a word may be the name of somebody, and nothing else that is known."""
    return len(word) > 1 and word not in AGAINST and _is_name(word, powers, places) and not places.meaning(word).keys


def _is_name(word: str, powers: Names, places: Names) -> bool:
    """Whether a word after a greeting is a person's name."""
    known = HEADING_WORDS | NO_TITLE | SEASONS.keys()
    return word.isalpha() and word not in known and powers.exact(word) is None and places.exact(word) is None


def _year_beside(words: Sequence[str], at: int) -> bool:
    """Whether a year stands before a word or behind it."""
    return any(re.fullmatch(r"\d{3,4}", word) for word in words[max(at - 1, 0) : at + 2])


def _is_date(word: str) -> bool:
    """Whether a word is the code or the year of a turn."""
    return read_turn_code(word) is not None or re.fullmatch(r"\d{3,4}", word) is not None


def read_heading(text: str, powers: Names, places: Names, *, whole: bool, own: str = "") -> SheetHeading | None:
    """What a line says as a heading, or None if it is none; ``whole``: the line is nothing else (no colon follows). Of
    the name of the ``own`` power one letter may be wrong; of that of another not, since it would speak against what
    stands below.

    It is long because each kind of word that a heading may have is tried here, word by word, until none is left.
    """
    if len(text) > 100:
        return None
    if (numbered := _GAME_NUMBER.search(text)) is not None:  # Germany A99 (1897/4)
        rest = text[: numbered.start()] + text[numbered.end() :]
        heading = read_heading(rest, powers, places, whole=whole, own=own)
        if heading is not None and heading.season and heading.year:
            return heading
    core = text.strip(_DECOR)
    words = fold(_without_player(core, powers, places, colon=not whole)).split()
    if not words or len(words) > 16:
        return None
    if whole and words[0] in ("army", "fleet") and powers.exact(" ".join(words[1:])):  # a unit in a place called so
        return None
    parts = {"power": "", "season": "", "year": "", "verb": "", "phase": ""}
    dated = len(words) == 2 and any(_is_date(word) for word in words)  # R F02: a letter is a power
    certain = False
    unknown = 0
    i = 0
    while i < len(words):
        for length in range(min(powers.longest, len(words) - i), 0, -1):
            name = " ".join(words[i : i + length])
            power = powers.exact(name) or (powers.exact(name[:-1]) if name.endswith("s") and len(name) > 4 else None)
            if power is None and not whole and len(words) == 1 and not places.meaning(name).keys:  # TUR: A con H
                short = powers.shortened(name)
                power = short.keys[0] if short.sure else None
            if power is None and own and misspelled_power(name, powers, places) == own:
                power = own
            if power is None and dated:  # Brit F1000
                short = powers.shortened(name)
                power = short.keys[0] if short.sure and not places.exact(name) else None
            if power is not None and (len(name) > 2 or dated or (not whole and len(words) == 1)):
                if parts["power"] not in ("", power):
                    return None
                parts["power"] = power
                certain = True
                i += length
                break
        else:
            word = words[i]
            code = read_turn_code(word)
            if word in SEASONS:
                parts["season"] = SEASONS[word]
                certain = True
            elif word.isdecimal() and words[:i][-1:] == ["game"]:
                pass  # Game 42
            elif re.fullmatch(r"\d{3,4}", word):
                parts["year"] = word.zfill(4)
            elif word == "ad" and _year_beside(words, i):
                pass
            elif word in _CODED and not parts["season"] and i and re.fullmatch(r"\d{3,4}", words[i - 1]):
                parts["phase"] = word  # England 1440 M
            elif parts["season"] and not parts["year"] and re.fullmatch(r"\d\d", word):
                parts["year"] = word
            elif word in _SEASON_CODES and re.fullmatch(r"\d{3,4}", words[i + 1] if i + 1 < len(words) else ""):
                parts["season"] = _SEASON_CODES[word]  # W 999
                certain = True
            elif code:
                parts["season"], parts["year"], parts["phase"] = code.seasons, code.year, code.phase
                certain = True
            elif not whole and word in REGIONS and places.exact(word) is None:
                certain = True
            elif (
                word in HEADING_WORDS
                or (not whole and word in LABELS)
                or re.fullmatch(r"v\d+|\d|\dst|\dnd|\drd|\dth", word)
            ):
                certain = certain or word in TITLES or (not whole and word in BEFORE_COLON)
                if word in STARTS:
                    parts["verb"] = STARTS[word]
                if word in GREETINGS and i + 2 < len(words) and _is_name(words[i + 1], powers, places):
                    i += 1  # Hi Anna, here are my orders
            else:
                unknown += 1
                if not whole or word in NO_TITLE or len(word) == 1 or unknown > MOST_UNKNOWN or places.exact(word):
                    return None
                if places.shortened(word).sure and places.shortened(words[-1]).sure:  # Fall 1902 Cons - Bulg
                    return None
            i += 1
    if not whole and parts["year"] and set(words) <= {"for", "in", "the", "year", parts["year"]}:
        certain = True
    if unknown and not (parts["year"] and parts["season"]):  # the name of the game beside the turn
        return None
    return SheetHeading(**parts, anew=not ANEW.isdisjoint(words)) if certain else None
