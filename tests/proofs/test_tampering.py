"""Every value of a transcript is changed on its way, and lines are deleted, moved, copied and forged. What those with
the keys can change is in ``docs/tables/fields.csv`` (``test_fields.py``)."""

from collections.abc import Callable, Iterator
from random import Random

import pytest

from tests.proofs.building import Office
from tests.proofs.games import fog, full, hidden, kingdoms, seldom
from tests.proofs.tampering import (
    Rows,
    at,
    by_shape,
    changed,
    first_check,
    replaced,
    resigned,
    rows_of,
    second_check,
    swapped,
    written,
)
from tests.sampling import some

GAMES: dict[str, Callable[[], Office]] = {
    "full": full,
    "hidden": hidden,
    "seldom": seldom,
    "fog": lambda: fog(turns=2),
    "kingdoms": lambda: kingdoms(1),
}
QUICK = ("seldom",)
ALL = [pytest.param(game, id=name, marks=[pytest.mark.long] * (name not in QUICK)) for name, game in GAMES.items()]
TWO = [pytest.param(full, id="full", marks=pytest.mark.long), pytest.param(hidden, id="hidden")]
SEED = "tampering"


def one_of_each(office: Office, rows: Rows) -> Iterator[tuple[str, int, tuple[object, ...]]]:
    """A place of each shape; in other games than the full one of those that it has not, and of some others."""
    random = Random(SEED)
    known = by_shape(rows_of(full())) if office is not full() else {}
    if office is seldom():
        known |= by_shape(rows_of(hidden()))
    for shape, listed in by_shape(rows).items():
        if shape not in known or random.random() < 0.2:
            yield (shape, *random.choice(listed))


@pytest.mark.parametrize("game", ALL)
def test_no_value_of_a_file_can_be_changed_on_its_way(game: Callable[[], Office]) -> None:
    office = game()
    rows = rows_of(office)
    missed = []
    for shape, row, path in one_of_each(office, rows):
        data = written(replaced(rows, row, path, changed(at(rows, row, path))))
        if first_check(office, data).holds:
            missed.append(f"first: {shape}")
        if not second_check(office, data):
            missed.append(f"second: {shape}")
    assert missed == []


@pytest.mark.parametrize("part", some(range(3), 3))
@pytest.mark.parametrize("game", TWO)
def test_no_two_values_of_a_file_can_change_places(game: Callable[[], Office], part: int) -> None:
    office = game()
    rows = rows_of(office)
    missed = []
    for shape, fresh in list(swapped(rows, Random(SEED)))[part::3]:
        data = written(fresh)
        if first_check(office, data).holds or not second_check(office, data):
            missed.append(shape)
    assert missed == []


@pytest.mark.parametrize("game", ALL)
def test_no_row_of_a_file_can_be_deleted_copied_or_moved(game: Callable[[], Office]) -> None:
    office = game()
    rows = rows_of(office)
    random = Random(SEED)
    missed = []
    kinds = {
        (next(iter(row)), str(next(iter(row.values()))["kind"]) if "line" in row else ""): n
        for n, row in enumerate(rows)
        if n
    }
    for kind, n in kinds.items():
        other = random.choice([m for m in range(1, len(rows)) if m != n])
        without = rows[:n] + rows[n + 1 :]
        for what, fresh in {
            "deleted": without,
            "copied": [*rows[:n], rows[n], *rows[n:]],
            "moved": [*without[:other], rows[n], *without[other:]],
        }.items():
            if fresh == rows:
                continue
            data = written(fresh)
            if first_check(office, data).holds or not second_check(office, data):
                missed.append((kind, what))
    assert missed == []


@pytest.mark.parametrize("game", TWO)
def test_with_the_receipts_of_all_nothing_before_the_last_can_be_changed(game: Callable[[], Office]) -> None:
    office = game()
    rows = rows_of(office)
    last = max(receipt.line for receipt in office.receipts)
    missed = []
    honest = written(resigned(office, rows, keeper=True))
    for shape, row, path in one_of_each(office, rows[: last + 1]):
        if row == 0:
            continue
        data = written(resigned(office, replaced(rows, row, path, changed(at(rows, row, path))), keeper=True))
        if data == honest:
            continue
        report = first_check(office, data, office.receipts)
        if report.holds:
            missed.append(f"first: {shape}")
        if not second_check(office, data, office.receipts):
            missed.append(f"second: {shape}")
    assert missed == []
