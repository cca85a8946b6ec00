"""A relay that is away for days: mails wait for it, one item tells the desk, and all go when it returns."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage

import pytest

from legation.mail.mail_service import MailService
from legation.mail.sending import Relay, SendError
from legation.office import Actor, desk, mailings
from legation.office.messages.mailings import ATTEMPTS, PAUSES
from legation.office.store.rows import MailingRow
from tests.mail.conftest import Outbox, World
from tests.serving import free_port


class Away(Outbox):
    """A relay that cannot be reached while it is ``down``."""

    def send(self, message: EmailMessage, sender: str, recipient: str) -> None:
        if self.down:
            raise SendError("the relay cannot be reached", away=True)
        super().send(message, sender, recipient)


def test_mails_wait_for_a_relay_that_is_away_and_all_go_when_it_returns(world: World) -> None:
    relay = Away()
    relay.down = True
    counter = MailService(world.office, relay)
    world.clock.advance(timedelta(days=1))
    world.flush = lambda: None  # type: ignore[method-assign]
    from legation.office import work

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
    pauses = [PAUSES[min(attempt, len(PAUSES)) - 1] for attempt in range(1, ATTEMPTS + 1)]
    assert 4.5 < sum(pauses) / 86_400 < 5.5 and pauses == sorted(pauses)
    person = world.players["France"].person
    mailings.queue(world.office, "answer", {"content": {}}, person=person)
    for attempt in range(ATTEMPTS + 1):
        (mailing,) = [m for m in mailings.claim(world.office) if m.kind == "answer"]
        mailings.failed(world.office, mailing, "451 later")
        failed = [item for item in desk.items(world.office, Actor.console()) if item.kind == "failed mails"]
        assert bool(failed) == (attempt == ATTEMPTS)
        world.clock.advance(timedelta(hours=7))
    assert desk.retry_all(world.office, Actor.console()) == 1
    assert [m.kind for m in mailings.claim(world.office)] == ["answer"]


def test_a_relay_that_is_not_there_is_away_and_no_address_is_to_blame() -> None:
    with pytest.raises(SendError) as caught:
        Relay(f"smtp://127.0.0.1:{free_port()}?plain").send(EmailMessage(), "a@b.example", "c@d.example")
    assert caught.value.away and not caught.value.final
