"""Forms that run a command: once, or shown again with what was typed and what was wrong."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Annotated

from fastapi import Depends, Request
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from legation.office.context import Actor
from legation.office.errors import InvalidInputError, OfficeError
from legation.web.serving.kept_text import refuse_unkept
from legation.web.serving.sessions import person_of

TOLD_AS_PAGES = (401, 403, 404, 503)


async def read_form(request: Request) -> FormData:
    """The fields of a form; a form without fields is empty."""
    form = await request.form(max_files=0, max_fields=400)
    refuse_unkept([part for pair in form.multi_items() for part in pair])
    return form


Form = Annotated[FormData, Depends(read_form)]


class FormState:
    """Form that was sent and refused: ``form_name`` names its form.

    Templates ask it for what was typed, so that nothing is lost.
    """

    def __init__(
        self, form_name: str = "", message: str = "", faults: Sequence[str] = (), form: FormData | None = None
    ) -> None:
        self.form_name = form_name
        self.message = message
        self.faults = tuple(faults)
        self.form = form or FormData()
        self.once = secrets.token_urlsafe(12)

    def refused(self, form_name: str) -> str:
        """Reason for which this form was refused; empty if it was not."""
        return self.message if form_name == self.form_name else ""

    def kept(self, form_name: str, name: str, default: object = "") -> str:
        """Return what was typed into a field of this form, else the default."""
        return text(self.form, name) if form_name == self.form_name else str(default)


def text(form: FormData, name: str) -> str:
    """Return a field of a form, trimmed; empty if it is missing."""
    value = form.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def whole_number(form: FormData, name: str) -> int:
    """Return a number from a field of a form; 0 if it is missing.

    :raises InvalidInputError: for what isn't a number.
    """
    value = text(form, name)
    if value and not (value.isascii() and value.isdecimal() and len(value) < 10):
        raise InvalidInputError("Write a whole number.", faults=[f"{name}: not a number"])
    return int(value or 0)


def carry_out(
    request: Request,
    form_name: str,
    form: FormData,
    command: Callable[[Actor], object],
    again: Callable[[FormState], Response],
    then: str,
) -> Response:
    """Give a command and go on to the page ``then``; if it is refused show the page ``again``, with the reason at its
    form.

    A form that is sent twice (a second tap, a page that was loaded again) is carried out once, by the key that it
    carries.
    """
    actor = person_of(request)
    once = text(form, "once")
    try:
        command(actor.once(f"{form_name} {once}") if once else actor)
    except OfficeError as error:
        if error.status in TOLD_AS_PAGES:
            raise
        answer = again(FormState(form_name, error.message, error.faults, form))
        answer.status_code = error.status
        return answer
    return RedirectResponse(then, 303)
