"""Where players are anonymous, nobody who may play with them learns who plays what until the game is over."""

from __future__ import annotations

import msgspec
import pytest

from legation.office.context import Actor
from legation.office.errors import ConflictError, NotAllowedError
from legation.office.game import journal, seats
from legation.office.hosting import games, roster
from legation.office.office import Office
from legation.office.operation import work
from legation.office.store.rows import GameRow
from tests.office.playing import begin, person

POWERS = ("England", "France", "Burgundy")


def test_the_host_of_an_anonymous_game_does_not_know_who_signed_up(office: Office) -> None:
    """The deal is public, by the numbers of sign-ups: whoever knows whose they are knows who plays what. A game that
    runs itself can be played by its host."""
    host = person(office, "Host")
    key = games.create(office, host, {"name": "Masks", "variant": "hundred", "settings": {"anonymous": True}}).key
    for name in ("Ann", "Ben"):
        seats.sign_up(office, person(office, name), key, list(POWERS))
    gathering = seats.sign_ups(office, host, key)
    assert [(sign.number, sign.preferences) for sign in gathering] == [(0, ())] * 2, "how many come"
    mine = seats.sign_up(office, host, key, [])
    work.run_due(office)
    (deal,) = journal.entries(office, host, key, kinds=("seats dealt",))
    numbers = {f"sign-up {sign.number}" for sign in seats.sign_ups(office, host, key)}
    assert set(deal.facts["dealt"]) == numbers and f"sign-up {mine.number}" in numbers, "the numbers are public"
    record = games.game(office, host, key)
    assert record.powers, "the host plays"
    for told in (gathering, seats.sign_ups(office, host, key), record, seats.holders(office, host, key)):
        assert not {"Ann", "Ben"} & set(repr(msgspec.to_builtins(told)).split("'"))
    assert {(sign.name, sign.person) for sign in (*gathering, *seats.sign_ups(office, host, key))} == {("", 0)}
    assert {sign.name for sign in seats.sign_ups(office, Actor.console(), key)} == {"Ann", "Ben", "Host"}
    with office.store.transaction() as tx:
        tx.change_where(GameRow, {"state": "ended"}, key=key)
    assert {sign.name for sign in seats.sign_ups(office, host, key)} == {"Ann", "Ben", "Host"}


def test_the_deal_does_not_tell_who_signed_up_when(office: Office) -> None:
    """Who heard that somebody has just signed up, or signs up before and after, finds their number nowhere."""
    host = person(office, "Host")
    in_order = []
    for game in range(6):
        plan = {"name": f"Masks {game}", "variant": "hundred", "settings": {"anonymous": True}}
        key = games.create(office, host, plan).key
        came = [seats.sign_up(office, person(office, f"P{game}{n}"), key, []).number for n in range(3)]
        work.run_due(office)
        (deal,) = journal.entries(office, host, key, kinds=("seats dealt",))
        assert set(deal.facts["dealt"]) == {f"sign-up {number}" for number in came}
        told = [int(sign.removeprefix("sign-up ")) for sign in deal.facts["sign_ups"]]
        assert told == sorted(told) == [sign.number for sign in seats.sign_ups(office, host, key)]
        in_order.append(came == sorted(came))
    assert not all(in_order), "numbers are not given in the order in which people come"


def test_who_came_to_an_anonymous_game_stays_so(office: Office) -> None:
    host = person(office, "Host")
    key = games.create(office, host, {"name": "Masks", "variant": "hundred", "settings": {"anonymous": True}}).key
    games.set_settings(office, host, key, {"anonymous": False})
    games.set_settings(office, host, key, {"anonymous": True})
    seats.sign_up(office, person(office, "Ann"), key, [])
    with pytest.raises(ConflictError, match="anonymous"):
        games.set_settings(office, host, key, {"anonymous": False})
    games.set_settings(office, host, key, {"anonymous": True, "grace": 5})


def test_a_game_that_only_its_players_can_watch_stays_so(office: Office) -> None:
    """Letters to all and names were given to those who could read them then."""
    host = person(office, "Host")
    key = games.create(office, host, {"name": "Cellar", "variant": "hundred", "settings": {"listed": False}}).key
    for listed in (True, False):  # nobody has come
        assert games.set_settings(office, host, key, {"listed": listed}).settings["listed"] is listed
    secret = games.invite(office, host, key).secret
    seats.sign_up(office, person(office, "Ann"), key, [], secret)
    with pytest.raises(ConflictError, match="stays private"):
        games.set_settings(office, host, key, {"listed": True})
    games.set_settings(office, host, key, {"listed": False, "grace": 5})
    public, _, boss = begin(office, coordinated=True)
    games.set_settings(office, boss, public.key, {"listed": False})
    with pytest.raises(ConflictError, match="stays private"):
        games.set_settings(office, boss, public.key, {"listed": True})


def test_an_address_that_is_shared_names_nobody_where_players_are_anonymous(office: Office) -> None:
    record, players, boss = begin(office, coordinated=True, opening_by_post=True, anonymous=True)
    france, england = players["France"], players["England"]
    roster.add_address(office, france, ["Ann Example", "Way 1"], "England", primary=True)
    roster.share_address(office, france, record.key, "France", True)
    assert roster.address_on(office, boss, record.key, "France").lines[0] == "Ann Example"
    with pytest.raises(NotAllowedError):
        roster.address_on(office, england, record.key, "France")
