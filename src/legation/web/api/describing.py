"""The description of the API (OpenAPI 3.1), made from the routes and the signatures of the commands."""

import inspect
import re
from functools import cache
from typing import Any

import msgspec

from legation.office.permissions import Command
from legation.version import VERSION
from legation.web.api.calling import ROUTES, Arguments, arguments_of
from legation.web.serving.errors import ProblemDetails

REF = "#/components/schemas/{name}"


@cache
def describe(prefix: str) -> dict[str, Any]:
    """The OpenAPI document of all routes."""
    known = [(route, arguments_of(route.name)) for route in ROUTES]
    kinds: list[Any] = [ProblemDetails]
    for _, wanted in known:
        kinds += [wanted.answer, *([wanted.body] if wanted.body is not None else [])]
        kinds += [*wanted.path.values(), *(kind for kind, _ in wanted.query.values())]
    schemas, components = msgspec.json.schema_components([_shown(kind) for kind in kinds], ref_template=REF)
    by_kind = {repr(_shown(kind)): schema for kind, schema in zip(kinds, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for route, wanted in known:
        paths.setdefault(prefix + route.path, {})[route.method.lower()] = _operation(route, wanted, by_kind)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Legation",
            "version": VERSION,
            "description": "The office of the game master. Tokens are made on 'My page'; send one as "
            "'Authorization: Bearer ...'. Every command "
            "takes an Idempotency-Key, and is then carried out once for that key. Refusals are "
            "application/problem+json.",
        },
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}, {}],
    }


def _shown(kind: Any) -> Any:
    """A type as it is described: bytes and files are described by hand."""
    if kind is type(None) or kind is None:
        return None
    return Any if "bytes" in repr(kind) else kind


def _operation(route: Command, wanted: Arguments, schemas: dict[str, Any]) -> dict[str, Any]:
    doc = inspect.getdoc(route.function) or ""
    summary, _, rest = doc.partition("\n\n")
    scope = route.scope
    roles = ", ".join(role for role in route.roles if role != "console")
    operation: dict[str, Any] = {
        "operationId": route.name.replace(".", "_"),
        "tags": [route.subject],
        "summary": _flat(summary),
        "description": f"{_flat(rest)}\n\nFor: {roles}. Scope: {scope}.".strip(),
        "parameters": [_parameter(n, "path", schemas[repr(_shown(k))], required=True) for n, k in wanted.path.items()],
        "responses": _responses(route, wanted, schemas),
    }
    for name, (kind, default) in wanted.query.items():
        parameter = _parameter(name, "query", schemas[repr(_shown(kind))], required=default is ...)
        operation["parameters"].append(parameter)
    if route.writes:
        operation["parameters"].append(_parameter("Idempotency-Key", "header", {"type": "string", "maxLength": 200}))
    if route.call.files:
        operation["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": FILES}}}
    elif route.call.reads is not None:
        operation["requestBody"] = {"required": True, "content": {"application/octet-stream": {"schema": BINARY}}}
    elif wanted.body is not None:
        content = {"application/json": {"schema": schemas[repr(_shown(wanted.body))]}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _flat(text: str) -> str:
    plain = re.sub(r":raises (\w+): ?", r"Refused (\1): ", text)
    return " ".join(plain.replace("``", "'").split())


def _parameter(name: str, place: str, schema: dict[str, Any], *, required: bool = False) -> dict[str, Any]:
    return {"name": name, "in": place, "required": required, "schema": schema}


def _responses(route: Command, wanted: Arguments, schemas: dict[str, Any]) -> dict[str, Any]:
    refused = {"description": "Refused.", "content": {"application/problem+json": {"schema": REF_PROBLEM}}}
    if wanted.answer is None or wanted.answer is type(None):
        done: dict[str, Any] = {"204": {"description": "Done."}}
    elif "bytes" in repr(wanted.answer):
        done = {"200": {"description": "A file.", "content": {route.call.media: {"schema": BINARY}}}}
    else:
        status = "201" if route.call.creates else "200"
        content = {"application/json": {"schema": schemas[repr(_shown(wanted.answer))]}}
        done = {status: {"description": "Done.", "content": content}}
    return {**done, "4XX": refused, "503": refused}


BINARY = {"type": "string", "format": "binary"}
FILES = {
    "type": "object",
    "required": ["pictures"],
    "properties": {"pictures": {"type": "array", "items": BINARY}, "note": {"type": "string"}},
}
REF_PROBLEM = {"$ref": REF.format(name=ProblemDetails.__name__)}
