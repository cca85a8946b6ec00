"""What a transaction has read, so that it asks once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from legation.office.store.rows import Row


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
            if has not in wanted if type(wanted) is tuple else has != wanted:
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
