"""The compiled games, made once for all test processes: the first compiles, the others read from disk what it made.

Compiling takes half a minute where nothing is kept: tests that need it are for `make test-all` alone."""

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
def games_compiled() -> None:
    """Compile while no other test process does."""
    if find_spec("numba") is not None and find_spec("pyarrow") is not None:
        from legation.lab.games import compile_all

        compile_all()
