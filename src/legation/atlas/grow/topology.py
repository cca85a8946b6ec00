"""Border lines as arcs that both neighbors share, and the rings that they form."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence

import msgspec
from shapely.geometry import Point, Polygon

from legation.atlas.grow.partition import Piece

Vertex = tuple[int, int]
"""A place on the grid of 0.1 km."""
Line = list[Vertex]


class Arc(msgspec.Struct):
    """A line between two nodes, with the owners on its left and right, going along it with x to the right and y up; None: outside the frame."""

    line: Line
    left: str | None
    right: str | None


class Topology(msgspec.Struct):
    """The arcs of a map and, for each owner, polygons of rings of arc numbers (``~n``: arc n backwards)."""

    arcs: list[Arc]
    rings: dict[str, list[list[list[int]]]]


def build(pieces: Sequence[Piece]) -> Topology:
    """The topology of pieces that cover the frame; borders between pieces of one owner vanish."""
    owners: dict[tuple[Vertex, Vertex], str] = {}
    for piece in pieces:
        for number, ring in enumerate((piece.shape.exterior, *piece.shape.interiors)):
            line = [(round(x * 10), round(y * 10)) for x, y in ring.coords]
            if _turns_left(line) != (number == 0):
                line.reverse()
            for a, b in itertools.pairwise(line):
                if a != b:
                    owners[a, b] = piece.owner
    sides: dict[tuple[Vertex, Vertex], tuple[str | None, str | None]] = {}
    ways: dict[Vertex, list[Vertex]] = defaultdict(list)
    for (a, b), left in owners.items():
        right = owners.get((b, a))
        if left != right and (a, b) not in sides:
            sides[a, b] = (left, right)
            sides[b, a] = (right, left)
            ways[a].append(b)
            ways[b].append(a)
    for spread in ways.values():
        spread.sort()

    def through(v: Vertex) -> bool:
        if len(ways[v]) != 2:
            return False
        a, b = ways[v]
        return sides[a, v] == sides[v, b]

    arcs: list[Arc] = []
    done: set[tuple[Vertex, Vertex]] = set()

    def walk(start: Vertex, second: Vertex) -> None:
        if (start, second) in done:
            return
        line = [start, second]
        while line[-1] != start and through(line[-1]):
            a, b = ways[line[-1]]
            line.append(b if a == line[-2] else a)
        for a, b in itertools.pairwise(line):
            done.add((a, b))
            done.add((b, a))
        arcs.append(Arc(line, *sides[start, second]))

    nodes = sorted(v for v in ways if not through(v))
    for node in nodes:
        for second in ways[node]:
            walk(node, second)
    for vertex in sorted(ways):  # closed lines without a node
        for second in ways[vertex]:
            walk(vertex, second)
    return Topology(arcs, _rings(arcs))


def _turns_left(line: Sequence[Vertex]) -> bool:
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in itertools.pairwise(line)) > 0


def _rings(arcs: Sequence[Arc]) -> dict[str, list[list[list[int]]]]:
    """Trace each owner's rings with the owner on the left, turning as sharply left as can be where several ways are open."""
    starts: dict[tuple[str, Vertex], list[int]] = defaultdict(list)
    for number, arc in enumerate(arcs):
        if arc.left is not None:
            starts[arc.left, arc.line[0]].append(number)
        if arc.right is not None:
            starts[arc.right, arc.line[-1]].append(~number)

    def line_of(number: int) -> Line:
        return arcs[number].line if number >= 0 else arcs[~number].line[::-1]

    def turn(last: int, after: int) -> float:
        (ax, ay), (bx, by) = line_of(last)[-2:]
        (cx, cy), (dx, dy) = line_of(after)[:2]
        angle = math.atan2(dy - cy, dx - cx) - math.atan2(ay - by, ax - bx)
        return -angle % (2 * math.pi) or 2 * math.pi

    rings: dict[str, list[list[int]]] = defaultdict(list)
    used: set[int] = set()
    for (owner, _), numbers in sorted(starts.items()):
        for first in numbers:
            if first in used:
                continue
            ring = [first]
            used.add(first)
            while True:
                end = line_of(ring[-1])[-1]
                options = [n for n in starts[owner, end] if n not in used]
                if end == line_of(first)[0]:
                    options.append(first)
                after = min(options, key=lambda n: turn(ring[-1], n))
                if after == first:
                    break
                ring.append(after)
                used.add(after)
            rings[owner].append(ring)
    found: dict[str, list[list[list[int]]]] = {}
    for owner, traced in rings.items():
        shells: list[tuple[list[int], Polygon]] = []
        holes: list[tuple[list[int], Line]] = []
        for ring in traced:
            line = [v for number in ring for v in line_of(number)[:-1]]
            if _turns_left([*line, line[0]]):
                shells.append((ring, Polygon(line)))
            else:
                holes.append((ring, line))
        shells.sort(key=lambda shell: (-shell[1].area, shell[0]))
        polygons = [[shell] for shell, _ in shells]
        for ring, line in holes:
            spot = Polygon(line).representative_point()
            outside = [i for i, (_, shape) in enumerate(shells) if shape.contains(spot)]
            if not outside:
                outside = [i for i, (_, shape) in enumerate(shells) if shape.intersects(Point(line[0]))]
            polygons[outside[-1]].append(ring)
        found[owner] = polygons
    return found
