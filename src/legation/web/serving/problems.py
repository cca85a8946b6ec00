"""Refusals as ``application/problem+json`` (RFC 9457)."""

from http import HTTPStatus

import msgspec
from starlette.responses import Response

from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    LimitExceededError,
    NotAllowedError,
    NotFoundError,
    OfficeError,
    RateLimitError,
    SignInNeededError,
    UnavailableError,
)

KIND = "application/problem+json"


CODES = {
    kind.status: kind.code
    for kind in (
        SignInNeededError,
        NotAllowedError,
        NotFoundError,
        ConflictError,
        LimitExceededError,
        InvalidInputError,
        RateLimitError,
        UnavailableError,
    )
}


def code_of(status: int) -> str:
    """Return the code of a refusal of which only the status is known."""
    return CODES.get(status) or HTTPStatus(status).phrase.lower().replace(" ", "_")


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
    code: str,
    detail: str,
    faults: tuple[str, ...] = (),
    suggestions: tuple[str, ...] = (),
    proof: str = "",
    **headers: str,
) -> Response:
    """A refusal as a response."""
    title = code.capitalize().replace("_", " ")
    document = ProblemDetails(title, status, detail, code, faults=faults, suggestions=suggestions, proof=proof)
    sent = {"Cache-Control": "no-store", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return Response(msgspec.json.encode(document), status, sent, KIND)


MORE = {401: {"WWW_Authenticate": "Bearer"}, 429: {"Retry_After": "60"}, 503: {"Retry_After": "30"}}
"""Headers that go with a refusal, by its status."""


def refusal(error: OfficeError) -> Response:
    """An office's refusal as a response."""
    more = MORE.get(error.status, {})
    return problem(error.status, error.code, error.message, error.faults, error.suggestions, error.proof, **more)
