"""Runs of bots: what is kept, that it can be gone on with and played again, and what becomes of wrong bots."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from legation.bots import installed, is_foreign, programs
from legation.game import Game
from legation.judge import legal_orders
from legation.orders import Move, Sheet
from legation.variants import load
from tests.cli.test_commands import run as command
from tests.waiting import wait_for

pytest.importorskip("numba", reason="the lab needs its extra")
pytest.importorskip("pyarrow", reason="the lab needs its extra")

from legation.bots.intervals import wilson
from legation.bots.programs import ProgramError
from legation.bots.seats import PROGRAM, BotSeats
from legation.cli.lab import play as play_games
from legation.lab.comparing import compare
from legation.lab.intervals import mean_and_half
from legation.lab.results import Results
from legation.lab.running import run
from legation.lab.runs import RunError, RunPlan, piece_for, record_piece, replay

HUNDRED = RunPlan("hundred", ("dumbbot", "random"), 6, "a seed", 60, piece=4)


def carried_out(folder: Path, plan: RunPlan, **how: Any) -> Results:
    results = Results.begin(folder, plan)
    for _ in run(results, load(plan.variant, dict(plan.options)), **how):
        pass
    return results


@pytest.mark.usefixtures("games_compiled")
def test_results_have_a_row_for_each_game_power_and_turn(tmp_path: Path) -> None:
    results = carried_out(tmp_path / "out", HUNDRED)
    games, powers, turns = (results.table(name).to_pylist() for name in ("games", "powers", "turns"))
    assert [row["game"] for row in games] == list(range(6))
    assert len(powers) == 18 and len(turns) == 3 * sum(row["turns"] for row in games)
    assert [row["bot"] for row in powers[:6]] == ["dumbbot", "random", "dumbbot", "random", "dumbbot", "random"]
    for game in games:
        mine = [row for row in powers if row["game"] == game["game"]]
        assert sum(row["solo"] for row in mine) == (game["ending"] == "solo")
        assert abs(sum(row["score"] for row in mine) - 1) < 1e-9
        last = [row["centers"] for row in turns if row["game"] == game["game"] and row["number"] == game["turns"] - 1]
        assert last == [row["centers"] for row in mine]


@pytest.mark.usefixtures("games_compiled")
def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    whole = carried_out(tmp_path / "whole", HUNDRED)
    stopped = Results.begin(tmp_path / "stopped", HUNDRED)
    steps = run(stopped, load("hundred"))
    next(steps)
    assert stopped.left == [1] and stopped.table("games").num_rows == 4
    (tmp_path / "stopped" / "turns" / "000000.parquet").unlink()  # a file that is lost is made again
    assert stopped.left == [0, 1]
    resumed = carried_out(tmp_path / "stopped", HUNDRED)
    assert resumed.left == []
    for name in ("games", "powers", "turns"):
        assert resumed.table(name).equals(whole.table(name))


@pytest.mark.usefixtures("games_compiled")
def test_another_run_or_a_broken_folder_is_refused(tmp_path: Path) -> None:
    carried_out(tmp_path / "out", HUNDRED)
    with pytest.raises(RunError, match="a different run: seed 'a seed' instead of 'other'"):
        Results.begin(tmp_path / "out", RunPlan("hundred", ("dumbbot", "random"), 6, "other", 60, piece=4))
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(RunError, match="is a file"):
        Results.begin(tmp_path / "file", HUNDRED)
    (tmp_path / "out" / "plan.json").write_text("{broken")
    with pytest.raises(RunError, match="holds no results"):
        Results.read(tmp_path / "out")


@pytest.mark.parametrize(
    "plan", [HUNDRED, RunPlan("hundred", ("dumbbot", "hold"), 2, "1", 30, options={"calendar": "judge"})]
)
@pytest.mark.usefixtures("games_compiled")
def test_a_game_is_played_again_as_an_ordinary_one(plan: RunPlan) -> None:
    rules = load(plan.variant, dict(plan.options))
    played = record_piece(plan, 0, rules)[0][1]
    game = replay(plan, 1, rules)
    assert isinstance(game, Game) and [str(t.resolution.before.turn) for t in game.turns] == [
        t.turn for t in played.turns
    ]
    assert tuple(len(game.position.centers_of(power)) for power in rules.powers) == played.turns[-1].centers
    assert (game.ending is None) == (played.ending is None)
    illegal = [v for turn in game.turns for v in turn.resolution.verdicts if v.outcome.value == "illegal"]
    assert illegal == []


@pytest.mark.usefixtures("games_compiled")
def test_dense_bots_vote_for_a_draw_in_the_end() -> None:
    plan = RunPlan("standard", ("hold",), 1, "1", 300)
    [(played,), _] = record_piece(plan, 0)
    assert played.ending is not None and played.ending.kind == "draw" and len(played.ending.powers) == 7
    assert played.turns[-1].turn.startswith("Spring 1941")


def test_games_that_are_not_dense_are_judged_turn_by_turn(tmp_path: Path) -> None:
    plan = RunPlan("hundred", ("random",), 2, "1", 8, options={"waiving": False})
    assert [len(game.turns) for game in record_piece(plan, 0)[0]] == [8, 8]


ANSWERS = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "turn":
        {answer}
"""


def program(tmp_path: Path, answer: str) -> str:
    path = tmp_path / "bot.py"
    path.write_text(ANSWERS.replace("{answer}", answer))
    return f"{PROGRAM} {sys.executable} {path}"


def test_a_program_plays_and_one_that_is_not_there_is_named(tmp_path: Path) -> None:
    rules = load("hundred")
    holds = program(
        tmp_path, 'print(json.dumps({"orders": [o for o in told["legal"] if o.endswith(" H")]}), flush=True)'
    )
    with BotSeats(rules, {"France": holds, "England": "hold"}, seconds=60.0) as table:
        sheets = table.sheets(rules.opening(), "1")
    assert [len(sheet.orders) for sheet in sheets] == [5, 5] and not table.faults
    with BotSeats(rules, {"France": f"{PROGRAM} /no/such/bot"}) as table:
        assert table.sheets(rules.opening(), "1") == [Sheet("France")]
    assert "cannot be started" in table.reasons["France"]


def test_the_program_of_the_manual_plays() -> None:
    rules = load("hundred")
    example = Path(__file__).parents[2] / "docs" / "examples" / "greedy_bot.py"
    assert len(example.read_text().splitlines()) <= 32
    with BotSeats(
        rules, {"France": f"{PROGRAM} {sys.executable} {example}", "England": "dumbbot"}, seconds=60.0
    ) as table:
        game = Game(rules, seed="1")
        for _ in range(3):
            game.play(table.sheets(game.position, "1"))
    assert not table.faults
    ordered = [order for sheet in game.turns[0].sheets if sheet.power == "France" for order in sheet.orders]
    assert len(ordered) == 5 and any(isinstance(order, Move) for order in ordered)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("pass", "took longer than"),
        ('print("garbage", flush=True)', "a line of orders"),
        ('print(json.dumps({"orders": ["A par - mos"]}), flush=True)', ""),
        ('print(json.dumps({"orders": ["nonsense"]}), flush=True)', "ordered 'nonsense'"),
        ('print(json.dumps({"Orders": ["A par H"]}), flush=True)', "neither orders nor an error"),
        ("sys.exit()", "has ended"),
        ('sys.stdout.write("x" * 5_000_000); sys.stdout.flush()', "more than"),
        ("import os; os.fork(); sys.exit()", ""),
    ],
)
def test_a_wrong_program_loses_its_move_and_nothing_else(tmp_path: Path, answer: str, reason: str) -> None:
    rules = load("hundred")
    begun, seconds = time.monotonic(), 1.0 if answer == "pass" else 60.0
    with BotSeats(rules, {"France": program(tmp_path, answer), "England": "hold"}, seconds=seconds) as table:
        france, england = table.sheets(rules.opening(), "1")
    assert france == Sheet("France") and len(england.orders) == 5
    assert table.faults == {"France": 1} and reason in table.reasons["France"]
    assert time.monotonic() - begun < 120  # it was not waited for


def test_a_program_that_ends_is_told_with_its_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "GRACE", 60.0)
    rules = load("hundred")
    told = []
    with BotSeats(rules, {"France": program(tmp_path, "import os; os._exit(3)")}, seconds=60.0) as table:
        for _ in range(programs.STARTS + 1):
            table.sheets(rules.opening(), "1")
            told.append(table.reasons["France"].removeprefix("1425 Movement: "))
    assert told == [*["has ended with status 3"] * 3, "has ended 3 times with status 3 and won't be started again"]


@pytest.mark.parametrize(
    ("bots", "words"),
    [
        ("run: /no/such/bot", "there is no program '/no/such/bot'"),
        ("run: 'bot", "cannot read the command"),
        ("run:", "name the program"),
    ],
)
def test_a_run_of_a_program_that_is_not_there_is_refused(bots: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match=words):
        play_games("hundred", tmp_path, bots, games=1, turns=1, seconds=1.0, plain=True)
    assert not list(tmp_path.iterdir())


def has_ended(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or ") Z" in state.read_text()


@pytest.mark.parametrize("session", ["its own", "another"])
def test_what_a_program_started_ends_with_it(tmp_path: Path, session: str) -> None:
    note = tmp_path / "child"
    answer = (
        f"import subprocess; child = subprocess.Popen(['sleep', '60'], start_new_session={session == 'another'}); "
        f"open({str(note)!r}, 'w').write(str(child.pid)); "
        'print(json.dumps({"orders": []}), flush=True)'
    )
    rules = load("hundred")
    with BotSeats(rules, {"France": program(tmp_path, answer)}) as table:
        table.sheets(rules.opening(), "1")
    pid = int(note.read_text())
    wait_for(lambda: has_ended(pid), "what the program started still runs")


@pytest.mark.usefixtures("games_compiled")
def test_bots_are_compared(tmp_path: Path) -> None:
    plan = RunPlan("hundred", ("dumbbot", "random"), 12, "1", 60)
    best, other = compare(carried_out(tmp_path / "out", plan))
    assert (best.bot, other.bot) == ("dumbbot", "random")
    assert best.rating > other.rating and best.score > other.score and best.seats == other.seats == 18
    assert best.solos_interval[0] < best.solos < best.solos_interval[1]


def test_intervals() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(50, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert mean_and_half([1.0, 1.0]) == (1.0, 0.0)


def test_bots_of_the_judge_order_nothing_illegal() -> None:
    rules = load("1000ad")
    with BotSeats(rules, dict.fromkeys(rules.powers, "dumbbot")) as table:
        game = Game(rules, seed="1")
        for _ in range(4):
            game.play(table.sheets(game.position, "1"))
    assert not table.faults and legal_orders(rules, game.position)


@pytest.mark.usefixtures("games_compiled")
def test_the_commands(tmp_path: Path) -> None:
    out = tmp_path / "out"
    again = ["lab", "play", "hundred", "--bots", "dumbbot", "--games", "3", "--turns", "30", "-o", str(out)]
    assert command(*again).returncode == 0
    done = command(*again)
    assert done.returncode == 0 and "all games were there already" in done.stderr
    saved = tmp_path / "game.json"
    assert command("lab", "game", str(out), "2", "-o", str(saved)).returncode == 0
    assert command("replay", str(saved)).returncode == 0
    assert "has games 0 to 2, not 3" in command("lab", "game", str(out), "3").stderr
    assert "did you mean 'dumbbot'?" in command("lab", "play", "hundred", "--bots", "dumbot", "-o", str(out)).stderr
    assert "holds no results" in command("lab", "game", str(tmp_path), "0").stderr


BOTS_OF_OTHERS = """
import os, time
from legation.bots.holding import orders as holds
from legation.orders import Hold, Sheet

def good(rules, view, power, random):
    print("what a bot prints isn't an answer")
    return holds(rules, view, power, random)

def raising(rules, view, power, random):
    raise LookupError("no idea")

def wrong(rules, view, power, random):
    return "A par H"

def hanging(rules, view, power, random):
    time.sleep(60)

def ending(rules, view, power, random):
    os._exit(1)

def illegal(rules, view, power, random):
    return Sheet(power, (Hold("A", "mos"),))
"""


@pytest.fixture
def bots_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package of another's with bots, installed."""
    (tmp_path / "club_bots.py").write_text(BOTS_OF_OTHERS)
    about = tmp_path / "club_bots-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: club-bots\nVersion: 1\n")
    names = ("good", "raising", "wrong", "hanging", "ending", "illegal")
    points = "".join(f"{name} = club_bots:{name}\n" for name in names)
    (about / "entry_points.txt").write_text(f"[legation.bots]\n{points}broken = club_bots.nowhere:bot\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    installed.cache_clear()
    yield
    installed.cache_clear()


@pytest.mark.long
def test_bots_of_other_packages_harm_only_themselves(bots_of_others: None, tmp_path: Path) -> None:
    """One that hangs, raises, ends its process or answers nonsense loses its moves, is named, and the run goes on."""
    assert is_foreign("good") and is_foreign("broken") and not is_foreign("dumbbot") and not is_foreign("tactician")
    bots = ("good", "raising", "wrong", "ending", "illegal", "broken", "hold")
    plan = RunPlan("standard", bots, 1, "1", 2, piece=1, seconds=20.0, fixed=True)
    rows = {row["bot"]: row for row in carried_out(tmp_path / "out", plan).table("powers").to_pylist()}
    assert {name: row["faults"] for name, row in rows.items()} == {
        "good": 0,
        "raising": 2,
        "wrong": 2,
        "ending": 2,
        "illegal": 2,
        "broken": 2,
        "hold": 0,
    }
    assert "LookupError: no idea" in rows["raising"]["fault"] and rows["raising"]["fault"].startswith("Fall 1901")
    assert "instead of a sheet" in rows["wrong"]["fault"] and "has ended" in rows["ending"]["fault"]
    assert "illegal" in rows["illegal"]["fault"] and "cannot be loaded" in rows["broken"]["fault"]
    assert rows["good"]["fault"] is None


@pytest.mark.long
def test_a_bot_of_another_package_that_hangs_is_ended(bots_of_others: None, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load("hundred")
    monkeypatch.setattr("legation.bots.programs.STARTING", 1.5)
    with BotSeats(rules, {"France": "hanging", "England": "hold"}, seconds=0.5) as table:
        france, england = table.sheets(rules.opening(), "1")
    assert france == Sheet("France") and len(england.orders) == 5
    assert table.faults == {"France": 1} and "took longer" in table.reasons["France"]


def test_games_that_take_seconds_are_pieces_of_their_own() -> None:
    rules = load("standard")
    assert piece_for(rules, ("dumbbot", "random")) == 50
    assert {piece_for(rules, bots) for bots in (("tactician", "dumbbot"), ("club",), ("run: ./mine",))} == {1}
    assert piece_for(load("hundred", {"waiving": False}), ("dumbbot",)) == 1, "the judge plays it"
