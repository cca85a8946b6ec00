"""The page of a game: the map, and beside it the own sheet, results, powers, letters and proofs."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from legation.office import games
from legation.web.lobby import gathering
from legation.web.sessions import actor_of, office_of

router = APIRouter()


@router.get("/games/{game}")
def now(request: Request, game: str) -> Response:
    """A game as it stands now."""
    record = games.game(office_of(request), actor_of(request), game)
    return gathering(request, record)
