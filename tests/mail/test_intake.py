"""Mails that cannot be read or acted on stop nothing; a mail is filed with all that follows from it, or not at all."""

import base64
import random
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from legation.children import ChildError
from legation.mail import answering, intake, mail_service
from legation.mail.intake import UnreadableMailError, parse
from legation.mail.listening import TryAgain
from legation.mail.reading import read_mail
from legation.office.context import Actor
from legation.office.desk import desk, mailings, mailroom
from legation.office.errors import UnavailableError
from legation.office.operation import health
from legation.office.store.rows import ArrivalRow, MailingRow
from tests.mail.conftest import World
from tests.sampling import some
from tests.service.poison import KINDS, bombard, faults

DAY = datetime(2026, 3, 2, tzinfo=UTC)
BAD = b"From: eve@evil.example\r\nTo: orders@office.example\r\n\r\nA par H\r\n"


@pytest.mark.long
def test_mails_made_to_stop_whoever_reads_them_stop_nothing(tmp_path: Path) -> None:
    tally = bombard(tmp_path / "office", 20)
    assert not faults(tally), tally


@pytest.mark.long
def test_a_mail_with_large_photographs_is_read() -> None:
    photograph = base64.encodebytes(random.Random(1).randbytes(14_000_000))
    head = b"From: a@b.example\r\nContent-Type: image/jpeg; name=a.jpg\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    (file,) = parse(head + photograph, (), "", DAY).attachments
    assert len(file.data) == 14_000_000


@pytest.mark.parametrize("kind", some(KINDS, 3))
def test_each_kind_is_read_or_refused_by_name(kind: Callable[[int], bytes]) -> None:
    try:
        parse(BAD.partition(b"\r\n\r\n")[0] + b"\r\n" + kind(3000), (), "mx.example", DAY)
    except UnreadableMailError as error:
        assert str(error)


def _nested_multiparts(depth: int) -> bytes:
    return b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(depth))


@pytest.mark.parametrize(
    ("mail", "why"),
    [
        (b"\r\n" + b"a\r" * 400_001, "TooManyLinesError"),
        (b"X: y\r\n" * 10_001 + b"\r\nA par H", "TooManyFieldsError"),
        (_nested_multiparts(32) + b"\r\n" * 380_000, "TooManyPartsError"),
    ],
    ids=["lines", "headers", "multiparts"],
)
def test_what_takes_long_is_refused_before_it_does(mail: bytes, why: str) -> None:
    head = BAD.partition(b"\r\n\r\n")[0] + b"\r\n"
    with pytest.raises(UnreadableMailError, match=why):
        parse(head + mail, (), "mx.example", DAY)


def test_what_is_just_not_too_much_is_read() -> None:
    head = BAD.partition(b"\r\n\r\n")[0] + b"\r\n" + b"X: y\r\n" * 9_900
    mail = head + _nested_multiparts(30) + b"\r\nA par H\r\n" + b"\r\n" * 380_000
    assert read_mail(mail).text.strip() == "A par H"  # in this process, however busy the machine is


@pytest.mark.parametrize("nested", [b"<div>", b"<ul>", b"<div><table></div></table>"])
def test_html_is_read_until_it_is_too_deep(nested: bytes) -> None:
    head = BAD.partition(b"\r\n\r\n")[0] + b"\r\nContent-Type: text/html\r\n\r\n"
    mail = head + b"<div><p>A par H</div>" * 600 + nested * 400 + b"A bre H" + nested * 10_000 + b"A mar H"
    text = parse(mail, (), "mx.example", DAY).text
    assert text.count("A par H") == 600 and "A bre H" in text and "A mar H" not in text


def test_a_child_takes_mails_apart_without_the_office() -> None:
    """With all of the office it is three times as large before it has read a word."""
    heavy = ("sqlalchemy", "legation.judge", "legation.variants", "legation.atlas", "legation.office.context")
    ask = f"import legation.mail.intake, sys; print([name for name in {heavy} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"


def fail(*_: object, **__: object) -> None:
    raise RuntimeError("A par H is in this message")


def refuse(*_: object, **__: object) -> None:
    raise UnreadableMailError("it takes too long")


def test_a_mail_that_cannot_be_read_is_put_aside_once_and_tried_again_when_told(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = world.mail(world.address_of("France"), world.reply_address("France"), "A Paris H").as_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(mail_service, "parse", refuse)
        world.counter.receive(BAD, ())
        world.counter.receive(good, ())
        world.counter.receive(good, ())
    (item,) = desk.items(world.office, Actor.console())
    assert item.kind == "unread mails" and item.facts["count"] >= 2 and "it takes too long" in item.text
    assert "Paris" not in str(item)
    assert desk.items(world.office, world.host) == []
    assert desk.retry_all(world.office, Actor.console()) == 2
    world.settle()
    assert desk.items(world.office, Actor.console())[0].kind == "unmatched mails"
    records = world.sheets("France")
    assert [record.version for record in records] == [1]
    assert len(world.outbox.to(world.address_of("France"), "answer")) == 1


def test_a_mail_that_cannot_be_acted_on_is_put_aside_and_nothing_of_it_is_done(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It fails after its orders were entered."""
    before = len(world.outbox.sent)
    with monkeypatch.context() as patched:
        patched.setattr(answering, "carry_out", fail)
        world.deliver(world.mail(world.address_of("France"), world.reply_address("France"), "A Paris H\nSTATUS"))
    assert world.sheets("France") == []
    assert len(world.outbox.sent) == before
    (item,) = desk.items(world.office, Actor.console())
    assert item.kind == "unread mails" and "RuntimeError" in item.text and "A par" not in str(item)
    said = capsys.readouterr()
    assert "is in this message" not in said.out + said.err
    desk.settle(world.office, Actor.console(), item.id, "mended", retry=True)
    world.settle()
    assert len(world.sheets("France")) == 1


def test_a_mail_that_is_given_up_at_the_desk_is_counted_no_more(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(answering, "carry_out", fail)
        world.deliver(world.mail(world.address_of("France"), world.reply_address("France"), "A Paris H\nSTATUS"))
    (item,) = desk.items(world.office, Actor.console())
    assert health.health(world.office).aside == 1
    desk.settle(world.office, Actor.console(), item.id, "not worth it")
    assert health.health(world.office).aside == 0 and desk.retry_all(world.office, Actor.console()) == 0
    world.settle()
    assert world.sheets("France") == []


@pytest.mark.parametrize("broken", ["parse", "_do"])
def test_a_mail_that_was_put_aside_counts_from_when_it_came(
    world: World, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    came = world.clock.now()
    world.clock.advance(timedelta(hours=2))
    mail = world.mail(world.address_of("France"), world.reply_address("France"), "A Paris H\nSTATUS").as_bytes()

    with monkeypatch.context() as patched:
        if broken == "parse":
            patched.setattr(mail_service, "parse", refuse)
        else:
            patched.setattr(answering, "carry_out", fail)
        world.counter.receive(mail, (), came)
    assert desk.retry_all(world.office, Actor.console()) == 1
    world.settle()
    (record,) = world.sheets("France")
    assert record.received == came


@pytest.mark.parametrize("step", ["queue", "record"])
def test_a_death_at_any_step_loses_nothing_and_doubles_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Killed before the last of a mail's effects is written: its sender's server tries again, and it acts once."""
    mail = world.mail(world.address_of("France"), world.reply_address("France"), "A Paris H").as_bytes()
    room = mailings if step == "queue" else mailroom

    class Killed(BaseException):
        """As by a signal."""

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(room, step, die)
        with pytest.raises(Killed):
            world.counter.receive(mail, ())
    with world.office.store.transaction(write=False) as tx:
        assert tx.count(ArrivalRow) == 0
    world.counter.receive(mail, ())
    world.counter.receive(mail, ())
    world.settle()
    assert len(world.sheets("France")) == 1
    assert len(world.outbox.to(world.address_of("France"), "answer")) == 1


@pytest.mark.parametrize("whose", ["a player's", "a stranger's", "perhaps forged"])
def test_a_mail_that_two_take_in_at_the_same_moment_acts_once(
    world: World, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    """Both have looked whether it came before either has recorded it."""
    mail = {
        "a player's": world.mail(world.address_of("France"), world.reply_address("France"), "A Paris H"),
        "a stranger's": world.vouched("eve@elsewhere.example", "LIST"),
        "perhaps forged": world.mail(world.address_of("France"), "orders@office.example", "A Paris H"),
    }[whose]
    looked = mailroom.look_up
    monkeypatch.setattr(mailroom, "look_up", lambda *of, vouched: (looked(*of, vouched=vouched)[0], [False, False]))
    before = len(world.outbox.sent)
    for _ in range(2):
        world.counter.receive(mail.as_bytes(), ())
    world.counter.send_waiting()
    sent = [message["X-Legation"] for message, _ in world.outbox.sent[before:]]
    assert sent == (["release"] if whose == "perhaps forged" else ["answer"])
    assert len(desk.items(world.office, Actor.console())) == (whose == "perhaps forged")


def test_a_death_after_the_question_leaves_it_asked_and_on_the_desk_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    forged = world.mail(world.address_of("France"), "orders@office.example", "A Paris H").as_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(mailroom, "file_mail", fail)
        patched.setattr(mailroom, "put_aside", fail)  # killed altogether
        with pytest.raises(RuntimeError):
            world.counter.receive(forged, ())
    for _ in range(2):
        world.counter.receive(forged, ())
        world.settle()
    assert len(world.outbox.to(world.address_of("France"), "release")) == 1
    assert [item.kind for item in desk.items(world.office, Actor.console())] == ["unmatched mail"]


def test_without_a_child_process_mail_is_left_to_its_sender(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise ChildError("away", "no child process can be started")

    monkeypatch.setattr(intake.PARSERS, "call", away)
    with pytest.raises(TryAgain):
        world.counter.receive(BAD, ())
    with pytest.raises(UnavailableError):
        parse(BAD, (), "", DAY)
    with world.office.store.transaction(write=False) as tx:
        assert tx.count(ArrivalRow) == 0 and tx.count(MailingRow, kind="answer") == 0


def test_a_released_mail_whose_copy_is_damaged_goes_to_the_desk_and_the_next_is_taken(world: World) -> None:
    for power in ("France", "England"):
        world.deliver(world.mail(world.address_of(power), "orders@office.example", "STATUS"))
    with world.office.store.transaction() as tx:
        rows = tx.all(ArrivalRow, state="waits")
        for row in rows:
            tx.change(row, state="released")
        tx.change(rows[0], stored="0" * 64)
    world.settle()
    assert len(world.outbox.to(world.address_of("England"), "answer")) == 1
    assert "unread mails" in [item.kind for item in desk.items(world.office, Actor.console())]
