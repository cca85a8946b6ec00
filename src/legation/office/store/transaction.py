"""A transaction: questions are asked once (:class:`RowCache`), and what is changed in one row, or entered, is written
late and together: when somebody asks for it, at the latest before the commit."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar, overload

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


class RowQuery(NamedTuple):
    """A question for rows (``counts``: how many) with these values, in an order; a tuple is any of its values."""

    where: tuple[tuple[str, Any], ...]
    order: str = ""
    limit: int | None = None
    counts: bool = False

    def is_about(self, row: Row) -> bool:
        """Return whether a row has the values that are asked for."""
        for name, wanted in self.where:
            has = getattr(row, name)
            if isinstance(wanted, Since | Before):
                if has is None or (has >= wanted.value) is not isinstance(wanted, Since):
                    return False
            elif has not in wanted if type(wanted) is tuple else has != wanted:
                return False
        return True

    def depends_on(self, values: Mapping[str, Any]) -> bool:
        """Return whether other values of these columns may change which rows are the answer, or their order."""
        for name, _ in self.where:
            if name in values:
                return True
        return self.order.lstrip("-") in values


def question(where: dict[str, Any], order: str = "", limit: int | None = None, *, counts: bool = False) -> RowQuery:
    """Return a question, to be found again."""
    values = tuple([(n, tuple(v)) if type(v) is list else (n, v) for n, v in where.items()])
    return RowQuery(values, order, limit, counts)


class RowCache:
    """Answers that a transaction has read, by table and question. On SQLite a transaction sees one state of the
    database and its own changes, and a writing one is alone: what it has read holds until it writes what the question
    is about. On PostgreSQL, where others write meanwhile, only a transaction that writes nothing keeps what it has read
    (``lasts``)."""

    MOST = 2000  # questions
    MOST_ROWS = 200  # of one answer
    MOST_TO_MEND = 100  # of one table, when a row of it changes; more are forgotten
    MOST_ALONE = 50  # of an answer whose rows are found one by one, too

    def __init__(self, lasts: bool) -> None:
        self.lasts = lasts
        self._answers: dict[type[Row], dict[Any, Any]] = {}
        self._count = 0

    def find(self, kind: type[Row], question: Any) -> Any:
        """The answer to a question, None for one that was not asked."""
        return self._answers.get(kind, {}).get(question)

    def keep(self, kind: type[Row], question: Any, answer: Any) -> None:
        """Cache an answer."""
        if not self.lasts or (isinstance(answer, list) and len(answer) > self.MOST_ROWS):
            return
        if self._count >= self.MOST:
            self.forget()
        self._count += 1
        self._answers.setdefault(kind, {})[question] = answer

    def keep_rows(self, kind: type[Row], asked: RowQuery, rows: Sequence[Row]) -> None:
        """Keep the rows that answer a question, and each by itself where they are few."""
        self.keep(kind, asked, list(rows))
        if len(rows) <= self.MOST_ALONE:
            for row in rows:
                self.keep(kind, question({"id": row.id}, "id", 1), [row])

    def add(self, row: Row) -> None:
        """Forget the answers in which a new row belongs."""
        answers = self._answers.get(type(row))
        if answers:
            self._drop(type(row), [q for q in answers if type(q) is not RowQuery or q.is_about(row)])

    def change(self, row: Row, values: dict[str, Any]) -> None:
        """Write new values of a row into the answers that have it; forget those that it may join or leave."""
        answers = self._answers.get(type(row))
        if not answers:
            return
        if len(answers) > self.MOST_TO_MEND:
            answers.clear()
        self._drop(type(row), [q for q in answers if type(q) is not RowQuery or q.depends_on(values)])
        for rows in answers.values():
            for place, known in enumerate(rows) if type(rows) is list else ():
                if known.id == row.id:
                    rows[place] = msgspec.structs.replace(known, **values)

    def _drop(self, kind: type[Row], questions: Iterable[Any]) -> None:
        answers = self._answers[kind]
        for asked in questions:
            del answers[asked]

    def forget(self, kind: type[Row] | None = None) -> None:
        """Forget the answers of a table, or of all."""
        if kind is None:
            self._answers.clear()
            self._count = 0
        else:
            self._answers.pop(kind, None)


log = structlog.get_logger("legation.office")

R = TypeVar("R", bound=Row)
Columns = TypeVar("Columns", bound=tuple[Any, ...])

JOURNAL_LOCK_ID = 1642  # PostgreSQL's name of the lock of who gives numbers to lines of the journal


class DuplicateRowError(Exception):
    """A row that must be the only one of its kind is there already."""


class Transaction:
    """A database transaction, with the operations on rows that commands use."""

    def __init__(self, connection: sa.Connection, writes: bool) -> None:
        self._connection = connection
        self.writes = writes
        self.locks = writes and connection.dialect.name == "postgresql"
        self.cache = RowCache(lasts=not self.locks)
        self.notifications: set[str] = set()  # sent once this is committed
        self._entered: dict[type[Row], list[Row]] = {}  # to be written
        self._changed: dict[type[Row], dict[int, dict[str, Any]]] = {}  # the same of rows that are there, by number
        self._afterwards: dict[str, Callable[[], None]] = {}

    @property
    def connection(self) -> sa.Connection:
        """The connection, for what is more than questions: who writes by it may have changed all that is known."""
        self._write_all(lines=True)
        self.cache.forget()
        return self._connection

    def afterwards(self, name: str, do: Callable[[], None]) -> None:
        """Have something done once this is committed, instead of what was to be done by this name."""
        self._afterwards.pop(name, None)
        self._afterwards[name] = do

    @overload
    def ask(
        self, query: TypedReturnsRows[Columns], values: Mapping[str, Any] | None = None
    ) -> sa.CursorResult[Columns]: ...

    @overload
    def ask(self, query: sa.Executable, values: Mapping[str, Any] | None = None) -> sa.CursorResult[Any]: ...

    def ask(self, query: sa.Executable, values: Mapping[str, Any] | None = None) -> sa.CursorResult[Any]:
        """The answer to a query that changes nothing; of the journal it sees what :meth:`write_lines` has written."""
        self._write_all()
        return self._connection.execute(query, values)

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
        self, kind: type[R], /, *, order: str = "id", limit: int | None = None, lock: bool = False, **where: Any
    ) -> list[R]:
        """The rows with these values (of a list: any; of an empty one: none), in ``order`` of a column (``-id`` is
        backwards), then as they came."""
        if any(value in ([], ()) for value in where.values()):
            return []
        asked = question(where, order, limit)
        answer: list[R] | None = self.cache.find(kind, asked)
        if answer is None:
            self._write_for(kind, asked)
            query = _selection(kind, _forms(where), order, limit, lock and self.locks)
            answer = _read(kind, self._connection.execute(query, _wanted(where)))
            if changed := self._changed.get(kind):
                answer = [
                    msgspec.structs.replace(row, **changed[row.id]) if row.id in changed else row for row in answer
                ]
            self.cache.keep_rows(kind, asked, answer)
        return list(answer)

    def rows(
        self,
        kind: type[R],
        query: sa.Executable,
        values: Mapping[str, Any] | None = None,
        reads: Iterable[type[Row]] | None = None,
    ) -> list[R]:
        """The rows of a query that selects this kind's table; ``reads``: the kinds of rows that it looks at."""
        self._write(kind)
        for read in [*self._changed, *self._entered] if reads is None else reads:
            if read is not JournalRow:
                self._write(read)
        return _read(kind, self._connection.execute(query, values))

    def changed_rows(self, kind: type[R], query: sa.Executable, values: Mapping[str, Any] | None = None) -> list[R]:
        """The rows of a query that changes this kind's table, as they are now."""
        self._write(kind)
        self.cache.forget(kind)
        return _read(kind, self._connection.execute(query, values))

    def count(self, kind: type[Row], /, **where: Any) -> int:
        """Return the number of rows with these values."""
        asked = question(where, counts=True)
        answer: int | None = self.cache.find(kind, asked)
        if answer is None:
            self._write_for(kind, asked)
            answer = int(self._connection.execute(_counting(kind, _forms(where)), _wanted(where)).scalar_one())
            self.cache.keep(kind, asked, answer)
        return answer

    def add(self, row: R) -> R:
        """Write a new row, and return it with its id; DuplicateRowError where another stands in its way."""
        kind = type(row)
        self._write(kind)
        query = _insertion(kind, self._connection.dialect.name)
        id = self._connection.execute(query, _values(row)).scalar_one_or_none()
        if id is None:
            raise DuplicateRowError(TABLES[kind].name)
        added = msgspec.structs.replace(row, id=int(id))
        self.cache.add(added)
        return added

    def enter(self, *rows: Row) -> None:
        """Write new rows beside which no other can be, and whose ids nobody asks for before they are needed."""
        for row in rows:
            self.cache.add(row)
            self._entered.setdefault(type(row), []).append(row)

    def change(self, row: R, /, **values: Any) -> R:
        """Write new values into a row; the answer has them."""
        kind = type(row)
        if not self.cache.lasts or values.keys() & _UNIQUE[kind]:  # others may wait for it, or it may be refused
            self._write(kind)
            self._change(kind, values, {"id": row.id})
            self.cache.change(row, values)
        else:
            columns = TABLES[kind].c
            for name in values:
                columns[name]  # what is no column is no value to drop
            self.cache.change(row, values)
            self._changed.setdefault(kind, {}).setdefault(row.id, {}).update(values)
        return msgspec.structs.replace(row, **values)

    def write_lines(self) -> None:
        """Write the lines of the journal that were entered."""
        self._write(JournalRow)

    def _write_all(self, *, lines: bool = False) -> None:
        for kind in {**self._changed, **self._entered}:
            if kind is not JournalRow:
                self._write(kind)
        if lines:
            self.write_lines()

    def _write_for(self, kind: type[Row], asked: RowQuery) -> None:
        entered, changed = self._entered.get(kind, ()), self._changed.get(kind, {})
        belongs = kind is WorkRow and entered  # what is moved is there already
        if belongs or any(map(asked.is_about, entered)) or any(map(asked.depends_on, changed.values())):
            self._write(kind)

    def _write(self, kind: type[Row]) -> None:
        """Write what was entered and changed in a table. On PostgreSQL nobody else writes lines of the journal from
        then until this transaction has ended, so that they are numbered as they are committed: who has seen one has
        seen all before it."""
        if changed := self._changed.get(kind):
            alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
            for id, values in changed.items():
                alike.setdefault(tuple(sorted(values)), []).append(values | {"is_id": id})
            for listed in alike.values():
                self._connection.execute(_update(kind, (("id", "one"),)), listed)
            del self._changed[kind]  # not before: what cannot be written is not forgotten
        if entered := self._entered.get(kind):
            if kind is JournalRow and self.locks:
                self._connection.execute(sa.select(sa.func.pg_advisory_xact_lock(JOURNAL_LOCK_ID)))
            query = _entering(kind, self._connection.dialect.name)
            self._connection.execute(query, [_values(row) for row in entered])
            del self._entered[kind]

    def finish(self) -> None:
        """Write all that is to be written; nothing but the commit comes after it."""
        self._write_all(lines=True)

    @contextlib.contextmanager
    def part(self) -> Iterator[None]:
        """A part of it, which is undone without the whole where it fails."""
        notifications, afterwards = set(self.notifications), dict(self._afterwards)
        entered = {kind: list(rows) for kind, rows in self._entered.items()}
        changed = {kind: {id: dict(values) for id, values in rows.items()} for kind, rows in self._changed.items()}
        self._connection.exec_driver_sql("SAVEPOINT part")
        try:
            yield
            self._connection.exec_driver_sql("RELEASE SAVEPOINT part")
        except BaseException:
            self.cache.forget()
            self.notifications, self._afterwards = notifications, afterwards
            self._entered, self._changed = entered, changed
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

    def change_where(self, kind: type[Row], values: dict[str, Any], /, **where: Any) -> int:
        """Write new values into all rows with these values; the answer is how many there were."""
        self._write(kind)
        self.cache.forget(kind)
        return self._change(kind, values, where)

    def _change(self, kind: type[Row], values: dict[str, Any], where: dict[str, Any]) -> int:
        columns = TABLES[kind].c
        for name in values:
            columns[name]  # what is no column is no value to drop
        return self._connection.execute(_update(kind, _forms(where)), values | _wanted(where)).rowcount

    def remove(self, kind: type[Row], /, **where: Any) -> int:
        """Delete rows and return their number."""
        self._write_all(lines=JournalRow in _POINTING[kind])
        self.cache.forget(kind)
        return self._connection.execute(_deletion(kind, _forms(where)), _wanted(where)).rowcount


def _values(row: Row) -> dict[str, Any]:
    values = msgspec.structs.asdict(row)
    del values["id"]
    return values


def _read(kind: type[R], answer: sa.CursorResult[Any]) -> list[R]:
    names = tuple(answer.keys())
    return [kind(**dict(zip(names, row, strict=True))) for row in answer]


FORMS = {type(None): "none", list: "several", tuple: "several", Since: "since", Before: "before"}


def _forms(where: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((name, FORMS.get(type(value), "one")) for name, value in where.items())


def _wanted(where: dict[str, Any]) -> dict[str, Any]:
    given = {name: value.value if isinstance(value, Since | Before) else value for name, value in where.items()}
    return {f"is_{name}": value for name, value in given.items() if value is not None}


def _conditions(table: sa.Table, forms: tuple[tuple[str, str], ...]) -> Iterable[sa.ColumnElement[bool]]:
    for name, form in forms:
        column = table.c[name]
        if form == "none":
            yield column.is_(None)
        elif form == "several":
            yield column.in_(sa.bindparam(f"is_{name}", expanding=True, type_=column.type))
        else:
            given: sa.BindParameter[Any] = sa.bindparam(f"is_{name}", type_=column.type)
            yield column >= given if form == "since" else column < given if form == "before" else column == given


@cache
def _selection(
    kind: type[Row], forms: tuple[tuple[str, str], ...], order: str, limit: int | None, lock: bool
) -> sa.Select[Any]:
    table = TABLES[kind]
    column = table.c[order.lstrip("-")]
    query = sa.select(table).where(*_conditions(table, forms))
    query = query.order_by(column.desc() if order.startswith("-") else column)
    if column is not table.c.id:
        query = query.order_by(table.c.id)
    if limit is not None:
        query = query.limit(limit)
    return query.with_for_update() if lock else query


@cache
def _counting(kind: type[Row], forms: tuple[tuple[str, str], ...]) -> sa.Select[Any]:
    table = TABLES[kind]
    return sa.select(sa.func.count()).select_from(table).where(*_conditions(table, forms))


@cache
def _insertion(kind: type[Row], dialect: str) -> sa.Executable:
    table = TABLES[kind]
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    return insert(table).on_conflict_do_nothing().returning(table.c.id)


@cache
def _update(kind: type[Row], forms: tuple[tuple[str, str], ...]) -> sa.Executable:
    table = TABLES[kind]
    return sa.update(table).where(*_conditions(table, forms))


@cache
def _deletion(kind: type[Row], forms: tuple[tuple[str, str], ...]) -> sa.Executable:
    table = TABLES[kind]
    return sa.delete(table).where(*_conditions(table, forms))


@cache
def _entering(kind: type[Row], dialect: str) -> sa.Executable:
    insert = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(TABLES[kind])
    if kind is not WorkRow:
        return insert
    moved = {name: insert.excluded[name] for name in ("due", "facts", "attempts", "error", "state")}
    return insert.on_conflict_do_update(index_elements=["name"], set_=moved)


_UNIQUE = {
    kind: {c.name for rule in table.constraints if isinstance(rule, sa.UniqueConstraint) for c in rule.columns}
    for kind, table in TABLES.items()
}
"""Columns by whose values a row is the only one of its kind."""

_POINTING = {
    kind: {
        other for other in TABLES if other is kind or any(k.column.table is table for k in TABLES[other].foreign_keys)
    }
    for kind, table in TABLES.items()
}
"""Rows of each kind, and those that may point at one."""
