"""The layout of a board that comes without positions: neighbors beside each other, and no province a sliver."""

import numpy as np
import pytest

from legation.board import read_board
from legation.variants import find_boards

pytest.importorskip("networkx")

from legation.interop.drawing.embedding import positions, rounder


def stretch(at: dict[str, tuple[float, float]], pairs: set[tuple[str, str]]) -> list[float]:
    """By how much the neighbors of each place with three or more lie farther apart one way than across it."""
    found: list[float] = []
    for key in at:
        near = np.array([np.subtract(at[b if a == key else a], at[key]) for a, b in pairs if key in (a, b)])
        if len(near) > 2:
            least, most = np.linalg.eigvalsh(near.T @ near)
            found.append(float(np.sqrt(most / max(least, 1e-9))))
    return found


def test_a_board_without_positions_is_laid_out_in_round_provinces() -> None:
    board = read_board(find_boards()["standard"])
    pairs = {border.pair for border in board.borders}
    at = positions(board.provinces, pairs, {border.pair for border in board.borders if border.army})
    found = stretch(at, pairs)
    assert np.median(found) < 1.7 and np.quantile(found, 0.9) < 2.4


def test_a_sliver_gets_round_and_nothing_turns_over() -> None:
    """A square with a point that lies almost on its upper side."""
    at = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.93, 0.98]])
    triangles = [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]
    moved = rounder(at, triangles, [0, 1, 2, 3])
    assert np.allclose(moved[:4], at[:4]) and np.allclose(moved[4], [0.5, 0.5], atol=0.02)
    for a, b, c in triangles:
        assert np.linalg.det([moved[b] - moved[a], moved[c] - moved[a]]) > 0


def test_flat_triangles_do_not_stop_the_rest() -> None:
    at = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0], [0.5, 0.05], [0.25, 0.0]])
    moved = rounder(at, [(0, 1, 3), (1, 2, 3), (2, 0, 3), (0, 4, 1)], [0, 1, 2, 4])
    assert moved[3, 1] > 0.2 and np.isfinite(moved).all()
