"""Variant files: what is read, what is refused, and that nothing else knows them by name."""

import ast
import re
from pathlib import Path

import pytest

from legation.formats import LARGEST_TEXT
from legation.game import Game
from legation.orders import Sheet
from legation.position import Phase, Turn, Unit
from legation.rules.conversion import Convert
from legation.variants import Registry, VariantError, find_boards, load_file, names
from tests.rules.test_random_games import play

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "legation"


def test_nothing_outside_the_variants_knows_one_by_name() -> None:
    known = {*names(), *find_boards()}
    quoted = re.compile(f"['\"](?:{'|'.join(map(re.escape, known))})['\"]")
    found = []
    for path in SOURCE.rglob("*.py"):
        if path.is_relative_to(SOURCE / "variants"):
            continue
        text = path.read_text(encoding="utf-8")
        if not quoted.search(text):
            continue  # to parse a file takes a hundred times as long
        tree = ast.parse(text)
        schedules = {  # the office's schedules may be called as a variant is
            id(value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Dict)
            for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant) and key.value == "schedule"
        }
        found += [
            f"{path.relative_to(SOURCE)}:{node.lineno}: {node.value!r}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and node.value in known and id(node) not in schedules
        ]
    assert found == []


def test_the_documented_variant_is_read() -> None:
    variants = Registry()
    rules = variants.load(variants.add_file(ROOT / "docs" / "examples" / "long-year.toml"))
    assert rules.opening().units
    for seed in range(3):
        play(rules, seed, 40, variants)
    game = Game(rules)
    for _ in range(2):
        game.play([Sheet("France", (Convert("F", "bre", "A"),))])
    assert Unit("A", "bre", "France") in game.position.units
    assert game.position.turn == Turn("Autumn", 1901, Phase.MOVEMENT)


VARIANT = """
name = "x"
title = "X"
board = "standard"
[rules.calendar]
first = "Spring 1901 Movement"
cycle = ["Spring Movement", "Spring Retreats", "Winter Adjustments"]
[rules.homes]
[[powers]]
name = "England"
homes = ["lon"]
units = ["F lon"]
"""
CYCLE = 'cycle = ["Spring Movement", "Spring Retreats", "Winter Adjustments"]'
HOMES = 'homes = ["lon"]'
RULES = "[rules.homes]"
POWER = '[[powers]]\nname = "England"\nhomes = ["lon"]\n'
CHOICE = "[rules.homes]\n[rules.starting_choice.fleet]\nhome = []\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (RULES, "", "no rule answers"),
        (RULES, RULES + "\n[rules.build_anywhere]", ""),
        ('homes = ["lon"]', 'homes = ["wal"]', "isn't a supply center"),
        ('units = ["F lon"]', 'units = ["F par"]', "cannot stand there"),
        ('units = ["F lon"]', 'units = ["F lon", "A lon"]', "is already England's"),
        ('board = "standard"', 'board = "nowhere"', "there is no board 'nowhere'"),
        ('first = "Spring 1901 Movement"', 'first = "soon"', "Season Year Phase"),
        ('name = "x"', "name = ", "x.toml"),
        ('name = "x"', 'name = "y"', "a variant is called what its file is called, not 'y'"),
        (RULES, RULES + "\n[options]\nwaving = true", "options: no option 'waving'; did you mean 'waiving'?"),
        (RULES, RULES + '\n[options]\nwaiving = "no"', "option 'waiving' is true or false, not 'no'"),
        ('title = "X"', 'title = "X"\nrules_of = "standrd"', "rules_of: unknown variant 'standrd'"),
        ("[[powers]]", POWER + "[[powers]]", "power England: another power has this name"),
        (
            "[[powers]]",
            POWER.replace("England", "Wales") + "[[powers]]",
            "power England: 'lon' already belongs to Wales",
        ),
        (HOMES, HOMES + '\nhomeland = "albion"', "homeland: no province of the board has the region 'albion'"),
        (RULES, RULES + "\nx = 1", "rules.homes: unknown key 'x'; this takes no settings"),
        # values of another type, each with its place and the mend
        ("[[powers]]", "[powers]", "powers: must be a list"),
        ('name = "England"', 'name = ""', "power 1: name: '' isn't a name"),
        ('name = "England"', 'name = "///"', "power ///: name: "),
        ('name = "England"', 'name = "Eng\\u0007land"', "has control characters"),
        ('title = "X"', "title = 3", 'title: must be a text, not 3 (a whole number); write "3", in quotes'),
        (HOMES, "homes = 5", "power England: homes: must be a list, not 5 (a whole number)"),
        (HOMES, "homes = [{}]", "power England: homes[0]: must be a text"),
        (HOMES, 'homes = "lon"', "power England: homes: must be a list, not a text ('lon'); write [\"lon\"]"),
        (HOMES, HOMES + '\naliases = "Reich"', 'write ["Reich"]'),
        (HOMES, HOMES + "\naliases = [1]", "aliases[0]: must be a text"),
        (HOMES, HOMES + "\nsince = 2001-01-01", "unknown key 'since'"),
        (HOMES, HOMES + "\ncolor = 2001-01-01", "must be a text, not 2001-01-01 (a date)"),
        ('units = ["F lon"]', "units = [1]", "units[0]: must be a text"),
        ('units = ["F lon"]', 'unit = ["F lon"]', "did you mean 'units'?"),
        (RULES, "[rules]\nhomes = 1", "rules.homes: must be a table"),
        # calendars
        (CYCLE, "cycle = [1]", "rules.calendar: cycle[0]: must be a text"),
        (CYCLE, CYCLE + "\nnamed = 3", "rules.calendar: named: must be a table"),
        (CYCLE, CYCLE + "\n[rules.calendar.named.judge]\nyears = 2", "rules.calendar: named.judge: needs 'cycle'"),
        (CYCLE, CYCLE.replace('"Spring Movement"', '"Spring Mowing"'), "'Spring Mowing' isn't a phase"),
        (CYCLE, CYCLE.replace('"Spring Movement"', '"Late Spring Movement"'), "'Late Spring Movement' isn't a phase"),
        (CYCLE, CYCLE.replace('"Winter Adjustments"', '"Spring Movement"'), "Spring 1901 Movement comes twice"),
        (
            CYCLE,
            CYCLE.replace('"Winter', '"ŉacht Movement", "Winter'),
            "'ʼNacht 1901 Movement' is read as 'ʼnacht 1901",
        ),
        (CYCLE, CYCLE + '\nopening = ["Winter 1950 Placement"]', "Spring 1901 Movement comes after Winter 1950"),
        ("Movement", "Adjustments", "has no Movement"),
        # what a module is told of powers, provinces, kingdoms and turns
        (RULES, RULES + '\n[rules.solo]\ncenters = "3"', "write 3, without quotes"),
        (RULES, RULES + "\n[rules.solo]\ncenters = 5\npowers = 5", "rules.solo: powers: must be a table"),
        (RULES, RULES + "\n[rules.solo_with_capitals]\ncenters = 5\nkingdoms = 5", "must be a list"),
        (RULES, RULES + "\n[rules.special_sites]\nsites = []", "rules.special_sites: sites: must be a table"),
        (RULES, RULES + '\n[rules.year_limit]\nlast = "Winter 1900 Adjustments"', "before the game opens"),
        (RULES, RULES + "\n[rules.starting_choice]\nfleet = {x = 1}", "fleet.x: must be a list"),
        (RULES, CHOICE, "needs at least two readings"),
        (RULES, CHOICE + "other = 'sea'", "'summary' is a text"),
        (RULES, CHOICE + "sea = [{power = 'England', replace = 'F lon'}]", "sea[0]: needs 'with'"),
    ],
)
def test_faults_are_told_with_their_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(VARIANT.replace(old, new))
    if not message:
        load_file(path)  # build_anywhere says that it replaces homes
        return
    with pytest.raises(VariantError) as caught:
        load_file(path)
    assert message in str(caught.value)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    text = VARIANT.replace('homes = ["lon"]', 'homes = ["lond", 3]\ncolor = "red"').replace('title = "X"', "colour = 1")
    path.write_text(text.replace("[rules.homes]", "[rules.hommes]\n[rules.solo]\ncentres = 5\npowers = {England = []}"))
    with pytest.raises(VariantError) as caught:
        load_file(path)
    told = caught.value.faults
    assert all(fault.startswith("x.toml: ") for fault in told)
    for place in (
        "unknown key 'colour'",
        "needs 'title'",
        "rules: no rule 'hommes'; did you mean 'homes'?",
        "rules.solo: unknown key 'centres'; did you mean 'centers'?",
        "rules.solo: needs 'centers'",
        "rules.solo: powers.England: must be",
        "power England: homes: no province 'lond'",
        "power England: homes[1]: must be",
        "power England: color: is written '#rrggbb'",
    ):
        assert [fault for fault in told if fault.startswith(f"x.toml: {place}")], place
    assert len(told) == 9


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (VARIANT.replace('"X"', '"Größe"').encode("latin-1"), "x.toml: line 3 is not UTF-8"),
        (b"x = " + b"[" * 100_000, "nested too deeply"),
        (b"x = " + b"9" * 5000, "x.toml: "),
    ],
)
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(data)
    with pytest.raises(VariantError) as caught:
        load_file(path)
    assert message in str(caught.value)
    path.write_bytes(b"\xef\xbb\xbf" + VARIANT.encode())  # a mark of byte order is no fault
    assert load_file(path).title == "X"


@pytest.mark.parametrize("board", ["x" * 5000, "x\\u0000y", "..", "../standard"])
def test_a_board_that_no_folder_can_hold_is_a_fault(tmp_path: Path, board: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(VARIANT.replace('"standard"', f'"{board}"'))
    with pytest.raises(VariantError):
        load_file(path)


def test_more_powers_than_any_game_has_are_refused_before_they_are_read(tmp_path: Path) -> None:
    """20,000 in 50 kB took 18 s."""
    path = tmp_path / "many.toml"
    powers = "".join(f'[[powers]]\nname = "P{n}"\nhomes = [7]\n' for n in range(201))
    path.write_text(f'title = "Many"\nboard = "standard"\n{powers}', encoding="utf-8")
    with pytest.raises(VariantError) as caught:
        load_file(path)
    assert caught.value.faults == ["many.toml: powers: there are 201; a game has at most 200"]


def test_a_file_too_large_or_unreadable_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.toml"
    with path.open("wb") as file:
        file.truncate(LARGEST_TEXT + 1)
    with pytest.raises(VariantError, match=r"large\.toml: is larger than \d+ MB"):
        load_file(path)

    def refuse(self: Path, mode: str) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    path.write_text(VARIANT)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(VariantError, match=r"large\.toml: Permission denied"):
        load_file(path)
