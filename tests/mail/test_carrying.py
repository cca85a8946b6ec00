"""Mail over the wire: what the office's mail server takes and refuses, and how mail leaves."""

import contextlib
import smtplib
import socket
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from legation.mail import listening
from legation.mail.listening import Listener, SmtpHandler, TryAgain
from legation.mail.sending import LocalMailbox, Relay, SendError
from tests.serving import free_port


class Inbox:
    """What came in; ``busy`` makes the office unable to file."""

    def __init__(self) -> None:
        self.mails: list[tuple[bytes, tuple[str, ...]]] = []
        self.busy = False
        self.broken = False

    def receive(self, data: bytes, recipients: tuple[str, ...]) -> None:
        if self.busy:
            raise TryAgain("no disk")
        if self.broken:
            raise RuntimeError("a fault")
        self.mails.append((data, recipients))


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture(params=[False, True], ids=["smtp", "lmtp"])
def listener(inbox: Inbox, request: pytest.FixtureRequest) -> Iterator[tuple[str, int]]:
    handler = SmtpHandler(inbox.receive, lambda address: address.endswith("@office.example"))
    with Listener(handler, "127.0.0.1", free_port(), lmtp=request.param) as here:
        yield ("lmtp" if request.param else "smtp"), here.port


def message() -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "eve@example.org"
    mail["To"] = "orders@office.example"
    mail["Subject"] = "Orders für Crown"
    mail["Message-ID"] = "<7@example.org>"
    mail.set_content("A lon H")
    return mail


def relay(listener: tuple[str, int]) -> Relay:
    return Relay(f"{listener[0]}://127.0.0.1:{listener[1]}?plain")


def test_mail_for_the_office_is_filed_as_it_is_and_for_others_refused_for_good(
    inbox: Inbox, listener: tuple[str, int]
) -> None:
    with pytest.raises(SendError) as caught:
        relay(listener).send(message(), "eve@example.org", "victim@elsewhere.example")
    assert caught.value.final
    assert not inbox.mails
    relay(listener).send(message(), "eve@example.org", "orders+pb.crown.k7q9w2@office.example")
    ((data, recipients),) = inbox.mails
    assert recipients == ("orders+pb.crown.k7q9w2@office.example",)
    assert b"A lon H" in data


@pytest.mark.parametrize("fault", ["busy", "broken"])
def test_mail_that_cannot_be_filed_stays_with_the_sender(inbox: Inbox, listener: tuple[str, int], fault: str) -> None:
    setattr(inbox, fault, True)
    with pytest.raises(SendError) as caught:
        relay(listener).send(message(), "eve@example.org", "orders@office.example")
    assert not caught.value.final
    assert "try again" in str(caught.value).casefold()


def test_mails_over_the_bound_are_refused(inbox: Inbox) -> None:
    handler = SmtpHandler(inbox.receive, lambda address: True)
    with (
        Listener(handler, "127.0.0.1", free_port()) as here,
        smtplib.SMTP("127.0.0.1", here.port) as client,
        pytest.raises(smtplib.SMTPResponseException) as caught,
    ):
        client.sendmail("eve@example.org", ["orders@office.example"], b"x" * (listening.LARGEST_MAIL + 1000))
    assert caught.value.smtp_code == 552
    assert not inbox.mails


def test_large_mails_wait_while_much_is_held_and_orders_do_not(
    inbox: Inbox, listener: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who leaves many large mails half sent fills no memory, and keeps no orders out."""
    monkeypatch.setattr(listening, "MOST_HELD", 3_000_000)
    head = head_of(listener)
    large, small = b"x" * 1_500_000 + b"\r\n.\r\nQUIT\r\n", b"A par H\r\n.\r\nQUIT\r\n"
    with contextlib.ExitStack() as stack:

        def begin() -> None:
            """Send a mail that does not end; it is refused if another large one comes in between."""
            half = stack.enter_context(socket.create_connection(("127.0.0.1", listener[1]), timeout=60))
            half.sendall(head + b"x" * 1_400_000)

        begin()
        wait_for(b"452 4.3.1", listener[1], head, large, before=begin)  # until two are held
        assert list(talk(listener[1], head, small))[-2][:3] == b"250"
    inbox.mails.clear()
    wait_for(b"250", listener[1], head, large)  # until they have gone
    assert [len(data) for data, _ in inbox.mails] == [1_500_002]


def head_of(listener: tuple[str, int]) -> bytes:
    """The commands with which a mail begins."""
    hello = b"LHLO me\r\n" if listener[0] == "lmtp" else b"EHLO me\r\n"
    return hello + b"MAIL FROM:<a@b.example>\r\nRCPT TO:<x@office.example>\r\nDATA\r\n"


def wait_for(answer: bytes, port: int, *pieces: bytes, before: Callable[[], None] = lambda: None) -> None:
    """Send a mail again until it is answered so; do something ``before`` each time."""
    deadline = time.monotonic() + 30
    said = b""
    while not said.startswith(answer):
        assert time.monotonic() < deadline, said
        before()
        said = list(talk(port, *pieces))[-2]


def talk(port: int, *pieces: bytes) -> Iterator[bytes]:
    """Send pieces over one connection, and yield each line that is answered."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        for piece in pieces:
            connection.sendall(piece)
        yield from connection.makefile("rb")


def test_a_mail_ends_where_it_ends_however_it_is_cut_into_pieces(inbox: Inbox, listener: tuple[str, int]) -> None:
    """And what follows it in the same piece is the next command."""
    head = head_of(listener)
    mail = b"Subject: x\r\n\r\n..dot\r\n...\r\n..\r\n\r\n" + b"long " * 2000 + b"\r\n.\r\nRSET\r\nQUIT\r\n"
    wanted = b"Subject: x\r\n\r\n.dot\r\n..\r\n.\r\n\r\n" + b"long " * 2000 + b"\r\n"
    for pieces in ((mail,), (mail[:-16], mail[-16:]), tuple(mail[n : n + 1] for n in range(len(mail)))):
        lines = list(talk(listener[1], head, *pieces))
        assert [line[:3] for line in lines][-4:] == [b"354", b"250", b"250", b"221"], lines
        assert inbox.mails.pop()[0] == wanted
    assert not inbox.mails


def test_an_empty_mail_is_taken_and_one_that_breaks_off_is_not(inbox: Inbox, listener: tuple[str, int]) -> None:
    head = head_of(listener)
    assert list(talk(listener[1], head, b".\r\nQUIT\r\n"))[-1][:3] == b"221"
    with socket.create_connection(("127.0.0.1", listener[1]), timeout=60) as connection:
        connection.sendall(head + b"half a mail\r\n")
        connection.shutdown(socket.SHUT_WR)
        assert list(connection.makefile("rb"))[-1][:3] == b"354"
    assert [data for data, _ in inbox.mails] == [b""]


def test_lmtp_answers_for_each_recipient(inbox: Inbox) -> None:
    """As RFC 2033 (4.2) asks for: a mail server waits for each answer."""
    handler = SmtpHandler(inbox.receive, lambda address: address.endswith("@office.example"))
    with Listener(handler, "127.0.0.1", free_port(), lmtp=True) as here:
        head = b"LHLO me\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<x@office.example>\r\nRCPT TO:<y@office.example>\r\n"
        lines = list(talk(here.port, head + b"RCPT TO:<z@elsewhere.example>\r\nDATA\r\n", b"mail\r\n.\r\nQUIT\r\n"))
    assert [line[:3] for line in lines[-4:]] == [b"354", b"250", b"250", b"221"]
    assert len(inbox.mails) == 1


def test_a_mail_of_too_many_lines_is_refused_with_the_reason(inbox: Inbox, listener: tuple[str, int]) -> None:
    mail = message()
    with pytest.raises(SendError, match="400,000 lines; send photographs") as caught:
        mail.set_content("\n" * 400_000)
        relay(listener).send(mail, "eve@example.org", "orders@office.example")
    assert caught.value.final and not inbox.mails
    mail.set_content("\n" * 390_000)
    relay(listener).send(mail, "eve@example.org", "orders@office.example")
    assert len(inbox.mails) == 1


def test_a_mail_that_goes_on_and_on_is_cut_off(inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "MOST_PASSED_OVER", 50_000_000)
    handler = SmtpHandler(inbox.receive, lambda address: True)
    with Listener(handler, "127.0.0.1", free_port()) as here, smtplib.SMTP("127.0.0.1", here.port) as client:
        client.ehlo()
        client.mail("eve@example.org")
        client.rcpt("orders@office.example")
        client.putcmd("data")
        with pytest.raises(smtplib.SMTPServerDisconnected):
            for _ in range(200):
                client.send(b"x" * 998_000)
    assert not inbox.mails


def test_a_relay_that_is_not_there_is_told_and_a_password_never() -> None:
    with pytest.raises(SendError, match="cannot be reached") as caught:
        Relay(f"smtp://127.0.0.1:{free_port()}").send(message(), "office@office.example", "eve@example.org")
    assert caught.value.away and not caught.value.final, "no address is to blame"
    with pytest.raises(ValueError, match="a relay is written") as wrong:
        Relay("http://user:secret@host")
    assert "secret" not in str(wrong.value)


def test_without_a_relay_mail_goes_into_a_mailbox(tmp_path: Path) -> None:
    box = LocalMailbox(tmp_path / "mail")
    box.send(message(), "office@office.example", "eve@example.org")
    (kept,) = box.box
    assert kept["X-Envelope-To"] == "eve@example.org"
    assert "A lon H" in str(kept)
