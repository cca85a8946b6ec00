"""Standings of tournaments: who is where after each round, or as boards stand now, and the best game of each power."""

from __future__ import annotations

from collections.abc import Iterator

from legation.office.context import CommandContext, query
from legation.office.hosting.tournament_records import TournamentContext, authorize_tournament, how_boards_stand
from legation.office.identity.people import profiles_of
from legation.office.records import Award, PlaceInTournament, TournamentStandings
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
    return standings_of(authorize_tournament(act, tournament, invitation), round, live=live)


def standings_of(scene: TournamentContext, number: int = 0, *, live: bool = False) -> TournamentStandings:
    """The standings of a tournament whose permission was asked."""
    stands, over = how_boards_stand(scene), {board.id for board in scene.boards if board.state == "over"}
    counted = [b for b in scene.boards if stands[b.id].outcome is not None and (live or b.id in over)]
    if not 0 < number <= scene.last_round:
        number = max((board.round for board in counted), default=scene.last_round)
    boards = [board for board in scene.boards if board.round <= number]
    counted, over = [b for b in counted if b in boards], over & {board.id for board in boards}
    scored = [
        Board(
            str(board.round), str(board.id), {s.power: str(s.entrant) for s in scene.seats[board.id] if s.entrant}, told
        )
        for board in counted
        if (told := stands[board.id].outcome) is not None
    ]
    profiles = profiles_of(scene.act, (one.person for one in scene.entrants.values()))
    system, plan = SYSTEMS[scene.plan.system], scene.plan
    places = [
        PlaceInTournament(
            place=line.place,
            number=scene.entrants[int(line.player)].number,
            name=scene.entrants[int(line.player)].name,
            total=line.total,
            rounds={int(name): points for name, points in line.rounds.items()},
            profile=profiles.get(scene.entrants[int(line.player)].person or 0),
        )
        for line in ranked(scored, system, plan.best, plan.ties)
    ]
    return TournamentStandings(
        tournament=scene.row.key,
        name=scene.row.name,
        round=number,
        system=system.name,
        places=tuple(sorted(places, key=lambda line: (line.place, line.name.casefold()))),
        awards=tuple(_awards(scene, [board for board in scored if int(board.name) in over])),
        playing=len(counted) - len(over),
        waiting=len(boards) - len(counted),
    )


def _awards(scene: TournamentContext, boards: list[Board]) -> Iterator[Award]:
    best = best_of_powers(boards, SYSTEMS[scene.plan.system])
    for power in scene.rules.played:
        if power in best:
            points, centers, player = best[power]
            yield Award(power=power, name=scene.entrants[int(player)].name, points=points, centers=centers)
