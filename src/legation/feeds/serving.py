"""The feeds over HTTP: public games for everybody, all else by a secret address that can be ended."""

import hashlib
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from legation.feeds.games import game_calendar, game_results, personal_calendar
from legation.networks import network
from legation.office.context import Actor
from legation.office.errors import OfficeError, RateLimitError
from legation.office.identity import people
from legation.office.office import Office

CALENDAR = "text/calendar; charset=utf-8"
ATOM = "application/atom+xml; charset=utf-8"
MOST_POST_DAYS = 30
FEEDS_A_MINUTE = 300  # of one network; a service that fetches calendars for many people is one, too


def routes(office: Office) -> list[Route]:
    """Return the routes of these addresses, to be put before the pages:

    ``/games/GAME/calendar.ics`` and ``/games/GAME/results.atom`` (what everybody may see),
    ``/feeds/SECRET/calendar.ics`` (all games of a person, and absences) and ``/feeds/SECRET/GAME.ics`` (one game; also
    with a secret that was made for this game and opens nothing else). ``?post=N``
    says how many days a letter is on its way."""
    allowance = office.allowance("feeds", FEEDS_A_MINUTE, 60)

    def served(path: str, name: str, make: Callable[[Request, Actor], bytes], media: str = CALENDAR) -> Route:
        private = "{secret}" in path

        def made(request: Request) -> bytes:
            if not allowance.take(network(request.client.host if request.client else "")):
                raise RateLimitError("Too many requests. Wait a minute and try again.")
            asked = request.path_params
            reader = people.by_feed(office, asked["secret"], asked.get("game", "")) if private else Actor.visitor()
            return make(request, reader)

        async def answer(request: Request) -> Response:
            try:
                document = await run_in_threadpool(made, request)
            except RateLimitError as error:
                return PlainTextResponse(f"{error.message}\n", error.status, {"Retry-After": "60"})
            except OfficeError as error:
                return PlainTextResponse(f"{error.message}\n", 404 if error.status in (401, 403) else error.status)
            return _answer(request, document, media, private=private)

        return Route(path, answer, methods=["GET"], name=name)

    def calendar(request: Request, actor: Actor) -> bytes:
        return game_calendar(office, actor, request.path_params["game"], _post_days(request))

    def results(request: Request, actor: Actor) -> bytes:
        return game_results(office, actor, request.path_params["game"])

    def personal(request: Request, actor: Actor) -> bytes:
        return personal_calendar(office, actor, _post_days(request))

    return [
        served("/games/{game}/calendar.ics", "game calendar", calendar),
        served("/games/{game}/results.atom", "game results", results, ATOM),
        served("/feeds/{secret}/calendar.ics", "personal calendar", personal),
        served("/feeds/{secret}/{game}.ics", "game calendar of a person", calendar),
    ]


def _post_days(request: Request) -> int | None:
    """How many days a letter is on its way; None as each game is set."""
    given = request.query_params.get("post", "")
    return min(int(given), MOST_POST_DAYS) if given.isascii() and given.isdecimal() and len(given) < 4 else None


def _answer(request: Request, document: bytes, media: str, *, private: bool) -> Response:
    """The document, or that it is the one which the program has."""
    tag = f'"{hashlib.sha256(document).hexdigest()[:32]}"'
    headers = {
        "ETag": tag,
        "Cache-Control": "private, no-cache" if private else "public, max-age=300",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
    if private:
        headers["X-Robots-Tag"] = "noindex"
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(document, media_type=media, headers=headers)
