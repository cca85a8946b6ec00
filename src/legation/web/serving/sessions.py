"""Sessions: the actor of a request, from its session cookie; the reader's language, the browser's time zone."""

from contextlib import suppress
from datetime import tzinfo

from fastapi import Request
from starlette.responses import Response

from legation.languages import ENGLISH, languages
from legation.networks import network
from legation.office.clock import time_zone
from legation.office.context import Actor, ask_first
from legation.office.errors import OfficeError, SignInNeededError
from legation.office.identity import people, traces
from legation.office.office import Office
from legation.office.preferences import time_zones
from legation.office.records import Credential

COOKIE = "session"
ZONE = "zone"
LANGUAGE = "language"
DAYS = people.SESSION_DAYS


def actor_of(request: Request) -> Actor:
    """Return the actor of this request, from its session cookie; a visitor where there is none or it has ended
    (UnavailableError: when the office's records cannot be reached)."""
    known: Actor | None = getattr(request.state, "actor", None)
    if known is not None:
        return known
    actor = Actor.visitor()
    secret = request.cookies.get(COOKIE, "")
    if secret and request.app.state.office is not None:
        with suppress(SignInNeededError):
            actor = people.by_secret(request.app.state.office, secret, ("session",))
    request.state.actor = actor = actor.reading(chosen_language(request))
    return actor


def person_of(request: Request) -> Actor:
    """Return the signed-in actor of this request (SignInNeededError: for a visitor)."""
    actor = actor_of(request)
    if actor.person is None:
        raise SignInNeededError("Sign in to continue.")
    return actor


def viewer_of(request: Request) -> Actor | None:
    """Return who is signed in, for the head of every page; None for visitors and while the office is unavailable."""
    try:
        actor = actor_of(request)
    except OfficeError:
        return None
    return actor if actor.person is not None else None


def may(request: Request, command: str) -> bool:
    """Return whether the reader may give a command that is about no game."""
    if request.app.state.office is None:
        return False
    with suppress(OfficeError):
        ask_first(office_of(request), actor_of(request), command)
        return True
    return False


def office_of(request: Request) -> Office:
    """Return the office of this site."""
    office: Office = request.app.state.office
    return office


def device(agent: str) -> str:
    """A browser and the machine it runs on in words, from what it calls itself: "Firefox on Windows"."""
    browser = next((name for mark, name in BROWSERS if mark in agent), "a browser")
    machine = next((name for mark, name in MACHINES if mark in agent), "")
    return f"{browser} on {machine}" if machine else browser


BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chromium", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""What browsers write of themselves, the telling ones first: most call themselves others as well."""
MACHINES = (
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "a Mac"),
    ("Linux", "Linux"),
)


def keep_session(request: Request, answer: Response, session: Credential, days: int = DAYS) -> None:
    """Set the session cookie."""
    note_trace(request, people.by_secret(office_of(request), session.secret))
    secure = request.app.state.settings.secure
    answer.set_cookie(
        COOKIE, session.secret, max_age=days * 86400, path="/", httponly=True, samesite="lax", secure=secure
    )


def note_trace(request: Request, actor: Actor) -> None:
    """Note that somebody came by a network and device, for the administrators' signals."""
    if actor.person is not None and not actor.guest:
        agent = request.headers.get("user-agent", "")
        came = network(request.client.host) if request.client else ""
        traces.note(office_of(request), Actor.clock(), actor.person, came, agent)


def leave(answer: Response) -> Response:
    """Have the browser forget the session and the pages that it kept; a script takes away what it was writing."""
    answer.delete_cookie(COOKIE, path="/")
    answer.headers["clear-site-data"] = '"cache"'
    return answer


def inside(path: str) -> str:
    """Return a path of this site to redirect to; anything else becomes the list of games."""
    return path if people.is_path(path) else "/games"


def chosen_language(request: Request) -> str:
    """Return the language for a reader: chosen here, else what the browser asks for, else English."""
    chosen = request.cookies.get(LANGUAGE, "")
    if chosen in languages():
        return chosen
    weighed = []
    for n, part in enumerate(request.headers.get("accept-language", "")[:200].split(",")):
        tag, _, weight = part.partition(";")
        number = weight.strip().removeprefix("q=")
        known = float(number) if number.replace(".", "", 1).isdecimal() else 0.0 if weight else 1.0
        weighed.append((known, -n, tag.strip().partition("-")[0].lower()))
    return next((tag for q, _, tag in sorted(weighed, reverse=True) if q and tag in languages()), ENGLISH)


def zone_of(request: Request) -> tzinfo:
    """Return the browser's time zone, from its cookie; UTC where there is none."""
    return time_zone(request.cookies.get(ZONE, ""))


def adopt_settings(request: Request, answer: Response, actor: Actor) -> None:
    """Keep the browser's zone and language for a person who has none; show pages in the person's language."""
    office, zone, language = office_of(request), request.cookies.get(ZONE, ""), chosen_language(request)
    known = people.me(office, actor).preferences
    new = {"zone": zone} if zone in time_zones() and not known.get("zone") else {}
    if not known.get("language") and language != ENGLISH:
        new["language"] = language
    if new:
        people.set_preferences(office, actor, new)
    if known.get("language") in languages():
        keep_choice(request, answer, LANGUAGE, known["language"])


def keep_choice(request: Request, answer: Response, name: str, chosen: str) -> None:
    """Set a cookie that keeps what a reader chose, and says nothing else."""
    secure = request.app.state.settings.secure
    answer.set_cookie(name, chosen, max_age=400 * 86400, samesite="lax", httponly=True, secure=secure)
