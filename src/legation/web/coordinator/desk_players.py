"""Players from behind the desk: who holds which seat, invitations, replacements, bots, and the roster with the
addresses of a day."""

from __future__ import annotations

import msgspec
from fastapi import Query, Request
from starlette.responses import Response

from legation.bots import levels
from legation.office.context import given_reason
from legation.office.errors import InvalidInputError, OfficeError
from legation.office.game import seats
from legation.office.hosting import games, roster
from legation.office.terms.plans import GameSettings
from legation.web.coordinator.desk import game_run, invited
from legation.web.serving.forms import Form, FormCommand, FormState, SentForm, add_forms, text
from legation.web.serving.pages import page
from legation.web.serving.routing import PageRouter, ReadingRoute
from legation.web.serving.sessions import office_of, person_of
from legation.web.serving.times import Times

router = PageRouter(route_class=ReadingRoute)
KEPT = "it is kept with the seat"
"""What becomes of a reason for a change of players."""


@router.get("/desk/{game}/players")
def players(request: Request, game: str, post: int | None = Query(None, ge=0, le=60)) -> Response:
    """Show the players, with the address at which a letter posted today arrives."""
    return _show(request, game, post=post)


def _show(
    request: Request,
    game: str,
    attempt: FormState | None = None,
    *,
    link: str = "",
    mailed: str = "",
    post: int | None = None,
) -> Response:
    office, actor, record = office_of(request), person_of(request), game_run(request, game)
    times = Times(request)
    today = {line.power: line for line in roster.roster(office, actor, record.key, days_in_post=post)}
    return page(
        request,
        "desk/players.html",
        game=record,
        today=today,
        postal=msgspec.convert(record.settings, GameSettings).is_postal(),
        post=post,
        holders=seats.holders(office, actor, record.key),
        sign_ups=seats.sign_ups(office, actor, record.key),
        bots=levels.names(),
        link=link,
        mailed=mailed,
        invited=invited(office, actor, record),
        live=request.app.state.variant_uploads.map_of(record.variant),
        attempt=attempt or FormState(),
        times=times,
    )


@router.post("/desk/{game}/invite")
def invite(request: Request, game: str, form: Form) -> Response:
    """Invite somebody; the link is shown, so that it can be given in other ways too."""
    office, actor = office_of(request), person_of(request)
    email, power = text(form, "email"), text(form, "power")
    try:
        made = games.invite(office, actor, game, email, power)
    except OfficeError as error:
        if error.status in (401, 403, 404):
            raise
        answer = _show(request, game, FormState("invite", error.message, error.faults, form))
        answer.status_code = error.status
        return answer
    link = f"{str(request.base_url).rstrip('/')}/games/{game}/invitation/{made.secret}"
    return _show(request, game, link=link, mailed=email)


def _name_deputy(sent: SentForm) -> object:
    """Name a deputy, who checks each transcription, or dismiss one."""
    email, ends = sent.text("email"), sent.text("do") == "end"
    if not email and not ends:
        raise InvalidInputError("Enter the deputy’s address.", faults=["email: empty"])
    return games.name_deputy(sent.office, sent.actor, sent.game, "" if ends else email)


def _replace(sent: SentForm) -> object:
    reason = given_reason(sent.text("reason"), KEPT)
    return seats.replace(sent.office, sent.actor, sent.game, sent.text("power"), sent.text("email"), reason)


def _vacate(sent: SentForm) -> object:
    reason = given_reason(sent.text("reason"), KEPT)
    return seats.vacate(sent.office, sent.actor, sent.game, sent.text("power"), reason)


COMMANDS: dict[str, tuple[str, FormCommand]] = {
    "deputy": ("deputy", _name_deputy),
    "replace": ("seat {power}", _replace),
    "vacate": ("seat {power}", _vacate),
    "bot": ("seat {power}", lambda s: seats.seat_bot(s.office, s.actor, s.game, s.text("power"), s.text("bot"))),
}
add_forms(
    router,
    "/desk/{game}",
    COMMANDS,
    lambda request, tried: _show(request, request.path_params["game"], tried),
    "/desk/{game}/players",
)
