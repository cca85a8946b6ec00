"""``legation lint``: what is sound is said so, and what is not is told where it stands."""

import json
import shutil
from pathlib import Path

import pytest

from legation.variants.registry import DATA
from tests.cli.test_commands import refused, run


def own_variant(folder: Path, base: str = "hundred") -> Path:
    """A variant of one's own in a folder, with its board beside it."""
    shutil.copytree(Path(str(DATA)).parent / "boards" / base, folder / "mine")
    text = Path(str(DATA), f"{base}.toml").read_text().replace(f'board = "{base}"', 'board = "mine"')
    variant = folder / "own.toml"
    variant.write_text(text.replace(f'name = "{base}"', 'name = "own"'))
    return variant


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return own_variant(tmp_path)


def test_what_is_sound_is_said_so(own: Path) -> None:
    board = own.parent / "mine"
    for path in (own, board, board / "board.toml"):
        done = run("lint", str(path))
        assert done.returncode == 0, done.stderr
        assert done.stdout.endswith("no problems\n") and str(path).removesuffix("/board.toml") in done.stdout
    (board / "shapes.json").unlink()  # nothing that a picture could differ from
    assert run("lint", str(board)).returncode == 0
    assert "no problems" in run("lint", "hundred").stdout


def test_a_file_may_name_what_a_folder_makes_known(tmp_path: Path, own: Path) -> None:
    rules = own.parent / "rules"
    rules.mkdir()
    rules.joinpath("idle.py").write_text(
        'from legation.judge import Rule\n\n\nclass Idle(Rule):\n    """Nothing."""\n\n    key = "idle"\n'
    )
    text = 'title = "Mine"\nextends = "own"\n[rules.idle]\n'
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    file = elsewhere / "other.toml"
    file.write_text(text.replace('"own"', '"hundred"'))
    assert "no rule 'idle'" in run("lint", str(file)).stderr
    done = run("--variants", str(own.parent), "lint", str(file))
    assert (done.returncode, done.stderr) == (0, "")


def test_all_of_a_folder_is_told_at_once(own: Path) -> None:
    """A faulty file hides no other; boards that no variant uses are looked at, and rules that would have to be run
    are named."""
    folder = own.parent
    folder.joinpath("aaa.toml").write_text("x = [")
    folder.joinpath("bbb.toml").write_text('title = "B"\nextends = "hundred"\n[rules.idle]\n')
    folder.joinpath("rules").mkdir()
    folder.joinpath("loose").mkdir()
    folder.joinpath("loose", "board.toml").write_text('name = "loose"\n')
    done = run("lint", str(folder))
    assert done.returncode == 1
    assert f"{folder / 'mine'}: no problems" in done.stdout and f"{own}: " in done.stdout
    for told in (
        "aaa.toml: ",
        "bbb.toml: rules: no rule 'idle'",
        f"--variants {folder} lint",
        "loose: board.toml: needs",
    ):
        assert told in done.stderr, done.stderr


def test_what_is_no_board_is_told(own: Path) -> None:
    land = own.parent / "mine" / "land.csv"
    told = f"legation: {land}: give a board folder, a variant file, or a folder of such\n"
    assert run("lint", str(land)).stderr == told
    empty = own.parent / "empty"
    empty.mkdir()
    assert "board.toml: is missing" in run("lint", str(empty)).stderr


def test_a_picture_that_is_none_is_told_whatever_is_linted(own: Path) -> None:
    board = own.parent / "mine"
    (board / "shapes.json").write_text("{")
    for words in (["lint", str(own)], ["lint", str(board)], ["--variants", str(own), "lint", "own"]):
        told = refused(*words)
        assert told.startswith(f"legation: {board}: shapes.json: "), told


@pytest.mark.parametrize(
    "question, told",
    [
        ("def describe(self, rules):\n        return rules.nothing", "describe fails with AttributeError"),
        ("def describe(self, rules):\n        return 'one text'", "describe gives 'one text'"),
        ("def describe(self, rules):\n        return ('One text.',)", ""),
        ("def describe(self, rules):\n        return (1,)", "describe gives (1,); it gives sentences"),
        (
            "def news(self, rules, resolution):\n        return [1 / 0]",
            "news, line 9: 1425 Movement: news and notes fails",
        ),
        ("def settle(self, rules, position):\n        raise ValueError('lost')", "ValueError: lost"),
    ],
)
def test_rules_are_tried_before_they_are_called_sound(tmp_path: Path, question: str, told: str) -> None:
    tmp_path.joinpath("rules").mkdir()
    tmp_path.joinpath("rules", "odd.py").write_text(
        f'from legation.judge import Rule\n\n\nclass Odd(Rule):\n    """Odd."""\n\n    key = "odd"\n    {question}\n'
    )
    tmp_path.joinpath("mine.toml").write_text('title = "Mine"\nextends = "hundred"\n[rules.odd]\n')
    done = run("--variants", str(tmp_path), "lint", str(tmp_path / "mine.toml"))
    assert told in done.stderr and "Traceback" not in done.stderr
    assert ("rules.odd" in done.stderr) == (done.returncode != 0) == bool(told)


def test_a_board_that_cannot_be_drawn_is_told_in_a_line(tmp_path: Path) -> None:
    variant = own_variant(tmp_path, "standard")
    shapes = tmp_path / "mine" / "shapes.json"
    content = json.loads(shapes.read_text())
    del content["provinces"]["par"]
    shapes.write_text(json.dumps(content))
    assert run("lint", str(variant)).returncode == 1
    for words in (["map", str(variant), "-o", str(tmp_path / "x.svg")], ["site", str(variant), "-o", str(tmp_path)]):
        told = refused(*words)
        assert "cannot be drawn: the shapes lack par" in told
        assert len(told.splitlines()) == 1
