"""What depends on the database, on SQLite and on PostgreSQL: many at
once, workers beside each other, upgrades, moving."""

import contextlib
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from legation.game import replay
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import CommandContext, GameContext, by_clock, command
from legation.office.desk import letters, mailings
from legation.office.errors import ConflictError, InvalidInputError, UnavailableError
from legation.office.game import journal
from legation.office.hosting import exports, games, moderation
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.operation import archive, demo, health, work
from legation.office.operation.work import Kind, sweep_guests
from legation.office.orders import filing, submissions
from legation.office.settings import Settings
from legation.office.store import queries
from legation.office.store.migrating import open_store, upgrade, version
from legation.office.store.rows import (
    BlockRow,
    GameRow,
    JournalRow,
    LineRow,
    MuteRow,
    PersonRow,
    Row,
    SeatRow,
    SubmissionRow,
    TurnRow,
    metadata,
)
from legation.office.store.store import ANYTHING, Store, Writers
from legation.office.store.transaction import DuplicateRowError, Transaction
from tests.office.fixtures import url_of
from tests.office.later import LATER, release
from tests.office.playing import CONSOLE, begin, counted, passes, refuses, row_with, send_all, stored
from tests.waiting import wait_for

Make = Callable[..., Office]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    return url_of(request)


def test_a_whole_game_on_each_database(make_office: Make, clock: SimulatedClock, database: str) -> None:
    office = make_office(database=database)
    record, players, host = begin(office, coordinated=True)
    for number in range(5):
        send_all(office, record, players, number)
        passes(office, clock, timedelta(days=1))
    assert len(games.turns(office, host, record.key)) >= 5
    assert exports.rebuild(office, host, record.key) == []
    assert replay(exports.saved_game(office, host, record.key))[1] == []


def test_three_workers_do_everything_once(make_office: Make, clock: SimulatedClock, database: str) -> None:
    office = make_office(database=database)
    keys = []
    for number in range(3):
        record, players, host = begin(office, name=f"Game {number}", coordinated=True)
        send_all(office, record, players, number)
        keys.append(record.key)
    clock.advance(timedelta(days=1))
    workers = [make_office(database=database) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work.run_due, workers))
    work.run_due(office)
    for key in keys:
        kinds = Counter(e.kind for e in journal.entries(office, host, key, limit=1000))
        assert (kinds["turn closed"], kinds["seals opened"], kinds["judged"], kinds["final results"]) == (1, 1, 1, 1)
        assert kinds["turn opened"] == 2
    sent: list[str] = []

    def send(worker: Office) -> None:
        while batch := mailings.claim(worker, limit=3):
            for mailing in batch:
                sent.append(mailing.message_id)
                mailings.sent(worker, mailing)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(send, workers))
    assert len(sent) == len(set(sent)) > 0


def test_versions_that_come_at_once_are_counted(make_office: Make, database: str) -> None:
    office = make_office(database=database)
    record, players, _ = begin(office)
    versions: list[int] = []

    def send(number: int) -> None:
        receipt = submissions.submit(
            office, players["France"].once(f"key {number % 5}"), record.key, "France", f"# {number % 5}"
        )
        versions.append(receipt.version)

    with ThreadPoolExecutor(5) as pool:
        for done in [pool.submit(send, n) for n in range(10)]:
            try:
                done.result()
            except ConflictError:  # the same key at the same moment: one acts, the other is told
                continue
    assert sorted(set(versions)) == list(range(1, 6))
    assert len(submissions.mine(office, players["France"], record.key, "France")) == 5


def test_what_is_withdrawn_while_a_turn_closes_is_withdrawn_before_or_not_at_all(
    make_office: Make, clock: SimulatedClock, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = make_office(database=database)
    record, players, _ = begin(office)
    sent = submissions.submit(office, players["France"], record.key, "France", "A par H")
    refuse_late, closing = filing.refuse_late, list[Future[object]]()

    def look(scene: GameContext, turn: TurnRow, at: int) -> None:
        refuse_late(scene, turn, at)
        clock.set(sent.deadline)
        closing.append(pool.submit(work.run_due, office))
        with contextlib.suppress(TimeoutError):
            closing[0].result(1)

    monkeypatch.setattr(submissions, "refuse_late", look)
    with ThreadPoolExecutor(1) as pool:
        submissions.withdraw(office, players["France"], sent.submission)
    closing[0].result()
    lines = [line.kind for line in stored(office, LineRow)]
    assert lines.index("withdrawn") < lines.index("closed")


def test_a_failed_command_leaves_nothing_and_rows_that_must_be_alone_are(make_office: Make, database: str) -> None:
    office = make_office(database=database)
    with pytest.raises(ZeroDivisionError), office.store.transaction() as tx:
        tx.add(PersonRow(name="a", email="a@example.org", since=1))
        raise ZeroDivisionError
    assert counted(office, PersonRow) == 0
    # rows that must be alone are
    with office.store.transaction() as tx:
        tx.add(PersonRow(name="a", email="a@example.org", since=1))
        refuses(DuplicateRowError, tx.add, PersonRow(name="b", email="a@example.org", since=1))
        tx.add(PersonRow(name="c", email="c@example.org", since=1))
    assert counted(office, PersonRow) == 2


OLD_ROWS = (
    row_with(PersonRow, name="A", email="a@x.org"),
    row_with(GameRow, key="old"),
    row_with(SeatRow, game=1),
    row_with(TurnRow, game=1, deadline=7),
    row_with(SubmissionRow, turn=1, seat=1),
)
"""Rows that name each other: a game, a seat, a turn, a sheet."""


def _new_store(kind: str, request: pytest.FixtureRequest, folder: Path) -> Store:
    return Store(f"sqlite:///{folder}/new.db" if kind == "sqlite" else request.getfixturevalue("postgres")())


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_new_database_has_the_tables_of_the_records(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    store = _new_store(kind, request, tmp_path)
    upgrade(store)
    found = sa.inspect(store.engine)
    words = {name for name in found.get_table_names() if name.startswith("press_words")}  # SQLite's index
    assert {*found.get_table_names()} - words == {*metadata.tables, "alembic_version"}
    for table in metadata.sorted_tables:
        columns = {c["name"]: (c["nullable"], c["type"].python_type) for c in found.get_columns(table.name)}
        assert columns == {c.name: (c.nullable, c.type.python_type) for c in table.columns}, table.name
        links = {(*k["constrained_columns"], k["referred_table"]) for k in found.get_foreign_keys(table.name)}
        assert links == {(k.parent.name, k.column.table.name) for k in table.foreign_keys}, table.name
        unique = {c["name"]: tuple(c["column_names"]) for c in found.get_unique_constraints(table.name)}
        rules = [c for c in table.constraints if isinstance(c, sa.UniqueConstraint)]
        assert unique == {c.name: tuple(c.columns.keys()) for c in rules}, table.name
        indexes = {
            i["name"]: tuple(i["column_names"]) for i in found.get_indexes(table.name) if None not in i["column_names"]
        }
        wanted = {str(i.name): tuple(i.columns.keys()) for i in table.indexes}
        assert {name: names for name, names in indexes.items() if name not in unique} == wanted, table.name
    store.close()
    open_store(store.url).close()  # and opening it again changes nothing


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_earlier_version_is_upgraded(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With rows in it that name each other."""
    store = _new_store(kind, request, tmp_path)
    upgrade(store)
    with store.transaction() as tx:
        for row in OLD_ROWS:
            tx.add(row)
    release(monkeypatch, tmp_path)
    upgrade(store)
    assert version(store) == LATER
    with store.transaction(write=False) as tx:
        assert [p.name for p in tx.all(PersonRow)] == ["A"]
        (turn,) = tx.all(TurnRow)
        assert turn.deadline == 7
        assert tx.count(SubmissionRow, turn=turn.id) == 1
    with pytest.raises(sa.exc.IntegrityError), store.engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM turns"))  # rows that are named are guarded, as ever
    columns = {c["name"]: c["nullable"] for c in sa.inspect(store.engine).get_columns("turns")}
    assert columns["deadline"] and not columns["opened"]
    store.close()


def test_an_office_moves_to_postgresql_with_its_keys_and_by_a_backup_on(
    office: Office, clock: SimulatedClock, postgres: Callable[[], str], tmp_path: Path
) -> None:
    record, players, host = begin(office)
    send_all(office, record, players, 1)
    passes(office, clock, timedelta(days=1))
    url = postgres()
    archive.move(office, url)
    refuses(ConflictError, archive.move, office, url)
    settings = office.settings.model_copy(update={"database": url})
    refuses(InvalidInputError, open_office, tmp_path / "big", settings, clock).match("The office's own key")
    moved = open_office(tmp_path / "office", settings, clock)
    assert games.game(moved, host, record.key) == games.game(office, host, record.key)
    record = games.game(moved, host, record.key)
    send_all(moved, record, players, 2)  # and it goes on there: numbers of rows do not collide
    passes(moved, clock, timedelta(days=1))
    assert games.result(moved, host, record.key).number == 2
    moved.close()
    folder, backup = tmp_path / "office", tmp_path / "backup.tar.gz"
    (folder / "office.toml").write_text(f'database = "{url}"\nsettling = 0\n')
    assert archive.backup(folder, backup) > 10
    with pytest.raises(ConflictError, match="destination isn't empty"):  # its settings name the database that is full
        archive.restore(backup, tmp_path / "again", keys=folder / "keys")


def test_who_has_seen_a_line_of_the_journal_has_seen_all_before_it(make_office: Make, database: str) -> None:
    """Two write at the same time; whichever line is there first has the lower number, also while one of them reads what
    it has written."""
    office = make_office(database=database)

    def write(kind: str) -> None:
        with office.store.transaction() as tx:
            tx.enter(line(kind))
        written.set()

    def after(number: int) -> list[str]:
        return [row.kind for row in stored(office, JournalRow) if row.id > number]

    written = threading.Event()
    with office.store.transaction() as tx:
        tx.enter(line("begun first"))
        if tx.locks:  # on SQLite nobody else can write now
            with ThreadPoolExecutor(1) as another:
                another.submit(write, "begun second").result()
                assert another.submit(after, 0).result() == ["begun second"]
    last, _ = journal.follow(office, 0)
    assert after(0)[-1:] == ["begun first"]
    written.clear()
    with office.store.transaction() as tx:
        tx.enter(line("read"))
        assert tx.count(JournalRow, kind="read") == 1
        other = threading.Thread(target=write, args=("waits",))
        other.start()
        assert not written.wait(0.5)
    other.join(60)
    assert after(last) == ["read", "waits"]


def test_commands_that_cross_are_tried_again(
    tmp_path: Path, clock: SimulatedClock, postgres: Callable[[], str]
) -> None:
    office = open_office(tmp_path / "crossing", Settings(database=postgres()), clock, SeededRandomSource("crossing"))
    first, second = (people.register(office, CONSOLE, name, f"{name}@example.org").id for name in "ab")
    both = threading.Barrier(2)
    tries: list[int] = []

    @command("me", console="any")
    def cross(act: CommandContext, one: int, other: int) -> None:
        """Change two people, in this order."""
        act.asked = True
        tries.append(one)
        act.tx.get(PersonRow, one, lock=True)
        if len(tries) < 3:
            both.wait(30)
        act.tx.change(act.tx.get(PersonRow, other, lock=True), name=f"after {one}")

    ways = (first, second), (second, first)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda way: cross(office, CONSOLE, *way), ways))
    assert len(tries) > 2  # one was undone, and done after all
    assert names(office) == {f"after {first}", f"after {second}"}
    office.close()


def test_of_commands_that_add_the_same_at_once_each_is_done(
    make_office: Make, postgres: Callable[[str], str], tables_on_postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = make_office(database=postgres(tables_on_postgresql))
    record, players, _ = begin(office)
    player, add = players["France"], Transaction.add
    blocked = office.numbers.shown("person", players["England"].person or 0)
    for kind, do in (
        (MuteRow, lambda: letters.mute(office, player, record.key, "France", "England")),
        (BlockRow, lambda: moderation.block(office, player, blocked)),
        (PersonRow, lambda: people.register(office, CONSOLE, "Ann", "ann@example.org")),
    ):
        both = threading.Barrier(2)
        waiting = [both, both]  # both have looked and found none before either adds one

        def added(tx: Transaction, row: Any, kind: type[Row] = kind, waiting: list[threading.Barrier] = waiting) -> Any:
            if type(row) is kind and waiting:
                waiting.pop().wait(30)
            return add(tx, row)

        with monkeypatch.context() as patch, ThreadPoolExecutor(2) as pool:
            patch.setattr(Transaction, "add", added)
            one, other = [pool.submit(do) for _ in range(2)]
            assert one.result() == other.result()
        assert waiting == []


def test_a_transaction_within_another_is_undone_alone_and_lasts_with_the_whole(
    make_office: Make, database: str
) -> None:
    office = make_office(database=database)
    heard: list[str] = []
    end = office.store.notifier.listen(heard.append)

    with pytest.raises(RuntimeError), office.store.transaction():
        people.register(office, CONSOLE, "Ann", "ann@example.org")
        assert names(office) == {"Ann"}
        raise RuntimeError
    assert names(office) == set() and stored(office, JournalRow) == []
    with by_clock(office) as act:
        act.append_journal("first", seen_by="office")
        people.register(office, CONSOLE, "Ann", "ann@example.org")
        with pytest.raises(RuntimeError), by_clock(office) as part:
            part.append_journal("undone", seen_by="office")
            assert part.tx.count(JournalRow) >= 2  # numbers all lines so far
            part.tx.notifications.add("mail")
            raise RuntimeError
        refuses(InvalidInputError, games.create, office, CONSOLE, {"name": "", "variant": "hundred"})
        people.register(office, CONSOLE, "Ben", "ben@example.org")
        act.append_journal("last", seen_by="office")
    assert names(office) == {"Ann", "Ben"}
    kinds = [line.kind for line in stored(office, JournalRow)]
    assert "undone" not in kinds and [k for k in kinds if k in ("first", "last")] == ["first", "last"]
    assert "mail" not in heard
    end()


def test_a_database_that_only_reads_is_away_and_nothing_is_told_of_what_was_asked(
    make_office: Make, database: str
) -> None:
    """As after a failover: what was asked is not in the error."""
    office = make_office(database=database)
    with office.store.engine.connect() as connection:
        if office.store.sqlite:
            connection.exec_driver_sql("PRAGMA query_only=ON")
        else:
            connection.exec_driver_sql("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
            connection.commit()
    caught = refuses(UnavailableError, people.register, office, CONSOLE, "Ann", "ann@example.org")
    assert "ann@example.org" not in str(caught.value.__cause__)
    if office.store.sqlite:
        with office.store.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA query_only=OFF")
    assert people.register(office, CONSOLE, "Ann", "ann@example.org").name == "Ann"


PATIENCE = 30.0  # seconds


def test_news_is_heard_in_another_office_of_the_same_database(make_office: Make, postgres: Callable[..., str]) -> None:
    database = postgres()
    one, other = make_office(database=database), make_office(database=database)
    listening, game = threading.Event(), threading.Event()

    def hear(what: str) -> None:
        listening.set()
        if what == "game powick-bridge":
            game.set()

    deaf = other.store.notifier.listen(hear)
    assert listening.wait(PATIENCE)  # it has begun to listen
    with other.store.notifier.waiter("mail") as mail, other.store.notifier.waiter("work") as work:
        begin(one)
        assert game.wait(PATIENCE)
        assert mail(PATIENCE)
        assert work(PATIENCE)
    deaf()


def test_news_is_heard_in_the_same_process_once_committed(office: Office) -> None:
    people.register(office, CONSOLE, "Ann", "ann@example.org")  # else a game that has begun would be copied
    heard: list[str] = []
    deaf = office.store.notifier.listen(heard.append)
    record, players, _ = begin(office)
    assert {"mail", "work", "game powick-bridge"} <= set(heard)
    heard.clear()
    send_all(office, record, players, "x")
    assert "game powick-bridge" in heard
    deaf()
    heard.clear()
    begin(office, name="Another")
    assert not heard
    # what is not committed is not rung
    office.store.notifier.listen(heard.append)
    with contextlib.suppress(KeyError), office.store.transaction() as tx:
        tx.notifications.add("work")
        raise KeyError("x")
    assert not heard


def test_a_connection_that_breaks_is_made_anew_counted_and_tells_that_something_may_be_missed(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that breaks twice stands for PostgreSQL's."""
    notifier, tries, heard = office.store.notifier, [0], threading.Event()
    monkeypatch.setattr("legation.office.store.store.PAUSE", 0.01)

    def pass_on() -> None:
        tries[0] += 1
        if tries[0] <= 2:
            raise ConnectionResetError
        notifier.notify(ANYTHING)
        threading.Event().wait(0.01)

    monkeypatch.setattr(notifier, "_pass_on", pass_on)
    monkeypatch.setattr(notifier, "far", True)
    deaf = office.store.notifier.listen(lambda what: heard.set() if what == ANYTHING else None)
    assert heard.wait(PATIENCE)
    thread = notifier._thread
    deaf()
    if thread is not None:
        thread.join(PATIENCE)
    told = health.metrics(office).decode()
    assert 'legation_failures_total{kind="ConnectionResetError",what="notifications"} 2.0' in told


def line(kind: str, game: int | None = None) -> JournalRow:
    return JournalRow(game=game, at=1, kind=kind, person=None, role="clock", seen_by="all")


def names(office: Office) -> set[str]:
    return {row.name for row in stored(office, PersonRow)}


def test_the_last_number_of_the_journal_never_falls(make_office: Make, clock: SimulatedClock, database: str) -> None:
    """Who has seen a line of a guest that is swept is told of the line after it."""
    office = make_office(database=database)
    demo.seat_guest(office, "hundred")
    before = journal.last_entry(office)
    clock.advance(timedelta(days=3))
    with by_clock(office) as act:
        assert sweep_guests(act) == 1
    assert journal.last_entry(office) > before
    assert [row.kind for row in stored(office, JournalRow) if row.id > before] == ["guest gone"]


@pytest.mark.parametrize("goes_on", [True, False])
def test_where_the_disk_is_full_in_a_part_nothing_of_the_whole_is_done(office: Office, goes_on: bool) -> None:
    """SQLite undoes the whole transaction then, and would write each statement after it for good: also where whoever
    began the part goes on without it."""
    with pytest.raises(UnavailableError), office.store.transaction() as tx:
        tx.add(PersonRow(name="first", email=None, since=0))
        if goes_on:
            tx.enter(PersonRow(name="late", email=None, since=0))
        with contextlib.suppress(UnavailableError), office.store.transaction() as part:
            room = part.connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            part.connection.exec_driver_sql(f"PRAGMA max_page_count={room}")
            part.enter(line("x" * 5_000_000))
            part.write_lines()
        with contextlib.suppress(sa.exc.PendingRollbackError):
            tx.connection.exec_driver_sql("PRAGMA max_page_count=1000000")  # there is room again
        if goes_on:
            tx.add(PersonRow(name="after", email=None, since=0))
    assert names(office) == set()
    with office.store.transaction() as tx:
        tx.add(PersonRow(name="again", email=None, since=0))
    assert names(office) == {"again"}


def test_what_is_open_or_not_written_yet_is_read_and_a_part_of_the_whole(make_office: Make, database: str) -> None:
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
    # lines of the journal that are not written yet are read
    with office.store.transaction() as tx:
        before = queries.latest_entry(tx)
        tx.enter(line("first"))
        assert queries.latest_entry(tx) > before
        tx.enter(line("second"))
        assert tx.remove(JournalRow, kind="second") == 1
        tx.enter(line("third"))
        assert [row.kind for row in tx.all(JournalRow) if row.id > before] == ["first", "third"]


def test_what_could_not_be_written_is_not_forgotten(office: Office) -> None:
    """A late write that fails is not dropped because somebody who only asked got the error, and goes on."""
    with pytest.raises(sa.exc.IntegrityError), office.store.transaction() as tx:
        tx.add(PersonRow(name="first", email=None, since=0))
        tx.enter(line("x", game=77))
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
    written: list[str] = []
    first, second = (threading.Thread(target=write, args=(office, name, written)) for name in ("first", "second"))
    waiting = office.store.writers.waiting
    with office.store.transaction():
        first.start()
        wait_for(lambda: len(waiting) > 1)
        second.start()
        wait_for(lambda: len(waiting) > 2)
        office.store.writers.patience = 0
        with pytest.raises(UnavailableError, match="busy"), ThreadPoolExecutor(1) as impatient:
            impatient.submit(write, office, "third", written).result()
        office.store.writers.patience = 60
    write(office, "again", written)
    for thread in (first, second):
        thread.join(60)
    assert written == ["first", "second", "again"]


@pytest.mark.parametrize("alone", [True, False])
def test_who_is_interrupted_is_in_nobody_s_way(monkeypatch: pytest.MonkeyPatch, alone: bool) -> None:
    def interrupted(*_: object) -> bool:
        """A wait that Ctrl-C ends."""
        raise KeyboardInterrupt

    writers = Writers(1)
    with contextlib.nullcontext() if alone else writers.alone():
        monkeypatch.setattr(writers._changed, "wait_for", interrupted)
        with pytest.raises(KeyboardInterrupt), writers.alone():
            raise AssertionError("it was not its turn")
    monkeypatch.undo()
    with writers.alone():
        assert len(writers.waiting) == 1


def write(office: Office, name: str, written: list[str]) -> None:
    with office.store.transaction() as tx:
        tx.add(PersonRow(name=name, email=None, since=0))
        written.append(name)


def test_turns_that_take_long_are_not_all_done_in_one_transaction(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others may write between them, and nothing is prepared or done twice."""
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
    assert {row.state for row in stored(office, TurnRow, number=1)} == {"final"}
