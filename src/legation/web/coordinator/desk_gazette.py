"""The gazette: the text of the year's letter, read and edited before it is printed."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from legation.office.hosting import gazettes
from legation.web.coordinator.desk import game_run
from legation.web.serving.forms import Attempt, FormCommand, add_forms
from legation.web.serving.pages import PageRouter, ReadingRoute, page
from legation.web.serving.sessions import office_of, person_of

router = PageRouter(route_class=ReadingRoute)


@router.get("/desk/{game}/gazette")
def gazette(request: Request, game: str, attempt: Attempt = None) -> Response:
    """Show the text of the last year's letter, to edit."""
    record = game_run(request, game)
    told = gazettes.gazette(office_of(request), person_of(request), record.key)
    return page(
        request,
        "desk/gazette.html",
        game=record,
        told=told,
        longest=gazettes.LONGEST,
        attempt=attempt,
    )


COMMANDS: dict[str, tuple[str, FormCommand]] = {
    "edit": ("edit", lambda s: gazettes.edit(s.office, s.actor, s.game, s.text("text"))),
    # without a text of one's own
    "told": ("told", lambda s: gazettes.edit(s.office, s.actor, s.game, "")),
}
add_forms(router, "/desk/{game}/gazette", COMMANDS, gazette)
