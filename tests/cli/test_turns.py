"""From turn to turn at the terminal: positions begin and go on, sheets come as texts, lists are narrowed down."""

import json
import os
from pathlib import Path

import pytest

from legation.game import adjudicate, gather_sheets, read_task
from legation.variants import load, names
from tests.cli.test_commands import GOOD, refused, run

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def turn(tmp_path: Path) -> Path:
    path = tmp_path / "turn.json"
    path.write_text(run("position", "hundred").stdout)
    return path


def test_a_game_is_begun_and_goes_on_by_texts(tmp_path: Path, turn: Path) -> None:
    (tmp_path / "France.txt").write_text("A Paris moves to Charolais\nA xyz - abc\n")
    (tmp_path / "mail.txt").write_text("Dear GM,\n\nEngland:\nF Lon - Dov\nBurgundy\nA Dij H\n")
    after = tmp_path / "next.json"
    sheets = [str(tmp_path / "France.txt"), str(tmp_path / "mail.txt")]
    done = run("adjudicate", str(turn), "--orders", *sheets, "--next", str(after))
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    ordered = [(v["power"], v["order"], v["outcome"]) for v in answer["verdicts"]]
    assert ("France", "A par - cha", "succeeds") in ordered and ("England", "F lon - dov", "succeeds") in ordered
    assert ("France", "A xyz - abc", "illegal") in ordered
    assert json.loads(after.read_text()) == answer["after"]
    again = run("adjudicate", str(after), "--text")
    assert "1430" in again.stdout and again.returncode == 0
    told = run("position", str(turn), "--option", "waiving=true").stderr
    assert told == f"legation: the options of {turn} are fixed; leave out --option\n"


def test_what_comes_after_the_last_year_is_taken_as_a_game_that_is_over(tmp_path: Path) -> None:
    last = tmp_path / "last.json"
    units = {"British": ["A lon"], "Franks": ["A par"], "Moors": ["A lis"], "Vikings": ["A ber"]}
    centers = {power: [unit.split()[1] for unit in listed] for power, listed in units.items()}
    last.write_text(json.dumps({"variant": "1000ad", "turn": "Fall 1015 Movement", "units": units, "centers": centers}))
    after = tmp_path / "after.json"
    assert run("adjudicate", str(last), "--next", str(after)).returncode == 0
    over = "the game has ended: the game ends after Winter 1015 Adjustments"
    for words in (["orders", "1000ad", str(after)], ["position", str(after)], ["check", str(after), "-"]):
        done = run(*words, given="British: A lon H")
        assert done.returncode == 0 and over in done.stderr, done.stderr
    again = run("adjudicate", str(after))
    assert again.returncode == 0
    [told] = json.loads(again.stdout)["warnings"]
    assert told.startswith("ending: the game has ended: draw (the game ends after Winter 1015")
    assert json.loads(run("position", str(after)).stdout)["ending"]["kind"] == "draw"
    document = json.loads(after.read_text())
    for ending in (None, 5, {"kind": "tie", "reason": "x"}):
        after.write_text(json.dumps({**document, "ending": ending}))
        assert run("adjudicate", str(after)).returncode == 1


def test_sheets_are_read_file_by_file_and_those_that_are_nobodys_or_twice_are_told(tmp_path: Path, turn: Path) -> None:
    (tmp_path / "one.txt").write_text("France: A par H")
    (tmp_path / "two.txt").write_text("France\nA par - cha\n")
    (tmp_path / "three.txt").write_text("A par - cha\n")
    done = run("adjudicate", str(turn), "--orders", *(str(tmp_path / f"{n}.txt") for n in ("one", "two", "three")))
    assert done.returncode == 1 and done.stdout == ""
    assert "two.txt: France has a sheet in" in done.stderr
    assert "three.txt: line 1, 'A par - cha': no heading names the power of this order" in done.stderr
    own = tmp_path / "own.json"
    own.write_text(json.dumps(GOOD))
    twice = run("adjudicate", str(own), "--orders", str(tmp_path / "one.txt"))
    assert twice.returncode == 1 and "France has orders in it, and a sheet beside it" in twice.stderr
    folder = tmp_path / "sheets"
    folder.mkdir()
    assert "there are no files in this folder" in run("adjudicate", str(turn), "--orders", str(folder)).stderr
    (folder / "france.txt").write_text("A par - cha\n")
    (folder / "england.txt").write_text("F lon - dov\n")
    (folder / ".kept").write_text("no sheet")
    report = run("adjudicate", str(turn), "--orders", str(folder), "--text", "--names", "short").stdout
    assert "  A par - cha\n" in report and "  F lon - dov\n" in report


def test_an_answer_is_a_position_wherever_one_is_read(tmp_path: Path) -> None:
    answer = adjudicate(GOOD)
    assert read_task(answer).position.turn == read_task(answer["after"]).position.turn
    assert read_task({**answer, "orders": {"France": ["A orl H"]}}).sheets[0].orders
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(answer))
    sheet = tmp_path / "sheet.txt"
    sheet.write_text("A orl H")
    for words in (
        ["adjudicate", str(path)],
        ["orders", str(path)],
        ["orders", "hundred", str(path)],
        ["position", str(path)],
        ["check", str(path), str(sheet), "--power", "France"],
        ["map", str(path), "-o", str(tmp_path / "x.svg")],
    ):
        done = run(*words)
        assert done.returncode == 0 or words[0] == "check", (words, done.stderr)
        assert "1430" in done.stdout or words[0] == "orders"


def test_a_saved_game_that_is_given_for_a_turn_is_told_as_one() -> None:
    told = run("adjudicate", str(EXAMPLES / "hundred.json")).stderr
    assert "this is a saved game; 'legation replay' judges it again" in told


def test_a_map_shows_what_came_of_a_turn(tmp_path: Path) -> None:
    path = tmp_path / "turn.json"
    path.write_text(json.dumps(GOOD))
    for words, turn in (([], "1425 Movement"), (["--after"], "1430 Movement")):
        assert turn.partition(" ")[0] in run("map", str(path), "-o", str(tmp_path / "turn.svg"), *words).stdout


def test_orders_and_moves_are_narrowed_down() -> None:
    found = json.loads(run("orders", "hundred", "--power", "france", "--json").stdout)
    assert list(found) == ["France"]
    moves = json.loads(run("moves", "hundred", "A par", "--json").stdout)["moves"]
    assert list(moves) == ["A par"]
    assert list(json.loads(run("moves", "standard", "F Spain", "--json").stdout)["moves"]) == ["F spa/nc", "F spa/sc"]


@pytest.mark.parametrize("columns", [80, 200])
def test_orders_stand_in_as_many_columns_as_there_is_room_for(columns: int) -> None:
    lines = run("orders", "hundred", "--power", "France", columns=columns).stdout.splitlines()
    assert columns * 0.6 < max(map(len, lines)) <= columns
    listed = {" ".join(cell.split()) for line in lines[1:] for cell in line.strip().split("  ") if cell.strip()}
    assert listed == set(json.loads(run("orders", "hundred", "--json").stdout)["France"])


@pytest.mark.parametrize("name", names())
def test_sheets_in_texts_are_of_the_powers_that_they_name(name: str) -> None:
    rules = load(name)
    position = rules.opening()
    faults: list[str] = []
    texts = {f"{power}.txt": "waive" for power in rules.powers}
    sheets, *_ = gather_sheets(rules, position, texts, faults)
    assert not faults and list(sheets) == list(rules.powers)


def test_replay_shows_names_as_they_are_wanted() -> None:
    source = os.fspath(EXAMPLES / "hundred.json")
    full = run("replay", source, "--text", "--turns", "1").stdout
    short = run("replay", source, "--text", "--turns", "1", "--names", "short").stdout
    assert "Army " in full and "Army " not in short
    assert run("replay", source, "--text", "--names", "odd").returncode == 2


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("A par - orl\nA dau - Orléans\n".encode("latin-1"), "line 2 is not UTF-8; save the file in that encoding"),
        (b"\n\n", "it has no order, and no heading with a power"),
    ],
)
def test_a_sheet_that_is_not_utf_8_or_has_nothing_in_it_is_told(
    tmp_path: Path, turn: Path, data: bytes, told: str
) -> None:
    sheet = tmp_path / "mail.txt"
    sheet.write_bytes(data)
    assert refused("adjudicate", str(turn), "--orders", str(sheet)) == f"legation: {sheet}: {told}\n"
