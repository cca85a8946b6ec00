"""Refusals as ``application/problem+json`` (RFC 9457)."""

from __future__ import annotations

import msgspec
from starlette.responses import Response

from legation.office.errors import OfficeError

KIND = "application/problem+json"


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was refused and why: ``detail`` for people, ``code`` for programs, ``faults`` each with its place,
    ``suggestions`` that may mend it."""

    title: str
    status: int
    detail: str
    code: str
    type: str = "about:blank"
    faults: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()


def problem(
    status: int, code: str, detail: str, faults: tuple[str, ...] = (), suggestions: tuple[str, ...] = (), **headers: str
) -> Response:
    """A refusal as a response."""
    document = Problem(code[:1].upper() + code[1:], status, detail, code, faults=faults, suggestions=suggestions)
    sent = {"Cache-Control": "no-store", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return Response(msgspec.json.encode(document), status, sent, KIND)


def refusal(error: OfficeError) -> Response:
    """An office's refusal as a response."""
    more = (
        {"WWW_Authenticate": "Bearer"} if error.status == 401 else {"Retry_After": "30"} if error.status == 503 else {}
    )
    return problem(error.status, error.code, error.message, error.faults, error.suggestions, **more)
