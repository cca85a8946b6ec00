"""The keeper on another machine: a small HTTP service over a :class:`FolderKeeper`, asked with a bearer token, with its
own clock, key and log; and the office's way to ask it. Libraries of HTTP are imported where they are used, since most
offices have their keeper in the folder."""

from __future__ import annotations

import hmac
import ssl
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from legation.formats import decode_json
from legation.office.clock import Clock, RandomSource, micros, moment
from legation.office.errors import ConflictError, KeyNotReleasedError, UnavailableError
from legation.office.keys.keeper import NAME, FolderKeeper
from legation.office.keys.notices import GivenKey, Keeper, KeyRequest, LogLine, Notice, Opened, SaidReady, Witness

SECONDS = 10.0
Asked = dict[str, Any]
"""What the service is asked, as it came."""


class RemoteKeeper(Keeper):
    """A keeper by URL (``http://10.0.0.2:8010``)."""

    remote = True

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/")
        self.token = token

    def identity(self) -> str:
        return str(self._ask("identity", "keeper", {})["public"])

    def make(self, name: str, request: KeyRequest) -> Opened:
        return msgspec.convert(self._ask("make", name, msgspec.to_builtins(request)), Opened)

    def public(self, name: str) -> str:
        return str(self._ask("public", name, {})["public"])

    def move(self, name: str, not_before: datetime) -> str:
        return str(self._ask("move", name, {"not_before": micros(not_before)})["signature"])

    def hold(self, name: str, why: str, *, stops: bool = True) -> str:
        return str(self._ask("hold", name, {"why": why, "stops": stops})["signature"])

    def takes_early(self, name: str, ready: Sequence[SaidReady] = ()) -> bool:
        return bool(self._ask("early", name, {"ready": msgspec.to_builtins(ready)})["early"])

    def passed(self, name: str) -> bool:
        return bool(self._ask("passed", name, {})["passed"])

    def close(self, notice: Notice, signature: str, ready: Sequence[SaidReady] = ()) -> Witness:
        request = {"notice": msgspec.to_builtins(notice), "signature": signature, "ready": msgspec.to_builtins(ready)}
        return msgspec.convert(self._ask("close", notice.name, request), Witness)

    def key(self, name: str) -> GivenKey:
        given = self._ask("key", name, {})
        return GivenKey(bytes.fromhex(given["private"]), str(given["part"]))

    def follow(self, game: str, line: int, keeper: str, office: str) -> str:
        return str(self._ask("follow", game, {"line": line, "keeper": keeper, "office": office})["signature"])

    def succeeds(self, game: str, line: int, before: str) -> str:
        return str(self._ask("succeeds", game, {"line": line, "before": before})["signature"])

    def log(self, name: str) -> list[LogLine]:
        return msgspec.convert(self._ask("log", name, {})["lines"], list[LogLine])

    def _ask(self, verb: str, name: str, request: dict[str, Any]) -> dict[str, Any]:
        import httpx2

        try:
            answer = httpx2.post(
                f"{self.url}/{name}/{verb}",
                content=msgspec.json.encode(request),
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
        contents: dict[str, Any] = answer.json()
        return contents


@cache
def _trusted() -> ssl.SSLContext:
    import httpx2

    return httpx2.create_ssl_context()


def _words(asked: Asked) -> list[SaidReady]:
    return msgspec.convert(asked.get("ready", []), list[SaidReady])


def _close(keeper: FolderKeeper, name: str, asked: Asked) -> object:
    notice = msgspec.convert(asked.get("notice"), Notice)
    if notice.name != name:
        raise ValueError("the notice is about another turn")
    return keeper.close(notice, str(asked.get("signature", "")), _words(asked))


def _key(keeper: FolderKeeper, name: str, asked: Asked) -> object:
    given = keeper.key(name)
    return {"private": given.private.hex(), "part": given.part}


def _hold(keeper: FolderKeeper, name: str, asked: Asked) -> object:
    why = " ".join(str(asked.get("why", "")).split())[:200]
    return {"signature": keeper.hold(name, why, stops=asked.get("stops") is True)}


def _follow(keeper: FolderKeeper, name: str, asked: Asked) -> object:
    told = (str(asked.get(what, "")) for what in ("keeper", "office"))
    return {"signature": keeper.follow(name, int(asked.get("line", 0)), *told)}


VERBS: dict[str, Callable[[FolderKeeper, str, Asked], object]] = {
    "identity": lambda keeper, name, asked: {"public": keeper.identity()},
    "make": lambda keeper, name, asked: keeper.make(name, msgspec.convert(asked, KeyRequest)),
    "public": lambda keeper, name, asked: {"public": keeper.public(name)},
    "move": lambda keeper, name, asked: {"signature": keeper.move(name, moment(int(asked.get("not_before") or 0)))},
    "hold": _hold,
    "early": lambda keeper, name, asked: {"early": keeper.takes_early(name, _words(asked))},
    "passed": lambda keeper, name, asked: {"passed": keeper.passed(name)},
    "close": _close,
    "key": _key,
    "follow": _follow,
    "succeeds": lambda keeper, name, asked: {
        "signature": keeper.succeeds(name, int(asked.get("line", 0)), str(asked.get("before", "")))
    },
    "log": lambda keeper, name, asked: {"lines": keeper.log(name)},
}
"""What the service is asked about a key, or a game, by this name: it answers with what the keeper says, as JSON."""


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
    keeper = FolderKeeper(folder, clock, random_source, believes=believes, elsewhere=True)

    async def answer(request: Request) -> JSONResponse:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode(), token.encode()):
            return JSONResponse({"message": "The token is not the keeper's."}, 401)
        name, verb = request.path_params["name"], request.path_params["verb"]
        if not NAME.fullmatch(name) or verb not in VERBS:
            return JSONResponse({"message": "There is no such key or verb."}, 404)
        try:
            asked = decode_json(await request.body() or b"{}", type=dict[str, Any])
            return JSONResponse(msgspec.to_builtins(VERBS[verb](keeper, name, asked)))
        except (KeyNotReleasedError, ConflictError) as error:
            return JSONResponse({"message": error.message}, error.status)
        except UnavailableError as error:
            return JSONResponse({"message": error.message}, 503)
        except (msgspec.MsgspecError, ValueError, TypeError, OverflowError):
            return JSONResponse({"message": "That cannot be read."}, 400)

    async def health(_: Request) -> JSONResponse:
        return JSONResponse({"keeper": "ok"})

    return Starlette(routes=[Route("/health", health), Route("/{name}/{verb}", answer, methods=["POST"])])
