"""What the commands of ``legation office`` do about proofs, exports, lost keys and games that move elsewhere."""

from typing import Annotated

import typer

from legation.cli.app import Game, Json, Reason, TurnName
from legation.cli.office.terminal import By, command, table
from legation.cli.serving import only_one
from legation.cli.terminal import fail, read_bytes, say, write_json
from legation.game.report import count
from legation.office.clock import moment_in_words
from legation.office.context import Actor
from legation.office.hosting import exports, moving, proofs, transfer
from legation.office.operation import archive, lost_keys
from legation.proofs.canonical import encode


@command("verify powick-bridge")
def verify(by: By, game: Game, as_json: Json = False) -> None:
    """Check every commitment, and replay the game from its journal."""
    checks = proofs.verify(*by, game)
    again = exports.rebuild(by.office, Actor.console(), game)
    if as_json:
        write_json({"proofs": checks, "replay": again})
    else:
        table(
            ("turn", "what", "holds", "detail"),
            ((p.turn, p.what, p.holds if p.checked else "", p.detail) for p in checks),
            "Nothing was committed to yet.",
        )
        say("\n".join(again) or "Played again from its journal, the game is the same.")
    if again or not all(p.holds for p in checks):
        raise typer.Exit(1)


@command("proof powick-bridge > powick-bridge.transcript.jsonl")
def proof(by: By, game: Game) -> None:
    """Print the transcript of a game, for 'legation verify'."""
    typer.echo(proofs.transcript(*by, game), nl=False)


@command("heads > heads.json")
def heads(by: By) -> None:
    """Print the last signed head of each game's journal, to be published where anybody can fetch it."""
    write_json(proofs.heads(*by))


@command("export powick-bridge > game.json")
def export(
    by: By,
    game: Game,
    everything: Annotated[
        bool, typer.Option("--all", help="Print everything, for 'import' in another office.")
    ] = False,
) -> None:
    """Print a saved game, or everything stored about the game."""
    write_json(transfer.whole_game(*by, game) if everything else exports.saved_game(*by, game))


@command("card > card.json")
def card(by: By) -> None:
    """Print this office's card, which another office needs to move a game here."""
    typer.echo(encode(moving.card(*by)).decode())


@command("leave powick-bridge card.json")
def leave(
    by: By,
    game: Game,
    file: Annotated[
        str, typer.Argument(metavar="CARD", help="The other office's card, from 'card'; '-' is standard input.")
    ] = "",
    stay: Annotated[bool, typer.Option("--stay", help="Cancel the move.")] = False,
) -> None:
    """Move a game to another office at the end of its season; then use 'export --all' here and 'import' there."""
    if bool(file) is stay:
        fail("Name the file with the other office's card, or say --stay.")
    if stay:
        return say(f"{moving.stay(*by, game).name} stays.")
    record = moving.leave(*by, game, read_bytes(file).decode("utf-8", "replace"))
    if record.state == "moved":
        say(f"{record.name} has left: 'legation office export {record.key} --all' prints it for 'import' there.")
    else:
        say(f"{record.name} leaves at the end of its season. All players have been told.")


@command("renew-key", name="renew-key")
def renew_key(
    by: By,
    lost: Annotated[
        bool, typer.Option("--lost", help="Record that the old key is lost; the office already has a new one.")
    ] = False,
) -> None:
    """Make a new signing key, and record it in all journals. Stop the office first."""
    if not lost:
        moving.new_signing_key(by.office)
    told = moving.renew(*by)
    say(f"The office signs with {by.office.public_key}, as the journals of {told} games say. Tell it to your players.")


@command("move postgresql://user@host/legation")
def move(by: By, url: Annotated[str, typer.Argument(help="The new database, empty: postgresql://...")]) -> None:
    """Copy the office's database to another, such as from SQLite to PostgreSQL."""
    folder = by.office.keys.parent
    with only_one(folder):  # what is written meanwhile would be lost
        rows = archive.move(by.office, url)
    say(
        f"{rows} rows copied. Write 'database' into {folder / 'office.toml'}, or set LEGATION_DATABASE for each "
        f"command, and put {folder / 'office.db'} aside: a command without the setting goes on in it. Keys and "
        "files stay where they are."
    )


@command("resume-all 'the server is back'", name="resume-all")
def resume_all(by: By, reason: Reason) -> None:
    """Resume all games paused by a restore, or because their rules changed."""
    resumed = archive.resume_all(*by, reason)
    say(f"{count(len(resumed), 'game')} resumed: {', '.join(resumed)}" if resumed else "No game needs this.")


@command("reopen powick-bridge now 'the disk with the keys died'")
def reopen(by: By, game: Game, turn: TurnName, reason: Reason) -> None:
    """Reopen a turn whose key is lost.

    Nobody can read the orders for it, so everyone is asked to send them again. If you have a copy of the keys,
    restore that instead."""
    done = lost_keys.reopen(*by, game, turn, reason)
    say(
        f"{done.name} is open until {moment_in_words(done.deadline)}; everyone has been asked to send their orders "
        "again."
    )


@command("reopen-all 'the disk with the keys died'", name="reopen-all")
def reopen_all(by: By, reason: Reason) -> None:
    """Reopen every turn whose key is lost, in all games."""
    done = lost_keys.reopen_all(*by, reason)
    say("\n".join(done) if done else "No game has lost a key.")
