"""Mail that came in time and could not be taken in before the deadline: it is waited for, and nothing else counts."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from legation.office.desk import mailroom
from legation.office.errors import TooLateError
from legation.office.game import journal
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.settings import Settings
from tests.mail.conftest import World, body, office_by_mail
from tests.mail.test_handling import ORDERS, secret_in
from tests.office.playing import passes, turn_now

KEPT_ELSEWHERE: dict[str, dict[str, Any]] = {
    "mailbox": {"imap": "imap://a:b@127.0.0.1/INBOX?plain", "poll": 30},
    "mail server": {"lmtp": "127.0.0.1:2424", "trusted": "mx.office.example"},
}


@pytest.fixture(params=KEPT_ELSEWHERE, ids=str)
def fed(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    """An office whose mail a mailbox or a mail server keeps while the office is down."""
    mail = KEPT_ELSEWHERE[request.param]
    with office_by_mail(tmp_path, trusted="mx.office.example", settling=Settings().settling, mail=mail) as world:
        world.begin()
        world.settle()
        yield world


def due_of(world: World) -> datetime:
    turn = turn_now(world.office, world.host, world.game.key)
    return turn.deadline


def fetched(world: World, came: datetime, text: str = ORDERS) -> str:
    """A mail that was taken elsewhere at a time and comes in now; the answer."""
    mail = world.mail(world.address_of("France"), world.reply_address("France"), text)
    mail["Received"] = f"from x by mx.office.example; {came:%a, %d %b %Y %H:%M:%S %z}"
    world.counter.receive(mail.as_bytes(), (), came if "imap" in world.office.settings.mail else None)
    world.counter.send_waiting()
    return world.told("France")


def test_a_deadline_in_an_outage_waits_for_the_mail_that_came_in_time(fed: World) -> None:
    due = due_of(fed)
    passes(fed.office, fed.clock, due + timedelta(hours=3))
    assert "Nothing was entered" in fetched(fed, due + timedelta(seconds=1), "A Paris - Orleanais")
    with pytest.raises(TooLateError):
        submissions.submit(fed.office, fed.players["England"], fed.game.key, "England", "A Calais H")
    assert "2 of 5 units" in fetched(fed, due - timedelta(seconds=1))
    assert fed.versions("France") == [(1, "text", "counts")]
    (line,) = [e for e in journal.entries(fed.office, fed.host, fed.game.key) if e.kind == "outage"]
    assert line.text == (
        "The office was away at the deadline; mail that came by then is taken in until Tue 3 Mar 2026, 15:10 UTC."
    )
    fed.clock.advance(timedelta(seconds=fed.office.settings.after_outage))
    fed.settle()
    assert due_of(fed) > due, "it is closed after that, and the next turn is open"
    assert "A par H" in body(fed.outbox.to(fed.address_of("France"), "results")[-1])


def test_what_was_confirmed_in_that_time_counts_as_of_when_it_came(fed: World) -> None:
    due = due_of(fed)
    fed.clock.set(due - timedelta(minutes=5))
    fed.deliver(fed.mail(fed.address_of("France"), "orders@office.example", ORDERS))
    secret = secret_in(fed.outbox.to(fed.address_of("France"), "release")[-1], "release")
    passes(fed.office, fed.clock, due + timedelta(hours=3))
    mailroom.release(fed.office, secret)
    fed.counter.take_released()
    assert fed.versions("France") == [(1, "text", "counts")]


def test_a_turn_is_closed_at_once_where_the_office_was_there(fed: World) -> None:
    """And by IMAP after one more look into the mailbox, which may be a poll away."""
    due, poll = due_of(fed), 30 if "imap" in fed.office.settings.mail else 0
    passes(fed.office, fed.clock, due + timedelta(seconds=poll + 1))
    assert "2 of 5 units" in fetched(fed, due)
    fed.clock.set(due + timedelta(seconds=poll + 3))
    fed.settle()
    assert due_of(fed) > due
    assert not [e for e in journal.entries(fed.office, fed.host, fed.game.key) if e.kind == "outage"]


def test_mail_that_nobody_keeps_is_not_waited_for(world: World) -> None:
    due = due_of(world)
    world.clock.set(due + timedelta(hours=3))
    world.settle()
    assert due_of(world) > due


def test_a_game_that_waits_for_orders_goes_on_with_the_last_of_them(tmp_path: Path) -> None:
    """However long after the deadline: it was no outage."""
    with office_by_mail(tmp_path, mail=KEPT_ELSEWHERE["mailbox"]) as world:
        world.begin(missing="wait")
        due = due_of(world)
        passes(world.office, world.clock, due + timedelta(seconds=31))
        world.clock.set(due + timedelta(hours=5))
        for power, order in (("England", "A Calais H"), ("France", "A Paris H"), ("Burgundy", "A Dijon H")):
            submissions.submit(world.office, world.players[power], world.game.key, power, order)
        work.run_due(world.office)
        assert due_of(world) > due
        assert not [e for e in journal.entries(world.office, world.host, world.game.key) if e.kind == "outage"]
