"""Links that stand in mails: a mail is let through, an address confirmed, a kind of mail stopped.

Opening a link does nothing, because programs that look through mails open links; the button on its page does. Only the
header of a mail (RFC 8058) unsubscribes at once, by a POST that mail programs send without cookies: its token is all
that it needs, and all that it is asked for.
"""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter, Request
from starlette.responses import Response

from legation.office import Actor, Office, mailings, mailroom, people
from legation.office.errors import SignInNeeded
from legation.web.pages import PageError, page

router = APIRouter()

KINDS = {
    "results": "the final results of turns",
    "draft results": "draft results",
    "reminder": "reminders before a deadline",
    "orders missing": "notices that a game waits for your orders",
    "letter": "letters of other players",
    "deadline moved": "notices of deadlines that moved",
}
"""Kinds of mailing in words."""


@router.get("/release/{secret}")
def ask_release(request: Request, secret: str) -> Response:
    """A mail that came from an address which anybody could have written, and waits for its sender's word."""
    came = _at(mailroom.waits_since(_office(request), secret))
    text = f"A mail in your name came on {came}. If you wrote it, let it count; it counts as of when it came."
    return _ask(request, "Was this mail yours?", text, "It was mine: let it count", "If it was not, leave this page.")


@router.post("/release/{secret}")
def release(request: Request, secret: str) -> Response:
    """Let it count."""
    came = _at(mailroom.release(_office(request), secret))
    return _done(request, "It counts", f"The mail counts as of {came}. What was understood comes to you by mail.")


@router.get("/confirm-address/{secret}")
def ask_confirm(request: Request, secret: str) -> Response:
    """A new address, before it takes the old one's place."""
    text = "From now on the mail of your games goes to the address at which you got this link."
    return _ask(request, "Confirm your new address", text, "Confirm the address", "The old address is told.")


@router.post("/confirm-address/{secret}")
def confirm(request: Request, secret: str) -> Response:
    """Take the new address."""
    try:
        person = people.confirm_change(_office(request), Actor.visitor(), secret)
    except SignInNeeded as error:
        raise PageError(410, error.message, ways=[("Your page", "/me")]) from None
    return _done(request, "Your address is changed", f"Mail goes to {person.email} from now on.")


@router.get("/unsubscribe/{token}")
def ask_unsubscribe(request: Request, token: str) -> Response:
    """What a link would stop."""
    kind = _kind(mailings.kind_of_link(_office(request), token))
    text = f"You would get no more {kind} by mail. Everything stays to be seen on the pages of your games."
    return _ask(request, "Fewer mails", text, "Send me no more of these", "On your page you can ask for them again.")


@router.post("/unsubscribe/{token}")
def unsubscribe(request: Request, token: str) -> Response:
    """Stop it, at once."""
    kind = _kind(mailings.unsubscribe(_office(request), token))
    return _done(request, "That was the last one", f"You get no more {kind} by mail.")


def _office(request: Request) -> Office:
    office: Office = request.app.state.office
    return office


def _kind(kind: str) -> str:
    return KINDS.get(kind, f"mails of the kind “{kind}”")


def _at(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%a %d %b %Y, %H:%M} UTC"


def _ask(request: Request, title: str, text: str, deed: str, otherwise: str) -> Response:
    return page(request, "mail_link.html", title=title, text=text, deed=deed, otherwise=otherwise)


def _done(request: Request, title: str, text: str) -> Response:
    return page(request, "mail_link.html", title=title, text=text, deed="", otherwise="")
