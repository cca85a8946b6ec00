"""Tries mutants: each in a process of its own, where the changed text takes the place of its file.

Nothing is written to the disk. The children are forked from a process that has loaded the libraries, but nothing of the
project, so that a mutant that the case files notice is dead in about a second. After the cases come the tests, those
first that run the mutant's line where a map of that was made (:mod:`tests.mutants.reach`), up to the first that fails,
or until so much work is done."""

import contextlib
import importlib
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
from tests.mutants.reach import ELSEWHERE, NOT_TRIED, kept_reach

# Seconds of work for one test, and bytes: a mutant that goes beyond never ends, which is noticed. The clock's limit is
# wide: the machine may be busy.
MOST_WORK = 90
MOST_MEMORY = 8 << 30
LONGEST = 3600
AT_ONCE = 6  # tests that are collected together at first; then twice as many each time

# After the case files, which prove the rules and are fast, come the rooms' tests, these first.
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
    "office": ("office", "proofs", "mail", "web", "service"),
    "proofs": ("proofs", "office"),
    "variants": ("variants", "board", "rules"),
}
# Compiling the core takes longer than everything else and sees what the interpreted one sees; the others start
# processes.
LEFT_OUT = ("tests/variants/test_registry.py::test_the_command_line_turns_paths_into_names",)
LIBRARIES = "hypothesis pytest rapidfuzz sqlalchemy alembic nacl.signing fastapi shapely PIL.Image numpy".split()


class Told(msgspec.Struct, frozen=True):
    """What a child tells: ``noticed`` names the first case or test that failed (empty: none did), ``tests`` how many it
    tried, ``whole`` whether those were all of the room's."""

    noticed: str = ""
    tests: int = 0
    whole: bool = True


class Result(msgspec.Struct, frozen=True):
    """What became of a mutant, and how long it took by the clock."""

    mutant: Mutant
    told: Told
    seconds: float

    @property
    def noticed(self) -> str:
        """The first case or test that failed; empty if none did."""
        return self.told.noticed


def try_all(mutants: Sequence[Mutant], workers: int = 2, work: float = 40) -> Iterator[Result]:
    """Try mutants, so many at a time, with so many seconds of work for the tests of each; results come as they are
    known."""
    for library in LIBRARIES:  # what every child would load again
        importlib.import_module(library)
    waiting = list(reversed(mutants))
    running: dict[int, tuple[Mutant, int, float]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                mutant = waiting.pop()
                pid, pipe = _start(mutant, work)
                running[pid] = (mutant, pipe, time.monotonic())
            time.sleep(0.02)
            for pid, (mutant, pipe, began) in list(running.items()):
                done, _ = os.waitpid(pid, os.WNOHANG)
                seconds = time.monotonic() - began
                told = None
                if done:
                    said = os.read(pipe, 65536)
                    told = msgspec.json.decode(said, type=Told) if said else Told("it never ended")
                elif seconds > LONGEST:
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
                    told = Told("it waits for ever")
                if told is not None:
                    os.close(pipe)
                    del running[pid]
                    yield Result(mutant, told, seconds)
    finally:
        for pid in running:
            os.kill(pid, signal.SIGKILL)


def _start(mutant: Mutant, work: float) -> tuple[int, int]:
    mapped = [test for reach in kept_reach() for test in reach.tests_of(mutant.path, mutant.line)]
    tests = [*dict.fromkeys(mapped), *(f"tests/{name}" for name in TESTS[Path(mutant.path).parts[2]])]
    end, start = os.pipe()
    pid = os.fork()
    if pid:
        os.close(start)
        return pid, end
    told = Told()
    try:
        allow_work()
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            told = _notice(mutant, tests, work)
    except BaseException as error:  # whatever breaks, breaks because of the mutant
        told = Told(f"{type(error).__name__}: {error}"[:300])
    finally:
        os.write(start, msgspec.json.encode(told))
        os._exit(0)
    raise AssertionError("a child has ended")


def allow_work() -> None:
    """Let this process work on for as long as one test may."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + MOST_WORK, resource.RLIM_INFINITY))


def _notice(mutant: Mutant, tests: Sequence[str], work: float) -> Told:
    """The first thing that fails with a mutant in place."""
    put_in_place(mutant)
    if Path(mutant.path).parts[2] != "office":  # no case file asks the office
        if failed := _failed_case(mutant):
            return Told(failed)
    return _failed_test(tests, work)


def _failed_case(mutant: Mutant) -> str:
    """The first case file's case that fails; empty if none does."""
    from legation.conformance import find_cases, read_cases, run_case
    from legation.variants import USUAL, VariantError, load, names

    touched = names()
    if not mutant.path.endswith(".py"):  # only the variants that stand on the file can tell
        part = Path(mutant.path)
        try:
            touched = [n for n in names() if part.stem == n or USUAL.facts(n).get("board") == part.parent.name]
            for name in touched:
                load(name)
        except (VariantError, AttributeError) as error:
            return f"load: {error}"
    for path in find_cases():
        for case in read_cases(path):
            if case.variant in touched or not case.shipped:
                if problems := run_case(case).problems:
                    return f"case {case.name}: {problems[0]}"[:300]
    return ""


def _failed_test(tests: Sequence[str], work: float) -> Told:
    """The first of these tests that fails, as far as the work goes."""
    import pytest

    left_out = [f"--deselect={name}" for name in LEFT_OUT]
    options = ["-x", "-q", "-p", "no:cacheprovider", f"--rootdir={ROOT}", "-m", NOT_TRIED, "-k", ELSEWHERE, *left_out]
    recorder = _Recorder(time.process_time() + work)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = scratch  # what one mutant taught is not for the next
        waiting, some = list(tests), AT_ONCE
        while waiting and not recorder.tired:
            now, waiting, some = waiting[:some], waiting[some:], 2 * some
            status = pytest.main([*options, *(str(ROOT / node) for node in now)], plugins=[recorder])
            if recorder.failed or status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                if recorder.failed or not recorder.tired:
                    return Told(f"test {recorder.failed or 'that could not be collected'}"[:300], recorder.count)
    return Told("", recorder.count, not recorder.tired)


class _Recorder:
    """Notes the first test that fails, and ends the tests when the work is done."""

    def __init__(self, until: float) -> None:
        self.until, self.failed, self.count, self.tired = until, "", 0, False

    def pytest_runtest_logstart(self) -> None:
        allow_work()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_runtest_teardown(self, item: Any) -> None:
        self.count += 1
        if time.process_time() > self.until:
            self.tired, item.session.shouldstop = True, "the work is done"


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
