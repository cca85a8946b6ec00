"""An office for tests: on a simulated clock, with chance from a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from legation.office import Office, SeededChance, Settings, SimulatedClock, open_office

START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock(START)


@pytest.fixture
def make_office(tmp_path: Path, clock: SimulatedClock) -> Iterator[Callable[..., Office]]:
    made: list[Office] = []

    def make(**settings: object) -> Office:
        given = Settings(**{"settling": 0, **settings})  # type: ignore[arg-type]
        office = open_office(tmp_path / "office", given, clock, SeededChance("office"))
        made.append(office)
        return office

    yield make
    for office in made:
        office.close()


@pytest.fixture
def office(make_office: Callable[..., Office]) -> Office:
    return make_office()
