"""``legation mcp`` and ``legation daide``: seats for programs of others."""

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from legation.bots import bot as bot_named
from legation.cli.app import app
from legation.cli.terminal import check_output, fail, indented, load_variant, say, write_file
from legation.daide import Hosting, host_game
from legation.game import save_game
from legation.game.report import count


@app.command("mcp", epilog="Example: LEGATION_TOKEN=... legation mcp https://games.example.org/games/naseby")
def serve_tools(
    game: Annotated[str, typer.Argument(metavar="ADDRESS", help="The address of the game's page.")],
    power: Annotated[str, typer.Option(help="The power to play, if you have several.")] = "",
) -> None:
    """Let a language model play a seat.

    Uses the Model Context Protocol on standard input and output."""
    try:
        import httpx2
        import mcp  # noqa: F401
    except ModuleNotFoundError as error:
        fail(f"this needs {error.name}; install it with: pip install 'legation[mcp]'")
    from legation.client import Client
    from legation.client.playing import TOKEN, find_game
    from legation.client.tools import Seat, tool_server

    token = os.environ.get(TOKEN, "")
    if not token:
        fail(f"set {TOKEN} to the seat holder's token, with the scopes read and play")
    office, key = find_game(game)
    try:
        with Client(office, token) as client:
            tool_server(Seat(client, key, power)).run("stdio")
    except httpx2.HTTPError as error:
        fail(f"the office at {game} does not answer: {error}")


@app.command(epilog="Example: legation daide standard --port 16713 --seats 1 --bot dumbbot -o game.json")
def daide(
    variant: Annotated[str, typer.Argument(metavar="VARIANT", help="A variant's name or the path of its file.")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port for programs; 0 for any free one.")] = 16713,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    seats: Annotated[int, typer.Option(min=1, help="How many powers programs play.")] = 1,
    bot: Annotated[str, typer.Option(help="The bot for the other powers.")] = "dumbbot",
    seconds: Annotated[float, typer.Option(min=0.1, help="Seconds that programs have for a turn.")] = 60.0,
    press: Annotated[int, typer.Option(help="0 for none, 10 for peace, alliances and draws.")] = 0,
    turns: Annotated[int, typer.Option(min=1, max=5000, help="The maximum number of turns.")] = 500,
    seed: Annotated[str, typer.Option(help="The seed for assigning powers, and for bots.")] = "",
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Save the game here.")] = None,
) -> None:
    """Host a game over TCP for programs that use DAIDE."""
    rules = load_variant(variant)
    if output is not None:
        check_output(output)
    if press not in (0, 10):
        fail("the press level is 0 or 10")
    if seats > len(rules.played):
        fail(f"{rules.title} has {len(rules.played)} seats")
    hosting = Hosting(seats=seats, bot=bot, seconds=seconds, press=press, seed=seed or os.urandom(8).hex(), turns=turns)

    def opened(at: int) -> None:
        say(f"{rules.title} for {seats} programs at {host}:{at}", err=True)

    try:
        bot_named(bot)
        game = asyncio.run(host_game(rules, hosting, host, port, lambda line: say(line, err=True), opened))
    except OSError as error:
        fail(f"cannot listen at {host}:{port}: {error.strerror or error}")
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    say(game.ending.reason if game.ending is not None else f"stopped after {count(len(game.turns), 'turn')}")
    if output is not None:
        write_file(output, indented(save_game(game)))
