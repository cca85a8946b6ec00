"""``legation office bridges``: the bridges of a game at a terminal."""

from typing import Annotated

import typer

from legation.cli.app import Game
from legation.cli.office.terminal import Answer, By, command, listing
from legation.cli.terminal import text_of
from legation.office.desk import bridges


@command("bridges powick-bridge --add - < address.txt", name="bridges")
def of_game(
    by: By,
    game: Game,
    add: Annotated[
        str,
        typer.Option(
            "--add",
            metavar="FILE",
            help="Add the bridge whose address is in a file; '-' is standard input, since addresses hold secrets.",
        ),
    ] = "",
    tells: Annotated[
        str, typer.Option("--tells", metavar="PARTS", help="What goes over it: results, deadlines, letters.")
    ] = "results deadlines",
    test: Annotated[int | None, typer.Option("--test", metavar="NUMBER", help="Send a test over a bridge.")] = None,
    remove: Annotated[int | None, typer.Option("--remove", metavar="NUMBER", help="Remove a bridge.")] = None,
) -> Answer:
    """List, add, test or remove the bridges of a game: webhooks and channels of chat services."""
    done = ""
    if add:
        made = bridges.add(*by, game, text_of(add).strip(), tells.replace(",", " ").split())
        done = f"A test goes to {made.host}; nothing else goes there before it is taken."
        if made.secret:
            done += f"\nThe secret that signs what goes there, shown once: {made.secret}"
    if test is not None:
        bridges.test(*by, game, test)
    if remove is not None:
        bridges.remove(*by, game, remove)
    listed = bridges.bridges(*by, game)
    rows = [(b.id, b.kind, b.host, ", ".join(b.tells), b.confirmed is not None, b.last_sent) for b in listed]
    return listing(listed, ("number", "service", "host", "tells", "taken", "last"), rows, "There are no bridges.", done)
