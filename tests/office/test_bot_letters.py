"""Bots that write: what they offer when a turn opens, how they answer proposals, and that they mostly keep them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from legation.bots import talking
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import bot_letters, letters
from legation.office.game import seats
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import demo, work
from legation.office.orders import submissions
from legation.office.records import LetterRecord
from legation.orders import Hold
from tests.office.playing import VISITOR, begin, passes


@pytest.fixture
def speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """DumbBot writes, as the levels do that need more than these tests have."""
    monkeypatch.setattr(bot_letters, "SPEAKERS", ("dumbbot",))
    monkeypatch.setattr(talking, "SPEAKS", 1.0)
    monkeypatch.setattr(talking, "KEEPS", 1.0)


def beside_a_bot(office: Office, **settings: Any) -> tuple[str, Actor]:
    """A game of Hundred in which DumbBot has taken over from England's player: its key, and who plays France."""
    record, players, _ = begin(office, stand_in="dumbbot", **settings)
    seats.resign(office, players["England"], record.key, "England")
    work.run_due(office)
    return record.key, players["France"]


def read(office: Office, who: Actor, key: str) -> list[LetterRecord]:
    return [letter for letter in letters.letters(office, who, key) if letter.sender == "England"]


@pytest.mark.usefixtures("speaks")
def test_a_bot_answers_a_proposal_and_keeps_it(office: Office, clock: SimulatedClock) -> None:
    key, france = beside_a_bot(office)
    letters.write(office, france, key, "France", ["England"], "Will you?", orders="England: A cal H\nFrance: A par H")
    letters.write(office, france, key, "France", ["England"], "Lovely weather.")
    work.run_due(office)
    answer, other = read(office, france, key)[-2:]
    assert answer.text in talking.AGREED and answer.proposal is not None
    assert [one.order for one in answer.proposal.orders["England"]] == ["A cal H"] and answer.proposal.answers
    assert other.text == talking.NOT_UNDERSTOOD
    submissions.submit(office, france, key, "France", "A par H")
    passes(office, clock, timedelta(days=2))
    result = games.result(office, VISITOR, key, "1")
    england = next(sheet for sheet in result.sheets if sheet.power == "England")
    assert "A cal H" in england.orders


@pytest.mark.usefixtures("speaks")
def test_nobody_keeps_bots_busy_with_letters(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "MOST_ANSWERED", 2)
    key, france = beside_a_bot(office)
    before = len(read(office, france, key))
    for number in range(5):
        letters.write(office, france, key, "France", ["England"], f"Are you there, {number}?")
    work.run_due(office)
    assert len(read(office, france, key)) == before + 2


@pytest.mark.usefixtures("speaks")
def test_a_bot_refuses_what_cannot_be_and_never_helps_a_stranger(office: Office) -> None:
    key, france = beside_a_bot(office)
    letters.write(office, france, key, "France", ["England"], "", orders="England: A cal S A dij - par")
    work.run_due(office)
    assert read(office, france, key)[-1].proposal is None


@pytest.mark.usefixtures("speaks")
def test_a_guest_may_write_and_is_answered(office: Office) -> None:
    credential, key = demo.seat_guest(office, "hundred", "France")
    guest = people.by_secret(office, credential.secret)
    letters.write(office, guest, key, "France", ["England"], "", orders="England: A cal H\nFrance: A par H")
    work.run_due(office)
    assert read(office, guest, key)[-1].text in talking.AGREED


@pytest.mark.usefixtures("speaks")
def test_bots_are_silent_where_players_do_not_write_each_other(office: Office) -> None:
    key, france = beside_a_bot(office, press=["public"])
    letters.write(office, france, key, "France", ["all"], "Peace!")
    work.run_due(office)
    assert not read(office, france, key)


def test_bots_that_are_references_write_nothing(office: Office) -> None:
    key, france = beside_a_bot(office)
    letters.write(office, france, key, "France", ["England"], "Peace?")
    work.run_due(office)
    assert not read(office, france, key)


@pytest.mark.usefixtures("speaks")
def test_a_bot_writes_what_it_offers_and_orders_whatever_becomes_of_that(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offers(rules: Any, view: Any, sheet: Any, others: Any, random: Any) -> list[talking.Offer]:
        assert sheet.power == "England" and "France" in others and "England" not in others
        return [
            talking.Offer("France", "Shall we?", {"France": (Hold("A", "par"),)}),
            talking.Offer("France", "This can’t be ordered.", {"France": (Hold("A", "lon"),)}),
        ]

    monkeypatch.setattr(talking, "offers", offers)
    key, france = beside_a_bot(office)
    (letter,) = read(office, france, key)
    assert letter.text == "Shall we?" and letter.proposal is not None
    assert [one.order for one in letter.proposal.orders["France"]] == ["A par H"]

    def broken(*given: Any) -> list[talking.Offer]:
        raise ValueError

    monkeypatch.setattr(talking, "offers", broken)
    seats.resign(office, france, key, "France")
    work.run_due(office)
    sent = {seat.power: seat.sent for seat in games.game(office, VISITOR, key).seats if seat.bot}
    assert sent == {"England": True, "France": True}
