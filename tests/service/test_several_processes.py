"""Nothing that one process of an office keeps is local to it where another needs it: two offices on one database stand
for two processes."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from legation.atlas.painting import PAINTER
from legation.mail import results
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.hosting import games
from legation.office.monitoring.rate_limits import SharedAllowance
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.settings import Settings
from legation.office.store.rows import SharedRow
from legation.office.store.shared_values import LEASE
from legation.office.store.transaction import Before
from legation.web import create_app
from tests.office.playing import CONSOLE, begin


@pytest.fixture
def two(tmp_path: Path, clock: SimulatedClock, postgres: Callable[[], str]) -> Iterator[tuple[Office, Office]]:
    settings = Settings(settling=0, database=postgres())
    made = [open_office(tmp_path / "office", settings, clock, SeededRandomSource(name)) for name in ("one", "two")]
    yield made[0], made[1]
    for office in made:
        office.close()


@pytest.mark.long
def test_a_position_of_the_sandbox_is_found_by_the_next_process(two: tuple[Office, Office]) -> None:
    one, other = (TestClient(create_app(office), base_url="https://testserver") for office in two)
    made = one.post(
        "/sandbox",
        data={"variant": "standard", "text": "Spring 1901 Movement\nFrance: A par"},
        headers={"origin": "https://testserver"},
    )
    assert made.status_code == 200 and made.url.path != "/sandbox"
    assert other.get(made.url.path).status_code == 200
    assert other.get("/sandbox/aaaaaaaaaaaaaaaa").status_code == 404
    with two[0].store.transaction(write=False) as tx:  # who has the database finds no position by it
        (row,) = tx.all(SharedRow, kind="shelf")
    assert made.url.path.rpartition("/")[2] not in row.name


def test_the_oldest_positions_go_where_there_is_no_room(two: tuple[Office, Office], clock: SimulatedClock) -> None:
    shared = two[0].shared
    for n in range(5):
        shared.put("shelf", f"position {n}", bytes(100), 3600, room=350)
        clock.advance(timedelta(seconds=1))
    assert [shared.get("shelf", f"position {n}", 3600) is not None for n in range(5)] == [
        False,
        False,
        True,
        True,
        True,
    ]
    clock.advance(timedelta(minutes=50))
    assert two[1].shared.get("shelf", "position 3", 3600) is not None  # it is kept longer, since somebody asked
    clock.advance(timedelta(minutes=20))
    assert [shared.get("shelf", f"position {n}", 3600) is not None for n in (2, 3)] == [False, True]
    clock.advance(timedelta(hours=2))
    with two[0].store.transaction() as tx:
        assert tx.remove(SharedRow, until=Before(int(clock.now().timestamp() * 1_000_000))) == 3


@pytest.mark.long
def test_limits_are_counted_by_all_processes_together(two: tuple[Office, Office], clock: SimulatedClock) -> None:
    def now() -> float:
        return clock.now().timestamp()

    few = [SharedAllowance(office.shared, "links", 5, 3600, now) for office in two]
    assert [few[n % 2].take("x") for n in range(7)] == [True] * 5 + [False] * 2
    assert few[0].take("y")
    clock.advance(timedelta(hours=2))
    assert few[1].take("x")
    many = [SharedAllowance(office.shared, "reads", 600, 60, now) for office in two]
    taken = sum(many[n % 2].take("x") for n in range(1400))
    assert 600 <= taken <= 600 + 2 * many[0].step


@pytest.mark.long
def test_one_map_is_drawn_once(
    two: tuple[Office, Office], clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []

    def png_and_pdf(svg: str, width: int) -> tuple[bytes, bytes]:
        drawn.append(len(svg))
        return b"a drawn map", b"pdf"

    monkeypatch.setattr(PAINTER, "png_and_pdf", png_and_pdf)
    record, _, _ = begin(two[0], powers=0)
    clock.advance(timedelta(days=2))
    work.run_due(two[0])
    record = games.game(two[0], CONSOLE, record.key)
    result = games.result(two[0], CONSOLE, record.key, 1)
    rules = two[0].variants.load(record.variant)
    pictures = [results._map(office, rules, record, result, "en")[0] for office in (*two, two[0])]
    assert [picture.data if picture else b"" for picture in pictures] == [b"a drawn map"] * 3 and len(drawn) == 1
    with two[0].store.transaction(write=False) as tx:
        (row,) = tx.all(SharedRow, kind="map")
    assert b"drawn map" not in row.content  # a map may show what not all may see


@pytest.mark.long
def test_what_a_dead_process_was_to_make_another_makes(two: tuple[Office, Office], clock: SimulatedClock) -> None:
    class KilledError(BaseException):
        pass

    one, other = two[0].shared, two[1].shared
    with pytest.raises(KilledError):
        one.once("map", "a", lambda: (_ for _ in ()).throw(KilledError()), 60)
    assert other.once("map", "a", lambda: b"made", 60) == b"made"  # what failed holds up nobody
    with two[0].store.transaction() as tx:  # a process that is gone leaves its claim
        tx.add(SharedRow(kind="map", name=one._digest("map b"), until=one._at(LEASE)))
    clock.advance(timedelta(seconds=LEASE + 1))
    assert other.once("map", "b", lambda: b"made", 60) == b"made"
    assert one.once("map", "b", lambda: b"again", 60) == b"made"
    clock.advance(timedelta(seconds=61))
    assert one.once("map", "b", lambda: b"again", 60) == b"again"
