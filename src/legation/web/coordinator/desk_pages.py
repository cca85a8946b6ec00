"""Coordinator pages of players and papers: who holds which seat, invitations, replacements, bots, the roster of a day;
mails that wait or failed, papers to print, letters at the year's end and their text, the record and its proofs."""

from typing import Annotated

from fastapi import Query, Request
from starlette.responses import Response

from legation.bots import levels
from legation.office.context import given_reason
from legation.office.desk import desk, mailings
from legation.office.errors import InvalidInputError
from legation.office.game import journal, seats
from legation.office.hosting import games, proofs, roster, year_letters
from legation.office.terms.plans import settings_of
from legation.web.coordinator.desk import game_run, invited
from legation.web.serving.forms import Forms, Made, SentForm, add_forms, of
from legation.web.serving.pages import PageError, PageRouter, ReadingRoute, page
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


A_PAGE = 100  # lines of the record


@router.get("/desk/{game}/paper")
def paper(request: Request, game: str) -> Response:
    """Papers of today's mailing, and what waits to be mailed."""
    office, actor, record = office_of(request), person_of(request), game_run(request, game)
    coordinated = "mailings.waiting" in record.may
    failed = [i for i in desk.items(office, actor, record.key) if i.kind == "failed"] if coordinated else []
    waiting = mailings.waiting(office, actor, record.key) if coordinated else []
    lines = roster.roster(office, actor, record.key)
    held = [seat.power for seat in record.seats if seat.state == "held" and seat.survives]
    known = [line.power for line in lines if line.address is not None]
    settings = settings_of(record)
    postal = settings.is_postal() and "coordinator" in record.roles
    return page(
        request,
        "desk/paper.html",
        game=record,
        without=[power for power in held if power not in known] if postal else [],
        homeless=postal and roster.orders_address(office, actor, record.key) is None,
        failed=failed,
        waiting=waiting,
    )


@router.get("/desk/{game}/letters")
def letters(request: Request, game: str) -> Response:
    """Show the letters at the year's end: what goes to whom, and what is posted."""
    office, actor, record = office_of(request), person_of(request), game_run(request, game)
    if "year_letters.year_letters" not in record.may:
        raise PageError(403, "Only the coordinator posts letters.", ways=[("Desk", f"/desk/{record.key}")])
    collects = record.turn is not None and record.state == "running" and record.turn.state in ("open", "waiting")
    return page(
        request,
        "desk/letters.html",
        game=record,
        year=year_letters.year_letters(office, actor, record.key),
        today=office.clock.now().date().isoformat(),
        addresses={line.power: line.address for line in roster.roster(office, actor, record.key)},
        orders={s.power for s in record.seats if s.sent is not None} if collects else set(),
    )


POSTED = {"posted": ("posted {power}", of(year_letters.posted_letter, "power", "day"))}
add_forms(router, "/desk/{game}/letters", POSTED, letters)


@router.get("/desk/{game}/gazette")
def gazette(request: Request, game: str) -> Response:
    """Show the text of the last year's letter, to edit."""
    record = game_run(request, game)
    told = year_letters.gazette(office_of(request), person_of(request), record.key)
    return page(request, "desk/gazette.html", game=record, told=told, longest=year_letters.LONGEST)


TEXTS = {
    "edit": ("edit", of(year_letters.edit_gazette, "text")),
    "told": ("told", of(year_letters.edit_gazette, lambda _: "")),  # without a text of one's own
}
add_forms(router, "/desk/{game}/gazette", TEXTS, gazette)


@router.get("/desk/{game}/record")
def record(request: Request, game: str, before: int = Query(0, ge=0)) -> Response:
    """The record of the game, the last line first, and the proofs that it is true."""
    office, actor, game_record = office_of(request), person_of(request), game_run(request, game)
    lines = journal.entries(office, actor, game_record.key, after=before, limit=A_PAGE, newest=True)
    return page(
        request,
        "desk/record.html",
        game=game_record,
        lines=lines,
        more=lines[-1].id if len(lines) == A_PAGE else 0,
        proofs=proofs.verify(office, actor, game_record.key) if not before else [],
    )
