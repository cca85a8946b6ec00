"""Pages from templates: :func:`page` renders one, :class:`PageError` is shown as one.

A template gets what its route gives it, and: ``request``, ``settings``, ``office`` (None without one), ``viewer`` (who
is signed in, or None), ``theme`` (``light``, ``dark`` or empty), ``language``, the ``languages`` there are,
``asset(path)``, ``imports`` of scripts and ``map_of(variant)``.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import msgspec
from fastapi import HTTPException, Request
from jinja2 import Environment, PackageLoader, StrictUndefined, nodes, pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from starlette.responses import HTMLResponse

from legation.game.report import count
from legation.notation import agrees, called, capital, listed, possessive
from legation.office.clock import day_in_words
from legation.web.languages import catalog, chosen_language, languages
from legation.web.languages.catalogs import ENGLISH
from legation.web.languages.messages import Translator
from legation.web.serving.assets import assets
from legation.web.serving.sessions import viewer_of

THEMES = ("light", "dark")


class PageError(HTTPException):
    """Error that a page tells: a sentence on what happened, and where one can go from here, as pairs of text and
    address."""

    def __init__(self, status: int, detail: str, *, mend: str = "", ways: list[tuple[str, str]] | None = None) -> None:
        super().__init__(status, detail)
        self.mend = mend
        self.ways = ways or []


class _Translated(Environment):
    """Templates whose messages are those of a catalog. They are put in once, when a template is compiled."""

    def __init__(self, language: str, **options: Any) -> None:
        super().__init__(**options)
        self.messages = catalog(language)
        self.filters["told"] = self.messages.told
        self.filters["counted"] = self.messages.counted

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        Translator(self.messages.text, told="told").walk(tree)
        return tree


@cache
def templates(language: str = ENGLISH) -> Environment:
    """Return the template environment; an undefined name is an error, not an empty text."""
    kind = Environment if language == ENGLISH else partial(_Translated, language)
    environment = kind(
        loader=PackageLoader("legation.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["asset"] = partial(assets.address, language="" if language == ENGLISH else language)
    environment.globals["imports"] = assets.imports
    environment.filters["day"] = day_in_words
    environment.filters.setdefault("counted", count)
    environment.filters |= {"called": _called, "whose": _whose, "agrees": agrees, "capital": capital, "listed": listed}
    return environment


@pass_context
def _called(context: Context, name: str) -> str:
    """Return a power's name within a sentence, by the variant of the page's map: ``the Franks``."""
    live = context.get("live")
    return called(name) if live is None else live.rules.named(name).called


@pass_context
def _whose(context: Context, name: str) -> str:
    return possessive(_called(context, name), "’")


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a template with ``values`` as a response."""
    theme = request.cookies.get("theme", "")
    language = chosen_language(request)
    text = (
        templates(language)
        .get_template(template)
        .render(
            request=request,
            settings=request.app.state.settings,
            office=request.app.state.office,
            viewer=viewer_of(request),
            theme=theme if theme in THEMES else "",
            language=language,
            languages=languages(),
            patterns=request.cookies.get("patterns") == "on",
            **values,
        )
    )
    return HTMLResponse(text, status, {"vary": "accept-language"})


def embed(value: object) -> Markup:
    """Return a value as JSON that is safe inside a script element."""
    text = msgspec.json.encode(value).decode().replace("<", "\\u003c").replace("\u2028", "\\u2028")
    return Markup(text)
