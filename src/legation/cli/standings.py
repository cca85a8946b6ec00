"""``legation standings``: the standings of a tournament from a table of results."""

from __future__ import annotations

import csv
import sys
from typing import Annotated

import typer

from legation.cli.app import app
from legation.cli.terminal import fail, read_bytes, say, shown
from legation.formats import FormatError
from legation.scoring import SYSTEMS
from legation.scoring.tournament import TIE_BREAKS, ResultsError, best_of_powers, read_results, standings


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
    if system not in SYSTEMS:
        fail(f"there is no scoring system {system!r}; there are {', '.join(SYSTEMS)}")
    if unknown := [name for name in ties or () if name not in TIE_BREAKS]:
        fail(f"there is no tie-break {unknown[0]!r}; there are {', '.join(TIE_BREAKS)}")
    try:
        boards = read_results(read_bytes(file).decode("utf-8-sig"), centers, first_year)
    except UnicodeDecodeError:
        fail(f"{shown(file)}: is not UTF-8")
    except FormatError as error:
        fail(f"{shown(file)}: {error}")
    except ResultsError as error:
        fail(*(f"{shown(file)}: {fault}" for fault in error.faults))
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
