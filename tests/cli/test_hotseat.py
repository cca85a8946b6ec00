"""``legation play``: saving, resuming, and who is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from legation.cli.hotseat import collect
from legation.position import Position, Turn, Unit
from legation.variants import load
from tests.cli.test_commands import run


def test_a_game_is_saved_from_its_opening_and_resumed_as_itself(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    assert "--resume" in run("play", "hundred3", "--save", str(saved), given="quit\n").stdout
    assert json.loads(saved.read_text())["turns"] == []
    assert "is there already" in run("play", "hundred3", "--save", str(saved)).stderr
    assert "is a game of hundred3, not of 1897" in run("play", "1897", "--resume", str(saved)).stderr
    assert "are fixed" in run("play", "hundred3", "--resume", str(saved), "--seed", "x").stderr
    assert run("play", "hundred3", "--resume", str(saved), given="quit\n").returncode == 0
    assert run("play", "hundred3", "--save", str(tmp_path / "no" / "game.json")).returncode == 1


def test_every_survivor_is_asked_in_movement(monkeypatch: pytest.MonkeyPatch) -> None:
    """A power in anarchy gives no orders but may agree to a draw (K-12a)."""
    asked: list[str] = []

    def prompt(text: str, **_: object) -> str:
        asked.append(text.strip())
        return ""

    monkeypatch.setattr("typer.prompt", prompt)
    rules = load("1000ad")
    units = (Unit("A", "maa", "Franks"), Unit("A", "lon", "British"))
    owners = {"maa": "Franks", "lon": "British", "par": "British"}
    slices = {"anarchy": {"anarchy": ["Franks"], "grace": []}}
    position = Position(Turn.parse("Fall 1004 Movement"), units, owners=owners, slices=slices)
    collect(rules, position, frozenset(rules.powers))
    assert asked == ["British", "Franks"]


def test_another_powers_unit_is_remarked_as_what_it_is() -> None:
    done = run("play", "three-kingdoms", given="A carlis - allerd\nquit\n")
    assert "A carlis - allerd  (if Cumberland places it under Crown's orders)" in done.stdout


def test_one_plays_against_the_machine(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    done = run(
        "play", "hundred3", "--me", "English", "--seed", "x", "--save", str(saved), given="F lon - nth\n\n\nquit\n"
    )
    assert "1425 Movement: England" in done.stdout
    assert "Movement: France" not in done.stdout
    orders = json.loads(saved.read_text())["turns"][0]["orders"]
    assert orders["England"] == ["F lon - nth"]
    assert len(orders["France"]) >= 4
    assert run("replay", str(saved)).returncode == 0
    assert "did you mean France?" in run("play", "hundred3", "--me", "Frence").stderr
    assert "did you mean 'dumbbot'?" in run("play", "hundred3", "--me", "France", "--bot", "dumbot").stderr


def test_the_bot_is_chosen(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    given = "F lon - nth\n\nquit\n"
    run("play", "hundred3", "--me", "England", "--bot", "hold", "--seed", "x", "--save", str(saved), given=given)
    orders = json.loads(saved.read_text())["turns"][0]["orders"]
    assert all(order.endswith(" H") for order in orders["France"] + orders["Burgundy"])


def test_a_later_order_replaces_the_earlier_and_says_so(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    given = "F lon - nth\nLondon - ech\nall others hold\n\nquit\n"
    done = run("play", "hundred3", "--me", "England", "--bot", "hold", "--seed", "x", "--save", str(saved), given=given)
    assert "lon - ech  (instead of F lon - nth)" in done.stdout
    orders = json.loads(saved.read_text())["turns"][0]["orders"]["England"]
    assert orders[0] == "lon - ech"
    assert len(orders) == 5


def test_help_has_examples_of_the_board_at_hand() -> None:
    done = run("play", "three-kingdoms", given="help\nA oxon - bucks\n\nquit\n")
    assert "A par - bur" not in done.stdout
    assert "no order for F bristl" in done.stdout
