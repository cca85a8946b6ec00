"""What a mailbox elsewhere tells of itself (IDLE), what it costs when it fails, and a relay that hangs."""

from __future__ import annotations

import socket
import threading
import time
from email.message import EmailMessage

import pytest

from legation.mail import polling, sending
from legation.mail.polling import Mailbox
from legation.mail.sending import Relay, SendError
from legation.office import Office, health
from legation.office.monitoring import supervising
from tests.mail.test_service import append
from tests.service.world import _imap_server
from tests.serving import free_port


def test_a_server_that_tells_of_mail_is_not_asked_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause of ten minutes, and a mail is filed within seconds of its coming."""
    monkeypatch.setattr(polling, "IDLE_SECONDS", 1.0)
    port, stop, looked, filed = free_port(), threading.Event(), threading.Event(), threading.Event()
    with _imap_server(port):
        mailbox = Mailbox(f"imap://demouser:demopass@127.0.0.1:{port}/INBOX?plain")

        def follow() -> None:
            mailbox.follow(lambda *_: filed.set(), lambda size: None, stop, 600, looked.set)

        thread = threading.Thread(target=follow)
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

    thread = supervising.start(office.pulses, "mailbox", run, stop)
    assert failed.wait(60)
    for _ in range(200):
        if any(not check.good for check in health.health(office).checks if check.name == "mailbox"):
            break
        time.sleep(0.05)
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
