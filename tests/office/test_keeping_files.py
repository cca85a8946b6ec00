"""Files in an object store, files that no row names, reminders as people prefer them, people who are erased."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx2
import msgspec
import pytest
import structlog

from legation.office.clock import SimulatedClock
from legation.office.context import by_clock
from legation.office.desk import desk, letters, mailings, mailroom, readings
from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    NotAllowedError,
    NotFoundError,
    SignInNeededError,
    UnavailableError,
)
from legation.office.game import seats
from legation.office.hosting import absences, erasing, games, proofs, roster
from legation.office.identity import people
from legation.office.keys import seals
from legation.office.monitoring import logs
from legation.office.office import Office
from legation.office.operation import demo, work
from legation.office.operation.work import sweep_guests
from legation.office.orders import submissions
from legation.office.store.packing import unpack
from legation.office.store.rows import TABLES, GameRow, SignUpRow
from tests.office.playing import (
    CONSOLE,
    VISITOR,
    begin,
    gather,
    passes,
    person,
    picture,
    refuses,
    send_all,
    stored,
    turn_now,
    unmatched_mail,
)

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
    for _ in range(2):  # it may be gone already
        office.files.remove(name)
    refuses(NotFoundError, office.files.get, name)


def test_files_that_cannot_be_read_or_written_are_waited_for(office: Office, tmp_path: Path) -> None:
    name = office.files.put(PICTURE)
    (kept,) = (tmp_path / "office").rglob(name)
    kept.unlink()
    refuses(NotFoundError, office.files.get, name).match("no longer exists")
    kept.parent.rmdir()
    kept.parent.write_text("a file where a folder was")
    refuses(UnavailableError, office.files.get, name).match(r"can.t be read right now\. Try again")
    refuses(UnavailableError, office.files.put, PICTURE).match(r"can.t be written right now\. Try again")
    refuses(UnavailableError, office.files.remove, name).match(r"can.t be written right now\. Try again")


def swept(office: Office) -> int:
    """Sweep files, which have the time of the machine; how many went."""
    kept = len(list(office.files.names()))
    with by_clock(office) as act:
        work.sweep(act, {}, work.orphans(office))
    return kept - len(list(office.files.names()))


def test_files_that_no_row_names_are_swept_after_a_day(office: Office, clock: SimulatedClock) -> None:
    """A picture whose submission never came to be goes; one that a submission names stays, and so does what is new."""
    record, players, _ = begin(office, coordinated=True)
    submissions.submit_pictures(office, players["France"], record.key, "France", [("a.jpg", PICTURE, "image/jpeg")])
    (kept,) = {name for name, _ in office.files.names()}
    orphan = office.files.put(b"an orphan")

    clock.set(datetime.now(UTC))
    assert swept(office) == 0 and {name for name, _ in office.files.names()} == {kept, orphan}
    clock.advance(timedelta(days=2))
    assert swept(office) == 1 and {name for name, _ in office.files.names()} == {kept}
    # mails on the desk outlast the sweep
    number = unmatched_mail(office, game=record.key, power="France")
    clock.advance(timedelta(days=36500))
    assert swept(office) == 0 and len(list(office.files.names())) == 2
    desk.settle(office, CONSOLE, number)
    assert swept(office) == 1


def test_everybody_is_reminded_when_they_wish(office: Office, clock: SimulatedClock) -> None:
    """One wants to hear six hours before, one never; the others are reminded as the game is set."""
    actors = {}
    host = person(office, "Host")
    made = gather(office, host, "Valmy", reminder_hours=12)
    for seat in made.seats:
        actors[seat.power] = person(office, f"Of{seat.power}")
    early, never, usual = actors.values()
    people.set_preferences(office, early, {"reminder_hours": 6})
    people.set_preferences(office, never, {"reminder_hours": 0})
    for power, actor in actors.items():
        seats.sign_up(office, actor, made.key, [power])
    work.run_due(office)
    due = turn_now(office, host, made.key)
    told: dict[int, set[int | None]] = {}
    for hours in (13, 11, 5):
        passes(office, clock, due.deadline - timedelta(hours=hours))
        claimed = mailings.claim(office, limit=200)
        told[hours] = {m.person for m in claimed if m.kind == "reminder"}
        assert all(mailings.sent(office, mailing) for mailing in claimed)
    assert told == {13: set(), 11: {usual.person}, 5: {early.person}}
    refuses(InvalidInputError, people.set_preferences, office, early, {"reminder_hours": "soon"}).match("preferences")


def test_guests_are_swept_after_their_day_with_their_games(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    alone, other = (demo.seat_guest(office, "hundred") for _ in range(2))
    joined = people.by_secret(office, other[0].secret)
    game = gather(office, players["France"], "Another")
    refuses(NotAllowedError, seats.sign_up, office, joined, game.key, ["France"]).match("A trial seat")
    with office.store.transaction() as tx:  # which a trial seat is refused
        tx.add(SignUpRow(game=tx.get(GameRow, 4).id, person=joined.person or 0, preferences=b"", at=0))

    def sweep() -> int:
        with by_clock(office) as act:
            return sweep_guests(act)

    clock.advance(timedelta(days=1))
    assert sweep() == 0
    clock.advance(timedelta(days=2))
    assert sweep() == 1 and sweep() == 0
    left = {line.key for line in games.list_games(office, CONSOLE)}
    assert left == {record.key, game.key, other[1]}  # who plays elsewhere, too, stays
    refuses(NotFoundError, games.game, office, CONSOLE, alone[1])
    work.run_due(office)
    assert games.game(office, CONSOLE, record.key).state == "running"


MARKS = ("quillfeather", "candlewick", "zelda")
DAY = timedelta(days=1)


def words(office: Office) -> list[str]:
    """All that the database says, opened with the office's own key where it was locked with that, small letters."""
    said = []
    for kind in TABLES:
        for row in stored(office, kind):
            for value in msgspec.structs.astuple(row):
                said += [_read(office, value)] if isinstance(value, bytes) else [str(value)]
    return [word.casefold() for word in said]


def _read(office: Office, value: bytes) -> str:
    ways: list[Callable[[bytes], object]] = [lambda v: seals.unlock(office.master_key, v).decode(), unpack]
    for way in ways:
        try:
            return str(way(value))
        except Exception:  # it is locked with another key, or not at all
            continue
    return value.decode("latin-1")


def found(office: Office) -> list[str]:
    return [f"{mark}: {word[:80]}" for word in words(office) for mark in MARKS if mark in word]


def test_nothing_is_left_of_who_is_erased_and_the_games_go_on(
    office: Office, clock: SimulatedClock, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    logs.configure()
    office.log = structlog.get_logger("office")
    record, players, _ = begin(office, ready_ends=False)
    known = people.register(office, CONSOLE, "Zelda Quillfeather", "zelda@candlewick.example")
    zelda = people.as_person(office, known.id)
    # a seat, with all that one leaves behind there
    seats.resign(office, players["France"], record.key, "France", "enough")
    seats.take_over(office, zelda, record.key, "France")
    submissions.submit(office, zelda, record.key, "France", "A par H  # quillfeather was here")
    received = submissions.submit(office, zelda, record.key, "France", "A par H")  # this is what all will see
    letters.write(office, zelda, record.key, "France", ["England"], "I shall hold.")
    send_all(office, record, players | {"France": zelda}, 1)
    passes(office, clock, 2 * DAY)
    submissions.submit(office, zelda, record.key, "France", "A dau H")
    # ways to sign in, preferences, addresses, days away
    token = people.make_token(office, zelda, "zelda's program", ("read",)).secret
    feed = people.make_feed(office, zelda, "zelda's calendar").secret
    people.set_preferences(office, zelda, {"zone": "Europe/Madrid"})
    roster.add_address(office, zelda, ["Zelda Quillfeather", "Candlewick Lane 1"], "Spain", primary=True)
    today = clock.now().date()
    absences.announce(office, zelda, str(today), str(today + DAY), "in Candlewick")
    # mail on its way out, mail that waits, mail at the desk, an invitation
    people.ask_link(office, VISITOR, "zelda@candlewick.example")
    mailings.queue(office, "answer", {"content": "dear zelda"}, address="zelda@candlewick.example")
    leased = mailings.claim(office)
    assert any(mail.address == "zelda@candlewick.example" for mail in leased)
    mailroom.record(office, [b"<1@candlewick.example>"], "unmatched")
    file = [("zelda.png", picture(form="PNG") + b"quillfeather", "image/png")]
    unmatched_mail(office, "Zelda@candlewick.example", text="zelda")
    over, _, host = begin(office, name="Stow", coordinated=True)
    seats.replace(office, host, over.key, "England", "zelda@candlewick.example", "ill")
    submissions.submit_pictures(office, zelda, over.key, "England", file, "zelda's sheet")
    games.cancel(office, host, over.key, "no more time")
    other = gather(office, host, "Naseby")
    games.invite(office, host, other.key, email="zelda@candlewick.example")
    assert len(found(office)) > 12

    refuses(ConflictError, erasing.erase, office, zelda).match("Resign")
    seats.resign(office, zelda, record.key, "France", "enough")
    erasing.erase(office, zelda)
    for secret, kinds in ((token, ("token",)), (feed, ("feed",))):
        refuses(SignInNeededError, people.by_secret, office, secret, kinds)
    assert not any(mailings.sent(office, mail) for mail in leased if "candlewick" in mail.address)
    assert found(office) == []
    # the game goes on: the orders stand, the next in the seat sees nothing of what was written, and it ends
    ann = person(office, "Ann")
    seats.take_over(office, ann, record.key, "France")
    passes(office, clock, 2 * DAY)
    assert games.result(office, ann, record.key, 2).sheets
    assert all(proof.holds for proof in proofs.verify(office, ann, record.key))
    assert received.commitment in [c.commitment for c in submissions.commitments(office, ann, record.key, "1")]
    passes(office, clock, DAY)
    assert found(office) == []
    clock.advance(36500 * DAY)
    swept(office)
    office.close()
    kept = [path for path in (tmp_path / "office").rglob("*") if path.is_file()]
    assert kept and not [(p.name, m) for p in kept for m in MARKS if m.encode() in p.read_bytes().lower()]
    printed = "".join(capfd.readouterr()).casefold()
    assert not [mark for mark in MARKS if mark in printed]
    structlog.reset_defaults()


def test_a_game_does_not_begin_with_somebody_who_was_erased(office: Office) -> None:
    host, ann = person(office, "Host"), person(office, "Ann")
    made = gather(office, host, "Powick Bridge", variant="standard")
    seats.sign_up(office, ann, made.key, [], games.invite(office, host, made.key, "", "France").secret)
    for number in range(6):
        seats.sign_up(office, person(office, f"Player{number}"), made.key)
    erasing.erase(office, ann)  # before the worker begins the game
    work.run_due(office)
    record = games.game(office, host, made.key)
    assert record.state == "gathering" and not any(seat.person for seat in record.seats)
    seats.sign_up(office, person(office, "Bob"), made.key)
    work.run_due(office)
    record = games.game(office, host, made.key)
    assert record.state == "running" and all(seat.holder != erasing.GONE for seat in record.seats)
    assert [p.what for p in proofs.verify(office, host, made.key) if not p.holds] == []


def test_who_is_erased_leaves_what_others_sent_and_no_game_that_they_run(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True)
    (gone, left), sent = list(players)[:2], {}
    for power in (gone, left):
        picture = (f"{power}.jpg", b"\xff\xd8 " + power.encode(), "image/jpeg")
        sent[power] = submissions.submit_pictures(office, players[power], record.key, power, [picture]).submission
    passes(office, clock, timedelta(days=1))
    for item in desk.items(office, boss):
        readings.transcribe(office, boss, item.id, "")
    work.run_due(office)
    seats.resign(office, players[gone], record.key, gone)
    erasing.erase(office, players[gone])
    (digest,) = submissions.read_own(office, players[left], sent[left]).files
    name, _, content = submissions.own_file(office, players[left], sent[left], digest)
    assert (name, content) == (f"{left}.jpg", b"\xff\xd8 " + left.encode())
    # who runs games for others calls them off first
    refuses(ConflictError, erasing.erase, office, boss).match(record.name)
    games.cancel(office, boss, record.key, "no more time")
    erasing.erase(office, boss)
    refuses(NotFoundError, people.as_person, office, boss.person or 0)
    assert games.game(office, VISITOR, record.key).coordinator == "erased"
