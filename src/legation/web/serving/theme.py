"""Light or dark, and patterns beside the powers' colors: the reader's choices, in cookies that say nothing else."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

router = APIRouter()


def back_to(request: Request, otherwise: str = "/") -> str:
    """The page of ours that a form was sent from, as a path."""
    came = urlsplit(request.headers.get("referer", ""))
    path = came.path if came.netloc == request.headers.get("host") else ""
    if not path.startswith("/") or path.startswith("//"):
        return otherwise
    return path + (f"?{came.query}" if came.query else "")


@router.post("/theme")
def choose_theme(
    request: Request,
    theme: Annotated[Literal["light", "dark", "system", ""], Form()] = "",
    patterns: Annotated[Literal["on", "off", ""], Form()] = "",
) -> Response:
    """Keep the choice of a theme, or of patterns beside the powers' colors, and go back to the page."""
    answer = RedirectResponse(back_to(request), 303)
    secure = request.app.state.settings.secure
    for name, chosen, usual in (("theme", theme, "system"), ("patterns", patterns, "off")):
        if chosen == usual:
            answer.delete_cookie(name)
        elif chosen:
            answer.set_cookie(name, chosen, max_age=400 * 86400, samesite="lax", httponly=True, secure=secure)
    return answer
