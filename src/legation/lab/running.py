"""A run carried out: in this process, in several, or on a dask.distributed cluster; its results as they come."""

from __future__ import annotations

import logging
import multiprocessing
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
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
        self.pieces = results.plan.pieces
        self.left = len(results.left)
        self._all_left = max(self.left, 1)
        self.games = sum(len(results.plan.numbers(piece)) for piece in range(self.pieces)) - sum(
            len(results.plan.numbers(piece)) for piece in results.left
        )
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


def _in_processes(plan: RunPlan, left: Sequence[int], jobs: int) -> Iterator[tuple[int, dict[str, pa.Table]]]:
    waiting = iter(left)
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        pending: dict[Any, int] = {}
        try:
            while True:
                for piece in waiting:
                    pending[pool.submit(do_piece, plan, piece)] = piece
                    if len(pending) >= AHEAD * jobs:
                        break
                if not pending:
                    return
                finished, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield pending.pop(future), future.result()
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
    gone = f"the cluster at {address} is gone; what was done is kept, run the same command to continue"
    try:
        client = distributed.Client(address, timeout=ANSWER_WITHIN, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise RunError(f"no scheduler answers at {address}: {error}") from None
    waiting = iter(left)
    with client:
        ahead = AHEAD * max(1, sum(client.nthreads().values()))
        coming = distributed.as_completed(loop=client.loop, with_results=True, raise_errors=False)
        numbers: dict[str, int] = {}

        def submit() -> None:
            piece = next(waiting, None)
            if piece is not None:
                future = client.submit(do_piece, plan, piece, pure=False, retries=RETRIES)
                numbers[future.key] = piece
                coming.add(future)

        for _ in range(ahead):
            submit()
        try:
            for future, found in coming:
                if future.status == "cancelled":
                    raise RunError(gone)
                if future.status != "finished":
                    raise RunError(f"piece {numbers[future.key]} failed on the cluster: {_reason(found)}")
                yield numbers.pop(future.key), found
                future.release()
                submit()
                if not numbers:
                    return
        except (distributed.comm.CommClosedError, OSError) as error:
            raise RunError(f"{gone} ({error})") from None


def _reason(found: Any) -> str:
    error = found[1] if isinstance(found, tuple) and len(found) > 1 else found
    return f"{type(error).__name__}: {error}"
