"""Papers of a tournament: its standings, and the call of a round's boards, to pin up and to read out."""

from typing import Any

from legation.office.context import Actor
from legation.office.errors import ConflictError
from legation.office.hosting import standings, tournaments
from legation.office.office import Office
from legation.print.typesetting import one_line, typeset


def standings_paper(office: Office, actor: Actor, key: str) -> bytes:
    """The standings after the last round, with the best game of each power.

    :raises ConflictError: while there are none."""
    told = standings.standings(office, actor, key)
    if not told.places:
        raise ConflictError("No board is over yet.")
    rounds = [*range(1, told.round + 1)]
    places = [
        [str(p.place), p.name, *(_points(p.rounds.get(number)) for number in rounds), _points(p.total)]
        for p in told.places
    ]
    awards = [[a.power, a.name, _points(a.points)] for a in told.awards]
    what = f"Standings after round {told.round}"
    return _paper(office, told.name, what, by=told.system, rounds=rounds, places=places, awards=awards)


def board_call(office: Office, actor: Actor, key: str) -> bytes:
    """The boards of the last round that was seated: who plays what, as far as the reader may know.

    :raises ConflictError: before the first."""
    told = tournaments.tournament(office, actor, key)
    boards = [board for board in told.boards if board.round == told.summary.round]
    if not boards:
        raise ConflictError("No round is seated yet.")
    called = [
        {"name": f"Board {b.number}", "seats": [[s.power, s.player or ("bot" if s.bot else "")] for s in b.seats]}
        for b in boards
    ]
    return _paper(office, told.summary.name, f"Board call, round {told.summary.round}", boards=called)


def _paper(office: Office, name: str, what: str, by: str = "", **tables: list[Any]) -> bytes:
    empty: dict[str, list[Any]] = {"rounds": [], "places": [], "awards": [], "boards": []}
    data = {"title": one_line(name, "the tournament"), "what": what, "by": by, **empty, **tables}
    return typeset("tournament.typ", data, office.clock.now().date())


def _points(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
