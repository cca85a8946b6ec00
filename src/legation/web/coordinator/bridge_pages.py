"""Bridges of a game, on its desk, and one's own: what goes over each, a new one, a test, and their removal."""

from typing import Any

from fastapi import Request
from starlette.responses import Response

from legation.office.desk import bridges
from legation.office.terms.bridge_targets import TELLS
from legation.web.coordinator.desk import game_run
from legation.web.serving.forms import Forms, Made, SentForm, add_forms, of, shown_number
from legation.web.serving.pages import PageRouter, ReadingRoute, page
from legation.web.serving.sessions import office_of, person_of

router = PageRouter(route_class=ReadingRoute)
WORDS = {
    "results": "results, and the end of the game",
    "deadlines": "deadlines: turns that open, reminders, moves, pauses",
    "letters": "letters to all",
}


@router.get("/me/bridges")
@router.get("/desk/{game}/bridges")
def show(request: Request, game: str = "", made: Made = None) -> Response:
    """Show the bridges of a game, or one's own; ``made``: a new one with its secret."""
    office, actor = office_of(request), person_of(request)
    record = game_run(request, game) if game else None
    known: dict[str, Any] = {"game": record, "here": f"/desk/{record.key}/bridges" if record else "/me/bridges"}
    return page(
        request,
        "bridges.html",
        listed=bridges.bridges(office, actor, game) if game else bridges.own(office, actor),
        may_add=office.settings.bridges and (record is None or "bridges.add" in record.may),
        most=bridges.MOST,
        words=WORDS,
        made=made,
        **known,
    )


def _add(sent: SentForm) -> Response:
    address, tells = sent.text("address"), [name for name in TELLS if name in sent.form]
    if sent.game:
        made = bridges.add(sent.office, sent.actor, sent.game, address, tells)
    else:
        made = bridges.add_own(sent.office, sent.actor, address, tells)
    return show(sent.request, sent.game, made=made)


BRIDGE = shown_number("bridge")
OF_GAME: Forms = {
    "": ("add", _add),
    "test": ("test", of(bridges.test, BRIDGE)),
    "remove": ("remove", of(bridges.remove, BRIDGE)),
}
OWN: Forms = {
    "": ("add", _add),
    "test": ("test", of(bridges.test_own, BRIDGE, place="")),
    "remove": ("remove", of(bridges.remove_own, BRIDGE, place="")),
}
add_forms(router, "/desk/{game}/bridges", OF_GAME, show)
add_forms(router, "/me/bridges", OWN, show)
