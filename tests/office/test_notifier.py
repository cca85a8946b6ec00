"""Notifications: whoever waits hears at once of what was written, in the same process and, on PostgreSQL, in others."""

from __future__ import annotations

import threading
from pathlib import Path

from legation.office import Office, SeededRandomSource, Settings, SimulatedClock, open_office
from tests.office.fixtures import START
from tests.office.playing import begin, send_all

PATIENCE = 30.0  # seconds


def _open(folder: Path, database: str) -> Office:
    return open_office(
        folder, Settings(database=database, settling=0), SimulatedClock(START), SeededRandomSource("bell")
    )


def test_news_is_heard_in_another_office_of_the_same_database(tmp_path: Path, postgres: object) -> None:
    database = postgres()  # type: ignore[operator]
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
