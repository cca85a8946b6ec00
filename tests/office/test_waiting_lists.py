"""Waiting lists: who may wait, who is mailed when, and that nobody is told who left."""

from __future__ import annotations

from datetime import timedelta

import pytest

from legation.office.clock import SimulatedClock
from legation.office.desk import mailings
from legation.office.errors import ConflictError, NotAllowedError, SignInNeededError
from legation.office.game import seats, waiting_lists
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.operation import work
from tests.office.playing import VISITOR, begin, gather, passes, person, refuses


def told(office: Office, kind: str) -> list[str]:
    return sorted(mailing.name for mailing in mailings.claim(office, limit=500) if mailing.kind == kind)


def test_who_waits_is_mailed_when_a_seat_is_free(office: Office, clock: SimulatedClock) -> None:
    game, players, _ = begin(office)
    key, ann, bob, eve = game.key, *(person(office, name) for name in ("Ann", "Bob", "Eve"))
    for who in (ann, bob, eve):
        waiting_lists.wait(office, who, key)
    waiting_lists.stop(office, eve, key)
    record = games.game(office, ann, key)
    assert (record.waiting, record.waits) == (2, True) and not games.game(office, eve, key).waits
    refuses(ConflictError, waiting_lists.wait, office, players["France"], key)
    refuses(SignInNeededError, waiting_lists.wait, office, VISITOR, key)
    seats.resign(office, players["France"], key, "France")
    work.run_due(office)
    assert told(office, "seat free") == [], "somebody may be seated at once"
    passes(office, clock, timedelta(minutes=1))
    assert told(office, "seat free") == ["Ann", "Bob"], "not who has just left it"
    refuses(ConflictError, waiting_lists.wait, office, eve, key).match("free seat")
    seats.take_over(office, bob, key, "France")
    assert games.game(office, ann, key).waiting == 1
    seats.resign(office, bob, key, "France")
    seats.take_over(office, ann, key, "France")
    passes(office, clock, timedelta(minutes=1))
    with office.store.transaction(write=False):
        assert games.game(office, eve, key).waiting == 0


def test_a_coordinator_fills_the_seats_of_another_game(office: Office) -> None:
    game, _, _ = begin(office, coordinated=True)
    with pytest.raises(ConflictError):
        waiting_lists.wait(office, person(office, "Ann"), game.key)


def test_who_comes_too_late_for_the_deal_waits(office: Office) -> None:
    host = person(office, "Hilda")
    made = gather(office, host, "Stow", coordinated=True)
    for number in range(5):
        seats.sign_up(office, person(office, f"P{number}"), made.key)
    games.start(office, host, made.key)
    work.run_due(office)
    assert len(told(office, "waiting list")) == 2
    assert games.game(office, host, made.key).waiting == 2


def test_who_is_unreliable_does_not_wait(office: Office, clock: SimulatedClock) -> None:
    game, _, _ = begin(office, reliability=90)
    old, players, _ = begin(office, name="Old", folk="Old")
    passes(office, clock, timedelta(days=3))
    assert games.game(office, players["France"], old.key).turn is not None
    refuses(NotAllowedError, waiting_lists.wait, office, players["France"], game.key).match("asks for 90%")
