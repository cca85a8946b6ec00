"""Threads that live as long as their program: whatever happens in one, it goes on after a pause, and when it last did
its work is a figure that ``/health`` tells."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import msgspec
import structlog

from legation.office.monitoring.logs import told_of

PAUSES = (1.0, 2.0, 5.0, 10.0, 30.0)  # seconds after the first, second, ... failure in a row
log = structlog.get_logger("legation.office")

Beat = Callable[[], None]
Run = Callable[[Beat], None]


class Pulse(msgspec.Struct, frozen=True):
    """State of a thread: the seconds since it last did its work (or began), the failures since, all of them, and the
    kind of the last error."""

    name: str
    seconds: float
    failures: int
    all_failures: int
    error: str


class Pulses:
    """The threads of one program, by name."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._last: dict[str, float] = {}
        self._failures: dict[str, int] = {}
        self._all: dict[str, int] = {}
        self._errors: dict[str, str] = {}

    def beat(self, name: str) -> None:
        """Note that a thread has done its work."""
        with self._lock:
            self._last[name] = self._now()
            self._failures[name] = 0
            self._errors.pop(name, None)

    def failed(self, name: str, error: str) -> int:
        """Note that it failed; the answer is how often since it last did its work."""
        with self._lock:
            self._failures[name] = self._failures.get(name, 0) + 1
            self._all[name] = self._all.get(name, 0) + 1
            self._errors[name] = error
            return self._failures[name]

    def begun(self, name: str) -> None:
        """Note that a thread began."""
        with self._lock:
            self._last[name] = self._now()

    def ended(self, name: str) -> None:
        """Forget a thread that was told to stop."""
        with self._lock:
            self._last.pop(name, None)
            self._failures.pop(name, None)
            self._all.pop(name, None)
            self._errors.pop(name, None)

    def all(self) -> tuple[Pulse, ...]:
        """Return how each thread does, by name."""
        with self._lock:
            return tuple(
                Pulse(
                    name,
                    self._now() - last,
                    self._failures.get(name, 0),
                    self._all.get(name, 0),
                    self._errors.get(name, ""),
                )
                for name, last in sorted(self._last.items())
            )


def keep_running(pulses: Pulses, name: str, run: Run, stop: threading.Event) -> None:
    """Run something that goes on until told to stop, again and again should it fail; it is given what to call whenever
    it has done its work."""
    pulses.begun(name)
    while not stop.is_set():
        try:
            run(lambda: pulses.beat(name))
        except Exception as error:  # whatever it is: the next time it may be over
            failures = pulses.failed(name, type(error).__name__)
            log.error("thread failed", thread=name, failures=failures, **told_of(error))
            stop.wait(PAUSES[min(failures, len(PAUSES)) - 1])
        else:
            stop.wait(0.0 if stop.is_set() else PAUSES[0])  # it returned before it was told to
    pulses.ended(name)


def start(pulses: Pulses, name: str, run: Run, stop: threading.Event) -> threading.Thread:
    """Start a supervised thread."""
    thread = threading.Thread(target=keep_running, args=(pulses, name, run, stop), name=name, daemon=True)
    thread.start()
    return thread
