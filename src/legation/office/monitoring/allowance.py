"""How often somebody may do something: counted in this process, over the last minute or hour."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

FEW = 1000  # callers who are looked through only when there are this many, and twice as many as were of late


class Allowance:
    """Each caller may do it ``most`` times within any so many ``seconds``."""

    def __init__(self, most: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.seconds = seconds
        self._now = now
        self._taken: dict[str, deque[float]] = {}
        self._lock = threading.Lock()
        self._enough = FEW

    def take(self, caller: str) -> bool:
        """Count; False, and nothing is counted, where the caller has used it up."""
        with self._lock:
            since = self._now() - self.seconds
            if len(self._taken) >= self._enough:
                self._forget(since)
            times = self._taken.setdefault(caller, deque())
            while times and times[0] <= since:
                times.popleft()
            if len(times) >= self.most:
                return False
            times.append(since + self.seconds)
            return True

    def _forget(self, since: float) -> None:
        """Let go of callers who have not come of late."""
        self._taken = {caller: times for caller, times in self._taken.items() if times and times[-1] > since}
        self._enough = max(FEW, 2 * len(self._taken))
