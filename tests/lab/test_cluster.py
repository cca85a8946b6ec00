"""A run on a cluster of this machine: workers that are killed lose nothing."""

from __future__ import annotations

import os
import signal
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from legation.variants import load

pytest.importorskip("distributed", reason="a cluster needs the extra 'cluster'")
pytest.importorskip("numba", reason="the lab needs its extra")

from legation.lab.results import Results
from legation.lab.running import run
from legation.lab.runs import Plan, RunError
from tests.lab.test_runs import carried_out

PLAN = Plan("hundred", ("random",), 24, "cluster", 40, piece=2)


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
