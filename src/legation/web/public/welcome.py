"""The home page."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from legation.variants import STANDARD
from legation.web.public.gallery import cards
from legation.web.public.lobby import welcome_games
from legation.web.public.maps import known_to, map_of
from legation.web.serving.pages import page
from legation.web.serving.routing import PageRouter, ReadingRoute

router = PageRouter(route_class=ReadingRoute)


@router.get("/")
def welcome(request: Request) -> Response:
    """Show the home page."""
    variants = known_to(request)
    known = cards(variants)
    shown = next((card for card in known if card.name == STANDARD), known[0])
    values = welcome_games(request) if request.app.state.office is not None else {}
    return page(
        request, "welcome.html", cards=known, shown=shown, map_of=lambda variant: map_of(variant, variants), **values
    )
