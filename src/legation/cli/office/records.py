"""What the commands of ``legation office`` do about proofs, exports, lost keys and games that move elsewhere."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from legation.cli.app import Game, Json, Reason, TurnName, office_group
from legation.cli.office.terminal import opened, print_json, table
from legation.cli.serving import only_one
from legation.cli.terminal import fail, read_bytes, say
from legation.game.report import count
from legation.office.clock import moment_in_words
from legation.office.context import Actor
from legation.office.hosting import exports, moving, proofs, transfer
from legation.office.operation import archive, lost_keys
from legation.proofs.canonical import encode


@office_group.command(epilog="Example: legation office verify powick-bridge")
def verify(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """Check every commitment, and replay the game from its journal."""
    with opened(context) as (office, actor):
        checks = proofs.verify(office, actor, game)
        again = exports.rebuild(office, Actor.console(), game)
        if as_json:
            print_json({"proofs": msgspec.to_builtins(checks), "replay": again})
        else:
            table(
                ("turn", "what", "holds", "detail"),
                ((p.turn, p.what, p.holds if p.checked else "", p.detail) for p in checks),
                "Nothing was committed to yet.",
            )
            say("\n".join(again) or "Played again from its journal, the game is the same.")
        if again or not all(p.holds for p in checks):
            raise typer.Exit(1)


@office_group.command(epilog="Example: legation office proof powick-bridge > powick-bridge.transcript.jsonl")
def proof(
    context: typer.Context,
    game: Game,
    turn: Annotated[str, typer.Argument(metavar="TURN", help="Only the proof of this turn in the first format.")] = "",
) -> None:
    """Print the transcript of a game, for 'legation verify'."""
    with opened(context) as (office, actor):
        if turn:
            print_json(proofs.published(office, actor, game, turn))
        else:
            typer.echo(proofs.transcript(office, actor, game), nl=False)


@office_group.command(epilog="Example: legation office heads > heads.json")
def heads(context: typer.Context) -> None:
    """Print the last signed head of each game's journal, to be published where anybody can fetch it."""
    with opened(context) as (office, actor):
        print_json(proofs.heads(office, actor))


@office_group.command(epilog="Example: legation office export powick-bridge > game.json")
def export(
    context: typer.Context,
    game: Game,
    everything: Annotated[
        bool, typer.Option("--all", help="Print everything, for 'import' in another office.")
    ] = False,
) -> None:
    """Print a saved game, or everything stored about the game."""
    with opened(context) as (office, actor):
        print_json(transfer.whole_game(office, actor, game) if everything else exports.saved_game(office, actor, game))


@office_group.command(epilog="Example: legation office card > card.json")
def card(context: typer.Context) -> None:
    """Print this office's card, which another office needs to move a game here."""
    with opened(context) as (office, actor):
        typer.echo(encode(moving.card(office, actor)).decode())


@office_group.command(epilog="Example: legation office leave powick-bridge card.json")
def leave(
    context: typer.Context,
    game: Game,
    file: Annotated[
        str, typer.Argument(metavar="CARD", help="The other office's card, from 'card'; '-' is standard input.")
    ] = "",
    stay: Annotated[bool, typer.Option("--stay", help="Cancel the move.")] = False,
) -> None:
    """Move a game to another office at the end of its season; then use 'export --all' here and 'import' there."""
    if bool(file) is stay:
        fail("Name the file with the other office's card, or say --stay.")
    with opened(context) as (office, actor):
        if stay:
            say(f"{moving.stay(office, actor, game).name} stays.")
            return
        record = moving.leave(office, actor, game, read_bytes(file).decode("utf-8", "replace"))
        if record.state == "moved":
            say(f"{record.name} has left: 'legation office export {record.key} --all' prints it for 'import' there.")
        else:
            say(f"{record.name} leaves at the end of its season. All players have been told.")


@office_group.command(name="renew-key", epilog="Example: legation office renew-key")
def renew_key(
    context: typer.Context,
    lost: Annotated[
        bool, typer.Option("--lost", help="Record that the old key is lost; the office already has a new one.")
    ] = False,
) -> None:
    """Make a new signing key, and record it in all journals. Stop the office first."""
    with opened(context) as (office, actor):
        if not lost:
            moving.new_signing_key(office)
        told = moving.renew(office, actor)
        say(f"The office signs with {office.public_key}, as the journals of {told} games say. Tell it to your players.")


@office_group.command(epilog="Example: legation office move postgresql://user@host/legation")
def move(
    context: typer.Context, url: Annotated[str, typer.Argument(help="The new database, empty: postgresql://...")]
) -> None:
    """Copy the office's database to another, such as from SQLite to PostgreSQL."""
    folder = context.obj[0]
    with opened(context) as (office, _), only_one(folder):  # what is written meanwhile would be lost
        rows = archive.move(office, url)
        say(
            f"{rows} rows copied. Write 'database' into {folder / 'office.toml'}, or set LEGATION_DATABASE for each "
            f"command, and put {folder / 'office.db'} aside: a command without the setting goes on in it. Keys and "
            "files stay where they are."
        )


@office_group.command(name="resume-all", epilog="Example: legation office resume-all 'the server is back'")
def resume_all(context: typer.Context, reason: Reason) -> None:
    """Resume all games paused by a restore, or because their rules changed."""
    with opened(context) as (office, actor):
        resumed = archive.resume_all(office, actor, reason)
        say(f"{count(len(resumed), 'game')} resumed: {', '.join(resumed)}" if resumed else "No game needs this.")


@office_group.command(epilog="Example: legation office reopen powick-bridge now 'the disk with the keys died'")
def reopen(context: typer.Context, game: Game, turn: TurnName, reason: Reason) -> None:
    """Reopen a turn whose key is lost.

    Nobody can read the orders for it, so everyone is asked to send them again. If you have a copy of the keys,
    restore that instead.
    """
    with opened(context) as (office, actor):
        done = lost_keys.reopen(office, actor, game, turn, reason)
        say(
            f"{done.name} is open until {moment_in_words(done.deadline)}; everyone has been asked to send their orders "
            "again."
        )


@office_group.command(name="reopen-all", epilog="Example: legation office reopen-all 'the disk with the keys died'")
def reopen_all(context: typer.Context, reason: Reason) -> None:
    """Reopen every turn whose key is lost, in all games."""
    with opened(context) as (office, actor):
        done = lost_keys.reopen_all(office, actor, reason)
        say("\n".join(done) if done else "No game has lost a key.")
