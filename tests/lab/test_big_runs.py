"""Runs of many games: in several processes, stopped in the middle, in memory that doesn't grow, read by other tools."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="the lab needs its extra")
pytest.importorskip("pyarrow", reason="the lab needs its extra")

from legation.lab.results import Results
from legation.lab.runs import RunPlan
from legation.variants import load
from tests.lab.test_runs import carried_out

pytestmark = pytest.mark.usefixtures("games_compiled")
HUNDRED = RunPlan("hundred", ("dumbbot", "random"), 60, "big", 60, piece=10)


def test_several_processes_play_the_same_games(tmp_path: Path) -> None:
    alone, together = carried_out(tmp_path / "one", HUNDRED), carried_out(tmp_path / "two", HUNDRED, jobs=2)
    for name in ("games", "powers", "turns"):
        assert alone.table(name).equals(together.table(name))


HEARS_CTRL_C = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
"""Who is started in the background, as these tests may be, is deaf to Ctrl-C, and so are those it starts."""


def test_a_run_that_is_stopped_by_hand_is_usable_and_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    words = ["lab", "play", "hundred", "--bots", "dumbbot", "--games", "400000", "--plain", "-o", str(folder)]
    heard = [sys.executable, "-c", HEARS_CTRL_C, "-m", "legation", *words]
    process = subprocess.Popen(heard, stderr=subprocess.PIPE, text=True)
    begun = time.monotonic()
    while not list((folder / "games").glob("*.parquet")) and time.monotonic() - begun < 120:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Stopped: " in told and "the same command goes on" in told and "Traceback" not in told
    results = Results.read(folder)
    done = results.table("games").num_rows
    assert 50 <= done < 400_000 and results.table("powers").num_rows == 3 * done
    assert len(Results.begin(folder, results.plan).left) == results.plan.pieces - done // results.plan.piece


MEMORY = """
import resource, sys, tempfile
from pathlib import Path
from tests.lab.test_big_runs import HUNDRED, carried_out
import msgspec
def most(games):
    with tempfile.TemporaryDirectory() as folder:
        carried_out(Path(folder) / "run", msgspec.structs.replace(HUNDRED, games=games))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
few = most(50)
print(most(1500) - few)
"""


def test_memory_does_not_grow_with_the_games() -> None:
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 24_000, "kilobytes more for thirty times as many games"


def test_pandas_reads_the_results(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed; it isn't part of the project")
    carried_out(tmp_path / "run", HUNDRED)
    assert pandas.read_parquet(tmp_path / "run" / "powers").groupby("power").solo.mean().sum() <= 1


def test_duckdb_reads_the_results(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed; it isn't part of the project")
    carried_out(tmp_path / "run", HUNDRED)
    rows = duckdb.sql(f"select power, avg(centers) from '{tmp_path}/run/powers/*.parquet' group by power").fetchall()
    assert {power for power, _ in rows} == set(load("hundred").powers)
