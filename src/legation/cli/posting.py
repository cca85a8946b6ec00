"""What a game by post needs at the terminal besides its papers: photographs of opened letters, the calendar."""

from __future__ import annotations

from pathlib import Path

from legation.cli.files import replace_file
from legation.cli.office_terminal import Place, opened
from legation.cli.terminal import fail, read_bytes, say
from legation.office.desk import copies
from legation.office.orders.pictures import PictureError, take_pictures


def photographs(place: Place, game: str, turn: str, power: str, files: list[Path]) -> None:
    """Add photographs of an opened letter to the orders that it brought."""
    try:
        pictures = [(p.name, p.data, p.kind) for file in files for p in take_pictures(file.name, read_bytes(str(file)))]
    except PictureError as error:
        fail(str(error))
    with opened(place) as (office, actor):
        kept = copies.add_copies(office, actor, game, turn, power, pictures)
        say(f"{len(kept)} {'photograph' if len(kept) == 1 else 'photographs'} of this letter; players get them all.")


def calendar(place: Place, game: str, output: Path | None) -> None:
    """Print a game's calendar, or write it to a file."""
    from legation.feeds.games import game_calendar

    with opened(place) as (office, actor):
        document = game_calendar(office, actor, game)
        if output is None:
            say(document.decode().replace("\r\n", "\n").rstrip("\n"))
        else:
            replace_file(output, document)
            say(str(output))
