"""The vote for a draw in writing."""

from __future__ import annotations

from legation.notation.gestures import Gesture
from legation.notation.order_kinds import Opening, OrderKind
from legation.notation.parsing.orders import Parser
from legation.orders import Order, VoteDraw


def _draw(p: Parser, word: str) -> list[Order]:
    p.at -= 1
    start = p.at
    p.take_one(("vote", "votes", "agree", "agrees"))
    p.take(":")
    p.take_one(("yes", "aye"))
    p.take_one(("for", "to", "on", "with"))
    p.take_one(("a", "the"))
    if p.take("draw"):
        p.take("vote")
        if not p.take(":") or p.take_one(("yes", "aye", "agreed")):
            return [VoteDraw()]
    p.at = len(p.tokens)
    p.fail("write 'draw' to vote for a draw; to vote against it, write nothing", start)


def _draw_fits(p: Parser) -> bool:
    return "draw" in [p.peek(i) for i in range(5)]


DRAW = OrderKind(
    VoteDraw,
    "a vote for a draw",
    lambda o: "draw",
    lambda o, w: "Vote for a draw",
    openings=(Opening(frozenset(["draw", "vote", "votes", "agree"]), _draw, _draw_fits),),
    gesture=Gesture(
        name="draw",
        label="Vote for a draw",
        note="If every player votes for it in the same turn, the game is drawn.",
    ),
)
KINDS = (DRAW,)
