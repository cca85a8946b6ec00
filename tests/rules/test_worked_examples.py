"""The worked examples of the small board play alike on the real board (W-9c, W-13g)."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from legation.conformance import Case, read_cases, run_case

CASES = Path(__file__).parents[1] / "cases" / "three-kingdoms"
EXAMPLES = [
    case
    for name in ("battles", "supply")
    for case in read_cases(CASES / f"{name}.cases.toml")
    if re.match(r"W-(9c|13g) ", case.id)
]


@pytest.mark.parametrize("case", EXAMPLES, ids=lambda case: case.id)
def test_worked_example_on_the_real_board(case: Case) -> None:
    real = msgspec.structs.replace(case, body={**case.body, "variant": "three-kingdoms"})
    assert run_case(real).problems == ()
