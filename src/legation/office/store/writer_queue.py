"""The writers of one process, one after the other in the order in which they come.

SQLite lets one write at a time, and has all others look again after a while: whoever comes back at once, as a worker
does while many turns are due, would be before them again and again.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Iterator

from legation.office.errors import UnavailableError


class Writers:
    """Queue of the threads that want to write."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        """Seconds after which a thread gives up."""
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._busy = False

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until all who came before have written, and let nobody else of this process write meanwhile. Raises
        UnavailableError when that takes too long."""
        self._wait()
        try:
            yield
        finally:
            self._go_on()

    def _wait(self) -> None:
        with self._lock:
            if not self._busy:
                self._busy = True
                return
            called = threading.Event()
            self._waiting.append(called)
        try:
            if called.wait(self.patience):
                return
        except BaseException:  # interrupted, perhaps when it was its turn
            if not self._leave(called):
                self._go_on()
            raise
        if self._leave(called):
            raise UnavailableError("The office's records are busy right now. Try again in a minute.")

    def _leave(self, called: threading.Event) -> bool:
        with self._lock:
            if called.is_set():
                return False
            self._waiting.remove(called)
            return True

    def _go_on(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._busy = False
