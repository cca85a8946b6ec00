"""The lab's functions, compiled: the judge's core and the dense games, translated by numba when they are first needed.

Nothing is written twice. Each function is compiled from its own code; only the names by which it calls its neighbors
are bound to their compiled forms. What is compiled is kept on disk, under a name that changes with any source or
option that it was made from, so that a later process is ready at once."""

import contextlib
import gc
import hashlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from logging import getLogger
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from legation.judge.core import bounds, cycles, outcome, problem
from legation.lab.references import Form

LOG = getLogger(__name__)
DENSE = (
    "layout listing moving turning choosing weighing dumb playing judging sheets tactics trying logging seating "
    "answering"
).split()
SOURCES: tuple[ModuleType, ...] = (
    *(problem, bounds, cycles, outcome),
    *(import_module(f"legation.lab.dense.{name}") for name in DENSE),
)
INTERPRETED_ONLY = frozenset({"undecided"})
FLAGS = {"nogil": True, "boundscheck": False, "_nrt": False}
"""Nothing here allocates: without counting references to its arrays it runs several times as fast."""
INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of what only compiled functions call: Python need not be able to call it, and it needs no machine code of its
own (:mod:`~legation.lab.linking`)."""


def log_beginning(done: int, _of: int) -> None:
    """Log a line when compiling begins: nobody should wait for long in silence."""
    if done == 0:
        LOG.warning("compiling the lab's code for this machine; this takes about half a minute, once")


def compiled_answer(forms: tuple[Form, ...], tell: Callable[[int, int], None] = log_beginning) -> Callable[..., int]:
    """Return :func:`~legation.lab.dense.answering.answer`, compiled with all that it calls, or read from disk; it takes
    references of such forms. ``tell`` gets how many functions are compiled, of how many. Other processes that would
    compile for this installation wait, and read what this one has kept."""
    from legation.lab.reference_types import reference_type

    event: Any = import_module("numba.core.event")
    function, functions = _functions()
    kinds = tuple(map(reference_type, forms))
    begun, done = False, 0

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, happens: Any) -> None:
            nonlocal begun
            if not begun:
                begun = True
                tell(0, len(functions))

        def on_end(self, happens: Any) -> None:
            nonlocal done
            if happens.data["dispatcher"] in functions:
                done += 1
                tell(done, len(functions))

    if kinds not in function.overloads:
        with compiling_alone(), _without_collecting(), event.install_listener("numba:compile", Listener()):
            function.compile(kinds)
    return function.overloads[kinds].entry_point  # type: ignore[no-any-return]


def compiles() -> bool:
    """Return whether numba may compile (``NUMBA_DISABLE_JIT`` is not set)."""
    return not import_module("numba").config.DISABLE_JIT


@cache
def _functions() -> tuple[Any, frozenset[Any]]:
    """Return ``answer`` and the set of all functions, as numba dispatchers."""
    import numba

    from legation.lab.linking import InnerCompiler, widen_numbers

    key = _key_of_sources(numba.__version__)
    names: dict[str, Any] = {}
    for source in SOURCES:
        names |= vars(source)
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
        bound.__qualname__ = f"{name}_{key}"
        options = {"cache": True} if name == "answer" else {**INNER, "pipeline_class": InnerCompiler}
        names[name] = njit(**FLAGS, **options)(bound)
        widen_numbers(names[name])
    return names["answer"], frozenset(names[name] for name in functions)


def _key_of_sources(version: str) -> str:
    """A text that changes with any source or option."""
    from legation.lab import linking, reference_types, references

    sources = map(inspect.getsource, (*SOURCES, linking, references, reference_types))
    text = [repr(FLAGS), repr(INNER), version, *sources]
    return hashlib.sha256("\0".join(text).encode()).hexdigest()[:16]


@contextlib.contextmanager
def _without_collecting() -> Iterator[None]:
    """Pause garbage collection, which takes a tenth of the time of compiling."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


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
