"""Which seas the named coasts of a province touch, as the picture shows it. Pure Python.

Where a board says nothing of it, the compass does: a province with as many coasts as its shore has stretches has one
coast on each, and one with as many coasts as seas has one on each of these. In every other case somebody must say it.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from legation.atlas.shapes import Place, Shapes, true_sides
from legation.board.model import Province, parts

WAYS: Mapping[str, float] = {"ec": 0, "nec": 45, "nc": 90, "nwc": 135, "wc": 180, "swc": 225, "sc": 270, "sec": 315}
"""Where each coast lies, in degrees against the clock from the east."""
MOST_COASTS = 5
Shore = tuple[list[Place], str]
"""A line of a shore and the sea along it."""
SeasOfCoasts = Mapping[tuple[str, str], frozenset[str]]
"""Which seas each named coast touches."""


def shores_of(shapes: Shapes, provinces: Mapping[str, Province]) -> dict[str, list[list[Shore]]]:
    """For each land its stretches of shore, the longest first: lines along water that follow each other."""
    arcs: dict[str, list[Shore]] = defaultdict(list)
    for arc, beside, _ in true_sides(shapes):
        for name, other in itertools.permutations(beside, 2):
            if name in provinces and other in provinces and not provinces[name].sea and provinces[other].sea:
                arcs[name].append((arc, other))
    return {name: _stretches(lines) for name, lines in arcs.items()}


def length_of(line: Sequence[Place]) -> float:
    """The length of a line."""
    return sum(math.dist(p, q) for p, q in itertools.pairwise(line))


def _stretches(lines: list[Shore]) -> list[list[Shore]]:
    at: dict[Place, set[int]] = defaultdict(set)
    for number, (line, _) in enumerate(lines):
        for end in (line[0], line[-1]):
            at[end].add(number)
    found = parts({number: at[line[0]] | at[line[-1]] for number, (line, _) in enumerate(lines)})
    stretches = [[lines[number] for number in sorted(part)] for part in found]
    return sorted(stretches, key=lambda part: (-sum(length_of(line) for line, _ in part), part[0][0]))


def silent_coasts(provinces: Mapping[str, Province], known: SeasOfCoasts) -> dict[str, tuple[str, ...]]:
    """The coasts of those provinces of which no coast has its seas listed by the board."""
    return {
        name: p.coasts
        for name, p in provinces.items()
        if p.coasts and not any((name, coast) in known for coast in p.coasts)
    }


def seas_by_compass(shapes: Shapes, provinces: Mapping[str, Province], known: SeasOfCoasts) -> SeasOfCoasts:
    """The seas that each coast touches of which the board says nothing; those of which the picture tells nothing for
    certain are left out."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    silent = silent_coasts(provinces, known)
    shores = shores_of(shapes, provinces) if silent else {}
    for name, codes in silent.items():
        stretches = shores.get(name, [])
        by_sea: dict[str, list[Shore]] = defaultdict(list)
        for shore in itertools.chain(*stretches):
            by_sea[shore[1]].append(shore)
        shared = stretches if len(stretches) == len(codes) else list(by_sea.values())
        if len(shared) != len(codes) or not 2 <= len(codes) <= MOST_COASTS:
            continue
        for code, part in zip(codes, _turned(shared, codes), strict=True):
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
