"""What stands around every request and answer: where forms may come from and how large they may be, what browsers are
told to refuse, requests for the head of an answer; a line of the log, with a number that all lines about a request
carry, and the figures for Prometheus. A line tells the route, never the address: there are secrets in some."""

import re
import secrets
import time
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from legation.office.monitoring.logs import told_of
from legation.office.monitoring.processes import Metrics
from legation.web.serving.answers import HEADERS
from legation.web.serving.errors import failure
from legation.web.settings import WebSettings

SAFE = frozenset(["GET", "HEAD", "OPTIONS"])
ANYWHERE = "/unsubscribe/"
"""Below this a POST may come from any mail program (RFC 8058): a token in the address is all that it acts by, no cookie
is looked at."""
FOREIGN = "This form was sent from another site, so it was ignored. Open the page here and try again."


class TooLargeError(Exception):
    """A request's body is larger than is taken."""


class Guard:
    """ASGI middleware. A request that changes something must come from our own pages, or from a program that sends no
    cookies.

    Browsers say where a form comes from in ``Sec-Fetch-Site`` and ``Origin``; with ``SameSite`` cookies that leaves no
    way for another site's page to act for a person who is signed in here."""

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        limit = self.settings.largest_body
        taken = 0

        async def receive_bounded() -> Message:
            nonlocal taken
            message = await receive()
            if message["type"] == "http.request":
                taken += len(message.get("body", b""))
                if taken > limit:
                    raise TooLargeError
            return message

        async def send_guarded(message: Message) -> None:
            if taken > limit:  # whatever was made of a part of it is not the answer
                return
            if message["type"] == "http.response.start":
                answer_headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer_headers.setdefault(name, value)
                if self.settings.secure:
                    answer_headers["strict-transport-security"] = "max-age=31536000"
            await send(message)

        if scope["method"] not in SAFE and not scope["path"].startswith(ANYWHERE) and not self.is_ours(headers):
            await failure(Request(scope), 403, FOREIGN)(scope, receive, send_guarded)
            return
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > limit:
            await _too_large(scope, limit)(scope, receive, send_guarded)
            return
        with suppress(TooLargeError):
            await self.app(scope, receive_bounded, send_guarded)
        if taken > limit:
            taken = 0
            await _too_large(scope, limit)(scope, receive, send_guarded)

    def is_ours(self, headers: Headers) -> bool:
        """Return whether a request that changes something is from our pages, or from a program without cookies."""
        origin = headers.get("origin")
        site = headers.get("sec-fetch-site")
        if site is not None and site not in ("same-origin", "none"):
            return False
        if origin is not None:
            return origin == self.settings.origin or urlsplit(origin).netloc == headers.get("host", "")
        return site is not None or "cookie" not in headers


def _too_large(scope: Scope, limit: int) -> Response:
    text = f"You can send up to {limit // 1024 // 1024} MB at once; this was more, so nothing was saved."
    return failure(Request(scope), 413, text)


class HeadRequests:
    """ASGI middleware: HEAD requests are answered as a GET would be, without the body. A stream that never ends is told
    at once that nobody listens."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        asked = False

        async def receive_once() -> Message:
            nonlocal asked
            if asked:
                return {"type": "http.disconnect"}
            asked = True
            return await receive()

        async def send_start(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b""})

        await self.app({**scope, "method": "GET"}, receive_once, send_start)


NUMBER = re.compile(r"[A-Za-z0-9._-]{8,64}")
METHODS = frozenset(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
log = structlog.get_logger("legation.web")


class Measured:
    """ASGI middleware around all else."""

    def __init__(self, app: ASGIApp, figures: Metrics) -> None:
        self.app = app
        self.figures = figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        number = given if NUMBER.fullmatch(given) else secrets.token_hex(8)
        status = 0

        async def send_numbered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
                MutableHeaders(scope=message)["x-request-id"] = number
            await send(message)

        begun = time.perf_counter()
        with structlog.contextvars.bound_contextvars(request=number):
            try:
                await self.app(scope, receive, send_numbered)
            except Exception as error:  # told as a page already; the server needs not tell its message
                self.figures.failures.labels("request", type(error).__name__).inc()
                log.error("request failed", route=route_of(scope), **told_of(error))
                if not status:
                    raise
            finally:
                self._note(scope, status, time.perf_counter() - begun)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route, method = route_of(scope), scope["method"] if scope["method"] in METHODS else "other"
        self.figures.requests.labels(method, route, f"{status // 100}xx").observe(seconds)
        log.info("request", method=method, route=route, status=status, ms=round(seconds * 1000, 1))


def route_of(scope: Scope) -> str:
    """Return the path of a route as it was declared (``/games/{game}``), whatever stood in its place."""
    route: Any = scope.get("route")
    path = getattr(route, "path", None) or getattr(route, "path_format", None)
    if path is None:
        endpoint = scope.get("endpoint")
        return f"{scope.get('root_path', '')} {getattr(endpoint, '__name__', '')}".strip() or "none"
    return f"{scope.get('root_path', '')}{path}"
