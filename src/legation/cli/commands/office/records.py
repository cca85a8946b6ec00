"""Commands of ``legation office``: proofs, exports, lost keys, and games that move to another office."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from legation.cli.commands.office.group import Game, Json, Reason, TurnName, office


@office.command(epilog="Example: legation office verify powick-bridge")
def verify(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """Check every commitment again, and replay the game from its journal."""
    from legation.cli import handing_over

    handing_over.verify(context.obj, game, as_json)


@office.command(epilog="Example: legation office proof powick-bridge > powick-bridge.transcript.jsonl")
def proof(
    context: typer.Context,
    game: Game,
    turn: Annotated[str, typer.Argument(metavar="TURN", help="Only what proves this turn in the first format.")] = "",
) -> None:
    """Print the transcript of a game, for 'legation verify'."""
    from legation.cli import handing_over

    handing_over.proof(context.obj, game, turn)


@office.command(epilog="Example: legation office export powick-bridge > game.json")
def export(
    context: typer.Context,
    game: Game,
    everything: Annotated[bool, typer.Option("--all", help="All of it, for 'import' in another office.")] = False,
) -> None:
    """Print a game as a saved game, or all that is kept of it."""
    from legation.cli import handing_over

    handing_over.export(context.obj, game, everything)


@office.command(
    name="import",
    epilog="Example: legation office -C otheroffice import game.json; legation office import game.txt --plan plan.toml",
)
def import_game(
    context: typer.Context,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="What 'export --all' printed, or another system's game; '-' is standard input."
        ),
    ],
    plan: Annotated[
        Path | None,
        typer.Option(help="Of another system's game: its plan (.toml), with the addresses to invite under [seats]."),
    ] = None,
    name: Annotated[str, typer.Option(help="Of another system's game: what it is called here.")] = "",
    variant: Annotated[str, typer.Option(help="The variant that it is of, if the file does not say.")] = "",
) -> None:
    """Import a game that another office exported whole: its past is kept and checked. A game of another system goes on
    from where it stands, and those whom the plan names are invited by mail."""
    from legation.cli import moving_in

    moving_in.import_game(context.obj, file, plan, name, variant)


@office.command(epilog="Example: legation office card > card.json")
def card(context: typer.Context) -> None:
    """Print this office's card, with which another office can hand a game over to it."""
    from legation.cli import handing_over

    handing_over.card(context.obj)


@office.command(epilog="Example: legation office leave powick-bridge card.json")
def leave(
    context: typer.Context,
    game: Game,
    file: Annotated[str, typer.Argument(metavar="CARD", help="What 'card' printed there; '-' is standard input.")] = "",
    stay: Annotated[bool, typer.Option("--stay", help="Cancel the move.")] = False,
) -> None:
    """Hand a game over to another office when its season is over; then 'export --all' has it, for 'import' there."""
    from legation.cli import handing_over

    handing_over.leave(context.obj, game, file, stay)


@office.command(name="renew-key", epilog="Example: legation office renew-key")
def renew_key(
    context: typer.Context,
    lost: Annotated[bool, typer.Option("--lost", help="Make no key: the office already has another.")] = False,
) -> None:
    """Sign with a new key from now on, and say so in all journals. Stop the office first."""
    from legation.cli import handing_over

    handing_over.renew_key(context.obj, lost)


@office.command(epilog="Example: legation office move postgresql://user@host/legation")
def move(context: typer.Context, url: str) -> None:
    """Copy the office's database to another, such as from SQLite to PostgreSQL."""
    from legation.cli import handing_over

    handing_over.move(context.obj, url)


@office.command(name="resume-all", epilog="Example: legation office resume-all 'the server is back'")
def resume_all(context: typer.Context, reason: Reason) -> None:
    """Resume all games paused by a restore, or because their rules changed."""
    from legation.cli import handing_over

    handing_over.resume_all(context.obj, reason)


@office.command(epilog="Example: legation office reopen powick-bridge now 'the disk with the keys died'")
def reopen(context: typer.Context, game: Game, turn: TurnName, reason: Reason) -> None:
    """Reopen a turn whose key is lost.

    Nobody can read what was sent for it; everybody is asked to send again. Restore a copy of the keys
    instead, if you have one.
    """
    from legation.cli import handing_over

    handing_over.reopen(context.obj, game, turn, reason)


@office.command(name="reopen-all", epilog="Example: legation office reopen-all 'the disk with the keys died'")
def reopen_all(context: typer.Context, reason: Reason) -> None:
    """Reopen every turn whose key is lost, in all games."""
    from legation.cli import handing_over

    handing_over.reopen_all(context.obj, reason)
