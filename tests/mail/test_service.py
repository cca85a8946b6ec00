"""The mail counter as a service: a mailbox elsewhere that is looked into, a relay with a password, mails that come
back, and what is told of each."""

import contextlib
import imaplib
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from legation import push
from legation.mail import polling, sending
from legation.mail.listening import MOST_RECIPIENTS, Listener, SmtpHandler, TryAgain
from legation.mail.mail_service import NOTING_PAUSES, MailService
from legation.mail.polling import Mailbox, PollError
from legation.mail.sending import LocalMailbox, Relay, SendError
from legation.mail.service import read_mail_settings, serve
from legation.mail.wording import deadline_in_words, moment_in_words
from legation.office.clock import SystemClock
from legation.office.context import Actor
from legation.office.desk import desk, mailings
from legation.office.errors import InvalidInputError, UnavailableError
from legation.office.game import seats
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.monitoring import processes
from legation.office.office import Office, open_office
from legation.office.settings import Settings
from legation.office.store.rows import ArrivalRow, MailingRow
from tests.mail.conftest import World, body
from tests.mail.imap_server import imap_server
from tests.mail.office_with_mail import file_unseen
from tests.mail.test_carrying import message
from tests.serving import free_port
from tests.waiting import wait_for

# A mailbox elsewhere


@pytest.fixture(scope="module")
def imap() -> Iterator[int]:
    """An IMAP server; its port."""
    port = free_port()
    with imap_server(port):
        yield port


def append(port: int, text: bytes) -> None:
    with imaplib.IMAP4("127.0.0.1", port) as box:
        box.login("demouser", "demopass")
        box.append("INBOX", "", "", text)


def unseen(port: int) -> int:
    with imaplib.IMAP4("127.0.0.1", port) as box:
        box.login("demouser", "demopass")
        box.select("INBOX")
        return len(box.search(None, "UNSEEN")[1][0].split())


@pytest.mark.long
def test_a_mail_that_cannot_be_filed_now_stays_unseen_and_one_too_large_is_passed(
    imap: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailbox = Mailbox(f"imap://demouser:demopass@127.0.0.1:{imap}/INBOX?plain")
    append(imap, b"From: a@b.example\r\nSubject: Orders\r\n\r\nA par H\r\n")
    kept: list[bytes] = []

    def busy(data: bytes, recipients: tuple[str, ...], at: datetime | None) -> None:
        raise TryAgain("no disk")

    def keep(data: bytes, recipients: tuple[str, ...], at: datetime | None) -> None:
        kept.append(data)
        assert at is not None and abs(datetime.now(UTC) - at) < timedelta(hours=1), "when the server took it"

    assert file_unseen(mailbox, busy) == 0 and unseen(imap) == 1
    assert file_unseen(mailbox, keep) == 1 and unseen(imap) == 0
    assert b"A par H" in kept[0]
    monkeypatch.setattr(polling, "LARGEST_MAIL", 10)
    append(imap, b"From: a@b.example\r\n\r\nA par H\r\n")
    told: list[int] = []
    assert file_unseen(mailbox, keep, told.append) == 0 and unseen(imap) == 0
    assert len(kept) == 1 and told == [30], "it is marked as seen, nothing of it is taken, and somebody is told"


@pytest.mark.parametrize("kind", ["imaps", "imap"])
def test_a_mailbox_that_cannot_be_reached_is_told_without_its_password(kind: str) -> None:
    port = free_port()
    with pytest.raises(PollError, match=f"127.0.0.1:{port}: ") as caught:
        Mailbox(f"{kind}://user:secret@127.0.0.1:{port}").look()
    assert "secret" not in str(caught.value)
    with pytest.raises(ValueError, match="a mailbox is written imaps://") as wrong:
        Mailbox("pop3://user:secret@host")
    assert "secret" not in str(wrong.value)


def test_the_service_takes_mail_by_every_way_and_sends_it(imap: int, tmp_path: Path) -> None:
    """By SMTP, by LMTP and from a mailbox elsewhere that is away at first; what goes out is in the mailbox of the
    folder."""
    ports = [free_port(), free_port()]
    settings = Settings(
        orders_address="orders@office.example",
        mail={
            "listen": f"127.0.0.1:{ports[0]}",
            "lmtp": f"127.0.0.1:{ports[1]}",
            "poll": 0.05,
            "trusted": "mx.office.example",
            "folder": str(tmp_path / "out"),
            "imap": f"imap://demouser:demopass@127.0.0.1:{imap}/INBOX?plain",
        },
    )
    office = open_office(tmp_path / "office", settings, SystemClock())
    with serve(office, tmp_path / "office", pause=0.05):
        for number, (port, kind) in enumerate(zip(ports, (smtplib.SMTP, smtplib.LMTP), strict=True)):
            with kind("127.0.0.1", port) as client:
                client.sendmail(f"eve{number}@x.example", ["orders@office.example"], question(number))
        append(imap, question(2))
        wait_for(lambda: len(list((tmp_path / "out" / "new").glob("*"))) == 3)
    office.close()
    told = sorted(str(mail["X-Envelope-To"]) for mail in LocalMailbox(tmp_path / "out").box)
    assert told == ["eve0@x.example", "eve1@x.example", "eve2@x.example"]
    for port in ports:
        with pytest.raises(OSError):
            smtplib.SMTP("127.0.0.1", port)


@pytest.mark.parametrize("way", ["listen", "lmtp"])
@pytest.mark.parametrize(
    ("hosts", "believed"),
    [([], True), (["127.0.0.0/8", "10.0.0.5"], True), (["10.0.0.5", "2001:db8::/32"], False)],
    ids=["this machine", "a network", "another machine"],
)
def test_the_trusted_server_is_believed_where_it_handed_the_mail_in_itself(
    way: str, hosts: list[str], believed: bool, tmp_path: Path
) -> None:
    """Anybody else's mail may bear its fields as well: it is a mail for whose sender nobody vouches."""
    mail: dict[str, object] = {way: f"127.0.0.1:{(port := free_port())}", "trusted": "mx.office.example"}
    if hosts:
        mail["trusted_hosts"] = hosts
    office = open_office(
        tmp_path / "office", Settings(orders_address="orders@office.example", mail=mail), SystemClock()
    )
    with serve(office, tmp_path / "office", pause=60):
        with (smtplib.SMTP if way == "listen" else smtplib.LMTP)("127.0.0.1", port) as client:
            client.sendmail("eve@x.example", ["orders@office.example"], question(1))
        with office.store.transaction(write=False) as tx:
            assert tx.count(MailingRow, kind="answer") == believed
            assert tx.count(ArrivalRow, state="taken" if believed else "unmatched") == 1
    office.close()


def test_an_office_that_ends_waits_for_no_thread_that_waits(tmp_path: Path) -> None:
    office = open_office(tmp_path / "office", Settings(), SystemClock())
    before = set(threading.enumerate())
    with serve(office, tmp_path / "office", pause=600), push.serve(office, pause=600):
        assert len(set(threading.enumerate()) - before) > 1
    assert set(threading.enumerate()) <= before
    office.close()


def test_trusted_hosts_that_are_none_are_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"mail settings can.t be used: 'mx\.example' does not appear"):
        read_mail_settings(Settings(mail={"trusted_hosts": ["mx.example"]}))


def question(number: int) -> bytes:
    head = "Authentication-Results: mx.office.example; dkim=pass header.d=x.example\r\n"
    head += f"From: eve{number}@x.example\r\nTo: orders@office.example\r\nMessage-ID: <{number}@x.example>\r\n"
    return f"{head}Subject: games\r\n\r\nLIST\r\n".encode()


def test_a_mailbox_that_is_away_is_looked_into_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def away(*_: object, **__: object) -> None:
        asked.append(1)
        raise PollError("127.0.0.1:143: nobody is there")

    monkeypatch.setattr(Mailbox, "follow", away)
    monkeypatch.setattr(processes, "PAUSES", (0.01,))
    settings = Settings(mail={"imap": "imap://demouser:demopass@127.0.0.1/INBOX?plain", "poll": 0.01})
    office = open_office(tmp_path, settings, SystemClock())
    with serve(office, tmp_path, pause=0.05):
        wait_for(lambda: len(asked) >= 2)
    office.close()


# What comes in


def test_a_mail_to_more_of_the_office_s_addresses_than_there_are_is_refused() -> None:
    taken: list[tuple[str, ...]] = []
    handler = SmtpHandler(lambda _, recipients: taken.append(recipients), lambda address: True)
    with Listener(handler, "127.0.0.1", free_port()) as here, smtplib.SMTP("127.0.0.1", here.port) as client:
        to = [f"orders+{number}@office.example" for number in range(MOST_RECIPIENTS + 1)]
        refused = client.sendmail("eve@example.org", to, b"x")
    assert refused == {to[-1]: (452, b"4.5.3 too many recipients")}
    assert taken == [tuple(to[:-1])]


def test_the_office_s_own_addresses(world: World) -> None:
    ours = world.counter.ours
    assert ours("orders@office.example") and ours("ORDERS+pb.crown@Office.Example") and ours("office@office.example")
    assert not any(map(ours, ("ordersx@office.example", "orders@elsewhere.example", "orders", "")))


def test_a_mail_that_came_back_is_told_on_the_desk_once(world: World) -> None:
    world.write("France", "STATUS")
    (sent,) = world.outbox.to(world.address_of("France"), "answer")
    report = (
        "From: MAILER-DAEMON@mx.example\nTo: office@office.example\nMIME-Version: 1.0\nMessage-ID: <{}@mx>\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n"
        "Final-Recipient: rfc822; gone@example.org\nAction: failed\nStatus: {}\n\n"
        "--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: {}\n\n--b--\n"
    )
    before = len(world.outbox.sent)
    for number, status in enumerate(("4.2.2", "5.1.1", "5.1.1")):  # full just now; gone; gone, told again
        world.counter.receive(report.format(number, status, sent["Message-ID"]).encode(), ())
        world.settle()
        waiting = [item for item in desk.items(world.office, Actor.console()) if item.kind == "failed mails"]
        assert len(waiting) == min(number, 1)
    (entry,) = waiting[0].facts["entries"]
    assert entry["what"] == "the mail 'answer' to France" and "it came back (5.1.1)" in waiting[0].text
    assert len(world.outbox.sent) == before, "nobody answers a machine"
    world.counter.receive(report.format(9, "5.1.1", "<unknown@office.example>").encode(), ())
    (item,) = (i for i in desk.items(world.office, Actor.console()) if i.kind == "failed mails")
    assert item.facts["count"] == 1


# What goes out


class Guarded:
    """A relay that asks for a password, and whose conversations can be broken off."""

    def __init__(self) -> None:
        self.mails: list[str] = []
        self.users: list[bytes] = []
        self.greeted = 0

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        self.mails.append(envelope.content.decode())
        return "250 OK"

    def authenticate(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        self.users.append(data.login)
        return AuthResult(success=data.password == b"secret@home", handled=True)


@contextlib.contextmanager
def guarded() -> Iterator[tuple[Guarded, int, Controller]]:
    handler, port = Guarded(), free_port()
    controller = Controller(
        handler, "127.0.0.1", port, authenticator=handler.authenticate, auth_require_tls=False, auth_required=True
    )
    controller.start()
    try:
        yield handler, port, controller
    finally:
        controller.stop()


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_a_relay_is_signed_in_to_and_spoken_with_again_after_it_hung_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with guarded() as (handler, port, _):
        relay = Relay(f"smtp://office:secret%40home@127.0.0.1:{port}?plain")
        relay.send(message(), "office@office.example", "eve@example.org")
        relay._connection.relay.sock.shutdown(socket.SHUT_RDWR)  # the conversation ends without a word
        relay.send(message(), "office@office.example", "eve@example.org")
        relay.close()
        monkeypatch.setattr(sending, "TIMEOUT", 3)  # seconds; it says nothing more to who tried a wrong password
        with pytest.raises(SendError) as caught:
            Relay(f"smtp://office:wrong@127.0.0.1:{port}?plain").send(message(), "a@b.example", "eve@example.org")
    assert len(handler.mails) == 2 and handler.users == [b"office"] * 3
    assert not caught.value.final and "wrong" not in str(caught.value)


def test_a_relay_that_takes_no_letters_beyond_ascii_is_asked_for_no_such_address() -> None:
    """The person of that address never gets a mail; it is told at once, and not tried again."""
    handler, port = Guarded(), free_port()
    controller = Controller(handler, "127.0.0.1", port, enable_SMTPUTF8=False)
    controller.start()
    relay = Relay(f"smtp://127.0.0.1:{port}?plain")
    try:
        with pytest.raises(SendError, match="only accepts plain ASCII addresses") as caught:
            relay.send(message(), "office@office.example", "jürgen@example.org")
        relay.send(message(), "office@office.example", "eve@example.org")
        relay.close()
    finally:
        controller.stop()
    assert caught.value.final and len(handler.mails) == 1


def test_a_relay_that_speaks_tls_is_given_mail_by_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is offered, and its certificate is one that this machine trusts; all mails of the moment go by one
    conversation."""
    secure, taken = own_certificate(tmp_path), []
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "chain.pem"))
    sending._secure.cache_clear()
    handler = SmtpHandler(lambda data, _: taken.append(data), lambda _: True)
    try:
        with Listener(handler, "127.0.0.1", free_port(), secure=secure) as here:
            relay = Relay(f"smtp://127.0.0.1:{here.port}")
            relay.send(message(), "office@office.example", "jürgen@example.org")
            conversation = relay._connection.relay
            relay.send(message(), "office@office.example", "eve@example.org")
            assert relay._connection.relay is conversation and isinstance(conversation.sock, ssl.SSLSocket)
            relay.close()
    finally:
        sending._secure.cache_clear()
    assert len(taken) == 2 and all(b"A lon H" in data for data in taken)


@pytest.mark.parametrize("kind", ["smtps", "smtp"])
def test_a_relay_that_speaks_no_tls_where_it_should_is_not_used(kind: str, tmp_path: Path) -> None:
    """``smtps`` speaks it from the first word; a relay whose certificate nobody has vouched for is left."""
    handler = SmtpHandler(lambda *_: None, lambda _: True)
    with (
        Listener(handler, "127.0.0.1", free_port(), secure=own_certificate(tmp_path)) as here,
        pytest.raises(SendError, match="cannot be reached") as caught,
    ):
        Relay(f"{kind}://127.0.0.1:{here.port}").send(message(), "a@b.example", "orders@office.example")
    assert not caught.value.final


def own_certificate(place: Path) -> Any:
    """A certificate of 127.0.0.1 that nobody has vouched for, as ``certificate`` reads it; ``chain.pem`` is its file in
    the folder."""
    import datetime as dates

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    from legation.mail.listening import certificate

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dates.datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
    chain, secret = place / "chain.pem", place / "key.pem"
    chain.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    secret.write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    return certificate(str(chain), str(secret))


def test_a_full_disk_keeps_mails_for_later(tmp_path: Path) -> None:
    box = LocalMailbox(tmp_path / "mail")
    for folder in ("tmp", "new", "cur"):
        (tmp_path / "mail" / folder).rmdir()
    (tmp_path / "mail" / "tmp").write_text("no folder")
    with pytest.raises(SendError, match="mail: ") as caught:
        box.send(message(), "office@office.example", "eve@example.org")
    assert not caught.value.final


def test_a_mail_that_left_while_the_database_was_away_is_noted_later(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = [UnavailableError("The database is away.")] * 2
    noted = mailings.sent

    def sent(office: Office, mailing: Any) -> bool:
        if away:
            raise away.pop()
        return noted(office, mailing)

    pauses: list[float] = []
    monkeypatch.setattr(mailings, "sent", sent)
    monkeypatch.setattr(time, "sleep", pauses.append)
    world.write("France", "STATUS")
    assert pauses == list(NOTING_PAUSES[:2])
    assert len(world.outbox.to(world.address_of("France"), "answer")) == 1, "it is not sent again"
    away += [UnavailableError("The database is away.")] * (len(NOTING_PAUSES) + 1)
    with pytest.raises(UnavailableError):
        world.write("France", "STATUS")


def test_a_mail_that_cannot_be_written_goes_to_the_desk_in_the_end(world: World) -> None:
    """A mailing that lacks what it is to tell is tried on, and then it is the coordinator's to see."""
    mailings.queue(
        world.office, "deadline moved", {}, person=world.players["France"].person, game=world.game.key, power="France"
    )
    for _ in range(6):
        world.counter.send_waiting()
        world.clock.advance(timedelta(hours=7))
    (failed,) = (item for item in desk.items(world.office, Actor.console()) if item.kind == "failed mails")
    assert "it could not be written" in failed.text


def test_who_lost_the_lease_of_a_mailing_says_nothing_of_it(world: World) -> None:
    people.ask_link(world.office, Actor.visitor(), world.address_of("France"))
    (mailing,) = mailings.claim(world.office)
    world.clock.advance(timedelta(minutes=11))
    (again,) = mailings.claim(world.office)
    assert mailings.sent(world.office, mailing) is False
    mailings.failed(world.office, mailing, "no such address", lasting=True)
    assert mailings.sent(world.office, again) is True
    assert desk.items(world.office, Actor.console()) == []


# What is told


def test_pauses_and_their_ends_are_told_with_the_reason(world: World) -> None:
    world.begin(name="Edgehill", coordinated=True)
    key = world.game.key
    games.pause(world.office, world.host, key, "the coordinator is ill")
    world.clock.advance(timedelta(days=2))
    games.resume(world.office, world.host, key, "well again")
    games.cancel(world.office, world.host, key, "nobody plays any more")
    paused, resumed, cancelled = (world.told("France", f"game {what}") for what in ("paused", "resumed", "cancelled"))
    assert "Edgehill is paused" in paused and "the coordinator is ill" in paused
    assert "Edgehill has resumed" in resumed and "well again" in resumed and "Thu 5 Mar 2026, 12:00 UTC" in resumed
    assert "Edgehill was cancelled" in cancelled and "nobody plays any more" in cancelled


def test_who_loses_a_seat_is_told_how_and_what_is_left_to_do(world: World) -> None:
    world.begin(name="Edgehill", coordinated=True)
    seats.replace(world.office, world.host, world.game.key, "France", "new@example.org", "does not answer")
    seats.vacate(world.office, world.host, world.game.key, "England", "asked for it")
    replaced = world.told("France", "seat lost")
    assert "The coordinator gave France to another player. The reason given: | does not answer" in replaced
    assert "You can still watch the game" in replaced and "ask the coordinator" not in replaced
    vacated = world.told("England", "seat lost")
    assert "The coordinator removed you as the player of England. The seat is open." in vacated
    assert "To play on, ask the coordinator for the seat." in vacated
    world.begin(name="Naseby", missing="disorder", missing_after=1)
    world.clock.advance(timedelta(days=1))
    lost = world.told("France", "seat lost")
    assert (
        "You no longer play France in Naseby" in lost
        and "No orders came for 1 turn. As the game's settings say" in lost
    )
    assert "You can take the seat back on the game's page until somebody else takes it." in lost


def test_mails_that_are_seldom_sent_say_only_what_is_so(world: World) -> None:
    def written(kind: str, **facts: Any) -> tuple[str, str]:
        france = world.players["France"].person
        mailings.queue(world.office, kind, facts, person=france, game=world.game.key, turn="now", power="France")
        text = world.told("France", kind)
        return world.outbox.to(world.address_of("France"), kind)[-1]["Subject"], text

    lost = {"names": "1425 Movement", "reason": "A disk broke."}
    assert written("keys lost", again=True, **lost)[0].endswith("keys are lost: send your orders again")
    subject, text = written("keys lost", again=False, **lost)
    assert subject.endswith("keys are lost") and "Send your orders again" not in text
    assert "Sign in there: https://other.example" in written("game left", address_of="https://other.example")[1]
    assert "which proves that they come from you." in written("seat key", key="0f" * 32)[1]
    assert "only this office says that they come from you." in written("seat key", key="")[1]


def test_a_deadline_after_a_change_of_clocks_says_so_before(world: World) -> None:
    world.clock.set(datetime(2026, 3, 28, 15, tzinfo=UTC))
    people.set_preferences(world.office, world.players["France"], {"zone": "Europe/Berlin"})
    world.begin(name="Edgehill")
    mail = world.told("France", "game started")
    assert "clocks go forward 1 hour on Sun 29 Mar" in mail
    assert "clocks" not in world.told("England", "game started"), "who reads in UTC"


def test_times_are_told_in_the_reader_s_zone_and_with_what_is_left(world: World) -> None:
    noon = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)
    assert moment_in_words(noon, "Europe/Paris") == "Wed 1 Jul 2026, 14:00 CEST (12:00 UTC)"
    for zone in ("", "UTC", "Mars/Olympus", "../etc/passwd"):
        assert moment_in_words(noon, zone) == "Wed 1 Jul 2026, 12:00 UTC"
    due = world.clock.now()
    assert deadline_in_words(world.office, "", due + timedelta(minutes=90)).endswith(" UTC, in 1 hour 30 minutes")
    assert deadline_in_words(world.office, "", due) == moment_in_words(due)


def test_a_mailing_of_a_kind_without_words_tells_its_facts(world: World) -> None:
    sender = MailService(world.office, world.outbox)
    facts = {"next_step": "look", "secret": "hidden"}
    mailings.queue(world.office, "something new", facts, person=world.players["France"].person, game=world.game.key)
    sender.send_waiting()
    text = body(world.outbox.to(world.address_of("France"), "something new")[-1])
    assert "next step" in text and "look" in text and "hidden" not in text
    assert mailings.queue(world.office, "x", {}) is False, "there is nowhere to send it"
