"""What compiled code is given, and processes that would compile the same: they wait for each other."""

import copy
import select
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("numba", reason="the compiled core needs the extra 'lab'")

from legation.lab.games import Games
from legation.lab.references import Reference
from legation.variants import load

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


def test_arrays_that_lie_in_pieces_are_refused() -> None:
    state = Games(load("standard"), ["pieces"], interpreted=True).state
    Reference(state)
    for units in (state.units[:, :, ::2], state.units.astype(">i4")):
        with pytest.raises(ValueError, match="units does not lie in one piece"):
            Reference(state._replace(units=units))


def test_games_are_not_copied() -> None:
    with pytest.raises(TypeError, match="games cannot be copied"):
        copy.deepcopy(Games(load("standard"), ["copied"], interpreted=True))


@pytest.mark.usefixtures("games_compiled")
@pytest.mark.parametrize("seats", [np.zeros((2, 7), np.int32), np.zeros(7, np.int64)])
def test_arrays_of_another_type_or_shape_are_refused(seats: object) -> None:
    games = Games(load("standard"), ["another"])
    with pytest.raises(TypeError, match="base takes other numbers or arrays"):
        games.call("order_all", 0, base=seats)
    with pytest.raises(TypeError, match="these tables have other types"):
        games.use_tables(games.tables._replace(network=games.tables.network.astype(np.float32)))
