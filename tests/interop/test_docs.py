"""``docs/bring-your-variant.md`` and ``docs/bring-your-games.md``, followed literally."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from legation.cli.app import app
from tests.interop import played

DOCS = Path(__file__).parents[2] / "docs"


def run(folder: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> str:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(app, shlex.split(line)[1:])
    assert result.exit_code == 0, result.output
    return result.output


def blocks(name: str, language: str) -> list[str]:
    text = (DOCS / name).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_bring_your_variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pond, printed = blocks("bring-your-variant.md", "text")
    (tmp_path / "pond.map").write_text(pond)
    output = run(tmp_path, monkeypatch, "legation import pond.map -o pond")
    assert output.split() == printed.split()
    assert "no finding" in run(tmp_path, monkeypatch, "legation lint pond")
    assert run(tmp_path, monkeypatch, "legation map pond/pond.toml -o pond.svg")
    assert (tmp_path / "pond/import.txt").read_text().split() == printed.split()


def test_bring_your_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "saved-game.json").write_text(played.FILES["mila.json"].replace('"short"', '"saved-game"'))
    assert "No differences." in run(tmp_path, monkeypatch, "legation import saved-game.json -o games")
    assert "same outcomes" in run(tmp_path, monkeypatch, "legation replay games/saved-game.json")
    _, text = blocks("bring-your-games.md", "text")
    (tmp_path / "game.txt").write_text(text)
    run(tmp_path, monkeypatch, "legation import game.txt -o games")
    run(tmp_path, monkeypatch, "legation export games/first-try.json --format text -o first-try.txt")
    told = run(tmp_path, monkeypatch, "legation export games/first-try.json --format mila -o first-try-mila.json")
    assert "first-try-mila.json" in told
    run(tmp_path, monkeypatch, "legation import first-try.txt -o again")
    assert "2 phases" in (tmp_path / "again/import.txt").read_text()


@pytest.mark.parametrize(
    "line", ["legation import nothing.map -o x", "legation import . -o x", "legation import x.txt --format stone -o x"]
)
def test_what_cannot_be_imported_is_told_in_a_line(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.txt").write_text("hello")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, shlex.split(line)[1:])
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    assert not (tmp_path / "x").exists()
