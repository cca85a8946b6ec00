"""Reports, decisions, suspensions, notes and blocks: who sees what, who may, and what each does."""

import msgspec
import pytest

from legation.office.clock import SimulatedClock
from legation.office.desk import desk, letters, mailings
from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    LimitExceededError,
    NotAllowedError,
    NotFoundError,
    OfficeError,
)
from legation.office.game import seats
from legation.office.hosting import erasing, games, moderation, tournaments
from legation.office.identity import people
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.store.rows import BlockRow, MailingRow, PersonNoteRow, ReportRow
from tests.office.playing import CONSOLE, administrator, begin, counted, gather, person, refuses, stored, told_by_mail


def test_a_report_with_its_letter_reaches_the_administrators_and_nobody_else(office: Office) -> None:
    admin = administrator(office)
    game, players, host = begin(office, anonymous=True)
    key = game.key
    sent = letters.write(office, players["England"], key, "England", ["France"], "You are all rotten!")
    made = moderation.report(office, players["France"], "This is abuse.", key, letter=sent.id)
    assert (made.name, made.person, made.decision) == ("", 0, ""), "who reports doesn't learn who plays what"
    (seen,) = moderation.reports(office, admin)
    assert seen.name == "Player1" and seen.evidence == "You are all rotten!" and seen.text == "This is abuse."
    assert [item.kind for item in desk.items(office, admin)] == ["report"]
    assert "Player1" not in msgspec.json.encode(desk.items(office, admin)).decode()
    assert moderation.reports(office, players["France"])[0].text == "This is abuse."
    for other in (players["England"], players["Burgundy"], host, person(office, "Eve")):
        assert moderation.reports(office, other) == []
        refuses(NotAllowedError, moderation.decide, office, other, made.id, "nothing", "no")
    assert not any("rotten" in repr(row) or "abuse" in repr(row) for row in stored(office, ReportRow))


def test_nobody_shows_a_letter_that_is_not_theirs(office: Office) -> None:
    game, players, _ = begin(office)
    sent = letters.write(office, players["England"], game.key, "England", ["France"], "Between us")
    for other in (players["Burgundy"], players["England"], person(office, "Eve")):
        refuses(NotFoundError, moderation.report, office, other, "x", game.key, letter=sent.id)
    refuses(NotFoundError, moderation.report, office, players["France"], "x", game.key, power="France")
    refuses(InvalidInputError, moderation.report, office, players["France"], " ", game.key, power="England")
    plan = {"name": "Hidden", "variant": "hundred", "settings": {"listed": False}}
    hidden = games.create(office, person(office, "Hilda"), plan)
    refuses(NotFoundError, moderation.report, office, players["France"], "x", hidden.key, power="England")


def test_in_an_anonymous_game_neither_who_decides_nor_a_block_tells_anything(office: Office) -> None:
    game, players, _ = begin(office, anonymous=True)
    people.make_administrator(office, CONSOLE, players["Burgundy"].person or 0)
    people.make_administrator(office, CONSOLE, players["England"].person or 0)
    made = moderation.report(office, players["France"], "They cheat.", game.key, power="England")
    for own in ("Burgundy", "England"):
        assert moderation.reports(office, players[own]) == []
        refuses(NotAllowedError, moderation.decide, office, players[own], made.id, "nothing", "no").match("yourself")
    assert moderation.decide(office, CONSOLE, made.id, "nothing", "no sign of it").decision == "nothing"
    # in an anonymous game a block tells nobody who writes
    moderation.block(office, players["France"], office.numbers.shown("person", players["England"].person or 0))
    mailings.claim(office, limit=500)
    letters.write(office, players["England"], game.key, "England", ["France"], "Hello")
    assert len(told_by_mail(office, "letter")) == 1


def test_who_is_suspended_plays_on_and_joins_makes_and_writes_nothing(office: Office, clock: SimulatedClock) -> None:
    admin = administrator(office)
    game, players, _ = begin(office)
    bad, key = players["England"], game.key
    gathering = gather(office, admin, "Stow")
    made = moderation.report(office, players["France"], "Abuse.", key, power="England")
    refuses(InvalidInputError, moderation.decide, office, admin, made.id, "suspension", "abuse", 0)
    refuses(InvalidInputError, moderation.decide, office, admin, made.id, "suspension", " ", 7)
    moderation.decide(office, admin, made.id, "suspension", "abuse", 7)
    refuses(ConflictError, moderation.decide, office, admin, made.id, "nothing", "no")
    assert told_by_mail(office, "suspension") == ["Player1"] and desk.items(office, admin) == []
    assert counted(office, MailingRow, kind="report decided") == 1
    for barred in (
        lambda: seats.sign_up(office, bad, gathering.key),
        lambda: gather(office, bad, "Mine"),
        lambda: tournaments.create(office, bad, {"name": "Mine", "variant": "hundred"}),
        lambda: letters.write(office, bad, key, "England", ["all"], "Hello"),
        lambda: moderation.report(office, bad, "Revenge", key, power="France"),
    ):
        refuses(NotAllowedError, barred).match("suspended")
    submissions.submit(office, bad, key, "England", "A cal H")
    with pytest.raises(ConflictError, match="not signed up"):
        seats.withdraw_sign_up(office, bad, gathering.key)  # what one may do is to withdraw
    assert people.me(office, bad).name == "Player1" and people.export(office, bad)["decisions"][0]["reason"] == "abuse"
    number = moderation.reports(office, admin)[0].person
    assert moderation.record(office, admin, number).suspended is not None
    moderation.lift(office, admin, number, "appealed")
    seats.sign_up(office, bad, gathering.key)


def test_notes_are_for_administrators_and_in_the_export(office: Office) -> None:
    admin, eve = administrator(office), person(office, "Eve")
    number = office.numbers.shown("person", eve.person or 0)
    assert "Chief: watch her" in moderation.note(office, admin, number, "watch her").notes[0]
    for command in (moderation.record, moderation.lift):
        refuses(NotAllowedError, command, office, eve, number)
    refuses(NotAllowedError, moderation.note, office, eve, number, "I am fine")
    assert people.export(office, eve)["notes"][0]["text"] == "watch her"


def test_who_is_blocked_does_not_reach_one(office: Office) -> None:
    game, players, _ = begin(office)
    ann, bob, key = players["France"], players["England"], game.key
    number = office.numbers.shown("person", bob.person or 0)
    assert [one.name for one in moderation.block(office, ann, number)] == ["Player1"]
    refuses(OfficeError, moderation.block, office, ann, office.numbers.shown("person", ann.person or 0))
    mailings.claim(office, limit=500)
    letters.write(office, bob, key, "England", ["France", "Burgundy"], "Hello")
    assert told_by_mail(office, "letter") == ["Player0"], "it can be read, and no mail tells of it"
    hosted = gather(office, ann, "Stow")
    refuses(NotAllowedError, seats.sign_up, office, bob, hosted.key).match("can’t join")
    other = gather(office, bob, "Worcester")
    refuses(LimitExceededError, games.invite, office, bob, other.key, "player2@example.org")
    assert moderation.blocks(office, bob) == []
    moderation.unblock(office, ann, number)
    seats.sign_up(office, bob, hosted.key)


def test_reports_are_bounded_and_go_with_the_person(office: Office) -> None:
    game, players, _ = begin(office)
    for _ in range(10):
        moderation.report(office, players["France"], "x", game.key, power="England")
    refuses(LimitExceededError, moderation.report, office, players["France"], "x", game.key, power="England")
    eve = person(office, "Eve")
    moderation.block(office, eve, office.numbers.shown("person", players["France"].person or 0))
    moderation.note(office, CONSOLE, office.numbers.shown("person", eve.person or 0), "a note")
    moderation.report(office, eve, "x", game.key, power="England")
    erasing.erase(office, eve)
    assert stored(office, BlockRow) == [] == stored(office, PersonNoteRow)
    assert counted(office, ReportRow) == 10 == len(desk.items(office, CONSOLE)), "nor does the desk ask about hers"
