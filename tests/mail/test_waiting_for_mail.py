"""What a mailbox elsewhere tells of itself (IDLE), what it costs when it fails, and a relay that hangs."""

import contextlib
import smtplib
import socket
import threading
from email.message import EmailMessage

import pytest

from legation.mail import listening, polling, sending
from legation.mail.polling import Mailbox
from legation.mail.sending import Relay, SendError
from legation.office.monitoring import processes
from legation.office.office import Office
from legation.office.operation import health
from tests.mail.imap_server import imap_server
from tests.mail.test_service import append
from tests.serving import free_port
from tests.waiting import wait_for


def test_a_server_that_tells_of_mail_is_not_asked_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause of ten minutes, and a mail is filed within seconds of its coming."""
    monkeypatch.setattr(polling, "IDLE_SECONDS", 1.0)
    port, stop, looked, filed = free_port(), threading.Event(), threading.Event(), threading.Event()
    with imap_server(port):
        mailbox = Mailbox(f"imap://demouser:demopass@127.0.0.1:{port}/INBOX?plain")

        def follow() -> None:
            while not stop.is_set():
                with contextlib.suppress(polling.PollError):  # an office begins anew, too, where a server misspeaks
                    mailbox.follow(lambda *_: filed.set(), lambda size: None, stop, 600, looked.set)

        thread = threading.Thread(target=follow, daemon=True)  # it goes on where the test fails
        thread.start()
        assert looked.wait(60) and not filed.is_set()
        append(port, b"From: a@b.example\r\n\r\nA par H\r\n")
        assert filed.wait(60)
        stop.set()
        thread.join(60)
        assert not thread.is_alive(), "it ends when it is told to, though the pause is long"


def test_a_mailbox_that_fails_is_told_by_name(office: Office) -> None:
    stop, failed = threading.Event(), threading.Event()

    def run(beat: object) -> None:
        failed.set()
        raise polling.PollError("gone")

    thread = processes.start(office.pulses, "mailbox", run, stop)
    assert failed.wait(60)
    wait_for(lambda: any(not check.good for check in health.health(office).checks if check.name == "mailbox"))
    (check,) = [check for check in health.health(office).checks if check.name == "mailbox"]
    assert (check.good, check.is_) == (False, "PollError") and health.health(office).good, "games go on"
    stop.set()
    thread.join(60)
    assert not [check for check in health.health(office).checks if check.name == "mailbox"]


def test_a_relay_that_hangs_is_given_up_as_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "TIMEOUT", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it takes connections and says nothing
        relay = Relay(f"smtp://127.0.0.1:{silent.getsockname()[1]}?plain")
        with pytest.raises(SendError) as caught:
            relay.send(EmailMessage(), "a@b.example", "c@d.example")
    assert caught.value.away


def test_mail_clients_that_never_end_and_too_many_of_one_address_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def receive(*_: object) -> None:
        """Take every mail."""

    def opened(port: int) -> socket.socket:
        return socket.create_connection(("127.0.0.1", port), 60)

    def closed(connection: socket.socket) -> bool:
        try:
            while connection.recv(1000):
                pass
        except TimeoutError:
            return False
        except OSError:
            pass
        return True

    monkeypatch.setattr(listening, "MOST_OF_ONE", 3)
    handler = listening.SmtpHandler(receive, lambda address: True)
    with listening.Listener(handler, "127.0.0.1", free_port()) as here:
        kept = [opened(here.port) for _ in range(3)]
        assert all(connection.recv(1000).startswith(b"220") for connection in kept)
        with opened(here.port) as fourth:
            assert closed(fourth)
        for connection in kept:
            connection.close()

        def is_taken() -> bool:
            with contextlib.suppress(OSError), smtplib.SMTP("127.0.0.1", here.port, timeout=60) as client:
                return client.sendmail("a@b.example", ["orders@b.example"], b"A par H") == {}
            return False

        wait_for(is_taken)  # it knows a moment later that these are gone
        monkeypatch.setattr(listening, "LONGEST", 0.2)
        with opened(here.port) as slow:
            slow.sendall(b"EHLO b.example\r\nMAIL FROM:<a@b.ex")
            assert closed(slow)


def test_ten_thousand_mails_that_wait_are_taken_in_hundreds_and_an_end_is_heard_within_one() -> None:
    waiting = [str(n) for n in range(1, 10_001)]
    flagged: list[str] = []
    taken: list[bytes] = []

    class Client:
        """What IMAP's own commands would be answered."""

        def uid(self, command: str, uids: str, what: str) -> tuple[str, list[object]]:
            if "SIZE" in what:
                asked = uids.split(",")
                assert len(asked) <= polling.AT_ONCE
                return "OK", [f"{uid} (UID {uid} RFC822.SIZE 100)".encode() for uid in asked]
            return "OK", [(b'1 (UID 1 INTERNALDATE "02-Mar-2026 12:00:00 +0000" BODY[] {7}', f"mail {uids}".encode())]

    class Box:
        """A mailbox."""

        client = Client()

        def uids(self, criteria: str) -> list[str]:
            return waiting[len(flagged) :]

        def flag(self, uids: list[str], *_: object) -> None:
            flagged.extend(uids)

    mailbox, stop = Mailbox("imap://a:b@127.0.0.1/INBOX?plain"), threading.Event()

    def receive(data: bytes, *_: object) -> None:
        taken.append(data)
        if len(taken) == 250:
            stop.set()

    box = Box()
    mailbox._file_all(box, receive, lambda size: None, stop)  # type: ignore[arg-type]
    assert len(taken) == len(flagged) == 250, "what was filed is marked, and nothing else"
    mailbox._file_all(box, receive, lambda size: None, threading.Event())  # type: ignore[arg-type]
    assert len(set(taken)) == len(taken) == 10_000
