"""Which seas the named coasts of a province touch, as the picture shows it. Pure Python.

Where a board says nothing of it, the compass does: a province with as many coasts as its shore has stretches has one
coast on each, and one with as many coasts as seas has one on each of these. In every other case somebody must say it.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from legation.atlas.shapes import Place, Shapes, true_sides

WAYS: Mapping[str, float] = {"ec": 0, "nec": 45, "nc": 90, "nwc": 135, "wc": 180, "swc": 225, "sc": 270, "sec": 315}
"""Where each coast lies, in degrees against the clock from the east."""
MOST_COASTS = 5
Shore = tuple[list[Place], str]
"""A line of a shore and the sea along it."""


def shores_of(shapes: Shapes, lands: Mapping[str, bool]) -> dict[str, list[list[Shore]]]:
    """For each land its stretches of shore, the longest first: lines along water that follow each other. ``lands``
    tells of every province whether it is land."""
    arcs: dict[str, list[Shore]] = defaultdict(list)
    for arc, beside, _ in true_sides(shapes):
        for name, other in itertools.permutations(beside, 2):
            if lands.get(name) and lands.get(other) is False:
                arcs[name].append((arc, other))
    return {name: _stretches(lines) for name, lines in arcs.items()}


def length_of(line: Sequence[Place]) -> float:
    """The length of a line."""
    return sum(math.dist(p, q) for p, q in itertools.pairwise(line))


def _stretches(lines: list[Shore]) -> list[list[Shore]]:
    group = list(range(len(lines)))

    def find(n: int) -> int:
        while group[n] != n:
            n = group[n]
        return n

    at: dict[Place, int] = {}
    for number, (line, _) in enumerate(lines):
        for end in (line[0], line[-1]):
            group[find(number)] = find(at.setdefault(end, number))
    parts: dict[int, list[Shore]] = defaultdict(list)
    for number, line_ in enumerate(lines):
        parts[find(number)].append(line_)
    return sorted(parts.values(), key=lambda part: (-sum(length_of(line) for line, _ in part), part[0][0]))


def seas_by_compass(
    shapes: Shapes, coasts: Mapping[str, Sequence[str]], lands: Mapping[str, bool]
) -> dict[tuple[str, str], frozenset[str]]:
    """For the provinces of ``coasts`` the seas that each of their coasts touches; those of which the picture tells
    nothing for certain are left out."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    shores = shores_of(shapes, lands)
    for name, codes in coasts.items():
        stretches = shores.get(name, [])
        by_sea: dict[str, list[Shore]] = defaultdict(list)
        for shore in itertools.chain(*stretches):
            by_sea[shore[1]].append(shore)
        parts = stretches if len(stretches) == len(codes) else list(by_sea.values())
        if len(parts) != len(codes) or not 2 <= len(codes) <= MOST_COASTS:
            continue
        for code, part in zip(codes, _turned(parts, codes), strict=True):
            found[name, code] = frozenset(sea for _, sea in part)
    return found


def _turned(parts: list[list[Shore]], codes: Sequence[str]) -> Sequence[list[Shore]]:
    """The parts in the order of the coasts that they fit best."""
    middles = [_middle([line for line, _ in part]) for part in parts]
    x, y = (sum(middle[i] for middle in middles) / len(middles) for i in (0, 1))

    def misfit(order: tuple[int, ...]) -> float:
        way = 0.0
        for code, number in zip(codes, order, strict=True):
            angle = math.radians(WAYS[code])
            mx, my = middles[number]
            far = math.dist((x, y), (mx, my)) or 1.0
            way -= ((mx - x) * math.cos(angle) - (my - y) * math.sin(angle)) / far
        return round(way, 9)

    best = min(itertools.permutations(range(len(parts))), key=lambda order: (misfit(order), order))
    return [parts[number] for number in best]


def _middle(lines: Sequence[Sequence[Place]]) -> Place:
    x = y = whole = 0.0
    for (ax, ay), (bx, by) in itertools.chain(*map(itertools.pairwise, lines)):
        length = math.dist((ax, ay), (bx, by))
        x, y, whole = x + length * (ax + bx) / 2, y + length * (ay + by) / 2, whole + length
    return (x / whole, y / whole) if whole else lines[0][0]
