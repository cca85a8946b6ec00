"""Every value of a transcript is changed on its way, and lines are deleted, moved, copied and forged. What those with
the keys can change is in ``docs/tables/fields.csv`` (``test_fields.py``)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

import pytest

from legation.proofs.receipts import SignedReceipt
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


def altered(rows: Rows, row: int, path: tuple[object, ...]) -> Rows:
    """The rows with another value in one place."""
    return replaced(rows, row, path, changed(at(rows, row, path)))


def unnoticed(
    office: Office, files: Iterable[tuple[object, Rows]], receipts: Sequence[SignedReceipt] = ()
) -> list[object]:
    """What was done to those of these files that a verifier takes."""
    missed: list[object] = []
    for what, rows in files:
        data = written(rows)
        if first_check(office, data, receipts).holds:
            missed.append(("first", what))
        if not second_check(office, data, receipts):
            missed.append(("second", what))
    return missed


@pytest.mark.parametrize("game", ALL)
def test_no_value_of_a_file_can_be_changed_on_its_way(game: Callable[[], Office]) -> None:
    office, rows = game(), rows_of(game())
    files = ((shape, altered(rows, row, path)) for shape, row, path in one_of_each(office, rows))
    assert unnoticed(office, files) == []


@pytest.mark.parametrize("part", some(range(3), 3))
@pytest.mark.parametrize("game", TWO)
def test_no_two_values_of_a_file_can_change_places(game: Callable[[], Office], part: int) -> None:
    assert unnoticed(game(), list(swapped(rows_of(game()), Random(SEED)))[part::3]) == []


def reordered(rows: Rows) -> Iterator[tuple[object, Rows]]:
    """A row of each kind deleted, copied, or moved elsewhere."""
    random = Random(SEED)
    kinds = {
        (next(iter(row)), str(next(iter(row.values()))["kind"]) if "line" in row else ""): n
        for n, row in enumerate(rows)
        if n
    }
    for kind, n in kinds.items():
        other = random.choice([m for m in range(1, len(rows)) if m != n])
        without = rows[:n] + rows[n + 1 :]
        yield (kind, "deleted"), without
        yield (kind, "copied"), [*rows[:n], rows[n], *rows[n:]]
        yield (kind, "moved"), [*without[:other], rows[n], *without[other:]]


@pytest.mark.parametrize("game", ALL)
def test_no_row_of_a_file_can_be_deleted_copied_or_moved(game: Callable[[], Office]) -> None:
    rows = rows_of(game())
    assert unnoticed(game(), ((what, fresh) for what, fresh in reordered(rows) if fresh != rows)) == []


@pytest.mark.parametrize("game", TWO)
def test_with_the_receipts_of_all_nothing_before_the_last_can_be_changed(game: Callable[[], Office]) -> None:
    office, rows = game(), rows_of(game())
    last = max(receipt.line for receipt in office.receipts)
    honest = resigned(office, rows, keeper=True)
    files = (
        (shape, resigned(office, altered(rows, row, path), keeper=True))
        for shape, row, path in one_of_each(office, rows[: last + 1])
        if row
    )
    assert unnoticed(office, ((shape, file) for shape, file in files if file != honest), office.receipts) == []
