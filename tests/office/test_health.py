"""How the office says that it is well, and that it is not."""

import ctypes
import shutil
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from starlette.applications import Starlette
from starlette.testclient import TestClient

from legation.cli.serving import health_routes
from legation.office.clock import SimulatedClock
from legation.office.desk import mailings
from legation.office.keys.remote_keeper import remote_keeper
from legation.office.monitoring import logs, processes
from legation.office.monitoring.rate_limits import FEW, Allowance
from legation.office.office import Office
from legation.office.operation import health, work
from tests.office.playing import begin


def test_an_office_is_well_until_its_worker_its_keeper_or_its_store_is_not(
    office: Office, clock: SimulatedClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(office)
    assert health.health(office).good and health.health(office).running == 1
    assert b"legation_up 1.0" in health.metrics(office) and b"legation_games_running 1.0" in health.metrics(office)
    clock.advance(timedelta(days=1, minutes=5))
    late = health.health(office)
    assert not late.good and late.late == 300.0
    work.run_due(office)
    assert health.health(office).good
    keeper, office.keeper = office.keeper, remote_keeper("http://127.0.0.1:9", "x")
    assert not health.health(office).good and not health.health(office).keeper
    office.keeper = keeper
    with monkeypatch.context() as patch:
        patch.setattr(office.keeper, "key", lambda name: b"a key that was not to be given")
        assert not health.health(office).good and not health.health(office).keeper
    office.store.close()
    (tmp_path / "office" / "office.db").unlink()
    (tmp_path / "office" / "office.db").mkdir()
    state = health.health(office)
    assert (state.good, state.store, state.keeper) == (False, False, True)
    assert b"legation_up 0.0" in health.metrics(office)


def test_health_and_metrics_are_served(office: Office, clock: SimulatedClock) -> None:
    begin(office)
    web = TestClient(Starlette(routes=health_routes(office)), client=("127.0.0.1", 1))
    assert web.get("/ready").json()["good"] is True
    clock.advance(timedelta(days=2))
    late = web.get("/ready")
    assert late.status_code == 503
    assert [check["name"] for check in late.json()["checks"] if not check["good"]] == ["work", "mail"]
    assert web.get("/health").status_code == 200, "the process lives"
    assert "legation_work_late_seconds 86400" in web.get("/metrics").text
    work.run_due(office)
    told = web.get("/metrics").text
    assert 'legation_work_seconds_count{kind="close turn"} 1.0' in told and 'legation_check{name="work"}' in told


def test_what_is_counted_is_told_to_nobody_who_could_tell_from_it_that_orders_came(
    make_office: Callable[..., Office],
) -> None:
    """A figure of mails that wait, or of requests by route, tells a player in the fog when others send."""
    token = "a-token-that-nobody-guesses"
    office = make_office(watch_token=token)
    site = Starlette(routes=health_routes(office))
    own, other = TestClient(site, client=("::1", 1)), TestClient(site, client=("192.0.2.7", 1))
    given = {"authorization": f"Bearer {token}"}
    assert "legation_mailings_waiting" in own.get("/metrics").text and "mails" in own.get("/ready").json()
    assert "legation_mailings_waiting" in other.get("/metrics", headers=given).text
    assert all("checks" in other.get(page, headers=given).json() for page in ("/ready", "/health"))
    forged = [{"authorization": "Bearer x"}, {"authorization": f"Basic {token}"}, {"authorization": "Bearer"}, {}]
    asked = [(other, headers) for headers in forged]
    asked += [(own, {name: "127.0.0.1"}) for name in ("x-forwarded-for", "forwarded", "x-real-ip", "via")]
    asked += [(own, {"authorization": "Bearer x"})]
    asked += [(TestClient(site, client=("a proxy", 1)), {})]
    for client, headers in asked:
        assert client.get("/metrics", headers=headers).status_code == 403, headers
        for page in ("/ready", "/health"):
            assert client.get(page, headers=headers).json() == {"good": True}, headers
    open_to_none = TestClient(Starlette(routes=health_routes(make_office())), client=("192.0.2.7", 1))
    assert open_to_none.get("/metrics", headers={"authorization": "Bearer "}).status_code == 403


def test_each_thing_that_an_office_needs_is_told_by_name(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [check.name for check in health.health(office).checks]
    assert names == ["keeper", "clock", "disk", "store", "store writes", "work", "mail", "relay"]
    stop, told = threading.Event(), threading.Event()
    now = [0.0]
    monkeypatch.setattr(office.pulses, "_now", lambda: now[0])

    def run(beat: Callable[[], None]) -> None:
        beat()
        told.set()
        stop.wait(60)

    thread = processes.start(office.pulses, "work", run, stop)
    assert told.wait(60) and health.health(office).good
    now[0] += health.SILENT_SECONDS + 1
    (silent,) = health.live(office)
    assert (silent.name, silent.good) == ("thread work", False) and not health.health(office).good
    stop.set()
    thread.join(60)
    assert health.live(office) == ()
    sa.event.listen(office.store.engine, "begin", read_only)
    state = health.health(office)
    assert [check.name for check in state.checks if not check.good] == ["store writes"] and not state.good
    sa.event.remove(office.store.engine, "begin", read_only)
    office.store.engine.dispose()
    with monkeypatch.context() as full:
        full.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9 - 1, 1))
        state = health.health(office)
        assert [check.name for check in state.checks if not check.good] == ["disk"] and not state.good
    mailings.relay_away(office, [], "421 away")
    assert [check.name for check in health.health(office).checks if not check.good] == ["relay"]
    assert health.health(office).good, "games go on"
    mailings.relay_back(office)
    assert all(check.good for check in health.health(office).checks)


def read_only(connection: sa.Connection, *_: object) -> None:
    connection.connection.cursor().execute("PRAGMA query_only=ON")


def test_a_thread_that_fails_goes_on_and_tells_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "PAUSES", (0.01, 0.02))
    pulses, stop, runs = processes.Pulses(), threading.Event(), [0]

    def run(beat: Callable[[], None]) -> None:
        runs[0] += 1
        if runs[0] == 3:
            beat()
        if runs[0] < 5:
            raise MemoryError
        stop.set()

    thread = processes.start(pulses, "work", run, stop)
    thread.join(60)
    assert runs == [5] and not thread.is_alive()


def test_the_c_library_is_set_as_it_is_meant_where_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert not processes.give_back_what_is_freed()
    told: list[tuple[int, int]] = []

    class Library:
        def mallopt(self, what: int, value: int) -> int:
            told.append((what, value))
            return 1

    monkeypatch.setattr(ctypes, "CDLL", lambda _: Library())
    assert processes.give_back_what_is_freed()
    assert told == [(-8, processes.ARENAS), (-3, processes.LARGE)]


def test_an_allowance_is_of_each_caller_alone_comes_back_and_is_forgotten() -> None:
    now = [1000.0]
    allowance = Allowance(2, 60, lambda: now[0])
    assert allowance.take("anna")
    now[0] += 59
    assert [allowance.take("anna") for _ in range(3)] == [True, False, False]
    assert allowance.take("ben")
    now[0] += 1  # the first is a minute ago, the second a second
    assert [allowance.take("anna") for _ in range(2)] == [True, False]
    now[0] += 59
    assert allowance.take("anna")
    # who has not come of late is forgotten, and nobody else
    allowance = Allowance(1, 60, lambda: now[0])
    for number in range(3 * FEW):
        now[0] += 1
        assert allowance.take(f"caller {number}")
    assert len(allowance._taken) <= FEW
    assert not allowance.take(f"caller {3 * FEW - 1}")


def test_what_never_belongs_into_a_log_is_kept_out_and_an_error_is_told_without_its_words() -> None:
    """tests/service/test_log_lines.py looks at every line of a played game."""
    private = {"email": "a@example.org", "text": "A par H"}
    try:
        raise RuntimeError("A par - orl")
    except RuntimeError as error:
        for given in (error, True):
            line = logs.keep_out(None, "info", {"event": "x", "work": 3, "exc_info": given, **private})
            assert line.pop("at")[-1].startswith("test_health.py:")
            assert line == {"event": "x", "work": 3, "error": "RuntimeError"}
