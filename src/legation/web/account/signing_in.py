"""Signing in by a mailed link, and out again; passkeys are in :mod:`legation.web.account.passkeys`.

The link opens a page with a button, so that programs which look at mail do not use it up."""

from typing import Annotated
from urllib.parse import quote, urlsplit

from fastapi import FastAPI, Form, Request
from starlette.responses import RedirectResponse, Response

from legation.office.context import Actor
from legation.office.errors import InvalidInputError, LimitExceededError, SignInNeededError
from legation.office.identity import people
from legation.web.serving.bounds import bound, network_of
from legation.web.serving.errors import failure
from legation.web.serving.pages import PageRouter, page
from legation.web.serving.sessions import (
    actor_of,
    adopt_settings,
    chosen_language,
    device,
    inside,
    keep_session,
    leave,
    office_of,
)

router = PageRouter()


@router.get("/sign-in")
def sign_in(request: Request, next: str = "/games") -> Response:
    """Ask for a link."""
    actor = actor_of(request)
    if actor.person is not None and not actor.guest:
        return RedirectResponse(inside(next), 303)
    return ask_again(request, next)


def ask_again(
    request: Request, next: str, status: int = 200, *, email: str = "", fault: str = "", refused: str = ""
) -> Response:
    """Show the sign-in page, with the ``fault`` of an address, or why a passkey was ``refused``."""
    told = {"next": inside(next), "email": email[:320], "fault": fault, "refused": refused}
    return page(request, "session/sign_in.html", status, **told)


@router.post("/sign-in")
def ask_link(
    request: Request, email: Annotated[str, Form(max_length=320)], next: Annotated[str, Form()] = "/games"
) -> Response:
    """Send the link. The page says the same whether the address was known or not."""
    bound(request, "link", 10)
    try:
        visitor = Actor.visitor(network_of(request)).reading(chosen_language(request))
        people.ask_link(office_of(request), visitor, email, inside(next))
    except (InvalidInputError, LimitExceededError) as error:
        return ask_again(request, next, error.status, email=email, fault=error.message)
    return page(request, "session/link_sent.html", email=email.strip(), minutes=people.LINK_MINUTES)


@router.get("/sign-in/{secret}")
def open_link(request: Request, secret: str, next: str = "/games") -> Response:
    """The page that a link opens."""
    return _link_page(request, secret, inside(next))


def _link_page(
    request: Request, secret: str, next: str, typed: str = "", fault: str = "", status: int = 200
) -> Response:
    try:
        name = people.name_for_link(office_of(request), Actor.visitor(), secret)
    except SignInNeededError as error:
        return _too_old(request, error, next)
    values = {"secret": secret, "next": next, "new": name is not None, "name": typed or name or "", "fault": fault}
    return page(request, "session/use_link.html", status, **values)


def _too_old(request: Request, error: SignInNeededError, next: str) -> Response:
    again = [("Send another link", f"/sign-in?next={quote(next)}")]
    return failure(request, 401, error.message, "You are not signed in.", again)


@router.post("/sign-in/{secret}")
def use_link(
    request: Request, secret: str, next: Annotated[str, Form()] = "/games", name: Annotated[str, Form()] = ""
) -> Response:
    """Use the link, once."""
    bound(request, "use", 20)
    label = device(request.headers.get("user-agent", ""))
    try:
        session = people.use_link(office_of(request), Actor.visitor(), secret, label, name.strip())
    except SignInNeededError as error:
        return _too_old(request, error, inside(next))
    except InvalidInputError as error:
        return _link_page(request, secret, inside(next), name, error.message, error.status)
    answer = RedirectResponse(inside(next), 303)
    adopt_settings(request, answer, people.by_secret(office_of(request), session.secret))
    keep_session(request, answer, session)
    return answer


@router.post("/sign-out")
def sign_out(request: Request) -> Response:
    """End this session."""
    actor = actor_of(request)
    if actor.via.startswith("session "):
        people.end(office_of(request), actor, people.own_credential(office_of(request), actor))
    return leave(RedirectResponse("/", 303))


def add_refusals(app: FastAPI) -> None:
    """Add the answers to refusals: readers are sent to sign in, and back, where that would help."""

    @app.exception_handler(SignInNeededError)
    async def lead_in(request: Request, error: SignInNeededError) -> Response:
        if request.method != "GET" or request.headers.get("accept", "").startswith("application/json"):
            came = urlsplit(request.headers.get("referer", ""))
            back = came.path if came.netloc == request.url.netloc else ""
            kept = "Your text is kept in this browser and will be here when you come back."
            kept = kept if back.startswith("/games/") else ""
            ways = [("Sign in", f"/sign-in?next={quote(back or '/games')}")]
            return failure(request, 401, error.message, kept, ways)
        path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/sign-in?next={quote(path)}", 303)
