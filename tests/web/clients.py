"""Clients of the pages that need no browser: a visitor's, or of somebody who is signed in."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from legation.office.context import Actor
from legation.office.identity import people
from legation.office.office import Office
from tests.apart import run_apart

OURS = {"origin": "http://testserver", "sec-fetch-site": "same-origin", "accept-encoding": "identity"}
"""Headers that a browser sends with a form of one of our own pages. Answers come uncompressed: compression took a tenth
of a walk through all pages."""


Visitor = Callable[..., TestClient]
"""What makes clients of an office's site, for somebody or for nobody: the fixture ``visitor``."""


def unbound(patch: pytest.MonkeyPatch) -> None:
    """Let one caller ask as often as a walk through everything does."""
    for what in ("CALLS", "READS", "WRITES", "PROOFS", "PACKAGES"):
        patch.setattr(f"legation.web.api.application.{what}_A_MINUTE", 10**9)


def client_of(
    app: Any, office: Office | None = None, who: Actor | None = None, *, program: bool = False, **settings: Any
) -> TestClient:
    """A client that follows nothing and is told of faults by their status, signed in as ``who`` at ``office``; as a
    ``program``, it has a token of theirs as well."""
    given: dict[str, Any] = {"follow_redirects": False, "raise_server_exceptions": False, "headers": OURS, **settings}
    client = TestClient(app, **given)
    if office is not None and who is not None and who.person is not None:
        client.cookies.set("session", people.start_session(office, Actor.clock(), who.person, "tests").secret)
        if program:
            token = people.token_for(office, Actor.console(), who.person, "tests").secret
            client.headers["authorization"] = f"Bearer {token}"
    return client


def new_game(name: str, variant: str = "hundred", **given: Any) -> dict[str, Any]:
    """What the form of a new game sends for one that runs itself, day by day."""
    phases = ("Movement", "Retreats", "Adjustments")
    return {
        "do": "make", "name": name, "variant": variant, "run": "itself", "schedule": "daily", "missing": "hold",
        "missing_after": "2", "grace": "0", "absence_days": "0", "reminder_hours": "24", "shows_senders": "all",
        "listed": "on", **{f"channel {phase}": ["web", "api", "mail"] for phase in phases}, **given,
    }  # fmt: skip


def asked_by_hand(
    app: Any, method: str, path: str, receive: Callable[[], Awaitable[dict[str, Any]]], **headers: str
) -> list[Any]:
    """What the site sends to who is asked for the body of a request by ``receive``: the messages of ASGI."""
    told: list[Any] = []
    given = {"host": "testserver", **{name.replace("_", "-"): value for name, value in headers.items()}}
    scope = {
        "type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": path, "root_path": "",
        "raw_path": path.encode(), "query_string": b"", "client": ("127.0.0.1", 1), "server": ("testserver", 80),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }  # fmt: skip

    async def send(message: Any) -> None:
        told.append(message)

    run_apart(asyncio.wait_for(app(scope, receive, send), 60))
    return told
