"""Error pages: what happened, why, and what you can do; for programs, ``application/problem+json`` (RFC 9457)."""

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from urllib.parse import quote

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from legation.atlas.painting import PaintingError
from legation.office.errors import OfficeError
from legation.web.serving.answers import HEADERS
from legation.web.serving.pages import PageError, page
from legation.web.serving.sessions import viewer_of

log = logging.getLogger("legation.web")

TITLES: Mapping[int, str] = {
    400: "Bad request",
    401: "You’re signed out",
    403: "Not allowed",
    404: "Page not found",
    405: "Not possible here",
    409: "Something changed meanwhile",
    410: "No longer here",
    413: "Too large",
    422: "Not accepted",
    429: "Too many requests",
    500: "Something went wrong",
    503: "Temporarily unavailable",
}
MENDS: Mapping[int, str] = {
    404: "Check the address, or start from the home page.",
    405: "Go back and use the buttons on the page.",
    409: "Reload the page to see the current state, then try again. Your change was not saved.",
    500: "Nothing was changed. Try again later; if it fails again, tell the server's operator. The details are in the "
    "log at {now}.",
    503: "Nothing is lost. Try again in a few minutes.",
}


def add_errors(app: FastAPI) -> None:
    """Register handlers that answer every failure with a page, or with a problem document below ``/api/``."""

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        known = error.detail if error.detail != HTTPStatus(error.status_code).phrase else ""
        mend, ways = (error.mend, error.ways) if isinstance(error, PageError) else ("", [])
        return failure(request, error.status_code, known, mend, ways, error.headers)

    @app.exception_handler(ClientDisconnect)
    async def gone(request: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=400)  # the browser went on before it had sent all; nobody reads this

    @app.exception_handler(OfficeError)
    async def not_done(request: Request, error: OfficeError) -> Response:
        return failure(request, error.status, error.message)

    @app.exception_handler(RequestValidationError)
    async def not_valid(request: Request, error: RequestValidationError) -> Response:
        faults = [f"{'.'.join(str(part) for part in fault['loc'][1:])}: {fault['msg']}" for fault in error.errors()]
        return failure(request, 422, "; ".join(faults) + ".")

    @app.exception_handler(RecursionError)
    async def too_deep(request: Request, error: RecursionError) -> Response:
        return failure(request, 422, "What was sent is nested too deeply.")

    @app.exception_handler(PaintingError)
    async def not_painted(request: Request, error: PaintingError) -> Response:
        return failure(request, 503, "This picture could not be drawn just now.")

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        answer = failure(request, 500)  # what happened is in the log, by the request's number
        for name, value in HEADERS.items():  # this answer is made outside all else that would add them
            answer.headers[name] = value
        return answer


def failure(
    request: Request,
    status: int,
    detail: str = "",
    mend: str = "",
    ways: list[tuple[str, str]] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the page of a failure."""
    title = TITLES.get(status, "That didn’t work")
    answer: Response
    if request.url.path.startswith("/api/"):
        answer = problem(status, detail or f"{title}.")
    elif request.headers.get("accept", "").startswith("application/json"):
        answer = JSONResponse({"error": detail or title} | ({"mend": mend} if mend else {}), status)
    else:
        mend = mend or MENDS.get(status, "").format(now=f"{datetime.now(UTC):%d %b, %H:%M:%S} UTC")
        if status == 403 and (viewer := viewer_of(request)) is not None and viewer.guest:
            ways = [*(ways or []), ("Sign in", f"/sign-in?next={quote(request.url.path)}")]
        if status >= 500 and request.method == "GET":
            ways = [("Try again", str(request.url.replace(scheme="", netloc=""))), *(ways or [])]
        answer = page(
            request, "error.html", status, title=title, number=status, detail=detail, mend=mend, ways=ways or []
        )
    for name, value in (headers or {}).items():
        answer.headers[name] = value
    return answer


KIND = "application/problem+json"
CODES = {kind.status: kind.code for kind in reversed(OfficeError.__subclasses__())}
"""Error code by HTTP status, for refusals without a code of their own: that of the first error declared with it."""
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
