"""Commands of ``legation office``: proofs, exports, lost keys, and games that move to another office."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from legation.cli.commands.office.group import Game, Json, Reason, TurnName, office


@office.command(epilog="Example: legation office verify powick-bridge")
def verify(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """Check every commitment, and replay the game from its journal."""
    from legation.cli import handing_over

    handing_over.verify(context.obj, game, as_json)


@office.command(epilog="Example: legation office proof powick-bridge > powick-bridge.transcript.jsonl")
def proof(
    context: typer.Context,
    game: Game,
    turn: Annotated[str, typer.Argument(metavar="TURN", help="Only the proof of this turn in the first format.")] = "",
) -> None:
    """Print the transcript of a game, for 'legation verify'."""
    from legation.cli import handing_over

    handing_over.proof(context.obj, game, turn)


@office.command(epilog="Example: legation office export powick-bridge > game.json")
def export(
    context: typer.Context,
    game: Game,
    everything: Annotated[
        bool, typer.Option("--all", help="Print everything, for 'import' in another office.")
    ] = False,
) -> None:
    """Print a saved game, or everything stored about the game."""
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
        typer.Option(help="For a game of another system: its plan (.toml), with players' addresses under [seats]."),
    ] = None,
    name: Annotated[str, typer.Option(help="For a game of another system: its name here.")] = "",
    variant: Annotated[str, typer.Option(help="Its variant, if the file doesn't name it.")] = "",
) -> None:
    """Import a game that another office exported, and check its history. A game of another system continues from its
    current position, and the players in the plan are invited by mail."""
    from legation.cli import moving_in

    moving_in.import_game(context.obj, file, plan, name, variant)


@office.command(epilog="Example: legation office card > card.json")
def card(context: typer.Context) -> None:
    """Print this office's card, which another office needs to move a game here."""
    from legation.cli import handing_over

    handing_over.card(context.obj)


@office.command(epilog="Example: legation office leave powick-bridge card.json")
def leave(
    context: typer.Context,
    game: Game,
    file: Annotated[
        str, typer.Argument(metavar="CARD", help="The other office's card, from 'card'; '-' is standard input.")
    ] = "",
    stay: Annotated[bool, typer.Option("--stay", help="Cancel the move.")] = False,
) -> None:
    """Move a game to another office at the end of its season; then use 'export --all' here and 'import' there."""
    from legation.cli import handing_over

    handing_over.leave(context.obj, game, file, stay)


@office.command(name="renew-key", epilog="Example: legation office renew-key")
def renew_key(
    context: typer.Context,
    lost: Annotated[
        bool, typer.Option("--lost", help="Record that the old key is lost; the office already has a new one.")
    ] = False,
) -> None:
    """Make a new signing key, and record it in all journals. Stop the office first."""
    from legation.cli import handing_over

    handing_over.renew_key(context.obj, lost)


@office.command(epilog="Example: legation office move postgresql://user@host/legation")
def move(
    context: typer.Context, url: Annotated[str, typer.Argument(help="The new database, empty: postgresql://...")]
) -> None:
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

    Nobody can read the orders for it, so everyone is asked to send them again. If you have a copy of the keys,
    restore that instead.
    """
    from legation.cli import handing_over

    handing_over.reopen(context.obj, game, turn, reason)


@office.command(name="reopen-all", epilog="Example: legation office reopen-all 'the disk with the keys died'")
def reopen_all(context: typer.Context, reason: Reason) -> None:
    """Reopen every turn whose key is lost, in all games."""
    from legation.cli import handing_over

    handing_over.reopen_all(context.obj, reason)
