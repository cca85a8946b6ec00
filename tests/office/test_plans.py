"""What is asked for again and again finds its rows by an index: no question of a hot path goes through a whole table,
however many games there are."""

import re
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from legation.cli.serving import whole_site
from legation.mail.mail_service import MailService
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import mailings
from legation.office.game import journal
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import health
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
from tests.mail.conftest import Outbox
from tests.office.playing import begin, passes, send_all, the

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
    last = the(office, JournalRow, order="-id", limit=1)
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
        passes(office, clock, timedelta(days=1))
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
