"""``legation office votes, vote, ask``: the players' votes at a terminal."""

from __future__ import annotations

from legation.cli.office_terminal import Place, opened, print_json
from legation.cli.terminal import say
from legation.office.hosting import votes
from legation.office.operation import work
from legation.office.records import VoteRecord


def standing(place: Place, game: str, as_json: bool) -> None:
    """Print the questions that can be voted on, a line each."""
    with opened(place) as (office, actor):
        records = votes.standing(office, actor, game)
        if as_json:
            return print_json(records)
        for record in records:
            say(_line(record))
        if not records:
            say("The players of this game have no votes.")


def _line(record: VoteRecord) -> str:
    who = f": {', '.join(record.voters)}" if record.voters else ""
    of = "" if record.needed is None else f" of {record.needed}"
    return f"{record.kind + (' ' + record.whom if record.whom else ''):<24} {record.votes}{of}{who}"


def vote(place: Place, game: str, power: str, kind: str, hours: int, whom: str, reason: str, take_back: bool) -> None:
    """Vote, or take a vote back."""
    with opened(place) as (office, actor):
        if take_back:
            record = votes.take_back(office, actor, game, power, kind, whom)
            return say(f"Taken back. {_line(record)}")
        record = votes.vote(office, actor, game, power, kind, whom, hours, reason)
        work.run_due(office)
        say(f"The players have voted {record.words}." if record.carried else _line(record))


def ask(place: Place, game: str, kind: str, hours: int, whom: str, reason: str) -> None:
    """Put a question to the players."""
    with opened(place) as (office, actor):
        record = votes.ask(office, actor, game, kind, whom, hours, reason)
        say("Nobody else plays, so it's done." if record.carried else f"The players are asked to vote {record.words}.")
