"""Border lines as arcs that both neighbors share, and the rings that they form."""

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence

import msgspec
from shapely import dwithin, get_coordinates, get_parts, make_valid, points, prepare, union_all
from shapely.geometry import LineString, MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry

from legation.atlas.grow.partition import ALONG, Piece

Vertex = tuple[int, int]
"""A place on the grid of 0.1 km."""
Line = list[Vertex]
Side = tuple[Vertex, Vertex]
Sides = dict[Side, tuple[str | None, str | None]]


class Arc(msgspec.Struct):
    """A line between two nodes, with the owners on its left and right, going along it with x to the right and y up;
    None: outside the frame."""

    line: Line
    left: str | None
    right: str | None


class Topology(msgspec.Struct):
    """The arcs of a map and, for each owner, polygons of rings of arc numbers (``~n``: arc n backwards)."""

    arcs: list[Arc]
    rings: dict[str, list[list[list[int]]]]

    def body(self, name: str) -> MultiPolygon:
        """The shape of an owner in km."""
        polygons = []
        for rings in self.rings[name]:
            lines = []
            for ring in rings:
                line: list[tuple[float, float]] = []
                for number in ring:
                    arc = self.arcs[number].line if number >= 0 else self.arcs[~number].line[::-1]
                    line += [(x / 10, y / 10) for x, y in arc[:-1]]
                lines.append(line)
            polygon = make_valid(Polygon(lines[0], lines[1:]))
            polygons += [p for p in get_parts(polygon) if isinstance(p, Polygon)]
        return MultiPolygon(polygons)


def build(pieces: Sequence[Piece], least: Callable[[str, str], float], edge: BaseGeometry | None = None) -> Topology:
    """The topology of pieces that cover the frame; borders between pieces of one owner vanish.

    An arc lies along ``edge`` (in km) as a whole or not at all. ``least`` tells from which common length (km) two
    owners count as neighbors; shorter contacts shrink to a point, so that the picture is clear."""
    sides, ways = _sides(pieces)
    along = _along(sides, edge)

    def through(v: Vertex) -> bool:
        if len(ways[v]) != 2:
            return False
        a, b = ways[v]
        return sides[a, v] == sides[v, b] and ((a, v) in along) == ((v, b) in along)

    arcs: list[Arc] = []
    done: set[Side] = set()
    for start in sorted(ways, key=lambda v: (through(v), v)):  # the nodes, then closed lines without one
        for second in ways[start]:
            if (start, second) in done:
                continue
            line = [start, second]
            while line[-1] != start and through(line[-1]):
                a, b = ways[line[-1]]
                line.append(b if a == line[-2] else a)
            for a, b in itertools.pairwise(line):
                done |= {(a, b), (b, a)}
            arcs.append(Arc(line, *sides[start, second]))
    arcs = _contract(arcs, least)
    return Topology(arcs, _rings(arcs))


def _sides(pieces: Sequence[Piece]) -> tuple[Sides, dict[Vertex, list[Vertex]]]:
    """The owners left and right of each side that parts two, and the sides that lead from each place, in order."""
    owners: dict[Side, str] = {}
    for piece in pieces:
        for number, ring in enumerate((piece.shape.exterior, *piece.shape.interiors)):
            line = [(round(x * 10), round(y * 10)) for x, y in ring.coords]
            if _turns_left(line) != (number == 0):
                line.reverse()
            owners |= {(a, b): piece.owner for a, b in itertools.pairwise(line) if a != b}
    sides: Sides = {}
    ways: dict[Vertex, list[Vertex]] = defaultdict(list)
    for (a, b), left in owners.items():
        right = owners.get((b, a))
        if left != right and (a, b) not in sides:
            sides[a, b], sides[b, a] = (left, right), (right, left)
            ways[a].append(b)
            ways[b].append(a)
    for spread in ways.values():
        spread.sort()
    return sides, ways


def _along(sides: Collection[Side], edge: BaseGeometry | None) -> set[Side]:
    if edge is None:
        return set()
    each = list(sides)
    middles = points([((ax + bx) / 20, (ay + by) / 20) for (ax, ay), (bx, by) in each])
    prepare(edge)
    near = dwithin(edge, middles, ALONG)
    return {side for side, yes in zip(each, near, strict=True) if yes}


def _simple_rings(ring: list[int], line_of: Callable[[int], Line]) -> list[list[int]]:
    """A ring cut apart where it touches itself, so that a hole that touches the outline is a hole of its own."""
    rings: list[list[int]] = []
    way: list[int] = []
    for number in ring:
        way.append(number)
        end = line_of(number)[-1]
        for start, earlier in enumerate(way):
            if line_of(earlier)[0] == end:
                rings.append(way[start:])
                del way[start:]
                break
    return rings


def _contract(arcs: list[Arc], least: Callable[[str, str], float]) -> list[Arc]:
    """Shrink each contact that is too short to count to a point, where nothing stands in the way."""
    lengths: dict[tuple[str, str], float] = defaultdict(float)
    for arc in arcs:
        if arc.left is not None and arc.right is not None:
            pair = min(arc.left, arc.right), max(arc.left, arc.right)
            lengths[pair] += LineString(arc.line).length / 10
    short = [(length, pair) for pair, length in lengths.items() if length < least(*pair) * 1.02]
    for _, pair in sorted(short):
        for arc in [a for a in arcs if a.left in pair and a.right in pair]:
            start, end = arc.line[0], arc.line[-1]
            touching = [a for a in arcs if a is not arc and {a.line[0], a.line[-1]} & {start, end}]
            shores = [a for a in touching if a.left is None or a.right is None or not least(a.left, a.right)]
            firm = [node for node in (start, end) if any(node in (a.line[0], a.line[-1]) for a in shores)]
            if start == end or len(firm) == 2:
                continue
            meet = firm[0] if firm else arc.line[len(arc.line) // 2]
            if not firm and len(arc.line) == 2:
                meet = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
            moved = [_moved(a, {start, end} - {meet}, meet) for a in touching]
            if any(len(a.line) < 2 or (len(a.line) == 2 and a.line[0] == a.line[1]) for a in moved):
                continue
            rest = [a for a in arcs if a is not arc and a not in touching]
            if not _clear(moved, rest, {start, end, meet}):
                continue
            change = {id(old): new for old, new in zip(touching, moved, strict=True)}
            arcs = [change.get(id(a), a) for a in arcs if a is not arc]
    return arcs


def _moved(arc: Arc, nodes: set[Vertex], meet: Vertex) -> Arc:
    first, last = (meet if end in nodes else end for end in (arc.line[0], arc.line[-1]))
    return Arc([first, *arc.line[1:-1], last], arc.left, arc.right)


def _clear(moved: Sequence[Arc], rest: Sequence[Arc], nodes: set[Vertex]) -> bool:
    lines = [LineString(a.line) for a in moved]
    reach = box(*union_all(lines).bounds)
    others = [line for line in (LineString(a.line) for a in rest) if line.intersects(reach)]
    for number, line in enumerate(lines):
        if not line.is_simple:
            return False
        ends = {moved[number].line[0], moved[number].line[-1], *nodes}
        for other in [*lines[number + 1 :], *others]:
            common = line.intersection(other)
            if common.length > 0 or any((x, y) not in ends for x, y in get_coordinates(common).tolist()):
                return False
    return True


def _turns_left(line: Sequence[Vertex]) -> bool:
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in itertools.pairwise(line)) > 0


def _rings(arcs: Sequence[Arc]) -> dict[str, list[list[list[int]]]]:
    """Trace each owner's rings with the owner on the left, turning as sharply left as can be where several ways are
    open."""
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
            rings[owner] += _simple_rings(ring, line_of)
    return {owner: _polygons(traced, line_of) for owner, traced in rings.items()}


def _polygons(rings: Sequence[list[int]], line_of: Callable[[int], Line]) -> list[list[list[int]]]:
    """Rings as polygons, the largest first, each with its holes."""
    shells: list[tuple[list[int], Polygon]] = []
    holes: list[tuple[list[int], Line]] = []
    for ring in rings:
        line = [v for number in ring for v in line_of(number)[:-1]]
        if _turns_left([*line, line[0]]):
            shells.append((ring, Polygon(line)))
        else:
            holes.append((ring, line))
    shells.sort(key=lambda shell: (-shell[1].area, shell[0]))
    polygons = [[shell] for shell, _ in shells]
    for ring, line in holes:
        hole = Polygon(line)
        spot = hole.representative_point()  # an island in the hole may hold it, too
        outside = [i for i, (_, shape) in enumerate(shells) if shape.area > hole.area and shape.contains(spot)]
        polygons[outside[-1]].append(ring)
    return polygons
