"""What the commands of ``legation office`` do about deadlines, results and the journal."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime

from legation.cli.hosting import show
from legation.cli.office_terminal import Place, cell, opened, print_json, table
from legation.cli.terminal import fail, say
from legation.office.errors import ConflictError
from legation.office.game import journal as journal_room
from legation.office.game import processing
from legation.office.hosting import deadlines, games
from legation.office.operation import work
from legation.office.records import Entry, TurnResult


def process(place: Place, game: str) -> None:
    """Process a turn that is waiting, and do all work that is due."""
    with opened(place) as (office, actor):
        done = work.run_due(office)
        with contextlib.suppress(ConflictError) if done else contextlib.nullcontext():
            processing.process_now(office, actor, game)
        done += work.run_due(office)
        say("1 step done." if done == 1 else f"{done} steps done.")
    show(place, game, False)


def preview(place: Place, game: str) -> None:
    """Show what will be published."""
    with opened(place) as (office, actor):
        _report(processing.preview(office, actor, game))


def publish(place: Place, game: str, final: bool) -> None:
    """Publish what was judged."""
    with opened(place) as (office, actor):
        turn = (processing.publish_final if final else processing.publish_draft)(office, actor, game)
        work.run_due(office)
        if final:
            say(f"The season's results are final. {turn.name} is {turn.state}.")
        else:
            say(f"The {'draft ' * (turn.state == 'draft')}results of {turn.name} are published.")


def take_back(place: Place, game: str, reason: str) -> None:
    """Take draft results back."""
    with opened(place) as (office, actor):
        say(f"{processing.take_back_draft(office, actor, game, reason).name} is withdrawn.")


def extend(place: Place, game: str, until: str, reason: str) -> None:
    """Move a deadline later."""
    try:
        at = datetime.fromisoformat(until)
    except ValueError:
        fail(f"{until!r} isn't a time; write it as '2027-01-15 07:00' (UTC) or '2027-01-15T07:00+01:00'")
    with opened(place) as (office, actor):
        turn = deadlines.extend(office, actor, game, at if at.tzinfo else at.replace(tzinfo=UTC), reason)
        say(f"{turn.name} is due {cell(turn.deadline)}.")


def pause(place: Place, game: str, reason: str) -> None:
    """Stop a game's clock."""
    with opened(place) as (office, actor):
        say(f"{games.pause(office, actor, game, reason).name} is paused.")


def resume(place: Place, game: str) -> None:
    """Let a paused game go on."""
    with opened(place) as (office, actor):
        resumed = games.resume(office, actor, game)
        say(
            f"{resumed.name} goes on"
            + (f"; {resumed.turn.name} is due {cell(resumed.turn.deadline)}." if resumed.turn else ".")
        )


def result(place: Place, game: str, turn: str, as_json: bool) -> None:
    """Print the results of a turn."""
    with opened(place) as (office, actor):
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


def journal(place: Place, game: str, as_json: bool) -> None:
    """Print a game's journal."""
    with opened(place) as (office, actor):
        entries: list[Entry] = []
        while more := journal_room.entries(office, actor, game, entries[-1].id if entries else 0, 1000):
            entries += more
        if as_json:
            return print_json(entries)
        table(("when", "who", "what"), ((e.at, e.who, e.text) for e in entries), "The journal is empty.")
