"""Links that stand in mails: a mail is let through, an address confirmed, a kind of mail stopped.

Opening a link does nothing, because programs that look through mails open links; the button on its page does. Only the
header of a mail (RFC 8058) unsubscribes at once, by a POST that mail programs send without cookies: its token is all
that it needs, and all that it is asked for."""

from collections.abc import Callable

from fastapi import Request
from starlette.responses import Response

from legation.office.clock import moment_in_words
from legation.office.context import Actor
from legation.office.desk import mailings, mailroom
from legation.office.errors import SignInNeededError
from legation.office.game import seats
from legation.office.identity import people
from legation.office.office import Office
from legation.web.serving.pages import PageError, PageRouter, page
from legation.web.serving.sessions import office_of, zone_of

router = PageRouter()

MAILINGS = {
    "results": "Results",
    "draft results": "Draft results",
    "turn opened": "A turn opens some days after the last results",
    "reminder": "Deadline reminder",
    "orders missing": "Missed deadline",
    "deadline moved": "Deadline moved",
    "letter": "Letters from other players",
    "receipt": "Receipts for orders sent by e-mail",
    "game started": "Game started",
    "game paused": "Game paused",
    "game resumed": "Game resumed",
    "game cancelled": "Game cancelled",
    "game ended": "Game ended",
    "seated": "You have a power to play",
    "seat lost": "You lost your seat",
    "seat vacant": "A power needs a new player",
    "vote": "Votes of the players",
    "seat free": "A seat is free in a game for which you wait",
    "round begun": "A tournament’s round begins",
    "standings": "Standings of your tournaments",
    "desk": "Items on your desk, in games that you run",
    "deputy": "You are the deputy of a game",
    "second reading": "Transcriptions to check, as a deputy",
}
"""What mail people may do without, on their own page or by the link in each; the rest is always sent."""


QUESTIONS = {
    "confirm-address": (
        "Confirm your new address",
        "From now on, game mail goes to the address that received this link.",
        "Confirm address",
        "We’ll tell your old address.",
        "Address changed",
        "Mail now goes to {email}.",
    ),
    "approve-address": (
        "Change your address?",
        "Mail keeps going to your present address until you confirm the new one as well.",
        "Change it",
        "If it wasn’t you, close this page.",
        "One more step",
        "A link went to {email}; use it to confirm that address.",
    ),
    "resign": (
        "Give up your seat?",
        "Orders you sent for this turn still count. The seat goes to another player.",
        "Give it up",
        "If it wasn’t you, close this page.",
        "You gave up your seat",
        "You no longer play in this game.",
    ),
}
"""What a link asks before its button does anything: title, text, button, and what else there is to know; then what was
done."""
COMMANDS: dict[str, Callable[[Office, str], object]] = {
    "confirm-address": lambda office, secret: people.confirm_change(office, Actor.visitor(), secret).email,
    "approve-address": lambda office, secret: people.approve_change(office, Actor.visitor(), secret),
    "resign": lambda office, secret: seats.confirm_resign(office, Actor.visitor(), secret),
}


def _add_link(link: str) -> None:
    *question, title, text = QUESTIONS[link]

    def ask(request: Request, secret: str) -> Response:
        return _say(request, *question)

    def carry_out(request: Request, secret: str) -> Response:
        try:
            email = COMMANDS[link](office_of(request), secret)
        except SignInNeededError as error:  # it was used: nobody need sign in
            raise PageError(410, error.message, ways=[("Your page", "/me")]) from None
        return _say(request, title, text.format(email=email))

    router.get(f"/{link}/{{secret}}")(ask)
    router.post(f"/{link}/{{secret}}")(carry_out)


for link in QUESTIONS:
    _add_link(link)


@router.get("/release/{secret}")
def ask_release(request: Request, secret: str) -> Response:
    """A mail that came from an address which anybody could have written, and waits for its sender's word."""
    came = moment_in_words(mailroom.waits_since(office_of(request), secret), zone_of(request))
    text = f"We received a mail in your name on {came}. If you wrote it, confirm it; it counts from when it arrived."
    return _say(request, "Was this mail yours?", text, "It was me: count it", "", f"/release/{secret}/disown")


@router.post("/release/{secret}")
def release(request: Request, secret: str) -> Response:
    """Release a mail that waits, so that its orders count."""
    came = moment_in_words(mailroom.release(office_of(request), secret), zone_of(request))
    return _say(request, "It counts", f"It counts from {came}. We’ll e-mail you how it was read.")


@router.post("/release/{secret}/disown")
def disown(request: Request, secret: str) -> Response:
    """Disown a mail that waits."""
    mailroom.disown(office_of(request), secret)
    return _say(request, "It does not count", "The coordinator or host sees that the mail wasn't yours.")


@router.get("/unsubscribe/{token}")
def ask_unsubscribe(request: Request, token: str) -> Response:
    """Show the mailings that an unsubscribe link would stop."""
    kind = mailings.kind_of_link(office_of(request), token)
    text = _no_more(kind)
    if kind == "invitation":
        return _say(request, "Unsubscribe", text, "Unsubscribe", "We don’t keep your address for this, only a digest.")
    text += " You can still see everything on your games’ pages."
    return _say(request, "Unsubscribe", text, "Unsubscribe", "You can turn them on again on your page.")


@router.post("/unsubscribe/{token}")
def unsubscribe(request: Request, token: str) -> Response:
    """Stop it, at once."""
    return _say(request, "Unsubscribed", _no_more(mailings.unsubscribe(office_of(request), token)))


def _no_more(kind: str) -> str:
    return f"We won’t e-mail you this any more: {MAILINGS.get(kind, 'Invitations to games')}."


def _say(request: Request, title: str, text: str, command: str = "", otherwise: str = "", disown: str = "") -> Response:
    return page(request, "mail_link.html", title=title, text=text, command=command, otherwise=otherwise, disown=disown)
