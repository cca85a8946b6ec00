"""Rounder triangles for a plane drawing: each corner moves to where those around it are less long and more even."""

from collections.abc import Iterable

import numpy as np

Triangle = tuple[int, int, int]
ROUNDS = 300
EVENNESS = 0.35
"""How much an even size of the triangles counts beside their shape."""
ROUND = 4 * np.sqrt(3)
"""The squares of the sides of an equilateral triangle, by its area."""


def rounder(at: np.ndarray, triangles: Iterable[Triangle], fixed: Iterable[int]) -> np.ndarray:
    """The corners of a drawing moved so that no triangle is a sliver, and none turned over.

    The energy of a triangle grows without end as it gets flat, so that a step that would turn one over is too dear."""
    corners = np.array(list(triangles), dtype=np.int64).reshape(-1, 3)
    if not len(corners):
        return at
    areas = areas_of(at, corners)
    sense = float(np.sign(np.median(areas)))
    mean = float(np.abs(areas).mean())
    corners = corners[areas * sense > 1e-6 * mean]
    if not len(corners):
        return at
    free = np.zeros(len(at), dtype=bool)
    free[corners.ravel()] = True
    free[list(fixed)] = False
    energy, slope = _energy(at, corners, sense, mean)
    step = 1.0
    for _ in range(ROUNDS):
        length = np.hypot(*slope.T)
        room = np.sqrt(_least_area(at, corners))
        way = np.where(free, np.minimum(1.0, length) * room / np.maximum(length, 1e-12), 0.0)[:, None] * slope
        while step > 1e-4:
            moved = at - step * way
            lower, steeper = _energy(moved, corners, sense, mean)
            if lower < energy:
                break
            step /= 2
        else:
            break
        gained, at, energy, slope = energy - lower, moved, lower, steeper
        step = min(1.0, 1.5 * step)
        if gained < 1e-5 * energy:
            break
    return at


def areas_of(at: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The areas of triangles, below 0 for those that turn the other way."""
    a, b, c = (at[corners[:, i]] for i in range(3))
    areas: np.ndarray = ((b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1])) / 2
    return areas


def _least_area(at: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """For each point the area of the smallest triangle that it is a corner of."""
    least = np.full(len(at), np.inf)
    areas = np.abs(areas_of(at, corners))
    for column in range(3):
        np.minimum.at(least, corners[:, column], areas)
    return np.where(np.isfinite(least), least, 0.0)


def _energy(at: np.ndarray, corners: np.ndarray, sense: float, mean: float) -> tuple[float, np.ndarray]:
    """The energy of a drawing, infinite if a triangle is flat or turned over, and its slope at each point."""
    slope = np.zeros_like(at)
    areas = sense * areas_of(at, corners)
    if areas.min() <= 0:
        return np.inf, slope
    points = [at[corners[:, i]] for i in range(3)]
    squares = sum(((points[i] - points[i - 1]) ** 2).sum(axis=1) for i in range(3))
    by_area = -squares / areas**2 / ROUND + EVENNESS * (1 / mean - mean / areas**2)
    for i in range(3):
        here, after, before = points[i], points[(i + 1) % 3], points[i - 1]
        turned = np.stack([after[:, 1] - before[:, 1], before[:, 0] - after[:, 0]], axis=1)
        sides = 2 * (2 * here - after - before) / (areas * ROUND)[:, None]
        np.add.at(slope, corners[:, i], sides + (by_area * sense / 2)[:, None] * turned)
    return float((squares / areas / ROUND + EVENNESS * (areas / mean + mean / areas)).sum()), slope
