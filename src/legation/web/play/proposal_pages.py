"""Proposed orders on pages: drawn on a small map, and taken into the own draft."""

from typing import Literal

from fastapi import Request
from starlette.responses import Response

from legation.board import province_of
from legation.judge import Outcome, Verdict
from legation.notation import OrderTextError
from legation.office.desk import letters
from legation.office.errors import NotFoundError
from legation.office.hosting import games
from legation.office.records import Proposal
from legation.position import Phase
from legation.web.play.sheet_page import own, show_sheet
from legation.web.play.shown_game import GamePage
from legation.web.serving.headers import picture_answer
from legation.web.serving.pages import PageRouter, ReadingRoute

router = PageRouter(route_class=ReadingRoute)


def _proposal(shown: GamePage, letter: int) -> Proposal:
    """What a letter proposes, for who sent it or got it.

    :raises NotFoundError: for all others, and for a letter that proposes nothing."""
    found = letters.letter(*shown.of, letter).proposal
    if found is None:
        raise NotFoundError("There is no such proposal.")
    return found


@router.get("/games/{game}/letters/{letter}/map-{theme}.svg")
def picture(
    request: Request, game: str, letter: int, theme: Literal["light", "dark"], patterns: bool = False
) -> Response:
    """Draw what a letter proposes: its orders as arrows, on the part of the map that they touch."""
    shown = GamePage(request, game)
    proposal = _proposal(shown, letter)
    position = shown.position(games.position(*shown.of, _key_of(shown, proposal)))
    drawn = _drawn(shown, proposal)
    title = f"{shown.record.name}, {proposal.turn}: proposed orders"
    named = (str(getattr(v.order, part, "") or "") for v in drawn for part in ("at", "to", "target"))
    view = shown.live.around([province_of(place) for place in named])
    hidden = shown.hidden(position)
    svg = shown.live.picture(position, drawn, theme, title, view, patterns=patterns, hidden=hidden)
    return picture_answer(svg, "private, no-store")


def _key_of(shown: GamePage, proposal: Proposal) -> str:
    if (key := next((turn.key for turn in shown.turns if turn.name == proposal.turn), None)) is None:
        raise NotFoundError(f"{proposal.turn} was opened anew.")
    return key


def _drawn(shown: GamePage, proposal: Proposal) -> list[Verdict]:
    """The orders as the map draws them, as if each succeeded."""
    reader, phase = shown.rules.reader, Phase(proposal.turn.rpartition(" ")[2])
    drawn = []
    for power, listed in proposal.orders.items():
        for one in listed:
            try:
                drawn.append(Verdict(power, reader.order(one.order, phase, power), Outcome.SUCCEEDS))
            except OrderTextError:  # the rules have changed since
                continue
    return drawn


@router.post("/games/{game}/letters/{letter}/take")
def take(request: Request, game: str, letter: int) -> Response:
    """Show the own sheet with the orders that a letter proposes for it; nothing is stored or sent."""
    shown = own(request, game)
    proposal = _proposal(shown, letter)
    if proposal.turn != shown.present.name or not proposal.takes_orders:
        fault = f"That was proposed for {proposal.turn}; this is {shown.present.name}."
        return show_sheet(shown, fault=fault, status=409)
    wanted = [one.order for one in proposal.orders.get(shown.power, ())]
    return show_sheet(shown, "\n".join(wanted), taken=True)
