"""``legation score``: what a game is worth to each power in a scoring system."""

from __future__ import annotations

from typing import Annotated

import typer

from legation.cli.app import Json, app
from legation.cli.terminal import fail, read_game, say, shown, write_json
from legation.scoring import SYSTEMS, outcome_of_game


@app.command(epilog="Example: legation score game.json --system carnage")
def score(
    file: Annotated[
        str,
        typer.Argument(metavar="GAME", help="A saved game, finished or as it stands; '-' is standard input."),
    ],
    system: Annotated[
        list[str] | None,
        typer.Option("--system", "-s", metavar="NAME", help="A scoring system; repeat it for more. Default: all."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Score a game in one or more scoring systems."""
    if unknown := [name for name in system or () if name not in SYSTEMS]:
        fail(f"there is no scoring system {unknown[0]!r}; there are {', '.join(SYSTEMS)}")
    game = read_game(file)
    outcome = outcome_of_game(game)
    points = {name: SYSTEMS[name].score(outcome) for name in system or SYSTEMS}
    if as_json:
        write_json({"centers": dict(outcome.centers), "points": points})
        return
    if game.ending is None:
        say(f"legation: {shown(file)} has no ending; survivors count as sharing a draw", err=True)
    for name, scored in points.items():
        say(SYSTEMS[name].name)
        for power, value in sorted(scored.items(), key=lambda item: -item[1]):
            say(f"  {power:<24} {outcome.centers[power]:>3} centers {value:>10.6g}")
