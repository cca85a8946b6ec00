"""A transaction: rows by their values, written at once but for lines of the journal. One that only reads asks once."""

import contextlib
import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, overload

import msgspec
import sqlalchemy as sa
import structlog
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, PendingRollbackError
from sqlalchemy.sql.selectable import TypedReturnsRows

from legation.office.store.rows import TABLES, JournalRow, Row, WorkRow


class Since(msgspec.Struct, frozen=True):
    """A condition on a column: its value is this one or greater."""

    value: Any


class Before(msgspec.Struct, frozen=True):
    """A condition on a column: its value is smaller than this one."""

    value: Any


class Not(msgspec.Struct, frozen=True):
    """A condition on a column: its value is none of these."""

    value: tuple[Any, ...]


log = structlog.get_logger("legation.office")

R = TypeVar("R", bound=Row)
T = TypeVar("T")
Columns = TypeVar("Columns", bound=tuple[Any, ...])

MOST_ANSWERS = 2000  # that a transaction keeps
JOURNAL_LOCK_ID = 1642  # PostgreSQL's name of the lock of who gives numbers to lines of the journal


class DuplicateRowError(Exception):
    """A row that must be the only one of its kind is there already. A command that this ends is tried again."""


class Transaction:
    """A database transaction, with the operations on rows that commands use."""

    def __init__(self, connection: sa.Connection, writes: bool) -> None:
        self._connection = connection
        self.writes = writes
        self.locks = writes and connection.dialect.name == "postgresql"
        self.notifications: set[str] = set()  # sent once this is committed
        self._answers: dict[Hashable, Any] = {}  # to what was asked, where nothing is written
        self._lines: list[JournalRow] = []  # to be written
        self._afterwards: dict[str, Callable[[], None]] = {}

    @property
    def connection(self) -> sa.Connection:
        """The connection, for what is more than questions."""
        self.write_lines()
        return self._connection

    def afterwards(self, name: str, do: Callable[[], None]) -> None:
        """Have something done once this is committed, instead of what was to be done by this name."""
        self._afterwards.pop(name, None)
        self._afterwards[name] = do

    @overload
    def ask(self, query: TypedReturnsRows[Columns]) -> sa.CursorResult[Columns]: ...

    @overload
    def ask(self, query: sa.Executable) -> sa.CursorResult[Any]: ...

    def ask(self, query: sa.Executable) -> sa.CursorResult[Any]:
        """The answer to a query that changes nothing; of the journal it sees what :meth:`write_lines` has written."""
        return self._connection.execute(query)

    def once(self, question: Hashable, ask: Callable[[], T]) -> T:
        """Return an answer that nobody changes; in a transaction that writes nothing it is asked for once."""
        if question in self._answers:
            answer: T = self._answers[question]
            return answer
        answer = ask()
        if not self.writes and len(self._answers) < MOST_ANSWERS:
            self._answers[question] = answer
        return answer

    def get(self, kind: type[R], id: int | None, *, lock: bool = False) -> R:
        """The row with this id, which must be there."""
        row = self.find(kind, id=id, lock=lock)
        if row is None:
            raise LookupError(f"no {TABLES[kind].name} {id}")
        return row

    def find(self, kind: type[R], /, *, lock: bool = False, **where: Any) -> R | None:
        """The one row with these values, or None; none has no ``id``."""
        if where.get("id", 0) is None:
            return None
        return next(iter(self.all(kind, lock=lock, limit=1, **where)), None)

    def all(
        self,
        kind: type[R],
        /,
        *,
        order: str = "id",
        limit: int | None = None,
        lock: bool = False,
        light: bool = False,
        **where: Any,
    ) -> list[R]:
        """The rows with these values (of a list: any; of an empty one: none), in ``order`` of a column (``-id`` is
        backwards), then as they came; ``light``: without what is heavy in them."""
        if any(value in ([], ()) for value in where.values()):
            return []
        query = _selection(kind, _forms(where), order, limit, lock and self.locks, light)
        return list(self.once((query, _asked(where)), lambda: self.rows(kind, query, _wanted(where))))

    def rows(self, kind: type[R], query: sa.Executable, values: Mapping[str, Any] | None = None) -> list[R]:
        """The rows of a query that selects or changes this kind's table, as they are now."""
        self._write_lines_of(kind)
        answer = self._connection.execute(query, values)
        names = tuple(answer.keys())
        return [kind(**dict(zip(names, row, strict=True))) for row in answer]

    def count(self, kind: type[Row], /, **where: Any) -> int:
        """Return the number of rows with these values."""
        self._write_lines_of(kind)
        query = _statement(_counting, kind, _forms(where))
        return self.once(
            (query, _asked(where)), lambda: int(self._connection.execute(query, _wanted(where)).scalar_one())
        )

    def add(self, row: R) -> R:
        """Write a new row, and return it with its id; DuplicateRowError where another stands in its way."""
        query = _insertion(type(row), self._connection.dialect.name)
        id = self._connection.execute(query, _values(row)).scalar_one_or_none()
        if id is None:
            raise DuplicateRowError(TABLES[type(row)].name)
        return msgspec.structs.replace(row, id=int(id))

    def enter(self, *rows: Row) -> None:
        """Write new rows beside which no other can be (work of the same name is moved), and whose ids nobody asks for.
        Lines of the journal are written late: when somebody asks for any, at the latest before the commit."""
        for row in rows:
            if isinstance(row, JournalRow):
                self._lines.append(row)
            elif isinstance(row, WorkRow):
                self.put(row, "name", ("due", "facts", "attempts", "error", "state"))
            else:
                self._connection.execute(sa.insert(TABLES[type(row)]), _values(row))

    def put(self, row: Row, by: str, changed: tuple[str, ...] = (), added: tuple[str, ...] = ()) -> None:
        """Write a new row; where one has the same values in the columns ``by``, which are unique, that gets the values
        of those ``changed``, and those of the ``added`` ones are added to its own."""
        query = _putting(type(row), self._connection.dialect.name, by, changed, added)
        self._connection.execute(query, _values(row))

    def change(self, row: R, /, **values: Any) -> R:
        """Write new values into a row; the answer has them."""
        self.change_where(type(row), values, id=row.id)
        return msgspec.structs.replace(row, **values)

    def change_where(self, kind: type[Row], values: dict[str, Any], /, **where: Any) -> int:
        """Write new values into all rows with these values; the answer is how many there were."""
        self._write_lines_of(kind)
        columns = TABLES[kind].c
        for name in values:
            columns[name]  # what is no column is no value to drop
        return self._connection.execute(_statement(sa.update, kind, _forms(where)), values | _wanted(where)).rowcount

    def remove(self, kind: type[Row], /, **where: Any) -> int:
        """Delete rows and return their number."""
        self._write_lines_of(kind)
        return self._connection.execute(_statement(sa.delete, kind, _forms(where)), _wanted(where)).rowcount

    def write_lines(self) -> None:
        """Write the lines of the journal that were entered. On PostgreSQL nobody else writes any until this transaction
        ends, so that they are numbered as they are committed: who has seen one has seen all before it."""
        if not self._lines:
            return
        if self.locks:
            self._connection.execute(sa.select(sa.func.pg_advisory_xact_lock(JOURNAL_LOCK_ID)))
        self._connection.execute(sa.insert(TABLES[JournalRow]), [_values(line) for line in self._lines])
        self._lines.clear()  # not before: what cannot be written is not forgotten

    def _write_lines_of(self, kind: type[Row]) -> None:
        if kind is JournalRow:
            self.write_lines()

    @contextlib.contextmanager
    def part(self) -> Iterator[None]:
        """A part of it, which is undone without the whole where it fails."""
        notifications, afterwards, lines = set(self.notifications), dict(self._afterwards), list(self._lines)
        self._connection.exec_driver_sql("SAVEPOINT part")
        try:
            yield
            self._connection.exec_driver_sql("RELEASE SAVEPOINT part")
        except BaseException:
            self.notifications, self._afterwards, self._lines = notifications, afterwards, lines
            with contextlib.suppress(DBAPIError, PendingRollbackError):  # the connection is gone: the whole is undone
                self._connection.exec_driver_sql("ROLLBACK TO SAVEPOINT part")
                self._connection.exec_driver_sql("RELEASE SAVEPOINT part")
            raise

    def go_on_after(self) -> None:
        """Run what was put off until the commit. An error is logged; what was committed stays."""
        for name, do in self._afterwards.items():
            try:
                do()
            except Exception as error:
                log.error("not done after a commit", what=name.partition(" ")[0], error=type(error).__name__)


def _values(row: Row) -> dict[str, Any]:
    values = msgspec.structs.asdict(row)
    del values["id"]
    return values


FORMS: dict[type, Callable[[Any, Any], sa.ColumnElement[bool]]] = {
    list: sa.ColumnElement.in_,
    tuple: sa.ColumnElement.in_,
    Not: sa.ColumnElement.not_in,
    Since: operator.ge,
    Before: operator.lt,
    type(None): lambda column, _: column.is_(None),
    object: operator.eq,
}
"""How a column is compared, by the type of what is given for it; ``object`` stands for all others."""
Forms = tuple[tuple[str, type], ...]


def _forms(where: dict[str, Any]) -> Forms:
    return tuple((name, type(value) if type(value) in FORMS else object) for name, value in where.items())


def _asked(where: dict[str, Any]) -> tuple[Hashable, ...]:
    return tuple([tuple(value) if isinstance(value, list) else value for value in where.values()])


def _wanted(where: dict[str, Any]) -> dict[str, Any]:
    given = {name: value.value if isinstance(value, Since | Before | Not) else value for name, value in where.items()}
    return {f"is_{name}": value for name, value in given.items() if value is not None}


def _conditions(table: sa.Table, forms: Forms) -> Iterable[sa.ColumnElement[bool]]:
    for name, form in forms:
        column, several = table.c[name], form in (list, tuple, Not)
        given: sa.BindParameter[Any] = sa.bindparam(f"is_{name}", expanding=several, type_=column.type)
        yield FORMS[form](column, given)


def light_columns(kind: type[Row]) -> list[sa.ColumnElement[Any]]:
    """The columns of a kind of rows, with nothing in those that are heavy."""
    return [sa.literal(b"").label(c.name) if c.name in kind.heavy else c for c in TABLES[kind].c]


@cache
def _selection(kind: type[Row], forms: Forms, order: str, limit: int | None, lock: bool, light: bool) -> sa.Select[Any]:
    table = TABLES[kind]
    column = table.c[order.lstrip("-")]
    query = sa.select(*light_columns(kind) if light else table.c).where(*_conditions(table, forms))
    query = query.order_by(column.desc() if order.startswith("-") else column)
    if column is not table.c.id:
        query = query.order_by(table.c.id)
    if limit is not None:
        query = query.limit(limit)
    return query.with_for_update() if lock else query


def _counting(table: sa.Table) -> sa.Select[Any]:
    return sa.select(sa.func.count()).select_from(table)


@cache
def _statement(begin: Callable[[sa.Table], Any], kind: type[Row], forms: Forms) -> sa.Executable:
    statement: sa.Executable = begin(TABLES[kind]).where(*_conditions(TABLES[kind], forms))
    return statement


def insert_into(table: sa.Table, dialect: str) -> postgresql.Insert | sqlite.Insert:
    """Return an INSERT that can say what is done where the row is there already."""
    return (postgresql.insert if dialect == "postgresql" else sqlite.insert)(table)


@cache
def _insertion(kind: type[Row], dialect: str) -> sa.Executable:
    return insert_into(TABLES[kind], dialect).on_conflict_do_nothing().returning(TABLES[kind].c.id)


@cache
def _putting(kind: type[Row], dialect: str, by: str, changed: tuple[str, ...], added: tuple[str, ...]) -> sa.Executable:
    table, insert = TABLES[kind], insert_into(TABLES[kind], dialect)
    values: dict[str, sa.ColumnElement[Any]] = {name: insert.excluded[name] for name in changed}
    values |= {name: table.c[name] + insert.excluded[name] for name in added}
    return insert.on_conflict_do_update(index_elements=by.split(), set_=values)
