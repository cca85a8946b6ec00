"""``docs/bring-your-variant.md`` and ``docs/bring-your-games.md``, followed literally."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from legation.cli.app import app
from tests.interop import played, toy

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
    assert "no problems" in run(tmp_path, monkeypatch, "legation lint pond")
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


def test_a_folder_of_many_things_tells_what_was_not_read_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy.write(tmp_path / "things", "dpjudge")
    toy.write(tmp_path / "things", "njudge")
    (tmp_path / "things" / "odd.map").write_text("USE NOWHERE\n")
    told = run(tmp_path, monkeypatch, "legation import things -o out --no-picture")
    assert "Toy, from toy.map (DPjudge and MILA maps (.map))" in told
    assert re.search(r"Not taken:\n(  .*\n)*  odd.map: ", told)
    assert "from map.toy (njudge maps (map.NAME with seed.NAME))" in told
    (tmp_path / "things" / "notes.txt").write_text("Spring 1901\nnothing was played yet\n")
    assert "Toy, from toy.map" in run(tmp_path, monkeypatch, "legation import things -o again --no-picture")
    (tmp_path / "things" / "game.txt").write_text('[Variant "standard"]\n\nSpring 1901 Movement\nFrance: A par h\n')
    told = run(tmp_path, monkeypatch, "legation import things -o games")
    titles = "DPjudge and MILA maps (.map); njudge maps (map.NAME with seed.NAME)"
    assert told.endswith(f"Also here, and not read; import it by itself with --format: {titles}\n")
    for name, why in (
        ("info.toy", "goes with an njudge map"),
        ("toy.svg", "is a picture, and says nothing of borders"),
    ):
        (tmp_path / name).write_text("<svg/>")
        monkeypatch.chdir(tmp_path)
        refused = CliRunner().invoke(app, ["import", name, "-o", "out"])
        assert refused.exit_code != 0
        assert f"{name}: {why}" in refused.stderr
        assert "no game either; these are: " in refused.stderr
