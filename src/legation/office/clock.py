"""Time and chance, passed in: a whole year is played in a test in seconds, and every draw can be repeated.

The store keeps microseconds since 1970 (``int``); people see aware ``datetime`` in UTC.
"""

from __future__ import annotations

import secrets
import threading
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Protocol

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def micros(at: datetime) -> int:
    """A time as the store keeps it."""
    return (at - EPOCH) // MICROSECOND


def moment(at: int) -> datetime:
    """A time as people see it."""
    return EPOCH + timedelta(microseconds=at)


def moment_or_none(at: int | None) -> datetime | None:
    """A time, where there is one."""
    return None if at is None else moment(at)


class Clock(Protocol):
    """What tells the time."""

    def now(self) -> datetime:
        """The present time, in UTC."""


class SystemClock:
    """The machine's time, never going back while the process lives: a clock that is set back stands still until it is
    caught up."""

    def __init__(self) -> None:
        self._latest = EPOCH
        self._lock = threading.Lock()

    def now(self) -> datetime:
        with self._lock:
            self._latest = max(self._latest, datetime.now(UTC))
            return self._latest


class SimulatedClock:
    """A clock that is moved by hand."""

    def __init__(self, start: datetime) -> None:
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        return self._now

    def advance(self, step: timedelta) -> datetime:
        """Let time pass."""
        self._now += step
        return self._now

    def set(self, at: datetime) -> datetime:
        """Go to a time, before or after."""
        self._now = at.astimezone(UTC)
        return self._now


class RandomSource(Protocol):
    """Where secrets and seeds come from."""

    def bytes(self, count: int) -> bytes:
        """So many bytes that nobody can foretell."""


class SystemRandomSource:
    """The machine's own."""

    def bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)


class SeededRandomSource:
    """For tests and demonstrations: the same seed gives the same bytes. Never for games that matter."""

    def __init__(self, seed: object) -> None:
        self._random = Random(str(seed))

    def bytes(self, count: int) -> bytes:
        return self._random.randbytes(count)
