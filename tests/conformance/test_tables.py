"""The table of clauses says what is proved, and only that."""

from pathlib import Path
from typing import Any

import pytest

from legation.conformance import cases, clause_table, tables
from legation.conformance.marked import find_marked, run_marked
from legation.conformance.tables import _row
from legation.variants import USUAL, all_clauses, registry
from legation.variants.loader import read_facts


def test_every_clause_of_the_game_is_proved_in_every_variant_in_which_it_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That each case holds is tested by itself."""
    monkeypatch.setattr(cases, "run_case", lambda case: cases.CaseResult(case, ()))
    rows = clause_table("game")
    assert rows and len(rows) == len({(row["id"], *row["variants"]) for row in rows})
    assert [(row["id"], row["variants"]) for row in rows if not row["passed"]] == []


@pytest.mark.parametrize(
    ("variant", "rule", "clauses"),
    [
        ("three-kingdoms", "mercy", {"W-5"}),
        ("three-kingdoms", "proxy", {"W-12a", "W-12b", "W-12c", "W-12d"}),
        ("three-kingdoms", "draw_between_kingdoms", {"W-7"}),
        ("1000ad", "ferry", {"K-9b", "K-9c", "K-9e"}),
        ("hundred1", "starting_choice", {"H3-6"}),
    ],
)
def test_a_rule_that_is_missing_from_a_shipped_variant_fails_its_rows(
    monkeypatch: pytest.MonkeyPatch, variant: str, rule: str, clauses: set[str]
) -> None:
    def without(path: Path, shown: str) -> dict[str, Any]:
        facts = read_facts(path, shown)
        if path.stem == variant:
            del facts["rules"][rule]
        return facts

    def run_case(case: cases.Case) -> cases.CaseResult:
        return run(case) if clauses & set(case.clauses) else cases.CaseResult(case, ())

    run = cases.run_case
    monkeypatch.setattr(cases, "run_case", run_case)
    monkeypatch.setattr(tables, "CHECKS", {})
    monkeypatch.setattr(registry, "read_facts", without)
    for kept in ("_facts_read", "_prepared", "_loaded"):
        monkeypatch.setattr(USUAL, kept, {})
    failed = {row["id"] for row in clause_table("game", variant) if not row["passed"]}
    assert clauses <= failed


MARKED = """
import pytest

@pytest.mark.clause("W-22")
def test_good(): pass

@pytest.mark.clause("W-22", "W-23")
@pytest.mark.parametrize("number", [1, 2])
def test_bad_once(number): assert number == 1

@pytest.mark.clause("W-26")
class TestGames:
    def test_good(self): pass

    @pytest.mark.clause("W-28")
    @pytest.mark.skip(reason="no printer")
    def test_skipped(self): pass

def test_unmarked(): assert False
"""


def test_marked_tests_are_found_and_run(tmp_path: Path) -> None:
    path = tmp_path / "tests" / "office" / "test_office.py"
    path.parent.mkdir(parents=True)
    path.write_text(MARKED, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = clause(id): proves it", encoding="utf-8")
    place = "tests/office/test_office.py"
    assert find_marked(tmp_path) == {
        "W-22": [f"{place}::test_good", f"{place}::test_bad_once"],
        "W-23": [f"{place}::test_bad_once"],
        "W-26": [f"{place}::TestGames::test_good", f"{place}::TestGames::test_skipped"],
        "W-28": [f"{place}::TestGames::test_skipped"],
    }
    assert run_marked({"W-22", "W-23", "W-26", "W-28"}, tmp_path) == {
        "W-22": {f"{place}::test_good": True, f"{place}::test_bad_once": False},
        "W-23": {f"{place}::test_bad_once": False},
        "W-26": {f"{place}::TestGames::test_good": True, f"{place}::TestGames::test_skipped": None},
        "W-28": {f"{place}::TestGames::test_skipped": None},
    }
    assert run_marked({"W-21a"}, tmp_path) == {}


def test_marks_on_a_whole_file_are_found(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    text = 'import pytest\npytestmark = [pytest.mark.clause("W-20c")]\ndef test_subject(): pass\n'
    (tmp_path / "tests" / "test_mail.py").write_text(text, encoding="utf-8")
    assert find_marked(tmp_path) == {"W-20c": ["tests/test_mail.py::test_subject"]}


def test_tests_are_marked_with_clauses_that_there_are() -> None:
    known = {clause.id for clause in all_clauses()}
    assert sorted(find_marked().keys() - known) == []


def test_a_clause_is_unproved_while_a_proof_is_missing_and_failed_when_one_fails() -> None:
    assert _row({"a": True, "b": True})["passed"] is True
    assert _row({}, {"on a variant made up for it": True})["passed"] is None
    assert _row({"a": True, "not run here": None})["passed"] is None
    assert _row({"a": False, "not run here": None})["passed"] is False
