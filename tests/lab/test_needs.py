"""The lab tells what is missing, and how it is had."""

import subprocess
import sys

HIDDEN = """
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "numba" else find(name, *rest)
import legation.lab
"""


def test_the_lab_names_the_extra_that_it_needs() -> None:
    done = subprocess.run([sys.executable, "-c", HIDDEN], capture_output=True, text=True, check=False)
    assert "the lab needs numba; install it with: pip install 'legation[lab]'" in done.stderr
