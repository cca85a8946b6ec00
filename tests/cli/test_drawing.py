"""``legation map`` and ``legation site``: what is written where."""

import json
from pathlib import Path

import pytest
import typer

from legation.atlas.pictures import png
from legation.cli.drawing import _sections, errors_as_messages
from legation.variants import load
from tests.cli.test_commands import GOOD, run
from tests.print.papers import text_of


@pytest.mark.parametrize(("name", "start"), [("a.SVG", b"<svg "), ("b.PNG", b"\x89PNG"), ("c.Pdf", b"%PDF")])
def test_endings_may_be_in_capitals(tmp_path: Path, name: str, start: bytes) -> None:
    target = tmp_path / name
    done = run("map", "hundred", "-o", str(target), "--width", "300", "--paper", "a3")
    assert (done.returncode, done.stderr) == (0, "")
    assert target.read_bytes().startswith(start)
    assert (b"@font-face" in target.read_bytes()) == name.endswith("SVG")


def test_a_page_of_a_turn_has_its_report_in_sections(tmp_path: Path) -> None:
    turn = tmp_path / "turn.json"
    turn.write_text(
        json.dumps({**GOOD, "orders": {"France": ["A par - orl", "A dau - Orlonns"], "England": ["F lon H"]}})
    )
    assert run("map", str(turn), "-o", str(tmp_path / "turn.pdf")).returncode == 0
    text = text_of((tmp_path / "turn.pdf").read_bytes())
    assert "England Fleet London holds France Army Paris moves to Orleanais Army Dauphine holds: no order" in text
    assert "Results England: 0 centers, 1 unit France: 2 centers, 2 units Next: 1430 Movement." in text
    assert "A dau - Orlonns" in text, "orders not understood are in the report, too"
    assert _sections("Title\n\nFrance\n  A par H\n    by itself") == [("France", ["A par H", "by itself"])]


def test_a_picture_that_the_painter_refuses_is_told_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit), errors_as_messages(load("hundred")):
        png("<svg", 300)
    told = capsys.readouterr().err
    assert told.startswith("legation: the board 'hundred' cannot be drawn: ") and told.count("\n") == 1


def test_a_page_needs_a_folder(tmp_path: Path) -> None:
    target = tmp_path / "site"
    target.write_text("mine")
    done = run("site", "hundred", "-o", str(target))
    assert (done.returncode, done.stderr) == (1, f"legation: {target}: File exists\n")
    assert target.read_text() == "mine"
    done = run("map", "hundred", "-o", str(target / "x.svg"))
    assert (done.returncode, done.stderr) == (1, f"legation: {target / 'x.svg'}: Not a directory\n")


def test_a_board_is_drawn_without_a_variant(tmp_path: Path) -> None:
    lake = Path(__file__).parents[2] / "docs" / "examples" / "lake"
    done = run("map", str(lake), "-o", str(tmp_path / "lake.svg"))
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'lake.svg'}: The lake\n")
    assert "Great" in (tmp_path / "lake.svg").read_text(encoding="utf-8")
    bare = tmp_path / "bare"
    bare.mkdir()
    for file in ("board.toml", "land.csv", "sea.csv", "borders.csv"):
        (bare / file).write_bytes((lake / file).read_bytes())
    done = run("map", str(bare), "-o", str(tmp_path / "bare.svg"))
    assert done.returncode == 1 and "has no shapes yet; grow them" in done.stderr
