"""Turn a request into a command's arguments, and its answer into a response."""

import hashlib
import inspect
import types
import typing
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from legation.formats import decode_json
from legation.office.context import Actor
from legation.office.errors import InvalidInputError
from legation.office.identity import people
from legation.office.office import Office
from legation.office.permissions import Command, commands
from legation.web.serving.answers import disposition
from legation.web.serving.bounds import network_of
from legation.web.serving.forms import refuse_unkept

JSON = "application/json"
LONGEST_KEY = 200
ROUTES = tuple(command for command in commands().values() if command.path)
Number = typing.Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class Arguments(msgspec.Struct, frozen=True):
    """Parameters of a route's command: by name the type and the default (``...`` where it has none).

    ``body`` is the type of the JSON object, None where there is none."""

    path: dict[str, Any]
    query: dict[str, tuple[Any, Any]]
    body: Any
    answer: Any


def parameters_of(command: Command) -> dict[str, tuple[Any, Any]]:
    """Return the parameters of a command by name: the type and the default (``...`` where it has none)."""
    hints = typing.get_type_hints(command.function)
    return {
        name: (_plain(hints[name]), ... if p.default is inspect.Parameter.empty else p.default)
        for name, p in list(inspect.signature(command.function).parameters.items())[1:]
    }


@cache
def arguments_of(name: str) -> Arguments:
    """The arguments of a route by the name of its command, from that one's signature."""
    route = commands()[name]
    hints, given = typing.get_type_hints(route.function), parameters_of(route)
    in_path = {name: given.pop(name)[0] for name in list(given) if f"{{{name}}}" in route.path}
    answer = hints["return"]
    if route.method in ("GET", "DELETE"):
        return Arguments(in_path, given, None, answer)
    if route.call.files:
        return Arguments(in_path, {}, None, answer)
    if route.call.body:
        return Arguments(in_path, {}, bytes if route.call.reads is not None else given[route.call.body][0], answer)
    if not given:
        return Arguments(in_path, {}, None, answer)
    fields = [(n, kind) if default is ... else (n, kind, default) for n, (kind, default) in given.items()]
    title = "".join(part.title() for part in route.name.replace(".", "_").split("_")) + "Body"
    return Arguments(in_path, {}, msgspec.defstruct(title, fields, forbid_unknown_fields=True, kw_only=True), answer)


def _plain(hint: Any) -> Any:
    """Return a type as it comes over the wire: sequences are lists, numbers fit a database, tables are records."""
    if hint is int:
        return Number
    origin = typing.get_origin(hint)
    for part in typing.get_args(hint) if origin is types.UnionType else ():
        if isinstance(part, type) and issubclass(part, msgspec.Struct):
            return part
    if origin is Sequence:
        return types.GenericAlias(list, typing.get_args(hint)[:1])
    return hint


def actor_of(office: Office, request: Request) -> Actor:
    """Return the actor of an API call: the bearer of a token, or a visitor. ``Idempotency-Key`` makes a token's command
    run once; visitors have no keys of their own (SignInNeededError: for a token that is unknown, ended or too old)."""
    kind, _, secret = request.headers.get("authorization", "").strip().partition(" ")
    actor = people.by_secret(office, secret.strip()) if kind.lower() == "bearer" else Actor.visitor(network_of(request))
    key = request.headers.get("idempotency-key", "")
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise InvalidInputError(
            f"An Idempotency-Key has at most {LONGEST_KEY} printable characters.", faults=["Idempotency-Key"]
        )
    actor = actor.by("api")
    return actor.once(key) if key else actor


def read_arguments(route: Command, wanted: Arguments, request: Request, body: bytes) -> dict[str, Any]:
    """The arguments of a call (InvalidInputError: with what is wrong and where)."""
    values: dict[str, Any] = {}
    for name, kind in wanted.path.items():
        values[name] = convert(request.path_params[name], kind, name)
    known = set(wanted.query)
    if unknown := sorted(set(request.query_params) - known):
        mend = f"known are {', '.join(sorted(known))}" if known else "none is known here"
        raise InvalidInputError(
            f"There is no parameter {unknown[0][:60]!r}; {mend}.", faults=[f"{n[:60]}: unknown" for n in unknown]
        )
    for name, (kind, _) in wanted.query.items():
        if name in request.query_params:
            several = typing.get_origin(kind) in (tuple, list)
            given: Any = request.query_params.getlist(name) if several else request.query_params[name]
            values[name] = convert(given, kind, name)
        elif wanted.query[name][1] is ...:  # not reached: no route has such a parameter today
            raise InvalidInputError(f"The parameter {name!r} is missing.", faults=[f"{name}: missing"])
    refuse_unkept(list(values.values()))
    if wanted.body is None:
        return values
    if route.call.reads is not None:
        return {**values, route.call.body: route.call.reads(body)}
    content = _read_body(wanted.body, body)
    refuse_unkept(content)
    if route.call.body:
        return {**values, route.call.body: content}
    return {**values, **{name: getattr(content, name) for name in content.__struct_fields__}}


def convert(value: Any, kind: Any, name: str) -> Any:
    """Make what a command takes of text or of JSON data (InvalidInputError: for what it does not take)."""
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidInputError(f"{name}: {error}.", faults=[f"{name}: {error}"]) from None


def _read_body(kind: Any, body: bytes) -> Any:
    try:
        return decode_json(body or b"{}", type=kind)
    except msgspec.ValidationError as error:
        raise InvalidInputError(f"The body cannot be used: {error}.", faults=[str(error)]) from None
    except msgspec.DecodeError as error:
        raise InvalidInputError(f"The body isn't JSON: {error}.", faults=[str(error)]) from None


def respond(route: Command, request: Request, answer: Any) -> Response:
    """Return the answer of a command as a response: with an ETag if nothing was changed, a list with a link to more."""
    if isinstance(answer, tuple) and len(answer) == 3 and isinstance(answer[2], bytes):
        return _file(route, *answer)
    if answer is None:
        return Response(status_code=204)
    content = msgspec.json.encode(answer)
    headers: dict[str, str] = {"Cache-Control": "private, no-cache"}
    if route.call.pages and answer:
        limit = request.query_params.get("limit")
        last = getattr(answer[-1], route.call.pages)
        if limit is not None and limit.isdecimal() and len(answer) == int(limit):
            headers["Link"] = f'<{request.url.include_query_params(after=last)}>; rel="next"'
    if route.writes:
        return Response(content, 201 if route.call.creates else 200, headers, JSON)
    headers["ETag"] = tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, 200, headers, JSON)


def _file(route: Command, name: str, kind: str, content: bytes) -> Response:
    """A file of the kind that the route gives; a picture is shown by browsers as a picture and as nothing else."""
    headers = {"Content-Disposition": "inline", "Cache-Control": "private, no-store"}
    if kind == route.call.media:
        headers["Content-Disposition"] = disposition(name)
        return Response(content, 200, headers, kind)
    return Response(content, 200, headers, kind if kind.startswith("image/") else "application/octet-stream")
