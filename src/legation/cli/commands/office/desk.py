"""Commands of ``legation office``: what came in, and the desk."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from legation.cli.commands.office.group import Game, Item, Json, Note, PowerName, Reason, TurnName, office

OrdersFile = Annotated[str, typer.Argument(help="A file with the orders; '-' is standard input.")]


@office.command(epilog="Example: legation office submissions powick-bridge")
def submissions(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """List the submissions of this turn with time and channel, never their content."""
    from legation.cli import coordinating

    coordinating.submissions(context.obj, game, as_json)


@office.command(epilog="Example: legation office posted powick-bridge Crown 'blue envelope'")
def posted(context: typer.Context, game: Game, power: PowerName, note: Note = "") -> None:
    """Register an envelope that came by post, unopened."""
    from legation.cli import coordinating

    coordinating.posted(context.obj, game, power, note)


@office.command(epilog="Example: legation office desk")
def desk(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="Only this game's.")] = "",
    as_json: Json = False,
) -> None:
    """List the open items for the coordinator."""
    from legation.cli import coordinating

    coordinating.desk(context.obj, game, as_json)


@office.command(epilog="Example: legation office look 12 -o pictures/")
def look(
    context: typer.Context,
    item: Item,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write its pictures into this folder.")] = None,
) -> None:
    """Show an item on the desk: the versions to choose from, the pictures to read."""
    from legation.cli import coordinating

    coordinating.look(context.obj, item, output)


@office.command(epilog="Example: legation office choose 12 345 'as the instructions say'")
def choose(
    context: typer.Context,
    item: Item,
    submission: Annotated[int, typer.Argument(help="The number of the submission; 'look' lists them.")],
    reason: Reason,
) -> None:
    """Choose which of several versions counts."""
    from legation.cli import coordinating

    coordinating.choose(context.obj, item, submission, reason)


@office.command(epilog="Example: legation office transcribe 12 sheet.txt")
def transcribe(
    context: typer.Context,
    item: Item,
    file: OrdersFile = "-",
    try_it: Annotated[bool, typer.Option("--try", help="Only show how it's understood.")] = False,
) -> None:
    """Transcribe a picture or a posted sheet, as the coordinator or the deputy."""
    from legation.cli import coordinating

    coordinating.transcribe(context.obj, item, file, try_it)


@office.command(epilog="Example: legation office decide 14 sheet.txt 'the third word is Bristol'")
def decide(context: typer.Context, item: Item, file: OrdersFile, reason: Reason) -> None:
    """Decide between two readings of a sheet ('look' shows both)."""
    from legation.cli import coordinating

    coordinating.decide(context.obj, item, file, reason)


@office.command(
    epilog="Example: legation office accept 12 'the post was on strike' ; legation office accept 12 'none came' --no"
)
def accept(
    context: typer.Context,
    item: Item,
    reason: Reason,
    yes: Annotated[bool, typer.Option("--yes/--no", help="Accept or refuse.")] = True,
) -> None:
    """Accept or refuse a revision whose posted sheet never came."""
    from legation.cli import coordinating

    coordinating.accept(context.obj, item, yes, reason)


@office.command(epilog="Example: legation office correct powick-bridge 3 Crown sheet.txt 'it says Oxford'")
def correct(
    context: typer.Context, game: Game, turn: TurnName, power: PowerName, file: OrdersFile, reason: Reason
) -> None:
    """Correct a transcription until the results are final."""
    from legation.cli import coordinating

    coordinating.correct(context.obj, game, turn, power, file, reason)


@office.command(epilog="Example: legation office photographs powick-bridge 3 Crown front.jpg back.jpg")
def photographs(
    context: typer.Context,
    game: Game,
    turn: TurnName,
    power: PowerName,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="JPEG, PNG, HEIC or PDF.")],
) -> None:
    """Add photographs of an opened letter; all players get them with the copies of the orders."""
    from legation.cli import posting

    posting.photographs(context.obj, game, turn, power, files)


@office.command(epilog="Example: legation office settle 12 'called her' ; legation office settle 13 --retry")
def settle(
    context: typer.Context,
    item: Item,
    note: Note = "",
    retry: Annotated[bool, typer.Option("--retry", help="Try it again.")] = False,
) -> None:
    """Close an item that needs nothing more."""
    from legation.cli import coordinating

    coordinating.settle(context.obj, item, note, retry)


@office.command(epilog="Example: legation office assign 12 powick-bridge Crown --mail 7")
def assign(
    context: typer.Context,
    item: Item,
    game: Game,
    power: PowerName,
    mail: Annotated[int, typer.Option(help="The number of the mail, if the item lists several.")] = 0,
) -> None:
    """Match a mail to a seat, if the office couldn't."""
    from legation.cli import coordinating

    coordinating.assign(context.obj, item, game, power, mail)


@office.command(epilog="Example: legation office retry --all")
def retry(
    context: typer.Context,
    everything: Annotated[
        bool, typer.Option("--all", help="Work, mails that weren't delivered, mails put aside.")
    ] = False,
) -> None:
    """Retry everything that failed, in the whole office."""
    from legation.cli import coordinating

    if not everything:
        raise typer.BadParameter("add --all; to retry one item, use 'settle ITEM --retry'")
    coordinating.retry_all(context.obj)
