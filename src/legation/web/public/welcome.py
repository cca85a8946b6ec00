"""The home page, and pages that an office fills in as Markdown in its folder: its terms, what it does with data."""

from typing import Any

from fastapi import Request
from starlette.responses import Response

from legation.office.errors import NotFoundError
from legation.office.hosting import games
from legation.office.office import OWN_PAGES
from legation.variants import STANDARD
from legation.web.public.gallery import cards
from legation.web.public.lessons import puzzle_today
from legation.web.public.lobby import own_games
from legation.web.public.maps import known_to, map_of, pictures
from legation.web.serving.pages import PageRouter, ReadingRoute, from_markdown, page
from legation.web.serving.sessions import actor_of, chosen_language, office_of

router = PageRouter(route_class=ReadingRoute)


@router.get("/")
def welcome(request: Request) -> Response:
    """Show the home page."""
    variants = known_to(request)
    known = cards(variants)
    shown = next((card for card in known if card.name == STANDARD), known[0])
    values: dict[str, Any] = {}
    if (office := request.app.state.office) is not None:
        actor = actor_of(request)
        values["mine"] = own_games(office, actor) if actor.person is not None else []
        values["open_games"] = games.list_games(office, actor, "gathering", limit=8)
    values["today"] = puzzle_today(chosen_language(request))
    return page(
        request,
        "welcome.html",
        cards=known,
        shown=shown,
        board=map_of(shown.name, variants).for_reader(request),
        map_of=lambda variant: map_of(variant, variants),
        picture_of=pictures(variants),
        **values,
    )


office_router = PageRouter()


@office_router.get("/terms")
@office_router.get("/privacy")
def house_page(request: Request) -> Response:
    """Show the office's terms, or what it does with people's data."""
    name = request.url.path.rpartition("/")[2]
    text = office_of(request).own_page(name)
    if text is None:
        raise NotFoundError("This office has no such page.")
    return page(request, "house_page.html", title=OWN_PAGES[name], text=from_markdown(text))
