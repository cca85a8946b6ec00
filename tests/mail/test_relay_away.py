"""A relay that is away for days: mails wait for it, one item tells the desk, and all go when it returns."""

import asyncio
import contextlib
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes

import msgspec
from aiosmtpd.smtp import SMTP, Envelope, Session

from legation.mail.content import Content
from legation.mail.listening import Listener, SmtpHandler
from legation.mail.mail_service import MailService
from legation.mail.sending import Relay
from legation.office.context import Actor
from legation.office.desk import desk, mailings
from legation.office.desk.mailings import PAUSES
from legation.office.operation import work
from legation.office.store.rows import MailingRow
from tests.mail.conftest import World
from tests.serving import free_port

CONTENT = {"content": msgspec.to_builtins(Content("a", "b", ()))}


def test_mails_wait_for_a_relay_that_is_away_and_all_go_when_it_returns(world: World) -> None:
    relay, counter, before = world.outbox, world.counter, len(world.outbox.sent)
    relay.down = relay.away = True
    world.clock.advance(timedelta(days=1))
    work.run_due(world.office)
    for _ in range(6):
        assert counter.send_waiting() == 0
        world.clock.advance(timedelta(days=1))
    waiting = [item for item in desk.items(world.office, Actor.console()) if item.kind == "relay"]
    assert len(waiting) == 1 and "nobody is here" in waiting[0].text
    with world.office.store.transaction(write=False) as tx:
        assert tx.count(MailingRow, state="failed") == 0 and tx.count(MailingRow, state="waiting") >= 3
    relay.down = False
    while counter.send_waiting():
        pass
    assert {message["X-Legation"] for message, _ in relay.sent[before:]} >= {"results"}
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


class SmallRelay(SmtpHandler):
    """A relay that knows no address that begins with ``gone``, and may take a mail's content and hang up without a word
    the first time (``drops``)."""

    def __init__(self, *, drops: bool = False) -> None:
        super().__init__(lambda *_: None, lambda address: not address.startswith("gone"))
        self.drops = drops
        self.contents: list[bytes] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes) and isinstance(server.transport, asyncio.Transport)
        self.contents.append(envelope.content)
        if self.drops and len(self.contents) == 1:
            server.transport.abort()
        return "250 fine"


@contextlib.contextmanager
def counter_with(world: World, relay: SmallRelay) -> Iterator[MailService]:
    """The mail counter of an office whose mail leaves by a relay."""
    world.settle()
    with Listener(relay, "127.0.0.1", free_port()) as here:
        counter = MailService(world.office, Relay(f"smtp://127.0.0.1:{here.port}?plain"))
        yield counter
        counter.transport.close()


def test_a_relay_that_drops_after_the_content_gets_the_mail_again_under_the_same_message_id(world: World) -> None:
    """Nobody can know whether it kept what it was given: the mail program of the reader shows it once."""
    relay = SmallRelay(drops=True)
    with counter_with(world, relay) as counter:
        mailings.queue(world.office, "answer", CONTENT, address="a@b.example")
        assert counter.send_waiting() == 0
        assert [item.kind for item in desk.items(world.office, Actor.console())] == ["relay"]
        world.clock.advance(timedelta(hours=1))
        assert counter.send_waiting() == 1 and counter.send_waiting() == 0
    first, second = (message_from_bytes(content) for content in relay.contents)
    assert first["Message-ID"] == second["Message-ID"] and first["Message-ID"]
    assert desk.items(world.office, Actor.console()) == []


def test_a_relay_that_refuses_one_address_is_asked_once_and_all_other_mail_leaves(world: World) -> None:
    """The address is to blame: one item on the desk, which names no address, and nothing of a relay that is away."""
    relay = SmallRelay()
    with counter_with(world, relay) as counter:
        for address in ("gone@b.example", "here@b.example"):
            mailings.queue(world.office, "answer", CONTENT, address=address)
        assert counter.send_waiting() == 1 and len(relay.contents) == 1
        (item,) = desk.items(world.office, Actor.console())
        assert item.kind == "failed mails" and "550" in item.text and "gone@" not in item.text
        world.clock.advance(timedelta(days=1))
        assert counter.send_waiting() == 0, "it is not tried again by itself"
        assert desk.retry_all(world.office, Actor.console()) == 1
        assert counter.send_waiting() == 0 and len(relay.contents) == 1
