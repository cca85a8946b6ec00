"""The keeper on another machine: a small HTTP service over a :class:`Keeper`, asked with a bearer token, with its
own clock, key and log; and the office's way to ask it. Libraries of HTTP are imported where they are used, since most
offices have their keeper in the folder."""

import hmac
import inspect
import ssl
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast, get_type_hints

import msgspec

from legation.formats import decode_json
from legation.office.clock import Clock, RandomSource
from legation.office.errors import ConflictError, KeyNotReleasedError, UnavailableError
from legation.office.keys.keeper import Keeper

SECONDS = 10.0


def remote_keeper(url: str, token: str) -> Keeper:
    """Return a keeper by URL (``http://10.0.0.2:8010``)."""
    return cast("Keeper", _RemoteKeeper(url.rstrip("/"), token))


class _RemoteKeeper:
    """Asks a service whatever a :class:`Keeper` is asked, by the names and types of its methods."""

    remote = True

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.token = token

    def __getattr__(self, verb: str) -> Callable[..., Any]:
        if verb not in VERBS:
            raise AttributeError(verb)
        method = getattr(Keeper, verb)

        def ask(*given: object, **named: object) -> Any:
            _, *asked = inspect.signature(method).bind(self, *given, **named).arguments.items()
            return self._ask(get_type_hints(method)["return"], verb, dict(asked))

        return ask

    def _ask(self, returns: Any, verb: str, asked: dict[str, object]) -> Any:
        import httpx2

        try:
            answer = httpx2.post(
                f"{self.url}/{verb}",
                content=msgspec.json.encode(asked),
                headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
                timeout=SECONDS,
                verify=_trusted(),
            )
        except httpx2.HTTPError as error:
            raise UnavailableError(f"The keeper cannot be reached: {type(error).__name__}.") from error
        if answer.status_code in (403, 409):
            refusal = KeyNotReleasedError if answer.status_code == 403 else ConflictError
            raise refusal(str(answer.json().get("message", "The keeper does not give this key yet.")))
        if answer.status_code == 401:
            raise UnavailableError("The keeper rejected the office's token. Both must be set to the same value.")
        if answer.status_code != 200:
            raise UnavailableError(f"The keeper answered {answer.status_code}.")
        return decode_json(answer.content, type=returns)


@cache
def _trusted() -> ssl.SSLContext:
    import httpx2

    return httpx2.create_ssl_context()


VERBS = frozenset("identity make public move hold takes_early passed close key follow succeeds log".split())


def create_app(folder: Path, token: str, clock: Clock, random_source: RandomSource, *, believes: bool = False) -> Any:
    """The service, as an ASGI application. A turn is closed after its deadline; sooner, when the key of each seat that
    is awaited has signed that it is ready. One that ``believes`` the office takes its word for that: whoever rules the
    office's machine may say so, too. Raises ValueError for a token that is too short to keep anything."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    if len(token) < 20:
        raise ValueError("the keeper's token has at least 20 characters")
    keeper = Keeper(folder, clock, random_source, believes=believes, elsewhere=True)

    async def answer(request: Request) -> JSONResponse:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode(), token.encode()):
            return JSONResponse({"message": "The token is not the keeper's."}, 401)
        if (verb := request.path_params["verb"]) not in VERBS:
            return JSONResponse({"message": "There is no such verb."}, 404)
        try:
            asked, kinds = decode_json(await request.body(), type=dict[str, Any]), get_type_hints(getattr(Keeper, verb))
            told = getattr(keeper, verb)(**{name: msgspec.convert(value, kinds[name]) for name, value in asked.items()})
            return JSONResponse(msgspec.to_builtins(told))
        except (KeyNotReleasedError, ConflictError) as error:
            return JSONResponse({"message": error.message}, error.status)
        except UnavailableError as error:
            return JSONResponse({"message": error.message}, 503)
        except (msgspec.MsgspecError, KeyError, ValueError, TypeError, OverflowError):
            return JSONResponse({"message": "That cannot be read."}, 400)

    async def health(_: Request) -> JSONResponse:
        return JSONResponse({"keeper": "ok"})

    return Starlette(routes=[Route("/health", health), Route("/{verb}", answer, methods=["POST"])])
