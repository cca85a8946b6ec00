"""Somebody asks to be erased: nothing of theirs stays in database, files and logs, and the games go on."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
import structlog
from PIL import Image

from legation.office.clock import SimulatedClock
from legation.office.context import Actor, CommandContext
from legation.office.desk import desk, letters, mailings, mailroom, readings
from legation.office.errors import ConflictError, NotFoundError, SignInNeededError
from legation.office.game import seats
from legation.office.hosting import absences, erasing, games, proofs, roster
from legation.office.identity import people
from legation.office.keys import seals
from legation.office.monitoring import logs
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.records import GameRecord
from legation.office.store.packing import unpack
from legation.office.store.rows import TABLES
from tests.office.playing import begin, person, send_all, unmatched_mail

MARKS = ("quillfeather", "candlewick", "zelda")
DAY = timedelta(days=1)


def picture() -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (30, 20), "white").save(made, "PNG")
    return made.getvalue() + b"quillfeather"


def words(office: Office) -> list[str]:
    """All that the database says, opened with the office's own key where it was locked with that, small letters."""
    said = []
    with office.store.transaction(write=False) as tx:
        for kind in TABLES:
            for row in tx.all(kind):
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


def finish(office: Office, clock: SimulatedClock, record: GameRecord) -> None:
    """Let the present turn pass, with its results published."""
    clock.advance(2 * DAY)
    work.run_due(office)


def test_nothing_is_left_of_who_is_erased_and_the_games_go_on(
    office: Office, clock: SimulatedClock, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    logs.configure()
    office.log = structlog.get_logger("office")
    record, players, _ = begin(office, ready_ends=False)
    known = people.register(office, Actor.console(), "Zelda Quillfeather", "zelda@candlewick.example")
    zelda = people.as_person(office, known.id)
    # a seat, with all that one leaves behind there
    seats.resign(office, players["France"], record.key, "France", "enough")
    seats.take_over(office, zelda, record.key, "France")
    submissions.submit(office, zelda, record.key, "France", "A par H  # quillfeather was here")
    received = submissions.submit(office, zelda, record.key, "France", "A par H")  # this is what all will see
    letters.write(office, zelda, record.key, "France", ["England"], "I shall hold.")
    send_all(office, record, players | {"France": zelda}, 1)
    finish(office, clock, record)
    submissions.submit(office, zelda, record.key, "France", "A dau H")
    # ways to sign in, preferences, addresses, days away
    token = people.make_token(office, zelda, "zelda's program", ("read",)).secret
    feed = people.make_feed(office, zelda, "zelda's calendar").secret
    people.set_preferences(office, zelda, {"zone": "Europe/Madrid"})
    roster.add_address(office, zelda, ["Zelda Quillfeather", "Candlewick Lane 1"], "Spain", primary=True)
    today = clock.now().date()
    absences.announce(office, zelda, str(today), str(today + DAY), "in Candlewick")
    # mail on its way out, mail that waits, mail at the desk, an invitation
    people.ask_link(office, Actor.visitor(), "zelda@candlewick.example")
    mailings.queue(office, "answer", {"content": "dear zelda"}, address="zelda@candlewick.example")
    leased = mailings.claim(office)
    assert any(mail.address == "zelda@candlewick.example" for mail in leased)
    raw = b"From: Zelda <Zelda@candlewick.example>\r\nSubject: x\r\n\r\nzelda"
    mailroom.record(office, "<1@candlewick.example>", raw, "unmatched")
    file = [("zelda.png", picture(), "image/png")]
    unmatched_mail(office, "Zelda@candlewick.example", text="zelda")
    over, _, host = begin(office, name="Stow", coordinated=True)
    seats.replace(office, host, over.key, "England", "zelda@candlewick.example", "ill")
    submissions.submit_pictures(office, zelda, over.key, "England", file, "zelda's sheet")
    games.cancel(office, host, over.key, "no more time")
    other = games.create(office, host, {"name": "Naseby", "variant": "hundred", "settings": {}})
    games.invite(office, host, other.key, email="zelda@candlewick.example")
    assert len(found(office)) > 12

    with pytest.raises(ConflictError, match="Resign"):
        erasing.erase(office, zelda)
    seats.resign(office, zelda, record.key, "France", "enough")
    erasing.erase(office, zelda)
    for secret, kinds in ((token, ("token",)), (feed, ("feed",))):
        with pytest.raises(SignInNeededError):
            people.by_secret(office, secret, kinds)
    assert not any(mailings.sent(office, mail) for mail in leased if "candlewick" in mail.address)
    assert found(office) == []
    # the game goes on: the orders stand, the next in the seat sees nothing of what was written, and it ends
    ann = person(office, "Ann")
    seats.take_over(office, ann, record.key, "France")
    finish(office, clock, record)
    assert games.result(office, ann, record.key, 2).sheets
    assert all(proof.holds for proof in proofs.verify(office, ann, record.key))
    assert received.commitment in [c.commitment for c in submissions.commitments(office, ann, record.key, "1")]
    clock.advance(DAY)
    work.run_due(office)
    assert found(office) == []
    sweep(office, clock)
    office.close()
    kept = [path for path in (tmp_path / "office").rglob("*") if path.is_file()]
    assert kept and not [(p.name, m) for p in kept for m in MARKS if m.encode() in p.read_bytes().lower()]
    printed = "".join(capfd.readouterr()).casefold()
    assert not [mark for mark in MARKS if mark in printed]
    structlog.reset_defaults()


def sweep(office: Office, clock: SimulatedClock) -> None:
    """Sweep files as if they had been written long ago."""
    clock.advance(timedelta(days=36500))  # files have the time of the machine
    with office.store.transaction() as tx:
        act = CommandContext(office, Actor.clock(), tx, "sweep", clock.now())
        work.sweep_files(act, work.orphans(office))


def test_who_runs_games_for_others_calls_them_off_first(office: Office) -> None:
    record, _, host = begin(office, coordinated=True)
    with pytest.raises(ConflictError, match=record.name):
        erasing.erase(office, host)
    games.cancel(office, host, record.key, "no more time")
    erasing.erase(office, host)
    with pytest.raises(NotFoundError):
        people.as_person(office, host.person or 0)
    assert games.game(office, Actor.visitor(), record.key).coordinator == "erased"


def test_a_game_does_not_begin_with_somebody_who_was_erased(office: Office) -> None:
    host, ann = person(office, "Host"), person(office, "Ann")
    made = games.create(office, host, {"name": "Powick Bridge", "variant": "standard"})
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


def test_mails_on_the_desk_outlast_the_sweep(office: Office, clock: SimulatedClock) -> None:
    record, _, _ = begin(office, coordinated=True)
    number = unmatched_mail(office, game=record.key, power="France")
    kept = {name for name, _ in office.files.names()}
    sweep(office, clock)
    assert {name for name, _ in office.files.names()} == kept and kept
    desk.settle(office, Actor.console(), number)
    sweep(office, clock)
    assert not list(office.files.names())


def test_what_others_sent_outlasts_somebody_who_is_erased(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True)
    (gone, left), sent = list(players)[:2], {}
    for power in (gone, left):
        picture = (f"{power}.jpg", b"\xff\xd8 " + power.encode(), "image/jpeg")
        sent[power] = submissions.submit_pictures(office, players[power], record.key, power, [picture]).submission
    clock.advance(timedelta(days=1))
    work.run_due(office)
    for item in desk.items(office, boss):
        readings.transcribe(office, boss, item.id, "")
    work.run_due(office)
    seats.resign(office, players[gone], record.key, gone)
    erasing.erase(office, players[gone])
    (digest,) = submissions.read_own(office, players[left], sent[left]).files
    name, _, content = submissions.own_file(office, players[left], sent[left], digest)
    assert (name, content) == (f"{left}.jpg", b"\xff\xd8 " + left.encode())
