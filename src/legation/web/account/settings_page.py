"""One's own page: name and zone, what is sent, addresses with dates, absences, ways to sign in, feeds; all of it to
take along, or to have erased."""

from typing import Any

import msgspec
from fastapi import Request
from starlette.responses import RedirectResponse, Response

from legation.office.clock import zone_fault
from legation.office.context import Actor
from legation.office.errors import InvalidInputError
from legation.office.hosting import absences, erasing, games, roster
from legation.office.identity import browsers, people
from legation.office.identity.browsers import public_key
from legation.office.preferences import time_zones
from legation.web.public.mail_links import MAILINGS
from legation.web.serving.answers import file_answer
from legation.web.serving.forms import Forms, FormState, Made, SentForm, add_forms, of, whole_number
from legation.web.serving.pages import PageRouter, ReadingRoute, page
from legation.web.serving.sessions import ZONE, device, leave, office_of, person_of

router = PageRouter(route_class=ReadingRoute)
PUSHES = {
    "turn": "It’s your turn",
    "results": "Results",
    "reminder": "Deadline reminder",
    "letter": "Letters from other players",
    "clock": "Deadline moved, game paused, resumed or cancelled",
    "vote": "Votes",
    "desk": "Your desk, as coordinator or deputy",
}
"""What browsers tell, and people may do without."""
KINDS = {"session": "Signed in", "token": "Token", "feed": "Calendar address", "passkey": "Passkey"}


@router.get("/me")
def show(request: Request, made: Made = None) -> Response:
    """Show the page; ``made``: what a secret is for, and the secret."""
    office, actor = office_of(request), person_of(request)
    known = people.me(office, actor)
    return page(
        request,
        "me/me.html",
        me=known,
        made=made,
        mailings=MAILINGS,
        quiet=known.preferences.get("quiet", ()),
        zone=known.preferences.get("zone", ""),
        zones=sorted(time_zones()),
        addresses=roster.addresses(office, actor),
        sharing=roster.sharing(office, actor),
        absences=absences.absences(office, actor),
        lendings=absences.lendings(office, actor),
        credentials=people.credentials(office, actor),
        kinds=KINDS,
        here=people.own_credential(office, actor),
        push_key=public_key(office) if office.settings.push else "",
        browsers=browsers.browsers(office, actor) if office.settings.push else [],
        pushes=PUSHES,
        today=office.clock.now().date().isoformat(),
    )


def _set_mail(sent: SentForm) -> object:
    """Choose what is sent, in which form, and where no browser is notified, the quiet hours."""
    wanted = sent.form.getlist("wanted")
    chosen: dict[str, Any] = {"form": "text" if sent.text("form") == "text" else "html"}
    chosen["attached"] = "all" if "attached" in sent.form else "small"
    chosen |= {name: sent.text(name)[:5] for name in ("quiet_from", "quiet_to") if name in sent.form}
    chosen["quiet"] = sorted(kind for kind in MAILINGS if kind not in wanted)
    zone = _zone(sent.request, sent.actor) if chosen.get("quiet_from") else {}
    return people.set_preferences(sent.office, sent.actor, chosen | zone)


def _set_pushes(sent: SentForm) -> object:
    wanted = sent.form.getlist("wanted")
    chosen: dict[str, Any] = {"unpushed": sorted(kind for kind in PUSHES if kind not in wanted)}
    chosen |= {name: sent.text(name)[:5] for name in ("quiet_from", "quiet_to")}
    return people.set_preferences(sent.office, sent.actor, chosen | _zone(sent.request, sent.actor))


def _set_profile(sent: SentForm) -> object:
    chosen: dict[str, Any] = {name: name in sent.form for name in ("profile", "ranked")}
    return people.set_preferences(sent.office, sent.actor, chosen | {"about": sent.text("about")})


def _device(sent: SentForm) -> str:
    return device(sent.request.headers.get("user-agent", ""))


def _add_address(sent: SentForm) -> object:
    lines = [line.strip() for line in sent.text("lines").splitlines() if line.strip()]
    first, last = sent.text("first") or None, sent.text("last") or None
    primary, days = not first and not last, whole_number(sent.form, "days") if sent.text("days") else None
    return roster.add_address(sent.office, sent.actor, lines, sent.text("country"), first, last, primary, days)


def _set_zone(sent: SentForm) -> Response:
    zone, answer = sent.text("zone"), RedirectResponse("/me", 303)
    if zone and (fault := zone_fault(zone)):
        raise InvalidInputError(f"{fault[:1].upper()}{fault[1:]}.", faults=["zone"])
    people.set_preferences(sent.office, sent.actor, {"zone": zone})
    if zone:
        secure = sent.request.app.state.settings.secure
        answer.set_cookie(ZONE, zone, max_age=400 * 86400, samesite="lax", secure=secure)
    return answer


def _zone(request: Request, actor: Actor) -> dict[str, str]:
    """The browser's time zone, in which quiet hours are meant, for who has chosen none."""
    zone = request.cookies.get(ZONE, "")
    known = people.me(office_of(request), actor).preferences.get("zone")
    return {"zone": zone} if not known and zone in time_zones() else {}


def _change_email(sent: SentForm) -> Response:
    email = sent.text("email")
    people.ask_change(sent.office, sent.actor, email)
    told = f"We sent a link to {email[:320]}. Until you use it, mail goes to your old address."
    sent.request.state.attempt = FormState("email sent", told)
    return show(sent.request)


def _make_token(sent: SentForm) -> Response:
    scopes = tuple(str(scope) for scope in sent.form.getlist("scope"))
    made = people.make_token(sent.office, sent.actor, sent.text("label") or "token", scopes)
    return show(sent.request, made=(f"The token “{made.label}”", made.secret))


def _make_feed(sent: SentForm) -> Response:
    """Make an address for one's own calendar, or for that of one game which not everybody may see."""
    office, actor = sent.office, sent.actor
    game = games.game(office, actor, sent.text("game")) if sent.text("game") else None
    made = people.make_feed(office, actor, f"calendar of {game.name}" if game else "calendar", sent.text("game"))
    base = office.settings.address.rstrip("/") or str(sent.request.base_url).rstrip("/")
    label = f"The address of {game.name} for your calendar" if game else "Your calendar’s address"
    address = f"{base}/feeds/{made.secret}/{game.key if game else 'calendar'}.ics"
    return show(sent.request, made=(label, address))


def _end_sessions(sent: SentForm) -> Response:
    people.end_all_sessions(sent.office, sent.actor)
    return leave(RedirectResponse("/", 303))


def _erase(sent: SentForm) -> Response:
    name = people.me(sent.office, sent.actor).name
    if sent.text("name") != name:
        raise InvalidInputError(f"Type your name, {name}, to confirm.", faults=["name"])
    erasing.erase(sent.office, sent.actor)
    return leave(RedirectResponse("/", 303))


ON_TOP: Forms = {
    "name": ("name", of(people.rename, "name", place="")),
    "mail": ("mail", _set_mail),
    "profile": ("profile", _set_profile),
    "addresses": ("address", _add_address),
    "absences": ("absence", of(absences.announce, "first", "last", "note", place="")),
    "zone": ("zone", _set_zone),
    "email": ("email", _change_email),
    "tokens": ("token", _make_token),
    "erase": ("erase", _erase),
}
BUTTONS: Forms = {
    "feeds": ("", _make_feed),
    "sessions/end": ("", _end_sessions),
    "addresses/{number:int}/remove": ("", of(roster.remove_address, place="number")),
    "absences/{number:int}/remove": ("", of(absences.take_back, place="number")),
    # a session, a token, a calendar address or a passkey
    "credentials/{number:int}/end": ("", of(people.end, place="number")),
}
NOTIFICATIONS: Forms = {
    "browsers": ("browser", of(browsers.subscribe, "endpoint", "p256dh", "auth", _device, place="")),
    "pushes": ("pushes", _set_pushes),
    "browsers/{number:int}/remove": ("", of(browsers.remove, place="number")),
}
add_forms(router, "/me", ON_TOP, show)
add_forms(router, "/me", BUTTONS)
add_forms(router, "/me", NOTIFICATIONS, show, "/me#notifications")


@router.get("/me/export.json")
def export(request: Request) -> Response:
    """Download all that is stored about the person."""
    kept = people.export(office_of(request), person_of(request))
    content = msgspec.json.format(msgspec.json.encode(kept), indent=2)
    return file_answer(content, "application/json", "legation.json", "no-store")
