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
    failures: int = 0
    all_failures: int = 0
    error: str = ""


class Pulses:
    """The threads of one program, by name."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._threads: dict[str, Pulse] = {}  # whose seconds are the time at which each last did its work

    def _change(self, name: str, **values: object) -> None:
        with self._lock:
            known = self._threads.get(name) or Pulse(name, self._now())
            self._threads[name] = msgspec.structs.replace(known, **values)

    def begun(self, name: str) -> None:
        """Note that a thread began."""
        self._change(name, seconds=self._now())

    def beat(self, name: str) -> None:
        """Note that a thread has done its work."""
        self._change(name, seconds=self._now(), failures=0, error="")

    def failed(self, name: str, error: str) -> int:
        """Note that it failed; the answer is how often since it last did its work."""
        with self._lock:
            known = self._threads.get(name) or Pulse(name, self._now())
        failures = known.failures + 1
        self._change(name, failures=failures, all_failures=known.all_failures + 1, error=error)
        return failures

    def ended(self, name: str) -> None:
        """Forget a thread that was told to stop."""
        with self._lock:
            self._threads.pop(name, None)

    def all(self) -> tuple[Pulse, ...]:
        """Return how each thread does, by name."""
        with self._lock:
            threads = sorted(self._threads.items())
        return tuple(msgspec.structs.replace(last, seconds=self._now() - last.seconds) for _, last in threads)


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
