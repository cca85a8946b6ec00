"""A running game of another system comes in: its file is read and judged again by a child process, the report and the
position are shown, and only then a game is made that goes on from there."""

from typing import Annotated, Any, Literal

import msgspec
from fastapi import Depends, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import RedirectResponse, Response

from legation.children import ChildError
from legation.game import read_position
from legation.interop.sources import ForeignFileError
from legation.interop.tasks import ImportedGame
from legation.judge import Ruleset
from legation.office.context import ask_first
from legation.office.hosting import imports
from legation.position import Position
from legation.variants import VariantError
from legation.web.designer.uploads import IMPORTERS
from legation.web.public.gallery import cards
from legation.web.public.maps import known_to, map_of, rules_of
from legation.web.serving.answers import picture_answer
from legation.web.serving.bounds import bound, queue
from legation.web.serving.documents import DocumentTooLargeError
from legation.web.serving.forms import SentForm, add_forms, form_of, text
from legation.web.serving.pages import PageError, PageRouter, page, sentence
from legation.web.serving.sessions import may, office_of, person_of

router = PageRouter()
MOST_BYTES = 4 * 1024 * 1024
KIND = "game begun elsewhere"
READ = "legation.interop.tasks:import_game"


@router.get("/games/import")
def bring(request: Request) -> Response:
    """Show the form for the game's file."""
    ask_first(office_of(request), person_of(request), "games.create")
    return _form(request)


def _form(request: Request, variant: str = "", fault: str = "", status: int = 200) -> Response:
    values = {"variant": variant, "fault": fault, "most": MOST_BYTES // 1024 // 1024}
    return page(request, "games/import.html", status, cards=cards(known_to(request)), **values)


@router.post("/games/import", dependencies=[Depends(queue)])
def read(request: Request, form: Annotated[FormData, Depends(form_of(10, 1, MOST_BYTES))]) -> Response:
    """Read the file, and go on to the report."""
    ask_first(office_of(request), person_of(request), "games.create")
    bound(request, "import game", 10)
    sent, variant, pasted = form.get("file"), text(form, "variant"), text(form, "text")
    uploads = []
    if isinstance(sent, UploadFile) and sent.filename:
        uploads = [(sent.filename, sent.file.read(MOST_BYTES + 1))]
    elif pasted:
        uploads = [("pasted.txt", pasted.encode())]
    if not uploads or len(uploads[0][1]) > MOST_BYTES:
        fault = (
            f"Files of up to {MOST_BYTES // 1024 // 1024} MB are read." if uploads else "Choose the game’s file first."
        )
        return _form(request, variant, fault, 422)
    try:
        begun = _imported(request, uploads, variant)
        name = request.app.state.documents.put({KIND: msgspec.to_builtins(begun)})
    except (ForeignFileError, DocumentTooLargeError) as error:
        return _form(request, variant, sentence(str(error)), 422)
    return RedirectResponse(f"/games/import/{name}", 303)


def _imported(request: Request, uploads: list[tuple[str, bytes]], variant: str) -> ImportedGame:
    """The game, read and judged by a child process (ForeignFileError: with why it cannot come in)."""
    variants = known_to(request)
    kept = b""
    if variant:
        rules_of(variant, variants)  # or there is no such variant
        kept = variants.as_it_is(variant).content()
    folder = str(variants.folders[0]) if variants.folders else ""
    try:
        return IMPORTERS.call(ImportedGame, READ, uploads, variant, {}, folder, kept)
    except ChildError as error:
        if error.reason == "away":
            raise PageError(503, "Other imports are running right now.", mend="Try again in a minute.") from None
        if error.reason == "failed" and error.kind != ForeignFileError.__name__:
            raise ForeignFileError(f"the file cannot be read ({error.kind})") from None
        raise ForeignFileError(*str(error).splitlines()) from None


def begun_of(request: Request, name: str) -> ImportedGame:
    """A game that was read, by the name of its report (PageError: 404 when it is no longer kept)."""
    kept = request.app.state.documents.get(name) or {}
    try:
        return msgspec.convert(kept[KIND], ImportedGame)
    except (KeyError, msgspec.ValidationError):
        raise PageError(
            404,
            "This import is no longer kept.",
            mend="Upload the file again.",
            ways=[("Import a game", "/games/import")],
        ) from None


@router.get("/games/import/{name}")
def report(request: Request, name: str) -> Response:
    """Show what was read, what differs, and where the game stands."""
    person_of(request)
    begun = begun_of(request, name)
    rules, position = _stands(request, begun)
    powers = [
        {"name": power, "units": len(position.units_of(power)), "centers": len(position.centers_of(power))}
        for power in rules.powers
    ]
    live = map_of(begun.variant, known_to(request))
    values: dict[str, Any] = {
        "begun": begun,
        "name": name,
        "powers": powers,
        "turn": str(position.turn),
        "keeps": bool(begun.saved) and may(request, "imports.bring"),
    }
    return page(request, "games/imported.html", live=live, rules=rules, **values)


def _keep(sent: SentForm) -> object:
    begun = begun_of(sent.request, sent.request.path_params["name"])
    said = {part: sent.form.getlist(part) for part in ("power", "player", "person")}
    record = {
        "document": begun.saved,
        "source": sent.text("source"),
        "ended": sent.text("ended"),
        "name": sent.text("title"),
        "names": _said(said["power"], said["player"]),
        "people": _said(said["power"], said["person"]),
        "draw": sent.form.getlist("draw") if not begun.over else [],
    }
    return imports.bring(sent.office, sent.actor, record)


def _said(powers: list[Any], said: list[Any]) -> dict[str, str]:
    return {str(power): str(text).strip() for power, text in zip(powers, said, strict=False) if str(text).strip()}


add_forms(router, "/games/import/{name}", {"record": ("record", _keep)}, report, "/games?state=finished")


@router.get("/games/import/{name}/map-{theme}.svg")
def picture(request: Request, name: str, theme: Literal["light", "dark"]) -> Response:
    """Return the position as a picture."""
    person_of(request)
    begun = begun_of(request, name)
    _, position = _stands(request, begun)
    return picture_answer(
        map_of(begun.variant, known_to(request)).picture(position, theme=theme), "private, max-age=3600"
    )


def _stands(request: Request, begun: ImportedGame) -> tuple[Ruleset, Position]:
    """Return the rules and position of a game that was read (PageError: 409 where its variant has changed)."""
    faults: list[str] = []
    try:
        rules = known_to(request).load(begun.variant, begun.options)
        position = read_position(rules, begun.position, faults)
    except VariantError as error:
        faults = error.faults
    if faults:
        raise PageError(409, f"The game doesn’t fit its variant any more: {faults[0]}.")
    return rules, position
