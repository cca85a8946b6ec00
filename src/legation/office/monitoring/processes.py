"""A process that runs for long: its threads, which go on after a pause whatever happens, its metrics for Prometheus,
and the memory that it gives back: glibc's arenas, one for each thread, would grow for ever."""

import contextlib
import ctypes
import gc
import threading
import time
from collections.abc import Callable
from functools import partial

import msgspec
import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram

from legation.office.monitoring.logs import told_of

PAUSES = (1.0, 2.0, 5.0, 10.0, 30.0)  # seconds after the first, second, ... failure in a row
log = structlog.get_logger("legation.office")

Beat = Callable[[], None]
Run = Callable[[Beat], None]


class Pulse(msgspec.Struct, frozen=True):
    """State of a thread: seconds since it last did its work, failures since, the last error's kind."""

    name: str
    seconds: float
    failures: int = 0
    error: str = ""


class Pulses:
    """The threads of one program, by name."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._threads: dict[str, Pulse] = {}  # whose seconds are the time at which each last did its work

    def beat(self, name: str) -> None:
        """Note that a thread has begun, or done its work."""
        with self._lock:
            self._threads[name] = Pulse(name, self._now())

    def failed(self, name: str, error: str) -> int:
        """Note that it failed; the answer is how often since it last did its work."""
        with self._lock:
            known = self._threads.get(name) or Pulse(name, self._now())
            self._threads[name] = Pulse(name, known.seconds, known.failures + 1, error)
        return known.failures + 1

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
    """Run something until told to stop, again if it fails; it is given what to call when it has done its work."""
    pulses.beat(name)
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


SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Prometheus metrics of one process. Labels are names of ours, never anything that somebody sent."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        timed, labels = partial(Histogram, buckets=SECONDS, registry=self.registry), ("method", "route", "status")
        self.requests = timed("legation_request_seconds", "Requests, by route and class of status.", labels)
        self.work = timed("legation_work_seconds", "Due work that was done, by kind.", ("kind",))
        self.failures = Counter(
            "legation_failures", "What failed: work, mails, requests.", ("what", "kind"), registry=self.registry
        )
        self.mails = Counter("legation_mails", "Mails: sent, taken in, put aside.", ("what",), registry=self.registry)


MMAP_THRESHOLD, ARENA_MAX = -3, -8  # glibc's names of what can be set (malloc.h)
ARENAS, LARGE = 2, 256 * 1024
COLLECTED_AFTER = (5_000, 20, 30)  # Python's own: 700, 10, 10


def give_back_what_is_freed() -> bool:
    """Set the C library so, before there are threads; False where it knows no such thing."""
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        return bool(library.mallopt(ARENA_MAX, ARENAS) and library.mallopt(MMAP_THRESHOLD, LARGE))
    return False


def look_for_cycles_seldom() -> None:
    """Have Python's collector leave alone what a process holds when it begins to serve, and look through all the rest
    seldom. Modules and rules stay as long as the process, and next to nothing lies in cycles; but each look through
    everything holds up all requests, with 300,000 objects for 200 ms."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)
