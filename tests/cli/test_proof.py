"""``legation conformance``: the tables, and the status that says whether all is proved."""

import json
from typing import Any

import pytest
import typer

from legation.cli import conformance
from tests.cli.test_commands import run

CASES: list[dict[str, Any]] = [
    {"id": "6.A.1", "title": "Far moves", "passed": True, "note": None},
    {"id": "6.A.2", "title": "Moves to sea", "passed": False, "note": "A lvp bounced"},
]
CLAUSES: list[dict[str, Any]] = [
    {
        "id": "M-1",
        "variants": ["hundred"],
        "kind": "rule",
        "summary": "Units move.",
        "passed": True,
        "tests": ["a", "b"],
    },
    {"id": "M-2", "variants": ["1898"], "kind": "rule", "summary": "Fleets sail.", "passed": None, "tests": []},
    {"id": "M-3", "variants": ["1898"], "kind": "text", "summary": "Kings are kings.", "passed": None, "tests": []},
]


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "datc_table", lambda: CASES)
    monkeypatch.setattr(conformance, "clause_table", lambda part: CLAUSES if part is None else CLAUSES[:1])


@pytest.mark.usefixtures("tables")
def test_what_fails_and_what_is_missing_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as stopped:
        conformance.conformance(False, False, None, False)
    assert stopped.value.exit_code == 1
    assert capsys.readouterr().out.splitlines() == [
        "6.A.1    pass     Far moves",
        "6.A.2    FAIL     Moves to sea  (A lvp bounced)",
        "1 of 2",
        "",
        "M-1      hundred        pass     Units move.  [2 tests]",
        "M-2      1898           MISSING  Fleets sail.  [0 tests]",
        "M-3      1898           text     Kings are kings.  [0 tests]",
        "2 of 3",
        "",
    ]


@pytest.mark.usefixtures("tables")
def test_one_table_alone_or_both_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    conformance.conformance(False, True, "game", True)
    assert json.loads(capsys.readouterr().out) == CLAUSES[:1]
    with pytest.raises(typer.Exit):
        conformance.conformance(True, True, None, True)
    assert json.loads(capsys.readouterr().out) == {"datc": CASES, "clauses": CLAUSES}


@pytest.mark.long
def test_every_case_of_the_adjudicator_test_cases_passes() -> None:
    done = run("conformance", "--datc")
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert lines[0].startswith("6.A.1 ") and lines[-2] == f"{len(lines) - 2} of {len(lines) - 2}"
