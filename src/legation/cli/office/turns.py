"""What the commands of ``legation office`` do about deadlines, results and the journal."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from legation.cli.app import Game, Json, Reason, TurnName, office_group
from legation.cli.files import replace_file
from legation.cli.office.games import show
from legation.cli.office.terminal import cell, opened, print_json, table
from legation.cli.terminal import fail, say
from legation.feeds.games import game_calendar
from legation.office.errors import ConflictError
from legation.office.game import journal as journal_room
from legation.office.game import processing
from legation.office.hosting import deadlines, games
from legation.office.operation import work
from legation.office.records import Entry, TurnResult


@office_group.command(epilog="Example: legation office process powick-bridge")
def process(context: typer.Context, game: Game) -> None:
    """Process a waiting turn, and do all due work."""
    with opened(context) as (office, actor):
        done = work.run_due(office)
        with contextlib.suppress(ConflictError) if done else contextlib.nullcontext():
            processing.process_now(office, actor, game)
        done += work.run_due(office)
        say("1 step done." if done == 1 else f"{done} steps done.")
    show(context, game)


@office_group.command(epilog="Example: legation office preview powick-bridge")
def preview(context: typer.Context, game: Game) -> None:
    """Show what will be published."""
    with opened(context) as (office, actor):
        _report(processing.preview(office, actor, game))


@office_group.command(
    epilog="Example: legation office publish powick-bridge ; legation office publish powick-bridge --final"
)
def publish(
    context: typer.Context,
    game: Game,
    final: Annotated[bool, typer.Option("--final", help="Make the season's drafts final.")] = False,
) -> None:
    """Publish the judged results."""
    with opened(context) as (office, actor):
        turn = (processing.publish_final if final else processing.publish_draft)(office, actor, game)
        work.run_due(office)
        if final:
            say(f"The season's results are final. {turn.name} is {turn.state}.")
        else:
            say(f"The {'draft ' * (turn.state == 'draft')}results of {turn.name} are published.")


@office_group.command(
    name="take-back", epilog="Example: legation office take-back powick-bridge 'one sheet was misread'"
)
def take_back(context: typer.Context, game: Game, reason: Reason) -> None:
    """Take draft results back."""
    with opened(context) as (office, actor):
        say(f"{processing.take_back_draft(office, actor, game, reason).name} is withdrawn.")


@office_group.command(epilog="Example: legation office extend powick-bridge '2027-01-15 07:00' 'the post is on strike'")
def extend(
    context: typer.Context,
    game: Game,
    until: Annotated[str, typer.Argument(help="A time, as '2027-01-15 07:00' (UTC) or with an offset.")],
    reason: Reason,
) -> None:
    """Move a deadline later."""
    try:
        at = datetime.fromisoformat(until)
    except ValueError:
        fail(f"{until!r} isn't a time; write it as '2027-01-15 07:00' (UTC) or '2027-01-15T07:00+01:00'")
    with opened(context) as (office, actor):
        turn = deadlines.extend(office, actor, game, at if at.tzinfo else at.replace(tzinfo=UTC), reason)
        say(f"{turn.name} is due {cell(turn.deadline)}.")


@office_group.command(epilog="Example: legation office pause powick-bridge 'the coordinator is ill'")
def pause(context: typer.Context, game: Game, reason: Reason) -> None:
    """Stop a game's clock."""
    with opened(context) as (office, actor):
        say(f"{games.pause(office, actor, game, reason).name} is paused.")


@office_group.command(epilog="Example: legation office resume powick-bridge")
def resume(context: typer.Context, game: Game) -> None:
    """Resume a paused game."""
    with opened(context) as (office, actor):
        resumed = games.resume(office, actor, game)
        say(
            f"{resumed.name} goes on"
            + (f"; {resumed.turn.name} is due {cell(resumed.turn.deadline)}." if resumed.turn else ".")
        )


@office_group.command(epilog="Example: legation office result powick-bridge 3")
def result(context: typer.Context, game: Game, turn: TurnName = "last", as_json: Json = False) -> None:
    """Print the results of a turn."""
    with opened(context) as (office, actor):
        results = games.result(office, actor, game, turn)
        if as_json:
            return print_json(results)
        _report(results)


def _report(results: TurnResult) -> None:
    say(f"{results.name}, {results.state}\n")
    for sheet in results.sheets:
        if sheet.before:
            say("\n".join((f"Corrected, {sheet.power} ({sheet.reason}):", *sheet.changes(), "")))
    say(results.report)
    for sheet in results.sheets:
        if sheet.conditions:
            say("\n".join(("", f"Ordered ahead, {sheet.power}:", *sheet.conditions)))


@office_group.command(epilog="Example: legation office journal powick-bridge")
def journal(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """Print a game's journal."""
    with opened(context) as (office, actor):
        entries: list[Entry] = []
        while more := journal_room.entries(office, actor, game, entries[-1].id if entries else 0, 1000):
            entries += more
        if as_json:
            return print_json(entries)
        table(("when", "who", "what"), ((e.at, e.who, e.text) for e in entries), "The journal is empty.")


@office_group.command(epilog="Example: legation office calendar powick-bridge -o powick-bridge.ics")
def calendar(
    context: typer.Context,
    game: Game,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write it to this file.")] = None,
) -> None:
    """Print a game's deadlines as a calendar (iCalendar)."""
    with opened(context) as (office, actor):
        document = game_calendar(office, actor, game)
        if output is None:
            say(document.decode().replace("\r\n", "\n").rstrip("\n"))
        else:
            replace_file(output, document)
            say(str(output))
