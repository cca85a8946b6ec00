"""``legation check``."""

import json
from pathlib import Path

from legation import load
from legation.game.sheets import interpret_sheet, understood_document
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


def test_a_position_an_answer_and_a_game_are_read(tmp_path: Path) -> None:
    position = {"variant": "standard", "turn": "Fall 1901 Movement", "units": {"France": ["A spa"]}}
    file = tmp_path / "turn.json"
    for document in (position, {"after": position}):
        file.write_text(json.dumps(document))
        assert run("check", str(file), "-", "--power", "France", given="A spa - por").returncode == 0
    example = Path(__file__).parents[2] / "examples" / "hundred.json"
    done = run("check", str(example), "-", "--power", "France", given="A par H")
    assert done.returncode == 1
    assert "not yours: the unit in par belongs to Burgundy" in done.stdout
    assert done.stderr == f"legation: {example}: the game has ended: Burgundy reached 9 centers\n"


def test_what_is_right_wrong_and_to_be_done_stands_line_by_line() -> None:
    done = run("check", "1000ad", "-", given="British\n\nbuild A lon\nbuild A par\n")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "Winter 999 Placement: British",
        "   3  build A lon",
        "   4  build A par  illegal: Paris isn't in the British homeland",
        "      builds left: 8",
    ]
    done = run("check", "three-kingdoms", "-", "--power", "Crown", given="A carlis - allerd")
    assert "A carlis - allerd  (if Cumberland places it under the Crown's orders)" in done.stdout


AHEAD = """\
France
A par - bur
A mar - spa
F bre - mao
if dislodged A mar: gas, else pie
Retreats:
A par - gas
Germany
A mun - ruh
Adjustments:
build A xyz
v2 replaces v1 only if it comes by post
"""


def test_a_sheet_is_read_as_the_office_reads_it(tmp_path: Path) -> None:
    done = run("check", "standard", "-", given=AHEAD)
    assert done.returncode == 1  # for the last of Germany's lines alone
    assert done.stdout.splitlines() == [
        "Spring 1901 Movement: France",
        "   2  A par - bur",
        "   3  A mar - spa",
        "   4  F bre - mao",
        "   5  If A mar is dislodged and nothing else is sent: A mar R gas, else A mar R pie, else it is disbanded.",
        "   7  In Retreats, if it is then possible: A par R gas.",
        "Spring 1901 Movement: Germany",
        "   9  A mun - ruh",
        "  11  build A xyz  not understood: 'xyz' isn't a place on this board",
        "      for the coordinator: v2 replaces v1 only if it comes by post",
        "      no order for A ber, F kie",
    ]
    office = load("standard")
    (france, germany) = json.loads(run("check", "standard", "-", "--json", given=AHEAD).stdout)
    own = AHEAD.partition("Germany")[0]
    assert france == json.loads(
        json.dumps(understood_document(interpret_sheet(office, office.opening(), "France", own)))
    )
    assert [ahead["line"] for ahead in germany["ahead"]] == [11] and len(germany["instructions"]) == 1


def test_what_is_for_another_turn_is_not_judged_and_takes_no_order_with_it(tmp_path: Path) -> None:
    turn, sheet = tmp_path / "turn.json", tmp_path / "sheet.txt"
    turn.write_text(run("position", "standard").stdout)
    sheet.write_text(AHEAD)
    done = run("adjudicate", str(turn), "--orders", str(sheet))
    verdicts = {(v["power"], v["order"]) for v in json.loads(done.stdout)["verdicts"]}
    assert {("France", "A par - bur"), ("France", "F bre - mao"), ("Germany", "A mun - ruh")} <= verdicts
    assert not any("gas" in order or "build" in order for _, order in verdicts)
    assert f"{sheet}: line 5, 'if dislodged A mar: gas, else pie': is for Retreats" in done.stderr
