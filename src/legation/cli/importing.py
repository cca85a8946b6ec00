"""``legation import`` and ``legation export``: files of other systems."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from legation.cli.app import app
from legation.cli.terminal import fail, indented, known_variants, read_json, say, shown, variant_name, write_file
from legation.game import SavedGameError, load_game, save_game
from legation.interop import (
    ForeignFileError,
    Source,
    formats,
    open_source,
    read_variants,
    report_text,
    write_variants,
)
from legation.interop.formats import recognized
from legation.interop.games import RecordedGame, export_game, game_formats, judge_as_recorded, judged_text, read_games
from legation.interop.tasks import ALIKE
from legation.interop.writing import slug
from legation.judge import Ruleset
from legation.variants import VariantError

REPORT = "import.txt"


@app.command("import", epilog="Example: legation import sailho.zip -o variants; legation import game.json -o games")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE|FOLDER|ZIP", help="A variant or game of another system.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder for the result.")],
    format_: Annotated[str, typer.Option("--format", metavar="FORMAT", help="The format, if it isn't detected.")] = "",
    picture: Annotated[bool, typer.Option(help="Draw the board's map.")] = True,
    variant: Annotated[str, typer.Option(help="For a game: its variant, if the file doesn't name it.")] = "",
) -> None:
    """Import variants and games of other systems.

    A report lists what was imported, left out and guessed. Games are judged again, and every difference from the
    record is reported.
    """
    known = [*formats(), *game_formats()]
    if format_ and format_ not in known:
        fail(f"--format: {format_!r} is none; the formats are {', '.join(known)}")
    try:
        source = open_source(file)
        games = _games_in(source, format_)
        if games:
            report = _import_games(games, output, variant)
            if titles := recognized(source, formats().values()) if not format_ and not source.main else []:
                report += f"\nAlso here, and not read; import it by itself with --format: {'; '.join(titles)}\n"
        elif format_ in game_formats():
            fail(f"{file}: no game was found in it")
        else:
            variants = read_variants(source, format_)
            written = write_variants(variants, output, picture)
            count = [f"{len(written)} variants.\n"] if len(written) > 1 else []
            report = "\n".join([*count, *map(report_text, written)])
    except ForeignFileError as error:
        games_are = f"no game either; these are: {'; '.join(m.TITLE for m in game_formats().values())}"
        fail(*error.faults, *([games_are] if error.unknown else []))
    try:
        (output / REPORT).write_text(report, encoding="utf-8")
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
    say(report.rstrip())


def _games_in(source: Source, wanted: str) -> list[RecordedGame]:
    """The games of a source; none where what looks like one cannot be read, and there are variants."""
    if wanted in formats():
        return []
    try:
        return read_games(source, wanted)
    except ForeignFileError:
        if wanted or not recognized(source, formats().values()):
            raise
        return []


def _import_games(games: list[RecordedGame], output: Path, variant: str) -> str:
    """Judge games again and save them, each on its own; the report."""
    reports: list[str] = []
    refused: list[str] = []
    output.mkdir(parents=True, exist_ok=True)
    taken: set[str] = set()
    for number, record in enumerate(games, 1):
        named = variant or ALIKE.get(record.board, record.board)
        if not named:
            refused.append(f"{record.title}: doesn't name its variant; name it with --variant")
            continue
        name = variant_name(named) if variant else named

        def load(options: Mapping[str, object], name: str = name) -> Ruleset:
            return known_variants().load(name, options)

        try:
            judged, options = judge_as_recorded(record, load)
        except VariantError as error:
            refused += [*error.faults, f"{record.title}: name its variant with --variant"]
            continue
        except ForeignFileError as error:
            refused += error.faults
            continue
        file = f"{slug(record.title.rpartition('/')[2]) or 'game'}.json"
        if file in taken:
            file = f"{file.removesuffix('.json')}-{number}.json"
        taken.add(file)
        write_file(output / file, indented(save_game(judged.game)))
        reports.append(f"{output / file}: {len(judged.game.turns)} turns\n{judged_text(record, judged, options)}")
    if not reports:
        fail(*refused)
    if refused:
        reports.append("".join(["Not imported:\n", *(f"  {fault}\n" for fault in refused)]))
    return "\n".join(reports)


@app.command(epilog="Example: legation export game.json --format mila -o mila.json")
def export(
    file: Annotated[str, typer.Argument(metavar="GAME", help="A saved game; '-' is standard input.")],
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, mila, diplicity-game, godip-game or judge-mail.")
    ] = "text",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The file to write; the terminal by default.")
    ] = None,
    variation: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME", help="With text: another course of the game, a saved game; can be repeated."),
    ] = None,
) -> None:
    """Write a saved game in the format of another system.

    Lists what that format can't express.
    """
    games = []
    for name in (file, *(variation or ())):
        try:
            games.append(load_game(read_json(name), known_variants()))
        except SavedGameError as error:
            fail(*(f"{shown(name)}: {fault}" for fault in error.faults))
    game, *others = games
    try:
        text, missing = export_game(game, format_, others)
    except ForeignFileError as error:
        fail(*error.faults)
    if output is None:
        say(text.rstrip())
    else:
        write_file(output, text.encode())
        say(f"{output}: {shown(file)} in the format {format_}")
    for lost in missing:
        say(f"  not in it: {lost}", err=output is None)
