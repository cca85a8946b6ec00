"""Players from behind the desk: who holds which seat, invitations, replacements, bots, and the roster with the
addresses of a day."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import msgspec
from fastapi import Query, Request
from starlette.responses import Response

from legation.bots import levels
from legation.office.context import Actor, given_reason
from legation.office.errors import InvalidInputError, OfficeError
from legation.office.game import seats
from legation.office.hosting import games, roster
from legation.office.terms.plans import GameSettings
from legation.web.coordinator.desk import game_run, invited
from legation.web.serving.forms import Form, FormState, carry_out, text
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
    post = int(record.settings["post_days"]) if post is None else post
    arrives: date = times.now.date() + timedelta(days=post)
    today = {line.power: line for line in roster.roster(office, actor, record.key)}
    then = {line.power: line for line in roster.roster(office, actor, record.key, arrives.isoformat())}
    return page(
        request,
        "desk/players.html",
        game=record,
        today=today,
        then=then,
        postal=msgspec.convert(record.settings, GameSettings).is_postal(),
        post=post,
        arrives=arrives,
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


def _act(request: Request, game: str, form_name: str, form: Form, command: Any) -> Response:
    return carry_out(
        request, form_name, form, command, lambda tried: _show(request, game, tried), f"/desk/{game}/players"
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


@router.post("/desk/{game}/deputy")
def name_deputy(request: Request, game: str, form: Form) -> Response:
    """Name or dismiss a deputy, who checks each transcription."""
    office = office_of(request)

    def command(actor: Actor) -> object:
        email = text(form, "email")
        if not email and text(form, "do") != "end":
            raise InvalidInputError("Enter the deputy’s address.", faults=["email: empty"])
        return games.name_deputy(office, actor, game, "" if text(form, "do") == "end" else email)

    return _act(request, game, "deputy", form, command)


@router.post("/desk/{game}/replace")
def replace(request: Request, game: str, form: Form) -> Response:
    """Give a seat to another player."""
    office, power = office_of(request), text(form, "power")

    def command(actor: Actor) -> object:
        reason = given_reason(text(form, "reason"), KEPT)
        return seats.replace(office, actor, game, power, text(form, "email"), reason)

    return _act(request, game, f"seat {power}", form, command)


@router.post("/desk/{game}/vacate")
def vacate(request: Request, game: str, form: Form) -> Response:
    """Remove a player from a seat."""
    office, power = office_of(request), text(form, "power")

    def command(actor: Actor) -> object:
        return seats.vacate(office, actor, game, power, given_reason(text(form, "reason"), KEPT))

    return _act(request, game, f"seat {power}", form, command)


@router.post("/desk/{game}/bot")
def seat_bot(request: Request, game: str, form: Form) -> Response:
    """Seat a bot at a vacant power."""
    office, power = office_of(request), text(form, "power")
    return _act(
        request, game, f"seat {power}", form, lambda a: seats.seat_bot(office, a, game, power, text(form, "bot"))
    )
