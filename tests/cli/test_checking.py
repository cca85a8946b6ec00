"""``legation check``."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_commands import run


def test_a_sheet_is_checked_against_the_opening(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.txt"
    sheet.write_text("A par - bur\nA mar - Spianh\n")
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
    assert "no heading names the power" in run("check", "standard", "-", given="A par - bur").stderr


def test_a_position_an_answer_and_a_game_are_read(tmp_path: Path) -> None:
    position = {"variant": "standard", "turn": "Fall 1901 Movement", "units": {"France": ["A spa"]}}
    file = tmp_path / "turn.json"
    for document in (position, {"after": position}):
        file.write_text(json.dumps(document))
        assert run("check", str(file), "-", "--power", "France", given="A spa - por").returncode == 0
    example = Path(__file__).parents[2] / "examples" / "hundred.json"
    done = run("check", str(example), "-", "--power", "France", given="A par H")
    assert done.returncode == 1
    assert "not yours: the unit in par is Burgundy's" in done.stdout
    assert done.stderr == f"legation: {example}: the game has ended: Burgundy reached 9 centers\n"
    file.write_text('{"variant": "nowhere"}')
    assert run("check", str(file), "-", given="x").returncode == 1


def test_what_is_right_wrong_and_to_be_done_stands_line_by_line() -> None:
    done = run("check", "1000ad", "-", given="British\n\nbuild A lon\nbuild A par\n")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "Winter 999 Placement: British",
        "   3  build A lon",
        "   4  build A par  illegal: Paris isn't in the British homeland",
        "      builds left: 8",
    ]


def test_a_hint_stands_behind_its_order() -> None:
    done = run("check", "three-kingdoms", "-", "--power", "Crown", given="A carlis - allerd")
    assert "A carlis - allerd  (if Cumberland places it under the Crown's orders)" in done.stdout


def test_a_power_that_there_is_not_is_told() -> None:
    done = run("check", "standard", "-", "--power", "Frence", given="A par H")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "legation: --power: 'Frence' isn't a power in this game; did you mean France?\n"
