"""Absences: days on which a person is away. If a game allows for it, no deadline falls into one."""

from __future__ import annotations

from datetime import date, timedelta

from legation.office.context import CommandContext, command, query
from legation.office.errors import InvalidInputError, LimitExceededError, NotFoundError
from legation.office.hosting.deadlines import make_room
from legation.office.permissions import Call
from legation.office.records import AbsenceRecord, record_of
from legation.office.store.rows import AbsenceRow

LONGEST = timedelta(days=366)
MOST = 50  # of one person that are not over


@command("me", "POST /me/absences", Call(creates=True), person="any")
def announce(act: CommandContext, first: str, last: str, note: str = "") -> AbsenceRecord:
    """Announce an absence, from one day to another (ISO dates, both included). Where orders are still awaited from who
    tells, the present deadline moves as well."""
    person = act.allow()
    begin, end = read_day(first, "first"), read_day(last, "last")
    if end < begin or end - begin > LONGEST:
        raise InvalidInputError(
            "An absence must end after it begins, within a year.", faults=["last: not before first, within a year"]
        )
    coming = [row for row in act.tx.all(AbsenceRow, person=person) if row.last >= act.now.date().isoformat()]
    if len(coming) >= MOST:
        raise LimitExceededError(f"You have {MOST} absences already. Remove one first.")
    row = AbsenceRow(person=person, first=begin.isoformat(), last=end.isoformat(), note=note[:200], made=act.at)
    row = act.tx.add(row)
    make_room(act, person)
    return _record(act, row)


@command("me", "DELETE /me/absences/{absence}", person="any")
def take_back(act: CommandContext, absence: int) -> None:
    """Cancel an absence."""
    if not act.tx.remove(AbsenceRow, id=act.office.numbers.row("absence", absence), person=act.allow()):
        raise NotFoundError("This absence doesn't exist.")


@query("read", "GET /me/absences", guest="any", person="any")
def absences(act: CommandContext) -> list[AbsenceRecord]:
    """Return the actor's absences, past and future."""
    return [_record(act, row) for row in act.tx.all(AbsenceRow, order="first", person=act.allow())]


def read_day(text: str, field: str) -> date:
    """A day as ``2026-11-21``.

    :raises InvalidInputError: if it is none.
    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidInputError(f"{text[:40]!r} isn't a day.", faults=[f"{field}: write a day as 2026-11-21"]) from None


def _record(act: CommandContext, row: AbsenceRow) -> AbsenceRecord:
    return record_of(AbsenceRecord, row, id=act.office.numbers.shown("absence", row.id))
