"""The lab's functions, compiled: the judge's core and the dense games, translated by numba when they are first needed.

Nothing is written twice. Each function is compiled from its own code; only the names by which it calls its neighbors
are bound to their compiled forms. What is compiled is kept on disk, under a name that changes with any source or
option that it was made from, so that a later process is ready at once."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import math
import os
import sys
from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from logging import getLogger
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from legation.judge import core
from legation.judge.core import bounds, cycles, outcome, problem
from legation.lab import movement

LOG = getLogger(__name__)
DENSE = (
    "layout listing moving turning choosing weighing dumb playing judging sheets tactics trying logging seating"
).split()
SOURCES: tuple[ModuleType, ...] = (
    *(problem, bounds, cycles, outcome, movement),
    *(import_module(f"legation.lab.dense.{name}") for name in DENSE),
)
ENTRIES = frozenset(
    "choose_by_chance list_changes list_games list_movement list_retreats find_fear judge_outlooks note_features "
    "order_all order_with_search play_by_chance play_seats play_turn resolve_movements search_from "
    "try_movements".split()
)
"""The functions that Python calls; each is kept on disk with all that it calls."""
INTERPRETED_ONLY = frozenset({"undecided"})
FLAGS = {"nogil": True, "boundscheck": False, "_nrt": False}
"""Nothing here allocates: without counting references to its arrays it runs several times as fast."""
INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of what only compiled functions call: Python need not be able to call it, which would take as long to compile
as the function, and it needs no machine code of its own (:mod:`~legation.lab.linking`)."""
INLINED = frozenset(
    "any_open bound_move bound_prevent bound_support conclude find_dislodgers is_powerless lay_out link_orders "
    "mark_contested problem_on propagate_bounds resolve".split()
)
"""The core's inner loops: to hand a problem with its many arrays over takes longer than their work."""

_named: Any = namedtuple  # of which mypy wants to read the names
ArrayProblem = _named("ArrayProblem", core.MovementProblem.__struct_fields__)
"""A movement problem as compiled code takes it."""


@cache
def key_of_sources() -> str:
    """A text that changes with any source or option."""
    import numba

    from legation.lab import linking

    sources = map(inspect.getsource, (*SOURCES, linking))
    text = [repr(FLAGS), repr(INNER), repr(sorted(INLINED)), numba.__version__, *sources]
    return hashlib.sha256("\0".join(text).encode()).hexdigest()[:16]


@cache
def compiled() -> dict[str, Any]:
    """Every function by name; numba compiles each when it is first called, or reads it from disk."""
    import numba

    from legation.lab.linking import InnerCompiler

    _tell_when_compiling()
    names: dict[str, Any] = {"np": np}
    for source in SOURCES:
        names |= vars(source)
    names["MovementProblem"] = ArrayProblem
    functions = {
        name: value
        for source in SOURCES
        for name, value in vars(source).items()
        if isinstance(value, FunctionType) and value.__module__ == source.__name__ and name not in INTERPRETED_ONLY
    }
    njit: Any = numba.njit  # whose signature keeps quiet about _nrt
    for name, function in functions.items():
        bound = FunctionType(function.__code__, names, name, function.__defaults__)
        bound.__module__ = function.__module__
        bound.__qualname__ = f"{name}_{key_of_sources()}"
        options = {"cache": True} if name in ENTRIES else {**INNER, "pipeline_class": InnerCompiler}
        names[name] = njit(**FLAGS, **options, forceinline=name in INLINED)(bound)
    return names


@contextlib.contextmanager
def compiling_alone() -> Iterator[None]:
    """Have other processes that would compile for this installation wait, and read from disk what this one has kept."""
    if sys.platform == "win32":  # not reached: Windows, where the tests do not run and folders have no such locks
        yield
    else:
        import fcntl

        folder = os.open(Path(__file__).parent, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)


def _tell_when_compiling() -> None:
    """Log a line when numba first compiles what it does not find on disk: nobody should wait for minutes in silence."""
    event: Any = import_module("numba.core.event")

    told = False

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, _: Any) -> None:
            nonlocal told
            if not told:
                told = True
                LOG.warning("compiling the lab's code for this machine; this takes a minute or two, once")

        def on_end(self, _: Any) -> None:
            """Do nothing: only beginnings are logged."""

    event.register("numba:compile", Listener())


COLUMNS: dict[str, type[np.integer[Any]]] = {
    "place": np.uint32,
    "owner": np.uint16,
    "force": np.int32,
    "order": np.uint8,
    "target": np.uint32,
    "helped_unit": np.int16,
    "via": np.uint8,
    "firm": np.uint8,
    "route": np.uint8,
}
"""The columns of a batch by unit: small, as thousands of turns pass through the cache, and unsigned where there is no
"none", as a compiled array asks of each signed place whether it counts from the end."""
LARGEST = 2**20  # a sum of such strengths is no large number


class BatchError(ValueError):
    """Problems that cannot be laid out as one batch."""


class TurnBatch(NamedTuple):
    """Movement turns of one board side by side, ``turns`` x ``units`` (columns beyond ``counts`` are unused).

    The columns are those of :class:`legation.judge.core.Problem`; supports and convoys are matched already. ``route``
    is NO for units that are stranded, whatever their fleets do."""

    near: NDArray[np.uint8]  # provinces x provinces, flat
    rules: NDArray[np.int64]  # turns x RULES_LENGTH
    counts: NDArray[np.int64]  # turns
    place: NDArray[np.uint32]
    owner: NDArray[np.uint16]
    force: NDArray[np.int32]
    order: NDArray[np.uint8]
    target: NDArray[np.uint32]
    helped_unit: NDArray[np.int16]
    via: NDArray[np.uint8]
    firm: NDArray[np.uint8]
    route: NDArray[np.uint8]


def batch_of(problems: Sequence[core.MovementProblem]) -> TurnBatch:
    """Lay dense problems of one board side by side, as
    :meth:`legation.judge.matching.MatchedOrders.problem` makes them.

    :raises BatchError: for no problem at all, problems of several boards, and one that is more than its columns tell
        (partly decided already, say), with its number.
    """
    if not problems:
        raise BatchError("a batch needs a problem")
    board = problems[0].near
    for number, turn in {id(turn): (number, turn) for number, turn in enumerate(problems)}.values():
        if turn.provinces != problems[0].provinces or (turn.near is not board and list(turn.near) != list(board)):
            raise BatchError(f"problem {number} is played on another board than the first")
        if max(map(abs, turn.force), default=0) > LARGEST:
            raise BatchError(f"problem {number} has strengths beyond {LARGEST}")
        if _as_laid_out(turn) != msgspec.structs.replace(turn, work=[]):
            raise BatchError(f"problem {number} is linked or decided already: a batch has no columns for that")
    width = max(turn.n for turn in problems)

    def column(name: str, kind: type[np.integer[Any]]) -> NDArray[Any]:
        rows = np.zeros((len(problems), width), dtype=kind)
        for i, turn in enumerate(problems):
            rows[i, : turn.n] = getattr(turn, name)
        return rows

    return TurnBatch(
        np.frombuffer(bytes(board), dtype=np.uint8).copy(),
        np.array([turn.rules for turn in problems], dtype=np.int64),
        np.array([turn.n for turn in problems], dtype=np.int64),
        *(column(name, kind) for name, kind in COLUMNS.items()),
    )


def _as_laid_out(turn: core.MovementProblem) -> core.MovementProblem:
    """The problem that a batch makes of this one's columns."""
    occupant = [-1] * turn.provinces
    for i, where in enumerate(turn.place):
        occupant[where] = i
    given = [getattr(turn, name) for name in COLUMNS if name != "route"]
    stranded = [i for i, known in enumerate(turn.route) if known == core.NO]
    return core.undecided(turn.provinces, turn.rules, turn.near, given, occupant, stranded)


def resolve_batch(batch: TurnBatch, run: Callable[..., None] | None = None) -> NDArray[np.int8]:
    """Decide every turn of a batch on one core; 1 where a unit's move succeeds, 2 where it fails or the unit does not
    move. ``run`` is the function to do it with, the compiled one if left out."""
    moves = np.zeros(batch.place.shape, dtype=np.int8)
    provinces, width = math.isqrt(len(batch.near)), batch.place.shape[1]
    by_unit = np.zeros((core.LINKED_ROWS, width), np.int32)
    by_province = np.full((2, provinces), -1, np.int32)
    stack = np.zeros(2 * width + 1, np.uint32)
    work = np.zeros(4 * width * width + 16 * width, np.int32)
    run = run or compiled()["resolve_movements"]
    run(batch, by_unit, by_province, (np.zeros(1, np.int32), stack, work), moves)
    return moves
