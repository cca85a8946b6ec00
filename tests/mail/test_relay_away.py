"""A relay that is away for days: mails wait for it, one item tells the desk, and all go when it returns."""

from __future__ import annotations

import contextlib
import socket
import threading
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from typing import Any

import msgspec
import pytest

from legation.mail.content import Content
from legation.mail.mail_service import MailService
from legation.mail.sending import Relay, SendError
from legation.office.context import Actor
from legation.office.desk import desk, mailings
from legation.office.desk.mailings import PAUSES
from legation.office.store.rows import MailingRow
from tests.mail.conftest import Outbox, World
from tests.serving import free_port


class Away(Outbox):
    """A relay that cannot be reached while it is ``down``."""

    def send(self, message: EmailMessage, sender: str, recipient: str) -> None:
        if self.down:
            raise SendError("the relay cannot be reached", away=True)
        super().send(message, sender, recipient)


def test_mails_wait_for_a_relay_that_is_away_and_all_go_when_it_returns(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    relay = Away()
    relay.down = True
    counter = MailService(world.office, relay)
    world.clock.advance(timedelta(days=1))
    monkeypatch.setattr(world, "flush", lambda: None)
    from legation.office.operation import work

    work.run_due(world.office)
    for _ in range(6):
        assert counter.send_waiting() == 0
        world.clock.advance(timedelta(days=1))
    waiting = [item for item in desk.items(world.office, Actor.console()) if item.kind == "relay"]
    assert len(waiting) == 1 and "cannot be reached" in waiting[0].text
    with world.office.store.transaction(write=False) as tx:
        assert tx.count(MailingRow, state="failed") == 0 and tx.count(MailingRow, state="waiting") >= 3
    relay.down = False
    while counter.send_waiting():
        pass
    assert {message["X-Legation"] for message, _ in relay.sent} >= {"results"}
    assert not [item for item in desk.items(world.office, Actor.console()) if item.kind == "relay"]


def test_a_mail_that_a_relay_puts_off_is_tried_for_five_days(world: World) -> None:
    assert 4.5 < sum(PAUSES) / 86_400 < 5.5 and list(PAUSES) == sorted(PAUSES)
    person = world.players["France"].person
    mailings.queue(world.office, "answer", {"content": {}}, person=person)
    for attempt in range(len(PAUSES) + 1):
        (mailing,) = [m for m in mailings.claim(world.office) if m.kind == "answer"]
        mailings.failed(world.office, mailing, "451 later")
        failed = [item for item in desk.items(world.office, Actor.console()) if item.kind == "failed mails"]
        assert bool(failed) == (attempt == len(PAUSES))
        world.clock.advance(timedelta(hours=7))
    assert desk.retry_all(world.office, Actor.console()) == 1
    assert [m.kind for m in mailings.claim(world.office)] == ["answer"]


def test_a_relay_that_is_not_there_is_away_and_no_address_is_to_blame() -> None:
    with pytest.raises(SendError) as caught:
        Relay(f"smtp://127.0.0.1:{free_port()}?plain").send(EmailMessage(), "a@b.example", "c@d.example")
    assert caught.value.away and not caught.value.final


class SmallRelay:
    """A relay that knows no address that begins with ``gone``, and may take a mail's content and hang up without a word
    the first time (``drops``); a server in a thread."""

    def __init__(self, *, drops: bool = False) -> None:
        self.drops = drops
        self.contents: list[bytes] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"smtp://127.0.0.1:{self._server.getsockname()[1]}?plain"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):  # it is closed
            while True:
                connection, _ = self._server.accept()
                with contextlib.suppress(OSError), connection, connection.makefile("rwb") as talk:
                    self._speak(talk)

    def _speak(self, talk: Any) -> None:
        def say(line: bytes) -> None:
            talk.write(line + b"\r\n")
            talk.flush()

        say(b"220 relay.example")
        while line := talk.readline():
            if line.upper().startswith(b"DATA"):
                say(b"354 go on")
                content = b""
                while (line := talk.readline()) and line != b".\r\n":
                    content += line
                self.contents.append(content)
                if self.drops and len(self.contents) == 1:
                    return
            say(b"550 5.1.1 nobody is called that" if line.upper().startswith(b"RCPT TO:<GONE") else b"250 fine")

    def close(self) -> None:
        """Take no connection any more."""
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join(60)


def test_a_relay_that_drops_after_the_content_gets_the_mail_again_under_the_same_message_id(world: World) -> None:
    """Nobody can know whether it kept what it was given: the mail program of the reader shows it once."""
    world.flush()
    relay = SmallRelay(drops=True)
    counter = MailService(world.office, Relay(relay.url))
    mailings.queue(
        world.office, "answer", {"content": msgspec.to_builtins(Content("a", "b", ()))}, address="a@b.example"
    )
    assert counter.send_waiting() == 0
    assert [item.kind for item in desk.items(world.office, Actor.console())] == ["relay"]
    world.clock.advance(timedelta(hours=1))
    assert counter.send_waiting() == 1 and counter.send_waiting() == 0
    counter.transport.close()
    relay.close()
    first, second = (message_from_bytes(content) for content in relay.contents)
    assert first["Message-ID"] == second["Message-ID"] and first["Message-ID"]
    assert desk.items(world.office, Actor.console()) == []


def test_a_relay_that_refuses_one_address_is_asked_once_and_all_other_mail_leaves(world: World) -> None:
    """The address is to blame: one item on the desk, which names no address, and nothing of a relay that is away."""
    world.flush()
    relay = SmallRelay()
    counter = MailService(world.office, Relay(relay.url))
    content = {"content": msgspec.to_builtins(Content("a", "b", ()))}
    for address in ("gone@b.example", "here@b.example"):
        mailings.queue(world.office, "answer", content, address=address)
    assert counter.send_waiting() == 1 and len(relay.contents) == 1
    (item,) = desk.items(world.office, Actor.console())
    assert item.kind == "failed mails" and "550" in item.text and "gone@" not in item.text
    world.clock.advance(timedelta(days=1))
    assert counter.send_waiting() == 0, "it is not tried again by itself"
    assert desk.retry_all(world.office, Actor.console()) == 1
    assert counter.send_waiting() == 0 and len(relay.contents) == 1
    counter.transport.close()
    relay.close()
