"""Photographs and scans of sheets, sent as files."""

from typing import Annotated

from fastapi import Depends
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from legation.office.context import Actor
from legation.office.errors import InvalidInputError
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.orders.pictures import MOST_BYTES, PictureError, take_pictures
from legation.office.records import Receipt
from legation.web.serving.forms import refuse_unkept

MOST_FILES = 12


async def read_upload(request: Request) -> tuple[list[tuple[str, bytes]], FormData]:
    """The files of a form by their names, those without content left out, and its other fields.

    :raises InvalidInputError: when the form cannot be read."""
    try:
        form = await request.form(max_files=MOST_FILES, max_fields=6, max_part_size=MOST_BYTES)
    except HTTPException as error:
        raise InvalidInputError(f"The form cannot be read: {error.detail}.", faults=[str(error.detail)]) from None
    files: list[tuple[str, bytes]] = []
    for part in form.getlist("pictures"):
        if isinstance(part, UploadFile) and (content := await part.read(MOST_BYTES + 1)):
            files.append((part.filename or "", content))
    refuse_unkept([part for pair in form.multi_items() for part in pair if isinstance(part, str)])
    return files, form


Upload = Annotated[tuple[list[tuple[str, bytes]], FormData], Depends(read_upload)]


def submit_files(
    office: Office, actor: Actor, game: str, power: str, files: list[tuple[str, bytes]], note: str
) -> Receipt:
    """Clean the pictures and send them in.

    :raises InvalidInputError: for files that aren't pictures."""
    return submissions.submit_pictures(office, actor, game, power, cleaned(files), note)


def cleaned(files: list[tuple[str, bytes]]) -> list[tuple[str, bytes, str]]:
    """The pictures of files, as the office takes them: (name, content, media type) of each.

    :raises InvalidInputError: for files that aren't pictures."""
    try:
        return [(p.name, p.data, p.kind) for name, data in files for p in take_pictures(name, data)]
    except PictureError as error:
        raise InvalidInputError(f"{error}.", faults=[f"pictures: {error}"]) from None
