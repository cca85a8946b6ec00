"""Mails that wait are locked with a key of their day, which is destroyed when they are long sent."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import msgspec
import pytest

from legation.office.clock import SimulatedClock
from legation.office.desk import mailings
from legation.office.errors import KeyNotReleasedError
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.operation import work
from legation.office.store.rows import MailingRow

ADDRESS = "somebody@example.org"


def waiting(office: Office) -> MailingRow:
    """The mail that waits."""
    assert mailings.queue(office, "answer", {"text": "Your move"}, address=ADDRESS)
    with office.store.transaction(write=False) as tx:
        return tx.all(MailingRow, order="-id", limit=1)[0]


def test_what_waits_is_locked_with_a_key_of_its_day(office: Office) -> None:
    row = waiting(office)
    with pytest.raises(KeyNotReleasedError):
        seals.unlock_padded(office.master_key, row.facts)
    (day,) = office.keys.glob("outbox.*")
    assert day.stat().st_mode & 0o777 == 0o600
    assert b"Your move" in seals.unlock_padded(day.read_bytes(), row.facts)
    (mail,) = mailings.claim(office)
    assert mail.facts["text"] == "Your move"


def test_an_old_copy_of_the_database_tells_nothing_when_the_days_key_is_gone(
    office: Office, clock: SimulatedClock
) -> None:
    work.start_sweeping(office)
    row = waiting(office)
    (mail,) = mailings.claim(office)
    assert mailings.sent(office, mail)
    clock.advance(timedelta(days=14))
    work.run_due(office)
    assert list(office.keys.glob("outbox.*"))  # a mail may wait on the desk so long
    clock.advance(timedelta(days=2))
    work.run_due(office)
    for path in office.keys.iterdir():
        if path.is_file() and path.stat().st_size == 32:
            with pytest.raises(KeyNotReleasedError):
                seals.unlock_padded(path.read_bytes(), row.facts)
    with office.store.transaction() as tx:  # the copy of the database is put back
        tx.add(msgspec.structs.replace(row, id=None, message_id="<again@x>"))
    assert mailings.claim(office) == []
    with office.store.transaction(write=False) as tx:
        assert "cannot be read" in tx.all(MailingRow, state="failed")[0].error


def test_offices_that_share_a_key_share_those_of_the_days(make_office: Callable[..., Office]) -> None:
    one, other = make_office(cabinet_key="ab" * 32), make_office(cabinet_key="ab" * 32)
    waiting(one)
    assert [mail.facts["text"] for mail in mailings.claim(other)] == ["Your move"]
    assert not list(one.keys.glob("outbox.*"))
