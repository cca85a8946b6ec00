"""Pages of moderation: a report, whom one blocks, and the administrators' desk with what is known of a person."""

from typing import Annotated, Any, get_args

from fastapi import Query, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from legation.office.desk import letters
from legation.office.errors import InvalidInputError
from legation.office.hosting import games, imports, moderation, profiles
from legation.office.hosting.moderation import Decision
from legation.office.identity import traces
from legation.web.serving.forms import (
    Forms,
    SentForm,
    add_forms,
    attempt_of,
    number,
    of,
    read_shown,
    shown_number,
    text,
)
from legation.web.serving.pages import PageRouter, ReadingRoute, page
from legation.web.serving.sessions import office_of, person_of

router = PageRouter(route_class=ReadingRoute)
Name = Annotated[str, Query(max_length=80)]
PERSON = shown_number("person")


@router.get("/report")
def report(request: Request, game: Name = "", power: Name = "", letter: Name = "", person: Name = "") -> Response:
    """Show the form of a report: of a power, of a letter, or of somebody's profile."""
    asked = {"game": game, "power": power, "letter": letter, "person": person}
    return _report(request, asked)


def _report(request: Request, asked: dict[str, str], *, sent: bool = False) -> Response:
    office, actor = office_of(request), person_of(request)
    record = games.game(office, actor, asked["game"]) if asked["game"] else None
    shown = letters.letter(office, actor, asked["game"], read_shown(asked["letter"])) if asked["letter"] else None
    power = shown.sender if shown else asked["power"]
    seat = next((seat for seat in record.seats if seat.power == power), None) if record else None
    about, name = (seat.person, seat.holder) if seat is not None else (None, None)
    if asked["person"]:
        profile = profiles.profile(office, actor, read_shown(asked["person"]))
        about, name = profile.person, profile.name
    known: dict[str, Any] = {"game": record, "letter": shown, "person": about, "name": name}
    return page(request, "moderation/report.html", whom=name or power, asked=asked, sent=sent, **known)


def _asked(form: FormData) -> dict[str, str]:
    return {name: text(form, name)[:80] for name in ("game", "power", "letter", "person")}


def _send_report(sent: SentForm) -> Response:
    asked = _asked(sent.form)
    given = (asked["game"], asked["power"], read_shown(asked["letter"]), read_shown(asked["person"]))
    moderation.report(sent.office, sent.actor, sent.text("text"), *given)
    return _report(sent.request, asked, sent=True)


def _refused(request: Request) -> Response:
    return _report(request, _asked(attempt_of(request).form))


add_forms(router, "/report", {"": ("report", _send_report)}, _refused)


@router.get("/me/record-names")
def record_names(request: Request) -> Response:
    """Show the names in imported records that one has said are one's own."""
    listed = imports.own_names(office_of(request), person_of(request))
    return page(request, "me/record_names.html", names=listed)


NAMES: Forms = {
    "add": ("add", of(imports.claim, "name", place="")),
    "remove": ("remove", of(imports.give_up, "name", place="")),
}
add_forms(router, "/me/record-names", NAMES, record_names)


@router.get("/me/blocks")
def blocks(request: Request) -> Response:
    """Show whom one blocks."""
    listed = moderation.blocks(office_of(request), person_of(request))
    return page(request, "moderation/blocks.html", blocks=listed)


BLOCKS: Forms = {
    "add": ("add", of(moderation.block, PERSON, place="")),
    "remove": ("remove", of(moderation.unblock, PERSON, place="")),
}
add_forms(router, "/me/blocks", BLOCKS, blocks)


@router.get("/moderation")
def moderate(request: Request) -> Response:
    """Show the reports to an administrator."""
    office, actor = office_of(request), person_of(request)
    moderation.ask_to_decide(office, actor)
    listed = moderation.reports(office, actor)
    return page(
        request,
        "moderation/desk.html",
        reports=sorted(listed, key=lambda one: one.decided is not None),
        names=imports.names(office, actor),
        signals=traces.signals(office, actor),
    )


@router.get("/moderation/{person}")
def known(request: Request, person: int) -> Response:
    """Show an administrator what is known of a person."""
    told = moderation.record(office_of(request), person_of(request), person)
    return page(request, "moderation/person.html", known=told)


def _again(request: Request) -> Response:
    return known(request, read_shown(text(attempt_of(request).form, "person")))


DECISIONS: dict[str, Decision] = {name: name for name in get_args(Decision)}


def _decision(sent: SentForm) -> Decision:
    if (decision := DECISIONS.get(sent.text("decision"))) is None:
        raise InvalidInputError("Choose a decision.", faults=["decision: unknown"])
    return decision


PERSONS: Forms = {
    "note": ("note", of(moderation.note, PERSON, "text", place="")),
    "lift": ("lift", of(moderation.lift, PERSON, "reason", place="")),
}
FORMS: Forms = {
    "decide": ("decide", of(moderation.decide, shown_number("report"), _decision, "reason", number("days"), place="")),
    "confirm": ("confirm", of(imports.confirm, "name", PERSON, place="")),
    "refuse": ("refuse", of(imports.refuse, "name", PERSON, place="")),
}
add_forms(router, "/moderation", FORMS, moderate)
add_forms(router, "/moderation", PERSONS, _again, "/moderation/{person}")
