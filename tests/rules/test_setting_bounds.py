"""The least and the most that a setting can be: what is just inside is taken, what is just outside is refused with the
mend."""

from pathlib import Path

import msgspec
import pytest

from legation.board import Board
from legation.board.capitals import capitals, kingdom_faults
from legation.judge import Refusal, Situation, resolve
from legation.orders import Build, Sheet
from legation.position import Phase, Position, Turn
from legation.variants import load
from tests.rules.small_variant import HOMES, loaded, refused

SITES = HOMES + "[rules.special_sites]\nsites = { France = ['mar'] }\n[rules.special_sites.kinds]\n"
CHOSEN = "[rules.chosen_homes]\nfixed = 'Winter 1901'\n"
TAKEN = [
    HOMES + "[rules.defensive_army]\nstrength = 1\ncost = 1",
    HOMES + "[rules.defensive_army]\nstrength = 100\ncost = 100",
    HOMES + "[rules.solo]\ncenters = 1",
    HOMES + "[rules.solo]\ncenters = 34\npowers = { France = 1, Italy = 34 }",
    HOMES + "[rules.last_survivors]\ncount = 1",
    HOMES + "[rules.last_survivors]\ncount = 2",
    HOMES + "[rules.conversion]\nturns = 1",
    SITES + "mar = ['F']",
    CHOSEN + "forbidden = { France = ['bre'] }",
]

REFUSED = [
    (HOMES + "[rules.defensive_army]\nstrength = 0", "strength: must be from 1 to 100, not 0"),
    (HOMES + "[rules.defensive_army]\nstrength = 101", "strength: must be from 1 to 100, not 101"),
    (HOMES + "[rules.defensive_army]\ncost = 0", "cost: must be from 1 to 100, not 0"),
    (HOMES + "[rules.defensive_army]\ncost = 101", "cost: must be from 1 to 100, not 101"),
    (HOMES + "[rules.solo]\ncenters = 0", "centers: 0 isn't a mark on a board of 34 centers"),
    (HOMES + "[rules.solo]\ncenters = 35", "centers: 35 isn't a mark on a board of 34 centers"),
    (HOMES + "[rules.solo]\ncenters = 9\npowers = { Italy = 35 }", "35 isn't a mark on a board of 34 centers"),
    (HOMES + "[rules.solo]\ncenters = 9\npowers = { Itly = 3 }", "powers: there is no power 'Itly'"),
    (HOMES + "[rules.last_survivors]\ncount = 0", "count: must be from 1 to 2, fewer than the powers, not 0"),
    (HOMES + "[rules.last_survivors]\ncount = 3", "count: must be from 1 to 2, fewer than the powers, not 3"),
    (HOMES + "[rules.conversion]\nturns = 0", "turns must be at least 1, not 0"),
    (HOMES + "[rules.special_sites]\nsites = { Franc = ['mar'] }", "sites: there is no power 'Franc'"),
    (HOMES + "[rules.special_sites]\nsites = { France = ['bur'] }", "'bur' isn't a supply center"),
    (HOMES + "[rules.special_sites]\nsites = { France = ['mrs'] }", "'mrs' isn't a supply center"),
    (SITES + "bre = ['F']", "kinds: 'bre' is not among the sites"),
    (SITES + "mar = ['X']", "kinds: 'X' isn't a kind of unit here"),
    (SITES + "mar = []", "kinds: nothing may be built in 'mar'; leave it out of the sites"),
    (HOMES + "[rules.year_limit]\nlast = 'Winter'", "last"),
    (
        HOMES + "[rules.year_limit]\nlast = 'Summer 1902 Movement'",
        "year_limit: last: Summer 1902 Movement is not in the calendar",
    ),
    (CHOSEN + "forbidden = { Frnce = ['bre'] }", "there is no power 'Frnce'"),
    (CHOSEN + "forbidden = { France = ['rom'] }", "'rom' isn't a home of France"),
    (CHOSEN + "forbidden = { Italy = ['rom'] }", "Italy has no homes to choose from"),
    ("[rules.chosen_homes]\nfixed = 'winter 1901'", "fixed: write 'Winter 1901', not 'winter 1901'"),
    ("[rules.chosen_homes]\nfixed = 'Winter'", "fixed: names the turn whose adjustments fix the homes"),
    ("[rules.build_anywhere]\n[rules.build_anywheres]", "no rule 'build_anywheres'"),
    ("[rules.solo]\ncenters = 9", "no rule answers"),
    (HOMES + "[rules.solo_with_capitals]\ncenters = 5", "no province of the board is a capital"),
    (HOMES + "[rules.draw_between_kingdoms]\nkingdoms = ['France']", "'France' has no capital on this board"),
    (HOMES + "[rules.solo_with_capitals]", "rules.solo_with_capitals: needs 'centers', a whole number"),
    (HOMES + "[rules.supply_transfers]", "did you mean 'supply_transfer'?"),
    (HOMES + "[rules.mercy]\nunits = 2", "unknown key 'units'; this takes no settings"),
]


@pytest.mark.parametrize("rule", TAKEN)
def test_a_setting_just_inside_its_bounds_is_taken(tmp_path: Path, rule: str) -> None:
    assert loaded(tmp_path, rule).opening().units


@pytest.mark.parametrize(("rule", "fault"), REFUSED)
def test_a_setting_just_outside_its_bounds_is_refused(tmp_path: Path, rule: str, fault: str) -> None:
    assert fault in refused(tmp_path, rule)


KINGDOMS = """
title = "Two of three"
board = "three-kingdoms"
rules_of = "three-kingdoms"
[rules.solo_with_capitals]
centers = {rule}
kingdoms = ["England", "Scotland"]
[[powers]]
name = "Crown"
centers = ["london", "edinb"]
units = ["A london", "F edinb"]
[[powers]]
name = "Newcastle"
centers = ["york", "glasg"]
units = ["F york", "A glasg"]
"""


@pytest.mark.parametrize(("centers", "taken"), [(0, False), (1, True), (109, True), (110, False)])
def test_the_mark_of_a_victory_with_capitals(tmp_path: Path, centers: int, taken: bool) -> None:
    if not taken:
        assert f"{centers} isn't a mark on a board of 109 centers" in refused(tmp_path, str(centers), KINGDOMS)
        return
    rules = loaded(tmp_path, str(centers), KINGDOMS)
    [said] = [" ".join(m.describe(rules)) for m in rules.modules if m.key == "solo_with_capitals"]
    assert "Edinburgh" in said and "London" in said and "Dublin" not in said


def test_a_kingdom_without_capitals_is_told_beside_a_mark_that_cannot_be(tmp_path: Path) -> None:
    told = refused(tmp_path, "0", KINGDOMS.replace('"Scotland"', '"Wales"'))
    assert "0 isn't a mark on a board of 109 centers" in told
    assert "kingdom 'Wales' has no capital on this board" in told


def test_kingdoms_are_named_or_left_out_and_their_capitals_are_centers() -> None:
    board = load("three-kingdoms").board
    assert kingdom_faults(board, None) == kingdom_faults(board, ["England"]) == []
    assert kingdom_faults(board, []) == ["kingdoms: names at least one region, or is left out"]
    [capital, *_] = capitals(board, ["England"])["England"]
    plain = msgspec.structs.replace(board.provinces[capital], center=False)
    changed = Board(board.name, board.title, {**board.provinces, capital: plain}.values(), board.borders)
    assert kingdom_faults(changed, None) == [f"the capital {capital!r} isn't a supply center, so nobody can own it"]


def test_capitals_of_kingdoms_that_do_not_count_are_not_needed(tmp_path: Path) -> None:
    rules = loaded(tmp_path, "2", KINGDOMS)
    position = msgspec.structs.replace(rules.opening(), turn=Turn("Autumn", 1642, Phase.MOVEMENT))
    ending = resolve(rules, position, []).ending
    assert ending is not None and ending.kind == "draw" and set(ending.powers) == {"Crown", "Newcastle"}


def test_only_what_may_be_built_at_a_special_site_is_built_there(tmp_path: Path) -> None:
    rule = SITES + "mar = ['F']"
    rules = loaded(tmp_path, rule)
    position = msgspec.structs.replace(
        rules.opening(), turn=Turn.parse("Winter 1901 Adjustments"), owners={"par": "France", "mar": "France"}
    )
    refused, built = (resolve(rules, position, (Sheet("France", (Build(kind, "mar"),)),)) for kind in "AF")
    assert refused.verdicts[0].explanation == "build A mar is illegal: only F may be built there"
    assert "F mar" in map(str, built.after.units)


def test_homes_are_taken_with_units_that_cost_one_center(tmp_path: Path) -> None:
    rules = loaded(tmp_path, "[rules.chosen_homes]\nfixed = 'Winter 1901'\n[rules.defensive_army]")
    placing = Situation(rules, Position(Turn.parse("Winter 1900 Placement")))
    assert placing.interpret("France", Build("D", "par")) == Refusal("a defensive army costs more than one center")
    assert placing.interpret("France", Build("A", "par")) == Build("A", "par")


def test_a_turn_of_the_last_year_may_come_after_the_end(tmp_path: Path) -> None:
    rules = loaded(tmp_path, HOMES + "[rules.year_limit]\nlast = 'Spring 1902 Movement'")
    [limit] = [module for module in rules.modules if module.key == "year_limit"]
    for turn, ended in (("Spring 1902 Movement", False), ("Winter 1902 Adjustments", True)):
        told = limit.refuses_turn(rules, Turn.parse(turn))
        assert told == (f"{turn} comes after Spring 1902 Movement, with which the game ends" if ended else None)


CALENDAR = """
title = "X"
board = "standard"
[rules.calendar]
{calendar}
[rules.homes]
{rule}
[[powers]]
name = "France"
homes = ["par", "bre"]
units = ["A par"]
"""
YEAR = 'first = "Spring 1901 Movement"\ncycle = ["Spring Movement", "Winter Adjustments"]'


@pytest.mark.parametrize(
    ("calendar", "fault"),
    [
        ('first = "Spring 1901 Movement"\ncycle = []', "cycle: lists the phases, as in 'Spring Movement'"),
        (f"{YEAR}\nyears = 0", "years: a cycle takes at least 1 year, not 0"),
        (f"{YEAR}\n[rules.calendar.named.plain]\n{YEAR}", "named: 'plain' is the calendar itself; give the other one"),
        (YEAR.replace("Spring 1901", "Fall 1901"), "first: 'Fall 1901 Movement' is not in the cycle"),
    ],
)
def test_a_calendar_that_cannot_run_is_refused(tmp_path: Path, calendar: str, fault: str) -> None:
    assert fault in refused(tmp_path, "", CALENDAR.replace("{calendar}", calendar))


@pytest.mark.parametrize(
    ("exchange", "fault"),
    [
        ('power = "France", replace = "A par", with = "F par"', "'F par' cannot stand there"),
        ('power = "France", replace = "A bre", with = "F bre"', "France has no A bre at the start"),
        ('power = "Frnce", replace = "A par", with = "A bre"', "there is no power 'Frnce'"),
        ('power = "France", replace = "A par", with = "A mar"', "mar, for 'A mar', is taken at the start"),
    ],
)
def test_a_choice_of_the_start_that_cannot_be_is_refused(tmp_path: Path, exchange: str, fault: str) -> None:
    choice = f"[rules.starting_choice.unit]\nusual = []\nother = [{{ {exchange} }}]"
    text = CALENDAR.replace("{calendar}", YEAR).replace('units = ["A par"]', 'units = ["A par", "A mar"]')
    assert fault in refused(tmp_path, choice, text)
