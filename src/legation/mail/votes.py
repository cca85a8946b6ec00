"""Mails about the players' votes: a question that is put to them, what came of it, and the answer to a vote."""

from __future__ import annotations

from legation.game.report import count
from legation.mail.content import Action, Block, Content, Facts, Paragraph, Quote
from legation.mail.wording import link, moment_in_words, zone_of
from legation.office import Actor, Office, games
from legation.office.records import Mailing, VoteRecord


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


def asked(office: Office, mailing: Mailing, actor: Actor) -> Content:
    """The mail that announces a question; a player to be replaced learns how to stay."""
    facts = mailing.facts
    game = games.game(office, actor, mailing.game)
    words, reason = facts["words"], facts["reason"]
    target = facts["whom"] == mailing.power
    blocks: list[Block] = [Quote(reason)] if reason else []
    if target:
        title = f"{game.name}: the other players may replace you"
        own = next((seat for seat in game.seats if seat.power == mailing.power), None)
        idle = own is not None and own.sent is None  # nothing is due from it
        how = (
            "You have nothing to order this turn, but answer this mail with any order and you keep your seat."
            if idle
            else "Send orders for this turn, and you keep your seat."
        )
        blocks.append(Paragraph(how, strong=True))
    else:
        title = f"{game.name}: vote {words}?"
        blocks.append(
            Paragraph(
                f"To vote for it, answer SET VOTE {written(facts['what'], facts['whom'], facts['hours'])}. If "
                "you're against it, do nothing."
            )
        )
    if game.turn is not None and game.state == "running":
        blocks.append(Facts((("Votes end", moment_in_words(game.turn.deadline, zone_of(office, actor))),)))
    page = "" if target else "/powers"
    blocks.append(
        Action("Open the game" if target else "Or vote on the page", link(office, f"/games/{game.key}{page}"))
    )
    return Content(f"{game.name} - a vote {words}", title, tuple(blocks))
