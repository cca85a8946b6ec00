"""Lines of points: made simpler, joined, and written as paths."""

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

Point = tuple[float, float]
Ring = list[Point]
Extent = tuple[float, float, float, float]
"""The left, top, right and bottom of what is drawn."""
GridLine = list[tuple[int, int]]
"""A line in tenths of a unit."""
Coordinate = TypeVar("Coordinate", int, float)
T = TypeVar("T")


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


def join(lines: Sequence[GridLine]) -> list[list[int]]:
    """Join lines at their common ends as far as they go, so that they have no seams; rings close. Return for each
    joined line the numbers of its lines from end to end, ``~n`` of one that runs backwards."""
    ends: dict[tuple[int, int], list[int]] = {}
    for number, line in enumerate(lines):
        for end in (line[0], line[-1]):
            ends.setdefault(end, []).append(number)
    used: set[int] = set()
    joined = []
    for number, line in enumerate(lines):
        if number in used:
            continue
        used.add(number)
        chain, first, last = [number], line[0], line[-1]
        for _ in range(2):  # onward, then from the other end
            while first != last:
                further = next((n for n in ends[last] if n not in used), None)
                if further is None:
                    break
                used.add(further)
                onward = lines[further][0] == last
                chain.append(further if onward else ~further)
                last = lines[further][-1 if onward else 0]
            chain, first, last = [~n for n in reversed(chain)], last, first
        joined.append(chain)
    return joined


def deltas(line: GridLine) -> str:
    """Relative line commands along a line, its first point left out."""
    steps = ((bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(line))
    written = " ".join(f"{dx} {dy}" for dx, dy in steps if dx or dy).replace(" -", "-")
    return "l" + written if written else ""


def polylines(lines: Sequence[GridLine], grain: int, marked: Sequence[Collection[tuple[int, int]]]) -> str:
    """Write lines as encoded polylines (Google 2008). Coordinates are counted in steps of ``grain`` tenths of a unit.
    Each point is written as its distance from the one before, the first point of a line as that from the first of the
    line before. The lowest bit of a point's first number says whether the point is ``marked``."""
    written = []
    start = (0, 0)
    for line, marks in zip(lines, marked, strict=True):
        points = [(round(x / grain), round(y / grain)) for x, y in line]
        text = ""
        for point, (ax, ay), (bx, by) in zip(line, [start, *points], points, strict=False):
            text += _in_letters(2 * _signed(bx - ax) + (point in marks)) + _in_letters(_signed(by - ay))
        written.append(text)
        start = points[0]
    return " ".join(written)


def _signed(number: int) -> int:
    """A whole number with its sign as its lowest bit."""
    return ~(number << 1) if number < 0 else number << 1


def _in_letters(number: int) -> str:
    """A number from 0 in groups of five bits, the lowest first; all but the last have a sixth."""
    return (chr(63 + (number & 31 | 32)) + _in_letters(number >> 5)) if number > 31 else chr(63 + number)


def extent(points: Iterable[Point]) -> Extent:
    """The extent of some points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def near(placed: Iterable[tuple[Extent, T]], about: Extent) -> list[tuple[Extent, T]]:
    """Return those of the placed things whose extent overlaps ``about``, each with its extent."""
    left, top, right, bottom = about
    return [
        one for one in placed if one[0][0] <= right and one[0][2] >= left and one[0][1] <= bottom and one[0][3] >= top
    ]


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
