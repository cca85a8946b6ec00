"""What the commands of ``legation office`` do about proofs, exports, lost keys and games that move elsewhere."""

from __future__ import annotations

import msgspec
import typer

from legation.cli.office_terminal import Place, opened, print_json, table
from legation.cli.serving import only_one
from legation.cli.terminal import fail, read_bytes, say
from legation.game.report import count
from legation.office.clock import moment_in_words
from legation.office.context import Actor
from legation.office.hosting import exports, moving, proofs, transfer
from legation.office.operation import archive, lost_keys
from legation.proofs.canonical import encode


def verify(place: Place, game: str, as_json: bool) -> None:
    """Check every commitment again, and replay the game from its journal."""
    with opened(place) as (office, actor):
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


def proof(place: Place, game: str, turn: str) -> None:
    """Print the transcript of a game, or what proves a turn in the first format, as JSON."""
    with opened(place) as (office, actor):
        if turn:
            print_json(proofs.published(office, actor, game, turn))
        else:
            typer.echo(proofs.transcript(office, actor, game), nl=False)


def export(place: Place, game: str, everything: bool) -> None:
    """Print a game as a saved game, or all that is kept of it."""
    with opened(place) as (office, actor):
        print_json(transfer.whole_game(office, actor, game) if everything else exports.saved_game(office, actor, game))


def card(place: Place) -> None:
    """Print this office's card."""
    with opened(place) as (office, actor):
        typer.echo(encode(moving.card(office, actor)).decode())


def leave(place: Place, game: str, file: str, stay: bool) -> None:
    """Hand a game over to the office whose card is in a file, or have it stay after all."""
    if bool(file) is stay:
        fail("Name the file with the other office's card, or say --stay.")
    with opened(place) as (office, actor):
        if stay:
            say(f"{moving.stay(office, actor, game).name} stays.")
            return
        record = moving.leave(office, actor, game, read_bytes(file).decode("utf-8", "replace"))
        if record.state == "moved":
            say(f"{record.name} has left: 'legation office export {record.key} --all' prints it for 'import' there.")
        else:
            say(f"{record.name} leaves at the end of its season. All players have been told.")


def renew_key(place: Place, lost: bool) -> None:
    """Make a new signing key, unless there is one already, and tell so in all journals."""
    with opened(place) as (office, actor):
        if not lost:
            moving.new_signing_key(office)
        told = moving.renew(office, actor)
        say(f"The office signs with {office.public_key}, as the journals of {told} games say. Tell it to your players.")


def move(place: Place, url: str) -> None:
    """Copy the office's database to another, such as from SQLite to PostgreSQL."""
    folder = place[0]
    with opened(place) as (office, _), only_one(folder):  # what is written meanwhile would be lost
        rows = archive.move(office, url)
        say(
            f"{rows} rows copied. Write 'database' into {folder / 'office.toml'}, or set LEGATION_DATABASE for each "
            f"command, and put {folder / 'office.db'} aside: a command without the setting goes on in it. Keys and "
            "files stay where they are."
        )


def resume_all(place: Place, reason: str) -> None:
    """Let all games go on that the office itself has paused."""
    with opened(place) as (office, actor):
        resumed = archive.resume_all(office, actor, reason)
        say(f"{count(len(resumed), 'game')} resumed: {', '.join(resumed)}" if resumed else "No game needs this.")


def reopen(place: Place, game: str, turn: str, reason: str) -> None:
    """Reopen a turn whose key is lost."""
    with opened(place) as (office, actor):
        done = lost_keys.reopen(office, actor, game, turn, reason)
        say(
            f"{done.name} is open until {moment_in_words(done.deadline)}; everyone has been asked to send their orders "
            "again."
        )


def reopen_all(place: Place, reason: str) -> None:
    """Reopen every turn whose key is lost."""
    with opened(place) as (office, actor):
        done = lost_keys.reopen_all(office, actor, reason)
        say("\n".join(done) if done else "No game has lost a key.")
