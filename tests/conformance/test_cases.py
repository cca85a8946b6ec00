"""Every case file, and that the runner tells what does not hold."""

from functools import cache
from pathlib import Path

import pytest

from legation.conformance import Case, CaseFault, datc_table, find_cases, read_cases, run_case, tables
from legation.conformance.cases import CaseResult
from legation.judge.options import STANDARD_OPTIONS
from legation.variants import all_clauses, names
from tests.judge.shuffling import listing_shuffled

DATC_COUNTS = {"A": 12, "B": 19, "C": 9, "D": 35, "E": 15, "F": 30, "G": 20, "H": 17, "I": 7, "J": 12}


@cache
def all_cases() -> list[Case]:
    return [case for path in find_cases() for case in read_cases(path)]


@pytest.mark.parametrize("path", find_cases(), ids=lambda path: path.name.partition(".")[0])
def test_every_case_holds(path: Path) -> None:
    """Also with units, powers and sheets listed otherwise."""
    cases = [case for case in all_cases() if case.path == path]
    assert cases
    with listing_shuffled():
        assert [problem for case in cases for problem in run_case(case).problems] == []


def test_case_ids_are_unique() -> None:
    ids = [case.id for path in find_cases() for case in {c.id: c for c in read_cases(path)}.values()]
    assert sorted({i for i in ids if ids.count(i) > 1}) == []


def datc_numbers() -> list[str]:
    return [f"6.{section}.{number}" for section, count in DATC_COUNTS.items() for number in range(1, count + 1)]


def test_the_table_of_the_adjudicator_test_cases_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the cases are told to hold: whether they do is tested above."""
    monkeypatch.setattr(tables, "run_cases", lambda: [CaseResult(case, ()) for case in all_cases()])
    rows = datc_table()
    assert [row["id"] for row in rows] == datc_numbers()
    assert [row["id"] for row in rows if not row["passed"]] == []


def first_case(folder: Path, text: str) -> Case:
    path = folder / "some.cases.toml"
    head = '[shared]\nvariant = "standard"\n[[case]]\nid = "some case"\ntitle = "A case"\nclauses = ["STD-3"]\n'
    path.write_text(head + text, encoding="utf-8")
    return read_cases(path)[0]


BOUNCE = """
turn = "Spring 1901 Movement"
units = { France = ["A par"], Germany = ["A mun", "A ruh"] }
orders = { France = ["A par - bur"], Germany = ["A mun - bur", "A ruh S A mun - bur"] }
"""


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ('expect = { "A par - bur" = "succeeds" }', "A par - bur: expected succeeds, found bounced"),
        ('expect = { "A mun - bur" = "bounced" }', "A mun - bur: expected bounced, found succeeds"),
        ('expect = { "A par - bur" = "bounced dislodged" }', "expected dislodged, found not dislodged"),
        ('expect = { "A pic - bur" = "bounced" }', "no verdict on 'A pic - bur'"),
        ('after = { France = ["A bur"] }', "France has: expected ['A bur'], found ['A par']"),
        ('gone = ["A par"]', "A par should be gone"),
        ('dislodged_to = { "A par" = ["pic"] }', "not dislodged"),
        ('owns = { France = ["par"] }', "France owns: expected ['par'], found []"),
        ('next = "Spring 1901 Retreats"', "expected Spring 1901 Retreats, found Fall 1901 Movement"),
        ('winner = "France"', "the winner: expected France, found None"),
        ('legal = { France = ["A par - lon"] }', "'A par - lon' should be legal for France"),
        ('not_legal = { France = ["A par - bur"] }', "'A par - bur' should not be legal for France"),
        ('fault = "no such thing"', "expected the fault 'no such thing', but the document was read"),
        (
            'facts = { no_borders = ["par - bur", "par - lon"] }',
            "expected ['par - bur', 'par - lon'], found ['par - lon']",
        ),
        ('read = { "Paris" = "A par - bur" }', "'Paris' reads as: expected A par - bur, found "),
        (
            'unread = { "A xyz - bur" = "no power" }',
            "expected an error with 'no power', found 'A xyz - bur': 'xyz' isn't a place",
        ),
        (
            'facts = { names = { par = ["Paris", "Atlantis"] } }',
            "names: expected {'par': ['Paris', 'Atlantis']}, found",
        ),
        (
            'facts = { called = { France = ["French", "Gaul"] } }',
            "called: expected {'France': ['French', 'Gaul']}, found",
        ),
        ("facts = { moons = 1 }", "some case: facts: unknown key 'moons'"),
        ('expect = { "A par - bur" = "falters" }', "'falters' isn't an outcome; known are bounced, "),
        ("facts = { provinces = 74 }", "provinces: expected 74, found 75"),
        ('reach = { "A por" = ["gas"] }', "A por reaches: expected ['gas'], found ['spa']"),
        ('read = { "Paris" = "bur" }', "'Paris' reads as: expected bur, found par"),
        ('unread = { "A par - bur" = "no place" }', "'A par - bur' was read as A par - bur"),
    ],
)
def test_the_runner_says_what_does_not_hold(tmp_path: Path, stated: str, told: str) -> None:
    problems = run_case(first_case(tmp_path, BOUNCE + stated)).problems
    assert len(problems) == 1
    assert told in problems[0]


def test_a_case_is_read_once_for_each_variant_that_it_names(tmp_path: Path) -> None:
    path = tmp_path / "some.cases.toml"
    head = '[[case]]\nid = "some case"\ntitle = "A case"\nclauses = ["STD-3"]\n'
    path.write_text(head + 'variant = ["standard", "1897", "own.toml"]\nfacts = { provinces = 75 }', encoding="utf-8")
    cases = read_cases(path)
    assert [case.variant for case in cases] == ["standard", "1897", "own.toml"]
    assert [case.shipped for case in cases] == [True, True, False]
    assert [case.name for case in cases] == ["some case", "some case", "some case (on own)"]
    assert [run_case(case).passed for case in cases] == [True, True, False]  # there is no own.toml


def test_a_unit_is_dislodged_in_movement_only(tmp_path: Path) -> None:
    text = (
        'turn = "Winter 1901 Adjustments"\nunits = {}\n'
        'centers = { France = ["par"] }\norders = { France = ["build A par"] }\n'
    )
    case = first_case(tmp_path, text + 'expect = { "build A par" = "succeeds dislodged" }')
    assert run_case(case).problems == ("some case: build A par: a unit is dislodged in movement only",)


def test_the_runner_follows_a_case_over_several_turns(tmp_path: Path) -> None:
    text = BOUNCE + 'next = "Fall 1901 Movement"\n[[case.then]]\norders = { France = ["A par - bur"] }\n'
    assert run_case(first_case(tmp_path, text + 'after = { France = ["A par"] }')).problems == ()
    problems = run_case(first_case(tmp_path, text + 'after = { France = ["A bur"] }')).problems
    assert problems == ("turn 2: France has: expected ['A bur'], found ['A par']",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BOUNCE, "states nothing that could fail"),
        ("variant = []\nfacts = { provinces = 75 }", "needs 'variant'"),
        ('variant = ["standard", "standard"]\nfacts = { provinces = 75 }', "a list of different ones"),
        (BOUNCE + 'winer = "France"', "unknown key 'winer'"),
        ('facts = { provinces = 75 }\n[[case.then]]\nfate = "x"', "turn 2: unknown key 'fate'"),
        ("facts = { provinces = 75 }\n[[case.then]]\noptions = { waiving = true }", "turn 2: unknown key 'options'"),
        (BOUNCE + "expect = {}", "'expect' is empty, which states nothing"),
        (BOUNCE + 'next = "Fall 1901 Movement"\n[[case.then]]\ngone = []', "'gone' is empty, which states nothing"),
        ('facts = { power = "France" }', "facts: 'power' says who writes"),
        ("facts = {", "some.cases.toml"),
        ('winner = "France"\n[[cases]]', "unknown key 'cases'; a case file has [[case]] and [shared]"),
    ],
)
def test_a_faulty_case_file_is_refused(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(CaseFault, match=r"some\.cases\.toml") as caught:
        first_case(tmp_path, text)
    assert told in str(caught.value)


def test_what_was_not_understood_is_passed_over_where_a_verdict_is_sought(tmp_path: Path) -> None:
    text = BOUNCE.replace('"A par - bur"]', '"A par - Orleens", "A Paris - Burgundy"]')
    assert run_case(first_case(tmp_path, text + 'expect = { "A par - bur/nc" = "bounced" }')).problems == ()


def test_a_case_has_an_id_a_title_and_clauses(tmp_path: Path) -> None:
    path = tmp_path / "some.cases.toml"
    path.write_text('[[case]]\nid = "x"\ntitle = "X"\nclauses = []\nvariant = "standard"\n' + BOUNCE)
    with pytest.raises(CaseFault, match="needs 'clauses'"):
        read_cases(path)


def test_every_reading_of_every_standard_option_is_tried() -> None:
    wanted = {(option.name, reading) for option in STANDARD_OPTIONS for reading in option.readings[1:]}
    tried = {(name, reading) for case in all_cases() for name, reading in case.body.get("options", {}).items()}
    assert sorted(map(str, wanted - tried)) == []


def test_every_clause_is_well_formed_and_known() -> None:
    clauses = all_clauses()
    ids = [clause.id for clause in clauses]
    assert len(ids) == len(set(ids))
    assert [clause.id for clause in clauses if not clause.summary.endswith(".")] == []
    assert {variant for clause in clauses for variant in clause.variants} == set(names())
    known = {f"DATC {number}" for number in datc_numbers()} | set(ids)
    assert sorted({clause for case in all_cases() for clause in case.clauses} - known) == []
