"""The store: transactions over SQLite (one file) or PostgreSQL (any number of processes).

Commands see a :class:`Transaction` and the frozen rows of :mod:`.rows`; SQL is here and in :mod:`.queries` alone. On
SQLite a writing transaction begins with ``BEGIN IMMEDIATE``, those of one process in the order in which they came; on
PostgreSQL rows that are about to change are read with a lock. Within a writing transaction of the same thread every
other one is a part of it. Within :meth:`Store.reading` all questions of a thread are one transaction."""

from __future__ import annotations

import contextlib
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import (
    DatabaseError,
    DataError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    PendingRollbackError,
    ProgrammingError,
)
from sqlalchemy.exc import TimeoutError as NoConnectionLeft

from legation.office.errors import SerializationConflictError, UnavailableError
from legation.office.store.transaction import Transaction

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


BUSY_SECONDS = 30
CROSSED = ("40P01", "40001")  # PostgreSQL's deadlock_detected and serialization_failure
DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
READ_ONLY = ("25006",)  # PostgreSQL's read_only_sql_transaction: another server has taken over
AWAY = (DatabaseError, InterfaceError, NoConnectionLeft, PendingRollbackError)
OUR_FAULT = (IntegrityError, DataError, ProgrammingError)  # whoever tries again gets the same


class OpenTransactions(threading.local):
    """The transactions of each thread that are open: the one that writes, and that of its questions."""

    writing: Transaction | None = None
    reading: ReadTransaction | None = None


class Store:
    """A database. ``url`` is SQLAlchemy's: ``sqlite:////path/office.db`` or ``postgresql+psycopg://...``."""

    def __init__(self, url: str) -> None:
        self.url = re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", url)
        self.sqlite = url.startswith("sqlite")
        given: dict[str, Any] = {"pool_pre_ping": True, "pool_size": 8, "max_overflow": 16}
        if self.sqlite:
            given = {"connect_args": {"timeout": BUSY_SECONDS, "check_same_thread": False}}
        self.engine = sa.create_engine(self.url, hide_parameters=True, **given)
        if self.sqlite:
            sa.event.listen(self.engine, "connect", _prepare_sqlite)
            sa.event.listen(self.engine, "handle_error", _refuse_the_rest)
        self.notifier = Notifier(self.engine)
        self.writers = Writers(BUSY_SECONDS)
        self._open = OpenTransactions()

    @contextlib.contextmanager
    def transaction(self, *, write: bool = True) -> Iterator[Transaction]:
        """Run a block as one transaction; UnavailableError when the database can't be reached or written."""
        outer = self._open.writing
        if outer is not None:
            with _told(), outer.part() if write else contextlib.nullcontext():
                yield outer
            return
        reading = self._open.reading
        if reading is not None and not write:
            yield from reading.questions()
            return
        if reading is not None:  # what it has read may be changed now
            reading.end()
        with self._new(write) as tx:
            yield tx
        tx.go_on_after()
        if self.sqlite:
            for what in tx.notifications:
                self.notifier.notify(what)

    @contextlib.contextmanager
    def _new(self, write: bool) -> Iterator[Transaction]:
        alone = self.writers.alone() if write and self.sqlite else contextlib.nullcontext()
        with _told(), alone, self.engine.connect() as connection:
            if self.sqlite:
                connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
            try:
                tx = Transaction(connection, write)
                if write:
                    self._open.writing = tx
                yield tx
                tx.write_lines()
                self.notifier.send(connection, tx.notifications)
                connection.commit()
            except BaseException as error:
                if isinstance(error, DBAPIError) and _sqlstate(error) in READ_ONLY:
                    connection.invalidate()  # the next connection may find the server that can be written
                with contextlib.suppress(DBAPIError):
                    connection.rollback()
                raise
            finally:
                if write:
                    self._open.writing = None

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Have all questions of this thread asked in one transaction, so that they are answered by one state of the
        database, each once. What is written meanwhile is a transaction of its own, and questions after it see it."""
        if self._open.reading is not None or self._open.writing is not None:
            yield
            return
        reading = self._open.reading = ReadTransaction(lambda: self._new(False))
        try:
            yield
        finally:
            self._open.reading = None
            reading.end()

    @contextlib.contextmanager
    def apart(self) -> Iterator[Transaction]:
        """Questions about what is committed, whatever is open in this thread; UnavailableError if away."""
        with self._new(False) as tx:
            yield tx

    def close(self) -> None:
        """Dispose of the engine."""
        self.engine.dispose()


class ReadTransaction:
    """One transaction for many questions (:meth:`Store.reading`), begun with the first, and anew after its end."""

    def __init__(self, begin: Callable[[], contextlib.AbstractContextManager[Transaction]]) -> None:
        self._begin = begin
        self._begun = contextlib.ExitStack()
        self._transaction: Transaction | None = None

    def questions(self) -> Iterator[Transaction]:
        """Yield the transaction, once. Raises UnavailableError when the database cannot be reached."""
        if self._transaction is None:
            self._transaction = self._begun.enter_context(self._begin())
        with _told():
            try:
                yield self._transaction
            except DBAPIError:
                self.end()
                raise

    def end(self) -> None:
        """End the transaction; the connection can be used by others."""
        self._transaction = None
        self._begun.close()


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Raise UnavailableError for errors of a database that is away, full, damaged or busy."""
    try:
        yield
    except OUR_FAULT:
        raise
    except AWAY as error:
        raise _away(error) from error


def _away(error: Exception) -> UnavailableError:
    name = str(getattr(getattr(error, "orig", None), "sqlite_errorname", ""))
    if name == "SQLITE_FULL" or _sqlstate(error) == "53100":
        return UnavailableError(
            "The office's disk is full, so nothing of this was saved. Tell whoever runs it, and try again."
        )
    if name.startswith(DAMAGED):
        return UnavailableError("The office's database is damaged. Whoever runs the office has to restore a backup.")
    if _sqlstate(error) in CROSSED:
        return SerializationConflictError("Somebody else changed this at the same moment. Try again.")
    return UnavailableError("The office's records can't be reached right now. Try again in a minute.")


def _sqlstate(error: Exception) -> str:
    return str(getattr(getattr(error, "orig", None), "sqlstate", "") or "")


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # BEGIN is ours
    kept = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_SECONDS * 1000}")
    for pragma in (*kept, "secure_delete=ON"):  # what is erased is not left in the file
        connection.execute(f"PRAGMA {pragma}")


def _refuse_the_rest(context: sa.engine.ExceptionContext) -> None:
    """Have a connection refuse all that follows where SQLite has rolled back by itself, on a full disk."""
    if context.connection is None or context.is_disconnect or (context.statement or "").startswith("BEGIN"):
        return
    connection: Any = context.connection.connection.dbapi_connection
    if not connection.in_transaction:
        context.is_disconnect, context.invalidate_pool_on_disconnect = True, False


class Writers:
    """Queue of the threads that want to write."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        """Seconds after which a thread gives up."""
        self.waiting: deque[object] = deque()  # who writes, then those who want to
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Wait for all who came before, and keep others from writing; UnavailableError when it takes too long."""
        place = object()
        try:
            with self._changed:
                self.waiting.append(place)
                if not self._changed.wait_for(lambda: self.waiting[0] is place, self.patience):
                    raise UnavailableError("The office's records are busy right now. Try again in a minute.")
            yield
        finally:
            with self._changed:
                self.waiting.remove(place)
                self._changed.notify_all()
