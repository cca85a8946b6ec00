"""Tournaments from behind the desk: a new one, its rounds, boards, people and results; seasons of a league."""

from datetime import datetime
from functools import partial
from typing import Any

import msgspec
from fastapi import Request
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from legation.bots import levels
from legation.office.context import ask_first
from legation.office.errors import InvalidInputError, NotFoundError
from legation.office.hosting import leagues, rounds, tournaments
from legation.office.hosting.tournaments import read_people
from legation.office.terms import schedules
from legation.office.terms.plans import GameSettings
from legation.scoring import SYSTEMS
from legation.scoring.tournament import TIE_BREAKS, Line
from legation.variants import STANDARD
from legation.web.public.gallery import cards
from legation.web.public.maps import known_to
from legation.web.public.tournaments import league, told_of
from legation.web.serving.forms import Forms, SentForm, add_forms, number, of, text, whole_number
from legation.web.serving.pages import PageRouter, ReadingRoute, page
from legation.web.serving.sessions import office_of, person_of, zone_of

router = PageRouter(route_class=ReadingRoute)
SEATINGS = {
    "mixed": "everyone meets new people, as far as possible",
    "final": "the same, with the best at one board in the last round",
    "standings": "from the second round, neighbors in the standings sit together",
}
FLAGS = ("anonymous", "ready_ends", "coordinated")


@router.get("/tournaments/new")
def new_tournament(request: Request) -> Response:
    """The form for a new tournament."""
    ask_first(office_of(request), person_of(request), "tournaments.create")
    return _form(request)


def _make(sent: SentForm) -> Response:
    office, actor, name = sent.office, sent.actor, sent.text("name")
    if sent.text("league"):
        made = leagues.create(office, actor, name, whole_number(sent.form, "moves"))
        return RedirectResponse(f"/leagues/{made.key}", 303)
    key = tournaments.create(office, actor, {"name": name, **_plan(sent.form)}).summary.key
    return RedirectResponse(f"/tournaments/{key}/manage", 303)


def _form(request: Request) -> Response:
    return page(request, "tournaments/new.html", standard=STANDARD, **_choices(request))


add_forms(router, "/tournaments/new", {"": ("new", _make)}, _form)


def _choices(request: Request) -> dict[str, Any]:
    return {
        "cards": cards(known_to(request)),
        "systems": SYSTEMS.values(),
        "tie_breaks": {name: words for name, (words, _) in TIE_BREAKS.items()},
        "seatings": SEATINGS,
        "schedules": [schedules.find(name) for name in schedules.names()],
        "bots": levels.names(),
    }


def _plan(form: FormData) -> dict[str, Any]:
    """What the form says of a plan, but for the name."""
    online = text(form, "online") != "no"
    settings: dict[str, Any] = {name: name in form for name in FLAGS}
    settings["schedule"] = text(form, "schedule") or "daily"
    return {
        "variant": text(form, "variant") or STANDARD,
        "rounds": whole_number(form, "rounds"),
        "best": whole_number(form, "best"),
        "system": text(form, "system"),
        "ties": [str(name) for name in form.getlist("ties") if name],
        "seating": text(form, "seating") or "mixed",
        "bots": text(form, "bots") if online else "",
        "online": online,
        "listed": "listed" in form,
        "settings": settings if online else msgspec.to_builtins(GameSettings()),
    }


@router.get("/tournaments/{tournament}/manage")
def manage(request: Request, tournament: str) -> Response:
    """Show what its organizer does with a tournament."""
    told = tournaments.tournament(office_of(request), person_of(request), tournament)
    if not {"tournaments.set_plan", "rounds.enter_result"} & {*told.may}:
        raise NotFoundError("Only the organizer of a tournament sees this page.")
    shown = told.summary.round
    return page(
        request,
        "tournaments/manage.html",
        tournament=told,
        boards=[board for board in told.boards if board.round == shown],
        earlier=[board for board in told.boards if board.round != shown and board.state != "over"],
        **_choices(request),
        **told_of(request, told),
    )


def _results(sent: SentForm) -> dict[str, Line]:
    def line(power: str) -> Line:
        centers, out = (whole_number(sent.form, f"{what} {power}") for what in ("centers", "out"))
        return Line(centers, out, sent.text(f"result {power}"))

    return {str(power): line(str(power)) for power in sent.form.getlist("power")}


def _until(sent: SentForm) -> datetime:
    try:
        return datetime.fromisoformat(sent.text("until")).replace(tzinfo=zone_of(sent.request))
    except ValueError:
        raise InvalidInputError("Choose a day and a time.", faults=["until: not a time"]) from None


def _state(sent: SentForm) -> str:
    if (state := sent.text("do")) not in ("in", "substitute", "out"):
        raise InvalidInputError("Choose what the person does.", faults=["do: unknown"])
    return state


_of = partial(of, place="tournament")
ROUND, BOARD = number("round"), number("board")
FORMS: Forms = {
    "seat": ("round", _of(rounds.seat)),
    "start": ("round", _of(rounds.start, ROUND)),
    "exchange": ("exchange", _of(rounds.exchange, ROUND, number("one"), number("other"))),
    "substitute": ("substitute", _of(rounds.substitute, number("out"), number("into"))),
    "extend": ("extend", _of(rounds.extend, ROUND, _until, "reason")),
    "call": ("board {round} {board}", _of(rounds.call, ROUND, BOARD, "reason")),
    "result": ("board {round} {board}", _of(rounds.enter_result, ROUND, BOARD, _results)),
    "results": ("results", _of(rounds.take_results, "results")),
    "people": ("people", _of(tournaments.add_people, lambda s: read_people(s.text("people")))),
    "entrant": ("people", _of(tournaments.set_entrant, number("number"), _state)),
    "end": ("end", _of(tournaments.end)),
    "cancel": ("end", _of(tournaments.cancel, "reason")),
}
add_forms(router, "/tournaments/{tournament}/manage", FORMS, manage)


def _open_season(sent: SentForm) -> object:
    plan, divisions = {**_plan(sent.form), "name": "any"}, whole_number(sent.form, "divisions")
    return leagues.open_season(sent.office, sent.actor, sent.request.path_params["league"], plan, divisions)


add_forms(router, "/leagues/{league}", {"season": ("season", _open_season)}, league)
