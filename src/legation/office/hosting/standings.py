"""Standings of tournaments: who is where after each round, or as boards stand now, and the best game of each power; and
the mails of tournaments: one's board when a round begins, and the standings when it is over."""

from typing import Any

from legation.office.context import CommandContext, query
from legation.office.hosting.tournament_records import TournamentContext, outcomes_of
from legation.office.identity.people import profiles_of
from legation.office.records import Award, PlaceInTournament, TournamentStandings, record_of
from legation.office.store.rows import BoardRow, GameRow, PersonRow, TournamentRow
from legation.scoring import SYSTEMS
from legation.scoring.tournament import Board, best_of_powers
from legation.scoring.tournament import standings as ranked


@query("read", "GET /tournaments/{tournament}/standings", visitor="any")
def standings(
    act: CommandContext, tournament: str, round: int = 0, live: bool = False, invitation: str = ""
) -> TournamentStandings:
    """Return the standings after a round (0: the last that counts), with the best game of each power. With ``live``,
    boards that are still played count as they stand, where all may see how that is: not where players are anonymous,
    nor where rules hide positions."""
    return standings_of(TournamentContext.authorized(act, tournament, invitation), round, live=live)


def standings_of(scene: TournamentContext, number: int = 0, *, live: bool = False) -> TournamentStandings:
    """The standings of a tournament whose permission was asked."""
    outcomes = outcomes_of(scene)
    counted = [b for b in scene.boards if b.id in outcomes and (live or b.state == "over")]
    if not 0 < number <= scene.last_round:
        number = max((board.round for board in counted), default=scene.last_round)
    boards = [board for board in scene.boards if board.round <= number]
    over = {board.id for board in boards if board.state == "over"}
    scored = []
    for board in counted:
        if board.round <= number:
            players = {seat.power: str(seat.entrant) for seat in scene.seats[board.id] if seat.entrant}
            scored.append(Board(str(board.round), str(board.id), players, outcomes[board.id]))
    profiles = profiles_of(scene.act, (one.person for one in scene.entrants.values()))
    system, plan, places = SYSTEMS[scene.plan.system], scene.plan, []
    for line in ranked(scored, system, plan.best, plan.ties):
        entrant, rounds = scene.entrants[int(line.player)], {int(name): won for name, won in line.rounds.items()}
        told = {"total": line.total, "rounds": rounds, "profile": profiles.get(entrant.person or 0)}
        places.append(record_of(PlaceInTournament, entrant, place=line.place, **told))
    best = best_of_powers([board for board in scored if int(board.name) in over], system)
    return TournamentStandings(
        tournament=scene.row.key,
        name=scene.row.name,
        round=number,
        system=system.name,
        places=tuple(sorted(places, key=lambda line: (line.place, line.name.casefold()))),
        awards=tuple(
            Award(power=power, name=scene.entrants[int(player)].name, points=points, centers=centers)
            for power in filter(best.get, scene.rules.played)
            for points, centers, player in [best[power]]
        ),
        playing=len(scored) - len(over),
        waiting=len(boards) - len(scored),
    )


SHOWN = 10  # places that a mail tells, beside one's own
PAUSE = 60  # seconds in which further results of a round may still be entered before its standings are mailed


def tell_boards(scene: TournamentContext, number: int) -> None:
    """Mail everybody in a round that has begun their board: the power, and whom they meet unless that is hidden."""
    tx, anonymous = scene.tx, scene.plan.online and scene.plan.settings.anonymous
    for board in scene.of_round(number):
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
            shown = [line for at, line in enumerate(told.places) if at < SHOWN or line.number == entrant.number]
            places = "\n".join(f"{line.place}. {line.name}: {line.total:.6g}" for line in shown)
            _mail(scene, "standings", entrant.id, number, places=places, page=_page(scene))


def _page(scene: TournamentContext) -> str:
    return f"/tournaments/{scene.row.key}"


def _mail(scene: TournamentContext, kind: str, entrant: int, number: int, **facts: Any) -> None:
    """Mail somebody in the tournament who has an account here."""
    person = scene.tx.find(PersonRow, id=scene.entrants[entrant].person)
    if scene.entrants[entrant].person is not None and person is not None:
        scene.act.mail(kind, person, event=scene.row.name, round=number, **facts)
