"""The commands of the README and of the first pages of the manual, in an empty folder, one after the other as they
stand there."""

import json
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from legation.cli.app import app
from legation.cli.terminal import known_variants
from legation.game import Game, save_game
from tests.interop import toy

ROOT = Path(__file__).parents[2]
ELSEWHERE = ("lab", "verify", "conformance", "site")
"""Commands of the README that take long, or need an office's game; other tests run them."""
STEPS = "range(1000)"
"""How many steps a page's example takes of 64 games."""
TYPED = {"play": "pass\n" * 3 + "quit\n"}


def blocks(page: str, language: str = "") -> list[str]:
    """The blocks of a page in a language."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"^ *```(\S*)\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)
    return [block for named, block in found if named == language]


def follow(line: str) -> str:
    """Run a command as it stands in a shell, and return what it printed; it must succeed."""
    words = shlex.split(line)
    target = words[words.index(">") + 1] if ">" in words else ""
    given = words[1 : words.index(">")] if target else words[1:]
    known_variants.cache_clear()  # as in a process of its own
    typed = next((TYPED[word] for word in given if word in TYPED), "")
    done = CliRunner().invoke(app, given, input=typed)
    assert done.exit_code == 0, f"{line}: {done.output}"
    if target:
        Path(target).write_text(done.stdout)
    return done.output


ENTRY_POINTS = {"legation.boards"}
"""Groups of entry points that aren't modules, too."""


def stands(name: str) -> bool:
    """Whether a dotted name of the package is a module, or something in one."""
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


PAGES = ["README.md", "CONTRIBUTING.md", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md"))]


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_names_stands_in_the_package(page: str) -> None:
    named = set(re.findall(r"`(legation(?:\.\w+)+)`", (ROOT / page).read_text(encoding="utf-8")))
    assert [name for name in sorted(named - ENTRY_POINTS) if not stands(name)] == []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with a few sheets of orders, where commands run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets/france.txt").write_text("A par - orl\nA dau S A par - orl\n")
    (tmp_path / "sheets/second.txt").write_text("England:\nF lon - str\n")
    return tmp_path


def test_the_commands_of_the_readme(folder: Path) -> None:
    shutil.copy(folder / "sheets/france.txt", folder / "sheet.txt")
    shutil.copytree(ROOT / "docs/examples/lake", folder / "myboard")
    toy.write(folder / "toy", "jdip-zip").rename(folder / "sailho.zip")
    lines = [line for line in blocks("README.md")[1].splitlines() if line.split()[1] not in ELSEWHERE]
    assert len(lines) > 15
    for line in lines:
        command = re.split(r" {3,}", line)[0].replace("--format F", "--format text")
        if "turns.jsonl" in command:
            document = json.loads((folder / "turn.json").read_text())
            (folder / "turns.jsonl").write_text((json.dumps(document) + "\n") * 2)
        follow(command)
    made = {path.name for path in folder.iterdir()}
    assert {"turn.json", "turn2.json", "game.json", "map.svg", "turn.pdf", "variants"} <= made


def test_a_first_turn(folder: Path) -> None:
    for line in blocks("docs/first-turn.md")[1].splitlines():
        follow(line)
    (folder / "turn.json").write_text(blocks("docs/first-turn.md", "json")[0])
    assert "Army Paris moves to Orleanais" in follow(blocks("docs/first-turn.md")[2].strip())
    for line in blocks("docs/first-turn.md")[3].splitlines():
        follow(line)
    assert (folder / "now.svg").read_text().startswith("<svg")


def test_a_game_by_hand(folder: Path) -> None:
    text = (ROOT / "docs/by-hand.md").read_text(encoding="utf-8")
    (folder / "game.json").write_text(json.dumps(save_game(Game("hundred"))))
    (folder / "results.csv").write_text(next(block for block in blocks("docs/by-hand.md") if "round,board" in block))
    lines = re.findall(r"`(legation [^`]+)`|^   (legation .+)$", text, re.MULTILINE)
    for line in (told or blocked for told, blocked in lines):
        follow(line)
    assert lines
    assert json.loads((folder / "turn2.json").read_text())["turn"] == "1430 Movement"


def test_the_smallest_rule(folder: Path) -> None:
    text = (ROOT / "docs/writing-rules.md").read_text(encoding="utf-8").partition("## The smallest rule")[2]
    (folder / "mine/rules").mkdir(parents=True)
    (folder / "mine/rules/no_burgundy.py").write_text(blocks("docs/writing-rules.md", "python")[0])
    (folder / "mine/closed.toml").write_text(blocks("docs/writing-rules.md", "toml")[0])
    lines = re.findall(r"`(legation [^`]+)`", text.partition("\n## ")[0])
    assert {line.split()[3] for line in lines} == {"play", "lint"}
    for line in lines:
        follow(line)


def test_a_variant_begun_packed_and_compared(folder: Path) -> None:
    text = (ROOT / "docs/variants.md").read_text(encoding="utf-8")
    shutil.copy(ROOT / "docs/examples/long-year.toml", folder)
    for line in re.findall(r"`(legation (?:lint|rules) long-year.toml)`", text):
        follow(line)
    begun, packed, installed = re.findall(
        r"`(legation variant (?:new|pack|install) mine[^`]+|legation variant pack [^`]+)`", text
    )[:3]
    follow(begun)
    follow(packed)
    (folder / "variants").rename(folder / "mine")
    follow(installed)
    assert "played alike" in follow(next(iter(re.findall(r"`(legation variant diff [^`]+)`", text))))


@pytest.mark.long
@pytest.mark.parametrize("page", ["bots", "environments"])
def test_the_examples_in_python(page: str, folder: Path) -> None:
    """The last of the environments reads a table of games, which is made first, as the page says. What the lab compiles
    runs as it stands, and fewer steps of it: that it is the same compiled is shown in the lab's tests, and to compile
    it takes minutes."""
    for package in ("numba", "pyarrow", "pettingzoo"):
        pytest.importorskip(package, reason="the lab needs its extras")
    examples = blocks(f"docs/{page}.md", "python")
    assert examples and (page != "environments" or STEPS in "".join(examples))
    if page == "environments":
        follow("legation play hundred --save games/game.json")
        [line] = re.findall(r"`(legation lab dataset [^`]+)`", (ROOT / "docs/environments.md").read_text("utf-8"))
        follow(line)
    for example in examples:
        done = subprocess.run(
            [sys.executable, "-c", example.replace(STEPS, "range(10)")],
            env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
