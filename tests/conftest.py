"""What holds for all tests: searches are never ended by a clock, since machines differ; compiled code is kept."""

import os
import sys

import pytest
from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# Tests start hundreds of programs; without its bytecode each would compile the whole project again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

pytest_plugins = ["tests.office.fixtures", "tests.browser"]  # an office, a browser for every test that asks for one

WAITING = ("web", "service", "cli", "daide", "client")  # rooms whose tests wait for browsers, servers and programs


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put first what waits for other processes; the rest fills the time between, on every processor."""
    items.sort(key=lambda item: item.path.parent.name not in WAITING)
