"""Rate limits: for all pages together, and for what is expensive (sign-in links, demo seats, adjudication, uploads)."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

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

    def enter(self, most: Mapping[str, int]) -> bool:
        """Count a request that begins, under each of these kinds; return False, and count nothing, while as many of any
        kind run as may."""
        with self._lock:
            if any(self._running[kind] >= number for kind, number in most.items()):
                return False
            self._running.update(most.keys())
            return True

    def leave(self, kinds: Iterable[str]) -> None:
        """Count one that has ended."""
        with self._lock:
            self._running.subtract(kinds)
            self._running = +self._running

    def hit(self, what: str, caller: str, a_minute: int) -> bool:
        """Count one use; False when the limit is reached."""
        if what not in self._allowances:
            self._allowances.setdefault(what, self._make(what, a_minute, 60))
        return self._allowances[what].take(caller)


MOST_AT_ONCE = 2
"""Uploads of one network that are read, or wait for it: one child process reads those of everybody."""
MOST_TOGETHER = 24
"""Requests that wait for child processes, of everybody: each has one of the 40 threads that answer pages."""
PICTURES_A_MINUTE, SEARCHES_A_MINUTE = 120, 12
"""Of one network: each takes a second or two. Papers count as pictures."""
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


def at_once(what: str, of_one: int, a_minute: int = 0) -> Callable[[Request], Iterator[None]]:
    """Return a dependency of requests that wait for a child process (PageError: 429 for more): at most ``of_one`` of a
    network at once and ``a_minute`` (0: any number), and MOST_TOGETHER of everybody, so that other pages are answered
    meanwhile."""

    def wait(request: Request) -> Iterator[None]:
        if a_minute:
            bound(request, what, a_minute)
        bounds: Bounds = request.app.state.bounds
        most = {f"{what} {network_of(request)}": of_one, "everything": MOST_TOGETHER}
        if not request.app.state.settings.bounded:
            yield
        elif not bounds.enter(most):
            raise PageError(429, "Too many such requests at once.", mend="Try again in a moment.")
        else:
            try:
                yield
            finally:
                bounds.leave(most)

    return wait


queue = at_once("uploads", MOST_AT_ONCE)
growing = at_once("boards", 2 * MOST_AT_ONCE)
drawing = at_once("pictures", MOST_TOGETHER // 2)
"""For pictures of the opening: a page shows one of each variant."""
painting = at_once("papers", 2 * MOST_AT_ONCE, PICTURES_A_MINUTE)
searching = at_once("searches", MOST_AT_ONCE, SEARCHES_A_MINUTE)
