"""Scans and photographs of opened letters: the postbag, sorted by the codes of the sheets, where pages without one are
named; and copies, added to what was read in a letter."""

from functools import partial

from fastapi import Depends, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from legation.office.context import Actor
from legation.office.desk import postbag
from legation.office.errors import ConflictError, InvalidInputError
from legation.office.orders.order_codes import scanned_pages
from legation.office.orders.pictures import PictureError
from legation.web.coordinator import desk_items, desk_results
from legation.web.coordinator.desk import game_run
from legation.web.serving.bounds import queue
from legation.web.serving.forms import Made, SentForm, Upload, add_forms, carry_out, cleaned, read_shown, text
from legation.web.serving.pages import PageRouter, page
from legation.web.serving.sessions import office_of, person_of

router = PageRouter()


@router.get("/desk/{game}/postbag")
def show_postbag(request: Request, game: str, made: Made = None) -> Response:
    """Show the pages that wait to be named, and where to scan more; ``made``: the postbag as it was just sorted."""
    office, actor, record = office_of(request), person_of(request), game_run(request, game)
    closed, bag = "", made
    try:
        bag = bag or postbag.postbag(office, actor, record.key)
    except ConflictError as error:
        closed = error.message
    return page(request, "desk/postbag.html", game=record, bag=bag, closed=closed, filed=made.filed if made else {})


@router.post("/desk/{game}/postbag", dependencies=[Depends(queue), Depends(game_run)])
def sort(request: Request, game: str, upload: Upload) -> Response:
    """Sort scanned pages; before the deadline they aren't even looked at."""
    office, (files, _) = office_of(request), upload

    def command(actor: Actor) -> Response:
        postbag.postbag(office, actor, game)  # refused before the deadline
        if not files:
            raise InvalidInputError("Choose the scan first.", faults=["pictures: none"])
        try:
            pages = scanned_pages(files)
        except PictureError as error:
            raise InvalidInputError(f"{error}.") from None
        return show_postbag(request, game, made=postbag.file_pages(office, actor, game, pages))

    return carry_out(request, "sort", FormData(), command, partial(show_postbag, request, game), "")


@router.get("/desk/{game}/postbag/{number:int}")
def show_page(request: Request, game: str, number: int) -> Response:
    """Serve a page that waits to be named; never cached."""
    _, kind, content = postbag.page_picture(office_of(request), person_of(request), game, number)
    return Response(content, media_type=kind, headers={"cache-control": "private, no-store"})


def _name(sent: SentForm) -> object:
    number = read_shown(sent.text("page"))
    if sent.text("do") == "drop":
        return postbag.drop_page(sent.office, sent.actor, sent.game, number)
    if not sent.text("letter"):
        raise InvalidInputError("Choose the letter that the page is of.", faults=["letter: missing"])
    power, _, version = sent.text("letter").rpartition(" ")
    return postbag.name_page(sent.office, sent.actor, sent.game, number, power, read_shown(version))


add_forms(router, "/desk/{game}/postbag", {"name": ("page {page}", _name)}, show_postbag)


# Photographs of a letter that was opened


@router.post("/desk/{game}/copies", dependencies=[Depends(queue), Depends(game_run)])
def add_copies(request: Request, game: str, upload: Upload) -> Response:
    """Add photographs of an opened letter, and go back to where it is read or corrected."""
    office, (files, form) = office_of(request), upload
    power, item = text(form, "power"), text(form, "item")

    def command(actor: Actor) -> object:
        if not files:
            raise InvalidInputError("Choose the photographs first.", faults=["pictures: none"])
        return postbag.add_copies(office, actor, game, power, text(form, "turn"), cleaned(files))

    if number := read_shown(item):
        return desk_items.photographed(request, game, number, form, command)
    return carry_out(
        request, f"copies {power}", form, command, partial(desk_results.show, request, game), f"/desk/{game}/results"
    )
