"""A run carried out: in this process, in several, or on a dask.distributed cluster; its results as they come."""

import logging
import multiprocessing
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from legation.judge import Ruleset, changes
from legation.lab.results import Results, tabulate_piece
from legation.lab.runs import RunError, RunPlan
from legation.variants import load

AHEAD = 2  # pieces that wait for each worker: enough that none is idle, few enough that memory does not grow
RETRIES = 20  # how often a piece is given to another worker when one is gone
ANSWER_WITHIN = 10.0  # seconds for a scheduler to answer


def do_piece(plan: RunPlan, piece: int) -> dict[str, pa.Table]:
    """Play a piece and tabulate it; what workers do."""
    rules = load(plan.variant, dict(plan.options))
    if plan.rules and changes(plan.rules, rules):
        raise RunError(f"the rules of {plan.variant} differ here from where the run started")
    return tabulate_piece(plan, piece, rules)


class RunProgress:
    """What has been done, and how fast; in ``faults`` the moves that each bot lost, in ``reasons`` the last of them."""

    def __init__(self, results: Results) -> None:
        plan, left = results.plan, results.left
        self.pieces = plan.pieces
        self.left = len(left)
        self._all_left = max(self.left, 1)
        self.games = plan.games - sum(len(plan.numbers(piece)) for piece in left)
        self.turns = 0
        self.faults: Counter[str] = Counter()
        self.reasons: dict[str, str] = {}
        self._begun = time.monotonic()

    def note(self, tables: dict[str, pa.Table]) -> None:
        """Count a piece that is done."""
        self.left -= 1
        self.games += tables["games"].num_rows
        self.turns += sum(tables["games"]["turns"].to_pylist())
        powers = tables["powers"]
        for row in powers.filter(pc.greater(powers["faults"], 0)).to_pylist():
            self.faults[row["bot"]] += row["faults"]
            self.reasons[row["bot"]] = f"game {row['game']}, {row['power']}, {row['fault']}"

    def __str__(self) -> str:
        seconds = max(time.monotonic() - self._begun, 1e-9)
        done = self._all_left - self.left
        remaining = seconds / done * self.left if done else 0.0
        speed = self.turns / seconds
        shown = f"{speed:,.0f}" if speed >= 10 else f"{speed:.1f}"
        return f"{self.games} games, {shown} turns a second, {_span(remaining)} left"


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def run(results: Results, rules: Ruleset, *, jobs: int = 1, scheduler: str = "") -> Iterator[RunProgress]:
    """Play what is left of a run and keep it piece by piece; each piece that is done gives its progress.

    :raises RunError: when the cluster does not answer, or a worker cannot play."""
    progress = RunProgress(results)
    plan, left = results.plan, results.left
    if scheduler:
        done = _on_cluster(plan, left, scheduler)
    elif jobs > 1:
        done = _in_processes(plan, left, jobs)
    else:
        done = ((piece, tabulate_piece(plan, piece, rules)) for piece in left)
    for piece, tables in done:
        results.add(piece, tables)
        progress.note(tables)
        yield progress


def _ahead(
    pool: Executor, plan: RunPlan, left: Sequence[int], workers: int
) -> Iterator[tuple[int, dict[str, pa.Table]]]:
    """Have the workers of a pool play the pieces, some ahead of those that are done."""
    waiting = iter(left)
    pending: dict[Any, int] = {}
    while True:
        for piece in islice(waiting, AHEAD * workers - len(pending)):
            pending[pool.submit(do_piece, plan, piece)] = piece
        if not pending:
            return
        finished, _ = wait(pending, return_when=FIRST_COMPLETED)
        for future in finished:
            yield pending.pop(future), future.result()


def _in_processes(plan: RunPlan, left: Sequence[int], jobs: int) -> Iterator[tuple[int, dict[str, pa.Table]]]:
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            yield from _ahead(pool, plan, left, jobs)
        except BrokenProcessPool as error:
            raise RunError(f"a worker ended without an answer ({error}); run the same command to continue") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _on_cluster(plan: RunPlan, left: Sequence[int], address: str) -> Iterator[tuple[int, dict[str, pa.Table]]]:
    try:
        distributed: Any = import_module("distributed")
    except ModuleNotFoundError:
        raise RunError("a cluster needs distributed; install it with: pip install 'legation[cluster]'") from None
    for name in ("distributed", "distributed.client", "distributed.core", "distributed.utils"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what is lost is told in a line of ours
    try:
        client = distributed.Client(address, timeout=ANSWER_WITHIN, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise RunError(f"no scheduler answers at {address}: {error}") from None
    with client:
        workers = max(1, sum(client.nthreads().values()))
        try:
            yield from _ahead(client.get_executor(pure=False, retries=RETRIES), plan, left, workers)
        except (CancelledError, distributed.comm.CommClosedError, OSError):
            told = f"the cluster at {address} is gone; what was done is kept, run the same command to continue"
            raise RunError(told) from None
        except Exception as error:  # whatever a worker of another machine lacks
            raise RunError(f"a piece failed on the cluster: {type(error).__name__}: {error}") from None
