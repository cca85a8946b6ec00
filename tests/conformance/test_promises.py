"""Each promise, party and fault of the manual has tests that there are (``tests/promises.toml``)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTED = tomllib.loads((ROOT / "tests/promises.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("what", TESTED)
def test_what_is_promised_is_tested(what: str) -> None:
    for promise, tests in TESTED[what].items():
        assert tests, promise
        for test in tests:
            file, name = test.split("::")
            assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), test


@pytest.mark.parametrize(
    ("what", "page", "head"), [("parties", "office", "| who |"), ("faults", "hosting", "| fault |")]
)
def test_every_row_of_the_manual_is_tested(what: str, page: str, head: str) -> None:
    table = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8").partition(f"\n{head}")[2].partition("\n\n")[0]
    assert re.findall(r"^\| (.*?) \|", table.partition("\n")[2], re.MULTILINE) == list(TESTED[what])
