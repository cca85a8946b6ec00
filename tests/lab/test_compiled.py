"""Processes that would compile the same wait for each other."""

import select
import subprocess
import sys

import pytest

pytest.importorskip("numba", reason="the compiled core needs the extra 'lab'")

WAITS = """
from legation.lab.compiled import compiling_alone
print("waits", flush=True)
with compiling_alone():
    print("compiles", flush=True)
"""


def test_two_processes_do_not_compile_the_same() -> None:
    from legation.lab.compiled import compiling_alone

    with compiling_alone():
        other = subprocess.Popen([sys.executable, "-c", WAITS], stdout=subprocess.PIPE, text=True)
        assert other.stdout is not None and other.stdout.readline() == "waits\n"
        assert not select.select([other.stdout], [], [], 0.3)[0], "it waits until this one is done"
    assert other.communicate()[0] == "compiles\n"
