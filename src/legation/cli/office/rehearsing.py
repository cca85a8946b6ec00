"""``legation office rehearse``: the year of a game before anybody is invited to it."""

import logging
from pathlib import Path
from typing import Annotated

import typer

from legation.cli.app import Game
from legation.cli.office.terminal import By, command
from legation.cli.terminal import fail, say
from legation.office.monitoring import logs
from legation.office.terms.plans import game_key
from legation.rehearsal import rehearse, write_folder


@command("rehearse powick-bridge -o rehearsal/", name="rehearse")
def rehearse_game(
    by: By,
    game: Game,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The folder to write to; GAME-rehearsal by default.")
    ] = None,
) -> None:
    """Play a game's year with bots, in a copy, and write every mail and paper of it into a folder.

    Nothing is sent, and the game stays as it is. A game that waits for players is rehearsed from its first turn, any
    other from where it stands, until the year's adjustments are final. Open index.html in a browser."""
    folder = output or Path(f"{game_key(game)}-rehearsal")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        fail(f"{folder} is there already; name another folder with --output")
    logs.configure(plain=True, level=logging.WARNING)  # mails that come and go are what is rehearsed
    page = write_folder(rehearse(*by, game, say), folder)
    say(str(page))
