"""Light or dark, patterns beside the powers' colors, the language of names on maps: the reader's choices, in cookies
that say nothing else."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from fastapi import Form, Request
from starlette.responses import RedirectResponse, Response

from legation.languages import languages
from legation.office.identity import people
from legation.web.serving.pages import PageRouter
from legation.web.serving.sessions import LANGUAGE, keep_choice, office_of, viewer_of

router = PageRouter()


def back_to(request: Request) -> str:
    """The page of ours that a form was sent from, as a path."""
    came = urlsplit(request.headers.get("referer", ""))
    path = came.path if came.netloc == request.headers.get("host") else ""
    if not path.startswith("/") or path.startswith("//"):
        return "/"
    return path + (f"?{came.query}" if came.query else "")


@router.post("/theme")
def choose_theme(
    request: Request,
    theme: Annotated[Literal["light", "dark", "system", ""], Form()] = "",
    patterns: Annotated[Literal["on", "off", ""], Form()] = "",
    language: Annotated[str, Form(pattern=r"^([a-z]{2,3})?$")] = "",
    names: Annotated[str, Form(pattern=r"^([a-z]{2,3}(-[a-z0-9]{2,8})*)?$", max_length=20)] = "",
) -> Response:
    """Keep the choice of a theme, of patterns beside the powers' colors, of the language of pages, or of that of names
    on maps (``own``: that of each board, whatever that of pages is), and go back to the page. Who is signed in gets
    mails and papers in the language of pages."""
    answer = RedirectResponse(back_to(request), 303)
    for name, chosen, usual in (
        ("theme", theme, "system"),
        ("patterns", patterns, "off"),
        ("names", names, ""),
        ("language", language, ""),
    ):
        if chosen == usual:
            answer.delete_cookie(name)
        elif chosen:
            keep_choice(request, answer, name, chosen)
    if language in languages() and (viewer := viewer_of(request)) is not None:
        people.set_preferences(office_of(request), viewer, {LANGUAGE: language})
    return answer
