"""Every request in one line of the log, with a number that all lines about it carry, and in the figures for Prometheus.

A line tells the route, never the address that was asked for: there are secrets in some."""

import re
import secrets
import time
from typing import Any

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from legation.office.monitoring.logs import told_of
from legation.office.monitoring.processes import Metrics

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
