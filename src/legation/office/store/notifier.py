"""Change notifications: LISTEN and NOTIFY on PostgreSQL, a `threading.Event` on SQLite.

On SQLite they reach the process that writes (other processes look once a second); on PostgreSQL every process. One may
be lost while the database is away, so every waiter also looks from time to time.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import sqlalchemy as sa

CHANNEL = "legation"
ANYTHING = ""  # sent when a notification may have been missed
PAUSE = 1.0  # seconds before the database is tried again, and between two looks whether anybody listens

Listener = Callable[[str], None]


class Notifier:
    """Passes on ``work`` (is due), ``mail`` (waits to be sent), ``game KEY`` (has a new line), or :data:`ANYTHING`."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        self.far = engine.dialect.name == "postgresql"
        self._listeners: list[Listener] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.failed: Callable[[Exception], object] = lambda error: None
        """Called when the database does not say what is new; it is asked again."""

    def send(self, connection: sa.Connection, notifications: set[str]) -> None:
        """Notify all processes once this transaction is committed."""
        if self.far:
            for what in sorted(notifications):
                connection.execute(sa.select(sa.func.pg_notify(CHANNEL, what)))

    def notify(self, what: str) -> None:
        """Notify the listeners of this process."""
        for listener in list(self._listeners):
            listener(what)

    def wake(self) -> None:
        """Wake all threads of this process that wait for work, so that they look for it, or stop."""
        self.notify(ANYTHING)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Have ``listener`` called with every notification, in any thread; return the function that ends this."""
        with self._lock:
            self._listeners.append(listener)
            if self.far and self._thread is None:
                self._thread = threading.Thread(target=self._receive, name="notifier", daemon=True)
                self._thread.start()
        return lambda: self._listeners.remove(listener)

    @contextlib.contextmanager
    def waiter(self, *what: str) -> Iterator[Callable[[float], bool]]:
        """Yield a function that waits so many seconds, or until one of these is notified; True if it was."""
        notified = threading.Event()
        end = self.listen(lambda told: notified.set() if told in (ANYTHING, *what) else None)

        def wait(seconds: float) -> bool:
            told = notified.wait(seconds)
            notified.clear()
            return told

        try:
            yield wait
        finally:
            end()

    def _receive(self) -> None:
        while True:
            try:
                self._pass_on()
            except Exception as error:  # the database is away: it is tried again
                self.failed(error)
            with self._lock:
                if not self._listeners:
                    self._thread = None
                    return
            threading.Event().wait(PAUSE)

    def _pass_on(self) -> None:
        import psycopg  # an office on SQLite does without

        given, named = self.engine.dialect.create_connect_args(self.engine.url)
        settings: dict[str, Any] = {**named, "autocommit": True}
        with psycopg.connect(*given, **settings) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self.notify(ANYTHING)
            while self._listeners:
                for notice in connection.notifies(timeout=PAUSE):
                    self.notify(notice.payload)
