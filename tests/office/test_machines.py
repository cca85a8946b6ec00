"""Programs on seats, and bots that play on for players who have gone."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from legation.bots import levels
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.errors import ConflictError, InvalidInputError, NotAllowedError
from legation.office.game import journal, seats
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import demo, work
from legation.office.orders import submissions
from legation.office.records import SeatRecord
from tests.office.playing import CONSOLE, VISITOR, begin, passes, person, refuses, turn_now


def seat(office: Office, game: str, power: str, actor: Actor | None = None) -> SeatRecord:
    record = games.game(office, actor or VISITOR, game)
    return next(seat for seat in record.seats if seat.power == power)


def told(office: Office, game: str, actor: Actor | None = None) -> list[str]:
    return [entry.text for entry in journal.entries(office, actor or VISITOR, game)]


def test_a_machine_is_marked_to_all_where_the_host_allows_it(office: Office) -> None:
    record, players, _ = begin(office, machines=True, anonymous=True)
    france = players["France"]
    seats.declare_machine(office, france, record.key, "France")
    seats.declare_machine(office, france, record.key, "France")
    assert seat(office, record.key, "France").machine and not seat(office, record.key, "England").machine
    assert told(office, record.key).count("France is played by a program.") == 1
    refuses(NotAllowedError, seats.declare_machine, office, players["England"], record.key, "France")
    seats.resign(office, france, record.key, "France")
    seats.take_over(office, person(office, "Next"), record.key, "France")
    assert not seat(office, record.key, "France").machine


def test_no_machine_plays_and_no_bot_plays_on_where_it_is_not_so_set(office: Office) -> None:
    record, players, _ = begin(office)
    with pytest.raises(NotAllowedError, match="Programs can't play"):
        seats.declare_machine(office, players["France"], record.key, "France")
    assert not seat(office, record.key, "France").machine
    # a seat without such a setting stays empty
    seats.resign(office, players["France"], record.key, "France")
    work.run_due(office)
    now = seat(office, record.key, "France")
    assert (now.state, now.stand_in, now.vacant) == ("left", False, True)


def test_a_bot_plays_on_for_who_resigns_until_somebody_takes_over(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office, stand_in="dumbbot", anonymous=True)
    key = record.key
    seats.resign(office, players["France"], key, "France")
    work.run_due(office)
    now = seat(office, key, "France")
    assert (now.state, now.bot, now.stand_in, now.vacant, now.sent) == ("bot", "dumbbot", True, True, True)
    sentence = "France's player has left; the bot dumbbot plays until someone takes over."
    assert sentence in told(office, key)
    passes(office, clock, timedelta(days=2))
    sheets = games.result(office, VISITOR, key, "1").sheets
    assert any(" - " in str(order) for sheet in sheets if sheet.power == "France" for order in sheet.orders)
    newcomer = person(office, "Newcomer")
    seats.take_over(office, newcomer, key, "France")
    now = seat(office, key, "France", newcomer)
    assert (now.state, now.holder, now.bot, now.stand_in, now.vacant) == ("held", "Newcomer", "", False, False)
    refuses(ConflictError, seats.take_over, office, person(office, "Late"), key, "France")
    submissions.submit(office, newcomer, key, "France", "A par H")
    second = [(h.bot, h.why) for h in seats.holders(office, CONSOLE, key) if h.power == "France"][1]
    assert second == ("dumbbot", "somebody took over")


def test_what_a_player_sent_before_going_stays_and_counts(office: Office) -> None:
    record, players, _ = begin(office, stand_in="dumbbot")
    submissions.submit(office, players["France"], record.key, "France", "A par H")
    seats.resign(office, players["France"], record.key, "France")
    work.run_due(office)
    sent = submissions.commitments(office, VISITOR, record.key)
    assert len([s for s in sent if s.power == "France"]) == 1


def test_a_bot_plays_on_for_who_sends_nothing(office: Office, clock: SimulatedClock) -> None:
    record, _, _ = begin(office, stand_in="dumbbot", missing="disorder", missing_after=1)
    passes(office, clock, timedelta(days=2))
    work.run_due(office)
    assert all(seat(office, record.key, power).stand_in for power in ("France", "England", "Burgundy"))


Answers = list[Callable[[], list[str]]]


@pytest.fixture
def strong(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Bots that search: what they are to answer next, the last for ever."""
    answers: Answers = [lambda: ["A par - dij"]]

    def ask_child(*_: object) -> list[str]:
        return answers.pop(0)() if len(answers) > 1 else answers[0]()

    monkeypatch.setattr(levels, "ask_child", ask_child)
    monkeypatch.setattr(levels, "find_spec", lambda name: name)
    return answers


def fails(error: Exception) -> Callable[[], list[str]]:
    def answer() -> list[str]:
        raise error

    return answer


def test_a_level_plays_on_for_who_resigns(office: Office, clock: SimulatedClock, strong: Answers) -> None:
    record, players, _ = begin(office, stand_in="strong")
    seats.resign(office, players["France"], record.key, "France")
    work.run_due(office)
    assert seat(office, record.key, "France").sent
    passes(office, clock, timedelta(days=2))
    (sheet,) = [s for s in games.result(office, VISITOR, record.key, "1").sheets if s.power == "France"]
    assert [str(order) for order in sheet.orders] == ["A par - dij"]


def test_a_bot_that_loses_its_move_holds_is_named_after_the_deadline_and_the_turn_goes_on(
    office: Office, clock: SimulatedClock, strong: Answers
) -> None:
    strong.insert(0, fails(levels.LostMoveError("it took too long")))
    record, players, host = begin(office, stand_in="strong")
    seats.resign(office, players["France"], record.key, "France")
    work.run_due(office)
    assert seat(office, record.key, "France").sent
    before = [line for who in (VISITOR, host, CONSOLE) for line in told(office, record.key, who)]
    assert not any("units held" in line or "too long" in line for line in before), "that is as secret as all orders"
    assert office.figures.failures.labels("bot", "strong")._value.get() == 1
    passes(office, clock, timedelta(days=2))
    sentence = "France's units held. The bot strong lost its move: it took too long."
    assert told(office, record.key).count(sentence) == 1
    (sheet,) = [s for s in games.result(office, VISITOR, record.key, "1").sheets if s.power == "France"]
    assert sheet.orders and all(str(order).endswith(" H") for order in sheet.orders)
    assert turn_now(office, host, record.key).number > 1


def test_a_bot_that_is_busy_is_asked_again(office: Office, clock: SimulatedClock, strong: Answers) -> None:
    for _ in range(work.ATTEMPTS + 1):
        strong.insert(0, fails(levels.BusyError("the bots are still starting up")))
    record, players, _ = begin(office, stand_in="strong")
    seats.resign(office, players["France"], record.key, "France")
    work.run_due(office)
    for _ in range(work.ATTEMPTS + 1):  # a guest waits for it: each time after the shortest pause
        assert not seat(office, record.key, "France").sent
        note = "This turn can’t be processed yet: the bots are still starting up."
        assert turn_now(office, players["England"], record.key).note == note
        passes(office, clock, timedelta(seconds=work.PAUSES[0]))
    assert seat(office, record.key, "France").sent
    assert not turn_now(office, players["England"], record.key).note


def test_a_bot_that_is_seated_while_others_search_is_asked_as_well(office: Office, strong: Answers) -> None:
    record, players, host = begin(office, stand_in="strong")
    france, england = players["France"], players["England"]

    def meanwhile() -> list[str]:
        seats.resign(office, england, record.key, "England")
        strong[:] = [lambda: ["A par - dij"]]
        return ["A par - dij"]

    strong.insert(0, meanwhile)
    seats.resign(office, france, record.key, "France")
    work.run_due(office)
    sent = {power: seat(office, record.key, power, host).sent for power in ("France", "England", "Burgundy")}
    assert sent == {"France": True, "England": True, "Burgundy": False}
    assert len([s for s in submissions.commitments(office, host, record.key) if s.power == "France"]) == 1


def test_no_deadline_waits_for_what_takes_long(office: Office, clock: SimulatedClock, strong: Answers) -> None:
    record, players, host = begin(office, stand_in="strong")
    seats.resign(office, players["France"], record.key, "France")
    clock.advance(timedelta(days=2))
    work.run_due(office, lane="work")
    assert turn_now(office, host, record.key).number > 1


def test_a_guest_chooses_a_level(office: Office, strong: Answers) -> None:
    _, key = demo.seat_guest(office, "hundred", "England", "club")
    assert {s.bot for s in games.game(office, CONSOLE, key).seats if s.power != "England"} == {"club"}
    refuses(InvalidInputError, demo.seat_guest, office, "hundred", "England", "dumb").match("no level 'dumb'")


def test_no_guest_waits_a_day_for_bots_alone(office: Office) -> None:
    """England holds still; where others alone retreat or build the game goes on at once, and the guest orders again."""
    given, key = demo.seat_guest(office, "hundred", "England")
    guest = people.by_secret(office, given.secret)
    for _ in range(5):
        assert submissions.submit(office, guest, key, "England", "# nothing").version == 1
        submissions.ready(office, guest, key, "England")
        work.run_due(office)
        turn = games.game(office, guest, key).turn
        assert seat(office, key, "England", guest).sent is False, f"{turn} waits for bots"
    assert any("Adjustments" in t.name for t in games.turns(office, guest, key)), "there was something to wait for"


def test_a_game_that_nobody_is_left_in_does_not_run_away(office: Office) -> None:
    record, players, _ = begin(office, ready_ends=True, stand_in="dumbbot")
    for power, actor in players.items():
        seats.resign(office, actor, record.key, power)
    work.run_due(office)
    assert turn_now(office, CONSOLE, record.key).number == 1
