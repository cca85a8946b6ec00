"""Catalogs of messages, a gettext file (``de.po``) for each language in this folder.

The program writes its sentences in English, and so it keeps them in its records; here they are found again, whatever
names and numbers stand in them, and said in a reader's language. A message that a catalog lacks stays English, and the
log tells so once."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache, lru_cache, partial
from gettext import c2py
from importlib import resources
from typing import Literal
from unicodedata import normalize
from weakref import WeakKeyDictionary

import structlog
from markupsafe import Markup

from legation.board import Board
from legation.notation import capital
from legation.position import Turn

log = structlog.get_logger("legation.languages")
ENGLISH = "en"
CALLED = {"de": "Deutsch", "en": "English", "es": "Español", "fr": "Français"}
LONGEST_TOLD = 600  # characters of a sentence that is looked up by its pattern
MOST_TOLD = 4096  # texts that are remembered
Width = Literal["wide", "abbreviated"]
DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
TURN = "{season} {year} {phase}"
LAYOUTS = (TURN, "{season} {year}", "{year} {phase}")
DATE, DATE_OF_YEAR = "{weekday} {day} {month}", "{weekday} {day} {month} {year}"
DAY, DAY_OF_WEEK = "{day} {month} {year}", "{weekday}, {date}"
POWER = "name of a power"
"""Where names of powers are used. Their text is the name alone and, where it has an article in a sentence, the forms
with it: ``Türkei; die Türkei; der Türkei``. A board has those of its places."""
TURNS, KINDS = "turns", "units"
"""Where words of turns are used, seasons and phases, and what units are called. Their text is the name alone and, where
it is another in a sentence, its forms as of a power: ``Printemps; le printemps; du printemps; au printemps``. ``TURN``
has forms, too."""
AFTER = "after a word, the name of a power or place is"
"""What a language says for some words, by the number of a form: ``von: von 2, als: als 0``; ``de: 2 d’`` where one is
elided before a vowel; ``_: 5`` at the beginning of a sentence, whose subject the name is there. Turns and units have
forms, too."""
BEGINNING = "_"
UNITS = "d, h, min"
QUOTES = "“”"
MARKS = (*":;", *QUOTES)
"""Marks that some languages set apart from the word before, or have others for."""
FORMS = (
    *LAYOUTS, DATE, DATE_OF_YEAR, DAY, DAY_OF_WEEK, UNITS, "in {time}",
    "in less than a minute", "past", "results", "draft results", "corrected draft results", AFTER, *MARKS,
)  # fmt: skip
"""What a language puts in its own way: turns, dates, what is left until then, powers, marks between words."""
PLACES = frozenset("at center id into origin place province sea start steps target target2 to".split())
"""Placeholders that stand for places of the map. A power of the same name has an article, a place has its own forms."""
REASONS = frozenset("reason chosen paused".split())
"""Placeholders filled with what people wrote, which stays as it is; unless all of it is a message of the program."""
TITLES = frozenset("name title game coordinator organizer one other into out".split())
"""Placeholders for names that people chose, in which "and" stays, unless it joins powers or places."""
_PLACE = re.compile(r"\{(\w+)\}")
_PUT = re.compile(r"(?:\b([^\W\d_]+) )?\{(\w+)\}")
_WORD = re.compile(r"(?<![\w}])[^\W\d_]{2,}(?![\w{])")
ENDS = ".!?"
"""The marks at the end of a sentence, which begins with a capital."""
LABELS = tuple(",:·")
"""What follows a name that begins a line and is no part of its sentence."""
_PARTS = (re.compile(r"(?<=[.!?])(?<!\b[A-Z][a-z]\.) "), re.compile(r"(?<=[:;]) "), re.compile(r"(?<=,) "))
"""Where a text is parted whose whole is no message; ``St.`` is no end of a sentence."""
_ENDED = re.compile(r"(?:[^\W\d_]{3}|\d|[)”])[.!?] ")
"""The end of a sentence, and no abbreviation such as ``St.``, within what fills a place."""
_BRACKETED = re.compile(r"(?:([^():;]+) )?\(((?:[^()]|\([^()]*\))+)\)")
_TURN = re.compile(r"(?:([A-Z]\w+(?: or [A-Z]\w+)*) )?(\d{1,5})(?: ([A-Z]\w+))?")
_CAPITAL = re.compile(r"[A-Z]\w+")
_DATE = re.compile(rf"\b({'|'.join(DAYS)})([a-z]*day)? (\d\d?) ({'|'.join(MONTHS)})[a-z]*(?: (\d{{4}}))?\b")
_DAY = re.compile(rf"\b(\d\d?) ({'|'.join(MONTHS)})[a-z]* (\d{{4}})\b")
_COUNT = re.compile(r"([\d,]*\d) ([a-z]+(?: [a-z]+)?)")
_LISTED = re.compile(
    r"([A-Z0-9][^:;]*) (and|or) ((?:the )?[A-Z0-9](?:[^,:;()]|\([^()]*\))*)|((?:[\w/]+, )*[\w/]+) (and|or) ([\w/]+)"
)
_PAPER_MESSAGE = re.compile(r"\[((?:[^\[\]#\\]|#\w+\.\w+)+)\]")
"""What stands in brackets in a template for typst. Data in it (``#data.name``, ``#seat.name``) are ``{name}``."""
_DATUM = re.compile(r"#\w+\.(\w+)")
_THE = re.compile(r"[Tt]he (?=[A-Z])")
_WHOSE = r"(?:['’]s?|(?<=ish)|(?<=ese))(?!\w)"
_POSSESSIVE = re.compile(r"(?<=\w)['’]s$")


class Catalog:
    """The messages of one language. ``clauses``: those of what the program says; others stand in templates alone.
    ``powers``: the forms of their names; ``formed``: those of messages that have several."""

    def __init__(
        self,
        language: str,
        messages: Mapping[str, str],
        counted: Mapping[str, tuple[str, ...]],
        which: Callable[[int], int],
        clauses: Iterable[str] | None = None,
        powers: Mapping[str, Sequence[str]] | None = None,
        formed: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.language = language
        self._messages = messages
        self._counted = counted  # by the singular, the forms for numbers
        self._singular = {f"{thing}s": thing for thing in counted} | {thing: thing for thing in counted}
        self._which = which  # of these forms a number takes
        self._clauses = frozenset(messages if clauses is None else clauses)
        self._by_word = _by_rarest_word([message for message in self._clauses if "{" in message])
        self._powers = powers or {}
        self._formed = formed or {}
        self._words = self._clauses - self._powers.keys()  # of the program, which name no power
        after = re.findall(r"(\w+): (\D*\d)(?: ([^ ,]+))?", messages.get(AFTER, ""))
        self.after = {word: form for word, form, _ in after}
        self._elided = {word: short for word, _, short in after if short}
        self._missing: set[str] = set()
        self._places: Mapping[str, Sequence[str]] = {}  # their forms
        self._on: WeakKeyDictionary[Board, dict[str, Catalog]] = WeakKeyDictionary()
        self.said = lru_cache(MOST_TOLD)(self._said)

    def on(self, board: Board, names: str) -> Catalog:
        """Return this catalog with the places of a board as they are called in the language ``names``; itself where the
        board has no names in it."""
        if names not in board.translations:
            return self
        known = self._on.setdefault(board, {})
        if names not in known:
            shown = known[names] = copy(self)
            shown._places = {}
            forms = board.forms.get(names, {}) if names == self.language else {}
            for place, province in board.provinces.items():
                name = board.translations[names].get(place, province.name)
                for at in {place, *province.locations}:
                    coast = board.name_of(at).removeprefix(province.name)  # such as " (south coast)"
                    said = f" ({self.whole(coast[2:-1])})" if coast else ""
                    shown._places[board.name_of(at)] = [form + said for form in (name, *forms.get(place, ()))]
            shown.said = lru_cache(MOST_TOLD)(shown._said)
        return known[names]

    def text(self, message: str) -> str:
        """A message of a template; a thing that is counted elsewhere is one of it."""
        found = self._messages.get(message)
        if found is None and (forms := self._counted.get(message)):
            found = forms[self._which(1)]
        if found is None and message not in self._missing:
            self._missing.add(message)
            log.info("no translation", language=self.language, message=message)
        return found or message

    def whole(self, text: str) -> str:
        """A text that others than the program may have written, such as a variant's, where it is a message as it is."""
        return self._messages.get(text, text)

    def counted(self, number: int, thing: str) -> str:
        """A number of things."""
        from babel.numbers import format_decimal

        from legation.game.report import count  # with the judge, which who reads mails does without

        if forms := self._counted.get(thing):
            return f"{format_decimal(number, locale=self.language)} {forms[self._which(number)]}"
        return count(number, thing)

    def listed(self, names: Sequence[str], *, choice: bool = False) -> str:
        """Names in a sentence, with "and" before the last, or "or"."""
        from babel.lists import format_list

        names = [self._powers[name][0] if name in self._powers else self.whole(name) for name in names]
        if choice:
            return format_list(names, style="or", locale=self.language)
        return format_list(names, locale=self.language)

    def power(self, name: str, after: str | None = None, *, first: bool = False) -> str:
        """Return a power's name with the word it stands ``after`` in a sentence, if any; alone if that is None."""
        return self._form(self._powers[name], after, first)

    def _form(self, forms: Sequence[str], after: str | None, first: bool) -> str:
        """The form of a name that stands ``after`` a word."""
        if after is None:
            return forms[0]
        form = self.after.get(after.lower(), "9")
        if int(form[-1]) < len(forms):
            text = form[:-1] + forms[int(form[-1])]
        else:
            text = self._behind(after, forms[min(1, len(forms) - 1)])
        return capital(text) if first or after[:1].isupper() else text

    def _behind(self, after: str | None, text: str) -> str:
        """A text behind a word, if any."""
        after = "" if after == BEGINNING else after
        vowel = text and normalize("NFD", text[0])[0] in "AEIOUŒaeiouœ"
        return self._elided[after] + text if after in self._elided and vowel else f"{after or ''} {text}".lstrip()

    def told(self, value: object, after: str | None = None, first: bool = False) -> object:
        """What a template shows, where it is a sentence of the program's: whole, or with names and numbers in it; or
        the name of a power, which stands ``after`` a word of a message."""
        if type(value) is str and value in self._powers:
            return self.power(value, after, first=first)
        if isinstance(value, Turn):
            value = str(value)
        if (after or first) and type(value) is str and (forms := self._turn(value)):
            return self._form(forms, after, first)
        if after:
            if hasattr(value, "__html__"):
                return Markup("{} {}").format(after, value)
            return self._behind(after, f"{self.told(value)}")
        if type(value) is not str or " " not in value or len(value) > LONGEST_TOLD:
            return value
        if found := self._messages.get(value):
            return found
        names = value.split(", ")
        if all(name in self._powers for name in names):
            return ", ".join(map(self.power, names))
        return self.said(value) if value[-1] in ".!?:" or _TURN.fullmatch(value) else value

    def _said(self, text: str) -> str:
        """Return what the program says in this language: a sentence, several, or a part of one. Not for what people
        wrote."""
        if not text or len(text) > LONGEST_TOLD:
            return text
        if text in self._places:
            return self._places[text][0]
        if forms := self._counted.get(text):
            return forms[self._which(1)]
        if all((one := _COUNT.fullmatch(part)) and one[2] in self._singular for part in text.split(", ")):
            return _COUNT.sub(self._number, text)
        head, colon, rest = text.partition(": ")
        if colon and _TURN.fullmatch(head):
            return f"{self.said(head)}{self.marks(colon)}{self.said(rest)}"
        sentences = _PARTS[0].split(text)
        if len(sentences) > 1 and (found := self._found(text, several=True)) is not None:
            return found
        each = [self._found(sentence) for sentence in sentences]
        if None not in each:  # before the whole: a place of one message would take the next sentence in
            return " ".join(map(str, each))
        if len(each) > 1 and (found := self._found(text)) is not None:
            return found
        core = text.rstrip(".:;,")
        core = text if core[-1:].isspace() else core  # as French sets marks: it is said already
        if core != text and (found := self._found(core)) is not None:
            return (capital(found) if text[-1] in ENDS else found) + self.marks(text[len(core) :])
        if core != text and text[-1] in ":;,":
            return self.said(core) + self.marks(text[len(core) :])
        if bracket := _BRACKETED.fullmatch(text):
            return f"{self.said(bracket[1] or '')} ({self.said(bracket[2])})".lstrip()
        if (several := _LISTED.fullmatch(text)) and several[3] in self._powers:
            return self.listed([*several[1].split(", "), several[3]], choice=several[2] == "or")
        for end in _PARTS:
            if len(parts := end.split(text, end is _PARTS[1])) > 1:
                return " ".join(map(self.said, parts))
        return self._names(text) if core == text else self.said(core) + self.marks(text[len(core) :])

    def marks(self, text: str) -> str:
        """Marks between words, as the language sets them."""
        return "".join(map(self.whole, text))

    def _found(self, text: str, *, several: bool = False) -> str | None:
        """A message, whole or with its places filled, also where it stands at the beginning of a sentence; only one of
        ``several`` sentences, if that is asked for."""
        for message in dict.fromkeys((text, text[:1].lower() + text[1:])):
            found = self._messages.get(message) if message in self._clauses else None
            if found is None and (fits := self._fitting(message, several=several)):
                found = self._fill(fits[0], fits[1][0])
            if found is not None:
                return found if message == text else capital(found)
        return None

    def _fill(self, values: re.Match[str], form: str) -> str:
        return _PUT.sub(partial(self._put_after, values), form)

    def _fitting(self, text: str, *, several: bool = False) -> tuple[re.Match[str], Sequence[str]] | None:
        """Find the message whose places are filled in a text; return what fills them, and its translation's forms."""
        words = set(_WORD.findall(text))
        candidates = [message for word in words for message in self._by_word.get(word, ())]
        for message in sorted(candidates, key=_weight):
            if several and not _PARTS[0].search(message):
                continue
            fits, translation = _pattern(message).fullmatch(text), self._messages.get(message)
            if fits and translation and not any(_ends_in(value, message) for value in fits.groups() if value):
                named = fits.groupdict()
                if self._may_be_power(named.get("power", "")) and self._may_be_place(named.get("place", "")):
                    return fits, self._formed.get(message, (translation,))
        return None

    def _may_be_power(self, value: str) -> bool:
        """Whether a text is no more than a power: it has no words by which messages are known."""
        known = value in self._powers or self._by_word.keys().isdisjoint(_WORD.findall(value))
        return known and value not in self._words

    def _may_be_place(self, value: str) -> bool:
        """Whether a text is no more than a place, as far as the board's names tell."""
        return not self._places or not value[:1].isupper() or value in self._places

    def _put_after(self, values: re.Match[str], place: re.Match[str]) -> str:
        """A place of a translation, with the word before it, as it is filled."""
        after, name = place[1] or "", place[2]
        if is_quoted(place.string[: place.start()]):
            return values[name]
        rest = place.string[place.end() :].lstrip()
        begins = place.start() == 0
        if not after and (rest[:1] in LABELS if begins else place.string[place.start() - 1] + rest[:1] == "()"):
            return self._put(name, values[name], None)
        if begins and not after and BEGINNING in self.after and rest[:1] != "(":
            # not in "Rhine (from Saxony)", which follows a verb
            after = BEGINNING
        return self._put(name, values[name], after, first=begins and values.string[-1:] in ENDS)

    def _put(self, place: str, value: str, after: str | None, *, first: bool = False) -> str:
        """What stands in a place ``after`` a word: a name without its English article and ending, a list, a number of
        things, or another clause."""
        if value[:1] == " ":
            return f"{after or ''} {self._put(place, value[1:], '')}"
        if place in REASONS:
            return self._behind(after, self._found(value) or value)
        if place.startswith("whose") or _POSSESSIVE.search(value):
            value = _POSSESSIVE.sub("", value).removesuffix("'")
        value = self._bare(value)
        several = _LISTED.fullmatch(value) if value not in self._clauses and value.count(", ") < 60 else None
        if several and not (_THE.match(several[3] or "") and several[3][4:] not in self._powers):
            names, joined, last = filter(None, several.groups())
            one, *others = each = [*map(self._bare, (*names.split(", "), last))]
            if place in TITLES and not all(name in self._powers or name in self._places for name in each):
                return self._behind(after, value)
            put = [self._put_one(one, after, place, first=first)]
            put += [self._put_one(name, after, place) for name in others]
            repeats = self._elided and self.after.get((after or "").lower(), "")[:1].isdigit()  # de Rome et de Paris
            if after and not repeats and all(name.startswith(f"{after} ") for name in put):  # nach Rom, not ins Land
                put[1:] = [name.removeprefix(f"{after} ") for name in put[1:]]
            return self.listed(put, choice=joined == "or")
        return self._put_one(value, after, place, first=first)

    def _bare(self, name: str) -> str:
        """A name without its English article, unless that is part of it, as of ``The Ards``."""
        bare = name[4:] if _THE.match(name) else name
        return bare if name[:1] == "t" or bare in self._powers else name

    def _put_one(self, value: str, after: str | None, place: str, *, first: bool = False) -> str:
        if value in self._places:
            return self._form(self._places[value], after, first)
        names_power = value in self._powers
        if names_power and place not in PLACES:
            return self.power(value, after, first=first)
        if (after or first) and (forms := self._turn(value)):
            return self._form(forms, after, first)
        if (after or first) and not names_power and (found := self._fitting(value)) and len(found[1]) > 1:
            return self._form([self._fill(found[0], form) for form in found[1]], after, first)
        told = value if names_power else self.said(value)
        return self._behind(after, told)

    def _names(self, text: str) -> str:
        """A text that is no message, with its turns, dates and numbers of things."""
        if forms := self._turn(text):
            return forms[0]
        if text in self._powers:
            return self.power(text)
        text = text.translate({ord(mark): self.whole(mark) for mark in QUOTES})
        text = _DAY.sub(lambda day: self._written(*day.groups()), _DATE.sub(self._date, text))
        return _COUNT.sub(self._number, text)

    def _turn(self, text: str) -> list[str]:
        """The forms of a turn: alone and, where a language has others, in a sentence; none of what is no turn."""
        turn = _TURN.fullmatch(text)
        if not turn or not all(word in self._messages for word in _CAPITAL.findall(text)):
            return []
        named = {key: value for key, value in zip(("season", "year", "phase"), turn.groups(), strict=True) if value}
        layout = " ".join(f"{{{key}}}" for key in named)
        if layout not in self._messages:
            return []
        layouts = self._formed.get(layout, [self._messages[layout]])
        words = {key: self._formed.get(value, [self.whole(value)]) for key, value in named.items()}
        numbers = range(max(map(len, (layouts, *words.values()))))
        return [_at(layouts, n).format(**{key: _at(forms, n) for key, forms in words.items()}) for n in numbers]

    def _number(self, found: re.Match[str]) -> str:
        thing = self._singular.get(found[2])
        return found[0] if thing is None else self.counted(int(found[1].replace(",", "")), thing)

    def _date(self, found: re.Match[str]) -> str:
        from babel.dates import get_day_names

        name, in_full, day, month, year = found.groups()
        width: Width = "wide" if in_full else "abbreviated"
        weekday = get_day_names(width, locale=self.language)[DAYS.index(name)]
        if in_full and year:
            return self.whole(DAY_OF_WEEK).format(weekday=weekday, date=self._written(day, month, year))
        form = self.whole(DATE_OF_YEAR if year else DATE)
        return form.format(weekday=weekday, day=day, month=self._month(month, width), year=year)

    def _written(self, day: str, month: str, year: str) -> str:
        return self.whole(DAY).format(day=day, month=self._month(month, "wide"), year=year)

    def _month(self, name: str, width: Width) -> str:
        from babel.dates import get_month_names

        month: str = get_month_names(width, locale=self.language)[MONTHS.index(name) + 1]
        return month


def _at(forms: Sequence[str], number: int) -> str:
    """Return the form of that number; the last one where there are fewer."""
    return forms[min(number, len(forms) - 1)]


def is_quoted(before: str) -> bool:
    """Whether what stands behind a text is in quotes, as somebody wrote it."""
    return before.rstrip("\xa0\u202f").endswith(("“", "„", "«"))


def _weight(message: str) -> tuple[int, int, str]:
    """A key for sorting: messages with the most words of their own, and the fewest placeholders, come first; of two
    alike always the same."""
    words, places = _PLACE.subn("", message)
    return -len(words), places, message


def _ends_in(value: str, message: str) -> bool:
    """Whether what would fill a place of a message goes on behind it: a sentence ends in it, a bracket is open, or what
    has no colon or semicolon. A bracket that only closes (``:)``, ``1)``) is what somebody wrote."""
    ended = value[-1] in ":;," or value.count("(") > value.count(")") or _ENDED.search(value)
    parted = [mark for mark in (": ", "; ") if mark in value and mark not in message]
    return bool(ended) or (bool(parted) and message[-1] not in ".!?:")


def _by_rarest_word(messages: Sequence[str]) -> dict[str, list[str]]:
    """Messages with places, by a word that few others have: one that stands in a text whatever fills the places."""
    words = {message: set(_WORD.findall(_PLACE.sub("{}", message))) for message in messages}
    often = Counter(word for known in words.values() for word in known)
    found: dict[str, list[str]] = {}
    for message, known in words.items():
        if known:
            found.setdefault(min(known, key=lambda word: (often[word], word)), []).append(message)
    return found


@cache
def _pattern(message: str) -> re.Pattern[str]:
    """Return the pattern of texts that a message gives when its places are filled, one that comes again with the same.
    A place ends where the words after it come first, without trying others: else a text could take seconds."""
    first, *rest = _PLACE.split(message)
    text, part, before, seen = re.escape(first), "", first or " ", set[str]()
    for place, words in zip(rest[::2], rest[1::2], strict=True):
        if before and part:
            text, part = f"{text}(?>{part})", ""
        part += _held(place, seen, before) + re.escape(words)
        before = words
    return re.compile(text + part, re.DOTALL)


def _held(place: str, seen: set[str], before: str) -> str:
    """The pattern of what fills a place. One right behind another place or a word (``before``) adds something to it, or
    nothing: " and a capital", ": France"."""
    if place in seen:
        return f"(?P={place})"
    seen.add(place)
    if not before:
        return rf"(?P<{place}>|(?=[,:;] | \(| and ).+?)"
    if re.search("[a-z]{2}$", before):
        return rf"(?P<{place}>|s|(?=\W).+?)"
    return f"(?P<{place}>{'[^():]' if place == 'power' else '.'}+?{_WHOSE if place.startswith('whose') else ''})"


@cache
def languages() -> dict[str, str]:
    """The languages there are, by tag, with what they call themselves."""
    folder = resources.files("legation.languages")
    found = {ENGLISH, *(file.name.removesuffix(".po") for file in folder.iterdir() if file.name.endswith(".po"))}
    return {tag: CALLED.get(tag, tag) for tag in sorted(found)}


@cache
def catalog(language: str) -> Catalog:
    """Return the catalog of a language."""
    from babel.messages.pofile import read_po  # takes 40 ms: only who reads another language waits for it

    file = resources.files("legation.languages") / f"{language}.po"
    known = read_po(io.BytesIO(file.read_bytes()), language)
    whole = [message for message in known if message.id and not message.fuzzy]
    told = [m for m in whole if POWER not in m.auto_comments]
    messages = {str(m.id): str(m.string) for m in told if not m.pluralizable and m.string}
    named = [*LAYOUTS, *(str(m.id) for m in told if {TURNS, KINDS}.intersection(m.auto_comments))]
    formed = {name: messages[name].split("; ") for name in named if name in messages}
    messages |= {name: forms[0] for name, forms in formed.items()}
    counted = {str(m.id[0]): tuple(m.string or ()) for m in whole if m.pluralizable and all(m.string or [""])}
    clauses = [str(m.id) for m in told if not any(place.endswith((".html", ".js")) for place in m.auto_comments)]
    powers = {str(m.id): str(m.string).split("; ") for m in whole if POWER in m.auto_comments and m.string}
    return Catalog(language, messages, counted, c2py(known.plural_expr), clauses, powers, formed)


def text_in(language: str, message: str) -> str:
    """Return a message in a language; as it is in English, and in a language that there is not."""
    return message if language == ENGLISH or language not in languages() else catalog(language).text(message)


def said_in(language: str, board: Board | None = None, names: str = "") -> Callable[[str], str]:
    """Return what puts the program's words into a language, with the places of a ``board`` as they are called there,
    or in another language (``names``)."""
    if language == ENGLISH or language not in languages():
        return str
    known = catalog(language)
    return known.said if board is None else known.on(board, names or language).said


def messages_of_paper(template: str) -> Iterator[str]:
    """Yield the messages in a typst template."""
    for found in _PAPER_MESSAGE.finditer(template):
        message = _DATUM.sub(r"{\1}", " ".join(found[1].split()))
        if re.search(r"[a-z]{2}", _PLACE.sub("", message)):
            yield message


def paper_in_language(template: str, language: str) -> str:
    """Return a template with its messages in a language."""

    def put(found: re.Match[str]) -> str:
        message = next(messages_of_paper(found[0]), "")
        data = {datum[1]: datum[0] for datum in _DATUM.finditer(found[0])}
        return f"[{catalog(language).text(message).format(**data)}]" if message else found[0]

    return template if language == ENGLISH else _PAPER_MESSAGE.sub(put, template)
