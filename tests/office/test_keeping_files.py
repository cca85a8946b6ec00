"""Files in an object store, files that no row names, a disk that is full, reminders as people prefer them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import httpx2
import pytest
import sqlalchemy as sa

from legation.office.clock import SimulatedClock
from legation.office.context import Actor, CommandContext
from legation.office.desk import mailings
from legation.office.errors import InvalidInputError, NotAllowedError, NotFoundError, UnavailableError
from legation.office.game import journal, seats
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import demo, work
from legation.office.operation.work import orphans, sweep_files, sweep_guests
from legation.office.orders import submissions
from legation.office.store.files import Files
from legation.office.store.rows import GameRow, SignUpRow
from tests.office.playing import begin, person

PICTURE = b"\xff\xd8 a photograph"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An S3-compatible store (moto's server) with an empty bucket; the answer is its URL."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    access = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "word", "AWS_REGION": "us-east-1"}
    for name, value in {**access, "AWS_ENDPOINT": f"http://{host}:{port}", "AWS_ALLOW_HTTP": "true"}.items():
        monkeypatch.setenv(name, value)
    httpx2.put(f"http://{host}:{port}/office").raise_for_status()
    yield "s3://office/sealed"
    server.stop()


def test_pictures_are_kept_in_an_object_store(make_office: Callable[..., Office], bucket: str) -> None:
    """A picture goes to the bucket sealed and comes back as it was; nothing lies in the folder."""
    office = make_office(files=bucket)
    record, players, _ = begin(office, coordinated=True)
    told = submissions.submit_pictures(
        office, players["France"], record.key, "France", [("a.jpg", PICTURE, "image/jpeg")]
    )
    ((name, _),) = office.files.names()
    assert PICTURE not in office.files.get(name)
    france, number, key = players["France"], told.submission, told.reading_key
    (digest,) = submissions.read_own(office, france, number, key).files
    assert submissions.own_file(office, france, number, digest, key)[2] == PICTURE
    office.files.remove(name)
    with pytest.raises(NotFoundError):
        office.files.get(name)


def test_a_store_that_cannot_be_reached_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def __getattr__(self, name: str) -> object:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("legation.office.store.files.obstore", Gone())
    with pytest.raises(UnavailableError):
        Files.in_memory().put(PICTURE)


def test_files_that_no_row_names_are_swept_after_a_day(office: Office, clock: SimulatedClock) -> None:
    """A picture whose submission never came to be goes; one that a submission names stays, and so does what is new."""
    record, players, _ = begin(office, coordinated=True)
    submissions.submit_pictures(office, players["France"], record.key, "France", [("a.jpg", PICTURE, "image/jpeg")])
    (kept,) = {name for name, _ in office.files.names()}
    orphan = office.files.put(b"an orphan")

    def sweep() -> int:
        with office.store.transaction() as tx:
            act = CommandContext(office, Actor.clock(), tx, "sweep", office.clock.now())
            return sweep_files(act, orphans(office))

    clock.set(datetime.now(UTC))
    assert sweep() == 0 and {name for name, _ in office.files.names()} == {kept, orphan}
    clock.advance(timedelta(days=2))
    assert sweep() == 1 and {name for name, _ in office.files.names()} == {kept}


def test_a_full_disk_refuses_loudly_and_loses_nothing(office: Office) -> None:
    """What was accepted stays; what was refused left nothing; when there is room again, it goes on."""
    record, players, _ = begin(office)
    text = "A par H\n" + "# " + "x" * 30_000
    full: list[int] = []

    @sa.event.listens_for(office.store.engine, "begin")
    def limit(connection: sa.Connection) -> None:
        if full:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {full[0]}")

    with office.store.transaction(write=False) as tx:
        pages = int(tx.connection.exec_driver_sql("PRAGMA page_count").scalar_one())
    full.append(pages + 80)
    taken = []
    with pytest.raises(UnavailableError, match="disk is full"):
        for _ in range(40):
            taken.append(submissions.submit(office, players["France"], record.key, "France", text))
    assert taken
    own = submissions.mine(office, players["France"], record.key, "France")
    assert [s.commitment for s in own] == [receipt.commitment for receipt in taken]
    full[0] = 1_000_000
    assert submissions.submit(office, players["France"], record.key, "France", text).version == len(taken) + 1
    last = taken[-1]
    opened = submissions.read_own(office, players["France"], last.submission, last.reading_key)
    assert opened.text.startswith("A par H")


def test_everybody_is_reminded_when_they_wish(office: Office, clock: SimulatedClock) -> None:
    """One wants to hear six hours before, one never; the others are reminded as the game is set."""
    actors = {}
    host = person(office, "Host")
    made = games.create(office, host, {"name": "Valmy", "variant": "hundred", "settings": {"reminder_hours": 12}})
    for seat in made.seats:
        actors[seat.power] = person(office, f"Of{seat.power}")
    early, never, usual = actors.values()
    people.set_preferences(office, early, {"reminder_hours": 6})
    people.set_preferences(office, never, {"reminder_hours": 0})
    for power, actor in actors.items():
        seats.sign_up(office, actor, made.key, [power])
    work.run_due(office)
    due = games.game(office, host, made.key).turn
    assert due is not None and due.deadline is not None
    told: dict[int, set[int | None]] = {}
    for hours in (13, 11, 5):
        clock.set(due.deadline - timedelta(hours=hours))
        work.run_due(office)
        claimed = mailings.claim(office, limit=200)
        told[hours] = {m.person for m in claimed if m.kind == "reminder"}
        assert all(mailings.sent(office, mailing) for mailing in claimed)
    assert told == {13: set(), 11: {usual.person}, 5: {early.person}}
    with pytest.raises(InvalidInputError, match="preferences"):
        people.set_preferences(office, early, {"reminder_hours": "soon"})


def test_guests_are_swept_after_their_day_with_their_games(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    alone, other = (demo.seat_guest(office, "hundred") for _ in range(2))
    joined = people.by_secret(office, other[0].secret)
    game = games.create(office, players["France"], {"name": "Another", "variant": "hundred"})
    with pytest.raises(NotAllowedError, match="A trial seat"):
        seats.sign_up(office, joined, game.key, ["France"])
    with office.store.transaction() as tx:  # as it was done under an earlier version
        tx.add(SignUpRow(game=tx.get(GameRow, 4).id, person=joined.person or 0, preferences=b"", at=0))
    before = journal.follow(office, 0)[0]

    def sweep() -> int:
        with office.store.transaction() as tx:
            return sweep_guests(CommandContext(office, Actor.clock(), tx, "sweep", office.clock.now()))

    clock.advance(timedelta(days=1))
    assert sweep() == 0
    clock.advance(timedelta(days=2))
    assert sweep() == 1 and sweep() == 0
    assert journal.follow(office, before)[0] > before
    left = {line.key for line in games.list_games(office, Actor.console())}
    assert left == {record.key, game.key, other[1]}  # who plays elsewhere, too, stays
    with pytest.raises(NotFoundError):
        games.game(office, Actor.console(), alone[1])
    work.run_due(office)
    assert games.game(office, Actor.console(), record.key).state == "running"
