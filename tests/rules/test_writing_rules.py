"""What ``docs/writing-rules.md`` shows, word for word: a rule with an order of its own, outside the package, played and
drawn."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from legation.atlas import for_variant
from legation.game import Game, adjudicate, check_sheet, load_game, save_game
from legation.judge import legal_orders
from legation.notation import write
from legation.orders import SupportHold
from legation.variants import Registry, examples, load
from legation.web.turns import choice

DOCS = Path(__file__).parents[2] / "docs" / "writing-rules.md"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    text = DOCS.read_text(encoding="utf-8")
    blocks = {kind: re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL) for kind in ("python", "toml", "json")}
    assert [len(found) for found in blocks.values()] == [1, 1, 1]
    (tmp_path / "mine" / "rules").mkdir(parents=True)
    (tmp_path / "mine" / "rules" / "digging_in.py").write_text(blocks["python"][0])
    (tmp_path / "mine" / "trenches.toml").write_text(blocks["toml"][0])
    (tmp_path / "turn.json").write_text(blocks["json"][0])
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("legation_rules_of_mine")]:
        del sys.modules[name]


def test_the_rule_is_played(folder: Path) -> None:
    variants = Registry(folder / "mine")
    answer = adjudicate(msgspec.json.decode((folder / "turn.json").read_bytes()), variants)
    found = {v["order"]: v["outcome"] for v in answer["verdicts"]}
    assert found == {"A bur digs in": "succeeds", "A mun - bur": "bounced", "A ruh S A mun - bur": "succeeds"}
    rules = variants.load("trenches")
    assert "Dig in" in examples(rules) and "Dig in" not in examples(load("standard"))
    assert rules.reader.order("A mar S A par digs in") == SupportHold("A", "mar", "A", "par")
    position = rules.opening()
    legal = [write(order) for order in legal_orders(rules, position)["France"]]
    assert "A par digs in" in legal and "F bre digs in" not in legal
    check = check_sheet(rules, position, "France", "Army Paris digs in\nF bre digs in\nA mar dig up")
    assert [e.problem.message if e.problem else e.order for e in check.entries] == [
        "A par digs in",
        "only armies dig in",
        "say 'digs in'",
    ]
    offered = [choice(order) for order in legal_orders(rules, position)["France"]]
    assert ("own", "par", "", "", "A par digs in") in offered
    with pytest.raises(ValueError, match="A par digs in"):
        load("standard").reader.order("A par digs in")


def test_its_games_are_kept(folder: Path) -> None:
    variants = Registry(folder / "mine")
    game = Game(variants.load("trenches"))
    game.play([])
    saved = save_game(game)
    again = load_game(saved, variants)
    assert again.position == game.position and not again.warnings


def test_it_is_drawn(folder: Path) -> None:
    variants = Registry(folder / "mine")
    assert for_variant("trenches", variants)
    legation(folder, "map turn.json -o x.svg")
    svg = (folder / "x.svg").read_text()
    assert ">digs in</text>" in svg and ">holds</text>" not in svg


def legation(folder: Path, command: str) -> str:
    """What a command of the page prints."""
    words = [sys.executable, "-m", "legation", "--variants", "mine", *command.split()]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


def test_the_commands_run(folder: Path) -> None:
    assert "An army that digs in holds with a strength of 2." in legation(folder, "rules trenches")
    assert "digs in" in legation(folder, "adjudicate turn.json --text")
