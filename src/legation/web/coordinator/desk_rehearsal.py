"""The rehearsal of a game: it is begun here, and its pages are shown when it is there."""

from __future__ import annotations

import mimetypes
from datetime import datetime
from pathlib import Path
from typing import Protocol

from fastapi import Request
from starlette.responses import FileResponse, Response

from legation.office.context import Actor
from legation.web.coordinator.desk import game_run
from legation.web.serving.forms import Forms, add_forms
from legation.web.serving.pages import PageError, PageRouter, ReadingRoute, page
from legation.web.serving.sessions import person_of

router = PageRouter(route_class=ReadingRoute)

LOOK_AGAIN = "4"  # seconds
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self'; font-src 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
    "x-frame-options": "SAMEORIGIN",
    "cache-control": "private, no-store",
}
"""Of pages that show mails within them, each in a frame of its own."""


class State(Protocol):
    """Where a rehearsal stands."""

    @property
    def playing(self) -> bool:
        """Whether it is being played."""

    @property
    def turns(self) -> tuple[str, ...]:
        """The turns that have begun in it."""

    @property
    def failed(self) -> str:
        """Why the last one failed, if it did."""

    @property
    def made(self) -> datetime | None:
        """When the one was made that can be looked at."""


class Rehearsals(Protocol):
    """Who plays rehearsals, and keeps them."""

    def begin(self, actor: Actor, game: str) -> None:
        """Begin a rehearsal in a child process."""

    def state(self, actor: Actor, game: str) -> State:
        """Return where it stands."""

    def file(self, actor: Actor, game: str, path: str) -> Path:
        """Return a file of it."""


def rehearsals_of(request: Request) -> Rehearsals:
    """Who plays rehearsals here.

    :raises PageError: where nobody does."""
    known: Rehearsals | None = request.app.state.rehearsals
    if known is None:
        raise PageError(404, "Rehearsals can't be played on this site.")
    return known


@router.get("/desk/{game}/rehearsal")
def rehearsal(request: Request, game: str) -> Response:
    """Show where the rehearsal of a game stands."""
    record = game_run(request, game)
    state = rehearsals_of(request).state(person_of(request), record.key)
    shown = page(request, "desk/rehearsal.html", game=record, state=state)
    if state.playing:
        shown.headers["refresh"] = LOOK_AGAIN
    return shown


@router.get("/desk/{game}/rehearsal/pages/{path:path}")
def file(request: Request, game: str, path: str) -> Response:
    """Give out a file of a rehearsal."""
    found = rehearsals_of(request).file(person_of(request), game_run(request, game).key, path)
    kind = mimetypes.guess_type(found.name)[0] or "application/octet-stream"
    return FileResponse(found, media_type=kind, headers=HEADERS)


COMMANDS: Forms = {"begin": ("begin", lambda s: rehearsals_of(s.request).begin(s.actor, s.game))}
add_forms(router, "/desk/{game}/rehearsal", COMMANDS, rehearsal)
