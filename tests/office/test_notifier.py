"""Notifications: whoever waits hears at once of what was written, in the same process and, on PostgreSQL, in others."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.office import Office, open_office
from legation.office.operation import health
from legation.office.settings import Settings
from legation.office.store.store import ANYTHING
from tests.office.fixtures import START
from tests.office.playing import begin, send_all

PATIENCE = 30.0  # seconds


def _open(folder: Path, database: str) -> Office:
    return open_office(
        folder, Settings(database=database, settling=0), SimulatedClock(START), SeededRandomSource("bell")
    )


def test_news_is_heard_in_another_office_of_the_same_database(tmp_path: Path, postgres: Callable[..., str]) -> None:
    database = postgres()
    one, other = _open(tmp_path, database), _open(tmp_path, database)
    listening, game = threading.Event(), threading.Event()

    def hear(what: str) -> None:
        listening.set()
        if what == "game powick-bridge":
            game.set()

    deaf = other.listen(hear)
    assert listening.wait(PATIENCE)  # it has begun to listen
    with other.waiter("mail") as mail, other.waiter("work") as work:
        begin(one)
        assert game.wait(PATIENCE)
        assert mail(PATIENCE)
        assert work(PATIENCE)
    deaf()
    one.close()
    other.close()


def test_news_is_heard_in_the_same_process(tmp_path: Path) -> None:
    office = _open(tmp_path, "")
    heard: list[str] = []
    deaf = office.listen(heard.append)
    record, players, _ = begin(office)
    assert {"mail", "work", "game powick-bridge"} <= set(heard)
    heard.clear()
    send_all(office, record, players, "x")
    assert "game powick-bridge" in heard
    deaf()
    heard.clear()
    begin(office, name="Another")
    assert not heard
    office.close()


def test_what_is_not_committed_is_not_rung(tmp_path: Path) -> None:
    office = _open(tmp_path, "")
    heard: list[str] = []
    office.listen(heard.append)
    try:
        with office.store.transaction() as tx:
            tx.notifications.add("work")
            raise KeyError("x")
    except KeyError:
        pass
    assert not heard
    office.close()


def test_a_connection_that_breaks_is_made_anew_counted_and_tells_that_something_may_be_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that breaks twice stands for PostgreSQL's."""
    office = _open(tmp_path, "")
    notifier, tries, heard = office.store.notifier, [0], threading.Event()
    monkeypatch.setattr("legation.office.store.store.PAUSE", 0.01)

    def pass_on() -> None:
        tries[0] += 1
        if tries[0] <= 2:
            raise ConnectionResetError
        notifier.notify(ANYTHING)
        threading.Event().wait(0.01)

    monkeypatch.setattr(notifier, "_pass_on", pass_on)
    monkeypatch.setattr(notifier, "far", True)
    deaf = office.listen(lambda what: heard.set() if what == ANYTHING else None)
    assert heard.wait(PATIENCE)
    thread = notifier._thread
    deaf()
    if thread is not None:
        thread.join(PATIENCE)
    told = health.metrics(office).decode()
    assert 'legation_failures_total{kind="ConnectionResetError",what="notifications"} 2.0' in told
    office.close()
