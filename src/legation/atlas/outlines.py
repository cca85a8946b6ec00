"""The geometry of a board in drawing units: outlines of provinces, borders and shores, with every path string made
once; and where its symbols stand.

A drawing unit is fixed by the board's density, not by its size: the median land province is about :data:`CELL` units
across, so that a unit symbol of 20 units and lettering of 8 to 15 suit every board. Path strings are in tenths of a
unit (whole numbers, relative), inside groups scaled by 0.1."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise

from legation.atlas.lines import GridLine, Point, Ring, area, deltas, extent, join, polylines, simplify
from legation.atlas.shapes import Edges, Place, Rings, Shapes, distance, insets_of, part_at
from legation.atlas.sites import COAST_R, UNIT_R, Disc, Site, center_room
from legation.board import Board

CELL = 70.0
LARGEST = 25_000.0
"""The largest map, in units: some ten times as wide as that of three hundred provinces."""
FINE, SHORE, SHELF, ROUND = 8, 20, 14, 1
"""How many tenths of a unit a line may be simplified by: lines in general; a sea's under the outline of its shores;
depth lines; circles."""

GRAIN = 4
"""To how many tenths of a unit pages get the points of arcs."""


class Outlines:
    """The outlines of a board.

    :raises ValueError: when the shapes do not fit the board."""

    def __init__(self, board: Board, shapes: Shapes) -> None:
        self.board = board
        self.shapes = shapes
        if missing := [p for p in board.provinces if p not in shapes.provinces]:
            raise ValueError(
                f"the shapes lack {', '.join(missing[:8])}; grow them again (python -m legation.atlas.grow)"
            )
        self.scale = CELL / _typical_width(board, shapes)
        self.width = shapes.width * self.scale
        self.height = shapes.height * self.scale
        if max(self.width, self.height) > LARGEST:
            raise ValueError("the lands are too small for the frame: a map of them would be too large to draw")
        self.outlines: dict[str, str] = {}
        """For each province its path."""
        self.insets = insets_of(shapes)
        self.grounds: dict[str, list[Ring]] = {}
        """For each province its rings, wherever they are drawn."""
        self.polygons: dict[str, list[Ring]] = self.grounds
        """Those on the part of the map (the map itself, or an inset) where it is largest: its name and its symbols
        stand there."""
        self.islets: dict[str, list[Disc]] = {}
        """For each sea the small islands that its polygon passes over."""
        self.waste: list[str] = []
        self.lakes: list[str] = []
        """Land and water off the board, as paths."""
        self._arcs = self._drawn = self._simplified_arcs()
        self._beside: list[list[str]] = [[] for _ in self._arcs]
        """For each arc the owners beside it (scenery as ``+0``: land, ``-1``: water)."""
        self._coarse: dict[int, GridLine] = {}
        """Shores as the depth lines follow them, by the numbers of their arcs."""
        self._by_arcs: dict[str, str] = {}
        """Paths by the arcs of which they are made."""
        self._trace_all()
        self.boxes = {name for name, shape in shapes.provinces.items() if shape.box}
        self.frames: list[str] = []
        """The lines around boxes."""
        self.borders: list[tuple[str, str, str]] = []
        """The lines between two lands, with the lands."""
        self.coast, self.shelf = "", ""
        """Paths of the shores, and of the depth lines' middle."""
        self.waves = {"waves": ""}
        """Paths of the lines between waters, by class: where waters are grouped, those between two areas by
        themselves."""
        self._part_lines()
        if self.insets:
            self.polygons = {name: self._at_home(rings) for name, rings in self.grounds.items()}
        if tiny := next((name for name, polygon in self.polygons.items() if not polygon), None):
            raise ValueError(f"{tiny} is too small to be drawn; give it more room, or a circle")
        self.extents = {name: extent(chain(*polygon)) for name, polygon in self.polygons.items()}
        """For each province its left, top, right and bottom."""
        self.spot = cache(self._spot)
        self.links = [(link.kind, self._link_path(link.line, link.kind)) for link in shapes.links if link.kind in LINKS]
        """The declared connections that are drawn: kinds and paths."""
        self.rings = {
            name: (shape.circle[0] * self.scale, shape.circle[1] * self.scale, shape.circle[2] * self.scale)
            for name, shape in shapes.provinces.items()
            if shape.circle
        }
        """The provinces that are drawn as circles: middle and radius."""

    # Outlines

    def _simplified_arcs(self) -> list[GridLine]:
        tenths = self.scale * 10
        circles = (shape.rings for shape in self.shapes.provinces.values() if shape.circle)
        round_lines = {max(number, ~number) for rings in circles for part in rings for ring in part for number in ring}
        return [
            simplify([(round(x * tenths), round(y * tenths)) for x, y in arc], ROUND if n in round_lines else FINE)
            for n, arc in enumerate(self.shapes.arcs)
        ]

    def _trace_all(self) -> None:
        """Trace lands, scenery, and seas; these roughly where they border on a land, whose own outline covers them."""
        provinces = self.board.provinces
        for name, province in provinces.items():
            if not province.sea:
                self.outlines[name], self.grounds[name], _ = self._trace(name, self.shapes.provinces[name].rings)
        for number, scene in enumerate(self.shapes.scenery):
            dry = scene.kind == "land"
            path, _, _ = self._trace(f"{'+' if dry else '-'}{number}", scene.rings)
            (self.waste if dry else self.lakes).append(path)
        self._drawn = [
            simplify(arc, SHORE) if names and names[0][0] != "-" else arc
            for arc, names in zip(self._arcs, self._beside, strict=True)
        ]
        for name, province in provinces.items():
            if province.sea:
                path, polygon, islets = self._trace(name, self.shapes.provinces[name].rings)
                self.outlines[name], self.grounds[name] = path, polygon
                if islets:
                    self.islets[name] = islets

    def _trace(self, name: str, rings: Rings) -> tuple[str, list[Ring], list[Disc]]:
        """The path and the polygon of an owner, and the islets that were left out, because a land covers them."""
        path: list[str] = []
        refs: list[str] = []
        polygon: list[Ring] = []
        islets: list[Disc] = []
        for ring in (ring for part in rings for ring in part):
            points: GridLine = []
            for number in ring:
                self._beside[max(number, ~number)].append(name)
                arc = _directed(self._arcs, number)
                points += arc[1:] if points else arc
            if len(ring) == 1 and len(self._drawn[max(ring[0], ~ring[0])]) < 4:
                left, top, right, bottom = extent((x / 10, y / 10) for x, y in points)
                x, y = (left + right) / 2, (top + bottom) / 2
                islets.append(Disc("islet", "", x, y, max(right - x, bottom - y)))
                continue
            lines = "".join(deltas(_directed(self._drawn, number)) for number in ring)
            path.append(f"M{points[0][0]} {points[0][1]}{lines}z")
            refs += [*(f"@{number}" for number in ring), "z"]
            polygon.append([(x / 10, y / 10) for x, y in points])
        self._by_arcs["".join(path)] = "".join(refs)
        return "".join(path), polygon, islets

    def _part_lines(self) -> None:
        """Tell borders between lands, shores, and lines between waters apart."""
        provinces, tenths = self.board.provinces, self.scale * 10
        frames = [(0.0, 0.0, self.width * 10, self.height * 10)]
        edges = (edges for inset in self.insets for edges in (inset.box, inset.field, inset.window) if edges)
        frames += [(a * tenths, b * tenths, c * tenths, d * tenths) for a, b, c, d in edges]
        shores: list[int] = []
        for number, (arc, names) in enumerate(zip(self._arcs, self._beside, strict=True)):
            path = _stroke(arc)
            self._by_arcs[path] = f"@{number}"
            land = [name for name in names if name[0] == "+" or (name[0] != "-" and not provinces[name].sea)]
            if not self.boxes.isdisjoint(names):
                self.frames.append(path)
            elif len(land) == 2:
                if land[0] != land[1]:
                    self.borders.append((land[0], land[1], path))
            elif len(land) == 1:
                if not any(_on_frame(arc, edges) for edges in frames):
                    self.coast += path
                    shores.append(number)
            elif len(names) == 2 and names[0] != names[1]:
                areas = {provinces[name].area if name in provinces else "" for name in names}
                cls = "waves areas" if len(areas) > 1 else "waves"
                self.waves[cls] = self.waves.get(cls, "") + path
        self._trace_shelf(shores)

    def _trace_shelf(self, shores: list[int]) -> None:
        """Find the path of the depth lines from the numbers of the shores: coarser than these; nothing for an islet,
        which has no shallows."""
        for number in shores:
            self._coarse[number] = simplify(self._arcs[number], SHELF)
        refs = "~"
        for run in join([self._coarse[number] for number in shores]):
            numbers = [shores[n] if n >= 0 else ~shores[~n] for n in run]
            line = [point for number in numbers for point in _directed(self._coarse, number)]
            closed = line[0] == line[-1]
            if not closed or len({*line}) > 2:
                self.shelf += _stroke(line) + "z" * closed
                refs += "".join(f"@{n}" for n in numbers) + "z" * closed
        self._by_arcs[self.shelf] = refs

    def by_arcs(self, svg: str) -> str:
        """Return a drawing of the board whose paths are written as the arcs that they share: ``@3@-8z`` are the fourth
        and, backwards, the eighth, closed; after ``~`` without the points that depth lines lack. The arcs themselves
        stand first, in its ``<metadata>``, as polylines in grains of :data:`GRAIN` that mark depth lines' points."""

        def short(found: re.Match[str]) -> str:
            whole = self._by_arcs.get(found[1], "")
            lines = [whole] if whole else [self._by_arcs.get(line, "") for line in re.findall("M[^M]*", found[1])]
            return f' d="{"".join(lines)}"' if lines and all(lines) else found[0]

        marked = [self._coarse.get(number, ()) for number in range(len(self._arcs))]
        arcs = f"<metadata>{polylines(self._arcs, GRAIN, marked)}</metadata>"
        return re.sub(' d="(M[^"]*)"', short, svg).replace(">", f">{arcs}", 1)

    def _link_path(self, line: Sequence[Point], kind: str) -> str:
        tenths = self.scale * 10
        if kind == "mountains":
            return _peaks([(x * tenths, y * tenths) for x, y in line])
        return "M" + "L".join(f"{round(x * tenths)} {round(y * tenths)}" for x, y in line)

    # Places

    def _at_home(self, rings: list[Ring]) -> list[Ring]:
        """The rings on the part of the map where the largest of them lies."""
        parts = [self.part_of(ring[0]) for ring in rings]
        largest = max(range(len(rings)), key=lambda n: abs(area([rings[n]])), default=0)
        return [ring for ring, part in zip(rings, parts, strict=True) if part == parts[largest]]

    def part_of(self, place: Point) -> int:
        """On which part of the map a place lies: 0 for the map itself, n for the n-th inset."""
        return part_at(self.insets, place[0] / self.scale, place[1] / self.scale) if self.insets else 0

    def _spot(self, province: str, part: int) -> Point | None:
        """A place well within a province on a part of the map; None where it is not drawn there."""
        rings = [ring for ring in self.grounds[province] if self.part_of(ring[0]) == part]
        return _well_within(rings) if rings else None

    def on_part(self, province: str, place: Point, part: int) -> Point | None:
        """A place in a province, or where it is not on this part of the map, one well within that is."""
        return place if self.part_of(place) == part else self.spot(province, part)

    def together(self, a: str, start: Point, b: str, end: Point) -> tuple[Point, Point]:
        """Two places in two provinces, moved to one part of the map where one of the provinces is drawn on both."""
        here, there = self.part_of(start), self.part_of(end)
        if here == there:
            return start, end
        if spot := self.spot(b, here):
            return start, spot
        return self.spot(a, there) or start, end

    def contains(self, province: str, x: float, y: float) -> bool:
        """Whether a point lies in a province."""
        left, top, right, bottom = self.extents[province]
        return left <= x <= right and top <= y <= bottom and _inside(self.polygons[province], x, y)


def _inside(rings: Sequence[Ring], x: float, y: float) -> bool:
    inside = False
    for ring in rings:
        ax, ay = ring[-1]
        for bx, by in ring:
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                inside = not inside
            ax, ay = bx, by
    return inside


def _well_within(rings: Sequence[Ring]) -> Point:
    """Of a raster over rings, the point inside that is farthest from their lines."""
    left, top, right, bottom = extent(chain(*rings))
    sides = [side for ring in rings for side in pairwise([*ring, ring[0]])]
    best: tuple[float, Point] = (-1.0, rings[0][0])
    for row in range(1, RASTER):
        for column in range(1, RASTER):
            x, y = left + (right - left) * column / RASTER, top + (bottom - top) * row / RASTER
            if _inside(rings, x, y):
                best = max(best, (round(min(distance((x, y), *side) for side in sides), 3), (x, y)))
    return best[1]


RASTER = 16
"""How many columns and rows of points are tried."""


def _peaks(line: Sequence[Point]) -> str:
    """A row of peaks along a line, small and large by turns, in tenths of a unit."""
    parts, done, number = [], 0.0, 0
    for (ax, ay), (bx, by) in pairwise(line):
        length = math.dist((ax, ay), (bx, by))
        while number * PEAK <= done + length and length:
            t = (number * PEAK - done) / length
            high = 46 if number % 2 else 70
            x, y, half = ax + t * (bx - ax), ay + t * (by - ay) + 30, round(high * 0.62)
            parts.append(f"M{x - half:.0f} {y:.0f}l{half}-{high}l{half} {high}")
            number += 1
        done += length
    return "".join(parts)


PEAK = 88.0
"""Tenths of a unit from one peak to the next."""
LINKS = ("bridge", "away", "barrier", "river", "mountains")
"""The kinds of links that are drawn."""


def _directed(arcs: Sequence[GridLine] | Mapping[int, GridLine], number: int) -> GridLine:
    """An arc; ``~n`` is arc n backwards."""
    return arcs[number] if number >= 0 else arcs[~number][::-1]


def _stroke(line: GridLine) -> str:
    return f"M{line[0][0]} {line[0][1]}{deltas(line)}"


def _on_frame(arc: GridLine, frame: Edges) -> bool:
    """Whether an arc runs along the edge of the map or of an inset, around corners too; a shore that does is the
    frame's line, not a coast."""
    sides = [(number % 2, edge) for number, edge in enumerate(frame)]
    near = [{side for side in sides if abs(point[side[0]] - side[1]) < 8} for point in arc]
    return all(a & b for a, b in pairwise(near))


def _typical_width(board: Board, shapes: Shapes) -> float:
    """The median width (root of the area, in km) of the land provinces that are not drawn as circles."""
    lands = [shapes.provinces[name] for name, province in board.provinces.items() if not province.sea]
    widths = sorted(math.sqrt(area(shapes.outline(land.rings))) for land in lands if not land.circle)
    return max(1e-6, widths[len(widths) // 2]) if widths else 1.0


STEP = 5.0
"""How far apart the discs along a line are."""


class BoardGeometry(Outlines):
    """The geometry of a board. ``sites`` are those of its layout, or what finds them upon the outlines.

    :raises ValueError: when the shapes do not fit the board."""

    def __init__(
        self, board: Board, shapes: Shapes, sites: Mapping[str, Site] | Callable[[Outlines], Mapping[str, Site]]
    ) -> None:
        super().__init__(board, shapes)
        self.sites = sites(self) if callable(sites) else sites
        lines: list[list[Place]] = []
        for left, top, right, bottom in (inset.window for inset in self.insets if inset.window):
            lines.append([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)])
        lines += [link.line for link in shapes.links if link.kind in ("river", "mountains")]
        self.edges: list[Disc] = []
        """Rivers, mountains, and the line around each part of the map that an inset shows larger: no name crosses
        them."""
        for line in lines:
            for (ax, ay), (bx, by) in pairwise((x * self.scale, y * self.scale) for x, y in line):
                count = int(math.dist((ax, ay), (bx, by)) / STEP) + 1
                spots = [(ax + (bx - ax) * i / count, ay + (by - ay) * i / count) for i in range(count + 1)]
                self.edges += [Disc("edge", "", x, y, 1.0) for x, y in spots]
        self.discs: list[Disc] = []
        for name, site in self.sites.items():
            self.discs.append(Disc("unit", name, *site.unit, UNIT_R * site.size))
            if board.provinces[name].center:
                self.discs.append(Disc("center", name, *site.center, center_room(site.size)))
            self.discs += [Disc("coast", name, *at, COAST_R) for at in site.coasts.values()]

    def place_of(self, location: str) -> Point:
        """Where a unit at a location is drawn."""
        province, _, coast = location.partition("/")
        site = self.sites[province]
        return site.coasts.get(coast, site.unit)
