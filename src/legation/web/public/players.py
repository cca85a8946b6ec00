"""Pages of people: the profile of somebody who shows one, and lists of rated players."""

from typing import Annotated, Any

from fastapi import Query, Request
from starlette.responses import Response

from legation.office.hosting import player_ratings, profiles
from legation.office.records import PlayerRating, Profile
from legation.web.public.maps import titles_of
from legation.web.serving.pages import PageRouter, page
from legation.web.serving.sessions import actor_of, office_of, person_of

router = PageRouter()
WIDE, HIGH, MARGIN = 600, 160, 60
"""The field of the chart of a rating, and by how much its scale goes beyond the values."""


def chart_of(rating: PlayerRating) -> dict[str, Any] | None:
    """Return a rating's history as a path in 600 by 160, with its least and most; None before the second game."""
    values = [value for _, value in rating.history]
    if len(values) < 2:
        return None
    least, most = min(values) - MARGIN, max(values) + MARGIN
    across, scale = WIDE / (len(values) - 1), HIGH / (most - least)
    points = (f"{number * across:.1f} {HIGH - (value - least) * scale:.1f}" for number, value in enumerate(values))
    return {"path": "M" + "L".join(points), "least": least, "most": most}


@router.get("/people/{number}")
def profile(request: Request, number: int) -> Response:
    """Show the profile of somebody who shows one."""
    return _show(request, profiles.profile(office_of(request), actor_of(request), number))


@router.get("/me/profile")
def preview(request: Request) -> Response:
    """Show one's own profile as others see it, or would."""
    return _show(request, profiles.preview(office_of(request), person_of(request)), is_preview=True)


def _show(request: Request, told: Profile, *, is_preview: bool = False) -> Response:
    return page(
        request,
        "people/profile.html",
        profile=told,
        preview=is_preview,
        charts={rating.family: chart_of(rating) for rating in told.ratings},
        titles=titles_of(request),
    )


@router.get("/leaderboard")
def leaderboard(request: Request, family: Annotated[str, Query(max_length=80)] = "") -> Response:
    """Show the rated players who want to be listed."""
    told = player_ratings.leaderboard(office_of(request), actor_of(request), family)
    return page(request, "people/leaderboard.html", board=told, titles=titles_of(request))
