"""A clock that jumps closes nothing early, and makes nobody late."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from legation.office.clock import (
    SeededRandomSource,
    SimulatedClock,
    SystemClock,
    day_in_words,
    moment_in_words,
    time_zone,
)
from legation.office.context import Actor
from legation.office.hosting import games
from legation.office.keys.remote_keeper import create_app
from legation.office.office import Office, open_office
from legation.office.operation import health, work
from legation.office.orders import submissions
from legation.office.settings import Settings
from tests.office.playing import begin, turn_now
from tests.serving import served

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


class Machine:
    """A machine whose clock may be set, and which counts the seconds since it was started."""

    def __init__(self) -> None:
        self.wall, self.seconds = START, 0.0
        self.clock = SystemClock(lambda: self.wall, lambda: self.seconds)

    def wait(self, time: timedelta) -> None:
        self.wall += time
        self.seconds += time.total_seconds()


def test_time_goes_on_while_the_clock_is_wrong() -> None:
    machine = Machine()
    for jump in (HOUR, -HOUR, -HOUR, HOUR):
        before = machine.clock.now()
        machine.wall += jump
        machine.wait(timedelta(minutes=5))
        assert machine.clock.now() == before + timedelta(minutes=5)
        right = machine.wall == START + timedelta(seconds=machine.seconds)
        assert (machine.clock.jumped is None) is right
    assert machine.clock.now() == machine.wall


def test_a_small_correction_is_followed_and_time_never_goes_back() -> None:
    machine = Machine()
    machine.wall += timedelta(seconds=20)
    assert machine.clock.now() == START + timedelta(seconds=20)
    machine.wall -= timedelta(seconds=20)
    machine.wait(timedelta(seconds=5))
    assert machine.clock.now() == START + timedelta(seconds=20) and machine.clock.jumped is None
    machine.wait(timedelta(seconds=25))
    assert machine.clock.now() == machine.wall == START + timedelta(seconds=30)


@pytest.mark.parametrize("jump", [HOUR, -HOUR, timedelta(days=400)], ids=str)
def test_a_jump_closes_nothing_early_and_makes_nobody_late(tmp_path: Path, jump: timedelta) -> None:
    machine = Machine()
    office = open_office(tmp_path / "office", Settings(settling=0), machine.clock, SeededRandomSource("jump"))
    record, players, _ = begin(office)
    assert record.turn is not None
    machine.wait(record.turn.deadline - machine.wall - timedelta(minutes=30))
    machine.wall += jump
    work.run_due(office)
    sent = submissions.submit(office, players["France"], record.key, "France", "A par H")
    assert abs(sent.received - (record.turn.deadline - timedelta(minutes=30))) < timedelta(seconds=1)
    (told,) = [check for check in health.health(office).checks if check.name == "clock"]
    assert not told.good and told.is_ == jump.total_seconds()
    machine.wall -= jump  # it is set right
    machine.wait(timedelta(minutes=29))
    work.run_due(office)
    assert turn_now(office, Actor.visitor(), record.key).number == 1
    machine.wait(timedelta(minutes=1))
    work.run_due(office)
    result = games.result(office, Actor.visitor(), record.key)
    assert next(sheet for sheet in result.sheets if sheet.power == "France").orders == ("A par H",)
    assert next(check for check in health.health(office).checks if check.name == "clock").good
    office.close()


def test_an_office_that_is_started_with_a_wrong_clock_waits_for_the_keepers(
    make_office: Callable[..., Office], clock: SimulatedClock, tmp_path: Path
) -> None:
    """The keeper is on another machine, whose clock is right: until its deadline, orders are taken."""
    (tmp_path / "keeper").mkdir()
    theirs = SimulatedClock(clock.now())
    app = create_app(tmp_path / "keeper", "a token that nobody guesses", theirs, SeededRandomSource("keeper"))
    with served(app) as service:
        office = make_office(keeper=service, keeper_token="a token that nobody guesses")
        record, players, _ = begin(office)
        assert record.turn is not None
        clock.set(record.turn.deadline)  # ours runs ahead
        theirs.set(record.turn.deadline - HOUR)
        work.run_due(office)
        assert turn_now(office, Actor.visitor(), record.key).state == "open"
        submissions.submit(office, players["France"], record.key, "France", "A par H")
        theirs.set(record.turn.deadline)
        clock.advance(timedelta(seconds=10))
        work.run_due(office)
        assert games.result(office, Actor.visitor(), record.key).number == 1


AT = datetime(2027, 1, 7, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("", "Thu 7 Jan 2027, 23:30 UTC"),
        ("UTC", "Thu 7 Jan 2027, 23:30 UTC"),
        ("Mars/Olympus", "Thu 7 Jan 2027, 23:30 UTC"),
        ("Europe/London", "Thu 7 Jan 2027, 23:30 GMT"),
        ("Europe/Paris", "Fri 8 Jan 2027, 00:30 CET"),
        ("Asia/Kathmandu", "Fri 8 Jan 2027, 05:15 UTC+5:45"),
        ("America/Sao_Paulo", "Thu 7 Jan 2027, 20:30 UTC-3"),
    ],
)
def test_a_time_names_its_zone(zone: str, told: str) -> None:
    assert moment_in_words(AT, time_zone(zone)) == told


def test_the_year_is_left_out_where_everybody_knows_it() -> None:
    assert moment_in_words(AT, year=False) == "Thu 7 Jan, 23:30 UTC"
    assert day_in_words("2027-05-14") == day_in_words(date(2027, 5, 14)) == "Fri 14 May 2027"
    assert day_in_words("soon") == "soon"
