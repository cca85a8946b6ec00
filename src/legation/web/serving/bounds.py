"""Rate limits for what is expensive: sign-in links, demo seats, adjudication, uploads."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import Request

from legation.office.monitoring.allowance import Allowance, network
from legation.web.serving.pages import PageError


def network_of(request: Request) -> str:
    """The network that a request comes from."""
    return network(request.client.host if request.client else "")


class Bounds:
    """The rate limits of one site; ``allowance`` makes one, for what, how often and in how many seconds."""

    def __init__(self, allowance: Callable[[str, int, float], Allowance] | None = None) -> None:
        self._make = allowance or (lambda _, most, seconds: Allowance(most, seconds))
        self._allowances: dict[str, Allowance] = {}

    def hit(self, what: str, caller: str, a_minute: int) -> bool:
        """Count one use; False when the limit is reached."""
        if what not in self._allowances:
            self._allowances.setdefault(what, self._make(what, a_minute, 60))
        return self._allowances[what].take(caller)


def bound(request: Request, what: str, a_minute: int) -> None:
    """Refuse a request over its rate limit.

    :raises PageError: 429 when that is used up.
    """
    caller = network_of(request)
    if request.app.state.settings.bounded and not request.app.state.bounds.hit(what, caller, a_minute):
        raise PageError(429, "Too many requests.", mend="Wait a minute and try again.")
