"""Variant files: what is read, what is refused, and that nothing else knows them by name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from legation.game import Game
from legation.orders import Convert, Sheet
from legation.position import Phase, Turn, Unit
from legation.variants import VariantError, find_boards, load, names
from tests.rules.test_random_games import play

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "legation"


def test_nothing_outside_the_variants_knows_one_by_name() -> None:
    known = {*names(), *find_boards()}
    found = []
    for path in SOURCE.rglob("*.py"):
        if path.is_relative_to(SOURCE / "variants"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found += [
            f"{path.relative_to(SOURCE)}:{node.lineno}: {node.value!r}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and node.value in known
        ]
    assert found == []


@pytest.mark.parametrize("name", names())
def test_every_variant_loads_and_opens(name: str) -> None:
    rules = load(name)
    opening = rules.opening()
    assert opening.turn == rules.first_turn()
    assert set(opening.owners) <= set(rules.board.centers)


def test_the_documented_variant_is_read(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "variants.md").read_text(encoding="utf-8")
    for number, block in enumerate(text.split("```toml\n")[1:]):
        path = tmp_path / f"example{number}.toml"
        path.write_text(block.partition("```")[0])
        rules = load(str(path))
        assert rules.opening().units
        for seed in range(3):
            play(rules, seed, 40)
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


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[rules.homes]", "[rules.hommes]", "did you mean 'homes'?"),
        ("[rules.homes]", "", "no rule answers"),
        ("[rules.homes]", "[rules.homes]\nx = 1", "rules.homes"),
        ("[rules.homes]", "[rules.homes]\n[rules.build_anywhere]", ""),
        ('homes = ["lon"]', 'homes = ["lond"]', "no province 'lond'"),
        ('homes = ["lon"]', 'homes = ["wal"]', "is no supply center"),
        ('units = ["F lon"]', 'units = ["F par"]', "cannot stand there"),
        ('units = ["F lon"]', 'units = ["F lon", "A lon"]', "is already England's"),
        ('title = "X"', 'title = "X"\ncolour = 1', "unknown key 'colour'"),
        ('board = "standard"', 'board = "nowhere"', "there is no board 'nowhere'"),
        ('first = "Spring 1901 Movement"', 'first = "soon"', "Season Year Phase"),
        ('name = "x"', "name = ", "x.toml"),
    ],
)
def test_faults_are_told_with_their_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(VARIANT.replace(old, new))
    if not message:
        load(str(path))  # build_anywhere says that it replaces homes
        return
    with pytest.raises(VariantError) as caught:
        load(str(path))
    assert message in str(caught.value)


def test_a_missing_variant_is_told_with_the_nearest() -> None:
    with pytest.raises(VariantError, match="did you mean 'hundred'"):
        load("hundrd")
