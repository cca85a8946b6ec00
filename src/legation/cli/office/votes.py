"""``legation office votes, vote, ask``: the players' votes at a terminal."""

from typing import Annotated, Literal

import typer

from legation.cli.app import Game, PowerName
from legation.cli.office.terminal import Answer, By, command
from legation.cli.terminal import say
from legation.office.hosting import votes
from legation.office.operation import work
from legation.office.records import VoteRecord

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
