"""Letters and addresses: who may write, who may read, where a letter goes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from legation.office import Actor, Office, SimulatedClock, absences, games, letters, roster
from legation.office.errors import InvalidInputError, NotAllowedError, NotFoundError, SignInNeededError
from tests.office.playing import begin


@pytest.mark.clause("W-27")
def test_letters_reach_those_they_are_for(office: Office) -> None:
    record, players, boss = begin(office, coordinated=True, press=["private", "public"])
    france, england, burgundy = (players[p] for p in ("France", "England", "Burgundy"))
    sent = letters.write(office, france, record.key, "France", ["England"], "Meet me at Dover.")
    assert sent.mine and sent.recipients == ("England",)
    assert [x.text for x in letters.letters(office, england, record.key)] == ["Meet me at Dover."]
    assert not letters.letters(office, england, record.key)[0].read
    letters.mark_read(office, england, record.key, "England", [sent.id])
    assert letters.letters(office, england, record.key)[0].read
    for other in (burgundy, boss, Actor.console(), Actor.visitor()):
        assert letters.letters(office, other, record.key) == []
        with pytest.raises(NotFoundError):
            letters.letter(office, other, record.key, sent.id)
    letters.write(office, burgundy, record.key, "Burgundy", ["all"], "Peace to all.")
    assert [x.text for x in letters.letters(office, Actor.visitor(), record.key)] == ["Peace to all."]
    with pytest.raises(NotAllowedError):  # nobody poses as another (W-27)
        letters.write(office, france, record.key, "England", ["Burgundy"], "x")
    with pytest.raises(NotAllowedError):
        letters.write(office, france, record.key, "France", ["England"], "x", anonymous=True)
    with pytest.raises(SignInNeededError):
        letters.write(office, Actor.visitor(), record.key, "France", ["all"], "x")
    with pytest.raises(InvalidInputError):
        letters.write(office, france, record.key, "France", ["France"], "to myself")


def test_anonymous_letters_do_not_name_their_sender(office: Office) -> None:
    record, players, _ = begin(office, press=["anonymous", "public"])
    letters.write(office, players["France"], record.key, "France", ["all"], "Beware.", anonymous=True)
    (seen,) = letters.letters(office, players["England"], record.key)
    assert seen.sender == ""
    assert letters.letters(office, players["France"], record.key)[0].sender == "France"
    with pytest.raises(NotAllowedError):
        letters.write(office, players["France"], record.key, "France", ["England"], "private?", anonymous=True)


def test_a_coordinator_reads_letters_only_where_the_game_says_so(office: Office) -> None:
    record, players, boss = begin(office, coordinated=True, reads_letters=True)
    letters.write(office, players["France"], record.key, "France", ["England"], "x")
    assert len(letters.letters(office, boss, record.key)) == 1


@pytest.mark.clause("W-23")
def test_which_address_today_and_for_a_letter_that_takes_a_week(office: Office, clock: SimulatedClock) -> None:
    """W-23. Today is 2 March 2026."""
    record, players, boss = begin(office, coordinated=True, opening_by_post=True)
    anna = players["England"]
    roster.add_address(office, anna, ["Anna Ash", "1 High Street"], "United Kingdom", primary=True)
    roster.add_address(office, anna, ["Anna Ash", "Hotel Sol"], "Spain", first="2026-03-05", last="2026-03-20")
    assert roster.address_on(office, boss, record.key, "England").country == "United Kingdom"
    assert roster.address_on(office, boss, record.key, "England", days_in_post=7).country == "Spain"
    assert roster.address_on(office, boss, record.key, "England", "2026-03-18", 7).country == "United Kingdom"
    with pytest.raises(NotAllowedError):
        roster.address_on(office, players["France"], record.key, "England")
    with pytest.raises(NotFoundError):
        roster.address_on(office, boss, record.key, "France")
    roster.share_address(office, anna, record.key, "England")
    assert roster.address_on(office, players["France"], record.key, "England").lines[0] == "Anna Ash"
    lines = {line.power: line for line in roster.roster(office, players["France"], record.key)}
    assert lines["England"].address is not None and lines["England"].email is None
    assert {line.power: line.email for line in roster.roster(office, boss, record.key)}["England"]
    with pytest.raises((NotAllowedError, SignInNeededError)):
        roster.roster(office, Actor.visitor(), record.key)


def test_an_address_that_cannot_be_used_is_told(office: Office) -> None:
    _, players, _ = begin(office)
    with pytest.raises(InvalidInputError) as told:
        roster.add_address(office, players["France"], [], "", first="2026-03-09", last="2026-03-01")
    assert len(told.value.faults) == 3


def test_no_deadline_falls_into_an_absence(office: Office, clock: SimulatedClock) -> None:
    host_absence = ("2026-03-03", "2026-03-05")
    from tests.office.playing import person

    anna = person(office, "Player0")
    absences.announce(office, anna, *host_absence, "skiing")
    record, _, _ = begin(office, absence_days=10)
    assert record.turn is not None and record.turn.deadline == clock.now() + timedelta(days=4)
    assert games.game(office, Actor.visitor(), record.key).turn == record.turn
