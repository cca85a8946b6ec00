"""Mails of tournaments: one's board when a round begins, and the standings when it is over."""

from __future__ import annotations

from typing import Any

from legation.office.context import CommandContext
from legation.office.hosting.standings import standings_of
from legation.office.hosting.tournament_records import TournamentContext
from legation.office.records import TournamentStandings
from legation.office.store.rows import BoardRow, GameRow, PersonRow, TournamentRow

SHOWN = 10  # places that a mail tells, beside one's own
PAUSE = 60  # seconds in which further results of a round may still be entered before its standings are mailed


def tell_boards(scene: TournamentContext, number: int) -> None:
    """Mail everybody in a round that has begun their board: the power, and whom they meet unless that is hidden."""
    tx, anonymous = scene.tx, scene.plan.online and scene.plan.settings.anonymous
    for board in [board for board in scene.boards if board.round == number]:
        listed = {seat.entrant: seat.power for seat in scene.seats[board.id] if seat.entrant is not None}
        row = tx.get(BoardRow, board.id)
        game = tx.find(GameRow, id=row.game)
        for entrant, power in listed.items():
            others = [f"{scene.entrants[one].name} ({listed[one]})" for one in listed if one != entrant]
            facts = {"plays": power, "others": "" if anonymous else ", ".join(others), "board": board.number}
            _mail(scene, "round begun", entrant, number, **facts, page=f"/games/{game.key}" if game else _page(scene))


def schedule_standings(scene: TournamentContext, number: int) -> None:
    """Have the standings mailed if all boards of a round are over now."""
    if not scene.tx.count(BoardRow, tournament=scene.row.id, round=number, state=["seated", "playing"]):
        facts = {"tournament": scene.row.id, "round": number}
        name = f"standings {scene.row.key} {number}"
        scene.act.schedule_job("tell standings", name, scene.act.later(seconds=PAUSE), None, **facts)


def mail_standings(act: CommandContext, facts: dict[str, Any], _: object) -> None:
    """Mail the standings after a round to everybody who is in the tournament."""
    scene, number = TournamentContext(act, act.tx.get(TournamentRow, facts["tournament"])), facts["round"]
    if act.tx.count(BoardRow, tournament=scene.row.id, round=number, state=["seated", "playing"]):
        return
    told = standings_of(scene, number)
    for entrant in scene.entrants.values():
        if entrant.state != "out":
            _mail(scene, "standings", entrant.id, number, places=_lines(told, entrant.number), page=_page(scene))


def _lines(told: TournamentStandings, own: int) -> str:
    """The first places, and one's own below them."""
    shown = [line for at, line in enumerate(told.places) if at < SHOWN or line.number == own]
    return "\n".join(f"{line.place}. {line.name}: {line.total:.6g}" for line in shown)


def _page(scene: TournamentContext) -> str:
    return f"/tournaments/{scene.row.key}"


def _mail(scene: TournamentContext, kind: str, entrant: int, number: int, **facts: Any) -> None:
    """Mail somebody in the tournament who has an account here."""
    person = scene.tx.find(PersonRow, id=scene.entrants[entrant].person)
    if scene.entrants[entrant].person is not None and person is not None:
        scene.act.mail(kind, person, event=scene.row.name, round=number, **facts)
