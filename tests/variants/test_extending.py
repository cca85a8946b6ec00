"""A variant says only what is different from the one that it extends."""

from pathlib import Path

import pytest

from legation.variants import Registry, VariantError, findings, load
from tests.cli.test_commands import run

FLEET_ROME = """
title = "Fleet Rome"
extends = "standard"
[[powers]]
name = "Italy"
units = ["F rom", "A ven", "F nap"]
"""


def registry(folder: Path, **files: str) -> Registry:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return Registry(folder, installed=False)


def faults(folder: Path, name: str, **files: str) -> list[str]:
    with pytest.raises(VariantError) as caught:
        registry(folder, **files).load(name)
    return caught.value.faults


def test_fleet_rome_takes_five_lines(tmp_path: Path) -> None:
    rules, standard = registry(tmp_path, fleet_rome=FLEET_ROME).load("fleet_rome"), load("standard")
    assert len(FLEET_ROME.strip().splitlines()) == 5
    mine = {str(u) for u in rules.start if u.power == "Italy"}
    assert mine == {"F rom", "A ven", "F nap"}
    assert {u for u in rules.start if u.power != "Italy"} == {u for u in standard.start if u.power != "Italy"}
    assert list(rules.powers) == list(standard.powers)
    assert rules.start_owners == standard.start_owners and rules.options == standard.options
    assert [m.key for m in rules.modules] == [m.key for m in standard.modules]
    assert (rules.title, rules.first_turn()) == ("Fleet Rome", standard.first_turn())


def test_dates_rules_powers_and_options_are_changed_one_by_one(tmp_path: Path) -> None:
    text = """
title = "Six Powers"
extends = "fleet_rome"
without = ["Turkey", "draw_by_vote"]
[rules.calendar]
first = "Spring 1914 Movement"
[rules.solo]
centers = 20
[rules.mercy]
[options]
waiving = false
[[powers]]
name = "Sultan"
homes = ["con", "ank"]
units = ["F con"]
"""
    rules = registry(tmp_path, fleet_rome=FLEET_ROME, six=text).load("six")
    assert str(rules.first_turn()) == "Spring 1914 Movement"
    assert str(rules.next_turn(rules.first_turn())) == "Spring 1914 Retreats"  # the cycle is the other's
    assert list(rules.powers) == ["Austria", "England", "France", "Germany", "Italy", "Russia", "Sultan"]
    assert {str(u) for u in rules.start if u.power == "Italy"} == {"F rom", "A ven", "F nap"}
    assert {m.key for m in rules.modules} == {m.key for m in load("standard").modules} - {"draw_by_vote"} | {"mercy"}
    assert rules.options["waiving"] is False
    assert next(m for m in rules.modules if m.key == "solo").settings["centers"] == 20


def test_what_cannot_be_extended_is_told(tmp_path: Path) -> None:
    head = 'title = "X"\n'
    assert faults(tmp_path, "x", x=f'{head}extends = "standrad"\n') == [
        "x.toml: unknown variant 'standrad'; did you mean 'standard'?"
    ]
    assert "extends: names one variant" in faults(tmp_path, "x", x=f"{head}extends = 5\n")[0]
    assert "leave one of the two out" in faults(tmp_path, "x", x=f'{head}extends = "standard"\nrules_of = "hundred"')[0]
    assert faults(tmp_path, "x", x=f'{head}extends = "standard"\nwithout = ["Torkey"]') == [
        "x.toml: without: there is neither a power nor a rule 'Torkey'"
    ]
    assert "without: lists" in faults(tmp_path, "x", x=f'{head}extends = "standard"\nwithout = "Turkey"')[0]
    circle = faults(tmp_path, "x", x=f'{head}extends = "y"\n', y=f'{head}extends = "x"\n')
    assert "is extended by this one" in circle[0]
    assert "needs 'title'" in faults(tmp_path, "x", x='extends = "standard"\n')[0]
    wrong = faults(tmp_path, "x", x=f'{head}extends = "standard"\nrules = 3\noptions = []\npowers = "Italy"\n')
    assert any("rules: must be a table" in fault for fault in wrong)
    wrong = faults(tmp_path, "x", x=f'{head}extends = "standard"\npowers = ["Italy"]\nwithout = ["Turkey"]\n')
    assert any("powers[0]: must be a table" in fault for fault in wrong)


@pytest.mark.parametrize("taken", ['extends = "y"', 'rules_of = "y"\nboard = "standard"'])
@pytest.mark.parametrize(
    ("other", "told"),
    [
        ("rules = 3", "the variant 'y': rules: must be a table, not 3"),
        ("rules = {basic = 3}", "the variant 'y': rules.basic: must be a table, not 3"),
        ("options = [1]", "the variant 'y': options: must be a table, not [1]"),
        ("powers = [3]", "the variant 'y': powers[0]: must be a table, not 3"),
        ("powers = [{}, {name = [1]}]", ""),
    ],
)
def test_faults_of_the_other_variant_are_told_too(tmp_path: Path, taken: str, other: str, told: str) -> None:
    own = f'title = "X"\n{taken}\n[[powers]]\nname = ["Italy"]\n'
    found = faults(tmp_path, "x", x=own, y=f'title = "Y"\nboard = "standard"\n{other}\n')
    assert all(fault.startswith("x.toml: ") for fault in found) and told in "\n".join(found)


def test_one_power_is_a_finding(tmp_path: Path) -> None:
    text = 'title = "X"\nboard = "standard"\nrules_of = "standard"\n[[powers]]\nname = "France"\nhomes = ["par"]\n'
    rules = registry(tmp_path, x=text).load("x")
    assert findings(rules) == ["powers: there is only one; a game needs at least two [[powers]]"]
    assert findings(load("standard")) == []
    done = run("lint", str(tmp_path / "x.toml"))
    assert done.returncode == 1 and "x.toml: powers: there is only one" in done.stderr


RULE = """
from __future__ import annotations
from collections.abc import Sequence
from legation.judge import Rule


class Odd(Rule):
    key = "odd"

    def __init__(self, {parameter}) -> None:
        pass
"""


@pytest.mark.parametrize(
    ("parameter", "told"),
    [
        ("names: Sequence[str] = ()", "odd.py:10: names is of the type Sequence[str], which no file can give"),
        ("names: tuple[str, ...] = ()", "names is of the type tuple[str, ...]"),
        ("names: list[set[int]]", "names is of the type list[set[int]]"),
        ("names: dict[int, str]", "names is of the type dict[int, str]"),
        ("names: Nowhere = 3", "odd.py:10: the type of a setting is not known (name 'Nowhere' is not defined)"),
        ("names=3", "odd.py:10: names says no type"),
    ],
)
def test_a_setting_that_no_file_can_give_is_told_with_its_place(tmp_path: Path, parameter: str, told: str) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "odd.py").write_text(RULE.format(parameter=parameter), encoding="utf-8")
    [fault] = faults(tmp_path, "x", x='title = "X"\nextends = "standard"\n[rules.odd]\n')
    assert fault.startswith("x.toml: rules.odd: ") and told in fault
    assert "a setting is str, int, bool, float" in fault or "not known" in fault
