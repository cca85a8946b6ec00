"""Refusals as ``application/problem+json`` (RFC 9457)."""

from collections.abc import Sequence
from http import HTTPStatus

import msgspec
from starlette.responses import Response

from legation.office.errors import OfficeError

KIND = "application/problem+json"
CODES = {kind.status: kind.code for kind in reversed(OfficeError.__subclasses__())}
"""The code of a refusal of which only the status is known: that of the kind that is declared first."""
MORE = {401: {"WWW-Authenticate": "Bearer"}, 429: {"Retry-After": "60"}, 503: {"Retry-After": "30"}}
"""Headers that go with a refusal, by its status."""


class ProblemDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """Problem document of a refusal: ``detail`` for people, ``code`` for programs, ``faults`` each with its place,
    ``suggestions`` that may mend it; ``proof`` is the refusal as the office signed it."""

    title: str
    status: int
    detail: str
    code: str
    type: str = "about:blank"
    faults: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    proof: str = ""


def problem(
    status: int,
    detail: str,
    code: str = "",
    faults: Sequence[str] = (),
    suggestions: Sequence[str] = (),
    proof: str = "",
) -> Response:
    """A refusal as a response."""
    code = code or CODES.get(status) or HTTPStatus(status).phrase.lower().replace(" ", "_")
    title = code.capitalize().replace("_", " ")
    document = ProblemDetails(
        title, status, detail, code, faults=tuple(faults), suggestions=tuple(suggestions), proof=proof
    )
    return Response(msgspec.json.encode(document), status, {"Cache-Control": "no-store", **MORE.get(status, {})}, KIND)


def refusal(error: OfficeError) -> Response:
    """An office's refusal as a response."""
    return problem(error.status, error.message, error.code, error.faults, error.suggestions, error.proof)
