"""The first page."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from legation.web.pages import page

router = APIRouter()


@router.get("/")
def welcome(request: Request) -> Response:
    """What this is, in one screen."""
    return page(request, "welcome.html")
