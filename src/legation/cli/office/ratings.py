"""``legation office ratings``: rated players, and their ratings computed anew."""

from typing import Annotated

import typer

from legation.cli.office.terminal import Answer, By, command, listing
from legation.game.report import count
from legation.office.hosting import player_ratings


@command("ratings --recompute")
def ratings(
    by: By,
    family: Annotated[
        str, typer.Argument(metavar="[BOARD]", help="The board whose games count together; the first if left out.")
    ] = "",
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Compute all ratings again from the record first.")
    ] = False,
) -> Answer:
    """List rated players who want to be listed, and bots."""
    done = f"Ratings computed from {count(player_ratings.recompute(*by), 'rated game')}." if recompute else ""
    board = player_ratings.leaderboard(*by, family)
    rows = [(p.name, p.rating, p.uncertainty, p.games) for p in (*board.players, *board.bots)]
    return listing(board, ("player", "rating", "±", "games"), rows, "Nobody is listed yet.", done)
