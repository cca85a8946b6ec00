"""What a transaction writes late is written, or nothing of it is: with full disks, parts that fail, rows that are taken
away, and others who write meanwhile."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from legation.office.clock import SimulatedClock
from legation.office.context import Actor, CommandContext
from legation.office.errors import UnavailableError
from legation.office.game import journal
from legation.office.office import Office
from legation.office.operation import demo, work
from legation.office.operation.work import Kind, sweep_guests
from legation.office.store import queries
from legation.office.store.rows import JournalRow, PersonRow, TurnRow
from legation.office.store.store import Writers
from tests.office.playing import begin
from tests.waiting import wait_for

Make = Callable[..., Office]


def line(kind: str) -> JournalRow:
    return JournalRow(game=None, at=1, kind=kind, person=None, role="clock", seen_by="all")


def names(office: Office) -> set[str]:
    with office.store.transaction(write=False) as tx:
        return {row.name for row in tx.all(PersonRow)}


def test_the_last_number_of_the_journal_never_falls(make_office: Make, clock: SimulatedClock, database: str) -> None:
    """Who has seen a line of a guest that is swept is told of the line after it."""
    office = make_office(database=database)
    demo.seat_guest(office, "hundred")
    before = journal.last_entry(office)
    clock.advance(timedelta(days=3))
    with office.store.transaction() as tx:
        assert sweep_guests(CommandContext(office, Actor.clock(), tx, "sweep", office.clock.now())) == 1
    assert journal.last_entry(office) > before
    with office.store.transaction(write=False) as tx:
        assert [row.kind for row in tx.all(JournalRow) if row.id > before] == ["guest gone"]


@pytest.mark.parametrize("goes_on", [True, False])
def test_where_the_disk_is_full_in_a_part_nothing_of_the_whole_is_done(office: Office, goes_on: bool) -> None:
    """SQLite undoes the whole transaction then, and would write each statement after it for good: also where whoever
    began the part goes on without it."""
    if not office.store.sqlite:
        pytest.skip("PostgreSQL does nothing more in such a transaction")
    with pytest.raises(UnavailableError), office.store.transaction() as tx:
        tx.add(PersonRow(name="first", email=None, since=0))
        if goes_on:
            tx.enter(PersonRow(name="late", email=None, since=0))
        with contextlib.suppress(UnavailableError), office.store.transaction() as part:
            room = part.connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            part.connection.exec_driver_sql(f"PRAGMA max_page_count={room}")
            part.enter(JournalRow(game=None, at=1, kind="x" * 5_000_000, person=None, role="clock", seen_by="all"))
            part.write_lines()
        with contextlib.suppress(sa.exc.PendingRollbackError):
            tx.connection.exec_driver_sql("PRAGMA max_page_count=1000000")  # there is room again
        if goes_on:
            tx.add(PersonRow(name="after", email=None, since=0))
    assert names(office) == set()
    with office.store.transaction() as tx:
        tx.add(PersonRow(name="again", email=None, since=0))
    assert names(office) == {"again"}


def test_what_the_whole_is_given_while_a_part_is_open_is_a_part_of_it(make_office: Make, database: str) -> None:
    office = make_office(database=database)
    with office.store.transaction() as tx:
        first = tx.add(PersonRow(name="first", email=None, since=0))
        with office.store.transaction() as part:
            part.add(PersonRow(name="second", email=None, since=0))
            tx.change(first, name="changed")
            tx.enter(PersonRow(name="entered", email=None, since=0))
            tx.notifications.add("mail")
        assert "mail" in tx.notifications
        with contextlib.suppress(ZeroDivisionError), office.store.transaction():
            tx.change(first, name="undone")
            raise ZeroDivisionError
    assert names(office) == {"changed", "second", "entered"}


def test_what_could_not_be_written_is_not_forgotten(office: Office) -> None:
    """A late write that fails is not dropped because somebody who only asked got the error, and goes on."""
    with pytest.raises(sa.exc.IntegrityError), office.store.transaction() as tx:
        tx.add(PersonRow(name="first", email=None, since=0))
        tx.enter(JournalRow(game=77, at=1, kind="x", person=None, role="clock", seen_by="all"))
        with contextlib.suppress(Exception):
            tx.count(JournalRow)
    assert names(office) == set()


def test_what_is_done_after_the_commit_is_done_whatever_of_it_fails(office: Office) -> None:
    """The transaction is over by then: nothing of it is undone, told as undone, or done as a part of it."""
    done: list[str] = []

    def writes() -> None:
        with office.store.transaction() as tx:
            tx.add(PersonRow(name="after", email=None, since=0))
        done.append("writes")

    def fails() -> None:
        raise OSError("no room")

    with office.store.transaction() as tx:
        tx.add(PersonRow(name="first", email=None, since=0))
        tx.afterwards("fails", fails)
        tx.afterwards("writes", writes)
    assert done == ["writes"] and names(office) == {"first", "after"}


def test_lines_of_the_journal_that_are_not_written_yet_are_read(make_office: Make, database: str) -> None:
    office = make_office(database=database)
    with office.store.transaction() as tx:
        before = queries.latest_entry(tx)
        tx.enter(line("first"))
        assert queries.latest_entry(tx) > before
        tx.enter(line("second"))
        assert tx.remove(JournalRow, kind="second") == 1
        tx.enter(line("third"))
        assert [row.kind for row in tx.all(JournalRow) if row.id > before] == ["first", "third"]


def test_who_waits_for_what_another_makes_has_it_when_it_is_made(office: Office) -> None:
    """Also where all questions are answered by one state of the database, as while a mail is written."""
    begun, go_on, told = threading.Event(), threading.Event(), []

    def make() -> bytes:
        begun.set()
        assert go_on.wait(30)
        return b"made"

    other = threading.Thread(target=lambda: office.shared.once("map", "of a turn", make, 600))
    other.start()
    assert begun.wait(30)
    threading.Timer(0.3, go_on.set).start()
    at = time.monotonic()
    with office.store.reading():
        with office.store.transaction(write=False) as tx:
            tx.count(PersonRow)  # the state is that of now
        told.append(office.shared.once("map", "of a turn", lambda: b"again", 600))
    other.join(30)
    assert told == [b"made"] and time.monotonic() - at < 120


def test_who_comes_first_writes_first(office: Office) -> None:
    """A worker that comes back at once, as while many turns are due, keeps no page waiting for more than what it does
    at a time; whoever waits too long is told, and is in nobody's way."""
    if not office.store.sqlite:
        pytest.skip("PostgreSQL lets many write")
    written: list[str] = []
    first, second = (threading.Thread(target=write, args=(office, name, written)) for name in ("first", "second"))
    with office.store.transaction():
        for number, thread in enumerate((first, second)):
            thread.start()
            wait_for_writers(office, number + 1)
        office.store.writers.patience = 0
        with pytest.raises(UnavailableError, match="busy"), ThreadPoolExecutor(1) as impatient:
            impatient.submit(write, office, "third", written).result()
        office.store.writers.patience = 60
    write(office, "again", written)
    for thread in (first, second):
        thread.join(60)
    assert written == ["first", "second", "again"]


@pytest.mark.parametrize("called", [True, False], ids=["when it is its turn", "before"])
def test_who_is_interrupted_while_it_waits_is_in_nobody_s_way(monkeypatch: pytest.MonkeyPatch, called: bool) -> None:
    class Interrupted(threading.Event):
        """A wait that Ctrl-C ends."""

        def wait(self, timeout: float | None = None) -> bool:
            if called:
                writers._go_on()
            raise KeyboardInterrupt

    writers = Writers(1)
    with contextlib.ExitStack() as first:
        if called:
            writers._wait()
        else:
            first.enter_context(writers.alone())
        with monkeypatch.context() as patched:
            patched.setattr(threading, "Event", Interrupted)
            with pytest.raises(KeyboardInterrupt), writers.alone():
                raise AssertionError("it was not its turn")
    with writers.alone():
        assert not writers._waiting


def write(office: Office, name: str, written: list[str]) -> None:
    with office.store.transaction() as tx:
        tx.add(PersonRow(name=name, email=None, since=0))
        written.append(name)


def wait_for_writers(office: Office, writers: int) -> None:
    wait_for(lambda: len(office.store.writers._waiting) >= writers)


def test_turns_that_take_long_are_not_all_done_in_one_transaction(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others may write between them, and nothing is prepared or done twice."""
    if not office.store.sqlite:
        pytest.skip("there each is a transaction of its own")
    records = [begin(office, "hundred", name=f"Game {number}", folk=f"of{number}")[0] for number in range(3)]
    assert records[0].turn is not None
    clock.set(records[0].turn.deadline)
    kinds, told, held = work._kinds(), [], []
    close = kinds["close turn"]

    def prepare(office: Office, facts: dict[str, Any]) -> Any:
        told.append(("prepared", facts["turn"]))
        return close.prepare(office, facts) if close.prepare else None

    def do(act: CommandContext, facts: dict[str, Any], prepared: Any) -> None:
        told.append(("done", facts["turn"]))
        held.append(act.tx)
        close.do(act, facts, prepared)

    monkeypatch.setattr(work, "LONGEST", 0)
    monkeypatch.setattr(work, "_kinds", lambda: {**kinds, "close turn": Kind(do, prepare)})
    work.run_due(office)
    assert told == [(what, turn) for what in ("prepared", "done") for turn in (1, 2, 3)]
    assert len(set(map(id, held))) == 3
    with office.store.transaction(write=False) as tx:
        assert {row.state for row in tx.all(TurnRow, number=1)} == {"final"}
