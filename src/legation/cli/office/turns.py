"""What the commands of ``legation office`` do about deadlines, results, the journal and votes."""

import contextlib
from datetime import UTC, datetime
from typing import Annotated, Literal

import typer

from legation.cli.app import Game, PowerName, Reason, TurnName
from legation.cli.office.games import show
from legation.cli.office.terminal import Answer, By, cell, command, listing
from legation.cli.terminal import fail, say
from legation.office.errors import ConflictError
from legation.office.game import journal as journal_room
from legation.office.game import processing
from legation.office.hosting import deadlines, games, votes
from legation.office.operation import work
from legation.office.records import Entry, TurnResult, VoteRecord


@command("process powick-bridge")
def process(by: By, game: Game) -> None:
    """Process a waiting turn, and do all due work."""
    done = work.run_due(by.office)
    with contextlib.suppress(ConflictError) if done else contextlib.nullcontext():
        processing.process_now(*by, game)
    done += work.run_due(by.office)
    say("1 step done." if done == 1 else f"{done} steps done.")
    show(by, game).tell()


@command("preview powick-bridge")
def preview(by: By, game: Game) -> None:
    """Show what will be published."""
    _report(processing.preview(*by, game))


@command("publish powick-bridge", "publish powick-bridge --final")
def publish(
    by: By, game: Game, final: Annotated[bool, typer.Option("--final", help="Make the season's drafts final.")] = False
) -> None:
    """Publish the judged results."""
    turn = (processing.publish_final if final else processing.publish_draft)(*by, game)
    work.run_due(by.office)
    if final:
        say(f"The season's results are final. {turn.name} is {turn.state}.")
    else:
        say(f"The {'draft ' * (turn.state == 'draft')}results of {turn.name} are published.")


@command("take-back powick-bridge 'one sheet was misread'", name="take-back")
def take_back(by: By, game: Game, reason: Reason) -> None:
    """Take draft results back."""
    say(f"{processing.take_back_draft(*by, game, reason).name} is withdrawn.")


@command("extend powick-bridge '2027-01-15 07:00' 'the post is on strike'")
def extend(
    by: By,
    game: Game,
    until: Annotated[str, typer.Argument(help="A time, as '2027-01-15 07:00' (UTC) or with an offset.")],
    reason: Reason,
) -> None:
    """Move a deadline later."""
    try:
        at = datetime.fromisoformat(until)
    except ValueError:
        fail(f"{until!r} isn't a time; write it as '2027-01-15 07:00' (UTC) or '2027-01-15T07:00+01:00'")
    turn = deadlines.extend(*by, game, at if at.tzinfo else at.replace(tzinfo=UTC), reason)
    say(f"{turn.name} is due {cell(turn.deadline)}.")


@command("pause powick-bridge 'the coordinator is ill'")
def pause(by: By, game: Game, reason: Reason) -> None:
    """Stop a game's clock."""
    say(f"{games.pause(*by, game, reason).name} is paused.")


@command("resume powick-bridge")
def resume(by: By, game: Game) -> None:
    """Resume a paused game."""
    resumed = games.resume(*by, game)
    say(
        f"{resumed.name} goes on"
        + (f"; {resumed.turn.name} is due {cell(resumed.turn.deadline)}." if resumed.turn else ".")
    )


@command("result powick-bridge 3")
def result(by: By, game: Game, turn: TurnName = "last") -> Answer:
    """Print the results of a turn."""
    results = games.result(*by, game, turn)
    return Answer(results, lambda: _report(results))


def _report(results: TurnResult) -> None:
    say(f"{results.name}, {results.state}\n")
    for sheet in results.sheets:
        if sheet.before:
            say("\n".join((f"Corrected, {sheet.power} ({sheet.reason}):", *sheet.changes(), "")))
    say(results.report)
    for sheet in results.sheets:
        if sheet.conditions:
            say("\n".join(("", f"Ordered ahead, {sheet.power}:", *sheet.conditions)))


@command("journal powick-bridge")
def journal(by: By, game: Game) -> Answer:
    """Print a game's journal."""
    entries: list[Entry] = []
    while more := journal_room.entries(*by, game, entries[-1].id if entries else 0, 1000):
        entries += more
    rows = ((e.at, e.who, e.text) for e in entries)
    return listing(entries, ("when", "who", "what"), rows, "The journal is empty.")


VoteKind = Annotated[
    Literal["pause", "resume", "extend", "cancel", "replace"],
    typer.Argument(metavar="QUESTION", help="What to vote on."),
]
Hours = Annotated[int, typer.Option("--hours", help="To extend: how many hours to move the deadline.")]
Whom = Annotated[str, typer.Option("--whom", metavar="POWER", help="To replace: the power whose player is replaced.")]
WhyOption = Annotated[str, typer.Option("--reason", help="Why; all players read it.")]


@command("votes powick-bridge", name="votes")
def standing(by: By, game: Game) -> Answer:
    """Print what players can vote on, and the votes so far."""
    records = votes.standing(*by, game)
    told = "\n".join(map(_line, records)) or "The players of this game have no votes."
    return Answer(records, lambda: say(told))


def _line(record: VoteRecord) -> str:
    who = f": {', '.join(record.voters)}" if record.voters else ""
    of = "" if record.needed is None else f" of {record.needed}"
    return f"{record.kind + (' ' + record.whom if record.whom else ''):<24} {record.votes}{of}{who}"


@command("vote powick-bridge Crown extend --hours 48 --as anna@example.org")
def vote(
    by: By,
    game: Game,
    power: PowerName,
    question: VoteKind,
    hours: Hours = 0,
    whom: Whom = "",
    reason: WhyOption = "",
    take_back: Annotated[bool, typer.Option("--take-back", help="Take the vote back.")] = False,
) -> None:
    """Vote on a question, as the player of a power (with --as)."""
    if take_back:
        record = votes.take_back(*by, game, power, question, whom)
        return say(f"Taken back. {_line(record)}")
    record = votes.vote(*by, game, power, question, whom, hours, reason)
    work.run_due(by.office)
    say(f"The players have voted {record.words}." if record.carried else _line(record))


@command("ask powick-bridge pause --reason 'a holiday' --as anna@example.org")
def ask(by: By, game: Game, question: VoteKind, hours: Hours = 0, whom: Whom = "", reason: WhyOption = "") -> None:
    """Start a vote, as the host of a game without a coordinator (with --as)."""
    record = votes.ask(*by, game, question, whom, hours, reason)
    say("Nobody else plays, so it's done." if record.carried else f"The players are asked to vote {record.words}.")
