"""Mails about the players' votes: a question that is put to them, what came of it, and the answer to a vote."""

from __future__ import annotations

from legation.game.report import count
from legation.office.records import VoteRecord


def ballot_in_words(record: VoteRecord, *, on: bool) -> str:
    """The reply to a voter: how the question stands."""
    if record.carried:
        then = "The coordinator has been told, and decides." if record.advises else "All players have been told."
        return f"You voted {record.words}, and the vote has passed. {then}"
    of = f"{record.votes} of the {count(record.needed, 'vote')} needed" if record.needed is not None else ""
    cast = f"So far it has {of or count(record.votes, 'vote')}."
    if not on:
        return f"Taken back: your vote {record.words}. {cast}"
    return f"You voted {record.words}. {cast} SET NOVOTE {written(record.kind, record.whom)} takes it back."


def written(kind: str, whom: str = "", hours: int = 0) -> str:
    """A question as it is written after SET VOTE."""
    return " ".join(filter(None, [kind.upper(), whom, str(hours or "")]))
