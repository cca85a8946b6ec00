"""Pages from templates: :func:`page` renders one, :class:`PageError` is shown as one; their routers and routes, and the
times, texts and faults on them.

A template gets what its route gives it, and: ``request``, ``settings``, ``office`` (None without one), ``viewer`` (who
is signed in, or None), ``theme`` (``light``, ``dark`` or empty), ``language``, the ``languages`` there are, ``times``
(None without an office), ``attempt`` (the form that was refused, if any was), ``asset(path)``, ``imports`` of scripts
and ``map_of(variant)``.

A router is asked only for addresses that begin as one of its own do, and what a page shows of the office is read in one
transaction."""

import functools
import inspect
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, cached_property, lru_cache, partial
from typing import Any

import msgspec
from fastapi import APIRouter, HTTPException, Request
from fastapi.routing import APIRoute
from jinja2 import Environment, PackageLoader, StrictUndefined, nodes, pass_context
from jinja2.runtime import Context
from markdown_it import MarkdownIt
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse
from starlette.routing import Match
from starlette.types import Scope

from legation.game.report import count
from legation.languages import ENGLISH, UNITS, Catalog, catalog, languages, text_in
from legation.notation import agrees, called, capital, listed, possessive
from legation.office.clock import day_in_words, moment_in_words
from legation.office.office import Office
from legation.web.languages.messages import Translator
from legation.web.serving.assets import assets
from legation.web.serving.forms import attempt_of
from legation.web.serving.sessions import chosen_language, office_of, viewer_of, zone_of

THEMES = ("light", "dark")
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


class PageError(HTTPException):
    """Error shown as a page: what happened, and where to go from here, as pairs of text and address."""

    def __init__(self, status: int, detail: str, *, mend: str = "", ways: list[tuple[str, str]] | None = None) -> None:
        super().__init__(status, detail)
        self.mend = mend
        self.ways = ways or []


class Times:
    """The times of one page, for its reader.

    The page's script writes them anew where the browser's zone is another one."""

    def __init__(self, request: Request) -> None:
        self.zone: tzinfo = zone_of(request)
        self.language = chosen_language(request)
        self.now: datetime = office_of(request).clock.now()

    def at(self, moment: datetime) -> Markup:
        """A time as ``Thu 14 May, 07:00 UTC``."""
        at = moment.astimezone(UTC).isoformat(timespec="seconds")
        return Markup(f'<time datetime="{at}" data-at="{self.zone}">{escape(self.words(moment))}</time>')

    def due(self, moment: datetime) -> Markup:
        """Return a time with what is left until then: ``Thu 14 May, 07:00 UTC, in 2 d 4 h``."""
        left = round((moment - self.now).total_seconds())
        words = left_in_words(moment - self.now, self.language)
        return Markup(f'{self.at(moment)}, <span class="left" data-left="{left}">{words}</span>')

    def words(self, moment: datetime) -> str:
        """A time in the reader's zone."""
        another_year = moment.astimezone(self.zone).year != self.now.astimezone(self.zone).year
        words = moment_in_words(moment, self.zone, year=another_year)
        return words if self.language == ENGLISH else catalog(self.language).said(words)


def left_in_words(left: timedelta, language: str = ENGLISH) -> str:
    """Return what is left until a time, in its two largest parts: ``in 2 d 4 h``."""
    text = partial(text_in, language)
    minutes = int(left.total_seconds() // 60)
    if minutes <= 0:
        return text("past" if minutes else "in less than a minute")
    (days, rest), hour = divmod(minutes, 24 * 60), 60
    day_unit, hour_unit, minute_unit = text(UNITS).split(", ")
    parts = [(days, day_unit), (rest // hour, hour_unit)]
    if not days:
        parts = [(rest // hour, hour_unit), (rest % hour, minute_unit)]
    return text("in {time}").format(time=" ".join(f"{n} {unit}" for n, unit in parts if n))


class Written(str):
    """What a person wrote, which is shown as it is in every language."""


class _Translated(Environment):
    """Templates whose messages are those of a catalog. They are put in once, when a template is compiled."""

    def __init__(self, language: str, **options: Any) -> None:
        super().__init__(**options)
        self.messages = catalog(language)
        self.filters |= {"told": self._told, "counted": self.messages.counted, "listed": self.messages.listed}
        self.filters |= {"said": self._said, "day": lambda day: self.messages.said(day_in_words(day))}
        self.filters["whole"] = lambda text: Written(self.messages.whole(text))
        self.filters["stated"] = lambda text: Written(self.messages.text(text))
        self.filters |= {"called": str, "whose": str}  # names without English articles and endings

    @pass_context
    def _told(self, context: Context, value: object, after: str | None = None, first: bool = False) -> object:
        known = self._with_places(context) if type(value) is str and " " in value else self.messages
        return known.told(value, after, first)

    @pass_context
    def _said(self, context: Context, text: str) -> str:
        return self._with_places(context).said(text)

    def _with_places(self, context: Context) -> Catalog:
        """The messages, with the places of the page's map as it shows them."""
        live = context.get("live")
        return self.messages if live is None else self.messages.on(live.rules.board, live.language)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        Translator(self.messages.text, told="told", after=self.messages.after).walk(tree)
        return tree


@cache
def templates(language: str) -> Environment:
    """Return the template environment; an undefined name is an error, not an empty text."""
    kind = Environment if language == ENGLISH else partial(_Translated, language)
    environment = kind(
        loader=PackageLoader("legation.web"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,  # else it looks at a template's file each time
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["asset"] = partial(assets.address, language="" if language == ENGLISH else language)
    environment.globals["imports"] = assets.imports
    environment.filters["written"] = Written
    english = {
        "day": day_in_words,
        "called": _called,
        "whose": _whose,
        "counted": count,
        "listed": listed,
        "said": str,
        "whole": str,
        "stated": str,
    }
    environment.filters = english | {"agrees": agrees, "capital": capital} | environment.filters
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
    office, theme = request.app.state.office, request.cookies.get("theme", "")
    language = chosen_language(request)
    always = {
        "request": request,
        "settings": request.app.state.settings,
        "office": office,
        "viewer": viewer_of(request),
        "theme": theme if theme in THEMES else "",
        "language": language,
        "languages": languages(),
        "patterns": request.cookies.get("patterns") == "on",
        "times": Times(request) if office is not None else None,
        "attempt": attempt_of(request),
    }
    text = templates(language).get_template(template).render({**always, **values})
    return HTMLResponse(text, status, {"vary": "accept-language"})


def embed(value: object) -> Markup:
    """Return a value as JSON that is safe inside a script element."""
    text = msgspec.json.encode(value).decode().replace("<", "\\u003c").replace("\u2028", "\\u2028")
    return Markup(text)


@lru_cache(maxsize=64)
def from_markdown(text: str) -> Markup:
    """The text as HTML. Its first heading is left out (the page has one), the others are put below the page's."""
    tokens = _markdown.parse(text)
    if tokens and tokens[0].tag == "h1":
        del tokens[:3]
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 1)}"
    html = _markdown.renderer.render(tokens, _markdown.options, {})
    return Markup(html)  # made by the renderer, which escapes all text


def sentence(fault: str) -> str:
    """What is wrong, as a sentence; one that begins with a file or a place in one (``land.csv:2: ...``) begins so."""
    first = fault.partition(" ")[0]
    begun = fault if first.endswith(":") else fault[:1].upper() + fault[1:]
    return begun if begun.endswith((".", "!", "?")) else f"{begun}."


class PageRouter(APIRouter):
    """A router of pages. There are some forty, and FastAPI asks one after the other whether an address is theirs: what
    begins otherwise than all of a router's addresses is not compared with each of them."""

    @cached_property
    def _begins(self) -> frozenset[str]:
        parts = frozenset(_first_part(getattr(route, "path", "/{any}")) for route in self.routes)
        return frozenset() if any("{" in part for part in parts) else parts

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return whether an address is one of this router's."""
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if self._begins and _first_part(path) not in self._begins:
            return Match.NONE, {}
        return super().matches(scope)


def _first_part(path: str) -> str:
    return path.lstrip("/").partition("/")[0]


class ReadingRoute(APIRoute):
    """A route that shows something of the office: while its function runs, its questions are answered by one state of
    the database (:meth:`legation.office.store.store.Store.reading`).

    Not for what draws pictures or waits for another process: it has a connection of its own for as long as it runs."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **settings: Any) -> None:
        super().__init__(path, _reading(endpoint), **settings)


def _reading(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    wrapped = hasattr(endpoint, "__wrapped__")  # a router that is included may make its routes again
    if wrapped or inspect.iscoroutinefunction(endpoint) or "request" not in inspect.signature(endpoint).parameters:
        return endpoint

    @functools.wraps(endpoint)
    def answer(**given: Any) -> Any:
        office: Office | None = given["request"].app.state.office
        if office is None:
            return endpoint(**given)
        with office.store.reading():
            return endpoint(**given)

    return answer
