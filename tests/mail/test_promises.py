"""When a mail counts, pictures and files within it, and what an address in it is worth to somebody else."""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage

import pytest

from legation.mail.reading import read_mail
from legation.mail.wording import lateness
from legation.office.clock import micros
from legation.office.context import Actor
from legation.office.desk import letters, mailroom
from legation.office.hosting import proofs
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.store.rows import AnswerRow, ArrivalRow
from legation.proofs.transcript import read_transcript
from tests.mail.conftest import START, World, body
from tests.mail.programs import with_a_logo, with_the_map
from tests.mail.test_handling import ORDERS, deliver_unvouched

# When a mail arrived


def test_a_mail_counts_as_of_when_its_server_took_it(world: World) -> None:
    due = world.game.turn.deadline if world.game.turn else world.clock.now()
    message = world.mail(world.address_of("France"), world.reply_address("France"), ORDERS)
    world.clock.set(due - timedelta(seconds=1))
    world.counter.receive(message.as_bytes(), (), due - timedelta(seconds=31))
    (record,) = world.sheets("France")
    assert record.received == due - timedelta(seconds=31)
    # a stranger s mail that is passed on counts as of when it came
    came = world.clock.now()
    world.clock.advance(timedelta(minutes=30))
    stranger = world.mail("copyshop@example.com", "orders@office.example", ORDERS, "Powick Bridge")
    world.counter.receive(stranger.as_bytes(), (), came)
    with world.office.store.transaction(write=False) as tx:
        (arrival,) = tx.all(ArrivalRow, state="unmatched")
    assert arrival.at == micros(came)


def test_the_trusted_server_s_time_counts_where_its_zone_is_known(world: World) -> None:
    """The sender's own fields never count: neither a line below the server's, nor one above that it didn't write."""
    now = world.clock.now()
    for received, expected in (
        ("from x by mx.office.example; Mon, 2 Mar 2026 11:50:00 +0000", timedelta(minutes=-10)),
        ("from x by mx.office.example; Mon, 2 Mar 2026 12:50:00 +0100 (CET)", timedelta(minutes=-10)),
        ("from x by mx.office.example; Mon, 2 Mar 2026 11:50:00 -0000", timedelta(minutes=-10)),
        ("from x by mx.office.example; Mon, 2 Mar 2026 11:50:00 BRT", timedelta()),
        ("from x by mx.office.example; Mon, 2 Mar 2036 11:50:00 +0000", timedelta()),
        ("from x by mx.office.example", timedelta()),
        ("from by mx.office.example (mx.office.example) by evil.example; Mon, 2 Mar 2026 11:50:00 +0000", timedelta()),
        ("from x by evil.example (by mx.office.example ); Mon, 2 Mar 2026 11:50:00 +0000", timedelta()),
        ("from x by evil.example; Mon, 2 Mar 2026 11:59:00 +0000\nReceived: from y by mx.office.example; "
         "Mon, 2 Mar 2026 11:50:00 +0000", timedelta()),
        ("from x by mx.office.example; Mon, 2 Mar 2026 11:59:00 +0000\nReceived: from y by mx.office.example; "
         "Mon, 2 Mar 2026 11:50:00 +0000", timedelta(minutes=-1)),
    ):  # fmt: skip
        data = f"Received: {received}\nDate: Mon, 2 Mar 2026 08:00:00 +0000\nFrom: a@b.example\n\nA par H\n"
        mail = read_mail(data.encode(), (), "mx.office.example")
        arrival = world.counter._arrival(mail, None)
        assert arrival == now + expected, received
        assert arrival.utcoffset() == timedelta()
        assert read_mail(data.encode(), (), "").arrived is None, "no server is trusted"


def test_late_mail_is_told_when_it_came_when_it_was_due_and_what_counts(world: World) -> None:
    world.write("France", ORDERS)
    due = world.game.turn.deadline if world.game.turn else world.clock.now()
    world.clock.set(due + timedelta(minutes=2))
    message = world.mail(world.address_of("France"), world.reply_address("France"), "A Paris - Orleanais")
    world.counter.receive(message.as_bytes(), ())
    assert world.versions("France") == [(1, "text", "counts")]
    answer = world.told("France")
    assert "Came" in answer and "Was due" in answer and "your last version is 1; its receipt says what counts" in answer
    assert "Nothing was entered" in answer and "Late by 2 minutes" in answer


def test_how_late_a_mail_came_is_told_to_the_second() -> None:
    due = START
    for late, told in (
        (timedelta(microseconds=1), "1 second"),
        (timedelta(seconds=59), "59 seconds"),
        (timedelta(seconds=60), "1 minute"),
        (timedelta(hours=2, minutes=5, seconds=1), "2 hours 5 minutes"),
    ):
        assert lateness(due + late, due) == told


def test_a_mail_brings_its_senders_own_nonce_which_counts_once(world: World) -> None:
    """It is the SHA-256 of the Message-ID: the sender's part in the lots. Another mail that says the same is another
    version; the same one is never a second, though all that remembers the mail is gone."""
    mails = [world.mail(world.address_of("France"), world.reply_address("France"), ORDERS) for _ in range(2)]
    del mails[1]["Message-ID"]
    for mail in mails:
        world.deliver(mail)
    assert [version for version, _, _ in world.versions("France")] == [1, 2]
    with world.office.store.transaction() as tx:
        for kind in (ArrivalRow, AnswerRow):
            for row in tx.all(kind):
                tx.remove(kind, id=row.id)
    world.deliver(mails[0])
    assert [version for version, _, _ in world.versions("France")] == [1, 2]
    world.passes(days=3)
    work.run_due(world.office)
    text = proofs.transcript(world.office, Actor.visitor(), world.game.key)
    told = {opening.opened["nonce"].value for opening in read_transcript(text.encode()).openings}
    assert told == {"", hashlib.sha256(str(mails[0]["Message-ID"]).encode()).hexdigest()}


def test_what_came_before_a_turn_began_never_counts_for_it(world: World) -> None:
    message = world.mail(world.address_of("France"), world.reply_address("France"), ORDERS)
    came = world.clock.now()
    world.passes(days=3)
    world.counter.receive(message.as_bytes(), (), came)
    answer = world.told("France")
    assert "before" in answer and "began, so it was meant for the turn before" in answer
    assert "In 1425 Movement none of your orders counted." in answer
    assert world.versions("France") == []


def test_a_mail_confirmed_after_the_deadline_does_not_enter_the_next_turn(world: World) -> None:
    link = deliver_unvouched(world)
    world.passes(days=3)
    mailroom.release(world.office, link)
    assert "meant for the turn before" in world.told("France")
    assert world.versions("France") == []


# Pictures within a mail


@pytest.mark.parametrize("program", [with_a_logo, with_the_map])
def test_pictures_within_the_text_do_not_displace_the_orders(
    world: World, program: Callable[[EmailMessage, str], bytes]
) -> None:
    original = world.outbox.to(world.address_of("France"), "game started")[-1]
    data = program(original, ORDERS).replace(b"eve@example.org", world.address_of("France").encode())
    world.counter.receive(data, ())
    world.settle()
    assert world.versions("France") == [(1, "text", "counts")]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("orders.txt", "text/plain"),
        ("orders.html", "text/html"),
        ("orders.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("orders.odt", "application/octet-stream"),
        ("orders.zip", "application/zip"),
        ("orders.eml", "application/octet-stream"),
    ],
)
def test_files_that_are_no_pictures_are_not_entered_and_it_is_told(world: World, name: str, kind: str) -> None:
    answer = world.write("France", "My orders are attached.", "Orders", (name, b"A Paris - Dijon", kind))
    assert name in answer and "so nothing was entered" in answer
    assert world.versions("France") == []


# What an address is worth to somebody else


@pytest.mark.parametrize("spelled", [str, str.upper])
def test_a_letter_that_quotes_a_mail_gives_no_reply_address_away(world: World, spelled: Callable[[str], str]) -> None:
    secret = world.reply_address("France")
    head = f"Sent: Monday\nTo: Powick Bridge <{spelled(secret)}>\nSubject: orders"
    world.write("France", f"PRESS TO England\nThis went to the office.\n{head}\nENDPRESS")
    letters.write(world.office, world.players["France"], world.game.key, "France", ["England"], head)
    world.settle()
    told = world.outbox.to(world.address_of("England"), "letter")
    assert len(told) == 2
    for letter in told:
        assert secret not in letter.as_string().casefold() and "<orders@office.example>" in body(letter)


@pytest.mark.parametrize("channel", ["mail", "web"])
def test_a_sheet_that_is_published_gives_no_reply_address_away(world: World, channel: str) -> None:
    secret, france = world.reply_address("France"), world.players["France"]
    sheet = f"{ORDERS}\nReply to {secret} please"
    if channel == "mail":
        world.write("France", sheet)
    else:
        receipt = submissions.submit(world.office, france, world.game.key, "France", sheet)
        kept = submissions.read_own(world.office, france, receipt.submission, receipt.reading_key)
        assert kept.text == f"{ORDERS}\nReply to orders@office.example please"
    world.passes(days=3)
    text = proofs.transcript(world.office, Actor.visitor(), world.game.key)
    assert "A Dauphine - Provence" in text and secret not in text
