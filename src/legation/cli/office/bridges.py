"""``legation office bridges``: the bridges of a game at a terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from legation.cli.app import Json, office_group
from legation.cli.office.terminal import opened, print_json, table, text_of
from legation.cli.terminal import say
from legation.office.desk import bridges


@office_group.command("bridges", epilog="Example: legation office bridges powick-bridge --add - < address.txt")
def of_game(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, as in its address: powick-bridge.")],
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
    as_json: Json = False,
) -> None:
    """List, add, test or remove the bridges of a game: webhooks and channels of chat services."""
    with opened(context) as (office, actor):
        if add:
            made = bridges.add(office, actor, game, text_of(add).strip(), tells.replace(",", " ").split())
            say(f"A test goes to {made.host}; nothing else goes there before it is taken.", err=as_json)
            if made.secret:
                say(f"The secret that signs what goes there, shown once: {made.secret}", err=as_json)
        if test is not None:
            bridges.test(office, actor, game, test)
        if remove is not None:
            bridges.remove(office, actor, game, remove)
        listed = bridges.bridges(office, actor, game)
        if as_json:
            return print_json(listed)
        rows = [(b.id, b.kind, b.host, ", ".join(b.tells), b.confirmed is not None, b.last_sent) for b in listed]
        table(("number", "service", "host", "tells", "taken", "last"), rows, "There are no bridges.")
