"""Puts the routes of the API into the site."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache

import msgspec
from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.routing import Route as Address

from legation.office import Office
from legation.office.allowance import Allowance
from legation.office.errors import OfficeError
from legation.web.api.calling import actor_of, arguments_of, read_arguments, respond
from legation.web.api.describing import describe
from legation.web.api.problems import problem, refusal
from legation.web.api.routes import ROUTES, Route
from legation.web.api.uploads import read_upload, submit_files

PREFIX = "/api/v1"
READS_A_MINUTE = 600  # of one caller
WRITES_A_MINUTE = 120
LINKS_A_MINUTE = 10  # to sign in, from one address

Endpoint = Callable[[Request], Awaitable[Response]]


def add_api(app: FastAPI, office: Office) -> None:
    """Add the API of an office to the site."""
    limiter = Limiter()
    routes = [Address(r.path, _endpoint(office, limiter, r), methods=[r.method]) for r in ROUTES]
    routes.append(Address("/games/{game}/seats/{power}/pictures", _pictures(office, limiter), methods=["POST"]))
    routes.append(Address("/variants", _variants, methods=["GET"]))
    app.router.routes.append(Mount(PREFIX, routes=routes))
    app.router.add_route("/openapi.json", _description, methods=["GET"])


class Limiter:
    """How often one caller may call: by token, or by address where there is none."""

    def __init__(self) -> None:
        self._allowances = {
            kind: Allowance(most, 60)
            for kind, most in (("read", READS_A_MINUTE), ("write", WRITES_A_MINUTE), ("link", LINKS_A_MINUTE))
        }

    def refuses(self, request: Request, route: Route | None) -> Response | None:
        """A refusal for who calls too often; None for all others."""
        caller = request.headers.get("authorization", "") or (request.client.host if request.client else "")
        kind = "write" if route is None or route.writes else "read"
        if route is not None and route.name in ("people.ask_link", "people.register", "people.use_link"):
            kind, caller = "link", request.client.host if request.client else ""
        if self._allowances[kind].take(caller):
            return None
        return problem(429, "too often", "That was too often; wait a minute.", Retry_After="60")


def _endpoint(office: Office, limiter: Limiter, route: Route) -> Endpoint:
    wanted = arguments_of(route)
    command = route.function

    async def endpoint(request: Request) -> Response:
        if refused := limiter.refuses(request, route):
            return refused
        body = b"" if wanted.body is None else await request.body()
        if len(body) > route.largest:
            return problem(413, "too much", f"A body has at most {route.largest} bytes.")

        def call() -> Response:
            actor = actor_of(office, request)
            return respond(route, request, command(office, actor, **read_arguments(route, wanted, request, body)))

        try:
            return await run_in_threadpool(call)
        except OfficeError as error:
            return refusal(error)

    return endpoint


def _pictures(office: Office, limiter: Limiter) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        if refused := limiter.refuses(request, None):
            return refused
        try:
            files, note = await read_upload(request)
            game, power = request.path_params["game"], request.path_params["power"]
            actor = await run_in_threadpool(actor_of, office, request)
            receipt = await run_in_threadpool(submit_files, office, actor, game, power, files, note, "api")
        except OfficeError as error:
            return refusal(error)
        return Response(msgspec.json.encode(receipt), 201, media_type="application/json")

    return endpoint


async def _variants(request: Request) -> Response:
    """The names of the variants."""
    office: Office = request.app.state.office
    return Response(msgspec.json.encode(office.variants.names()), media_type="application/json")


async def _description(request: Request) -> Response:
    return Response(_described(), media_type="application/json")


@cache
def _described() -> bytes:
    return msgspec.json.encode(describe(PREFIX))
