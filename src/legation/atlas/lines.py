"""Lines of points: made simpler, joined, and written as paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Point = tuple[float, float]
Ring = list[Point]
GridLine = list[tuple[int, int]]
"""A line in tenths of a unit."""
Coordinate = TypeVar("Coordinate", int, float)


def simplify(line: Sequence[tuple[Coordinate, Coordinate]], off_line: float) -> list[tuple[Coordinate, Coordinate]]:
    """The line without points less than ``off_line`` away from what is left of it (Douglas and Peucker 1973). Ends
    stay, and of a ring the farthest point."""
    limit = off_line * off_line
    last = len(line) - 1
    keep = [False] * (last + 1)
    keep[0] = keep[last] = True
    stack = [(0, last)]
    if last > 2 and line[0] == line[last]:
        far = max(range(1, last), key=lambda i: (line[i][0] - line[0][0]) ** 2 + (line[i][1] - line[0][1]) ** 2)
        keep[far] = True
        stack = [(0, far), (far, last)]
    while stack:
        i, j = stack.pop()
        ax, ay = line[i]
        dx, dy = line[j][0] - ax, line[j][1] - ay
        norm = dx * dx + dy * dy
        worst, at = 0.0, -1
        for k in range(i + 1, j):
            x, y = line[k][0] - ax, line[k][1] - ay
            off = (x * dy - y * dx) ** 2 / norm if norm else float(x * x + y * y)
            if off > worst:
                worst, at = off, k
        if worst > limit:
            keep[at] = True
            stack += [(i, at), (at, j)]
    return [point for point, kept in zip(line, keep, strict=True) if kept]


def join(lines: list[GridLine]) -> list[GridLine]:
    """Lines joined at their common ends as far as they go, so that they have no seams; rings where they close."""
    ends: dict[tuple[int, int], list[int]] = {}
    for number, line in enumerate(lines):
        for end in (line[0], line[-1]):
            ends.setdefault(end, []).append(number)
    used: set[int] = set()
    joined = []
    for number, start in enumerate(lines):
        if number in used:
            continue
        used.add(number)
        line = list(start)
        for _ in range(2):  # onward, then from the other end
            while line[0] != line[-1]:
                further = next((n for n in ends[line[-1]] if n not in used), None)
                if further is None:
                    break
                used.add(further)
                line += lines[further][1:] if lines[further][0] == line[-1] else lines[further][-2::-1]
            line.reverse()
        joined.append(line)
    return joined


def deltas(line: GridLine) -> str:
    """Relative line commands along a line, its first point left out."""
    words: list[str] = []
    x, y = line[0]
    for nx, ny in line[1:]:
        dx, dy = nx - x, ny - y
        if dx or dy:
            words.append(f"{dx} {dy}" if dy >= 0 else f"{dx}{dy}")
            x, y = nx, ny
    out = ""
    for word in words:
        out += word if not out or word[0] == "-" else " " + word
    return "l" + out if out else ""


def ring_area(ring: Ring) -> float:
    """The area of a ring in square units, its sign telling which way it runs."""
    total = 0.0
    ax, ay = ring[-1]
    for bx, by in ring:
        total += ax * by - bx * ay
        ax, ay = bx, by
    return total / 2


def area(polygon: list[Ring]) -> float:
    """The area of a polygon; holes run the other way round and count negative."""
    return abs(sum(map(ring_area, polygon)))
