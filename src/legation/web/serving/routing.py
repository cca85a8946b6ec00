"""Routers and routes of pages: a router is asked only for addresses that begin as one of its own do, and what a page
shows of the office is read in one transaction."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from functools import cached_property
from typing import Any
from weakref import WeakSet

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope

from legation.office.office import Office


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

    Not for what draws pictures or waits for another process: it has a connection of its own for as long as it runs.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **settings: Any) -> None:
        super().__init__(path, _reading(endpoint), **settings)


_reading_at_once: WeakSet[Callable[..., Any]] = WeakSet()


def _reading(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    wrapped = endpoint in _reading_at_once  # a router that is included may make its routes again
    if wrapped or inspect.iscoroutinefunction(endpoint) or "request" not in inspect.signature(endpoint).parameters:
        return endpoint

    @functools.wraps(endpoint)
    def answer(**given: Any) -> Any:
        office: Office | None = given["request"].app.state.office
        if office is None:
            return endpoint(**given)
        with office.store.reading():
            return endpoint(**given)

    _reading_at_once.add(answer)
    return answer
