"""The bell: it rings when something was written that others wait for, so that nobody has to ask all the time.

On SQLite it is heard in the process that writes (other processes look once a second); on PostgreSQL in every process,
by LISTEN and NOTIFY. A ring may be lost while the database is away, so whoever waits looks by himself from time to
time, too.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import sqlalchemy as sa

CHANNEL = "legation"
ANYTHING = ""  # what is rung when something may have been missed
PAUSE = 1.0  # seconds before the database is tried again, and between two looks whether anybody listens

Heard = Callable[[str], None]


class Notifier:
    """What is rung: ``work`` (something is due), ``mail`` (something waits to be sent), ``game KEY`` (its journal has a
    new line), or :data:`ANYTHING`."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        self.far = engine.dialect.name == "postgresql"
        self._hearers: list[Heard] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def send(self, connection: sa.Connection, rings: set[str]) -> None:
        """Have it ring in all processes once this transaction is committed."""
        if self.far:
            for what in sorted(rings):
                connection.execute(sa.select(sa.func.pg_notify(CHANNEL, what)))

    def ring(self, what: str) -> None:
        """Ring it in this process."""
        for heard in list(self._hearers):
            heard(what)

    def listen(self, heard: Heard) -> Callable[[], None]:
        """Have ``heard`` called with what is rung, in any thread; the answer ends it."""
        with self._lock:
            self._hearers.append(heard)
            if self.far and self._thread is None:
                self._thread = threading.Thread(target=self._hear, name="bell", daemon=True)
                self._thread.start()
        return lambda: self._hearers.remove(heard)

    @contextlib.contextmanager
    def waiter(self, *what: str) -> Iterator[Callable[[float], bool]]:
        """Within the block, a function that waits so many seconds, or until one of these is rung."""
        rung = threading.Event()
        end = self.listen(lambda bell: rung.set() if bell in (ANYTHING, *what) else None)

        def wait(seconds: float) -> bool:
            heard = rung.wait(seconds)
            rung.clear()
            return heard

        try:
            yield wait
        finally:
            end()

    def _hear(self) -> None:
        """Pass on what PostgreSQL says, while anybody listens."""
        while True:
            with contextlib.suppress(Exception):  # the database is away: it is tried again
                self._pass_on()
            with self._lock:
                if not self._hearers:
                    self._thread = None
                    return
            threading.Event().wait(PAUSE)

    def _pass_on(self) -> None:
        import psycopg

        given, named = self.engine.dialect.create_connect_args(self.engine.url)
        settings: dict[str, Any] = {**named, "autocommit": True}
        with psycopg.connect(*given, **settings) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self.ring(ANYTHING)
            while self._hearers:
                for notice in connection.notifies(timeout=PAUSE):
                    self.ring(notice.payload)
