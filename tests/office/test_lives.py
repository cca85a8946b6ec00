"""What happens in the life of a game, from its making to its turns: people come and go or wait for a seat, deadlines
move, orders are missing, games are paused, one person orders for all powers."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor, by_clock
from legation.office.desk import desk, mailings
from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    NotAllowedError,
    NotFoundError,
    OfficeError,
    SignInNeededError,
)
from legation.office.game import journal, seats, waiting_lists
from legation.office.game.processing import process_now
from legation.office.hosting import absences, deadlines, games, profiles, proofs, votes
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.operation import demo, work
from legation.office.operation.work import sweep_guests
from legation.office.orders import submissions, tables
from legation.office.records import GameRecord
from legation.office.settings import Settings
from legation.office.store.rows import GameRow
from legation.office.terms.plans import GameSettings
from legation.proofs.lots import deal
from legation.variants import ListedVariants, Registry, names
from tests.office.playing import (
    CONSOLE,
    VISITOR,
    alter,
    begin,
    close_turn,
    deadline_of,
    gather,
    passes,
    person,
    refuses,
    send_all,
    told_by_mail,
    turn_now,
)
from tests.rules.small_variant import HOMES, VARIANT

DAY = timedelta(days=1)


def seat_of(office: Office, record: GameRecord, power: str) -> Any:
    return next(s for s in games.game(office, CONSOLE, record.key).seats if s.power == power)


def test_a_game_of_hundred_plays_itself(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    assert record.turn is not None and record.turn.name == "1425 Movement"
    assert sorted(players) == sorted(s.power for s in record.seats)
    for number in range(1, 7):
        present = turn_now(office, VISITOR, record.key)
        assert present.number == number
        receipts = send_all(office, record, players, number)
        for power, receipt in receipts.items():
            assert receipt.turn == present.name and receipt.power == power and receipt.checked is not None
        passes(office, clock, present.deadline - timedelta(microseconds=1))
        assert turn_now(office, VISITOR, record.key) == present
        passes(office, clock, present.deadline)
        result = games.result(office, VISITOR, record.key, number)
        assert result.state == "final"
        by_power = {sheet.power: sheet for sheet in result.sheets}
        for power, receipt in receipts.items():
            assert by_power[power].commitment == receipt.commitment
            assert receipt.checked is not None and by_power[power].orders == receipt.checked.orders
    kinds = [entry.kind for entry in journal.entries(office, VISITOR, record.key, limit=1000)]
    assert kinds.count("final results") == 6


def test_bots_play_on_their_own(office: Office, clock: SimulatedClock) -> None:
    host = person(office, "Host")
    chairs = {"France": "bot:dumbbot", "England": "bot:random", "Burgundy": "bot:hold"}
    made = gather(office, host, "Bots", chairs=chairs)
    games.start(office, host, made.key)
    work.run_due(office)
    for _ in range(4):
        passes(office, clock, timedelta(days=1))
    assert len(games.turns(office, VISITOR, made.key)) == 5
    assert sorted(h.bot for h in seats.holders(office, VISITOR, made.key)) == ["dumbbot", "hold", "random"]
    assert all(sheet.orders for sheet in games.result(office, VISITOR, made.key, 1).sheets)


@pytest.mark.long
def test_a_demonstration_is_made_once(tmp_path: Path) -> None:
    keys = demo.fill(tmp_path, Settings(settling=0), turns=2)
    office = open_office(tmp_path, Settings(settling=0))
    you = people.as_person(office, people.find(office, CONSOLE, demo.ADDRESS).id)
    *played, table = [games.game(office, you, key) for key in keys]
    assert [game.variant for game in played] == list(names())
    for game in played:
        assert game.state == "running" and len(game.powers) == 1
        assert game.turn is not None and game.turn.number == 3 and game.turn.deadline is not None
        assert game.turn.deadline > office.clock.now(), "the present turn is open to whoever looks"
        (own,) = (line for line in games.turns(office, you, game.key) if line.number == 1)
        assert own.state == "final"
        sent = submissions.mine(office, you, game.key, game.powers[0], "1")
        assert [line.channel for line in sent] == ["web"], "the demo player has ordered, too"
    assert table.state == "gathering" and len(table.seats) == min(len(game.seats) for game in played)
    office.close()
    assert demo.fill(tmp_path, Settings(settling=0)) == []


def test_guests_are_seated_though_all_names_were_given_before(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guests' games are swept away after two days; their keys stay with the keeper, which gives a name once."""
    monkeypatch.setattr(demo, "MEETINGS", ("Peace",))
    monkeypatch.setattr(demo, "PLACES", ("Utrecht", "Lodi"))
    seen = set()
    for day in range(4):
        seen.add(demo.seat_guest(office, "hundred")[1])
        clock.advance(timedelta(days=4))
        with by_clock(office) as act:
            assert sweep_guests(act) == 1, day
    assert len(seen) == 4


def test_the_seat_of_nobody_is_filled(office: Office, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(VARIANT.format(rule=f"{HOMES}[rules.passive_powers]\npowers = ['Turkey']"))
    office.variants = ListedVariants(Registry(tmp_path), office.catalog)
    made = gather(office, person(office, "Host"), "Quiet", variant="x")
    bots = {seat.power: seat.bot for seat in games.game(office, CONSOLE, made.key).seats}
    assert bots == {"France": "", "Italy": "", "Turkey": "hold"}


def test_who_gave_a_seat_back_and_signs_up_again_waits_like_all(office: Office, clock: SimulatedClock) -> None:
    host, eve, *others = (person(office, name) for name in ("Host", "Eve", "Ann", "Bob", "Cy"))
    made = gather(office, host, "Naseby", coordinated=True)

    def seated(who: Actor, power: str) -> None:
        link = games.invite(office, host, made.key, "", power).secret
        seats.sign_up(office, who, made.key, invitation=link)

    seated(eve, "France")
    clock.advance(timedelta(minutes=1))
    seats.withdraw_sign_up(office, eve, made.key)
    for who, seat in zip(others, made.seats, strict=True):
        seated(who, seat.power)
    clock.advance(timedelta(minutes=1))
    seats.sign_up(office, eve, made.key)
    games.start(office, host, made.key)
    assert games.game(office, eve, made.key).waits


# Signing in


def test_a_link_signs_in_once_and_for_a_quarter_of_an_hour(office: Office, clock: SimulatedClock) -> None:
    people.ask_link(office, VISITOR, "Anna@Example.org", "/games/x")
    (mail,) = mailings.claim(office)
    assert (mail.kind, mail.address, mail.facts["next"]) == ("sign in", "anna@example.org", "/games/x")
    refuses(InvalidInputError, people.use_link, office, VISITOR, mail.facts["secret"]).match("Choose the name")
    session = people.use_link(office, VISITOR, mail.facts["secret"], name="Anna A.")
    assert people.me(office, people.by_secret(office, session.secret)).confirmed
    for secret in (mail.facts["secret"], "never made", ""):
        refuses(SignInNeededError, people.use_link, office, VISITOR, secret)
    people.ask_link(office, VISITOR, "anna@example.org")
    late = mailings.claim(office)[0].facts["secret"]
    clock.advance(timedelta(minutes=16))
    refuses(SignInNeededError, people.use_link, office, VISITOR, late)
    actor = people.by_secret(office, session.secret)
    people.end(office, actor, next(c.id for c in people.credentials(office, actor) if c.kind == "session"))
    refuses(SignInNeededError, people.by_secret, office, session.secret)


# Coming and going


def test_an_invitation_opens_a_game_that_is_not_listed(office: Office) -> None:
    host, guest = person(office, "Host"), person(office, "Guest")
    made = gather(office, host, "Secret", listed=False, coordinated=True)
    refuses(NotFoundError, games.game, office, guest, made.key)
    assert games.list_games(office, guest) == []
    refuses(NotFoundError, seats.sign_up, office, guest, made.key)
    link = games.invite(office, host, made.key, "guest@example.org", "France")
    assert [m.kind for m in mailings.claim(office)] == ["invitation"]
    seats.sign_up(office, guest, made.key, invitation=link.secret)
    assert games.game(office, guest, made.key).powers == ("France",)
    assert submissions.mine(office, guest, made.key, "France") == [], "the game has not begun"
    refuses(NotFoundError, seats.sign_up, office, person(office, "Other"), made.key, invitation=link.secret)


@pytest.mark.clause("W-26")
def test_the_name_of_a_game_that_is_not_listed_tells_nobody_that_there_is_one(office: Office) -> None:
    """Somebody else can give a game the same name and isn't told of the other; to each the name means their own."""
    host, guest, invited = person(office, "Host"), person(office, "Guest"), person(office, "Invited")
    plan = {"name": "Secret Cellar", "variant": "hundred", "settings": {"listed": False}}
    hidden = games.create(office, host, plan)
    games.invite(office, host, hidden.key, "invited@example.org")
    for reader in (guest, VISITOR):
        refuses(NotFoundError, games.game, office, reader, "Secret Cellar")
    shown = games.create(office, guest, plan | {"settings": {}})
    assert (hidden.name, shown.key) == ("Secret Cellar", "secret-cellar") and hidden.key.startswith("secret-cellar-")
    another = games.create(office, guest, plan)
    assert len({hidden.key, shown.key, another.key}) == 3 and len(another.key) == len(hidden.key)
    named = plan | {"name": "secret cellar", "settings": {}}
    refuses(ConflictError, games.create, office, host, named).match("already a game called")
    with pytest.raises(ConflictError, match="already a game called"):
        games.set_settings(office, host, hidden.key, {"listed": True})
    assert games.game(office, host, "secret cellar").key == shown.key, "an address leads everybody to the same game"
    meant = [games.key_meant(office, who, "Secret Cellar") for who in (host, invited, guest, person(office, "Eve"))]
    assert meant == [hidden.key, hidden.key, shown.key, shown.key]
    games.cancel(office, guest, shown.key, "no players")
    assert games.key_meant(office, guest, "Secret Cellar") == shown.key and games.key_meant(office, guest, "no") == "no"


def test_of_several_games_of_one_name_the_one_that_goes_on_is_meant_or_all_are_told(office: Office) -> None:
    host, console = person(office, "Host"), CONSOLE
    plan = {"name": "Cellar", "variant": "hundred", "settings": {"listed": False}}
    first, second = (games.create(office, host, plan).key for _ in range(2))
    for who in (host, console):
        refuses(ConflictError, games.cancel, office, who, "Cellar", "gone").match(f"(?=.*{first})(?=.*{second})")
        refuses(ConflictError, games.key_meant, office, who, "Cellar").match("Several games")
    refuses(NotFoundError, games.game, office, person(office, "Eve"), "Cellar")
    games.cancel(office, host, second, "gone")
    assert games.key_meant(office, host, "cellar") == first == games.game(office, console, "Cellar").key
    assert games.key_meant(office, host, second) == second


def test_a_game_that_was_listed_once_tells_no_more_of_itself_by_its_name(office: Office) -> None:
    host, guest = person(office, "Host"), person(office, "Guest")
    plan = {"name": "Cellar", "variant": "hundred"}
    hidden = games.create(office, host, plan)
    games.set_settings(office, host, hidden.key, {"listed": False})
    made = games.create(office, guest, plan)
    assert (hidden.key, made.name) == ("cellar", "Cellar")
    assert games.game(office, guest, "cellar").key == made.key, "by its name"
    assert games.game(office, host, "cellar").key == hidden.key


def test_a_bot_gets_the_seats_that_are_left(office: Office) -> None:
    """After the deal, so that it takes no seat that somebody wished for; and the proof of the deal holds."""
    host, guest = person(office, "Host"), person(office, "Guest")
    key = gather(office, host, "Naseby", coordinated=True).key
    seats.sign_up(office, guest, key, ["England"])
    record = games.start(office, host, key, "hold")
    assert {seat.power: seat.bot for seat in record.seats} == {"Burgundy": "hold", "England": "", "France": "hold"}
    assert games.game(office, guest, key).powers == ("England",)
    assert all(proof.holds for proof in proofs.verify(office, guest, key))


def test_wishes_and_the_lot_decide_who_plays_what(office: Office) -> None:
    signed = {"sign-up 1": ["A"], "sign-up 2": ["A", "B"], "sign-up 3": []}
    dealt = deal("seed", "Game", signed, ["A", "B", "C"])
    assert sorted(dealt.values()) == ["A", "B", "C"] and deal("seed", "Game", signed, ["A", "B", "C"]) == dealt
    assert dealt["sign-up 2"] in ("A", "B") and (dealt["sign-up 1"] == "A" or dealt["sign-up 2"] == "A")
    others = {deal(f"seed {n}", "Game", {"sign-up 1": [], "sign-up 2": []}, ["A", "B"])["sign-up 1"] for n in range(20)}
    assert len(others) > 1


def test_a_resignation_and_a_replacement(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True)
    france = players["France"]
    sent = submissions.submit(office, france, record.key, "France", "A par H")
    seats.resign(office, france, record.key, "France", "moving house")
    assert [i.kind for i in desk.items(office, boss)] == ["replace"]
    with pytest.raises((NotAllowedError, SignInNeededError)):
        submissions.submit(office, france, record.key, "France", "A par - orl")
    new = person(office, "Newcomer")
    with pytest.raises(ConflictError):  # in a coordinated game the coordinator fills empty seats
        seats.take_over(office, new, record.key, "France")
    seats.replace(office, boss, record.key, "France", "newcomer@example.org", "plays on")
    assert games.game(office, new, record.key).powers == ("France",) and not desk.items(office, boss)
    with pytest.raises(NotAllowedError):  # what was sent before was another's
        submissions.read_own(office, new, sent.submission)
    submissions.submit(office, new, record.key, "France", "A par - orl")
    assert [h.why for h in seats.holders(office, boss, record.key) if h.power == "France"] == [
        "moving house",
        "plays on",
    ]
    close_turn(office, clock, record)
    assert next(s for s in games.result(office, boss, record.key, 1).sheets if s.power == "France").version == 2


def lost(office: Office, who: Actor, record: GameRecord) -> list[tuple[str, str, str, bool]]:
    return [(s.power, s.how, s.why, s.vacant) for s in games.game(office, who, record.key).lost]


def told_of_seats(office: Office) -> list[tuple[str, dict[str, str]]]:
    return [(m.address, m.facts) for m in mailings.claim(office, limit=200) if m.kind == "seat lost"]


def test_who_lost_a_seat_is_told_how_and_why(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True)
    games.set_settings(office, boss, record.key, {"listed": False})
    england, france, burgundy = (players[power] for power in ("England", "France", "Burgundy"))
    addresses = {power: people.me(office, actor).email for power, actor in players.items()}
    assert lost(office, france, record) == [] and told_of_seats(office) == []
    seats.resign(office, burgundy, record.key, "Burgundy", "moving house")
    assert told_of_seats(office) == [(addresses["Burgundy"], {"how": "resigned", "why": ""})]
    clock.advance(DAY / 24)
    seats.replace(office, boss, record.key, "France", "newcomer@example.org", "does not answer")
    seats.vacate(office, boss, record.key, "England", "asked for it")
    assert told_of_seats(office)[1:] == [  # the first comes again, as nobody sent it
        (addresses["France"], {"how": "replaced", "why": "does not answer"}),
        (addresses["England"], {"how": "vacated", "why": "asked for it"}),
    ]
    assert lost(office, france, record) == [("France", "replaced", "does not answer", False)]
    assert lost(office, england, record) == [("England", "vacated", "asked for it", True)]
    assert lost(office, burgundy, record) == [("Burgundy", "resigned", "moving house", True)]
    newcomer = people.find(office, CONSOLE, "newcomer@example.org").id
    assert lost(office, people.as_person(office, newcomer), record) == []
    with pytest.raises(NotFoundError):  # the game is not listed; nobody else learns of it
        games.game(office, person(office, "Stranger"), record.key)
    clock.advance(DAY / 24)
    seats.replace(office, boss, record.key, "France", addresses["England"] or "", "plays on")
    assert lost(office, england, record) == []
    assert lost(office, people.as_person(office, newcomer), record) == [("France", "replaced", "plays on", False)]


def test_who_sends_nothing_loses_the_seat_and_may_take_it_back(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office, missing="disorder", missing_after=1)
    for power in ("France", "England"):
        submissions.submit(office, players[power], record.key, power, "")
    close_turn(office, clock, record)
    burgundy = players["Burgundy"]
    assert lost(office, burgundy, record) == [("Burgundy", "disorder", "no orders came for 1 turn", True)]
    assert [facts["how"] for _, facts in told_of_seats(office)] == ["disorder"]
    seats.take_over(office, burgundy, record.key, "Burgundy")
    assert games.game(office, burgundy, record.key).powers == ("Burgundy",) and lost(office, burgundy, record) == []


# Missing orders


def test_a_game_waits_where_it_is_so_set(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, missing="wait", coordinated=True)
    for power in ("France", "England"):
        submissions.submit(office, players[power], record.key, power, "# nothing to say")
        submissions.submit(office, players[power], record.key, power, "")
    close_turn(office, clock, record)
    turn = turn_now(office, VISITOR, record.key)
    assert turn.state == "waiting" and turn.note
    assert [i.kind for i in desk.items(office, boss)] == ["wait"]
    passes(office, clock, 3 * DAY)
    submissions.submit(office, players["Burgundy"], record.key, "Burgundy", "A dij H")
    work.run_due(office)
    assert games.result(office, VISITOR, record.key, 1).state == "final"
    assert desk.items(office, boss) == []
    close_turn(office, clock, record)
    deadlines.extend(office, boss, record.key, clock.now() + timedelta(days=1), "a holiday")
    refuses(ConflictError, process_now, office, boss, record.key).match("sealed until the deadline")
    passes(office, clock, DAY)
    process_now(office, boss, record.key)  # the coordinator goes on without them
    work.run_due(office)
    assert games.result(office, VISITOR, record.key, 2).state == "final"


@pytest.mark.parametrize("missing", ["wait", "disorder"])
def test_who_withdrew_all_that_they_sent_has_sent_nothing(missing: str, office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office, missing=missing, missing_after=2, coordinated=True, ready_ends=False)
    for power in ("France", "England"):
        submissions.submit(office, players[power], record.key, power, "# nothing to say")
    for _ in range(2):
        sent = submissions.submit(office, players["Burgundy"], record.key, "Burgundy", "A dij H")
        submissions.withdraw(office, players["Burgundy"], sent.submission)
    close_turn(office, clock, record)
    if missing == "wait":
        assert turn_now(office, VISITOR, record.key).state == "waiting"
    else:
        work.run_due(office)
        told = [entry for entry in journal.entries(office, CONSOLE, record.key) if entry.kind == "missed"]
        assert [entry.facts["power"] for entry in told] == ["Burgundy"]


def test_civil_disorder_and_the_call_for_another_player(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office, missing="disorder", missing_after=2)
    for _ in range(2):
        for power in ("France", "England"):
            submissions.submit(office, players[power], record.key, power, "")
        close_turn(office, clock, record)
    seat = seat_of(office, record, "Burgundy")
    assert (seat.state, seat.holder) == ("civil disorder", None)
    assert "civil disorder" in [e.kind for e in journal.entries(office, VISITOR, record.key, limit=500)]
    wanted, players, boss = begin(office, name="Wanted", missing="replace", missing_after=1, coordinated=True)
    close_turn(office, clock, wanted)
    assert sorted(i.power for i in desk.items(office, boss, wanted.key)) == ["Burgundy", "England", "France"]
    assert seat_of(office, wanted, "France").state == "held"


# Time


@pytest.mark.clause("W-21c")
def test_deadlines_move_later_with_a_reason_and_never_earlier(office: Office, clock: SimulatedClock) -> None:
    """W-21c."""
    record, players, boss = begin(office, coordinated=True)
    until = deadline_of(record) + 2 * DAY
    for at, reason in (
        (deadline_of(record) - DAY, "x"),
        (until, " "),
        (datetime(2099, 1, 1, tzinfo=UTC), "x"),
        (datetime(2026, 3, 9), "x"),
    ):
        refuses(InvalidInputError, deadlines.extend, office, boss, record.key, at, reason)
    refuses(NotAllowedError, deadlines.extend, office, players["France"], record.key, until, "please")
    deadlines.extend(office, boss, record.key, until, "the post is on strike")
    assert [(m.who, m.reason) for m in deadlines.history(office, VISITOR, record.key)] == [
        ("the office", ""),
        ("the coordinator", "the post is on strike"),
    ]
    assert "deadline moved" in [m.kind for m in mailings.claim(office, limit=100)]
    passes(office, clock, deadline_of(record))
    assert submissions.submit(office, players["France"], record.key, "France", "").version == 1
    passes(office, clock, until)
    assert games.result(office, boss, record.key).number == 1


@pytest.mark.clause("W-21c")
def test_a_pause_moves_the_deadline_by_its_length(office: Office, clock: SimulatedClock) -> None:
    record, _, boss = begin(office, coordinated=True)
    refuses(InvalidInputError, games.pause, office, boss, record.key, "")
    games.pause(office, boss, record.key, "the coordinator is ill")
    passes(office, clock, 10 * DAY)
    resumed = games.resume(office, boss, record.key)
    assert resumed.turn is not None and resumed.turn.deadline == deadline_of(record) + 10 * DAY
    told = [mail.kind for mail in mailings.claim(office, limit=200)]
    assert "game resumed" in told and "deadline moved" not in told  # one mail says both
    close_turn(office, clock, record)
    assert games.result(office, boss, record.key).number == 1


def test_two_reminders_that_are_due_at_once_are_one(office: Office, clock: SimulatedClock) -> None:
    """The office was away on the day to post and on the day before the deadline."""
    record, _, _ = begin(office, opening_by_post=True, coordinated=True, reminder_hours=24, schedule="three-kingdoms")
    mailings.claim(office, limit=100)
    passes(office, clock, deadline_of(record) - timedelta(hours=2))
    due = [m.power for m in mailings.claim(office, limit=100) if m.kind == "reminder"]
    assert sorted(due) == ["Burgundy", "England", "France"]


@pytest.mark.parametrize(
    ("meanwhile", "left"),
    [("nothing", 3), ("orders", 2), ("a pause", 0), ("the end of the turn", 0), ("another player", 2)],
)
def test_a_reminder_that_waited_too_long_is_not_sent(
    office: Office, clock: SimulatedClock, meanwhile: str, left: int
) -> None:
    """No relay could be reached for a while, and it is no longer true."""
    record, players, boss = begin(office, reminder_hours=6, coordinated=True, ready_ends=False)
    passes(office, clock, deadline_of(record) - timedelta(hours=6))
    if meanwhile == "orders":
        submissions.submit(office, players["France"], record.key, "France", "A par - orl")
    elif meanwhile == "a pause":
        games.pause(office, boss, record.key, "floods")
    elif meanwhile == "the end of the turn":
        passes(office, clock, deadline_of(record))
    elif meanwhile == "another player":
        seats.replace(office, boss, record.key, "France", "next@example.org", "ill")
    claimed = [m for m in mailings.claim(office, limit=100) if m.kind == "reminder"]
    assert len(claimed) == left and ("France" in {m.power for m in claimed}) == (left == 3)


# What is seen


def test_as_many_dates_ahead_are_told_as_were_asked_for(office: Office) -> None:
    record, _, _ = begin(office)
    told = {turns: deadlines.coming(office, VISITOR, record.key, turns) for turns in (-1, 0, 1, 3, 2**62)}
    assert told[-1] == told[0] == [] and len(told[3]) == 3 and told[3][:1] == told[1]
    assert told[1][0].due == deadline_of(record) and not told[1][0].planned
    assert len(told[2**62]) == deadlines.COMING + 1, "the open turn, and so many that are planned"


def test_in_an_anonymous_game_nobody_learns_how_or_when_others_sent(office: Office, clock: SimulatedClock) -> None:
    """By either somebody can be known: who else writes mails, at that hour?"""
    record, players, host = begin(office, anonymous=True)
    for power, actor in players.items():
        submissions.submit(office, actor.by("mail"), record.key, power, "")
    passes(office, clock, timedelta(days=1))

    def told(reader: Actor) -> dict[str, tuple[str, bool]]:
        sheets = games.result(office, reader, record.key, 1).sheets
        lines = journal.entries(office, reader, record.key, limit=500, kinds=("submitted",))
        known = {line.facts["power"] for line in lines if "channel" in line.facts}
        assert known == {sheet.power for sheet in sheets if sheet.channel}, "the journal tells of whom the results do"
        return {sheet.power: (sheet.channel, sheet.received is not None) for sheet in sheets}

    hidden = dict.fromkeys(players, ("", False))
    assert told(VISITOR) == told(host) == hidden
    assert told(players["France"]) == {**hidden, "France": ("mail", True)}
    assert told(CONSOLE) == dict.fromkeys(players, ("mail", True))


@pytest.mark.clause("W-20f")
def test_channels_are_kept_to(office: Office, clock: SimulatedClock) -> None:
    """Movement by mail only, all else by any channel, as a game's setup says."""
    record, players, _ = begin(office, channels={"Movement": ["mail"], "Retreats": ["mail", "web"]})
    refuses(InvalidInputError, submissions.submit, office, players["France"].by("web"), record.key, "France", "A par H")
    assert submissions.submit(office, players["France"].by("mail"), record.key, "France", "A par H").counts
    settings = games.game(office, VISITOR, record.key).settings
    takes = msgspec.convert(settings, GameSettings).takes
    assert [takes(c, "Retreats") for c in ("mail", "web", "post")] == [True, True, False]
    assert all(takes(c, "Adjustments") for c in ("mail", "web", "post", "api"))


def test_a_game_that_runs_itself_waits_for_nobody(office: Office, clock: SimulatedClock) -> None:
    """What a sheet asks of a coordinator holds nothing up."""
    record, players, _ = begin(office)
    submissions.submit(office, players["France"], record.key, "France", "A par H")
    text = "v9 replaces v1 only if it rains\nA cal H"
    submissions.submit(office, players["England"], record.key, "England", text)
    close_turn(office, clock, record)
    orders = {s.power: s.orders for s in games.result(office, VISITOR, record.key, 1).sheets}
    assert orders["France"] == ("A par H",) and orders["England"] == ("A cal H",)


def test_all_faults_of_a_plan_are_told(office: Office) -> None:
    host = person(office, "Host")
    told = refuses(InvalidInputError, gather, office, host, "  ", approve=True, grace=-1, channels={"Lunch": ["owl"]})
    assert len(told.value.faults) == 5
    for plan in (
        {"name": "A", "variant": "no"},
        {"name": "A"},
        {"name": "A", "variant": "hundred", "seats": {"Spain": "bot:hold"}},
        3,
    ):
        with pytest.raises(InvalidInputError):
            games.create(office, host, plan)  # type: ignore[arg-type]


def test_a_game_is_pinned_to_its_rules(office: Office, clock: SimulatedClock) -> None:
    record, _, boss = begin(office, coordinated=True)
    alter(office, GameRow, {"rules_digest": "another"}, key=record.key)
    close_turn(office, clock, record)
    paused = games.game(office, boss, record.key)
    assert paused.state == "paused" and "rules" in paused.paused
    assert [i.kind for i in desk.items(office, boss)] == ["rules changed"]
    mails = [(m.address, m.game) for m in mailings.claim(office, limit=100) if m.kind == "game paused"]
    assert len(mails) == 4 and {game for _, game in mails} == {record.key}, "all players and the coordinator are told"
    assert "coordinator@example.org" in {address for address, _ in mails}
    assert games.resume(office, boss, record.key).rules_digest == record.rules_digest
    work.run_due(office)
    assert games.result(office, boss, record.key).number == 1


def test_an_absence_moves_nothing_in_games_that_stand_still(office: Office, clock: SimulatedClock) -> None:
    """One has not begun, one is paused; the absence is noted all the same."""
    record, players, boss = begin(office, coordinated=True, absence_days=5)
    france = players["France"]
    made = gather(office, boss, "Naseby", absence_days=5)
    link = games.invite(office, boss, made.key, "", "France")
    seats.sign_up(office, france, made.key, invitation=link.secret)
    games.pause(office, boss, record.key, "floods")
    today = clock.now().date()
    absences.announce(office, france, str(today), str(today + 3 * DAY), "at sea")
    assert [absence.note for absence in absences.absences(office, france)] == ["at sea"]
    assert games.game(office, boss, record.key).turn == record.turn
    assert "deadline moved" not in {mail.kind for mail in mailings.claim(office, limit=200)}
    clock.advance(timedelta(hours=2))
    games.resume(office, boss, record.key)
    moved = deadline_of(record) + timedelta(hours=2, days=3)
    assert turn_now(office, boss, record.key).deadline == moved, "when it goes on, it does"


def test_the_seat_of_a_power_that_is_out_of_the_game_is_not_taken(
    make_office: Callable[..., Office], clock: SimulatedClock, tmp_path: Path
) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "x.toml").write_text(VARIANT.format(rule=HOMES).replace("A par", "A bul"))
    office = make_office(variants=str(tmp_path / "own"))
    record, players, _ = begin(office, "x")
    seats.resign(office, players["Turkey"], record.key, "Turkey")
    assert games.list_games(office, VISITOR)[0].open_seats == 1
    submissions.submit(office, players["France"], record.key, "France", "A bul - con")
    for _ in range(2):
        close_turn(office, clock, record)
    assert seat_of(office, record, "Turkey").survives is False
    newcomer = person(office, "Newcomer")
    refuses(ConflictError, seats.take_over, office, newcomer, record.key, "Turkey").match("Turkey is out of the game")
    assert games.game(office, newcomer, record.key).powers == ()
    assert games.list_games(office, VISITOR)[0].open_seats == 0


@pytest.mark.parametrize("shows", ["all", "nobody"])
def test_nobody_waits_for_a_player_who_is_out_of_the_game_and_away(
    make_office: Callable[..., Office], clock: SimulatedClock, tmp_path: Path, shows: str
) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "x.toml").write_text(VARIANT.format(rule=HOMES).replace("A par", "A bul"))
    office = make_office(variants=str(tmp_path / "own"))
    record, players, boss = begin(office, "x", absence_days=9, shows_senders=shows, coordinated=True)
    submissions.submit(office, players["France"], record.key, "France", "A bul - con")
    for _ in range(2):
        close_turn(office, clock, record)
    assert seat_of(office, record, "Turkey").survives is False
    before, today = turn_now(office, boss, record.key), clock.now().date()
    absences.announce(office, players["Turkey"], str(today), str(today + 9 * DAY))
    assert turn_now(office, boss, record.key) == before
    close_turn(office, clock, record)
    after = turn_now(office, boss, record.key)
    assert after.number > before.number and after.deadline - before.deadline < 2 * DAY
    games.pause(office, boss, record.key, "floods")
    games.resume(office, boss, record.key)
    assert turn_now(office, boss, record.key).deadline == after.deadline


# Waiting lists


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
    assert told_by_mail(office, "seat free") == [], "somebody may be seated at once"
    passes(office, clock, timedelta(minutes=1))
    assert told_by_mail(office, "seat free") == ["Ann", "Bob"], "not who has just left it"
    refuses(ConflictError, waiting_lists.wait, office, eve, key).match("free seat")
    seats.take_over(office, bob, key, "France")
    assert games.game(office, ann, key).waiting == 1
    seats.resign(office, bob, key, "France")
    seats.take_over(office, ann, key, "France")
    passes(office, clock, timedelta(minutes=1))
    assert games.game(office, eve, key).waiting == 0


def test_a_coordinator_fills_the_seats_of_another_game(office: Office) -> None:
    game, _, _ = begin(office, coordinated=True)
    refuses(ConflictError, waiting_lists.wait, office, person(office, "Ann"), game.key)


def test_who_comes_too_late_for_the_deal_waits(office: Office) -> None:
    host = person(office, "Hilda")
    made = gather(office, host, "Stow", coordinated=True)
    for number in range(5):
        seats.sign_up(office, person(office, f"P{number}"), made.key)
    games.start(office, host, made.key)
    work.run_due(office)
    assert len(told_by_mail(office, "waiting list")) == 2
    assert games.game(office, host, made.key).waiting == 2


def test_who_is_unreliable_does_not_wait(office: Office, clock: SimulatedClock) -> None:
    game, _, _ = begin(office, reliability=90)
    old, players, _ = begin(office, name="Old", folk="Old")
    passes(office, clock, timedelta(days=3))
    assert games.game(office, players["France"], old.key).turn is not None
    refuses(NotAllowedError, waiting_lists.wait, office, players["France"], game.key).match("asks for 90%")


# One person for all powers


def table(office: Office, host: Actor, **settings: Any) -> None:
    made = {"schedule": "live", "one_orders_all": True, **settings}
    gather(office, host, "Table", **made)
    work.run_due(office)


def test_one_person_plays_a_turn_for_all(office: Office, clock: SimulatedClock) -> None:
    host = person(office, "Hilda")
    table(office, host)
    game = games.game(office, host, "table")
    assert game.state == "running" and set(game.powers) == {"Burgundy", "England", "France"}
    assert [m.kind for m in mailings.claim(office)] == ["game started"], "one mail, not one for each power"
    for wrong in ("A par - nowhere", "France: A cal H", "England: A par H"):
        refuses(InvalidInputError, tables.order_all, office, host, "table", wrong)
    got = tables.order_all(office, host, "table", "A par - orl\nEngland: A cal H, F lon H")
    assert sorted(receipt.power for receipt in got) == ["Burgundy", "England", "France"]
    work.run_due(office)
    result = games.result(office, VISITOR, "table")
    given = {sheet.power: sheet.orders for sheet in result.sheets}
    assert given["France"] == ("A par - orl",) and given["England"] == ("A cal H", "F lon H")
    assert len(mailings.claim(office)) == 1
    turn = turn_now(office, host, "table")
    assert turn.name != result.name
    passes(office, clock, timedelta(minutes=11))
    assert turn_now(office, host, "table").number > turn.number, "its phases are timed"


def test_nobody_else_sits_or_orders_there(office: Office) -> None:
    host, eve = person(office, "Hilda"), person(office, "Eve")
    table(office, host)
    for who, refusal in ((eve, NotAllowedError), (VISITOR, SignInNeededError)):
        refuses(refusal, tables.order_all, office, who, "table", "A par H")
    seats.resign(office, host, "table", "France")
    refuses(ConflictError, seats.take_over, office, eve, "table", "France").match("One person")
    refuses(OfficeError, votes.vote, office, host, "table", "England", "pause")


def test_elsewhere_each_power_has_its_own_player(office: Office) -> None:
    game, players, host = begin(office)
    refuses(ConflictError, tables.order_all, office, players["France"], game.key, "A par H")
    refuses(OfficeError, games.set_settings, office, host, game.key, {"one_orders_all": True})
    made = gather(office, host, "Other")
    refuses(ConflictError, games.set_settings, office, host, made.key, {"one_orders_all": True})


@pytest.mark.parametrize("settings", [{"coordinated": True}, {"anonymous": True}, {"rated": True}])
def test_it_is_no_contest(office: Office, settings: dict[str, Any]) -> None:
    refuses(InvalidInputError, table, office, person(office, "Hilda"), **settings)


def test_it_tells_nothing_of_a_player(office: Office) -> None:
    host = person(office, "Hilda")
    people.set_preferences(office, host, {"profile": True})
    table(office, host)
    tables.order_all(office, host, "table", "")
    work.run_due(office)
    told = profiles.preview(office, host)
    assert told.games == () and told.reliability.turns == 0


def test_hidden_positions_are_no_game_for_one(foggy: Office) -> None:
    office, host = foggy, person(foggy, "Hilda")
    plan = {"name": "Table", "variant": "foggy", "settings": {"one_orders_all": True}}
    refuses(InvalidInputError, games.create, office, host, plan)
    refuses(InvalidInputError, games.create, office, CONSOLE, {**plan, "variant": "hundred"})
