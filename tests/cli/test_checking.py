"""``legation check``."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_commands import run


def test_a_sheet_is_checked_against_the_opening(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.txt"
    sheet.write_text("A par - bur\nA mar - Spian\n")
    done = run("check", "standard", str(sheet), "--power", "france")
    assert done.returncode == 1
    assert "did you mean Spain (spa)?" in done.stdout
    assert "no order for F bre, A mar" in done.stdout
    sheet.write_text("A par - bur\nA mar - spa\nF bre - mao")
    assert run("check", "standard", str(sheet), "--power", "France").returncode == 0


def test_headings_say_whose_sheets_they_are() -> None:
    done = run("check", "standard", "-", "--json", given="France\nA par - bur\nGermany\nA mun H\n")
    checks = json.loads(done.stdout)
    assert [check["power"] for check in checks] == ["France", "Germany"]
    assert [[e["order"] for e in check["entries"] if e["order"]] for check in checks] == [["A par - bur"], ["A mun H"]]
    assert done.returncode == 0
    assert "no heading says whose" in run("check", "standard", "-", given="A par - bur").stderr


def test_a_position_an_answer_and_a_game_are_read(tmp_path: Path) -> None:
    position = {"variant": "standard", "turn": "Fall 1901 Movement", "units": {"France": ["A spa"]}}
    file = tmp_path / "turn.json"
    for document in (position, {"after": position}):
        file.write_text(json.dumps(document))
        assert run("check", str(file), "-", "--power", "France", given="A spa - por").returncode == 0
    example = Path(__file__).parents[2] / "examples" / "hundred.json"
    assert "check" not in run("check", str(example), "-", "--power", "France", given="A par H").stderr
    file.write_text('{"variant": "nowhere"}')
    assert run("check", str(file), "-", given="x").returncode == 1
