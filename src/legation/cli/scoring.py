"""``legation score`` and ``standings``: what a game is worth to each power in a scoring system, and a tournament's
standings from a table of results."""

import csv
import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from legation.cli.app import Json, app
from legation.cli.terminal import fail, faults_as_lines, read_game, say, shown, text_of, write_json
from legation.formats import FormatError
from legation.scoring import SYSTEMS, outcome_of_game
from legation.scoring.tournament import TIE_BREAKS, ResultsError, best_of_powers, read_results, standings


def _known(what: str, wanted: Iterable[str], known: Iterable[str]) -> None:
    if unknown := [name for name in wanted if name not in known]:
        fail(f"there is no {what} {unknown[0]!r}; there are {', '.join(known)}")


@app.command(epilog="Example: legation score game.json --system carnage")
def score(
    file: Annotated[
        str, typer.Argument(metavar="GAME", help="A saved game, finished or as it stands; '-' is standard input.")
    ],
    system: Annotated[
        list[str] | None,
        typer.Option("--system", "-s", metavar="NAME", help="A scoring system; repeat it for more. Default: all."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Score a game in one or more scoring systems."""
    _known("scoring system", system or (), SYSTEMS)
    game = read_game(file)
    outcome = outcome_of_game(game)
    points = {name: SYSTEMS[name].score(outcome) for name in system or SYSTEMS}
    if as_json:
        return write_json({"centers": dict(outcome.centers), "points": points})
    if game.ending is None:
        say(f"legation: {shown(file)} has no ending; survivors count as sharing a draw", err=True)
    for name, scored in points.items():
        say(SYSTEMS[name].name)
        for power, value in sorted(scored.items(), key=lambda item: -item[1]):
            say(f"  {power:<24} {outcome.centers[power]:>3} centers {value:>10.6g}")


@app.command("standings", epilog="Example: legation standings results.csv --system c-diplo --best 3")
def show_standings(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A CSV file with the columns round, board, power, player, centers, and perhaps out (the year of an "
            "elimination) and result (won or draw); '-' is standard input.",
        ),
    ],
    system: Annotated[str, typer.Option("--system", "-s", metavar="NAME", help="The scoring system.")] = "carnage",
    best: Annotated[int, typer.Option(min=0, help="Count only this many of each player's rounds; 0 for all.")] = 0,
    ties: Annotated[
        list[str] | None,
        typer.Option(
            "--tie",
            metavar="NAME",
            help="What tells equal sums apart: rounds, wins, leads or centers; repeat it for more.",
        ),
    ] = None,
    centers: Annotated[int, typer.Option(min=1, help="How many centers the board has.")] = 34,
    first_year: Annotated[int, typer.Option(help="The year in which games begin.")] = 1901,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
) -> None:
    """Print a tournament's standings and the best player of each power."""
    _known("scoring system", [system], SYSTEMS)
    _known("tie-break", ties or (), TIE_BREAKS)
    with faults_as_lines(FormatError, ResultsError, of=shown(file)):
        boards = read_results(text_of(file), centers, first_year)
    rounds = list(dict.fromkeys(board.round for board in boards))
    found = standings(boards, SYSTEMS[system], best, ties or ("rounds",))
    if as_csv:
        writer = csv.writer(sys.stdout)
        writer.writerow(["place", "player", "total", *(f"round {name}" for name in rounds)])
        for row in found:
            told = [f"{row.rounds[name]:.6g}" if name in row.rounds else "" for name in rounds]
            writer.writerow([row.place, row.player, f"{row.total:.6g}", *told])
        return
    for row in found:
        say(f"{row.place:>4} {row.player:<30} {row.total:>10.6g}")
    say("")
    for power, (points, count, player) in best_of_powers(boards, SYSTEMS[system]).items():
        say(f"Best {power}: {player}, {count} centers, {points:.6g} points")
