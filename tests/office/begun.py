"""Games that have begun, kept as whole offices and copied: beginning one takes ten times as long."""

import contextlib
import sqlite3
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import pytest

from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.office import Office
from legation.office.store.rows import PersonRow

T = TypeVar("T")
COPYABLE: WeakKeyDictionary[Office, pytest.MonkeyPatch | None] = WeakKeyDictionary()
"""Offices of tests, with what their test patches by: while nothing is patched, what is done in one has the same outcome
in another."""


def copied(office: Office, request: pytest.FixtureRequest) -> Office:
    """The office of a test, into which others that were begun alike are copied."""
    patched = "monkeypatch" in request.fixturenames
    COPYABLE[office] = request.getfixturevalue("monkeypatch") if patched else None
    return office


@dataclass(frozen=True)
class _Kept:
    """An office after something was done: its rows, its files but the database, the chance that is left, the answer."""

    rows: sqlite3.Connection
    files: dict[Path, bytes]
    chance: Any
    answer: Any


_KEPT: dict[Hashable, _Kept] = {}


def done_once(office: Office, what: Hashable, do: Callable[[], T]) -> T:
    """Do something in an office that is still empty; where the same was done in one like it, copy that office."""
    patch = COPYABLE.get(office)
    is_patched = patch is not None and (patch._setattr or patch._setitem)
    if office not in COPYABLE or is_patched or not _is_empty(office):
        return do()
    chance, clock, folder = office.random_source, office.clock, office.keys
    assert isinstance(chance, SeededRandomSource) and isinstance(clock, SimulatedClock) and folder is not None
    key = (what, repr(office.settings), office.master_key, chance._random.getstate(), clock.now())
    if key in _KEPT:
        kept = _KEPT[key]
        for path, content in kept.files.items():
            place = folder.parent / path
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            place.write_bytes(content)
            place.chmod(0o600)
        with _database(office) as database:
            kept.rows.backup(database)
        chance._random.setstate(kept.chance)
        answer: T = kept.answer
        return answer
    answer = do()
    rows = sqlite3.connect(":memory:", check_same_thread=False)
    with _database(office) as database:
        database.backup(rows)
    files = {
        path.relative_to(folder.parent): path.read_bytes()
        for path in folder.parent.rglob("*")
        if path.is_file() and not path.name.startswith("office.db")
    }
    _KEPT[key] = _Kept(rows, files, chance._random.getstate(), answer)
    return answer


def _is_empty(office: Office) -> bool:
    if not office.store.sqlite:
        return False
    with office.store.transaction(write=False) as tx:
        return not tx.all(PersonRow, limit=1)


@contextlib.contextmanager
def _database(office: Office) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(office.store.engine.raw_connection()) as connection:
        database = connection.driver_connection
        assert isinstance(database, sqlite3.Connection)
        yield database
