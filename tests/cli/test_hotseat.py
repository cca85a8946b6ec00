"""``legation play``: saving, resuming, and who is asked."""

from __future__ import annotations

import json
import os
import pty
import select
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from legation.bots import BOTS
from legation.cli.hotseat import collect, play
from legation.game import Game, save_game
from legation.position import Position, Turn, Unit
from legation.variants import load
from legation.variants.registry import DATA
from tests.cli.test_commands import ROOT, run
from tests.cli.test_linting import own_variant


def test_a_game_is_saved_from_its_opening_and_resumed_as_itself(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    assert "--resume" in run("play", "hundred3", "--save", str(saved), given="quit\n").stdout
    assert json.loads(saved.read_text())["turns"] == []
    assert "already exists" in run("play", "hundred3", "--save", str(saved)).stderr
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


def test_another_powers_unit_is_remarked_and_help_has_examples_of_the_board_at_hand(tmp_path: Path) -> None:
    save = ("--save", str(tmp_path / "game.json"))
    done = run("play", "three-kingdoms", *save, given="A carlis - allerd\nquit\n")
    assert "A carlis - allerd  (if Cumberland places it under the Crown's orders)" in done.stdout
    save = ("--save", str(tmp_path / "other.json"))
    done = run("play", "three-kingdoms", *save, given="help\nA oxon - bucks\n\n\nquit\n")
    assert "A par - bur" not in done.stdout and "no order for F bristl" in done.stdout
    save = ("--save", str(tmp_path / "third.json"))
    told = run("play", "1000ad", *save, given="build A lon\nbuild A par\nquit\n").stdout
    assert "may place 9 in Aberdeen" in told and "build A lon  (" not in told
    assert "build A par  (as things stand: Paris isn't in the British homeland)" in told


def test_who_plays_by_hand_and_against_which_bot_stands_in_the_command_that_goes_on(tmp_path: Path) -> None:
    start = ("play", "hundred3", "--me", "English", "--bot", "hold", "--save", str(tmp_path / "game.json"))
    told = run(*start, given="quit\n").stdout.splitlines()[-1].partition("Continue with: legation ")[2]
    done = run(*shlex.split(told), given="F lon - nth\n\n\nquit\n")
    assert "1425 Movement: England" in done.stdout and "1425 Movement: Burgundy" not in done.stdout
    orders = json.loads((tmp_path / "game.json").read_text())["turns"][0]["orders"]
    assert orders["England"] == ["F lon - nth"]
    assert all(order.endswith(" H") for order in orders["France"] + orders["Burgundy"])
    run("play", "hundred3", "--me", "France", "--save", str(tmp_path / "usual.json"), given="pass\nquit\n")
    orders = json.loads((tmp_path / "usual.json").read_text())["turns"][0]["orders"]
    assert len(orders["England"]) >= 4 and not all(order.endswith(" H") for order in orders["England"])


@pytest.mark.parametrize(
    ("given", "told", "first", "count"),
    [
        ("F lon - nth|London - ech|all others hold|", ["lon - ech  (instead of F lon - nth)"], ["lon - ech"], 5),
        (
            "F lon - nth||undo|orders|F lon - ech||F lon - nth||",
            ["again to close the sheet", "no order for A", "nothing is on the sheet", "(instead of F lon - ech)"],
            ["F lon - nth"],
            1,
        ),
        ("F lon - nth|F lon - ech|undo|clear|undo|undo|undo|F lon - wal|undo|pass", [], [], 0),
    ],
    ids=["a later order replaces the earlier", "what is left out is summed up", "undo goes line by line"],
)
def test_a_sheet_is_changed_line_by_line(
    tmp_path: Path, given: str, told: list[str], first: list[str], count: int
) -> None:
    """England writes it, by hand against bots that hold."""
    start = (*"play hundred3 --me England --bot hold --seed x --save".split(), str(tmp_path / "game.json"))
    shown = run(*start, given=given.replace("|", "\n") + "\nquit\n").stdout
    sent = json.loads((tmp_path / "game.json").read_text())["turns"][0]["orders"]["England"]
    assert [words for words in told if words not in shown] == [] and (sent[:1], len(sent)) == (first, count)


@pytest.mark.long
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


def saved(path: Path, game: Game, **changes: object) -> str:
    path.write_text(json.dumps({**save_game(game), **changes}))
    return str(path)


def test_a_game_that_has_ended_is_not_gone_on_with() -> None:
    done = run("play", "--resume", str(ROOT / "examples" / "hundred.json"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "The game has ended. Burgundy has won: Burgundy reached 9 centers.\n"


def test_what_is_wrong_with_a_saved_game_is_told(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    told = run("play", "--resume", saved(path, Game("hundred3"), options={"waving": True})).stderr
    assert told.startswith(f"legation: {path}: ") and "did you mean 'waiving'?" in told
    assert run("play", "--resume", str(tmp_path)).stderr == f"legation: {tmp_path}: Is a directory\n"
    rules = "-".join(["0" * 8, *save_game(Game("hundred3"))["rules"].split("-")[1:]])
    done = run("play", "--resume", saved(path, Game("hundred3"), rules=rules), given="quit\n")
    assert "Note: the board has changed since this game was saved; it goes on by the present ones.\n" in done.stdout


def test_drafts_that_are_not_understood_are_told_and_the_others_stand(tmp_path: Path) -> None:
    drafts = {"Burgundy": ["A dij - cha", "A fla - nowhere"], "Nobody": ["A par H"]}
    path = saved(tmp_path / "game.json", Game("hundred3"), drafts=drafts)
    done = run("play", "--resume", path, given="quit\n")
    assert "Burgundy: 'A fla - nowhere': 'nowhere' isn't a place" in done.stdout
    assert "written already: A dij - cha\n" in done.stdout


def test_a_game_gone_on_with_may_be_kept_elsewhere(tmp_path: Path) -> None:
    path = saved(tmp_path / "game.json", Game("hundred3"))
    before = Path(path).read_text()
    run("play", "--resume", path, "--save", str(tmp_path / "other.json"), given="A dij - cha\nquit\n")
    assert Path(path).read_text() == before
    assert json.loads((tmp_path / "other.json").read_text())["drafts"] == {"Burgundy": ["A dij - cha"]}
    assert "already exists" in run("play", "--resume", path, "--save", str(tmp_path / "other.json")).stderr


def test_whoever_is_out_of_the_game_is_told_so(tmp_path: Path) -> None:
    units = (Unit("A", "par", "France"), Unit("A", "dij", "Burgundy"), Unit("F", "lon", "England"))
    opening = Position(Turn.parse("1430 Adjustments"), units, owners={"dij": "Burgundy", "lon": "England"})
    path = saved(tmp_path / "game.json", Game("hundred3", opening=opening))
    done = run("play", "--resume", path, "--me", "France", "--bot", "hold", given="remove A par\n\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("All your powers are eliminated; the game stops here.\n")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What France is shown in a position when it writes these lines."""

    def ask(position: Position, *lines: str) -> str:
        answers = iter(lines)
        monkeypatch.setattr("typer.prompt", lambda *_, **__: next(answers))
        collect(load("hundred3"), position, frozenset({"France"}))
        return capsys.readouterr().out

    return ask


def test_what_is_to_be_built_or_removed_is_summed_up(asked: Callable[..., str]) -> None:
    turn = Turn.parse("1430 Adjustments")
    unit, owner = Unit("A", "orl", "France"), {"par": "France", "tou": "France", "orl": "France"}
    told = asked(Position(turn, (unit,), owners=owner), "build A par", "", "")
    assert "    build A par\n    builds left: 1\n    Write on, or press Enter again" in told
    told = asked(Position(turn, (unit,), owners={}), "", "")
    assert "    nothing is on the sheet\n    removals due: 1\n" in told


def test_a_line_may_go_on_change_what_stands_or_ask_what_a_place_may_do(asked: Callable[..., str]) -> None:
    position = Position(Turn.parse("1425 Movement"), (Unit("A", "par", "France"), Unit("A", "tou", "France")))
    lines = "A par -|Orleanais|A tou H|make that A par - dij instead of A tou|undo|A par|orders|pass".split("|")
    told = asked(position, *lines)
    assert "say where it goes" in told and "    A par - orl\n    A tou H\n    A tou H is off the sheet\n" in told
    assert "    A par - dij  (instead of A par - orl)\n    A par - orl\n    A tou H\n" in told, "and taken back"
    assert "    A par - orl is off the sheet\n" in told and told.endswith("write H, -, S or C\n    A tou H\n")
    told = asked(position, "?Paris", "? Parks", "? Savoy", "pass")
    listed, _, rest = told.partition("    'Parks' isn't a place on this board; did you mean Paris (par)?\n")
    assert "A par H" in listed and "A tou H" not in listed and rest == "    none\n"


def test_the_map_is_drawn_of_a_variant_of_ones_own(tmp_path: Path) -> None:
    play = ("play", str(own_variant(tmp_path)), "--save")
    done = run(*play, str(tmp_path / "one.json"), given="map\nquit\n", cwd=tmp_path)
    assert "own-map.svg: open it in a browser" in done.stdout
    again = done.stdout.splitlines()[-1].partition("Continue with: legation ")[2].split()
    assert run(*again, given="quit\n").returncode == 0, "the variant is named, since only its file knows it"
    assert "1425 Movement: Burgundy" in (tmp_path / "own-map.svg").read_text()
    (tmp_path / "mine" / "shapes.json").unlink()
    done = run(*play, str(tmp_path / "two.json"), given="map\nA dij - cha\nquit\n", cwd=tmp_path)
    assert "the board 'hundred' has no shapes yet; grow them: python -m legation.atlas.grow " in done.stdout
    assert json.loads((tmp_path / "two.json").read_text())["drafts"] == {"Burgundy": ["A dij - cha"]}


def test_a_game_that_cannot_be_saved_is_offered_again_and_nothing_is_lost(tmp_path: Path) -> None:
    folder, away = tmp_path / "games", tmp_path / "away"
    folder.mkdir()
    words = ["play", "hundred3", "--me", "England", "--bot", "hold", "--save", str(folder / "game.json")]
    with Terminal(*words) as terminal:
        terminal.wait("England> ")
        folder.rename(away)
        terminal.write("pass\n")
        told = terminal.wait("Try to save it again? [Y/n]: ")
        assert "No such file or directory; the file is as it was before, and so is the game" in told
        away.rename(folder)
        terminal.write("\n")
        terminal.wait("1430 Movement: England")
        terminal.write("quit\n")
        terminal.wait("The game stops here.")
    assert len(json.loads((folder / "game.json").read_text())["turns"]) == 1


class Terminal:
    """The program at a terminal, as a person has it."""

    def __init__(self, *words: str) -> None:
        self.own, other = pty.openpty()
        around = {**os.environ, "COLUMNS": "100", "TERM": "xterm"}
        self.program = subprocess.Popen(
            [sys.executable, "-m", "legation", *words], stdin=other, stdout=other, stderr=other, env=around
        )
        os.close(other)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self.program.kill()
        assert self.program.wait(60) == 0 or kind is not None
        os.close(self.own)

    def write(self, text: str) -> None:
        os.write(self.own, text.encode())

    def wait(self, text: str) -> str:
        """What is shown up to a text that must come."""
        shown, last = "", time.monotonic() + 60
        while text not in shown:
            assert select.select([self.own], [], [], max(0.0, last - time.monotonic()))[0], shown
            shown += os.read(self.own, 4096).decode(errors="replace").replace("\r\n", "\n")
        return shown


def test_the_screen_is_handed_over_clean(tmp_path: Path) -> None:
    """The next power sits down at an empty screen, and only when it says that it is there."""
    with Terminal("play", "hundred3", "--save", str(tmp_path / "game.json")) as terminal:
        terminal.wait("Burgundy> ")
        terminal.write("A dij - cha\n")
        terminal.wait("Burgundy> ")
        terminal.write("pass\n")
        shown = terminal.wait("England is next; press Enter ")
        wiped, _, left = shown.rpartition("\x1b[2J\x1b[3J\x1b[H")
        assert wiped and left == "England is next; press Enter "
        terminal.write("\n")
        shown = terminal.wait("England> ")
        assert "1425 Movement: England" in shown and "dij" not in shown
        terminal.write("quit\n")
        terminal.wait("The game stops here.")


def test_a_bot_that_fails_loses_its_move_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("no such thing")

    def prompt(*_: object, **__: object) -> str:
        lines.append("pass")
        if len(lines) > 1:
            raise EOFError
        return "pass"

    lines: list[str] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(BOTS, "hold", fails)
    monkeypatch.setattr("typer.prompt", prompt)
    play("hundred3", seed="x", me=["England"], bot="hold")
    said = " ".join(capsys.readouterr().out.split())
    assert "France's bot lost its move, and its units hold: 1425 Movement: no such thing" in said
    assert "The bot hold lost moves: Burgundy 1 move, France 1 move." in said
