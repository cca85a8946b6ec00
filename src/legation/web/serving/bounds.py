"""Rate limits: for all pages together, and for what is expensive (sign-in links, demo seats, adjudication, uploads)."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator

from fastapi import Request

from legation.networks import network
from legation.office.monitoring.rate_limits import Allowance
from legation.web.serving.pages import PageError


def network_of(request: Request) -> str:
    """The network that a request comes from."""
    return network(request.client.host if request.client else "")


class Bounds:
    """The rate limits of one site; ``allowance`` makes one, for what, how often and in how many seconds."""

    def __init__(self, allowance: Callable[[str, int, float], Allowance] | None = None) -> None:
        self._make = allowance or (lambda _, most, seconds: Allowance(most, seconds))
        self._allowances: dict[str, Allowance] = {}
        self._running = Counter[str]()
        self._lock = threading.Lock()

    def enter(self, caller: str, most: int) -> bool:
        """Count one that begins; False, and it must not begin, while so many of the caller run."""
        with self._lock:
            if self._running[caller] >= most:
                return False
            self._running[caller] += 1
            return True

    def leave(self, caller: str) -> None:
        """Count one that has ended."""
        with self._lock:
            self._running[caller] -= 1
            if not self._running[caller]:
                del self._running[caller]

    def hit(self, what: str, caller: str, a_minute: int) -> bool:
        """Count one use; False when the limit is reached."""
        if what not in self._allowances:
            self._allowances.setdefault(what, self._make(what, a_minute, 60))
        return self._allowances[what].take(caller)


MOST_AT_ONCE = 2
"""Uploads of one network that are read, or wait for it: one child process reads those of everybody."""
PAGES_A_MINUTE = 1800
"""Of one network, whoever asks: as many as calls of the interface."""
JOURNALS_A_MINUTE = 60
"""From one network: requests for which the whole journal of a game is read."""


def count_page(request: Request) -> None:
    """Refuse a page to a network that asks for too many (PageError: 429 when that is used up)."""
    bound(request, "pages", PAGES_A_MINUTE)


def count_journal(request: Request) -> None:
    """Refuse requests that read a whole journal to a network that sends too many (PageError: 429)."""
    bound(request, "journals", JOURNALS_A_MINUTE)


def bound(request: Request, what: str, a_minute: int) -> None:
    """Refuse a request over its rate limit (PageError: 429 when that is used up)."""
    caller = network_of(request)
    if request.app.state.settings.bounded and not request.app.state.bounds.hit(what, caller, a_minute):
        raise PageError(429, "Too many requests.", mend="Wait a minute and try again.")


def queue(request: Request) -> Iterator[None]:
    """Let a network have few uploads read, or boards played, at once (PageError: 429 for more)."""
    bounds: Bounds = request.app.state.bounds
    caller = network_of(request)
    if not request.app.state.settings.bounded:
        yield
    elif not bounds.enter(caller, MOST_AT_ONCE):
        raise PageError(429, "Other files from your network are being looked at.", mend="Try again in a moment.")
    else:
        try:
            yield
        finally:
            bounds.leave(caller)
