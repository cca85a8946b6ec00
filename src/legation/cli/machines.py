"""``legation mcp`` and ``legation daide``: seats for programs of others."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from legation.cli.terminal import check_output, fail, indented, load_variant, say, write_file


def serve_tools(game: str, power: str) -> None:
    """Serve the tools of a seat on standard input and output until the model's program ends it."""
    try:
        import httpx2
        import mcp  # noqa: F401
    except ModuleNotFoundError as error:
        fail(f"this needs {error.name}; install it with: pip install 'legation[mcp]'")
    from legation.client import Client, Refused, SeatError
    from legation.client.playing import TOKEN, find_game
    from legation.client.tools import Seat, tool_server

    token = os.environ.get(TOKEN, "")
    if not token:
        fail(f"set {TOKEN} to the seat holder's token, with the scopes read and play")
    try:
        office, key = find_game(game)
        with Client(office, token) as client:
            tool_server(Seat(client, key, power)).run("stdio")
    except (SeatError, Refused) as error:
        fail(str(error))
    except httpx2.HTTPError as error:
        fail(f"the office at {game} does not answer: {error}")


def serve_daide(
    variant: str,
    host: str,
    port: int,
    seats: int,
    bot: str,
    seconds: float,
    press: int,
    turns: int,
    seed: str,
    output: Path | None,
) -> None:
    """Hold a game for programs that speak DAIDE until it ends."""
    from legation.bots import NoSuchBotError
    from legation.bots import bot as bot_named
    from legation.daide import Hosting, UnspeakableError, host_game
    from legation.game import save_game
    from legation.game.report import count

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
    except (UnspeakableError, NoSuchBotError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"cannot listen at {host}:{port}: {error.strerror or error}")
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    say(game.ending.reason if game.ending is not None else f"stopped after {count(len(game.turns), 'turn')}")
    if output is not None:
        write_file(output, indented(save_game(game)))
