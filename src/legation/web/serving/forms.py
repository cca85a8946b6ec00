"""Forms that run a command: once, or shown again with what was typed and what was wrong. Text that cannot be kept
(:mod:`legation.office.store.packing`) is refused in whatever field. Photographs and scans of sheets are cleaned."""

import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import APIRouter, Depends, Request
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from legation.office.context import Actor
from legation.office.errors import InvalidInputError, OfficeError
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.orders.pictures import MOST_BYTES, PictureError, take_pictures
from legation.office.records import Receipt
from legation.office.store.packing import unkept_places
from legation.web.serving.sessions import office_of, person_of

MOST_FILES = 12
TOLD_AS_PAGES = (401, 403, 404, 503)
REFUSAL = "A text has a character in it that cannot be kept (NUL, or half of a surrogate pair). Take it out."


def refuse_unkept(value: Any) -> None:
    """Look through plain data and records (InvalidInputError: for a text that cannot be kept)."""
    if any(True for _ in unkept_places(value)):
        raise InvalidInputError(REFUSAL, faults=["text: a character that cannot be kept"])


async def keepable(request: Request) -> None:
    """Refuse such texts in the address or form of a request; a dependency of every page (InvalidInputError)."""
    refuse_unkept([request.url.path, unquote(request.url.query), *request.path_params.values()])
    form: FormData | None = getattr(request, "_form", None)  # already read, where a page takes one
    if form is not None:
        for name, value in form.multi_items():
            refuse_unkept([name, (value.filename or "") if isinstance(value, UploadFile) else value])


async def read_body(request: Request, most: int) -> bytes | None:
    """Return the body of a request; None for one that is larger, of which no more than that is read."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            return None
    return bytes(body)


def form_of(fields: int, files: int = 0, largest: int = 1024 * 1024) -> Callable[[Request], Awaitable[FormData]]:
    """A dependency that reads a form of so many fields and files, each of so many bytes; without fields, empty."""

    async def read(request: Request) -> FormData:
        form = await request.form(max_files=files, max_fields=fields, max_part_size=largest)
        refuse_unkept([part for pair in form.multi_items() for part in pair if isinstance(part, str)])
        return form

    return read


Form = Annotated[FormData, Depends(form_of(400))]


async def read_upload(request: Request) -> tuple[list[tuple[str, bytes]], FormData]:
    """Read a form's pictures by name (empty ones left out) and its other fields (InvalidInputError: unreadable)."""
    try:
        form = await form_of(6, MOST_FILES, MOST_BYTES)(request)
    except HTTPException as error:
        raise InvalidInputError(f"The form cannot be read: {error.detail}.", faults=[str(error.detail)]) from None
    files: list[tuple[str, bytes]] = []
    for part in form.getlist("pictures"):
        if isinstance(part, UploadFile) and (content := await part.read(MOST_BYTES + 1)):
            files.append((part.filename or "", content))
    return files, form


Upload = Annotated[tuple[list[tuple[str, bytes]], FormData], Depends(read_upload)]


def cleaned(files: list[tuple[str, bytes]]) -> list[tuple[str, bytes, str]]:
    """Return the pictures of files as (name, content, media type) each (InvalidInputError: not pictures)."""
    try:
        return [(p.name, p.data, p.kind) for name, data in files for p in take_pictures(name, data)]
    except PictureError as error:
        raise InvalidInputError(f"{error}.", faults=[f"pictures: {error}"]) from None


def submit_files(
    office: Office, actor: Actor, game: str, power: str, files: list[tuple[str, bytes]], note: str
) -> Receipt:
    """Clean pictures and send them in (InvalidInputError: for files that aren't pictures)."""
    return submissions.submit_pictures(office, actor, game, power, cleaned(files), note)


@dataclass(frozen=True)
class FormState:
    """Form that was sent and refused: ``form_name`` names its form.

    Templates ask it for what was typed, so that nothing is lost."""

    form_name: str = ""
    message: str = ""
    faults: Sequence[str] = ()
    form: FormData = field(default_factory=FormData)
    once: str = field(default_factory=lambda: secrets.token_urlsafe(12))

    def refused(self, form_name: str) -> str:
        """Reason for which this form was refused; empty if it was not."""
        return self.message if form_name == self.form_name else ""

    def kept(self, form_name: str, name: str, default: object = "") -> str:
        """Return what was typed into a field of this form, else the default."""
        return text(self.form, name) if form_name == self.form_name else str(default)


def attempt_of(request: Request) -> FormState:
    """Return the form that was refused, where its page is shown again; else one without a name."""
    known: FormState | None = getattr(request.state, "attempt", None)
    return known or FormState()


async def _nothing() -> None:
    """What no browser can ask for."""


Made = Annotated[Any, Depends(_nothing)]
"""What a page takes from the command of its form: what was made, and is shown once."""
Again = Callable[..., Response] | None
"""The page of the form, which a refusal shows again with its message; None: a refusal is a page of its own."""


def text(form: FormData, name: str) -> str:
    """Return a field of a form, trimmed; empty if it is missing."""
    value = form.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def whole_number(form: FormData, name: str) -> int:
    """Return a number from a field of a form; 0 if it is missing (InvalidInputError: for what isn't a number)."""
    value = text(form, name)
    if value and not (value.isascii() and value.isdecimal() and len(value) < 10):
        raise InvalidInputError("Write a whole number.", faults=[f"{name}: not a number"])
    return int(value or 0)


def carry_out(
    request: Request, form_name: str, form: FormData, command: Callable[[Actor], object], again: Again, then: str
) -> Response:
    """Give a command and go on to the page ``then``, unless it answers with a page itself; if it is refused show the
    page ``again``, with the reason at its form. A form that is sent twice (a second tap, a page that was loaded again)
    is carried out once, by the key that it carries."""
    actor = person_of(request)
    once = text(form, "once")
    try:
        answer = command(actor.once(f"{form_name} {once}") if once else actor)
    except OfficeError as error:
        return show_again(request, form_name, form, error, again)
    return answer if isinstance(answer, Response) else RedirectResponse(then, 303)


def show_again(request: Request, form_name: str, form: FormData, error: OfficeError, again: Again) -> Response:
    """Show a page again, with what its form was refused for."""
    if again is None or error.status in TOLD_AS_PAGES:
        raise error
    request.state.attempt = FormState(form_name, error.message, error.faults, form)
    answer = again()
    answer.status_code = error.status
    return answer


class SentForm:
    """A form as its command gets it: who sent it, its fields, and the office and game that it is for."""

    def __init__(self, request: Request, form: FormData, actor: Actor) -> None:
        self.request = request
        self.form = form
        self.actor = actor
        self.office: Office = office_of(request)
        self.game: str = request.path_params.get("game", "")

    def text(self, name: str) -> str:
        """A field, trimmed; empty if it is missing."""
        return text(self.form, name)


FormCommand = Callable[[SentForm], object]
Forms = Mapping[str, tuple[str, FormCommand]]
"""The forms of a page: by the end of its address, the name of each and its command."""


def of(command: Callable[..., object], *fields: str | FormCommand, place: str = "game") -> FormCommand:
    """A command of what the address names at ``place`` (empty: of nothing), with fields of the form as arguments."""

    def give(sent: SentForm) -> object:
        named = [sent.request.path_params[place]] if place else []
        given = (sent.text(field) if isinstance(field, str) else field(sent) for field in fields)
        return command(sent.office, sent.actor, *named, *given)

    return give


def number(name: str) -> FormCommand:
    """A number that a form has."""
    return lambda sent: whole_number(sent.form, name)


def read_shown(given: str) -> int:
    """Read a number by which pages show something; 0, which nothing has, where a text is no number."""
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 19 else 0


def shown_number(name: str) -> FormCommand:
    """A number that pages show, in a form."""
    return lambda sent: read_shown(sent.text(name))


def add_forms(
    router: APIRouter, address: str, commands: Forms, again: Again = None, then: str | Callable[[Request], str] = ""
) -> None:
    """Add a route for each form. In the name and in ``then``, the
    page to go on to (``address`` without it), braces stand for fields and for what the address holds; ``then`` may also
    find that page. ``again`` is the page's own function, if it shows what was refused."""

    def endpoint(form_name: str, command: FormCommand) -> Callable[..., Response]:
        def take(request: Request, form: Form) -> Response:
            values = defaultdict(str, {**{name: text(form, name) for name in form}, **request.path_params})
            name = form_name.format_map(values).strip()
            shown = again and partial(again, request, **request.path_params)
            there = then(request) if callable(then) else (then or address).format_map(values)
            return carry_out(request, name, form, lambda actor: command(SentForm(request, form, actor)), shown, there)

        return take

    for end, (form_name, command) in commands.items():
        take = endpoint(form_name, command)
        take.__name__ = f"{end}_form".replace("-", "_")
        router.post(f"{address}/{end}".rstrip("/"))(take)
