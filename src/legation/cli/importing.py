"""``legation import`` and ``legation export``: files of other systems."""

import itertools
import os
import time
from pathlib import Path
from typing import Annotated

import typer

from legation.cli.app import app
from legation.cli.terminal import fail, known_variants, read_game, say, show_progress, shown, variant_name, write_file
from legation.interop import ForeignFileError, Source, formats, open_source, read_variants, report_text, write_variants
from legation.interop.formats import recognized
from legation.interop.games import READERS, WRITERS, export_game
from legation.interop.games.histories import bring_all, parts_of
from legation.interop.writing import slug
from legation.notation import listed

REPORT = "import.txt"
MANY = 20
"""Games of which the terminal shows no more than the sum."""


@app.command("import", epilog="Example: legation import sailho.zip -o variants; legation import game.json -o games")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE|FOLDER|ZIP", help="A variant or game of another system.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder for the result.")],
    format_: Annotated[str, typer.Option("--format", metavar="FORMAT", help="The format, if it isn't detected.")] = "",
    picture: Annotated[bool, typer.Option(help="Draw the board's map.")] = True,
    variant: Annotated[str, typer.Option(help="For a game: its variant, if the file doesn't name it.")] = "",
    jobs: Annotated[
        int, typer.Option(min=0, help="For many games: how many processes; as many as there are cores by default.")
    ] = 0,
) -> None:
    """Import variants and games of other systems.

    A report lists what was imported, left out and guessed. Games are judged again, and every difference from the
    record is reported. A whole history of games, as a folder or archive, comes in past files that cannot be read."""
    known = [*formats(), *READERS]
    if format_ and format_ not in known:
        fail(f"--format: {format_!r} is none; the formats are {', '.join(known)}")
    try:
        source = open_source(file)
        history = None if format_ in formats() else _import_games(source, output, format_, variant, jobs)
        if history is not None:
            _tell_history(history, source, output, format_)
            return
        if format_ in READERS:
            fail(f"{file}: no game was found in it")
        variants = read_variants(source, format_)
        written = write_variants(variants, output, picture)
        count = [f"{len(written)} variants.\n"] if len(written) > 1 else []
        report = "\n".join([*count, *map(report_text, written)])
    except ForeignFileError as error:
        games_are = f"no game either; these are: {'; '.join(m.TITLE for m in READERS.values())}"
        fail(*error.faults, *([games_are] if error.unknown else []))
    write_file(output / REPORT, report.encode())
    say(report.rstrip())


class _History:
    """What came of the games of a source."""

    def __init__(self, files: int) -> None:
        self.files = files
        self.read = self.games = self.alike = self.unknown = 0
        self.reports: list[str] = []
        self.refused: list[str] = []
        self._begun = time.monotonic()

    def __str__(self) -> str:
        seconds = time.monotonic() - self._begun
        left = seconds / max(self.read, 1) * (self.files - self.read)
        told = f"{self.read:,} of {self.files:,} files, {self.games:,} games, {len(self.refused)} refused"
        return f"{told}, {left / 60:.0f} min left" if left >= 60 else told


def _import_games(source: Source, output: Path, wanted: str, variant: str, jobs: int) -> _History | None:
    """Judge the games of a source again and save them, each on its own; None where there are none."""
    named = variant_name(variant) if variant else ""
    parts = parts_of(source)
    history = _History(len(parts))
    taken: set[str] = set()

    for brought in bring_all(parts, wanted, named, known_variants().load, jobs or os.cpu_count() or 1):
        history.read += 1
        history.refused += brought.refused
        history.unknown += not (brought.games or brought.refused)
        for game in brought.games:
            history.games += 1
            history.alike += game.alike
            name = slug(game.title.rpartition("/")[2]) or "game"
            numbered = (f"{name}-{number}.json" for number in itertools.count(history.games))
            file = next(free for free in itertools.chain([f"{name}.json"], numbered) if free not in taken)
            taken.add(file)
            output.mkdir(parents=True, exist_ok=True)
            write_file(output / file, game.document)
            history.reports.append(f"{output / file}: {game.turns} turns\n{game.report}")
        if len(parts) >= MANY:
            show_progress(str(history))
    if len(parts) >= MANY:
        show_progress(f"{history}\n")
    if not history.games and history.refused and (wanted or not recognized(source, formats().values())):
        raise ForeignFileError(*history.refused)
    return history if history.games else None


def _tell_history(history: _History, source: Source, output: Path, wanted: str) -> None:
    """Write the report of games that came in; the terminal shows all of a few, and the sum of many."""
    parts = list(history.reports)
    if history.refused:
        parts.append("".join(["Not imported:\n", *(f"  {fault}\n" for fault in history.refused)]))
    if titles := recognized(source, formats().values()) if not wanted and not source.main else []:
        parts.append(f"Also here, and not read; import it by itself with --format: {'; '.join(titles)}\n")
    if history.games > MANY:
        other = f", {history.unknown:,} of them in no known format" if history.unknown else ""
        parts.insert(
            0,
            f"{history.files:,} files{other}: {history.games:,} games came in, {history.alike:,} of them without "
            f"differences; refused: {len(history.refused):,}.\n",
        )
    report = "\n".join(parts)
    write_file(output / REPORT, report.encode())
    if history.games > MANY:
        say(parts[0] + "".join(f"  {fault}\n" for fault in history.refused[:MANY]) + f"The report: {output / REPORT}")
    else:
        say(report.rstrip())


@app.command(epilog="Example: legation export game.json --format mila -o mila.json")
def export(
    file: Annotated[str, typer.Argument(metavar="GAME", help="A saved game; '-' is standard input.")],
    format_: Annotated[str, typer.Option("--format", metavar="FORMAT", help=f"{listed(WRITERS, 'or')}.")] = "text",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The file to write; the terminal by default.")
    ] = None,
    variation: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME", help="With text: another course of the game, a saved game; can be repeated."),
    ] = None,
) -> None:
    """Write a saved game in the format of another system.

    Lists what that format can't express."""
    game, *others = map(read_game, (file, *(variation or ())))
    text, missing = export_game(game, format_, others)
    if output is None:
        say(text.rstrip())
    else:
        write_file(output, text.encode())
        say(f"{output}: {shown(file)} in the format {format_}")
    for lost in missing:
        say(f"  not in it: {lost}", err=output is None)
