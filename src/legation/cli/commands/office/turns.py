"""Commands of ``legation office``: deadlines, results, the journal, and what goes on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from legation.cli.commands.office.group import Game, Json, Reason, TurnName, office


@office.command(epilog="Example: legation office process powick-bridge")
def process(context: typer.Context, game: Game) -> None:
    """Process a waiting turn, and do all due work."""
    from legation.cli import publishing

    publishing.process(context.obj, game)


@office.command(epilog="Example: legation office preview powick-bridge")
def preview(context: typer.Context, game: Game) -> None:
    """Show what will be published."""
    from legation.cli import publishing

    publishing.preview(context.obj, game)


@office.command(epilog="Example: legation office publish powick-bridge ; legation office publish powick-bridge --final")
def publish(
    context: typer.Context,
    game: Game,
    final: Annotated[bool, typer.Option("--final", help="Make the season's drafts final.")] = False,
) -> None:
    """Publish the judged results."""
    from legation.cli import publishing

    publishing.publish(context.obj, game, final)


@office.command(name="take-back", epilog="Example: legation office take-back powick-bridge 'one sheet was misread'")
def take_back(context: typer.Context, game: Game, reason: Reason) -> None:
    """Take draft results back."""
    from legation.cli import publishing

    publishing.take_back(context.obj, game, reason)


@office.command(epilog="Example: legation office extend powick-bridge '2027-01-15 07:00' 'the post is on strike'")
def extend(
    context: typer.Context,
    game: Game,
    until: Annotated[str, typer.Argument(help="A time, as '2027-01-15 07:00' (UTC) or with an offset.")],
    reason: Reason,
) -> None:
    """Move a deadline later."""
    from legation.cli import publishing

    publishing.extend(context.obj, game, until, reason)


@office.command(epilog="Example: legation office pause powick-bridge 'the coordinator is ill'")
def pause(context: typer.Context, game: Game, reason: Reason) -> None:
    """Stop a game's clock."""
    from legation.cli import publishing

    publishing.pause(context.obj, game, reason)


@office.command(epilog="Example: legation office resume powick-bridge")
def resume(context: typer.Context, game: Game) -> None:
    """Resume a paused game."""
    from legation.cli import publishing

    publishing.resume(context.obj, game)


@office.command(epilog="Example: legation office result powick-bridge 3")
def result(context: typer.Context, game: Game, turn: TurnName = "last", as_json: Json = False) -> None:
    """Print the results of a turn."""
    from legation.cli import publishing

    publishing.result(context.obj, game, turn, as_json)


@office.command(epilog="Example: legation office journal powick-bridge")
def journal(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """Print a game's journal."""
    from legation.cli import publishing

    publishing.journal(context.obj, game, as_json)


@office.command(epilog="Example: legation office calendar powick-bridge -o powick-bridge.ics")
def calendar(
    context: typer.Context,
    game: Game,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write it to this file.")] = None,
) -> None:
    """Print a game's deadlines as a calendar (iCalendar)."""
    from legation.cli import posting

    posting.calendar(context.obj, game, output)


@office.command(
    name="print",
    epilog="Example: legation office print powick-bridge letters -o letters/ --note note.txt --as you@example.org",
)
def print_papers(
    context: typer.Context,
    game: Game,
    what: Annotated[
        Literal["packets", "letters", "labels", "envelopes", "roster", "orders", "maps"],
        typer.Argument(
            help="Turn packets, year-end letters, address labels, envelopes, the roster, copies of the last "
            "executed orders, or a set of maps."
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write to.")],
    power: Annotated[str, typer.Option(help="For packets and letters: only this power's.")] = "",
    form: Annotated[str, typer.Option(help="For labels: 3x7, 2x7 or 2x4; for envelopes: C5 or DL.")] = "",
    skip: Annotated[int, typer.Option(min=0, help="How many labels of the first sheet are already used.")] = 0,
    post: Annotated[
        int | None, typer.Option(min=0, max=60, help="How many days a letter takes; the game's setting by default.")
    ] = None,
    note: Annotated[
        Path | None, typer.Option(help="A file with a note for the letters; empty lines separate paragraphs.")
    ] = None,
    sender: Annotated[
        list[str] | None,
        typer.Option(help="Your name, then each line of your address; your address in the office by default."),
    ] = None,
) -> None:
    """Write printable papers, as PDF files in a folder."""
    from legation.cli.printing import print_papers as write

    write(context.obj, game, what, output, power, form, skip, post, note, sender)
