"""Proposals for the catalog: from a package or an uploaded variant; reviewed, accepted or refused."""

from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Query, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import RedirectResponse, Response

from legation.office.context import Actor, ask_first
from legation.office.errors import InvalidInputError
from legation.office.hosting import catalog
from legation.office.hosting.catalog import MOST_BYTES, check_package
from legation.office.records import CatalogState
from legation.variants.packages import About, PackageError, write_package
from legation.web.designer.uploads import PREFIX, REPORT, UploadError, VariantUploads, board_name, unnamed, variants_in
from legation.web.serving.answers import file_answer
from legation.web.serving.bounds import bound
from legation.web.serving.documents import DocumentTooLargeError
from legation.web.serving.forms import SentForm, add_forms, carry_out, form_of, of, text
from legation.web.serving.pages import PageError, PageRouter, page
from legation.web.serving.sessions import may, office_of, person_of

router = PageRouter()
Few = Annotated[str, Query(max_length=80)]
FIELDS = ("name", "version", "license", "authors", "source", "notes")
STATES: dict[CatalogState, str] = {
    "proposed": "waiting",
    "listed": "in the catalog",
    "earlier": "in the catalog; a later version is listed",
    "refused": "refused",
    "withdrawn": "withdrawn",
    "removed": "removed from the catalog",
}


@router.get("/proposals")
def proposals(request: Request) -> Response:
    """The reader's proposals; an administrator's are all that wait."""
    actor = person_of(request)
    listed = catalog.proposals(office_of(request), actor)
    return page(request, "proposals/list.html", proposals=listed, states=STATES)


@router.get("/proposals/new")
def new_proposal(request: Request, upload: Few = "", version: Few = "1.0", license: Few = "") -> Response:
    """The form for a proposal: of a package, or of an uploaded variant (``upload``)."""
    ask_first(office_of(request), person_of(request), "catalog.propose")
    return _form(request, upload, given={"version": version, "license": license})


def _form(request: Request, upload: str, given: dict[str, str] | None = None) -> Response:
    uploaded = request.app.state.variant_uploads.uploaded(upload) if upload else None
    if uploaded is not None and uploaded.registry is None:
        ways = [("Back to the variant", f"/designer/{upload}")]
        raise PageError(409, "This variant can’t be played yet, so it can’t be proposed.", ways=ways)
    defaults: dict[str, Any] = dict.fromkeys(FIELDS, "") | {"version": "1.0"} | (given or {})
    if uploaded is not None and uploaded.rules is not None:
        title = uploaded.rules.title.lower()
        words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in title).split()
        defaults |= {"name": "-".join(words)[:40].strip("-"), "authors": person_of(request).name}
    most = MOST_BYTES // 1024 // 1024
    return page(request, "proposals/new.html", upload=upload, uploaded=uploaded, defaults=defaults, most=most)


@router.post("/proposals")
def propose(request: Request, form: Annotated[FormData, Depends(form_of(20, 1, MOST_BYTES))]) -> Response:
    """Check what is proposed, and propose it."""
    office = office_of(request)
    ask_first(office, person_of(request), "catalog.propose")
    bound(request, "proposal", 6)
    upload = text(form, "upload")

    def command(actor: Actor) -> Response:
        made = catalog.propose(office, actor, check_package(_content(request, form, upload)))
        return RedirectResponse(f"/proposals/{made.number}", 303)

    return carry_out(request, "propose", form, command, partial(_form, request, upload), "")


def _content(request: Request, form: FormData, upload: str) -> bytes:
    if not upload:
        sent = form.get("package")
        if not isinstance(sent, UploadFile) or not sent.filename:
            raise InvalidInputError("Choose the package first.", faults=["package: missing"])
        return sent.file.read(MOST_BYTES + 1)
    known: VariantUploads = request.app.state.variant_uploads
    rules = known.rules(PREFIX + upload)
    about = About(**{field: text(form, field) for field in FIELDS}, title=rules.title, credits=rules.board.credits)
    try:
        return write_package(about, packed_files(about.name, known.texts(upload)))
    except PackageError as error:
        raise InvalidInputError(f"Check what you wrote: {'; '.join(error.faults)}.", faults=error.faults) from None


def packed_files(name: str, files: dict[str, str]) -> dict[str, str]:
    """Return the files of an uploaded variant, under the paths of a package of this name."""
    variants = variants_in(files)
    played = next(iter(variants.values()))
    packed, board = {f"{name}.toml": unnamed(played)}, board_name(played)
    if "board.toml" in files:
        packed |= {f"{board}/{file}": files[file] for file in files if file not in variants and file != REPORT}
    return packed


@router.get("/proposals/{number}")
def proposal(request: Request, number: int) -> Response:
    """Show a proposal."""
    office, actor = office_of(request), person_of(request)
    found = catalog.proposal(office, actor, number)
    listed = next((one for one in catalog.versions(office, actor, found.name) if one.state == "listed"), None)
    decides = may(request, "catalog.take_in")
    beside = [
        other
        for other in (catalog.proposals(office, actor) if decides else ())
        if other.state == "proposed" and other.name == found.name and other.number != found.number
    ]
    return page(request, "proposals/proposal.html", proposal=found, listed=listed, decides=decides, beside=beside)


def _decide(sent: SentForm) -> object:
    if sent.text("do") in ("take in", "withdraw"):
        say = catalog.take_in if sent.text("do") == "take in" else catalog.withdraw
        return of(say, place="number")(sent)
    return of(catalog.refuse, "reason", place="number")(sent)


add_forms(router, "/proposals/{number:int}", {"": ("decide", _decide)}, proposal, "/proposals/{number}")


@router.get("/proposals/{number}/package")
def proposed_package(request: Request, number: int) -> Response:
    """Return the package of a proposal."""
    name, kind, content = catalog.proposed_package(office_of(request), person_of(request), number)
    return file_answer(content, kind, name, "private, no-store")


@router.post("/proposals/{number}/open")
def open_in_designer(request: Request, number: int) -> Response:
    """Open a proposal in the designer, to see its map and to play it."""
    bound(request, "designer", 20)
    name, _, content = catalog.proposed_package(office_of(request), person_of(request), number)
    try:
        upload = request.app.state.variant_uploads.take([(f"{name}.zip", content)])
    except (UploadError, DocumentTooLargeError) as error:
        raise PageError(422, f"{error}.", ways=[("The proposal", f"/proposals/{number}")]) from None
    return RedirectResponse(f"/designer/{upload}", 303)
