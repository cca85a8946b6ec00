"""``legation office ratings``: rated players, and their ratings computed anew."""

from __future__ import annotations

from typing import Annotated

import typer

from legation.cli.app import Json, office_group
from legation.cli.office.terminal import opened, print_json, table
from legation.cli.terminal import say
from legation.game.report import count
from legation.office.hosting import player_ratings


@office_group.command("ratings", epilog="Example: legation office ratings --recompute")
def ratings(
    context: typer.Context,
    family: Annotated[
        str, typer.Argument(metavar="[BOARD]", help="The board whose games count together; the first if left out.")
    ] = "",
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Compute all ratings again from the record first.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List rated players who want to be listed, and bots."""
    with opened(context) as (office, actor):
        if recompute:
            rated = player_ratings.recompute(office, actor)
            say(f"Ratings computed from {count(rated, 'rated game')}.", err=as_json)
        board = player_ratings.leaderboard(office, actor, family)
        if as_json:
            return print_json(board)
        rows = [(p.name, p.rating, p.uncertainty, p.games) for p in (*board.players, *board.bots)]
        table(("player", "rating", "±", "games"), rows, "Nobody is listed yet.")
