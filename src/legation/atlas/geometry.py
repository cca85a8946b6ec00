"""The geometry of a board in drawing units, with every path string made once.

A drawing unit is fixed by the board's density, not by its size: the median land province is about :data:`CELL` units across, so that a unit symbol of
20 units and lettering of 8 to 15 suit every board. Path strings are in tenths of a unit (whole numbers, relative), inside groups scaled by 0.1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from legation.atlas.shapes import Shape, Shapes
from legation.board import Board

Point = tuple[float, float]
Ring = list[Point]

CELL = 70.0
UNIT_R = 10.5
"""Half the width of a unit symbol."""
CENTER_R = 5.5
"""Half the width of a center symbol."""
CLEAR = 2.2 * UNIT_R
"""The space wanted between the units of neighboring provinces."""


class Disc(msgspec.Struct, frozen=True):
    """The place of a unit or a center symbol: what it is (``unit``, ``center``, ``coast``), its province, and a disc in units."""

    kind: str
    province: str
    x: float
    y: float
    r: float


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """Where the things of one province go, in units; ``size`` scales its unit and center symbols (1: full size)."""

    unit: Point
    center: Point
    label: Point
    angle: float
    coasts: Mapping[str, Point]
    size: float


class Link(msgspec.Struct, frozen=True):
    """A declared connection that is drawn: two provinces, its kind, a path string in tenths."""

    a: str
    b: str
    kind: str
    path: str


class _Field:
    """What stands on the map so far, by squares of the map."""

    def __init__(self, discs: list[Disc]) -> None:
        self.discs = discs
        self._squares: dict[tuple[int, int], list[Disc]] = {}

    def put(self, disc: Disc) -> Disc:
        self.discs.append(disc)
        self._squares.setdefault((int(disc.x // 40), int(disc.y // 40)), []).append(disc)
        return disc

    def take(self, disc: Disc) -> None:
        self.discs.remove(disc)
        self._squares[int(disc.x // 40), int(disc.y // 40)].remove(disc)

    def free(self, x: float, y: float, r: float) -> bool:
        column, row = int(x // 40), int(y // 40)
        return all(
            (d.x - x) ** 2 + (d.y - y) ** 2 >= (d.r + r) ** 2
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            for d in self._squares.get((column + i, row + j), ())
        )


class BoardGeometry:
    """The geometry of a board, ready to print."""

    def __init__(self, board: Board, shapes: Shapes) -> None:
        self.board = board
        provinces = shapes.provinces
        missing = [p for p in board.provinces if p not in provinces]
        if missing:
            raise ValueError(
                f"the shapes lack {', '.join(missing[:8])}; grow them again (python -m legation.atlas.grow)"
            )
        self.scale = CELL / _typical_width(board, shapes)
        self.width = shapes.width * self.scale
        self.height = shapes.height * self.scale
        tenths = self.scale * 10
        round_lines = {
            number if number >= 0 else ~number
            for shape in provinces.values()
            if shape.circle
            for part in shape.rings
            for ring in part
            for number in ring
        }
        arcs = [
            _thin([(round(p[0] * tenths), round(p[1] * tenths)) for p in arc], 1 if number in round_lines else 8)
            for number, arc in enumerate(shapes.arcs)
        ]
        forward = [_deltas(arc) for arc in arcs]
        backward = [_deltas(arc[::-1]) for arc in arcs]
        sides: list[list[str]] = [[] for _ in arcs]
        self.outlines: dict[str, str] = {}
        self.polygons: dict[str, list[Ring]] = {}
        self.islets: dict[str, list[Disc]] = {}
        """For each sea the small islands that its polygon passes over."""

        # the sea meets the land under the land's own outline, where a rougher line does
        rough: dict[int, list[tuple[int, int]]] = {}

        def trace(rings: Sequence[Sequence[Sequence[int]]], name: str) -> tuple[str, list[Ring]]:
            path: list[str] = []
            polygon: list[Ring] = []
            for part in rings:
                for ring in part:
                    points: list[tuple[int, int]] = []
                    words: list[str] = []
                    for number in ring:
                        index = number if number >= 0 else ~number
                        sides[index].append(name)
                        arc = arcs[index] if number >= 0 else arcs[index][::-1]
                        if index in rough:
                            words.append(_deltas(rough[index] if number >= 0 else rough[index][::-1]))
                        else:
                            words.append(forward[index] if number >= 0 else backward[index])
                        points += arc if not points else arc[1:]
                    if len(ring) == 1 and len(rough.get(max(ring[0], ~ring[0]), points)) < 4:
                        if name in board.provinces:
                            self.islets.setdefault(name, []).append(_around_all(points))
                        continue  # an islet, which its land covers
                    path.append(f"M{points[0][0]} {points[0][1]}{''.join(words)}z")
                    polygon.append([(x / 10, y / 10) for x, y in points])
            return "".join(path), polygon

        dry_first = sorted(board.provinces, key=lambda name: board.provinces[name].sea)
        lands = [name for name in dry_first if not board.provinces[name].sea]
        for name in lands:
            self.outlines[name], self.polygons[name] = trace(provinces[name].rings, name)
        self.waste: list[str] = []
        self.lakes: list[str] = []
        for number, scene in enumerate(shapes.scenery):
            dry = scene.kind == "land"
            path, _ = trace(scene.rings, f"{'+' if dry else '-'}{number}")
            (self.waste if dry else self.lakes).append(path)

        rough.update(
            (index, _thin(arcs[index], 20)) for index, names in enumerate(sides) if names and names[0][0] != "-"
        )
        for name in dry_first[len(lands) :]:
            self.outlines[name], self.polygons[name] = trace(provinces[name].rings, name)

        self.extents: dict[str, tuple[float, float, float, float]] = {}
        """For each province its left, top, right and bottom."""
        for name, polygon in self.polygons.items():
            xs, ys = [x for ring in polygon for x, _ in ring], [y for ring in polygon for _, y in ring]
            self.extents[name] = (min(xs), min(ys), max(xs), max(ys))

        def is_land(name: str) -> bool:
            return name[0] == "+" or (name[0] != "-" and not board.provinces[name].sea)

        coast: list[str] = []
        shores: list[list[tuple[int, int]]] = []
        waves: list[str] = []
        self.borders: list[tuple[str, str, str]] = []
        frame = (self.width * 10, self.height * 10)
        for arc, words, names in zip(arcs, forward, sides, strict=True):
            path = f"M{arc[0][0]} {arc[0][1]}{words}"
            land = [n for n in names if is_land(n)]
            if len(land) == 2:
                if land[0] != land[1]:
                    self.borders.append((land[0], land[1], path))
            elif len(land) == 1:
                if len(names) == 2 or not _on_frame(arc, frame):
                    coast.append(path)
                    shores.append(arc)
            elif len(names) == 2 and names[0] != names[1]:
                waves.append(path)
        self.coast = "".join(coast)
        self.shelf = "".join(_shelf(line) for line in _joined(shores))
        self.waves = "".join(waves)
        self.links = [
            Link(
                link.a,
                link.b,
                link.kind,
                "M" + "L".join(f"{round(x * tenths)} {round(y * tenths)}" for x, y in link.line),
            )
            for link in shapes.links
        ]
        self.rings = {
            name: (shape.circle[0] * self.scale, shape.circle[1] * self.scale, shape.circle[2] * self.scale)
            for name, shape in provinces.items()
            if shape.circle
        }
        """The provinces that are drawn as circles: middle and radius."""
        self.sites: dict[str, Site] = {}
        self.discs: list[Disc] = []
        self._settle(provinces)

    def contains(self, province: str, x: float, y: float) -> bool:
        """Whether a point lies in a province."""
        left, top, right, bottom = self.extents[province]
        if not (left <= x <= right and top <= y <= bottom):
            return False
        inside = False
        for ring in self.polygons[province]:
            ax, ay = ring[-1]
            for bx, by in ring:
                if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                    inside = not inside
                ax, ay = bx, by
        return inside

    def _settle(self, provinces: Mapping[str, Shape]) -> None:
        """Give every unit and center symbol its place, apart from all others, moving them as little as may be."""
        scale = self.scale
        width, height = self.width, self.height
        field = _Field(self.discs)

        def place(point: Sequence[float], r: float) -> Point:
            return min(width - r, max(r, point[0] * scale)), min(height - r, max(r, point[1] * scale))

        def settle(kind: str, name: str, wish: Point, r: float) -> Disc:
            """The free place nearest to the wish; inside the province if there is one within reach."""
            best: tuple[float, Point] | None = None
            for ring in range(14):
                for x, y in _around(wish, ring * r * 0.4):
                    if not (r <= x <= width - r and r <= y <= height - r) or not field.free(x, y, r):
                        continue
                    cost = math.dist((x, y), wish)
                    if not self.contains(name, x, y):
                        cost += 4 * r if kind != "coast" else 0
                    if best is None or cost < best[0]:
                        best = (cost, (x, y))
                if best is not None and best[0] <= (ring + 1) * r * 0.4:
                    break
            return field.put(Disc(kind, name, *(best[1] if best else wish), r))

        area = {name: _area(self.polygons[name]) for name in self.board.provinces}
        sizes = {name: min(1.0, max(0.72, math.sqrt(area[name]) / 38)) for name in area}
        for name, (_, _, r) in self.rings.items():
            if self.board.provinces[name].center:  # unit and center side by side
                sizes[name] = min(sizes[name], max(0.62, (r - 1) / (UNIT_R + CENTER_R)))
        order = sorted(area, key=lambda name: (area[name], name))
        units: dict[str, Disc] = {}
        wishes: dict[str, Point] = {}
        """Where the centers belong."""
        for name in order:
            r, center_r = UNIT_R * sizes[name], CENTER_R * sizes[name] + 0.6
            unit, center = place(provinces[name].unit, r), place(provinces[name].center, center_r)
            circle = provinces[name].circle
            if circle and self.board.provinces[name].center:
                # side by side in the ring, or where they are too wide for it, the center astride its line
                middle, inner = place(circle, r), circle[2] * scale
                spare = max(0.0, 2 * (inner - r - center_r) / 3)
                unit = middle[0] - min(max(inner - spare - r, r + center_r - inner), 0.6 * inner), middle[1]
                center = max(middle[0] + inner - spare - center_r, unit[0] + r + center_r + 1e-3), middle[1]
            units[name] = settle("unit", name, unit, r)
            wishes[name] = center
        self._spread(field, units, provinces)
        for name in order:
            shape, size = provinces[name], sizes[name]
            center = (0.0, 0.0)
            if self.board.provinces[name].center:
                disc = settle("center", name, wishes[name], CENTER_R * size + 0.6)
                center = (disc.x, disc.y)
            coasts = {}
            for coast, point in shape.coasts.items():
                r = UNIT_R * 0.9
                disc = settle("coast", name, place(point, r), r)
                coasts[coast] = (disc.x, disc.y)
            self.sites[name] = Site(
                unit=(units[name].x, units[name].y),
                center=center,
                label=place(shape.label, 1),
                angle=shape.label_angle,
                coasts=coasts,
                size=size,
            )

    def _spread(self, field: _Field, units: dict[str, Disc], provinces: Mapping[str, Shape]) -> None:
        """Move units away from those of their neighbors, where their provinces have the room, so that orders between them can be seen."""
        neighbors = {name: sorted(self.board.adjacent(name)) for name in units}

        def crowding(name: str, x: float, y: float) -> float:
            r = units[name].r
            others = [units[other] for other in neighbors[name]]
            return sum(max(0.0, CLEAR + r + other.r - math.dist((x, y), (other.x, other.y))) for other in others)

        def inside(name: str, x: float, y: float, r: float) -> int:
            spots = [*_around((x, y), r)[::2], *_around((x, y), r * 0.6)[::2]]
            return sum(self.contains(name, *spot) for spot in spots)

        for name in reversed([*units]):  # the larger ones first: they have more room
            disc = units[name]
            crowd = crowding(name, disc.x, disc.y)
            if not crowd or provinces[name].circle:
                continue
            label = provinces[name].label[0] * self.scale, provinces[name].label[1] * self.scale
            half = 2.6 * max(map(len, self.board.provinces[name].name.split())) + disc.r
            tries = []
            for ring in range(1, 14):
                for x, y in _around((disc.x, disc.y), ring * 3.5):
                    cost = crowding(name, x, y) + 0.3 * math.dist((x, y), (disc.x, disc.y))
                    if abs(x - label[0]) < half and abs(y - label[1]) < disc.r + 5:
                        cost += 8  # its name stands there
                    if cost < crowd - 1:
                        tries.append((cost, x, y))
            least = inside(name, disc.x, disc.y, disc.r + 1)
            field.take(disc)
            for _, x, y in sorted(tries):
                if (
                    disc.r <= x <= self.width - disc.r
                    and disc.r <= y <= self.height - disc.r
                    and field.free(x, y, disc.r)
                    and inside(name, x, y, disc.r + 1) >= least
                    and self.contains(name, x, y)
                ):
                    disc = Disc(disc.kind, name, x, y, disc.r)
                    break
            units[name] = field.put(disc)

    def place_of(self, location: str) -> Point:
        """Where a unit at a location is drawn."""
        province, _, coast = location.partition("/")
        site = self.sites[province]
        return site.coasts.get(coast, site.unit)


def _around_all(points: list[tuple[int, int]]) -> Disc:
    """A disc over all of some points, which are in tenths."""
    xs, ys = [x / 10 for x, _ in points], [y / 10 for _, y in points]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return Disc("islet", "", x, y, max(max(xs) - x, max(ys) - y))


def _around(middle: Point, distance: float) -> list[Point]:
    if distance == 0:
        return [middle]
    steps = 16
    turn = 2 * math.pi / steps
    return [
        (middle[0] + distance * math.cos(turn * i), middle[1] + distance * math.sin(turn * i)) for i in range(steps)
    ]


def _thin(arc: list[tuple[int, int]], off_line: int = 8) -> list[tuple[int, int]]:
    """The arc without points that do not show (within 0.8 units of the line; Douglas and Peucker 1973). Both neighbors share it, so no gaps."""
    limit = off_line * off_line
    last = len(arc) - 1
    keep = [False] * (last + 1)
    keep[0] = keep[last] = True
    stack = [(0, last)]
    if last > 2 and arc[0] == arc[last]:
        far = max(range(1, last), key=lambda i: (arc[i][0] - arc[0][0]) ** 2 + (arc[i][1] - arc[0][1]) ** 2)
        keep[far] = True
        stack = [(0, far), (far, last)]
    while stack:
        i, j = stack.pop()
        ax, ay = arc[i]
        bx, by = arc[j]
        dx, dy = bx - ax, by - ay
        norm = dx * dx + dy * dy
        worst, at = 0.0, -1
        for k in range(i + 1, j):
            x, y = arc[k][0] - ax, arc[k][1] - ay
            off = (x * dy - y * dx) ** 2 / norm if norm else float(x * x + y * y)
            if off > worst:
                worst, at = off, k
        if worst > limit:
            keep[at] = True
            stack += [(i, at), (at, j)]
    return [p for p, kept in zip(arc, keep, strict=True) if kept]


def _joined(arcs: list[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """Lines joined at their common ends as far as they go, so that they have no seams; rings where they close."""
    ends: dict[tuple[int, int], list[int]] = {}
    for number, arc in enumerate(arcs):
        for end in (arc[0], arc[-1]):
            ends.setdefault(end, []).append(number)
    used: set[int] = set()
    found = []
    for number, arc in enumerate(arcs):
        if number in used:
            continue
        used.add(number)
        line = list(arc)
        for _ in range(2):  # onward, then from the other end
            while line[0] != line[-1]:
                further = next((n for n in ends[line[-1]] if n not in used), None)
                if further is None:
                    break
                used.add(further)
                line += arcs[further][1:] if arcs[further][0] == line[-1] else arcs[further][-2::-1]
            line.reverse()
        found.append(line)
    return found


def _shelf(line: list[tuple[int, int]]) -> str:
    """The path of a coast as the depth lines follow it: coarser than the shore; nothing for an islet, which has no shallows."""
    coarse = _thin(line, 14)
    closed = coarse[0] == coarse[-1]
    if closed and len(coarse) < 4:
        return ""
    return f"M{coarse[0][0]} {coarse[0][1]}{_deltas(coarse[:-1] if closed else coarse)}{'z' if closed else ''}"


def _deltas(arc: list[tuple[int, int]]) -> str:
    """Relative line commands along an arc, its first point left out."""
    words: list[str] = []
    x, y = arc[0]
    for nx, ny in arc[1:]:
        dx, dy = nx - x, ny - y
        if dx or dy:
            words.append(f"{dx} {dy}" if dy >= 0 else f"{dx}{dy}")
            x, y = nx, ny
    out = ""
    for word in words:
        out += word if not out or word[0] == "-" else " " + word
    return "l" + out if out else ""


def _on_frame(arc: list[tuple[int, int]], frame: tuple[float, float]) -> bool:
    """Whether an arc runs along the edge of the map."""
    for axis in (0, 1):
        for edge in (0.0, frame[axis]):
            if all(abs(p[axis] - edge) < 8 for p in arc):
                return True
    return False


def ring_area(ring: Ring) -> float:
    """The area of a ring in square units, its sign telling which way it runs."""
    total = 0.0
    ax, ay = ring[-1]
    for bx, by in ring:
        total += ax * by - bx * ay
        ax, ay = bx, by
    return total / 2


def _area(polygon: list[Ring]) -> float:
    """The area of a polygon; holes run the other way round and count negative."""
    return abs(sum(map(ring_area, polygon)))


def _typical_width(board: Board, shapes: Shapes) -> float:
    """The median width (root of the area, in km) of the land provinces that are not drawn as circles."""
    widths = []
    for name, province in board.provinces.items():
        shape = shapes.provinces[name]
        if province.sea or shape.circle:
            continue
        polygon: list[Ring] = []
        for part in shape.rings:
            for ring in part:
                points: Ring = []
                for number in ring:
                    points += shapes.arcs[number] if number >= 0 else shapes.arcs[~number][::-1]
                polygon.append(points)
        widths.append(math.sqrt(_area(polygon)))
    widths.sort()
    return max(1e-6, widths[len(widths) // 2]) if widths else 1.0
