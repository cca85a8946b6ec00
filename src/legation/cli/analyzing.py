"""``legation analyze``: a game looked back on once it is over."""

from pathlib import Path
from typing import Annotated

import typer

from legation.cli.app import Json, app
from legation.cli.terminal import check_output, fail, played_turn, read_game, say, show_progress, shown, write_json
from legation.lab.analysis import analyze, turning_points
from legation.lab.report.document import write_document
from legation.lab.retrospect import retrospect, turn_lines


@app.command("analyze", epilog="Example: legation analyze game.json -o game.html")
def analyze_file(
    file: Annotated[str, typer.Argument(metavar="GAME", help="A finished saved game; '-' is standard input.")],
    turn: Annotated[str, typer.Option(help="Analyze the orders of one turn only: its number or name.")] = "",
    over: Annotated[
        bool, typer.Option("--over", help="Treat the game as finished although the file has no ending.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write an .html or a .pdf file.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Analyze a finished game: turning points and mistakes."""
    if output is not None:
        check_output(output, ".html", ".pdf")
    game = read_game(file)
    if game.ending is None and not over:
        fail(
            f"{shown(file)} has no ending, and a game that is still being played isn’t analyzed. If it is over, add "
            "--over."
        )
    if not game.turns:
        fail(f"{shown(file)} has no turn yet")
    only = played_turn(game, turn) if turn else None
    if turn and only is None:
        fail(
            f"there is no turn {turn!r}; name one as {game.turns[0].resolution.before.turn}, or 1 to {len(game.turns)}"
        )
    turns = []
    for analyzed in analyze(game, None if only is None else game.turns.index(only)):
        turns.append(analyzed)
        show_progress(f"turn {analyzed.number} of {len(game.turns)}")
    show_progress("")
    if output is not None:
        write_document(retrospect(game, turns), output)
        say(str(output))
    elif as_json:
        write_json(turns)
    else:
        for analyzed in turns:
            for line in turn_lines(analyzed):
                say(line)
        for point in turning_points(turns):
            say(f"Turning point: {point.turn}, {point.power} from {point.before:.0%} to {point.after:.0%}")
