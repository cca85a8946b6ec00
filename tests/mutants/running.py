"""Tries mutants: each in a process of its own, where the changed text takes the place of its file.

Nothing is written to the disk. The children are forked from a process that has loaded the libraries, but nothing of the
project, so that a mutant that the case files notice is dead in about a second.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import msgspec

from tests.mutants.code import ROOT, SOURCE, Mutant

# Seconds of work for one mutant; one that never ends is noticed. The clock's limit is wide: the machine may be busy.
MOST_WORK = 240
LONGEST = 3600

# After the case files, which prove the rules and are fast, come the fast tests that look closest, then the rooms'.
FIRST = (
    "rules/test_played_turns.py",
    "judge/test_refusals.py",
    "rules/test_state.py",
    "rules/test_rules_as_told.py",
    "rules/test_setting_bounds.py",
    "judge/test_reasons.py",
)
TESTS = {
    "judge": ("judge/test_core.py", *FIRST, "judge", "rules", "game", "variants"),
    "rules": (*FIRST, "rules", "variants", "notation", "game", "judge"),
    "office": tuple(
        f"office/test_{name}.py"
        for name in ("seals", "orders_ahead", "permissions", "keeper", "pictures", "desk", "chain", "lives", "parties")
    ),
    "variants": ("variants/test_names_kept.py", "rules/test_rules_as_told.py", "variants", "board", "rules"),
}
# Compiling the core takes longer than everything else and sees what the interpreted one sees; the others start
# processes.
LEFT_OUT = (
    "tests/lab/test_compiled.py",
    "tests/variants/test_registry.py::test_the_command_line_turns_paths_into_names",
)


class Result(msgspec.Struct, frozen=True):
    """What became of a mutant: ``noticed`` names the first case or test that failed; empty if none did."""

    mutant: Mutant
    noticed: str
    seconds: float


def try_all(mutants: Sequence[Mutant], workers: int = 2) -> Iterator[Result]:
    """Try mutants, so many at a time; results come as they are known."""
    import hypothesis  # noqa: F401  # what every child would load again
    import pytest  # noqa: F401
    import rapidfuzz  # noqa: F401

    waiting = list(reversed(mutants))
    running: dict[int, tuple[Mutant, int, float]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                mutant = waiting.pop()
                pid, pipe = _start(mutant)
                running[pid] = (mutant, pipe, time.monotonic())
            time.sleep(0.02)
            for pid, (mutant, pipe, began) in list(running.items()):
                done, _ = os.waitpid(pid, os.WNOHANG)
                seconds = time.monotonic() - began
                noticed = None
                if done:
                    noticed = os.read(pipe, 65536).decode(errors="replace") or "it never ended"
                elif seconds > LONGEST:
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
                    noticed = "it waits for ever"
                if noticed is not None:
                    os.close(pipe)
                    del running[pid]
                    yield Result(mutant, "" if noticed == "nothing" else noticed, seconds)
    finally:
        for pid in running:
            os.kill(pid, signal.SIGKILL)


def _start(mutant: Mutant) -> tuple[int, int]:
    end, start = os.pipe()
    pid = os.fork()
    if pid:
        os.close(start)
        return pid, end
    told = "nothing"
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_WORK, MOST_WORK))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            told = _notice(mutant) or "nothing"
    except BaseException as error:  # whatever breaks, breaks because of the mutant
        told = f"{type(error).__name__}: {error}"
    finally:
        os.write(start, told[:300].encode())
        os._exit(0)
    raise AssertionError("a child has ended")


def _notice(mutant: Mutant) -> str:
    """The first thing that fails with a mutant in place."""
    put_in_place(mutant)
    room = Path(mutant.path).parts[2]
    if room == "office":  # no case file asks the office
        return _failed_test(room)
    from legation.conformance import find_cases, read_cases, run_case
    from legation.variants import VariantError, load, names, variant_facts

    touched = names()
    if not mutant.path.endswith(".py"):  # only the variants that stand on the file can tell
        part = Path(mutant.path)
        try:
            touched = [n for n in names() if part.stem == n or variant_facts(n).get("board") == part.parent.name]
            for name in touched:
                load(name)
        except (VariantError, AttributeError) as error:
            return f"load: {error}"
    for path in find_cases():
        for case in read_cases(path):
            if case.variant in touched or not case.shipped:
                if problems := run_case(case).problems:
                    return f"case {case.name}: {problems[0]}"
    return _failed_test(room)


def _failed_test(room: str) -> str:
    """The first test of a room that fails; empty if none does."""
    import pytest

    folders = [str(ROOT / "tests" / folder) for folder in TESTS[room]]
    left_out = [f"--deselect={name}" for name in LEFT_OUT]
    recorder = _Recorder()
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = scratch  # what one mutant taught is not for the next
        options = ["-x", "-q", "-p", "no:cacheprovider", f"--rootdir={ROOT}", *left_out]
        status = pytest.main([*options, *folders], plugins=[recorder])
    return "" if status == 0 else f"test {recorder.failed or 'that could not be collected'}"


class _Recorder:
    failed = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


def put_in_place(mutant: Mutant) -> None:
    """From now on this process finds the mutant where its file stands."""
    path = ROOT / mutant.path
    if path.suffix == ".py":
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        sys.meta_path.insert(0, _Finder(name, path, mutant.text))
        return
    real = Path.open

    def opened(self: Path, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if self != path:
            return real(self, mode, *args, **kwargs)
        return io.BytesIO(mutant.text.encode()) if "b" in mode else io.StringIO(mutant.text)

    def read_text(self: Path, encoding: str | None = None, errors: str | None = None) -> str:
        with opened(self, "r", encoding=encoding, errors=errors) as file:
            return str(file.read())

    def read_bytes(self: Path) -> bytes:
        with opened(self, "rb") as file:
            return bytes(file.read())

    for name, reading in (("open", opened), ("read_text", read_text), ("read_bytes", read_bytes)):
        setattr(Path, name, reading)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds one module, and makes it of the mutant's text."""

    def __init__(self, name: str, path: Path, text: str) -> None:
        self.name = name
        self.path = path
        self.text = text

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        package = self.path.name == "__init__.py"
        spec = importlib.machinery.ModuleSpec(fullname, self, origin=str(self.path), is_package=package)
        if package:
            spec.submodule_search_locations = [str(self.path.parent)]
        spec.has_location = True
        return spec

    def get_source(self, fullname: str) -> str:
        return self.text

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, str(self.path), "exec", dont_inherit=True)
