"""One's own page: name and zone, what is sent, addresses with dates, absences, ways to sign in, feeds; all of it to
take along, or to have erased."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import Request
from starlette.responses import RedirectResponse, Response

from legation.office.context import Actor
from legation.office.errors import InvalidInputError, OfficeError
from legation.office.hosting import absences, erasing, games, roster
from legation.office.identity import browsers, people
from legation.office.identity.browsers import public_key
from legation.office.preferences import time_zones
from legation.web.serving.forms import Form, FormState, carry_out, text
from legation.web.serving.pages import page
from legation.web.serving.routing import PageRouter, ReadingRoute
from legation.web.serving.sessions import COOKIE, ZONE, device, office_of, person_of
from legation.web.serving.times import Times

router = PageRouter(route_class=ReadingRoute)
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
    "vote": "Votes of the players",
    "desk": "Items on your desk, in games that you run",
    "second reading": "Transcriptions to check, as a deputy",
}
"""What mail people may do without; the rest is always sent."""
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
def me(request: Request) -> Response:
    """The page."""
    return show(request, FormState())


def show(request: Request, attempt: FormState, made: tuple[str, str] | None = None) -> Response:
    """The page, with what was refused, or with a secret that is shown once: what it is for, and the secret."""
    office, actor = office_of(request), person_of(request)
    known = people.me(office, actor)
    return page(
        request,
        "me/me.html",
        me=known,
        attempt=attempt,
        made=made,
        mailings=MAILINGS,
        quiet=known.preferences.get("quiet", ()),
        zone=known.preferences.get("zone", ""),
        zones=sorted(time_zones()),
        addresses=roster.addresses(office, actor),
        sharing=roster.sharing(office, actor),
        absences=absences.absences(office, actor),
        credentials=people.credentials(office, actor),
        kinds=KINDS,
        here=people.own_credential(office, actor),
        push_key=public_key(office) if office.settings.push else "",
        browsers=browsers.browsers(office, actor) if office.settings.push else [],
        pushes=PUSHES,
        times=Times(request),
        today=office.clock.now().date().isoformat(),
    )


@router.post("/me/name")
def rename(request: Request, form: Form) -> Response:
    """Change the name that others read."""

    def command(actor: Actor) -> object:
        return people.rename(office_of(request), actor, text(form, "name"))

    return carry_out(request, "name", form, command, lambda tried: show(request, tried), "/me")


@router.post("/me/zone")
def set_zone(request: Request, form: Form) -> Response:
    """Choose the zone in which mails tell times."""
    zone = text(form, "zone")

    def command(actor: Actor) -> object:
        if zone and zone not in time_zones():
            raise InvalidInputError(
                f"There is no time zone {zone[:60]!r}. Write it like Europe/Paris.", faults=["zone"]
            )
        return people.set_preferences(office_of(request), actor, {"zone": zone})

    answer = carry_out(request, "zone", form, command, lambda tried: show(request, tried), "/me")
    if answer.status_code == 303 and zone:
        answer.set_cookie(ZONE, zone, max_age=400 * 86400, samesite="lax", secure=request.app.state.settings.secure)
    return answer


@router.post("/me/mail")
def set_mail(request: Request, form: Form) -> Response:
    """Choose what is sent, in which form, and where no browser is notified, the quiet hours."""
    wanted = form.getlist("wanted")
    chosen: dict[str, Any] = {"form": "text" if text(form, "form") == "text" else "html"}
    chosen |= {name: text(form, name)[:5] for name in ("quiet_from", "quiet_to") if name in form}

    def command(actor: Actor) -> object:
        office = office_of(request)
        others = [kind for kind in people.me(office, actor).preferences.get("quiet", ()) if kind not in MAILINGS]
        chosen["quiet"] = sorted({*others, *(kind for kind in MAILINGS if kind not in wanted)})
        zone = _zone(request, actor) if chosen.get("quiet_from") else {}
        return people.set_preferences(office, actor, chosen | zone)

    return carry_out(request, "mail", form, command, lambda tried: show(request, tried), "/me")


@router.post("/me/browsers")
def subscribe(request: Request, form: Form) -> Response:
    """Subscribe this browser to notifications."""
    given = {name: text(form, name) for name in ("endpoint", "p256dh", "auth")}
    label = device(request.headers.get("user-agent", ""))

    def command(actor: Actor) -> object:
        return browsers.subscribe(office_of(request), actor, **given, label=label)

    return carry_out(request, "browser", form, command, lambda tried: show(request, tried), "/me#notifications")


@router.post("/me/browsers/{number}/remove")
def remove_browser(request: Request, number: int) -> Response:
    """Send a browser no more notifications."""
    browsers.remove(office_of(request), person_of(request), number)
    return RedirectResponse("/me#notifications", 303)


@router.post("/me/pushes")
def set_pushes(request: Request, form: Form) -> Response:
    """Choose what browsers tell, and the quiet hours."""
    wanted = form.getlist("wanted")
    chosen: dict[str, Any] = {"unpushed": sorted(kind for kind in PUSHES if kind not in wanted)}
    chosen |= {name: text(form, name)[:5] for name in ("quiet_from", "quiet_to")}

    def command(actor: Actor) -> object:
        return people.set_preferences(office_of(request), actor, chosen | _zone(request, actor))

    return carry_out(request, "pushes", form, command, lambda tried: show(request, tried), "/me#notifications")


def _zone(request: Request, actor: Actor) -> dict[str, str]:
    """The browser's time zone, in which quiet hours are meant, for who has chosen none."""
    zone = request.cookies.get(ZONE, "")
    known = people.me(office_of(request), actor).preferences.get("zone")
    return {"zone": zone} if not known and zone in time_zones() else {}


@router.post("/me/email")
def change_email(request: Request, form: Form) -> Response:
    """Ask for another e-mail address; a link goes there."""

    def command(actor: Actor) -> object:
        return people.ask_change(office_of(request), actor, text(form, "email"))

    answer = carry_out(request, "email", form, command, lambda tried: show(request, tried), "/me")
    if answer.status_code != 303:
        return answer
    return show(
        request,
        FormState(
            "email sent",
            f"We sent a link to {text(form, 'email')[:320]}. Until you use it, mail goes to your old address.",
        ),
    )


@router.post("/me/addresses")
def add_address(request: Request, form: Form) -> Response:
    """Add a postal address."""

    def command(actor: Actor) -> object:
        lines = [line.strip() for line in text(form, "lines").splitlines() if line.strip()]
        first, last = text(form, "first") or None, text(form, "last") or None
        primary = not first and not last
        return roster.add_address(office_of(request), actor, lines, text(form, "country"), first, last, primary)

    return carry_out(request, "address", form, command, lambda tried: show(request, tried), "/me")


@router.post("/me/addresses/{number}/remove")
def remove_address(request: Request, number: int) -> Response:
    """Remove a postal address."""
    roster.remove_address(office_of(request), person_of(request), number)
    return RedirectResponse("/me", 303)


@router.post("/me/absences")
def announce_absence(request: Request, form: Form) -> Response:
    """Announce an absence."""

    def command(actor: Actor) -> object:
        first, last, note = (text(form, name) for name in ("first", "last", "note"))
        return absences.announce(office_of(request), actor, first, last, note)

    return carry_out(request, "absence", form, command, lambda tried: show(request, tried), "/me")


@router.post("/me/absences/{number}/remove")
def take_absence_back(request: Request, number: int) -> Response:
    """Cancel an absence."""
    absences.take_back(office_of(request), person_of(request), number)
    return RedirectResponse("/me", 303)


@router.post("/me/credentials/{number}/end")
def end(request: Request, number: int) -> Response:
    """End a session, a token, a calendar address or a passkey."""
    people.end(office_of(request), person_of(request), number)
    return RedirectResponse("/me", 303)


@router.post("/me/sessions/end")
def end_sessions(request: Request) -> Response:
    """Sign out everywhere."""
    people.end_all_sessions(office_of(request), person_of(request))
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(COOKIE, path="/")
    return answer


@router.post("/me/tokens")
def make_token(request: Request, form: Form) -> Response:
    """Make a token for programs; its secret is on this page and nowhere else."""
    office, actor = office_of(request), person_of(request)
    scopes = tuple(str(scope) for scope in form.getlist("scope"))
    try:
        made = people.make_token(office, actor, text(form, "label") or "token", scopes)
    except OfficeError as error:
        answer = show(request, FormState("token", error.message, error.faults, form))
        answer.status_code = error.status
        return answer
    return show(request, FormState(), (f"The token “{made.label}”", made.secret))


@router.post("/me/feeds")
def make_feed(request: Request, form: Form) -> Response:
    """Make an address for one's own calendar, or for that of one game which not everybody may see."""
    office, actor = office_of(request), person_of(request)
    game = games.game(office, actor, text(form, "game")) if text(form, "game") else None
    made = people.make_feed(office, actor, f"calendar of {game.name}" if game else "calendar", text(form, "game"))
    base = office.settings.address.rstrip("/") or str(request.base_url).rstrip("/")
    label = f"The address of {game.name} for your calendar" if game else "Your calendar’s address"
    return show(request, FormState(), (label, f"{base}/feeds/{made.secret}/{game.key if game else 'calendar'}.ics"))


@router.get("/me/export.json")
def export(request: Request) -> Response:
    """Download all that is stored about the person."""
    kept = people.export(office_of(request), person_of(request))
    content = msgspec.json.format(msgspec.json.encode(kept), indent=2)
    headers = {"content-disposition": 'attachment; filename="legation.json"', "cache-control": "no-store"}
    return Response(content, media_type="application/json", headers=headers)


@router.post("/me/erase")
def erase(request: Request, form: Form) -> Response:
    """Erase the person, if their name was typed."""
    name = people.me(office_of(request), person_of(request)).name

    def command(actor: Actor) -> object:
        if text(form, "name") != name:
            raise InvalidInputError(f"Type your name, {name}, to confirm.", faults=["name"])
        return erasing.erase(office_of(request), actor)

    answer = carry_out(request, "erase", form, command, lambda tried: show(request, tried), "/")
    if answer.status_code == 303:
        answer.delete_cookie(COOKIE, path="/")
    return answer
