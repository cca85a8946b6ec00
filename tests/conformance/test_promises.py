"""Each promise, party and fault in the manual's tables names tests that there are."""

import csv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("table", ["promises", "parties", "faults"])
def test_what_is_promised_is_tested(table: str) -> None:
    with (ROOT / f"docs/tables/{table}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        for test in row["tests"].split("; "):
            path, name = test.split("::")
            assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), row
