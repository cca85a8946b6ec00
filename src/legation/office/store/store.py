"""The store: transactions over SQLite (one file) or PostgreSQL (any number of processes).

Commands see a :class:`Transaction` and the frozen rows of :mod:`.rows`; SQL is written here and in :mod:`.queries` and
nowhere else. A writing transaction on SQLite begins with ``BEGIN IMMEDIATE``, so that two writers wait for each other
instead of failing; on PostgreSQL rows that are about to change are read with a lock (``lock=True``).

Within a writing transaction of the same thread every other one is a part of it: what is done in it is kept or undone by
itself, but nothing of it lasts before the whole does.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DatabaseError, DataError, DBAPIError, IntegrityError, InterfaceError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoConnectionLeft

from legation.office.errors import SerializationConflictError, UnavailableError
from legation.office.store.notifier import Notifier
from legation.office.store.rows import JournalRow, Row
from legation.office.store.tables import TABLES

R = TypeVar("R", bound=Row)

BUSY_SECONDS = 30
CROSSED = ("40P01", "40001")  # PostgreSQL's deadlock_detected and serialization_failure
READ_ONLY = ("25006",)  # PostgreSQL's read_only_sql_transaction: another server has taken over
OUR_FAULT = (IntegrityError, DataError, ProgrammingError)  # whoever tries again gets the same
JOURNAL_LOCK_ID = 1642  # PostgreSQL's name of the lock of who gives numbers to lines of the journal


class DuplicateRowError(Exception):
    """A row that must be the only one of its kind is there already."""


class Transaction:
    """One transaction, and all that commands do with rows."""

    def __init__(self, connection: sa.Connection, writes: bool) -> None:
        self.connection = connection
        self.writes = writes
        self.locks = writes and connection.dialect.name == "postgresql"
        self.notifications: set[str] = set()  # sent once this is committed
        self._lines: list[JournalRow] = []  # of the journal, without numbers
        self.afterwards: list[Callable[[], None]] = []  # what is done once this is committed

    def get(self, kind: type[R], id: int | None, *, lock: bool = False) -> R:
        """The row with this id, which must be there."""
        row = self.find(kind, id=id, lock=lock)
        if row is None:
            raise LookupError(f"no {TABLES[kind].name} {id}")
        return row

    def find(self, kind: type[R], /, *, lock: bool = False, **where: Any) -> R | None:
        """The one row with these values, or None."""
        return next(iter(self.all(kind, lock=lock, limit=1, **where)), None)

    def all(
        self, kind: type[R], /, *, order: str = "id", limit: int | None = None, lock: bool = False, **where: Any
    ) -> list[R]:
        """The rows with these values, in ``order`` (a column; ``-id`` is backwards).

        A list or tuple means any of its values.
        """
        if kind is JournalRow:
            self.number()
        query = _selection(kind, _forms(where), order, limit, lock and self.locks)
        return [kind(**row) for row in self.connection.execute(query, _wanted(where)).mappings()]

    def rows(self, kind: type[R], query: sa.Executable) -> list[R]:
        """The rows of a query that selects this kind's table."""
        return [kind(**row) for row in self.connection.execute(query).mappings()]

    def count(self, kind: type[Row], /, **where: Any) -> int:
        """How many rows have these values."""
        if kind is JournalRow:
            self.number()
        table = TABLES[kind]
        query = sa.select(sa.func.count()).select_from(table).where(*_conditions(table, _forms(where)))
        return int(self.connection.execute(query, _wanted(where)).scalar_one())

    def add(self, row: R) -> R:
        """Write a new row; the answer has its id.

        :raises DuplicateRowError: if there is one already that it may not stand beside.
        """
        values = msgspec.structs.asdict(row)
        del values["id"]
        table = TABLES[type(row)]
        insert = postgresql.insert if self.connection.dialect.name == "postgresql" else sqlite.insert
        query = insert(table).on_conflict_do_nothing().returning(table.c.id)
        id = self.connection.execute(query, values).scalar_one_or_none()
        if id is None:
            raise DuplicateRowError(table.name)
        return msgspec.structs.replace(row, id=int(id))

    def enter(self, line: JournalRow) -> None:
        """Write a line of the journal. It has its number when the transaction ends, or somebody asks for lines."""
        self._lines.append(line)

    def number(self) -> None:
        """Give the lines of the journal their numbers. On PostgreSQL nobody else does until this transaction has ended,
        so that lines are numbered as they are committed: who has seen one has seen all before it."""
        if self._lines:
            if self.locks:
                self.connection.execute(sa.select(sa.func.pg_advisory_xact_lock(JOURNAL_LOCK_ID)))
            values = [msgspec.structs.asdict(line) for line in self._lines]
            self._lines.clear()
            for value in values:
                del value["id"]
            self.connection.execute(sa.insert(TABLES[JournalRow]), values)

    def change(self, row: R, /, **values: Any) -> R:
        """Write new values into a row; the answer has them."""
        self.change_where(type(row), values, id=row.id)
        return msgspec.structs.replace(row, **values)

    def change_where(self, kind: type[Row], values: dict[str, Any], /, **where: Any) -> int:
        """Write new values into all rows with these values; the answer is how many there were."""
        table = TABLES[kind]
        written = {table.c[name].name: value for name, value in values.items()}  # what is no column is no value to drop
        query = sa.update(table).where(*_conditions(table, _forms(where)))
        return self.connection.execute(query, written | _wanted(where)).rowcount

    def remove(self, kind: type[Row], /, **where: Any) -> int:
        """Take rows away; the answer is how many there were."""
        table = TABLES[kind]
        query = sa.delete(table).where(*_conditions(table, _forms(where)))
        return self.connection.execute(query, _wanted(where)).rowcount


def _forms(where: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """By name whether one value is wanted, one of ``several``, or ``none``."""
    return tuple(
        (name, "none" if value is None else "several" if isinstance(value, list | tuple) else "one")
        for name, value in where.items()
    )


def _wanted(where: dict[str, Any]) -> dict[str, Any]:
    """The values of :func:`_conditions`, which are named apart from those that are written."""
    return {f"is_{name}": value for name, value in where.items() if value is not None}


def _conditions(table: sa.Table, forms: tuple[tuple[str, str], ...]) -> Iterable[sa.ColumnElement[bool]]:
    """Conditions that take their values by name."""
    for name, form in forms:
        column = table.c[name]
        if form == "none":
            yield column.is_(None)
        elif form == "several":
            yield column.in_(sa.bindparam(f"is_{name}", expanding=True, type_=column.type))
        else:
            yield column == sa.bindparam(f"is_{name}", type_=column.type)


@cache
def _selection(
    kind: type[Row], forms: tuple[tuple[str, str], ...], order: str, limit: int | None, lock: bool
) -> sa.Select[Any]:
    """The query of :meth:`Transaction.all`, which is put together once."""
    table = TABLES[kind]
    column = table.c[order.lstrip("-")]
    query = sa.select(table).where(*_conditions(table, forms))
    query = query.order_by(column.desc() if order.startswith("-") else column)
    if limit is not None:
        query = query.limit(limit)
    return query.with_for_update() if lock else query


class Store:
    """A database. ``url`` is SQLAlchemy's: ``sqlite:////path/office.db`` or ``postgresql+psycopg://...``."""

    def __init__(self, url: str) -> None:
        self.url = _with_driver(url)
        self.engine = sa.create_engine(self.url, hide_parameters=True, **_engine_settings(self.url))
        self.sqlite = self.engine.dialect.name == "sqlite"
        if self.sqlite:
            sa.event.listen(self.engine, "connect", _prepare_sqlite)
        self.notifier = Notifier(self.engine)
        self._open = threading.local()  # the writing transaction of each thread

    @contextlib.contextmanager
    def transaction(self, *, write: bool = True) -> Iterator[Transaction]:
        """All or nothing of what is done inside.

        :raises UnavailableError: when the database cannot be reached, cannot be written, or is full.
        """
        outer: Transaction | None = getattr(self._open, "transaction", None)
        if outer is not None:
            with self._part_of(outer) if write else contextlib.nullcontext(outer) as part:
                yield part
            return
        try:
            with self.engine.connect() as connection:
                if self.sqlite:
                    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
                try:
                    tx = Transaction(connection, write)
                    self._open.transaction = tx if write else None
                    yield tx
                    tx.number()
                    self.notifier.send(connection, tx.notifications)
                    connection.commit()
                    for do in tx.afterwards:
                        do()
                except BaseException as error:
                    if isinstance(error, DBAPIError) and _sqlstate(error) in READ_ONLY:
                        connection.invalidate()  # the next connection may find the server that can be written
                    with contextlib.suppress(DBAPIError):
                        connection.rollback()
                    raise
                finally:
                    self._open.transaction = None
        except OUR_FAULT:
            raise
        except (DatabaseError, InterfaceError, NoConnectionLeft) as error:
            raise _away(error) from error
        if self.sqlite:
            for what in tx.notifications:
                self.notifier.notify(what)

    @contextlib.contextmanager
    def apart(self) -> Iterator[Transaction]:
        """Questions about what is committed, whatever transaction is open in this thread.

        :raises UnavailableError: when the database cannot be reached.
        """
        outer = getattr(self._open, "transaction", None)
        self._open.transaction = None
        try:
            with self.transaction(write=False) as tx:
                yield tx
        finally:
            self._open.transaction = outer

    @contextlib.contextmanager
    def _part_of(self, outer: Transaction) -> Iterator[Transaction]:
        """A part of a transaction, which is undone without it."""
        part = Transaction(outer.connection, True)
        part.notifications, part._lines, part.afterwards = (
            set(outer.notifications),
            list(outer._lines),
            list(outer.afterwards),
        )
        outer.connection.exec_driver_sql("SAVEPOINT part")
        self._open.transaction = part
        try:
            yield part
            outer.connection.exec_driver_sql("RELEASE SAVEPOINT part")
            outer.notifications, outer._lines, outer.afterwards = part.notifications, part._lines, part.afterwards
        except BaseException as error:
            with contextlib.suppress(DBAPIError):  # the connection is gone: the whole is undone
                outer.connection.exec_driver_sql("ROLLBACK TO SAVEPOINT part")
                outer.connection.exec_driver_sql("RELEASE SAVEPOINT part")
            if isinstance(error, DatabaseError | InterfaceError) and not isinstance(error, OUR_FAULT):
                raise _away(error) from error
            raise
        finally:
            self._open.transaction = outer

    def close(self) -> None:
        """Dispose of the engine."""
        self.engine.dispose()


def _away(error: Exception) -> UnavailableError:
    """What is told of a database that does not do its work."""
    if isinstance(error, DBAPIError) and _is_full(error):
        return UnavailableError(
            "The office's disk is full, so nothing of this was kept; tell whoever runs it, and try again."
        )
    if _sqlstate(error) in CROSSED:
        return SerializationConflictError("Others were at the same just now; try again.")
    return UnavailableError("The office's records cannot be reached just now; try again in a minute.")


def _sqlstate(error: Exception) -> str:
    return str(getattr(getattr(error, "orig", None), "sqlstate", "") or "")


def _is_full(error: DBAPIError) -> bool:
    """Whether a database refuses because there is no room: SQLITE_FULL, or PostgreSQL's disk_full."""
    name = getattr(error.orig, "sqlite_errorname", "")
    return name == "SQLITE_FULL" or _sqlstate(error) == "53100"


def _with_driver(url: str) -> str:
    for plain in ("postgres://", "postgresql://"):
        if url.startswith(plain):
            return "postgresql+psycopg://" + url.removeprefix(plain)
    return url


def _engine_settings(url: str) -> dict[str, Any]:
    if url.startswith("sqlite"):
        return {"connect_args": {"timeout": BUSY_SECONDS, "check_same_thread": False}}
    return {"pool_pre_ping": True, "pool_size": 8, "max_overflow": 16}


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # BEGIN is ours
    kept = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_SECONDS * 1000}")
    for pragma in (*kept, "secure_delete=ON"):  # what is erased is not left in the file
        connection.execute(f"PRAGMA {pragma}")
