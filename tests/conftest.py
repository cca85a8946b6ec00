"""What holds for all tests: searches are never ended by a clock, since machines differ; compiled code is kept."""

import os
import sys

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# Tests start hundreds of programs; without its bytecode each would compile the whole project again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

pytest_plugins = ["tests.office.fixtures"]  # an office for every test that asks for one
