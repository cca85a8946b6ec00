"""Rows of a real office are changed behind its back: its transcript shows it, or the row is listed with the reason why
it means nothing."""

from datetime import timedelta
from typing import Any

import msgspec
from sqlalchemy.exc import IntegrityError

from legation.office.clock import SimulatedClock
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.records import GameRecord
from legation.office.store.rows import LineRow, PrivateRow, RecordRow
from tests.office.playing import alter, begin, passes, send_all, stored
from tests.office.test_orders_ahead import report
from tests.proofs.tampering import changed

MEANS_NOTHING = {
    "LineRow.n": "a copy, by which lines are put in order: that of the last line changes none",
    "LineRow.at": "a copy of what stands in the line, for questions",
    "LineRow.kind": "likewise",
    "LineRow.hash": "likewise, where the line is not signed: it is worked out from the line",
    "PrivateRow.seat": "who may read it before all may",
    "RecordRow.commitment": "a copy of what stands in the chain and in the opening",
    "RecordRow.turn_name": "likewise: when it is shown",
    "RecordRow.sealed": "what was opened: the opening beside it is what is shown, and fits the commitment or not",
    "RecordRow.reading": "what was read in a picture for a later turn, until that turn opens: this one has",
    "RecordRow.lost": "that its key was lost, of a record that was never opened; this one is",
}


def holds(office: Office, record: GameRecord) -> bool:
    """Whether the transcript can be written, and holds."""
    try:
        return report(office, record).holds
    except Exception:
        return False


def other(value: Any) -> Any:
    if isinstance(value, bytes):
        return value[:-1] + bytes([value[-1] ^ 1]) if value else b"x"
    return 1 if value is None else changed(value)


def test_every_stored_value_of_the_chain(office: Office, clock: SimulatedClock) -> None:
    """Of a game after its first turn, in which somebody has sent a sheet."""
    record, players, _ = begin(office, shows_senders="nobody")
    send_all(office, record, players, 1)
    passes(office, clock, timedelta(days=1))
    power = next(iter(players))
    submissions.submit(office, players[power], record.key, power, "# I hold")
    assert holds(office, record)
    missed = set()
    lines = {row.kind: row for row in stored(office, LineRow)}
    rows: list[Any] = [*lines.values(), *stored(office, PrivateRow)[:2]]
    rows += [row for row in stored(office, RecordRow) if row.opening][:2]
    for row in rows:
        for column in msgspec.structs.fields(row):
            if column.name in ("id", "game", "submission"):
                continue
            name = f"{type(row).__name__}.{column.name}"
            try:
                alter(office, type(row), {column.name: other(getattr(row, column.name))}, id=row.id)
            except IntegrityError:
                continue  # the database itself refuses it
            if holds(office, record):
                missed.add(name)
            alter(office, type(row), {column.name: getattr(row, column.name)}, id=row.id)
    assert missed - MEANS_NOTHING.keys() == set()
    assert holds(office, record)
