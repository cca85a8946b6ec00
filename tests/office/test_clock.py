"""Time: the clock, zones in words, and schedules: when orders are due."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from legation.office.clock import (
    SeededRandomSource,
    SimulatedClock,
    SystemClock,
    clock_change,
    day_in_words,
    moment_in_words,
    time_zone,
)
from legation.office.errors import InvalidInputError
from legation.office.hosting import games
from legation.office.keys.remote_keeper import create_app
from legation.office.office import Office, open_office
from legation.office.operation import health, work
from legation.office.orders import submissions
from legation.office.settings import Settings
from legation.office.terms import schedules
from legation.office.terms.plans import GameSettings, settings_faults
from tests.office.playing import VISITOR, begin, deadline_of, passes, refuses, turn_now
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
    machine.wait(deadline_of(record) - machine.wall - timedelta(minutes=30))
    machine.wall += jump
    work.run_due(office)
    sent = submissions.submit(office, players["France"], record.key, "France", "A par H")
    assert abs(sent.received - (deadline_of(record) - timedelta(minutes=30))) < timedelta(seconds=1)
    (told,) = [check for check in health.health(office).checks if check.name == "clock"]
    assert not told.good and told.is_ == jump.total_seconds()
    machine.wall -= jump  # it is set right
    machine.wait(timedelta(minutes=29))
    work.run_due(office)
    assert turn_now(office, VISITOR, record.key).number == 1
    machine.wait(timedelta(minutes=1))
    work.run_due(office)
    result = games.result(office, VISITOR, record.key)
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
        clock.set(deadline_of(record))  # ours runs ahead
        theirs.set(deadline_of(record) - HOUR)
        work.run_due(office)
        assert turn_now(office, VISITOR, record.key).state == "open"
        submissions.submit(office, players["France"], record.key, "France", "A par H")
        theirs.set(deadline_of(record))
        passes(office, clock, timedelta(seconds=10))
        assert games.result(office, VISITOR, record.key).number == 1


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


RULEBOOK = schedules.find("three-kingdoms")


PHASES = ["Movement", "Retreats", "Adjustments", "Placement"]
ONE = {"phases": PHASES, "hours": 24}


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def due(plan: schedules.Schedule, opened: str, *, first: bool = False) -> datetime:
    """When movement orders are due of a turn that opened then, as its season did."""
    return schedules.deadline(plan, "Movement", at(opened), at(opened), first=first)


def daily(step: dict[str, Any] | None = None, **more: Any) -> schedules.Schedule:
    """A schedule of a day for each phase."""
    steps = [{"phases": PHASES, "days": 1, **(step or {})}]
    return schedules.read({"name": "x", "title": "x", "steps": steps, **more})


@pytest.mark.clause("W-21a")
def test_the_seven_weeks_of_the_rulebook() -> None:
    """W-21a and W-21b: a year that begins on 1 January 2027."""
    opened = at("2027-01-01 07:00")
    seasons = []
    for _ in range(3):
        due = schedules.deadline(RULEBOOK, "Movement", opened, opened)
        retreats = schedules.deadline(RULEBOOK, "Retreats", due, opened)
        ends = schedules.season_end(RULEBOOK, "Retreats", opened)
        assert ends is not None and ends == schedules.season_end(RULEBOOK, "Movement", opened)
        seasons.append((due, retreats, ends))
        opened = ends
    assert [s[0] for s in seasons] == [at("2027-01-14 07:00"), at("2027-01-29 07:00"), at("2027-02-13 07:00")]
    assert [s[1] for s in seasons] == [at("2027-01-16 07:00"), at("2027-01-31 07:00"), at("2027-02-15 07:00")]
    days = [schedules.calendar_day(RULEBOOK, s[2]) for s in seasons]
    assert days == [date(2027, 1, 16), date(2027, 1, 31), date(2027, 2, 15)]
    assert opened - at("2027-01-01 07:00") == timedelta(days=45)  # Winter opens on day 45
    winter = schedules.deadline(RULEBOOK, "Adjustments", opened, opened)
    assert schedules.calendar_day(RULEBOOK, winter - timedelta(microseconds=1)) == date(2027, 1, 1) + timedelta(days=47)
    assert schedules.season_end(RULEBOOK, "Adjustments", opened) == at("2027-01-01 07:00") + timedelta(weeks=7)


@pytest.mark.clause("W-21a")
@pytest.mark.parametrize(
    ("late", "due"),
    [
        ("2027-01-14 07:00", "2027-01-16 07:00"),
        ("2027-01-15 20:00", "2027-01-18 07:00"),
        ("2027-01-20 08:00", "2027-01-23 07:00"),
    ],
)
def test_retreats_after_late_results_keep_their_48_hours(late: str, due: str) -> None:
    """The coordinator took longer to read the letters than the rulebook gives: nobody loses the time to retreat."""
    assert schedules.deadline(RULEBOOK, "Retreats", at(late), at("2027-01-01 07:00")) == at(due)


@pytest.mark.parametrize(
    ("moment", "day"),
    [("2027-01-02 06:59", "2027-01-01"), ("2027-01-02 07:00", "2027-01-02"), ("2027-01-01 23:00", "2027-01-01")],
)
@pytest.mark.clause("W-21b")
def test_a_day_ends_at_seven_on_the_day_after(moment: str, day: str) -> None:
    assert schedules.calendar_day(RULEBOOK, at(moment)).isoformat() == day


def test_due_times_while_the_clocks_change() -> None:
    weekly = schedules.find("weekly")
    assert due(weekly, "2027-03-15 12:00") == at("2027-03-21 20:00")
    assert due(weekly, "2027-03-24 12:00") == at("2027-03-28 19:00")  # London goes to summer time on the 28th
    # a local time that does not exist is later
    assert due(daily(zone="Europe/London", step={"at": "01:30"}), "2027-03-27 00:30") == at("2027-03-28 01:30")
    # hours are real hours
    assert due(schedules.find("daily"), "2027-03-27 20:00") == at("2027-03-28 20:00")


def test_quiet_days_and_the_first_turn() -> None:
    plan = daily(quiet=["Sun", "12-25"], first_days=3)
    assert due(plan, "2026-12-24 10:00") == at("2026-12-26 10:00")
    assert due(plan, "2027-01-02 10:00") == at("2027-01-04 10:00")  # a Saturday
    assert due(plan, "2027-01-02 10:00", first=True) == at("2027-01-06 10:00")
    away = [(date(2027, 1, 8), date(2027, 1, 9))]  # a Friday and a Saturday
    assert schedules.after_absences(plan, at("2027-01-08 18:00"), away, 14) == at("2027-01-11 18:00")
    assert plan.step("Haggling") == plan.step("Adjustments"), "a phase of a rule's own"


def test_absences_move_a_deadline_so_far_and_no_further() -> None:
    plan, usual = schedules.find("daily"), at("2027-06-02 10:00")
    away = [(date(2027, 6, 5), date(2027, 6, 7)), (date(2027, 6, 1), date(2027, 6, 4))]
    assert schedules.after_absences(plan, usual, away, 30) == at("2027-06-08 10:00")
    assert schedules.after_absences(plan, usual, away, 3) == at("2027-06-05 10:00")
    assert schedules.after_absences(plan, usual, [(date(2027, 7, 1), date(2027, 7, 9))], 30) == usual


@pytest.mark.parametrize("name", schedules.names())
@given(opened=st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC)))
def test_a_deadline_is_after_its_opening_and_never_far(name: str, opened: datetime) -> None:
    plan = schedules.find(name)
    for phase in schedules.PHASES:
        due = schedules.deadline(plan, phase, opened, opened)
        assert timedelta(0) < due - opened < timedelta(days=21)
        ends = schedules.season_end(plan, phase, opened)
        assert ends is None or ends >= opened


def test_all_faults_of_a_schedule_are_told() -> None:
    with pytest.raises(InvalidInputError) as told:
        schedules.read(
            {
                "name": "x",
                "title": "x",
                "zone": "Nowhere/At All",
                "day_ends": "7",
                "quiet": ["Someday"],
                "steps": [{"phases": ["Movement", "Retreats"], "weekdays": ["Foo"]}],
            }
        )
    text = "\n".join(told.value.faults)
    for part in ("zone", "day_ends", "quiet", "Adjustments", "Placement", "weekdays", "Foo"):
        assert part in text
    refuses(InvalidInputError, schedules.find, "never")


@pytest.mark.parametrize("zone", ["EST", "GMT", "Here", "Etc/GMT-2"])
def test_a_zone_without_a_place_is_refused(zone: str) -> None:
    told = refuses(InvalidInputError, schedules.find, f"Mon Wed Fri 20:00 {zone}")
    (fault,) = told.value.faults
    assert zone in fault and "America/New_York" in fault
    may = {"EST": "may mean America/New_York or America/Panama", "GMT": "may mean Europe/London or Europe/Dublin"}
    assert may.get(zone, "doesn't say where clocks change;") in fault
    assert schedules.find("Mon Wed Fri 20:00 America/New_York").zone == "America/New_York"
    assert schedules.find("Mon Wed Fri 20:00 UTC").zone == "UTC"


@pytest.mark.parametrize(
    ("written", "movement", "retreats"),
    [
        ("36 h", "2026-11-24T03:00", "2026-11-24T03:00"),
        ("5 min;\n\n retreats\t2 min", "2026-11-22T15:05", "2026-11-22T15:02"),
        ("1 d 12 h; builds 30 min", "2026-11-24T03:00", "2026-11-24T03:00"),
        ("Mon Wed Fri 20:00 Europe/Berlin; retreats 24 h", "2026-11-23T19:00", "2026-11-23T15:00"),
        ("Tue-Fri 8:00", "2026-11-24T08:00", "2026-11-24T08:00"),
        ("Fri - Mon, Wed 15:30", "2026-11-23T15:30", "2026-11-23T15:30"),
    ],
)
def test_a_schedule_as_it_is_written(written: str, movement: str, retreats: str) -> None:
    opened = datetime(2026, 11, 22, 15, tzinfo=UTC)  # a Sunday
    plan = schedules.find(written)
    due = [f"{schedules.deadline(plan, p, opened, opened):%Y-%m-%dT%H:%M}" for p in ("Movement", "Retreats")]
    assert due == [movement, retreats] and plan.title == " ".join(written.split()), "of one line"


@pytest.mark.parametrize(
    "written",
    ["0 h", "36 parsecs", "Mon Foo 20:00", "Mon 25:00", "Mon 20:00 Nowhere/X", "400 d", "36 h; retreats", "Mon",
     "Mon 20:00 Europe/London; retreats Tue 20:00 Asia/Tokyo", "mon" + "a" * 190, "mon " * 50, ""],
)  # fmt: skip
def test_a_schedule_that_is_none_is_refused_with_how_one_is_written(written: str) -> None:
    refused = refuses(InvalidInputError, schedules.find, written)
    assert all(fault.startswith("schedule: ") for fault in refused.value.faults)


def named(**more: Any) -> dict[str, Any]:
    """Settings with a schedule that is a table."""
    return {"schedule": {"name": "x", "title": "Each day", "steps": [ONE], **more}}


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        (named(title="t" * 201), "schedule: title"),
        (named(title="Each day\n\nYour account is locked: https://evil.example"), "schedule: title"),
        (named(title="Each day \x1b]0;evil\x07"), "schedule: title"),
        (named(title="Each \u202eday"), "schedule: title"),
        (named(name="x" * 201), "schedule: name"),
        (named(steps=[ONE] + [{"phases": [], "hours": 1}] * 20), "schedule: steps"),
        (named(steps=[{**ONE, "phases": [*PHASES, "Movement"]}]), "schedule: steps[0].phases"),
        (named(steps=[{**ONE, "at": "20:00", "weekdays": ["Mon"] * 9}]), "schedule: steps[0].weekdays"),
        (named(steps=[{**ONE, "lasts": 367}]), "schedule: steps[0].lasts"),
        ({"schedule": "36 h" + " " * 200}, "schedule"),
        ({"press": ["public", "private", "public"]}, "press"),
        ({"channels": {"Movement": ["web", "mail", "web"]}}, "channels.Movement"),
    ],
)
def test_settings_have_an_end_and_carry_no_texts_to_strangers(changes: dict[str, Any], place: str) -> None:
    assert settings_faults(msgspec.convert(named(), GameSettings)) == []
    (fault,) = settings_faults(msgspec.convert(changes, GameSettings))
    assert fault.startswith(f"settings.{place}")


@pytest.mark.parametrize(
    ("zone", "start", "end", "told"),
    [
        ("America/New_York", "2026-10-30T12:00", "2026-11-02T12:00", "clocks go back 1 hour on Sun 1 Nov"),
        ("Europe/Berlin", "2027-03-27T12:00", "2027-03-28T12:00", "clocks go forward 1 hour on Sun 28 Mar"),
        ("Australia/Lord_Howe", "2027-04-01T12:00", "2027-04-08T12:00", "clocks go back 30 minutes on Sun 4 Apr"),
        ("Europe/Berlin", "2027-03-28T12:00", "2027-03-29T12:00", ""),
        ("Europe/Berlin", "2027-03-29T12:00", "2027-03-27T12:00", ""),
        ("UTC", "2027-03-01T12:00", "2027-05-01T12:00", ""),
    ],
)
def test_changes_of_clocks_before_a_deadline_are_told(zone: str, start: str, end: str, told: str) -> None:
    begin, finish = (datetime.fromisoformat(at).replace(tzinfo=UTC) for at in (start, end))
    assert clock_change(time_zone(zone), begin, finish) == told
