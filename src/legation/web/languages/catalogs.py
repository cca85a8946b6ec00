"""Catalogs of messages, a gettext file (``de.po``) for each language in this folder.

A message that a catalog lacks is shown in English, and the log tells so once.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from functools import cache
from gettext import c2py
from importlib import resources

import structlog
from starlette.requests import Request

from legation.game.report import count

log = structlog.get_logger("legation.web")
ENGLISH = "en"
CALLED = {"de": "Deutsch", "en": "English", "es": "Español", "fr": "Français"}
_PLACE = re.compile(r"\{(\w+)\}")
LONGEST_TOLD = 600  # characters of a sentence that is looked up by its pattern


class Catalog:
    """The messages of one language."""

    def __init__(
        self, language: str, messages: dict[str, str], counted: dict[str, tuple[str, ...]], which: Callable[[int], int]
    ) -> None:
        self.language = language
        self._messages = messages
        self._counted = counted  # by the singular, the forms for numbers
        self._which = which  # of these forms a number takes
        self._patterns: dict[str, list[tuple[re.Pattern[str], str]]] = {}
        for message, text in messages.items():
            first, blank, _ = message.partition(" ")
            if "{" in message and "<" not in message and blank and "{" not in first:
                self._patterns.setdefault(first, []).append((_pattern(message), text))
        self._missing: set[str] = set()

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

    def listed(self, names: Sequence[str]) -> str:
        """Names in a sentence."""
        from babel.lists import format_list

        return format_list(list(names), locale=self.language)

    def told(self, value: object) -> object:
        """What a template shows, where it is a sentence of the program's: whole, or with names and numbers in it."""
        if type(value) is not str or " " not in value or len(value) > LONGEST_TOLD:
            return value
        found = self._messages.get(value)
        if found:
            return found
        for pattern, text in self._patterns.get(value.partition(" ")[0], ()):
            if fits := pattern.fullmatch(value):
                return _PLACE.sub(lambda place: fits[place[1]], text)
        return value


def _pattern(message: str) -> re.Pattern[str]:
    """What a message with places looks like once these are filled; a place that comes again has the same."""
    seen: set[str] = set()
    text = ""
    for n, part in enumerate(_PLACE.split(message)):
        if n % 2 == 0:
            text += re.escape(part)
        else:
            text += f"(?P={part})" if part in seen else f"(?P<{part}>.+?)"
            seen.add(part)
    return re.compile(text, re.DOTALL)


@cache
def languages() -> dict[str, str]:
    """The languages of pages, by tag, with what they call themselves."""
    folder = resources.files("legation.web.languages")
    found = {ENGLISH, *(file.name.removesuffix(".po") for file in folder.iterdir() if file.name.endswith(".po"))}
    return {tag: CALLED.get(tag, tag) for tag in sorted(found)}


@cache
def catalog(language: str) -> Catalog:
    """Return the catalog of a language."""
    from babel.messages.pofile import read_po  # takes 40 ms: only who reads another language waits for it

    file = resources.files("legation.web.languages") / f"{language}.po"
    known = read_po(io.BytesIO(file.read_bytes()), language)
    whole = [message for message in known if message.id and not message.fuzzy]
    messages = {str(m.id): str(m.string) for m in whole if not m.pluralizable and m.string}
    counted = {str(m.id[0]): tuple(m.string or ()) for m in whole if m.pluralizable and all(m.string or [""])}
    return Catalog(language, messages, counted, c2py(known.plural_expr))


def chosen_language(request: Request) -> str:
    """Return the language for a reader: chosen here, else what the browser asks for, else English."""
    chosen = request.cookies.get("language", "")
    if chosen in languages():
        return chosen
    weighed = []
    for n, part in enumerate(request.headers.get("accept-language", "")[:200].split(",")):
        tag, _, weight = part.partition(";")
        number = weight.strip().removeprefix("q=")
        known = float(number) if number.replace(".", "", 1).isdecimal() else 0.0 if weight else 1.0
        weighed.append((known, -n, tag.strip().partition("-")[0].lower()))
    return next((tag for q, _, tag in sorted(weighed, reverse=True) if q and tag in languages()), ENGLISH)
