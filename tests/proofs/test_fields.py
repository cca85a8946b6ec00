"""The table of each field of each line (``docs/tables/fields.csv``) says what both verifiers say."""

import csv
import re
from pathlib import Path
from random import Random

import pytest

from legation.proofs import kinds
from tests.proofs.fields import GAMES, OUTCOMES, all_fields, noticed, others, places
from tests.proofs.games import hidden, seldom
from tests.proofs.tampering import at, rows_of
from tests.sampling import some

TABLE_FILE = Path(__file__).parents[2] / "docs" / "tables" / "fields.csv"
SAID = {"only receipts": "receipts", "told": "told", "**word**": "word", "**fails**": "fails"}
with TABLE_FILE.open(encoding="utf-8", newline="") as file:
    TABLE = {field.strip("`"): cells for field, *cells in list(csv.reader(file))[1:]}


def test_each_field_has_a_row_and_each_row_a_field() -> None:
    assert sorted(TABLE) == sorted(all_fields())
    assert all(signer and checker for signer, checker, *_ in TABLE.values())


def test_each_further_test_is_there() -> None:
    for *_, tests in TABLE.values():
        for file, name in re.findall(r"`(\w+\.py)::(\w+)`", tests):
            assert f"def {name}(" in Path(__file__).with_name(file).read_text("utf-8")


def promised(cell: str) -> list[int]:
    """The least that each verifier says, by a cell of the table."""
    first, _, second = cell.partition(" / ")
    return [OUTCOMES.index(SAID[part]) for part in (first, second or first)]


@pytest.mark.parametrize("keeper", [False, True], ids=["changed later", "written so"])
@pytest.mark.parametrize("field", some(all_fields(), 30, pytest.mark.longest))
def test_the_verifiers_say_what_the_table_says(field: str, keeper: bool) -> None:
    """In games with the keeper elsewhere and in the folder; there the office's keys are the keeper's as well."""
    cell = TABLE[field][2 + keeper]
    random = Random(field)
    for game in GAMES:
        office = game()
        if cell == "–" or (not keeper and not office.elsewhere):
            continue
        rows = rows_of(office)
        listed = list(places(rows, field))
        for row, path in random.sample(listed, min(1 + (office in (seldom(), hidden())), len(listed))):
            for value in others(office, at(rows, row, path)):
                outcomes = noticed(game, field, row, path, value, keeper=keeper)
                said = [OUTCOMES.index(outcome) for outcome in outcomes or ()]
                least = zip(said, promised(cell), strict=True) if said else ()
                assert all(one >= other for one, other in least), (outcomes, cell, path)


def test_no_kind_of_line_is_left_out() -> None:
    known = {field.partition(".")[0] for field in TABLE}
    assert {kind for kind, data in kinds.KINDS.items() if data.__struct_fields__} - {"private"} <= known
