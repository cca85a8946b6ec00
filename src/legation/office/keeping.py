"""The keeper on another machine: a small HTTP service over a :class:`FolderKeeper`, and the office's way to ask it.

The service is asked with a bearer token. It gives a private key only when the deadline that it was told has passed by
its own clock; of every key that it gives, and of every time it is told that all are ready, it keeps a line in
``keeper.log`` beside the keys.
"""

from __future__ import annotations

import hmac
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from legation.office.clock import Chance, Clock, micros, moment
from legation.office.errors import Busy, Sealed
from legation.office.keeper import NAME, FolderKeeper

SECONDS = 10.0


class RemoteKeeper:
    """A keeper by URL (``http://10.0.0.2:8010``)."""

    remote = True

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/")
        self.token = token

    def make(self, name: str, not_before: datetime | None, early: bool = True) -> bytes:
        request = {"not_before": micros(not_before) if not_before else None, "early": early}
        return bytes.fromhex(self._ask("make", name, request)["public"])

    def move(self, name: str, not_before: datetime) -> None:
        self._ask("move", name, {"not_before": micros(not_before)})

    def release(self, name: str, why: str) -> None:
        self._ask("release", name, {"why": why})

    def key(self, name: str) -> bytes:
        return bytes.fromhex(self._ask("key", name, {})["private"])

    def own(self, name: str) -> bytes | None:
        return None

    def _ask(self, verb: str, name: str, request: dict[str, Any]) -> dict[str, Any]:
        import httpx2

        try:
            answer = httpx2.post(
                f"{self.url}/{name}/{verb}",
                content=msgspec.json.encode(request),
                headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
                timeout=SECONDS,
            )
        except httpx2.HTTPError as error:
            raise Busy(f"The keeper cannot be reached: {type(error).__name__}.") from error
        if answer.status_code == 403:
            raise Sealed(str(answer.json().get("message", "The keeper does not give this key yet.")))
        if answer.status_code != 200:
            raise Busy(f"The keeper answered {answer.status_code}.")
        contents: dict[str, Any] = answer.json()
        return contents


def create_app(folder: Path, token: str, clock: Clock, chance: Chance, *, believes: bool = False) -> Any:
    """The service, as an ASGI application. The key of a turn is given at its deadline; sooner, when the office says
    that all are ready, only by a keeper that ``believes`` it: whoever rules the office's machine may say so, too.

    :raises ValueError: for a token that is too short to keep anything.
    """
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    if len(token) < 20:
        raise ValueError("the keeper's token has at least 20 characters")
    keeper = FolderKeeper(folder, clock, chance)

    def note(what: str, name: str, why: str = "") -> None:
        with (folder / "keeper.log").open("a", encoding="utf-8") as log:
            log.write(f"{clock.now().isoformat()} {what} {name} {why}".rstrip() + "\n")

    def done(verb: str, name: str, request: dict[str, Any]) -> dict[str, Any]:
        at = request.get("not_before")
        if verb == "make":
            return {
                "public": keeper.make(
                    name, moment(at) if at is not None else None, bool(request.get("early", True))
                ).hex()
            }
        if verb == "move":
            keeper.move(name, moment(int(at or 0)))
        elif verb == "release":
            why = " ".join(str(request.get("why", "")).split())[:200]
            if not believes and keeper.has_deadline(name):
                note("refused", name, why)
                raise Sealed("This keeper gives keys at the deadline, whoever says that all are ready.")
            keeper.release(name, why)
            note("released", name, why)
        elif verb == "key":
            private = keeper.key(name).hex()
            note("gave", name)
            return {"private": private}
        return {}

    async def answer(request: Request) -> JSONResponse:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode(), token.encode()):
            return JSONResponse({"message": "The token is not the keeper's."}, 401)
        name, verb = request.path_params["name"], request.path_params["verb"]
        if not NAME.fullmatch(name) or verb not in ("make", "move", "release", "key"):
            return JSONResponse({"message": "There is no such key or verb."}, 404)
        try:
            asked = msgspec.json.decode(await request.body() or b"{}", type=dict[str, Any])
            return JSONResponse(done(verb, name, asked))
        except Sealed as error:
            return JSONResponse({"message": error.message}, 403)
        except Busy as error:
            return JSONResponse({"message": error.message}, 503)
        except (msgspec.MsgspecError, ValueError, TypeError, OverflowError):
            return JSONResponse({"message": "That cannot be read."}, 400)

    async def health(_: Request) -> JSONResponse:
        return JSONResponse({"keeper": "ok"})

    return Starlette(routes=[Route("/health", health), Route("/{name}/{verb}", answer, methods=["POST"])])
