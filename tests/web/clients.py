"""Clients of the pages that need no browser: a visitor's, or of somebody who is signed in."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from legation.office.context import Actor
from legation.office.identity import people
from legation.office.office import Office

OURS = {"origin": "http://testserver", "sec-fetch-site": "same-origin"}
"""What a browser says of a form that stands on one of our own pages."""


def unbound(patch: pytest.MonkeyPatch) -> None:
    """Let one caller ask as often as a walk through everything does."""
    for what in ("CALLS", "READS", "WRITES", "PROOFS", "PACKAGES"):
        patch.setattr(f"legation.web.api.application.{what}_A_MINUTE", 10**9)


def client_of(app: Any, office: Office | None = None, who: Actor | None = None, **settings: Any) -> TestClient:
    """A client that follows nothing and is told of faults by their status, signed in as ``who`` at ``office``."""
    given: dict[str, Any] = {"follow_redirects": False, "raise_server_exceptions": False, "headers": OURS, **settings}
    client = TestClient(app, **given)
    if office is not None and who is not None and who.person is not None:
        client.cookies.set("session", people.start_session(office, Actor.clock(), who.person, "tests").secret)
    return client
