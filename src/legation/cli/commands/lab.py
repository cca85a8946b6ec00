"""``legation lab``: games of bots by the thousand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

lab = typer.Typer(
    name="lab",
    help="Play games between bots, and measure balance.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Variant = Annotated[str, typer.Argument(metavar="VARIANT", help="A variant's name or the path of its file.")]
Games = Annotated[int, typer.Option(min=1, max=10_000_000, help="The number of games.")]
Turns = Annotated[int, typer.Option(min=1, max=5000, help="The maximum number of turns in a game.")]
Seed = Annotated[str, typer.Option(help="The same seed plays the same games.")]
Jobs = Annotated[int, typer.Option(min=1, max=1024, help="Processes on this machine.")]
Seconds = Annotated[float, typer.Option(min=0.01, help="Seconds that a program has for each answer.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@lab.command(epilog="Example: legation lab play standard --bots dumbbot --games 1000 --seed 1 -o results")
def play(
    variant: Variant,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder for the results.")],
    bots: Annotated[
        str,
        typer.Option(
            help="Bots separated by commas, one for all seats or several that rotate: dumbbot,random. "
            "A program of your own is 'run: COMMAND'."
        ),
    ] = "dumbbot",
    games: Games = 100,
    seed: Seed = "1",
    turns: Turns = 300,
    jobs: Jobs = 1,
    scheduler: Annotated[
        str, typer.Option(metavar="ADDRESS", help="A dask.distributed scheduler to use: tcp://host:8786.")
    ] = "",
    seconds: Seconds = 5.0,
    fixed: Annotated[bool, typer.Option("--fixed", help="Keep every bot in the same seat in all games.")] = False,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="Don't store orders, borders, contacts and openings; reports then lack them."),
    ] = False,
) -> None:
    """Play games between bots and store the results as Parquet. If stopped, the same command continues."""
    from legation.cli.lab import play_games

    play_games(variant, bots, games, seed, turns, output, jobs, scheduler, seconds, fixed, not plain)


@lab.command(epilog="Example: legation lab compare dumbbot random --variant hundred --games 200")
def compare(
    bots: Annotated[list[str], typer.Argument(metavar="BOT...", help="Two or more bots.")],
    variant: Annotated[str, typer.Option(metavar="VARIANT", help="The variant; standard by default.")] = "",
    games: Games = 100,
    seed: Seed = "1",
    turns: Turns = 300,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FOLDER", help="Store the results, to continue later.")
    ] = None,
    jobs: Jobs = 1,
    seconds: Seconds = 5.0,
    as_json: Json = False,
) -> None:
    """Play bots against each other in all seats, and rate them."""
    from legation.cli.lab import compare_bots

    compare_bots(bots, variant, games, seed, turns, output, jobs, seconds, as_json)


@lab.command(epilog="Example: legation lab game results 17 -o game17.json")
def game(
    folder: Annotated[Path, typer.Argument(metavar="RESULTS", help="A folder of results.")],
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The number of a game.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")] = None,
) -> None:
    """Play one game of the results again and save it as an ordinary game."""
    from legation.cli.lab import save_played

    save_played(folder, number, output)


@lab.command(epilog="Example: legation lab report results -o report.html")
def report(
    folder: Annotated[Path, typer.Argument(metavar="RESULTS", help="A folder of results.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="An .html or a .pdf file.")],
    other: Annotated[
        Path | None, typer.Argument(metavar="[OTHER]", help="Other results of the same powers, to compare.")
    ] = None,
) -> None:
    """Write a report on results with figures and tables."""
    from legation.cli.lab import report_results

    report_results(folder, other, output)


@lab.command(epilog="Example: legation lab dataset games/ -o games.parquet")
def dataset(
    games: Annotated[
        list[Path], typer.Argument(metavar="GAMES...", help="Saved games, folders of them, or games of other systems.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="A .parquet file.")],
    variant: Annotated[str, typer.Option(help="The variant of games whose files don't name it.")] = "",
) -> None:
    """Write games as a table for machine learning: what each power saw, could order and ordered."""
    from legation.cli.learning import write_games

    write_games(games, output, variant)


@lab.command(epilog="Example: legation lab balance hundred --bot dumbbot --games 200")
def balance(
    variant: Variant,
    bots: Annotated[
        list[str] | None, typer.Option("--bot", help="A bot that plays all seats; repeat it for more.")
    ] = None,
    games: Games = 100,
    turns: Turns = 300,
    seed: Seed = "balance",
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Measure the balance of a variant between bots."""
    from legation.cli.lab import measure_balance

    measure_balance(variant, bots or [], games, turns, seed, jobs, as_json)


@lab.command(name="compile", epilog="Example: legation lab compile")
def compile_games() -> None:
    """Compile the lab and the strong bots in advance; takes a minute or two, once."""
    from legation.cli.lab import compile_all

    compile_all()
