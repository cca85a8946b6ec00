"""``legation office tournament, tournaments, ratings``: tournaments and ratings at a terminal."""

from collections.abc import Iterator
from typing import Annotated, Literal

import typer

from legation.cli.office.terminal import Answer, By, command, listing, table
from legation.cli.terminal import fail, faults_as_lines, say, text_of
from legation.formats import FormatError, read_toml
from legation.game.report import count
from legation.office.hosting import player_ratings, rounds, standings, tournaments
from legation.office.hosting.tournaments import read_people
from legation.office.operation import work
from legation.office.records import Tournament, TournamentStandings

Key = Annotated[str, typer.Argument(metavar="TOURNAMENT", help="The tournament, as in its address: winter-open.")]
Action = Annotated[
    Literal["show", "people", "results", "seat", "start", "end"],
    typer.Argument(
        metavar="[ACTION]",
        help="'show' prints standings and boards, 'people' enters those of a list, 'results' takes a table of results, "
        "'seat' seats the next round, 'start' begins it, 'end' ends the tournament.",
    ),
]
File = Annotated[
    str, typer.Argument(metavar="[FILE]", help="For people and results: a CSV file; '-' is standard input.")
]


@command("tournaments --new winter.toml --as anna@example.org", name="tournaments")
def list_tournaments(
    by: By,
    new: Annotated[str, typer.Option("--new", metavar="FILE", help="Make a tournament from a plan (TOML) first.")] = "",
) -> Answer:
    """List tournaments."""
    done = ""
    if new:
        with faults_as_lines(FormatError, of=new):
            made = tournaments.create(*by, read_toml(text_of(new))).summary
        done = f"{made.name} is made: {made.key}"
    listed = tournaments.list_tournaments(*by)
    rows = [(one.key, one.name, one.variant, one.state, f"{one.round} of {one.rounds}", one.people) for one in listed]
    return listing(
        listed, ("key", "name", "variant", "state", "round", "people"), rows, "There are no tournaments.", done
    )


@command("tournament winter-open people people.csv", name="tournament")
def act_in_tournament(
    by: By,
    tournament: Key,
    action: Action = "show",
    file: File = "",
    round_number: Annotated[int, typer.Option("--round", min=0, help="Show the standings after this round.")] = 0,
    live: Annotated[bool, typer.Option("--live", help="Count boards as they stand, where all may see it.")] = False,
) -> Answer:
    """Show a tournament, or do what its organizer does."""
    if action in ("people", "results") and not file:
        fail(f"name the file with the {action}")
    match action:
        case "show":
            table_of = standings.standings(*by, tournament, round_number, live)
            return Answer(table_of, lambda: _tell_standings(table_of, tournaments.tournament(*by, tournament)))
        case "people":
            tournaments.add_people(*by, tournament, read_people(text_of(file)))
        case "results":
            rounds.take_results(*by, tournament, text_of(file))
        case "seat":
            rounds.seat(*by, tournament)
        case "start":
            number = tournaments.tournament(*by, tournament).summary.round
            rounds.start(*by, tournament, number)
        case _:
            tournaments.end(*by, tournament)
    work.run_due(by.office)
    told = tournaments.tournament(*by, tournament)
    stands = f"{told.summary.name}: {told.summary.state}, {len(told.entrants)} entered, round {told.summary.round}"
    return Answer(told, lambda: say("\n".join((stands, *_boards(told)))))


def _tell_standings(places: TournamentStandings, told: Tournament) -> None:
    rows = [(line.place, line.name, f"{line.total:.6g}") for line in places.places]
    table(("place", "player", "points"), rows, "No board is over yet.")
    for award in places.awards:
        say(f"Best {award.power}: {award.name}, {award.centers} centers, {award.points:.6g} points")
    for line in _boards(told):
        say(line)


def _boards(told: Tournament) -> Iterator[str]:
    for board in told.boards:
        if board.round == told.summary.round:
            seats = ", ".join(f"{seat.power} {seat.player or '-'}" for seat in board.seats)
            yield f"Round {board.round}, board {board.number}{f' ({board.game})' if board.game else ''}: {seats}"


@command("ratings --recompute")
def ratings(
    by: By,
    family: Annotated[
        str, typer.Argument(metavar="[BOARD]", help="The board whose games count together; the first if left out.")
    ] = "",
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Compute all ratings again from the record first.")
    ] = False,
) -> Answer:
    """List rated players who want to be listed, and bots."""
    done = f"Ratings computed from {count(player_ratings.recompute(*by), 'rated game')}." if recompute else ""
    board = player_ratings.leaderboard(*by, family)
    rows = [(p.name, p.rating, p.uncertainty, p.games) for p in (*board.players, *board.bots)]
    return listing(board, ("player", "rating", "±", "games"), rows, "Nobody is listed yet.", done)
