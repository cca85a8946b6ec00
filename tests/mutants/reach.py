"""Which tests run which lines: looked up once, by running the tests under coverage, and kept in ``.mutants``.

A mutant is then tried on the tests that run its line, the quickest first, before any others."""

import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import coverage
import msgspec
import pytest

from tests.mutants.code import ROOMS, ROOT, SOURCE

KEPT = ROOT / ".mutants"
NOT_TRIED = "not long and not browser"
ELSEWHERE = "not postgresql"  # the same tests as with SQLite, and slower


class Reach(msgspec.Struct):
    """What a run of tests saw: seconds of work by test, and by file and line the tests (by number) that ran it."""

    seconds: dict[str, float] = {}
    lines: dict[str, dict[int, list[int]]] = {}

    def tests_of(self, path: str, line: int) -> list[str]:
        """The tests that run a line, or where none does, anything of its file; the quickest first."""
        known, names = self.lines.get(path, {}), list(self.seconds)
        found = {*known.get(line, ())} or {test for tests in known.values() for test in tests}
        return sorted((names[test] for test in found), key=lambda name: self.seconds[name])


def kept_reach() -> list[Reach]:
    """What earlier runs saw; none before the first ``--map``."""
    return [msgspec.json.decode(path.read_bytes(), type=Reach) for path in sorted(KEPT.glob("*.json"))]


def map_tests(name: str, folders: list[str]) -> int:
    """Run these tests under coverage and keep what they ran, in place of what the run of this name saw before."""
    recorder = Recorder()
    options = ["-q", "-p", "no:cacheprovider", "-m", NOT_TRIED, "-k", ELSEWHERE, f"--rootdir={ROOT}"]
    status = pytest.main([*options, *(str(ROOT / "tests" / folder) for folder in folders)], plugins=[recorder])
    KEPT.mkdir(exist_ok=True)
    (KEPT / f"{name}.json").write_bytes(msgspec.json.encode(recorder.reach()))
    return int(status)


class Recorder:
    """A pytest plugin that notes which lines each test runs."""

    def __init__(self) -> None:
        rooms = [str(SOURCE / "legation" / room) for room in ROOMS]
        self.coverage = coverage.Coverage(data_file=None, source=rooms, config_file=False, concurrency="thread")
        self.seconds: dict[str, float] = {}
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Generator[None, object, object]:
        began = time.process_time()
        self.coverage.switch_context(item.nodeid)
        outcome = yield
        self.seconds[item.nodeid] = round(time.process_time() - began, 3)
        self.coverage.switch_context("")
        return outcome

    def reach(self) -> Reach:
        """What was seen, once all tests have run."""
        self.coverage.stop()
        data, numbers = self.coverage.get_data(), {test: n for n, test in enumerate(self.seconds)}
        lines = {
            Path(file).relative_to(ROOT).as_posix(): {
                line: sorted(numbers[test] for test in tests if test in numbers)
                for line, tests in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        return Reach(self.seconds, lines)
