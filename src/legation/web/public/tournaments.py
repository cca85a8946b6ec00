"""Pages of tournaments and leagues: what there is, standings, boards and people, a page to project, and files."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from fastapi import Query, Request
from starlette.responses import Response

from legation.office.hosting import leagues, standings, tournaments
from legation.office.records import Board, Tournament, TournamentStandings
from legation.scoring import SYSTEMS
from legation.scoring.tournament import TIE_BREAKS
from legation.web.public.maps import titles_of
from legation.web.serving.answers import file_answer
from legation.web.serving.forms import Forms, add_forms, attempt_of, of, text
from legation.web.serving.pages import PageRouter, ReadingRoute, page
from legation.web.serving.sessions import actor_of, office_of

router = PageRouter(route_class=ReadingRoute)
AGAIN = 20
"""Seconds after which the page to project loads itself again."""
Round = Annotated[int, Query(ge=0, le=99)]
Secret = Annotated[str, Query(max_length=40)]


@router.get("/tournaments")
def list_tournaments(request: Request) -> Response:
    """Show all tournaments and leagues that the reader may see."""
    office, actor = office_of(request), actor_of(request)
    listed = tournaments.list_tournaments(office, actor)
    return page(
        request,
        "tournaments/list.html",
        listed=[line for line in listed if not line.season],
        leagues=leagues.list_leagues(office, actor),
        titles=titles_of(request),
    )


@router.get("/tournaments/{tournament}")
def tournament(
    request: Request, tournament: str, round: Round = 0, live: bool = False, invitation: Secret = ""
) -> Response:
    """Show a tournament: standings, awards, boards, people."""
    office, actor = office_of(request), actor_of(request)
    invitation = invitation or text(attempt_of(request).form, "invitation")
    told = tournaments.tournament(office, actor, tournament, invitation)
    shown = round or told.summary.round
    return page(
        request,
        "tournaments/tournament.html",
        tournament=told,
        standings=standings.standings(office, actor, tournament, round, live, invitation),
        showing_live=live,
        shown=shown,
        boards=[board for board in told.boards if board.round == shown],
        history=tournaments.history(office, actor, tournament, invitation),
        invitation=invitation,
        **told_of(request, told),
    )


def told_of(request: Request, told: Tournament) -> dict[str, Any]:
    """What each page of a tournament needs."""
    return {
        "system": SYSTEMS[told.plan["system"]],
        "ties": [TIE_BREAKS[name][0] for name in told.plan["ties"]],
        "title": titles_of(request).get(told.summary.variant, told.summary.variant),
        "live": request.app.state.variant_uploads.map_of(told.summary.variant),
    }


FORMS: Forms = {
    "enter": ("enter", of(tournaments.enter, lambda s: bool(s.text("substitute")), "invitation", place="tournament")),
    "withdraw": ("enter", of(tournaments.withdraw, place="tournament")),
}
add_forms(router, "/tournaments/{tournament}", FORMS, tournament)


@router.get("/tournaments/{tournament}/screen")
def screen(request: Request, tournament: str, show: Secret = "", invitation: Secret = "") -> Response:
    """Show a page to project: boards of a round that begins, else the standings; it loads itself again."""
    office, actor = office_of(request), actor_of(request)
    told = tournaments.tournament(office, actor, tournament, invitation)
    boards = [board for board in told.boards if board.round == told.summary.round]
    call = show == "boards" or (show != "standings" and any(board.state == "seated" for board in boards))
    table = standings.standings(office, actor, tournament, live=True, invitation=invitation)
    shown = told_of(request, told)
    answer = page(
        request, "tournaments/screen.html", tournament=told, boards=boards if call else [], standings=table, **shown
    )
    answer.headers["Refresh"] = str(AGAIN)
    return answer


@router.get("/leagues/{league}")
def league(request: Request, league: str) -> Response:
    """Show a league with its seasons and divisions, those of the last two with standings: a league may have many."""
    office, actor = office_of(request), actor_of(request)
    told = leagues.league(office, actor, league)
    divisions = [line for season in told.seasons[:2] for line in season.divisions]
    places = {line.key: standings.standings(office, actor, line.key).places for line in divisions}
    return page(
        request,
        "tournaments/league.html",
        league=told,
        places=places,
        systems=SYSTEMS.values(),
        titles=titles_of(request),
    )


# Files


def _csv(name: str, rows: Iterable[Sequence[object]]) -> Response:
    out = io.StringIO()
    csv.writer(out).writerows([[_cell(value) for value in row] for row in rows])
    return file_answer(out.getvalue(), "text/csv; charset=utf-8", name, "private, no-cache")


def _cell(value: object) -> object:
    """A value that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value


@router.get("/tournaments/{tournament}/people.csv")
def people_file(request: Request, tournament: str) -> Response:
    """Return the people of a tournament as CSV."""
    told = tournaments.tournament(office_of(request), actor_of(request), tournament)
    rows = [(one.number, one.name, "yes" if one.state == "substitute" else "", one.state) for one in told.entrants]
    return _csv(f"{told.summary.key}-people.csv", [("number", "name", "substitute", "state"), *rows])


@router.get("/tournaments/{tournament}/results.csv")
def results_file(request: Request, tournament: str) -> Response:
    """Return the results of all boards that are over as CSV, as ``legation standings`` reads it."""
    told = tournaments.tournament(office_of(request), actor_of(request), tournament)
    rows = [row for board in told.boards if board.state == "over" for row in _results(board)]
    return _csv(
        f"{told.summary.key}-results.csv", [("round", "board", "power", "player", "centers", "out", "result"), *rows]
    )


def _results(board: Board) -> Iterable[Sequence[object]]:
    for seat in board.seats:
        player = seat.player or f"bot {board.round}.{board.number} {seat.power}"
        yield board.round, board.number, seat.power, player, seat.centers, seat.out or "", seat.result


@router.get("/tournaments/{tournament}/standings.csv")
def standings_file(request: Request, tournament: str) -> Response:
    """Return the standings as CSV."""
    told = standings.standings(office_of(request), actor_of(request), tournament)
    return _csv(f"{told.tournament}-standings.csv", _lines(told))


def _lines(told: TournamentStandings) -> Iterable[Sequence[object]]:
    rounds = range(1, told.round + 1)
    yield "place", "player", "total", *(f"round {number}" for number in rounds)
    for line in told.places:
        yield (
            line.place,
            line.name,
            f"{line.total:.6g}",
            *(f"{line.rounds[n]:.6g}" if n in line.rounds else "" for n in rounds),
        )
