"""The compiled games, made once for all test processes: the first compiles, the others read from disk what it made.

To compile takes minutes of processor time where nothing is kept: tests that need it are for `make test-all` alone."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that ask for the compiled games as longest."""
    for item in items:
        if "games_compiled" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.longest)
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def games_compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Play a short game of each kind of compiled bot while no other test process does."""
    if find_spec("numba") is None or find_spec("pyarrow") is None:
        yield
        return
    from legation.lab.compiled import compiling_alone
    from legation.lab.policy.players import compile_all
    from legation.lab.results import Results
    from legation.lab.running import run
    from legation.lab.runs import RunPlan
    from legation.variants import load

    compile_all()  # first what searches, of which the rest is a part: in one process all is compiled once
    plan = RunPlan("hundred", ("dumbbot", "random", "tactician"), 1, "compiled once", 2, piece=1)
    with compiling_alone():
        for _ in run(Results.begin(tmp_path_factory.getbasetemp() / "compiled", plan), load(plan.variant)):
            pass
    yield
