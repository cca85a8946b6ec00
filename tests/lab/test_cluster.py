"""A run on a cluster of this machine: workers that are killed lose nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from legation.variants import load

pytest.importorskip("numba", reason="the lab needs its extra")

from legation.lab.results import Results
from legation.lab.running import run
from legation.lab.runs import RunError, RunPlan
from tests.lab.test_runs import carried_out

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="a cluster needs the extra 'cluster'")

PLAN = RunPlan("hundred", ("random",), 24, "cluster", 40, piece=2)


@pytest.mark.usefixtures("games_compiled")
def test_two_of_four_workers_are_killed(tmp_path: Path) -> None:
    distributed: Any = import_module("distributed")
    whole = carried_out(tmp_path / "whole", PLAN)
    with distributed.LocalCluster(n_workers=4, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster:
        with distributed.Client(cluster) as client:
            workers = list(client.run(os.getpid).values())
        results = Results.begin(tmp_path / "cluster", PLAN)
        steps = run(results, load("hundred"), scheduler=cluster.scheduler_address)
        next(steps)
        for pid in workers[:2]:
            os.kill(pid, signal.SIGKILL)
        for _ in steps:
            pass
    assert results.left == []
    for name in ("games", "powers", "turns"):
        assert results.table(name).equals(whole.table(name))


def test_a_cluster_that_does_not_answer_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legation.lab.running.ANSWER_WITHIN", 0.5)
    results = Results.begin(tmp_path / "out", PLAN)
    with pytest.raises(RunError, match="no scheduler answers at tcp"):
        next(run(results, load("hundred"), scheduler="tcp://127.0.0.1:9"))


def started(*command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


@pytest.mark.long
def test_a_cluster_that_goes_away_ends_the_run_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its scheduler and its worker are killed after the first piece; the same command goes on later, without them."""
    monkeypatch.setattr("legation.lab.running.ANSWER_WITHIN", 20.0)
    judged = RunPlan("hundred", ("hold",), 30, "gone", 6, piece=1, options={"waiving": False})
    where = tmp_path / "scheduler.json"
    processes = [
        started("distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(where))
    ]
    try:
        processes.append(
            started("distributed.cli.dask_worker", "--nthreads", "1", "--no-dashboard", "--scheduler-file", str(where))
        )
        while not where.exists():
            time.sleep(0.05)
        results = Results.begin(tmp_path / "cluster", judged)
        steps = run(results, load("hundred", dict(judged.options)), scheduler=json.loads(where.read_text())["address"])
        next(steps)
        for process in processes:
            os.killpg(process.pid, signal.SIGKILL)
        with pytest.raises(RunError, match="is gone; what was done is kept"):
            for _ in steps:
                pass
    finally:
        for process in processes:
            process.kill()
            process.wait()
    assert 0 < len(results.left) < 30
    resumed = carried_out(tmp_path / "cluster", judged)
    whole = carried_out(tmp_path / "whole", judged)
    assert resumed.left == [] and resumed.table("powers").equals(whole.table("powers"))
