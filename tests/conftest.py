"""What holds for all tests: what searches draw; that no clock ends them, since machines differ; kept bytecode."""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from typer.main import get_command

from legation.languages import ENGLISH
from legation.variants import USUAL

# Searches draw the same examples in every run, so a change is judged by what it does; `make test-all` draws new ones.
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("anew", deadline=None)
SEARCH = os.environ.get("TESTS_SEARCH", "same")
settings.load_profile(SEARCH)
if SEARCH == "same":
    # Else what is drawn depends on the numbers and texts in whatever modules the tests before have loaded.
    providers._get_local_constants = lambda: providers._local_constants

# Tests start hundreds of programs; without its bytecode each would compile the whole project again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

pytest_plugins = ["tests.office.fixtures", "tests.browser", "tests.rules.manual_folder"]
"""An office, a browser, the manual's rules for every test that asks for one."""

gc.set_threshold(20_000)  # what tests make is mostly let go at once; to look for cycles took a sixth of their time

ALL = frozenset(USUAL.names())
SLOW = Path(__file__).with_name("slow.txt")
"""The tests of which each case takes half a second or more, as ``python -m tests.slow`` found."""
PROGRAMS = ("cli", "client", "daide", "service")  # rooms whose tests wait for servers and programs


@pytest.hookimpl(tryfirst=True)  # before the tests are chosen by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest is long, too; what was found to be slow is marked so."""
    slow = frozenset(SLOW.read_text(encoding="utf-8").split())
    for item in items:
        if item.get_closest_marker("longest"):
            item.add_marker("long")
        if item.nodeid.partition("[")[0] in slow:
            item.add_marker("slow")


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """No test leaves a variant to those after it in the registry that all of a process share."""
    left = set(USUAL.names()).symmetric_difference(ALL)
    assert not left, f"the shared registry has changed: {', '.join(sorted(left))}; use a registry of your own"
    terminal = sys.modules.get("legation.cli.terminal")
    if terminal is not None and terminal.known_variants.cache_info().currsize:
        if set(terminal.known_variants().names()) != ALL:  # of a command that ran in this process
            terminal.known_variants.cache_clear()


@pytest.fixture(scope="module", autouse=True)
def kept_variants_forgotten() -> Iterator[None]:
    """Forget what a file's tests kept of variants: the registry that all of a process share would know them on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(USUAL, "_sources", dict(USUAL._sources))
        yield


def pytest_collection_finish() -> None:
    """Leave all modules and tests out of what is searched for cycles."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def commands_built_once() -> Iterator[None]:
    """Have Typer build the commands once for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.testing._get_command", cache(get_command))
        yield


@pytest.fixture(scope="session", autouse=True)
def one_loop_for_requests() -> Iterator[None]:
    """Have all test clients share one event loop: each request would start and end one, with its threads."""
    if (module := sys.modules.get("starlette.testclient")) is None:  # no test that was chosen asks for a page
        yield
        return
    with pytest.MonkeyPatch.context() as patch, start_blocking_portal() as portal:
        patch.setattr(module.TestClient, "portal", portal)
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_templates_kept(pytestconfig: pytest.Config) -> None:
    """Keep compiled templates, as Python's bytecode is kept; those of other languages hold their messages."""
    kept: pytest.Cache | None = getattr(pytestconfig, "cache", None)
    if (module := sys.modules.get("legation.web.serving.pages")) is not None and kept is not None:
        from jinja2 import FileSystemBytecodeCache

        folder = kept.mkdir("templates")
        module.templates(ENGLISH).bytecode_cache = FileSystemBytecodeCache(str(folder))


@pytest.fixture
def calls(record_property: Callable[[str, object], None], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Count what a test asks of the site: the sum of all tests that walk is printed at the end of a run."""
    from starlette.testclient import TestClient

    send, asked = TestClient.send, count()
    monkeypatch.setattr(TestClient, "send", lambda *given, **more: (next(asked), send(*given, **more))[1])
    yield
    record_property("calls", next(asked))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many calls the walks made."""
    reports = terminalreporter.getreports("")  # of what was set up and torn down
    if walks := [number for report in reports for name, number in report.user_properties if name == "calls"]:
        terminalreporter.write_line(f"{len(walks)} walks of all routes as all roles: {sum(walks):,} calls")


SECONDS = {"longest": 20.0, "long": 3.0, "slow": 0.8}
"""What a test of this mark takes about; any other, next to nothing."""
MOST = 4  # so many tests that differ in parameters are counted


class ByWhatIsWaitedFor:
    """The sequence of the tests that were chosen.

    Each process begins with its own kind of those that wait for others (a browser; pages; programs), and takes what
    waits for nothing then. What takes longest comes first, so that all end at about the same time. With ``--dist
    worksteal`` each process first gets one part of the tests in sequence, as many as any other, and whoever is done
    takes from the end of another's part."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Put the tests in sequence, those of a file together."""
        processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        browsed = {item.path for item in items if "browser" in getattr(item, "fixturenames", ())}
        files: dict[Path, list[pytest.Item]] = {}
        for item in items:
            files.setdefault(item.path, []).append(item)
        takes = {path: _seconds(listed) for path, listed in files.items()}
        parts: list[list[Path]] = [[] for _ in range(processes)]
        rest: list[Path] = []
        for path in files:
            room = path.parent.name
            kind = 0 if path in browsed else 1 if room == "web" else 2 if room in PROGRAMS else 3
            (rest if kind == 3 else parts[kind % processes]).append(path)
        loads = [sum(sum(takes[path]) for path in part) for part in parts]
        units: dict[Path, list[Path]] = {}  # the lab's compiled code is made once: other processes would wait for it
        for path in rest:
            if any(takes[path]):
                units.setdefault(path.parent if path.parent.name == "lab" else path, []).append(path)
        for unit in sorted(units.values(), key=lambda unit: -sum(sum(takes[path]) for path in unit)):
            number = loads.index(min(loads))
            parts[number] += unit
            loads[number] += sum(sum(takes[path]) for path in unit)
        quick = [item for path in rest if not any(takes[path]) for item in files[path]]
        total = len(items)
        items[:] = []
        for number, part in enumerate(parts):
            # of files that take long the largest come first: what their fixtures make is not made again where the last
            # tests of a part are taken over
            part.sort(key=lambda path: (-max(takes[path]), path.parent.name != "lab", -sum(takes[path])))
            items += [item for path in part for item in files[path]]
            more = max(0, total * (number + 1) // processes - len(items))
            items += quick[:more]
            del quick[:more]
        items += quick


def _seconds(items: list[pytest.Item]) -> list[float]:
    """What tests of a file take about. Of one that has many parameters, most take next to nothing."""
    taken: dict[str, list[float]] = {}
    for item in items:
        mark = next((mark for mark in SECONDS if item.get_closest_marker(mark)), "")
        if "games_compiled" in getattr(item, "fixturenames", ()):
            mark = "long"  # it is longest for what is compiled, once
        taken.setdefault(getattr(item, "originalname", item.name), []).append(SECONDS.get(mark, 0.0))
    return [seconds for each in taken.values() for seconds in sorted(each)[-MOST:]]


def pytest_configure(config: pytest.Config) -> None:
    """Sort after all others have chosen."""
    config.pluginmanager.register(ByWhatIsWaitedFor())
