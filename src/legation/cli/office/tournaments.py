"""``legation office tournament, tournaments``: tournaments at a terminal."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from legation.cli.app import Json, office_group
from legation.cli.office.terminal import opened, print_json, table, text_of
from legation.cli.terminal import fail, say
from legation.formats import FormatError, read_toml
from legation.office.context import Actor
from legation.office.hosting import rounds, standings, tournaments
from legation.office.hosting.tournaments import read_people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.records import Tournament

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


@office_group.command(
    "tournaments", epilog="Example: legation office tournaments --new winter.toml --as anna@example.org"
)
def list_tournaments(
    context: typer.Context,
    new: Annotated[str, typer.Option("--new", metavar="FILE", help="Make a tournament from a plan (TOML) first.")] = "",
    as_json: Json = False,
) -> None:
    """List tournaments."""
    with opened(context) as (office, actor):
        if new:
            try:
                made = tournaments.create(office, actor, read_toml(text_of(new)))
            except FormatError as error:
                fail(f"{new}: {error}")
            say(f"{made.summary.name} is made: {made.summary.key}", err=as_json)
        listed = tournaments.list_tournaments(office, actor)
        if as_json:
            return print_json(listed)
        rows = [
            (one.key, one.name, one.variant, one.state, f"{one.round} of {one.rounds}", one.people) for one in listed
        ]
        table(("key", "name", "variant", "state", "round", "people"), rows, "There are no tournaments.")


@office_group.command("tournament", epilog="Example: legation office tournament winter-open people people.csv")
def act_in_tournament(
    context: typer.Context,
    tournament: Key,
    action: Action = "show",
    file: File = "",
    round_number: Annotated[int, typer.Option("--round", min=0, help="Show the standings after this round.")] = 0,
    live: Annotated[bool, typer.Option("--live", help="Count boards as they stand, where all may see it.")] = False,
    as_json: Json = False,
) -> None:
    """Show a tournament, or do what its organizer does."""
    with opened(context) as (office, actor):
        if action in ("people", "results") and not file:
            fail(f"name the file with the {action}")
        match action:
            case "show":
                return _show(office, actor, tournament, round_number, live=live, as_json=as_json)
            case "people":
                tournaments.add_people(office, actor, tournament, read_people(text_of(file)))
            case "results":
                rounds.take_results(office, actor, tournament, text_of(file))
            case "seat":
                rounds.seat(office, actor, tournament)
            case "start":
                number = tournaments.tournament(office, actor, tournament).summary.round
                rounds.start(office, actor, tournament, number)
            case _:
                tournaments.end(office, actor, tournament)
        work.run_due(office)
        told = tournaments.tournament(office, actor, tournament)
        if as_json:
            return print_json(told)
        say(f"{told.summary.name}: {told.summary.state}, {len(told.entrants)} entered, round {told.summary.round}")
        _say_boards(told)


def _show(office: Office, actor: Actor, tournament: str, number: int, *, live: bool, as_json: bool) -> None:
    told = standings.standings(office, actor, tournament, number, live)
    if as_json:
        return print_json(told)
    rows = [(line.place, line.name, f"{line.total:.6g}") for line in told.places]
    table(("place", "player", "points"), rows, "No board is over yet.")
    for award in told.awards:
        say(f"Best {award.power}: {award.name}, {award.centers} centers, {award.points:.6g} points")
    _say_boards(tournaments.tournament(office, actor, tournament))


def _say_boards(told: Tournament) -> None:
    for board in told.boards:
        if board.round == told.summary.round:
            seats = ", ".join(f"{seat.power} {seat.player or '-'}" for seat in board.seats)
            say(f"Round {board.round}, board {board.number}{f' ({board.game})' if board.game else ''}: {seats}")
