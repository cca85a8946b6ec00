"""What is asked for again and again finds its rows by an index: no question of a hot path goes through a whole table,
however many games there are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from legation.cli.serving import whole_site
from legation.mail.mail_service import MailService
from legation.office.clock import SimulatedClock, clock_change, time_zone
from legation.office.context import Actor
from legation.office.desk import mailings
from legation.office.errors import InvalidInputError
from legation.office.game import journal
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import health, work
from legation.office.orders import submissions
from legation.office.store.rows import (
    TABLES,
    GameRow,
    JournalRow,
    LineRow,
    MailingRow,
    PersonRow,
    Row,
    SeatRow,
    TurnRow,
)
from legation.office.store.transaction import Transaction
from legation.office.terms import schedules
from legation.office.terms.plans import GameSettings, settings_faults
from tests.mail.conftest import Outbox
from tests.office.playing import begin, refuses, send_all

GAMES = 3000
VERY_MANY = 40_000
FOLK = 2000  # people who play those of before


@contextmanager
def asked(office: Office) -> Iterator[list[tuple[str, Any]]]:
    """The questions that are put to the database while the block runs."""
    told: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, parameters: object, *___: object) -> None:
        told.append((statement, parameters))

    sa.event.listen(office.store.engine, "before_cursor_execute", note)
    try:
        yield told
    finally:
        sa.event.remove(office.store.engine, "before_cursor_execute", note)


def copy(office: Office, count: int) -> frozenset[str]:
    """Have the database write copies of the first game, which have ended, with all that is of it, for people of their
    own; the names of the tables."""
    kinds: dict[type[Row], dict[str, Any]] = {
        TurnRow: {"state": "final"},
        SeatRow: {},
        JournalRow: {},
        MailingRow: {"state": "done"},
        LineRow: {},
    }
    with office.store.transaction() as tx:
        (game,) = tx.all(GameRow, limit=1)
        folk = tx.add(PersonRow(name="Folk", email="0@folk.example", since=0)).id
        _insert(tx, PersonRow, tx.get(PersonRow, folk), _numbers(FOLK - 1), email=lambda n: n.concat("@folk.example"))
        ended = {"coordinator": None, "state": "ended"}
        _insert(tx, GameRow, game, _numbers(count), key=lambda n: sa.literal("copy-").concat(n), **ended)
        games = sa.select(TABLES[GameRow].c.id.label("n")).where(TABLES[GameRow].c.state == "ended").subquery()
        for kind, changed in kinds.items():
            for number, row in enumerate(tx.all(kind, game=game.id)[:2]):
                values = {**changed, "game": lambda n: n}
                if kind is MailingRow:
                    values["message_id"] = lambda n, number=number: sa.cast(n, sa.Text).concat(f".{number}@x")
                if getattr(row, "person", None) is not None:
                    values["person"] = lambda n, number=number: folk + (2 * n + number) % FOLK
                _insert(tx, kind, row, games, **values)
    return frozenset({TABLES[GameRow].name, *(TABLES[kind].name for kind in kinds)})


def _numbers(count: int) -> sa.Subquery:
    """The numbers up to one, each once."""
    one = sa.select(sa.literal(1).label("n")).cte("numbers", recursive=True)
    return sa.select(one.union_all(sa.select(one.c.n + 1).where(one.c.n < count))).subquery()


def _insert(tx: Transaction, kind: type[Row], like: Row, numbers: sa.Subquery, **changed: object) -> None:
    """Write rows like one, for each number one; what a row has of its own is a value, or made of its number."""
    fields = {field: getattr(like, field) for field in like.__struct_fields__ if field != "id"} | changed
    table = TABLES[kind]
    made = [
        (value(numbers.c.n) if callable(value) else sa.literal(value, table.c[field].type)).label(field)
        for field, value in fields.items()
    ]
    tx.connection.execute(sa.insert(table).from_select([*fields], sa.select(*made)))


def scans(office: Office, told: list[tuple[str, Any]], large: Set[str] = frozenset()) -> list[str]:
    """The questions that go through a whole table, each with its plan; where some tables are ``large``, as a planner
    goes about it that knows how large, and only those that go through one of them."""
    found, sqlite = [], office.store.sqlite
    with office.store.engine.connect() as connection:
        if not sqlite and not large:  # which goes through small tables whatever indexes they have
            connection.exec_driver_sql("SET enable_seqscan = off")
        for statement, parameters in dict(told).items():
            if not statement.startswith(("SELECT", "UPDATE", "DELETE")) or " FROM pg_" in statement:
                continue
            explain = "EXPLAIN QUERY PLAN" if sqlite else "EXPLAIN (FORMAT JSON)"
            once = parameters[0] if isinstance(parameters, list) else parameters  # of one that changes many rows
            plan = list(connection.exec_driver_sql(f"{explain} {statement}", once))
            steps = (row[3] for row in plan) if sqlite else steps_of(plan[0][0][0]["Plan"])
            found += [f"{step}: {statement[:80]} ... {statement[-300:]}" for step in steps if is_scan(step, large)]
    return found


def steps_of(plan: dict[str, Any]) -> Iterator[str]:
    """The steps of a plan of PostgreSQL that read a table, in SQLite's words: one that reads an index from end to end
    for rows that it then chooses among goes through the whole table, too."""
    kind, name = plan["Node Type"], plan.get("Relation Name", "")
    if kind == "Seq Scan" or (kind in ("Index Scan", "Index Only Scan") and "Index Cond" not in plan):
        if kind == "Seq Scan" or "Filter" in plan:
            yield f"SCAN {name} by {plan.get('Index Name', 'itself')}, {plan.get('Filter', '')}"
    for part in plan.get("Plans", ()):
        yield from steps_of(part)


def is_scan(step: str, large: Set[str]) -> bool:
    scanned = re.match(r"SCAN (?!CONSTANT)(?!\(subquery)(\w*)", step)
    if scanned is None or "USING" in step or "anon" in step:
        return False
    return not large or scanned[1] in large


@pytest.mark.parametrize("count", [GAMES, pytest.param(VERY_MANY, marks=pytest.mark.longest)])
def test_no_question_of_a_hot_path_goes_through_a_whole_table(
    make_office: Callable[..., Office], database: str, clock: SimulatedClock, count: int
) -> None:
    office = make_office(database=database)
    record, players, host = begin(office, coordinated=True)
    tables = copy(office, count)
    with office.store.transaction(write=False) as tx:
        (last,) = tx.all(JournalRow, order="-id", limit=1)
    site = TestClient(whole_site(office))
    anna = players["France"]
    secret = people.start_session(office, Actor.clock(), anna.person or 0, "plans", 1).secret
    site.cookies.set("session", secret)
    with asked(office) as told:
        games.list_games(office, anna, mine=True)
        games.game(office, anna, record.key)
        journal.entries(office, anna, record.key)
        journal.follow(office, last.id)
        send_all(office, record, players, 1)
        submissions.mine(office, anna, record.key, "France")
        for address in ("/games", f"/games/{record.key}", f"/games/{record.key}/news", "/desk", "/me"):
            assert site.get(address).status_code == 200
        games.game(office, host, record.key)
        clock.advance(timedelta(days=1))
        work.run_due(office)
        while MailService(office, Outbox()).send_waiting():
            pass
        mailings.answered_today(office, "a@b.example")
        people.export(office, anna)
        health.health(office)
    assert len(told) > 100
    if count == VERY_MANY:  # few enough games are rightly gone through
        with office.store.transaction() as tx:
            tx.connection.execute(sa.text("ANALYZE"))
    found = scans(office, told, tables if count == VERY_MANY else frozenset())
    assert found == [], "\n".join(found)


def test_a_scan_is_noticed(make_office: Callable[..., Office], database: str) -> None:
    office = make_office(database=database)
    with asked(office) as told, office.store.transaction(write=False) as tx:
        tx.all(GameRow, name="x")
    assert len(scans(office, told)) == len(scans(office, told, {"games"})) == 1
    assert not scans(office, told, {"turns"})


RULEBOOK = schedules.find("three-kingdoms")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


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
    assert [schedules.calendar_day(RULEBOOK, s[2]) for s in seasons] == [
        date(2027, 1, 16),
        date(2027, 1, 31),
        date(2027, 2, 15),
    ]
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


def test_the_hour_stays_when_the_clocks_change() -> None:
    weekly = schedules.find("weekly")
    winter = schedules.deadline(weekly, "Movement", at("2027-03-15 12:00"), at("2027-03-15 12:00"))
    summer = schedules.deadline(weekly, "Movement", at("2027-03-24 12:00"), at("2027-03-24 12:00"))
    assert (winter, summer) == (
        at("2027-03-21 20:00"),
        at("2027-03-28 19:00"),
    )  # London goes to summer time on the 28th


def test_a_local_time_that_does_not_exist_is_later() -> None:
    plan = schedules.read(
        {
            "name": "x",
            "title": "x",
            "zone": "Europe/London",
            "steps": [{"phases": ["Movement", "Retreats", "Adjustments", "Placement"], "days": 1, "at": "01:30"}],
        }
    )
    assert schedules.deadline(plan, "Movement", at("2027-03-27 00:30"), at("2027-03-27 00:30")) == at(
        "2027-03-28 01:30"
    )


def test_hours_are_real_hours() -> None:
    daily = schedules.find("daily")
    assert schedules.deadline(daily, "Movement", at("2027-03-27 20:00"), at("2027-03-27 20:00")) == at(
        "2027-03-28 20:00"
    )


def test_quiet_days_and_the_first_turn() -> None:
    plan = schedules.read(
        {
            "name": "x",
            "title": "x",
            "quiet": ["Sun", "12-25"],
            "first_days": 3,
            "steps": [{"phases": ["Movement", "Retreats", "Adjustments", "Placement"], "days": 1}],
        }
    )
    assert schedules.deadline(plan, "Movement", at("2026-12-24 10:00"), at("2026-12-24 10:00")) == at(
        "2026-12-26 10:00"
    )
    saturday = at("2027-01-02 10:00")
    assert schedules.deadline(plan, "Movement", saturday, saturday) == at("2027-01-04 10:00")
    assert schedules.deadline(plan, "Movement", saturday, saturday, first=True) == at("2027-01-06 10:00")


def test_absences_move_a_deadline_so_far_and_no_further() -> None:
    daily = schedules.find("daily")
    due = at("2027-06-02 10:00")
    away = [(date(2027, 6, 5), date(2027, 6, 7)), (date(2027, 6, 1), date(2027, 6, 4))]
    assert schedules.after_absences(daily, due, away, 30) == at("2027-06-08 10:00")
    assert schedules.after_absences(daily, due, away, 3) == at("2027-06-05 10:00")
    assert schedules.after_absences(daily, due, [(date(2027, 7, 1), date(2027, 7, 9))], 30) == due


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


@pytest.mark.parametrize("zone", ["EST", "GMT", "Here"])
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
        ("5 min; retreats 2 min", "2026-11-22T15:05", "2026-11-22T15:02"),
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
    assert due == [movement, retreats] and plan.title == written


@pytest.mark.parametrize(
    "written",
    ["0 h", "36 parsecs", "Mon Foo 20:00", "Mon 25:00", "Mon 20:00 Nowhere/X", "400 d", "36 h; retreats", "Mon",
     "Mon 20:00 Europe/London; retreats Tue 20:00 Asia/Tokyo", "mon" + "a" * 190, "mon " * 50, ""],
)  # fmt: skip
def test_a_schedule_that_is_none_is_refused_with_how_one_is_written(written: str) -> None:
    refused = refuses(InvalidInputError, schedules.find, written)
    assert all(fault.startswith("schedule: ") for fault in refused.value.faults)


PHASES = ["Movement", "Retreats", "Adjustments", "Placement"]
ONE = {"phases": PHASES, "hours": 24}


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


def test_a_written_schedule_is_a_title_of_one_line() -> None:
    assert schedules.find("36 h;\n\n retreats\t12 h").title == "36 h; retreats 12 h"


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
