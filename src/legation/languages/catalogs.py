"""Catalogs of messages, a gettext file (``de.po``) for each language in this folder.

The program writes its sentences in English, and so it keeps them in its records; here they are found again, whatever
names and numbers stand in them, and said in a reader's language. A message that a catalog lacks stays English, and the
log tells so once.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from gettext import c2py
from importlib import resources
from typing import Literal

import structlog

from legation.game.report import count
from legation.notation import capital

log = structlog.get_logger("legation.languages")
ENGLISH = "en"
CALLED = {"de": "Deutsch", "en": "English", "es": "Español", "fr": "Français"}
LONGEST_TOLD = 600  # characters of a sentence that is looked up by its pattern
MOST_TOLD = 4096  # texts that are remembered
DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
TURN = "{season} {year} {phase}"
DATE, DATE_OF_YEAR = "{weekday} {day} {month}", "{weekday} {day} {month} {year}"
FORMS = (TURN, "{season} {year}", "{year} {phase}", DATE, DATE_OF_YEAR, "in {time}", "results")
"""What a language puts in its own way: turns, dates, what is left until then."""
_PLACE = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"(?<![\w}])[^\W\d_]{2,}(?![\w{])")
_PARTS = (re.compile(r"(?<=[.!?]) "), re.compile(r"(?<=[:;]) "), re.compile(r"(?<=,) "))
"""Where a text is parted whose whole is no message."""
_TURN = re.compile(r"(?:([A-Z]\w+(?: or [A-Z]\w+)*) )?(\d{1,5})(?: ([A-Z]\w+))?")
_DATE = re.compile(rf"\b({'|'.join(DAYS)})([a-z]*day)? (\d\d?) ({'|'.join(MONTHS)})[a-z]*(?: (\d{{4}}))?\b")
_COUNT = re.compile(r"([\d,]*\d) ([a-z]+(?: [a-z]+)?)")
_LISTED = re.compile(r"([A-Z0-9].*) (and|or) ([A-Z0-9][^,]*)")
_THE = re.compile(r"[Tt]he (?=[A-Z])")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s$")


class Catalog:
    """The messages of one language. ``clauses``: those of what the program says; others stand in templates alone."""

    def __init__(
        self,
        language: str,
        messages: Mapping[str, str],
        counted: Mapping[str, tuple[str, ...]],
        which: Callable[[int], int],
        clauses: Iterable[str] | None = None,
    ) -> None:
        self.language = language
        self._messages = messages
        self._counted = counted  # by the singular, the forms for numbers
        self._singular = {f"{thing}s": thing for thing in counted} | {thing: thing for thing in counted}
        self._which = which  # of these forms a number takes
        self._clauses = frozenset(messages if clauses is None else clauses)
        self._by_word = _by_rarest_word([message for message in self._clauses if "{" in message])
        self._missing: set[str] = set()
        self.said = lru_cache(MOST_TOLD)(self._said)

    def text(self, message: str) -> str:
        """A message of a template."""
        found = self._messages.get(message)
        if found is None and message not in self._missing:
            self._missing.add(message)
            log.info("no translation", language=self.language, message=message)
        return found or message

    def counted(self, number: int, thing: str) -> str:
        """A number of things."""
        from babel.numbers import format_decimal

        forms = self._counted.get(thing)
        return (
            f"{format_decimal(number, locale=self.language)} {forms[self._which(number)]}"
            if forms
            else count(number, thing)
        )

    def listed(self, names: Sequence[str], *, choice: bool = False) -> str:
        """Names in a sentence, with "and" before the last, or "or"."""
        from babel.lists import format_list

        if choice:
            return format_list(list(names), style="or", locale=self.language)
        return format_list(list(names), locale=self.language)

    def told(self, value: object) -> object:
        """What a template shows, where it is a sentence of the program's: whole, or with names and numbers in it."""
        if type(value) is not str or " " not in value or len(value) > LONGEST_TOLD:
            return value
        if found := self._messages.get(value):
            return found
        return self.said(value) if value[-1] in ".!?:" else value

    def _said(self, text: str) -> str:
        """Return what the program says in this language: a sentence, several, or a part of one. Not for what people
        wrote."""
        if not text or len(text) > LONGEST_TOLD:
            return text
        if (found := self._found(text)) is not None:
            return found
        for end in _PARTS:
            if len(parts := end.split(text)) > 1:
                return " ".join(map(self.said, parts))
        core = text.rstrip(".:;,")
        found = self._found(core) if core != text else None
        return (self._names(core) if found is None else found) + text[len(core) :]

    def _found(self, text: str) -> str | None:
        """A message, whole or with its places filled, also where it stands at the beginning of a sentence."""
        for message in dict.fromkeys((text, text[:1].lower() + text[1:])):
            found = self._messages.get(message) if message in self._clauses else None
            if found is None:
                found = self._filled(message)
            if found is not None:
                return found if message == text else capital(found)
        return None

    def _filled(self, text: str) -> str | None:
        words = set(_WORD.findall(text))
        candidates = [message for word in words for message in self._by_word.get(word, ())]
        for message in sorted(candidates, key=lambda message: -len(_PLACE.sub("", message))):
            if (fits := _pattern(message).fullmatch(text)) and (translation := self._messages.get(message)):
                return _PLACE.sub(lambda place: self._put(place[1], fits[place[1]]), translation)
        return None

    def _put(self, place: str, value: str) -> str:
        """What stands in a place: a name without its English article and ending, a list, a number of things, or
        another clause."""
        if value[:1] == " ":
            return f" {self._put(place, value[1:])}"
        if place.startswith("whose") or _POSSESSIVE.search(value):
            value = _POSSESSIVE.sub("", value).removesuffix("'")
        if (several := _LISTED.fullmatch(value)) and len(several[1].split(", ")) < 60:
            return self.listed(
                [*map(self.said, several[1].split(", ")), self.said(several[3])], choice=several[2] == "or"
            )
        return self.said(_THE.sub("", value, count=1) if _THE.match(value) else value)

    def _names(self, text: str) -> str:
        """A text that is no message, with its turns, dates and numbers of things."""
        if turn := _TURN.fullmatch(text):
            named = {key: value for key, value in zip(("season", "year", "phase"), turn.groups(), strict=True) if value}
            names = {key: self._messages.get(value, value) for key, value in named.items()}
            if form := self._messages.get(" ".join(f"{{{key}}}" for key in named)):
                return form.format(**names)
        return _COUNT.sub(self._number, _DATE.sub(self._date, text))

    def _number(self, found: re.Match[str]) -> str:
        thing = self._singular.get(found[2])
        return found[0] if thing is None else self.counted(int(found[1].replace(",", "")), thing)

    def _date(self, found: re.Match[str]) -> str:
        from babel.dates import get_day_names, get_month_names

        width: Literal["wide", "abbreviated"] = "wide" if found[2] else "abbreviated"
        weekday = get_day_names(width, locale=self.language)[DAYS.index(found[1])]
        month = get_month_names(width, locale=self.language)[MONTHS.index(found[4]) + 1]
        form = DATE_OF_YEAR if found[5] else DATE
        return self._messages.get(form, form).format(weekday=weekday, day=found[3], month=month, year=found[5])


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
    text, seen = re.escape(first), set[str]()
    for number, (place, words) in enumerate(zip(rest[::2], rest[1::2], strict=True)):
        part = _held(place, seen) + re.escape(words)
        text += f"(?>{part})" if 2 * number + 2 < len(rest) else part
    return re.compile(text, re.DOTALL)


def _held(place: str, seen: set[str]) -> str:
    if place in seen:
        return f"(?P={place})"
    seen.add(place)
    return f"(?P<{place}>.+?)"


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
    messages = {str(m.id): str(m.string) for m in whole if not m.pluralizable and m.string}
    counted = {str(m.id[0]): tuple(m.string or ()) for m in whole if m.pluralizable and all(m.string or [""])}
    clauses = [str(m.id) for m in whole if not any(place.endswith((".html", ".js")) for place in m.auto_comments)]
    return Catalog(language, messages, counted, c2py(known.plural_expr), clauses)
