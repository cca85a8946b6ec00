"""What the mutants are made of."""

import pytest

from tests.mutants.__main__ import equivalent, report, unchanged
from tests.mutants.code import ROOT, mutants_of, source_files
from tests.mutants.data import data_files, mutants_of_data
from tests.mutants.running import Result, Told


def test_conditions_numbers_and_statements_are_changed() -> None:
    found = {(m.where, m.old, m.new) for m in mutants_of(ROOT / "src" / "legation" / "rules" / "mercy.py")}
    assert len(found) > 5
    assert all(old != new for _, old, new in found)
    assert not any('"""' in old for _, old, _ in found)


def test_every_table_and_number_of_a_variant_is_changed() -> None:
    found = {
        (m.where, m.new) for m in mutants_of_data(ROOT / "src" / "legation" / "variants" / "data" / "standard.toml")
    }
    assert {("rules.solo.centers", "17"), ("rules.solo.centers", "19"), ("rules.homes", "(gone)")} <= found
    assert ("rules.draw_by_vote", "(gone)") in found


def test_there_are_files_of_both_kinds() -> None:
    assert len(source_files()) > 30
    assert {path.suffix for path in data_files()} == {".toml", ".csv"}


def test_equivalent_mutants_have_a_reason() -> None:
    known = equivalent()
    assert known
    assert all(reason and (ROOT / path).parent.is_dir() for (path, *_), reason in known.items())


def test_only_a_mutant_that_survived_all_its_tests_counts_against_the_bar(capsys: pytest.CaptureFixture[str]) -> None:
    mutant = unchanged("src/legation/rules/mercy.py")
    noticed, survived, undecided = (
        Result(mutant, told, 1.0) for told in (Told("a test", 3), Told("", 900), Told("", 12, whole=False))
    )
    assert report([noticed, undecided, undecided], 0, bar=60) == 0
    assert "1 of     1  noticed: 100.0 %, 0 equivalent and 2 undecided ones aside" in capsys.readouterr().out
    assert report([noticed, survived, undecided], 0, bar=60) == 1
    assert report([undecided], 0, bar=60) == 0
