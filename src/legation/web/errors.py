"""Pages for what went wrong: what happened, why, and what one can do."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response

from legation.office.errors import OfficeError
from legation.web.api.problems import problem
from legation.web.headers import HEADERS
from legation.web.pages import page

log = logging.getLogger("legation.web")

TITLES: Mapping[int, str] = {
    400: "This could not be read",
    401: "Please sign in first",
    403: "This is not open to you",
    404: "There is nothing at this address",
    405: "This address does not take that",
    409: "Something changed in the meantime",
    410: "This is not here any more",
    413: "This is too large",
    422: "This is not complete",
    429: "That was too often",
    500: "Something failed here",
    503: "The office is closed for the moment",
}
MENDS: Mapping[int, str] = {
    404: "Perhaps the address was cut short on its way to you.",
    405: "Go back and use the buttons of the page.",
    409: "Open the page again to see how things stand now, then decide anew. What you wrote was not taken.",
    500: "Nothing was half done. Try again in a while; if it fails again, tell whoever runs this office. It stands in "
    "the log at {now}.",
    503: "Nothing is lost. Please try again in a few minutes.",
}


def add_errors(app: FastAPI) -> None:
    """Let every failure be told as a page, or as a problem below ``/api/``."""

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        known = error.detail if error.detail not in _PHRASES else ""
        return failure(
            request, error.status_code, known, getattr(error, "mend", ""), getattr(error, "ways", []), error.headers
        )

    @app.exception_handler(OfficeError)
    async def not_done(request: Request, error: OfficeError) -> Response:
        return failure(request, error.status, error.message)

    @app.exception_handler(RequestValidationError)
    async def not_valid(request: Request, error: RequestValidationError) -> Response:
        faults = [f"{'.'.join(str(part) for part in fault['loc'][1:])}: {fault['msg']}" for fault in error.errors()]
        return failure(request, 422, "; ".join(faults) + ".")

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        answer = failure(request, 500)
        for name, value in HEADERS.items():  # this answer is made outside all else that would add them
            answer.headers[name] = value
        return answer


_PHRASES = frozenset(
    ["Not Found", "Method Not Allowed", "Forbidden", "Unauthorized", "Internal Server Error", "Service Unavailable"]
)


def failure(
    request: Request,
    status: int,
    detail: str = "",
    mend: str = "",
    ways: list[tuple[str, str]] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The page of a failure."""
    title = TITLES.get(status, "This did not work")
    answer: Response
    if request.url.path.startswith("/api/"):
        answer = problem(status, HTTPStatus(status).phrase.lower(), detail or f"{title}.")
    elif request.headers.get("accept", "").startswith("application/json"):
        answer = JSONResponse({"error": detail or title}, status)
    else:
        mend = mend or MENDS.get(status, "").format(now=f"{datetime.now(UTC):%d %b, %H:%M:%S} UTC")
        if status >= 500 and request.method == "GET":
            ways = [("Try again", str(request.url.replace(scheme="", netloc=""))), *(ways or [])]
        answer = page(
            request, "error.html", status, title=title, number=status, detail=detail, mend=mend, ways=ways or []
        )
    for name, value in (headers or {}).items():
        answer.headers[name] = value
    return answer
