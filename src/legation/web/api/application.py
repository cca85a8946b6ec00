"""Puts the routes of the API into the site."""

from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from functools import partial

import msgspec
from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.routing import Route as Address

from legation.office.context import Actor, ask_first
from legation.office.errors import LimitExceededError, OfficeError, RateLimitError
from legation.office.office import Office
from legation.office.permissions import Command
from legation.web.api.calling import ROUTES, actor_of, arguments_of, read_arguments, respond
from legation.web.api.describing import describe
from legation.web.serving.bounds import network_of, queue
from legation.web.serving.errors import problem, refusal
from legation.web.serving.forms import read_body, read_upload, submit_files, text
from legation.web.serving.pages import PageError

PREFIX = "/api/v1"
CALLS_A_MINUTE = 1800  # from one network, whoever calls
READS_A_MINUTE = 600  # of one person, or of visitors from one network
WRITES_A_MINUTE = 120
PROOFS_A_MINUTE = 60  # of a whole game, for one person, or visitors from one network
PACKAGES_A_MINUTE = 6  # of one person, read by a child that takes its time; as by the pages
LINKS_A_MINUTE = 10  # to sign in, from one network
LINKS = ("people.ask_link", "people.join", "people.use_link", "people.approve_change", "people.confirm_change")
PROOFS = (
    *("proofs.verify", "proofs.transcript", "proofs.heads", "proofs.standing"),
    *("exports.rebuild", "transfer.whole_game"),
)
"""Questions for which the whole journal of a game is read, and checked."""

Endpoint = Callable[[Request], Awaitable[Response]]


def add_api(app: FastAPI, office: Office) -> None:
    """Add the API of an office to the site."""
    routes = [Address(route.path, _endpoint(office, route), methods=[route.method]) for route in ROUTES]
    routes.append(Address("/variants", _variants, methods=["GET"]))
    app.router.routes.append(Mount(PREFIX, routes=routes))
    app.router.add_route("/openapi.json", _description, methods=["GET"])


def _count(request: Request, kind: str, caller: str, most: int) -> None:
    """Count a call of somebody (RateLimitError: when that is used up)."""
    if not request.app.state.bounds.hit(f"api {kind}", caller, most):
        raise RateLimitError("Too many requests. Wait a minute and try again.")


def _begin(office: Office, route: Command, asks_first: bool, request: Request) -> Actor:
    """Who calls, once they may: asked before anything of the body is read. Calls are counted by network, before
    anything is looked up; then by person, by whatever credential, or a visitor's network."""
    caller = network_of(request)
    _count(request, "network", caller, CALLS_A_MINUTE)
    if route.name in LINKS:
        _count(request, "link", caller, LINKS_A_MINUTE)
    actor = actor_of(office, request)
    if actor.person is not None:
        caller = f"person {actor.person}"
    _count(request, *(("write", caller, WRITES_A_MINUTE) if route.writes else ("read", caller, READS_A_MINUTE)))
    if route.name in PROOFS:
        _count(request, "proof", caller, PROOFS_A_MINUTE)
    if route.call.reads is not None:
        _count(request, "package", caller, PACKAGES_A_MINUTE)
    if asks_first:
        path = request.path_params
        ask_first(office, actor, route.name, path.get("game", ""), path.get("power", ""))
    return actor


def _endpoint(office: Office, route: Command) -> Endpoint:
    wanted, files = arguments_of(route.name), route.call.files
    asks_first = files or (wanted.body is not None and ("{" not in route.path or "{game}" in route.path))
    begin = partial(_begin, office, route, asks_first)

    def call(request: Request, actor: Actor, body: bytes) -> Response:
        return respond(route, request, route.function(office, actor, **read_arguments(route, wanted, request, body)))

    async def take_files(request: Request, actor: Actor) -> Response:
        sent, form = await read_upload(request)
        path, note = request.path_params, text(form, "note")
        with contextmanager(queue)(request):
            receipt = await run_in_threadpool(submit_files, office, actor, path["game"], path["power"], sent, note)
        return respond(route, request, receipt)

    async def endpoint(request: Request) -> Response:
        try:
            actor = await run_in_threadpool(begin, request)
            if files:
                return await take_files(request, actor)
            body = b"" if wanted.body is None else await read_body(request, route.call.largest)
            if body is None:
                raise LimitExceededError(f"A request body has at most {route.call.largest} bytes.")
            return await run_in_threadpool(call, request, actor, body)
        except OfficeError as error:
            return refusal(error)
        except PageError as error:
            answer = problem(error.status_code, f"{error.detail} {error.mend}")
            answer.headers["Retry-After"] = "5"
            return answer

    return endpoint


async def _variants(request: Request) -> Response:
    office: Office = request.app.state.office
    return Response(msgspec.json.encode(office.variants.names()), media_type="application/json")


async def _description(request: Request) -> Response:
    return Response(msgspec.json.encode(describe(PREFIX)), media_type="application/json")
