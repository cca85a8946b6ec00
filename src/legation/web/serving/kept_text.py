"""Refusal of requests with text that cannot be kept (:mod:`legation.office.store.packing`), in whatever field."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from fastapi import Request
from starlette.datastructures import FormData, UploadFile

from legation.office.errors import InvalidInputError
from legation.office.store.packing import unkept_places

REFUSAL = "A text has a character in it that cannot be kept (NUL, or half of a surrogate pair). Take it out."


def refuse_unkept(value: Any) -> None:
    """Look through plain data and records.

    :raises InvalidInputError: for a text that cannot be kept.
    """
    if any(True for _ in unkept_places(value)):
        raise InvalidInputError(REFUSAL, faults=["text: a character that cannot be kept"])


async def keepable(request: Request) -> None:
    """Refuse a request with such a text in its address or its form; a dependency of every page.

    :raises InvalidInputError: for a text that cannot be kept.
    """
    refuse_unkept([request.url.path, unquote(request.url.query), *request.path_params.values()])
    form: FormData | None = getattr(request, "_form", None)  # already read, where a page takes one
    if form is not None:
        for name, field in form.multi_items():
            refuse_unkept([name, (field.filename or "") if isinstance(field, UploadFile) else field])
