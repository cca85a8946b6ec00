"""``legation play``: saving, resuming, and who is asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from legation.cli.hotseat import collect
from legation.position import Position, Turn, Unit
from legation.variants import load
from legation.variants.registry import DATA
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
    assert list(dict.fromkeys(asked)) == ["British", "Franks"]


def test_another_powers_unit_is_remarked_as_what_it_is(tmp_path: Path) -> None:
    save = ("--save", str(tmp_path / "game.json"))
    done = run("play", "three-kingdoms", *save, given="A carlis - allerd\nquit\n")
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
    given = "F lon - nth\n\n\nquit\n"
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


def test_help_has_examples_of_the_board_at_hand(tmp_path: Path) -> None:
    save = ("--save", str(tmp_path / "game.json"))
    done = run("play", "three-kingdoms", *save, given="help\nA oxon - bucks\n\n\nquit\n")
    assert "A par - bur" not in done.stdout
    assert "no order for F bristl" in done.stdout


def test_a_sheet_with_something_left_out_is_summed_up_and_closed_when_that_is_said_again(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    start = ("play", "hundred3", "--me", "England", "--bot", "hold", "--seed", "x", "--save", str(saved))
    done = run(*start, given="F lon - nth\n\nundo\norders\nF lon - ech\n\nF lon - nth\n\n\nquit\n")
    assert "press Enter again to close the sheet" in done.stdout and "no order for A" in done.stdout
    assert "nothing is on the sheet" in done.stdout
    assert "(instead of F lon - ech)" in done.stdout
    assert json.loads(saved.read_text())["turns"][0]["orders"]["England"] == ["F lon - nth"]


def test_undo_takes_back_line_by_line(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    start = ("play", "hundred3", "--me", "England", "--bot", "hold", "--seed", "x", "--save", str(saved))
    run(*start, given="F lon - nth\nF lon - ech\nundo\nclear\nundo\nundo\nundo\nF lon - wal\nundo\npass\nquit\n")
    assert json.loads(saved.read_text())["turns"][0]["orders"]["England"] == []


def test_nothing_typed_is_lost_when_a_game_without_a_file_stops(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "legation", "play"]

    def play(*words: str, given: str) -> str:
        done = subprocess.run([*command, *words], input=given, capture_output=True, text=True, cwd=tmp_path, check=True)
        return done.stdout

    assert "legation play --resume hundred3-game.json" in play("hundred3", given="A dij H\nquit\n")
    again = play("--resume", "hundred3-game.json", given="map\nquit\n")
    assert "written already: A dij H" in again and "hundred3-map.svg: open it in a browser" in again
    assert (tmp_path / "hundred3-map.svg").read_text().startswith("<svg")
    assert "hundred3-game-2.json" in play("hundred3", given="A dij H\n")
    assert "--resume" not in play("hundred3", given="quit\n")


def test_a_variant_or_a_saved_game_is_named() -> None:
    done = run("play")
    assert done.returncode == 2 and "--resume" in done.stderr


def test_in_the_fog_each_power_is_shown_what_it_sees(tmp_path: Path) -> None:
    text = (DATA / "standard.toml").read_text(encoding="utf-8")
    (tmp_path / "fog.toml").write_text(
        text.replace('name = "standard"\n', "").replace("[rules.homes]", "[rules.homes]\n\n[rules.fog_of_war]")
    )
    given = "units\n? \npass\n" + "pass\n" * 6 + "quit\n"
    saved = tmp_path / "game.json"
    done = run("play", str(tmp_path / "fog.toml"), "--save", str(saved), given=given)
    first = done.stdout.split("Spring 1901 Movement: England")[0]
    assert "Austria: A bud" in first and "England: " not in first and "lon" not in first
    later = done.stdout.split("Fall 1901 Movement: Austria")[0].rpartition("Spring 1901 Movement: Turkey")[2]
    assert "Army Budapest holds" in later and "London" not in later
    fog = ("--variants", str(tmp_path / "fog.toml"))
    for power, told in (("Austria", False), ("England", True)):
        picture = tmp_path / f"{power}.svg"
        done = run(*fog, "map", str(saved), "-o", str(picture), "--turn", "now", "--power", power)
        assert done.returncode == 0, done.stderr
        assert ("army of England, Liverpool" in picture.read_text()) is told


def test_a_variant_is_linted_by_its_name() -> None:
    assert "no finding" in run("lint", "hundred").stdout
    assert "did you mean" in run("lint", "hundret").stderr
