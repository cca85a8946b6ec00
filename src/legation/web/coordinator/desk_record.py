"""Coordinator pages: mails that wait or failed, papers to print, letters at the year's end and their text, the record
of all that was done, and its proofs."""

from fastapi import Query, Request
from starlette.responses import Response

from legation.office.desk import desk, mailings
from legation.office.game import journal
from legation.office.hosting import proofs, roster, year_letters
from legation.office.terms.plans import settings_of
from legation.web.coordinator.desk import game_run
from legation.web.serving.forms import add_forms, of
from legation.web.serving.pages import PageError, PageRouter, ReadingRoute, page
from legation.web.serving.sessions import office_of, person_of

router = PageRouter(route_class=ReadingRoute)

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
