"""Rate limits: counted over the last minute or hour, in this process or in all of an office."""

import threading
import time
from collections import deque
from collections.abc import Callable

import structlog

from legation.office.errors import OfficeError
from legation.office.monitoring.logs import told_of
from legation.office.store.shared_values import Shared

log = structlog.get_logger("legation.office")

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
            if len(self._taken) >= self._enough:  # those who have not come of late are forgotten
                self._taken = {who: times for who, times in self._taken.items() if times and times[-1] > since}
                self._enough = max(FEW, 2 * len(self._taken))
            times = self._taken.setdefault(caller, deque())
            while times and times[0] <= since:
                times.popleft()
            if len(times) >= self.most:
                return False
            times.append(since + self.seconds)
            return True


class SharedAllowance(Allowance):
    """The same for all processes together; each tells the others of every twentieth part of it."""

    def __init__(
        self, shared: Shared, what: str, most: int, seconds: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(most, seconds, now)
        self.what = what
        self.step = max(1, most // 20)
        self._shared = shared
        self._untold: dict[str, int] = {}

    def take(self, caller: str) -> bool:
        if not super().take(caller):
            return False
        with self._lock:
            untold = self._untold.pop(caller, 0) + 1
            if untold < self.step:
                if len(self._untold) >= FEW:
                    self._untold.clear()
                self._untold[caller] = untold
                return True
        try:
            there = self._shared.take(f"{self.what} {caller}", untold, self.most, self.seconds)
        except OfficeError as error:  # what the caller wants will say so, if it needs the database
            log.warning("counts are not shared", **told_of(error))
            return True
        if not there:
            with self._lock:
                self._untold[caller] = self.step - 1  # the next call asks again
        return there
