"""A client for an office's HTTP API: a method for each common call, and :meth:`Client.call` for any other in
``/openapi.json``.

Answers are plain JSON data; ``docs/reference/api.md`` and the API's description name their keys."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx2

PREFIX = "/api/v1"
Json = Any
LOST = (httpx2.ReadError, httpx2.WriteError, httpx2.RemoteProtocolError)
"""Errors of a connection that ended before the answer had come: the office, or a proxy, closes those that rest."""


class Refused(Exception):
    """A call that the office refused: the HTTP ``status``, its ``code``, ``detail`` in words, all ``faults`` with their
    places, and ``suggestions``."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(problem.get("code", ""))
        self.detail = str(problem.get("detail", "")) or f"status {status}"
        self.faults = tuple(problem.get("faults", ()))
        self.suggestions = tuple(problem.get("suggestions", ()))
        detail = self.detail.rstrip(".")
        more = [str(fault) for fault in self.faults if str(fault) != detail]
        super().__init__("; ".join([detail, *more]) if more else self.detail)


class Client:
    """A connection to the office at an address such as ``https://games.example.org``, with a token (none: as a
    visitor). ``transport`` is for tests. Requests time out after 30 seconds.

    A call whose connection ends before the answer comes is repeated once: every call that changes something carries an
    idempotency key, and the office acts once for each key. You can repeat a lost command yourself with its ``key``.

    Every method raises :class:`Refused` if the office refuses the call."""

    def __init__(self, address: str, token: str = "", *, transport: httpx2.BaseTransport | None = None) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._keyed = bool(token)  # visitors have no keys
        self._http = httpx2.Client(
            base_url=address.rstrip("/") + PREFIX, headers=headers, transport=transport, timeout=30
        )

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def call(self, method: str, path: str, body: Json = None, *, key: str = "", **parameters: Any) -> Json:
        """Make a call of the API and return its answer as JSON data. Raises Refused with the office's words, and
        httpx2.TransportError when the office cannot be reached."""
        asked = {name: value for name, value in parameters.items() if value is not None}
        return self._send(method, path, key, json=body, params=asked)

    def _send(self, method: str, path: str, key: str = "", **sent: Any) -> Json:
        headers = {"Idempotency-Key": key or secrets.token_hex(16)} if method != "GET" else {}
        try:
            answer = self._http.request(method, path, headers=headers, **sent)
        except LOST:
            if method != "GET" and not self._keyed:
                raise
            answer = self._http.request(method, path, headers=headers, **sent)
        return _read(answer)

    # Games

    def games(self, **parameters: Any) -> Iterator[Json]:
        """Yield the games that the caller may see, a dict each; parameters as in the API (``mine``, ``state``,
        ``search``)."""
        after = ""
        while page := self.call("GET", "/games", after=after, limit=50, **parameters):
            yield from page
            after = page[-1]["key"]

    def create(self, name: str, variant: str, **plan: Any) -> Json:
        """Create a game and return it as a dict; ``options``, ``settings`` and ``seats`` as in ``docs/office.md``."""
        return self.call("POST", "/games", {"name": name, "variant": variant, **plan})

    def game(self, game: str) -> Json:
        """Return a game, by its key, as the caller may see it now: a dict."""
        return self.call("GET", f"/games/{game}")

    def sign_up(self, game: str, preferences: Sequence[str] = (), invitation: str = "") -> Json:
        """Sign up for a game, with powers in order of preference; ``invitation`` is a code."""
        return self.call(
            "POST", f"/games/{game}/sign-ups", {"preferences": list(preferences), "invitation": invitation}
        )

    def start(self, game: str, bots: str = "") -> Json:
        """Assign the powers and open the first turn; the bot ``bots`` gets seats that are left."""
        return self.call("POST", f"/games/{game}/start", {"bots": bots})

    def turns(self, game: str) -> Json:
        """Return the turns of a game, the first one first: a list of dicts."""
        return self.call("GET", f"/games/{game}/turns")

    def result(self, game: str, turn: str = "last") -> Json:
        """Return the published results of a turn (its number, or ``last``): a dict."""
        return self.call("GET", f"/games/{game}/turns/{turn}/result")

    def position(self, game: str, turn: str = "now") -> Json:
        """Return the position document of a turn (its number, or ``now``); see ``docs/documents.md``."""
        return self.call("GET", f"/games/{game}/turns/{turn}/position")

    def saved_game(self, game: str) -> Json:
        """Return the saved game, as ``legation replay`` reads it."""
        return self.call("GET", f"/games/{game}/export")

    # Orders

    def check(self, game: str, power: str, text: str) -> Json:
        """Check a sheet without sending it; the answer is the checked sheet of ``docs/documents.md``."""
        return self.call("POST", f"/games/{game}/seats/{power}/check", {"text": text})

    def submit(self, game: str, power: str, text: str, *, key: str = "") -> Json:
        """Send a sheet and return its receipt."""
        return self.call("POST", f"/games/{game}/seats/{power}/submissions", {"text": text}, key=key)

    def submit_pictures(self, game: str, power: str, files: Sequence[Path], note: str = "") -> Json:
        """Send photographs or scans of a sheet, with a ``note`` to the coordinator."""
        sent = [("pictures", (file.name, file.read_bytes())) for file in files]
        return self._send("POST", f"/games/{game}/seats/{power}/pictures", files=sent, data={"note": note})

    def ready(self, game: str, power: str) -> Json:
        """Mark a power as ready; return whether the turn ends now."""
        return self.call("PUT", f"/games/{game}/seats/{power}/ready")

    def declare_machine(self, game: str, power: str) -> None:
        """Declare that a program plays a seat: all players are told, and the game's host must have allowed it."""
        self.call("PUT", f"/games/{game}/seats/{power}/machine")

    def letters(self, game: str, after: int = 0) -> Json:
        """Return the letters that the caller may read, a list of dicts; only those numbered above ``after``."""
        return self.call("GET", f"/games/{game}/letters", after=after)

    def write(self, game: str, power: str, to: Sequence[str], text: str, orders: str = "", answers: int = 0) -> Json:
        """Send a letter from ``power`` to other powers. ``orders`` are those that it proposes for the present turn, of
        any powers ("France: A par - bur"); ``answers``: the letter whose proposal is changed by that."""
        letter = {"to": list(to), "text": text, "orders": orders, "answers": answers}
        return self.call("POST", f"/games/{game}/seats/{power}/letters", letter)

    # The coordinator

    def extend(self, game: str, until: datetime, reason: str) -> Json:
        """Move the deadline to a later time (with its time zone), with a reason that the players are told."""
        return self.call("POST", f"/games/{game}/deadlines", {"until": until.isoformat(), "reason": reason})

    def process(self, game: str) -> Json:
        """Process the open turn: its deadline has passed, or everyone is ready."""
        return self.call("POST", f"/games/{game}/process")

    def desk(self, game: str = "") -> Json:
        """Return the open items on the coordinator's desk, of one game or of all: a list of dicts."""
        return self.call("GET", "/desk", game=game)


def _read(answer: httpx2.Response) -> Json:
    if answer.status_code >= 300:  # a call is never led elsewhere: its token would go along
        try:
            problem = answer.json()
        except ValueError:
            problem = {}
        raise Refused(answer.status_code, problem if isinstance(problem, dict) else {})
    return answer.json() if answer.content else None
