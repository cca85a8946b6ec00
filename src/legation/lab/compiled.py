"""The lab's functions, compiled: the judge's core and the dense games, translated by numba when they are first needed.

Nothing is written twice. Each function is compiled from its own code; only the names by which it calls its neighbors
are bound to their compiled forms. What is compiled is kept on disk, under a name that changes with any source or
option that it was made from, so that a later process is ready at once."""

import contextlib
import hashlib
import inspect
import os
import sys
from collections import namedtuple
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from logging import getLogger
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from legation.judge import core
from legation.judge.core import bounds, cycles, outcome, problem

LOG = getLogger(__name__)
DENSE = (
    "layout listing moving turning choosing weighing dumb playing judging sheets tactics trying logging seating"
).split()
SOURCES: tuple[ModuleType, ...] = (
    *(problem, bounds, cycles, outcome),
    *(import_module(f"legation.lab.dense.{name}") for name in DENSE),
)
ENTRIES = frozenset(
    "list_changes list_movement list_retreats find_fear judge_outlooks order_all order_with_search play_seats "
    "play_turn search_from try_movements".split()
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
