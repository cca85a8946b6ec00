"""``legation lab dataset``: games as a table to learn from."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from legation.cli.app import lab_group
from legation.cli.terminal import check_output, fail, known_variants, read_game, say, variant_name
from legation.game import Game
from legation.interop import open_source
from legation.interop.games import judge_as_recorded, read_games
from legation.lab.dataset import write_dataset
from legation.variants import STANDARD, VariantError


@lab_group.command(epilog="Example: legation lab dataset games/ -o games.parquet")
def dataset(
    games: Annotated[
        list[Path], typer.Argument(metavar="GAMES...", help="Saved games, folders of them, or games of other systems.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="A .parquet file.")],
    variant: Annotated[str, typer.Option(help="The variant of games whose files don't name it.")] = "",
) -> None:
    """Write games as a table for machine learning: what each power saw, could order and ordered."""
    check_output(output)
    count, rows = write_dataset(_games(games, variant), output)
    say(f"{output}: {count} {'game' if count == 1 else 'games'}, {rows:,} rows")


def _games(paths: list[Path], variant: str) -> Iterator[tuple[str, Game]]:
    for path in paths:
        for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
            yield from _games_of(file, variant)


def _games_of(file: Path, variant: str) -> Iterator[tuple[str, Game]]:
    foreign = read_games(open_source(file), "")
    if not foreign:
        yield file.stem, read_game(str(file))
    for record in foreign:
        named = variant_name(variant) if variant else record.board or STANDARD
        try:
            judged, _ = judge_as_recorded(record, partial(known_variants().load, named))
        except VariantError as error:
            fail(*error.faults, f"{record.title}: name its variant with --variant")
        yield record.title or file.stem, judged.game
