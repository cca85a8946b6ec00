"""Letters and addresses: who may write, who may read, where a letter goes."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import timedelta

import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import letters, mailings
from legation.office.errors import ConflictError, InvalidInputError, NotAllowedError, NotFoundError, SignInNeededError
from legation.office.game import journal, seats
from legation.office.hosting import absences, games, roster
from legation.office.office import Office
from legation.office.records import RosterLine
from tests.office.playing import CONSOLE, VISITOR, begin, gather, person, refuses
from tests.web.test_players import as_person


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
    for other in (burgundy, boss, CONSOLE, VISITOR):
        assert letters.letters(office, other, record.key) == []
        refuses(NotFoundError, letters.letter, office, other, record.key, sent.id)
    letters.write(office, burgundy, record.key, "Burgundy", ["all"], "Peace to all.")
    assert [x.text for x in letters.letters(office, VISITOR, record.key)] == ["Peace to all."]
    with pytest.raises(NotAllowedError):  # nobody poses as another (W-27)
        letters.write(office, france, record.key, "England", ["Burgundy"], "x")
    refuses(NotAllowedError, letters.write, office, france, record.key, "France", ["England"], "x", anonymous=True)
    refuses(SignInNeededError, letters.write, office, VISITOR, record.key, "France", ["all"], "x")
    refuses(InvalidInputError, letters.write, office, france, record.key, "France", ["France"], "to myself")


def test_the_newest_letters_are_read_first_and_the_earlier_ones_after_them(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, players, _ = begin(office)
    monkeypatch.setattr(letters, "MOST_AT_ONCE", 3)
    site = as_person(office, players["England"])
    address = f"/games/{record.key}/letters"
    texts = [f"Letter number {n}." for n in range(5)]
    for text in texts:
        letters.write(office, players["France"], record.key, "France", ["England"], text)
    assert games.game(office, players["England"], record.key).unread == 5
    assert [games.game(office, players[p], record.key).unread for p in ("France", "Burgundy")] == [0, 0]
    last = letters.letters(office, players["England"], record.key, newest=True)
    assert [letter.text for letter in last] == texts[2:]
    before = letters.letters(office, players["England"], record.key, after=last[0].id, newest=True)
    assert [letter.text for letter in before] == texts[:2]
    assert [x.text for x in letters.letters(office, players["England"], record.key, after=last[0].id)] == texts[3:]
    page = site.get(f"{address}?with=France").text
    assert [text for text in texts if text in page] == texts[2:]
    assert f'<a class="line-link" href="{address}?with=France&amp;before={last[0].id}">Earlier letters</a>' in page
    assert games.game(office, players["England"], record.key).unread == 2
    assert '<span class="count" title="unread">2<' in page
    page = site.get(f"{address}?with=France&before={last[0].id}").text
    assert [text for text in texts if text in page] == texts[:2] and "Earlier letters" not in page
    assert 'title="unread"' not in page
    assert f'href="{address}?before={last[0].id}"' in site.get(address).text
    for nothing in ("x", "-1", "9" * 30, "²"):
        assert site.get(address, params={"before": nothing}).status_code == 200


def test_anonymous_letters_do_not_name_their_sender(office: Office) -> None:
    record, players, _ = begin(office, press=["anonymous", "public"])
    letters.write(office, players["France"], record.key, "France", ["all"], "Beware.", anonymous=True)
    (seen,) = letters.letters(office, players["England"], record.key)
    assert seen.sender == ""
    assert letters.letters(office, players["France"], record.key)[0].sender == "France"
    with pytest.raises(NotAllowedError):
        letters.write(office, players["France"], record.key, "France", ["England"], "private?", anonymous=True)


def test_a_muted_power_writes_unheard(office: Office) -> None:
    record, players, _ = begin(office, press=["private", "public", "anonymous"])
    france, england, burgundy = (players[p] for p in ("France", "England", "Burgundy"))
    assert letters.mute(office, england, record.key, "England", "France") == ["France"]
    assert letters.muted(office, england, record.key, "England") == ["France"]
    mailings.claim(office, limit=500)

    def told() -> list[str]:
        """The powers that a mail tells of a letter."""
        return sorted(mail.power for mail in mailings.claim(office, limit=500) if mail.kind == "letter")

    def send(to: str, anonymous: bool = False) -> list[str]:
        letters.write(office, france, record.key, "France", [to], "Hear me!", anonymous)
        return told()

    since = journal.mark(office)
    assert send("England") == [] and send("all") == ["Burgundy"]
    assert [x.read for x in letters.letters(office, england, record.key)] == [True, True]
    assert not journal.is_news(office, england, record.key, since)
    assert send("all", anonymous=True) == ["Burgundy", "England"], "else the mute would tell who wrote it"
    assert letters.mute(office, england, record.key, "England", "anonymous") == ["France", "anonymous"]
    assert send("all", anonymous=True) == ["Burgundy"]
    letters.mute(office, england, record.key, "England", "France", muted=False)
    assert send("England") == ["England"] and send("all") == ["Burgundy", "England"]
    letters.mute(office, england, record.key, "England", "all")
    assert send("all") == ["Burgundy"] and send("England") == ["England"]
    for who, power, whom in ((england, "England", "England"), (burgundy, "England", "France")):
        with pytest.raises((InvalidInputError, NotAllowedError)):
            letters.mute(office, who, record.key, power, whom)
        with pytest.raises((InvalidInputError, NotAllowedError)) if who is burgundy else nullcontext():
            assert letters.muted(office, who, record.key, power) == ["all", "anonymous"]
    seats.resign(office, england, record.key, "England")
    seats.take_over(office, (heir := person(office, "Heir")), record.key, "England")
    assert letters.muted(office, heir, record.key, "England") == [], "a seat's next holder hears all"


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
    roster.add_address(office, anna, ["Anna Ash", "An open end"], "France", first="2026-03-04")
    roster.add_address(office, anna, ["Anna Ash", "Hotel Sol"], "Spain", first="2026-03-05", last="2026-03-20")

    def england(reader: Actor, on: str = "", days: int | None = None) -> RosterLine:
        lines = roster.roster(office, reader, record.key, on, days)
        return next(line for line in lines if line.power == "England")

    days = {"": "United Kingdom", "2026-03-04": "France", "2026-03-20": "Spain", "2026-03-25": "France"}
    found = {day: address.country for day in days if (address := england(boss, day).address) is not None}
    assert found == days
    letter = england(boss, days=7).then
    assert letter is not None and letter.country == "Spain"
    for ask in (roster.roster, roster.rosters):
        for wrong in (-1, 61, 10**12):
            refuses(InvalidInputError, ask, office, boss, record.key, days_in_post=wrong)
    roster.share_address(office, anna, record.key, "England", False)
    assert england(players["France"]).address is None
    roster.share_address(office, anna, record.key, "England")
    seen = england(players["France"])
    assert seen.address is not None and seen.address.lines[0] == "Anna Ash" and seen.email is None
    assert england(boss).email
    with pytest.raises((NotAllowedError, SignInNeededError)):
        roster.roster(office, VISITOR, record.key)


def test_no_coordinator_comes_by_addresses_by_making_a_game_one_by_post(office: Office) -> None:
    """Who plays in a game without post has shown its coordinator no postal address, and does not come to by a
    setting."""
    record, players, boss = begin(office, coordinated=True)
    anna, post = players["England"], {"channels": {"Movement": ["web", "post"]}}
    roster.add_address(office, anna, ["Anna Ash", "1 High Street"], "United Kingdom", primary=True)
    refuses(ConflictError, games.set_settings, office, boss, record.key, post).match("without post")
    made = gather(office, boss, "Naseby", coordinated=True)
    seats.sign_up(office, anna, made.key)
    for changes in (post, {"opening_by_post": True}):
        refuses(ConflictError, games.set_settings, office, boss, made.key, changes).match("without post")
    seats.withdraw_sign_up(office, anna, made.key)
    assert games.set_settings(office, boss, made.key, post).settings["channels"]["Movement"] == ("web", "post")
    for key in (record.key, made.key):
        assert all(line.address is None and not line.alternatives for line in roster.roster(office, boss, key))


def test_an_address_that_cannot_be_used_is_told(office: Office) -> None:
    _, players, _ = begin(office)
    with pytest.raises(InvalidInputError) as told:
        roster.add_address(office, players["France"], [], "", first="2026-03-09", last="2026-03-01")
    assert len(told.value.faults) == 3


def test_no_deadline_falls_into_an_absence(office: Office, clock: SimulatedClock) -> None:
    host_absence = ("2026-03-03", "2026-03-05")

    anna = person(office, "Player0")
    absences.announce(office, anna, *host_absence, "skiing")
    record, _, _ = begin(office, absence_days=10)
    assert record.turn is not None and record.turn.deadline == clock.now() + timedelta(days=4)
    assert games.game(office, VISITOR, record.key).turn == record.turn
