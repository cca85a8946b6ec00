"""Rematches: the people, settings and bots of a game that is over, in a new one."""

from __future__ import annotations

import pytest

from legation.office.context import Actor
from legation.office.desk import mailings
from legation.office.errors import ConflictError, NotAllowedError, NotFoundError, SignInNeededError
from legation.office.game import seats
from legation.office.hosting import games, rematches
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import demo, work
from legation.office.store.packing import pack
from legation.office.store.rows import GameRow
from tests.office.playing import begin, person


def end(office: Office, *keys: str) -> None:
    """Have games be over."""
    with office.store.transaction() as tx:
        tx.change_where(GameRow, {"state": "ended"}, key=list(keys))


def test_a_rematch_has_the_same_people_settings_and_bots(office: Office) -> None:
    record, players, _ = begin(office, powers=2, press=["public"], grace=7)
    with office.store.transaction() as tx:
        row = tx.get(GameRow, 1)
        tx.change(row, settings=pack({**record.settings, "listed": False}))
    (france, ann), (_, bob) = players.items()
    (bots,) = [seat.power for seat in record.seats if seat.bot]
    with pytest.raises(NotAllowedError, match="while the game is over"):
        rematches.offer(office, ann, record.key)
    end(office, record.key)
    assert rematches.rematch(office, bob, record.key) is None
    mailings.claim(office, limit=500)
    made = rematches.offer(office, ann, record.key)
    assert (made.name, made.variant) == ("Powick Bridge 2", record.variant)
    assert made.settings == {**record.settings, "listed": False}
    assert [(s.power, s.bot) for s in made.seats if s.bot] == [(bots, "hold")]
    assert made.roles == ("visitor", "person", "host") and made.wishes == () and made.signed_up == 1
    invited = [mail.address for mail in mailings.claim(office, limit=500) if mail.kind == "invitation"]
    assert invited == [people.me(office, bob).email], "not who offers it, and not who only hosted"
    with pytest.raises(ConflictError, match="Powick Bridge 2"):
        rematches.offer(office, bob, record.key)
    line = rematches.rematch(office, bob, record.key)
    assert line is not None and line.key == made.key
    stranger = person(office, "Stranger")
    for who in (stranger, Actor.visitor()):
        with pytest.raises((NotAllowedError, SignInNeededError, NotFoundError)):
            rematches.rematch(office, who, record.key)
        with pytest.raises(NotFoundError):
            games.game(office, who, made.key)
    seats.sign_up(office, bob, made.key, [france])  # by the page of the old game, without the link of the mail
    work.run_due(office)
    assert games.game(office, bob, made.key).state == "running"
    assert games.game(office, ann, made.key).powers != ()


def test_who_may_not_offer_one(office: Office) -> None:
    record, players, boss = begin(office, coordinated=True, name="Stow 9")
    guest, key = demo.seat_guest(office, "hundred")
    end(office, record.key, key)
    with pytest.raises(NotAllowedError, match="The coordinator of this game"):
        rematches.offer(office, players["France"], record.key)
    with pytest.raises(NotAllowedError, match="trial seat"):
        rematches.offer(office, people.by_secret(office, guest.secret), key)
    made = rematches.offer(office, boss, record.key)
    assert made.name == "Stow 10" and "coordinator" in made.roles and made.signed_up == 0


def test_who_was_replaced_does_not_come_back_by_a_rematch_and_one_that_is_cancelled_takes_no_place(
    office: Office,
) -> None:
    record, players, boss = begin(office, coordinated=True)
    with office.store.transaction() as tx:
        row = tx.get(GameRow, 1)
        tx.change(row, settings=pack({**record.settings, "listed": False}))
    gone = players["France"]
    seats.vacate(office, boss, record.key, "France", "abuse")
    end(office, record.key)
    made = rematches.offer(office, boss, record.key)
    with pytest.raises(NotFoundError):
        games.game(office, gone, made.key)
    with pytest.raises(NotFoundError):
        seats.sign_up(office, gone, made.key, [])
    assert made.key not in {line.key for line in games.list_games(office, gone)}
    assert games.game(office, players["England"], made.key).name == "Powick Bridge 2"
    games.cancel(office, boss, made.key, "a slip")
    assert rematches.rematch(office, players["England"], record.key) is None
    again = rematches.offer(office, boss, record.key)
    assert again.name == "Powick Bridge 3"
    line = rematches.rematch(office, players["England"], record.key)
    assert line is not None and line.key == again.key
