"""How the office says that it is well, and that it is not."""

from __future__ import annotations

from datetime import timedelta

from legation.office import Office, SimulatedClock, health, work
from legation.office.keeping import RemoteKeeper
from tests.office.playing import begin


def test_an_office_is_well_until_its_worker_its_keeper_or_its_store_is_not(
    office: Office, clock: SimulatedClock
) -> None:
    begin(office)
    assert health.health(office).good and health.health(office).running == 1
    assert b"legation_up 1.0" in health.metrics(office) and b"legation_games_running 1.0" in health.metrics(office)
    clock.advance(timedelta(days=1, minutes=5))
    late = health.health(office)
    assert not late.good and late.late == 300.0
    work.run_due(office)
    assert health.health(office).good
    keeper, office.keeper = office.keeper, RemoteKeeper("http://127.0.0.1:9", "x")
    assert not health.health(office).good and not health.health(office).keeper
    office.keeper = keeper


def test_health_and_metrics_are_served(office: Office, clock: SimulatedClock) -> None:
    from starlette.applications import Starlette
    from starlette.testclient import TestClient

    from legation.cli.serving import health_routes

    begin(office)
    web = TestClient(Starlette(routes=health_routes(office)))
    assert web.get("/health").json()["good"] is True
    clock.advance(timedelta(days=2))
    assert web.get("/health").status_code == 503
    assert "legation_work_late_seconds 86400" in web.get("/metrics").text
