"""Players from behind the desk: who holds which seat, invitations, replacements, bots, and the roster with the
addresses of a day."""

from typing import Annotated

from fastapi import Query, Request
from starlette.responses import Response

from legation.bots import levels
from legation.office.context import given_reason
from legation.office.errors import InvalidInputError
from legation.office.game import seats
from legation.office.hosting import games, roster
from legation.office.terms.plans import settings_of
from legation.web.coordinator.desk import game_run, invited
from legation.web.serving.forms import Forms, Made, SentForm, add_forms, of
from legation.web.serving.pages import PageRouter, ReadingRoute, page
from legation.web.serving.sessions import office_of, person_of

router = PageRouter(route_class=ReadingRoute)
DaysInPost = Annotated[int | None, Query(ge=0, le=60)]
KEPT = "it is kept with the seat"
"""What becomes of a reason for a change of players."""


@router.get("/desk/{game}/players")
def players(request: Request, game: str, post: DaysInPost = None, made: Made = None) -> Response:
    """Show the players, with their addresses for letters posted today; ``made``: an invitation, and to whom."""
    link, mailed = made or ("", "")
    office, actor, record = office_of(request), person_of(request), game_run(request, game)
    today = {line.power: line for line in roster.roster(office, actor, record.key, days_in_post=post)}
    return page(
        request,
        "desk/players.html",
        game=record,
        today=today,
        postal=settings_of(record).is_postal(),
        holders=seats.holders(office, actor, record.key),
        sign_ups=seats.sign_ups(office, actor, record.key),
        bots=levels.names(),
        invited=invited(office, actor, record),
        live=request.app.state.variant_uploads.map_of(record.variant),
        link=link,
        mailed=mailed,
        post=post,
    )


def _invite(sent: SentForm) -> Response:
    """Invite somebody; the link is shown, so that it can be given in other ways too."""
    email = sent.text("email")
    made = games.invite(sent.office, sent.actor, sent.game, email, sent.text("power"))
    link = f"{str(sent.request.base_url).rstrip('/')}/games/{sent.game}/invitation/{made.secret}"
    return players(sent.request, sent.game, made=(link, email))


def _name_deputy(sent: SentForm) -> object:
    email, ends = sent.text("email"), sent.text("do") == "end"
    if not email and not ends:
        raise InvalidInputError("Enter the deputy’s address.", faults=["email: empty"])
    return games.name_deputy(sent.office, sent.actor, sent.game, "" if ends else email)


COMMANDS: Forms = {
    "invite": ("invite", _invite),
    "deputy": ("deputy", _name_deputy),
    "replace": ("seat {power}", of(seats.replace, "power", "email", lambda s: given_reason(s.text("reason"), KEPT))),
    "vacate": ("seat {power}", of(seats.vacate, "power", "reason")),
    "bot": ("seat {power}", of(seats.seat_bot, "power", "bot")),
}
add_forms(router, "/desk/{game}", COMMANDS, players, "/desk/{game}/players")
