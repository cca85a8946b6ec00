"""Votes on the game's page: cast, changed and taken back by a player."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from legation.office.context import Actor
from legation.office.hosting import votes
from legation.office.records import VoteRecord
from legation.web.play.game_page import show
from legation.web.play.shown_game import GamePage
from legation.web.serving.forms import Form, FormState, carry_out, text, whole_number
from legation.web.serving.routing import PageRouter, ReadingRoute
from legation.web.serving.sessions import office_of, person_of

router = PageRouter(route_class=ReadingRoute)


@router.post("/games/{game}/votes")
def vote(request: Request, game: str, form: Form) -> Response:
    """Vote on a question, or take the vote back."""
    person_of(request)
    shown = GamePage(request, game)
    office, kind, whom = office_of(request), text(form, "kind"), text(form, "whom")

    def command(actor: Actor) -> VoteRecord:
        if text(form, "do") == "take back":
            return votes.take_back(office, actor, game, shown.power, kind, whom)
        hours = whole_number(form, "hours")
        return votes.vote(office, actor, game, shown.power, kind, whom, hours, text(form, "reason"))

    def again(tried: FormState) -> Response:
        return show(shown, "powers", attempt=tried)

    return carry_out(request, "vote", form, command, again, shown.address("powers") + "#votes")
