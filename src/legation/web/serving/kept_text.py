"""Text that cannot be kept: no database keeps NUL, and half of a surrogate pair is no character at all. It is refused
where it comes in, whatever field it is in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

import msgspec
from fastapi import Request
from starlette.datastructures import FormData, UploadFile

from legation.office.errors import InvalidInputError

REFUSAL = "A text has a character in it that cannot be kept (NUL, or half of a surrogate pair). Take it out."


def is_kept(text: str) -> bool:
    """Return whether a text can be kept as it is."""
    return ("\0" not in text and text.isascii()) or not any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text)


def refuse_unkept(value: Any) -> None:
    """Look through plain data and records.

    :raises InvalidInputError: for a text that cannot be kept.
    """
    waiting = [value]
    while waiting:
        present = waiting.pop()
        if isinstance(present, str):
            if not is_kept(present):
                raise InvalidInputError(REFUSAL, faults=["text: a character that cannot be kept"])
        elif isinstance(present, Mapping):
            waiting += [*present.keys(), *present.values()]
        elif isinstance(present, msgspec.Struct):
            waiting += [getattr(present, field) for field in present.__struct_fields__]
        elif isinstance(present, Sequence) and not isinstance(present, bytes | bytearray):
            waiting += present


async def keepable(request: Request) -> None:
    """Refuse a request with such a text in its address or its form; a dependency of every page.

    :raises InvalidInputError: for a text that cannot be kept.
    """
    refuse_unkept([request.url.path, unquote(request.url.query), *request.path_params.values()])
    form: FormData | None = getattr(request, "_form", None)  # already read, where a page takes one
    if form is not None:
        for name, field in form.multi_items():
            refuse_unkept([name, (field.filename or "") if isinstance(field, UploadFile) else field])
