"""Letters and addresses: who may write, who may read, where a letter goes; orders that letters propose: how they are
read, who ever sees them, and whether they were kept; and bots that write."""

from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from legation.bots import talking
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import bot_letters, letters, mailings
from legation.office.desk.proposed_orders import in_words, split_letter
from legation.office.errors import ConflictError, InvalidInputError, NotAllowedError, NotFoundError, SignInNeededError
from legation.office.game import journal, seats
from legation.office.hosting import absences, games, roster, transfer
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import demo, work
from legation.office.orders import submissions
from legation.office.records import LetterRecord, RosterLine
from legation.office.store.rows import LetterRow
from legation.orders import Hold
from tests.office.playing import CONSOLE, VISITOR, administrator, alter, begin, gather, passes, person, refuses, the
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
    # nobody poses as another (W-27)
    refuses(NotAllowedError, letters.write, office, france, record.key, "England", ["Burgundy"], "x")
    refuses(NotAllowedError, letters.write, office, france, record.key, "France", ["England"], "x", anonymous=True)
    refuses(SignInNeededError, letters.write, office, VISITOR, record.key, "France", ["all"], "x")
    refuses(InvalidInputError, letters.write, office, france, record.key, "France", ["France"], "to myself")
    for text in (" ", "x" * 20_001, "a\0b"):
        refused = refuses(InvalidInputError, letters.write, office, france, record.key, "France", ["England"], text)
        refused.match("A letter must have 1 to")


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


def test_no_deadline_falls_into_an_absence(office: Office, clock: SimulatedClock) -> None:
    absences.announce(office, person(office, "Player0"), "2026-03-03", "2026-03-05", "skiing")
    record, _, _ = begin(office, absence_days=10)
    assert record.turn is not None and record.turn.deadline == clock.now() + timedelta(days=4)
    assert games.game(office, VISITOR, record.key).turn == record.turn


# Orders that letters propose


ORDERS = "France: A par - orl, A dau H\nEngland: A cal H"
"""What France proposes to England."""


def orders_of(letter: LetterRecord) -> dict[str, list[tuple[str, bool | None]]]:
    assert letter.proposal is not None
    return {power: [(one.order, one.kept) for one in listed] for power, listed in letter.proposal.orders.items()}


def reads(office: Office, who: Actor, key: str) -> str:
    """All that somebody can read of the game's letters, one by one and in the list."""
    told = letters.letters(office, who, key)
    found: list[object] = list(told)
    for number in range(1, 30):
        try:
            found.append(letters.letter(office, who, key, office.numbers.shown("letter", number)))
        except NotFoundError:
            continue
    return msgspec.json.encode(found).decode()


@pytest.mark.parametrize("to", [["England"], ["all"]])
def test_nobody_else_ever_sees_a_proposal(office: Office, clock: SimulatedClock, to: list[str]) -> None:
    """Not another power, a visitor, the coordinator who reads letters where the game says so, an administrator, nor the
    console; nor does the database tell, nor an export."""
    game, players, host = begin(office, coordinated=True, reads_letters=True)
    key = game.key
    admin = administrator(office, "Admin")
    sent = letters.write(office, players["France"], key, "France", to, "Look at this", orders="France: A par - orl")
    assert orders_of(sent) == {"France": [("A par - orl", None)]}
    got = letters.letters(office, players["England"], key)[0]
    assert orders_of(got) == orders_of(sent)
    assert [letter.text for letter in letters.letters(office, host, key)] == ["Look at this"], "the game says so"
    others = [host, admin, CONSOLE, VISITOR, person(office, "Eve")]
    for who in [*others, *(players[p] for p in players if p not in ("France", "England") and to != ["all"])]:
        assert "A par - orl" not in reads(office, who, key), who
    row = the(office, LetterRow)
    assert row.proposal is not None and b"par - orl" not in row.proposal and b"par - orl" not in row.locked
    assert "par - orl" not in msgspec.json.encode(transfer.whole_game(office, CONSOLE, key)).decode()
    passes(office, clock, timedelta(days=2))
    assert "A par - orl" not in reads(office, person(office, "Late"), key)


def test_one_answers_only_what_one_may_read_while_one_holds_the_seat(office: Office) -> None:
    game, players, _ = begin(office)
    key = game.key
    first = letters.write(office, players["France"], key, "France", ["England"], "", orders=ORDERS)
    third = next(power for power in players if power not in ("France", "England"))
    for number in (first.id, 5, 2**31):
        with pytest.raises(NotFoundError):
            letters.write(office, players[third], key, third, ["France"], "x", orders=ORDERS, answers=number)
    changed = letters.write(
        office, players["England"], key, "England", ["France", third], "Or so", orders="A cal H", answers=first.id
    )
    assert changed.proposal is not None and changed.proposal.answers == first.id
    told = next(one for one in letters.letters(office, players[third], key) if one.id == changed.id)
    assert told.proposal is not None and told.proposal.answers == 0, "who didn't get it isn't told of it"
    # a new holder of the seat reads it and the old one no more
    seats.resign(office, players["England"], game.key, "England")
    assert "A par - orl" not in reads(office, players["England"], game.key)


def test_how_a_proposal_is_read(office: Office) -> None:
    game, players, _ = begin(office)

    def propose(orders: str) -> LetterRecord:
        return letters.write(office, players["France"], game.key, "France", ["England"], "", orders=orders)

    told = orders_of(propose("A par - orl\nA cal H"))
    assert told == {"France": [("A par - orl", None)], "England": [("A cal H", None)]}
    for wrong, said in (
        ("nonsense", "none"), ("A par - london bridge", "london bridge"), ("France: A cal H", "belongs to England"),
        ("A par - lon", "an"), ("", "1 to"), ("x" * 7000, "at most"),
    ):  # fmt: skip
        refused = refuses(InvalidInputError, propose, wrong)
        assert said in refused.value.message, (wrong, refused.value.message)
    text, orders = split_letter("Dear England,\n\nshall we?\n\nProposal:\nFrance: A par - orl\n")
    assert (text, orders) == ("Dear England,\n\nshall we?", "France: A par - orl")
    proposed = propose(orders).proposal
    assert proposed is not None and in_words(proposed) == "France: A par - orl"
    assert split_letter("A proposal for you: let us meet") == ("A proposal for you: let us meet", "")


def test_whether_it_was_kept(office: Office, clock: SimulatedClock) -> None:
    game, players, _ = begin(office, ready_ends=False)
    key = game.key
    letters.write(office, players["France"], key, "France", ["England"], "", orders=ORDERS)
    submissions.submit(office, players["France"], key, "France", "A par - orl")
    submissions.submit(office, players["England"], key, "England", "A cal - par")
    told = letters.letters(office, players["England"], key)[0]
    assert {kept for listed in orders_of(told).values() for _, kept in listed} == {None}, "nothing before the results"
    passes(office, clock, timedelta(days=1))
    told = letters.letters(office, players["England"], key)[0]
    assert orders_of(told) == {"France": [("A par - orl", True), ("A dau H", True)], "England": [("A cal H", False)]}
    assert told.proposal is not None and not told.proposal.takes_orders


def test_in_the_fog_a_proposal_tells_nothing_that_is_hidden(foggy: Office, clock: SimulatedClock) -> None:
    """Orders for what stands out of sight are taken or refused alike, whether it stands there or not; and what others
    ordered out of sight isn't told by whether a proposal was kept."""
    office = foggy
    game, players, _ = begin(office, variant="foggy", ready_ends=False)
    key, france = game.key, players["France"]

    def said(orders: str) -> str:
        try:
            letters.write(office, france, key, "France", ["England"], "", orders=orders)
        except InvalidInputError as refused:
            return refused.message
        return "sent"

    for there, nowhere in (("F sev - bla", "F arm - bla"), ("A mos - war", "A ukr - war"), ("A ven H", "A tus H")):
        assert said(f"Russia: {there}") == said(f"Russia: {nowhere}") == "sent"
        place = {there: there.split()[1], nowhere: nowhere.split()[1]}
        told = [said(orders).replace(at, "AT").replace(at.title(), "AT") for orders, at in place.items()]
        assert told[0] == told[1] != "sent"
    submissions.submit(office, players["Russia"], key, "Russia", "A mos - war\nF sev - bla")
    passes(office, clock, timedelta(days=1))
    for who in (france, players["England"]):
        for letter in letters.letters(office, who, key):
            assert {kept for listed in orders_of(letter).values() for _, kept in listed} == {None}


def test_a_damaged_proposal_harms_only_itself(office: Office) -> None:
    game, players, _ = begin(office)
    letters.write(office, players["France"], game.key, "France", ["England"], "Hello", orders=ORDERS)
    alter(office, LetterRow, {"proposal": b"damaged"}, game=1)
    (told,) = letters.letters(office, players["England"], game.key)
    assert told.text == "Hello" and told.proposal is None


def test_none_is_sent_while_no_turn_takes_orders(office: Office, clock: SimulatedClock) -> None:
    game, players, _ = begin(office, coordinated=True, approve=True)
    passes(office, clock, timedelta(days=2))
    assert games.game(office, players["France"], game.key).turn is not None
    refuses(ConflictError, letters.write, office, players["France"], game.key, "France", ["England"], "", orders=ORDERS)


# Bots that write


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
def test_a_bot_answers_a_proposal_and_keeps_it_or_refuses(office: Office, clock: SimulatedClock) -> None:
    key, france = beside_a_bot(office)
    letters.write(office, france, key, "France", ["England"], "Will you?", orders="England: A cal H\nFrance: A par H")
    letters.write(office, france, key, "France", ["England"], "Lovely weather.")
    work.run_due(office)
    answer, other = read(office, france, key)[-2:]
    assert answer.text in talking.AGREED and answer.proposal is not None
    assert [one.order for one in answer.proposal.orders["England"]] == ["A cal H"] and answer.proposal.answers
    assert other.text == talking.NOT_UNDERSTOOD
    letters.write(office, france, key, "France", ["England"], "", orders="England: A cal S A dij - par")
    work.run_due(office)
    assert read(office, france, key)[-1].proposal is None, "it helps no stranger"
    submissions.submit(office, france, key, "France", "A par H")
    passes(office, clock, timedelta(days=2))
    result = games.result(office, VISITOR, key, "1")
    england = next(sheet for sheet in result.sheets if sheet.power == "England")
    assert "A cal H" in england.orders


@pytest.mark.parametrize("sent", [True, False])
@pytest.mark.usefixtures("speaks")
def test_no_letter_changes_what_a_player_sent_before_a_bot_stood_in_or_finds_out_whether_they_did(
    office: Office, clock: SimulatedClock, sent: bool
) -> None:
    record, players, _ = begin(office, stand_in="dumbbot", shows_senders="nobody")
    key, france = record.key, players["France"]
    if sent:
        submissions.submit(office, players["England"], key, "England", "A cal - dij")
    clock.advance(timedelta(minutes=1))
    seats.resign(office, players["England"], key, "England")
    letters.write(office, france, key, "France", ["England"], "Will you?", orders="England: A cal H")
    work.run_due(office)
    assert not read(office, france, key), "it writes from the next turn on"
    passes(office, clock, timedelta(days=2))
    assert read(office, france, key)
    (england,) = [sheet for sheet in games.result(office, VISITOR, key, "1").sheets if sheet.power == "England"]
    assert england.entered_by == ("holder" if sent else "bot")


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
def test_a_guest_may_write_and_is_answered(office: Office) -> None:
    credential, key = demo.seat_guest(office, "hundred", "France")
    guest = people.by_secret(office, credential.secret)
    letters.write(office, guest, key, "France", ["England"], "", orders="England: A cal H\nFrance: A par H")
    work.run_due(office)
    assert read(office, guest, key)[-1].text in talking.AGREED


@pytest.mark.parametrize("reference", [False, True])
def test_bots_are_silent_where_players_do_not_write_each_other_and_where_they_are_references(
    office: Office, request: pytest.FixtureRequest, reference: bool
) -> None:
    if not reference:
        request.getfixturevalue("speaks")
    key, france = beside_a_bot(office, press=["public", *(["private"] if reference else [])])
    letters.write(office, france, key, "France", ["England"] if reference else ["all"], "Peace!")
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
