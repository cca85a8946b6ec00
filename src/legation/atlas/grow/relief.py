"""Draws the rivers and hills of a board that lies in Europe: ``python -m legation.atlas.grow.relief``.

Rivers are Natural Earth's (1:50m, public domain), and those of the British Isles, which it mostly lacks, from
``rivers.csv``: drawn by hand through the towns that they pass. Hills are hachures, strokes down from lines of equal
height, made of a gray picture of the Earth's heights (NASA's SRTM, public domain)."""

import argparse
from collections import defaultdict
from collections.abc import Iterator
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import shapely
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from legation.atlas.grow.plan import read_plan
from legation.atlas.grow.projection import Numbers, Points
from legation.atlas.outlines import Outlines
from legation.atlas.relief import FILE, Breadth, Relief, Side
from legation.atlas.shapes import Place, Rings, read_shapes
from legation.board import read_board
from legation.formats import open_picture, read_rows

CELL = 0.5
"""Heights are looked up every so many units of the map."""
SEA, MOUNT = 96, 1.5
"""The gray of the sea's level in the picture, and the power to which what is above it is raised to give a height."""
SMOOTH, WIDE = (2.6, 4.2), (14.0, 40.0)
"""Two radii of smoothing, each in units and in km (the larger counts): of heights, and of the land around a hill."""
HIGH = (0.1, 0.03)
"""Strokes begin at two lines of equal height: so much of the land lies higher."""
STEEP, GENTLE = 0.97, 0.35
"""Slopes steeper than this share of the land get the longest strokes; those below this part of that slope get none."""
APART, SHORTEST, LONGEST, FEWEST = 1.5, 1.2, 5.0, 12
"""Units between strokes, the shortest and the longest stroke in units, and the fewest strokes in a row."""
ROOM = int(APART / CELL)
GREAT, BROADER = 40.0, (60.0, 200.0)
"""Lengths in units, tributaries included: of the shortest river that is drawn, and from which on it is broader."""
JOINT, REACH, BIT = 0.6, 6.0, 3.0
"""Units by which a river may miss another river, and the shore; pieces up to so many units are left out."""


class Ground:
    """The land of a board, in units of its map, and the heights there. ``played`` is the land of all provinces but
    those drawn as circles."""

    def __init__(self, folder: Path, picture: Path) -> None:
        self.plan, shapes, board = read_plan(folder), read_shapes(folder), read_board(folder)
        if shapes is None:
            raise ValueError(f"{folder} has no shapes yet; grow them first")
        outlines = Outlines(board, shapes)
        self.scale, self.width, self.height = outlines.scale, outlines.width, outlines.height

        def surface(rings: Rings) -> BaseGeometry:
            parts = [[np.asarray(shapes.ring(ring)) * self.scale for ring in part] for part in rings]
            return shapely.union_all([shapely.make_valid(Polygon(shell, holes)) for shell, *holes in parts])

        lands = [shapes.provinces[name] for name, province in board.provinces.items() if not province.sea]
        circles = [surface(land.rings) for land in lands if land.circle]
        land = shapely.union_all([surface(land.rings) for land in lands])
        waste = [surface(scene.rings) for scene in shapes.scenery if scene.kind == "land"]
        self.shore = shapely.union_all([land, *waste]).boundary
        self.played = land.difference(shapely.union_all(circles).buffer(1.5))
        shapely.prepare(self.played)
        with open_picture(picture.read_bytes(), ["PNG"]) as opened:
            self._gray = np.asarray(opened.convert("L"), dtype=np.float64)

    def place(self, lonlat: Points) -> Points:
        """Longitudes and latitudes as places on the map."""
        return self.plan.frame.place(self.plan.projection.project(lonlat)) * self.scale

    def heights(self, places: Points) -> Numbers:
        """The heights at places on the map; 0 at the sea's level."""
        frame = self.plan.frame
        x, y = places.T / self.scale
        lon, lat = self.plan.projection.unproject(np.column_stack([x + frame.west, frame.north - y])).T
        high, wide = self._gray.shape
        x, y = (lon / 360 + 0.5) * wide - 0.5, (0.5 - lat / 180) * high - 0.5
        i, j = np.clip(y.astype(int), 0, high - 2), np.clip(x.astype(int), 0, wide - 2)
        upper, lower = (
            self._gray[row, j] + (x - j) * (self._gray[row, j + 1] - self._gray[row, j]) for row in (i, i + 1)
        )
        gray = upper + (y - i) * (lower - upper)
        heights: Numbers = np.clip((gray - SEA) / (255 - SEA), 0, 1) ** MOUNT
        return heights


# Rivers


def draw_rivers(ground: Ground, courses: list[Points]) -> dict[Breadth, list[list[int]]]:
    """The great rivers of a board, from the courses of rivers in degrees."""
    near = shapely.box(0, 0, ground.width, ground.height).buffer(60)
    lines = [line for line in (LineString(ground.place(course)) for course in courses) if line.within(near)]
    for line in lines[:]:  # what nearly meets another, or the sea, does
        others = shapely.union_all([other for other in lines if other is not line])
        for end in (shapely.Point(line.coords[0]), shapely.Point(line.coords[-1])):
            ways = ((shapely.shortest_line(end, others), JOINT), (shapely.shortest_line(end, ground.shore), REACH))
            lines += [way for way, least in ways if 0 < way.length < least]
    drawn: dict[Breadth, list[list[int]]] = {"stream0": [], "stream1": [], "stream2": []}
    for reach, above in _upstream(ground, shapely.line_merge(shapely.union_all(lines, grid_size=0.1))):
        broad = (min(max(above - least, 0.0), reach.length) for least in reversed(BROADER))
        for breadth, (start, end) in zip(reversed(drawn), pairwise((0.0, *broad, reach.length)), strict=True):
            for part in shapely.get_parts(substring(reach, start, end).intersection(ground.played)):
                if above > GREAT and part.length > BIT:
                    points = shapely.get_coordinates(shapely.segmentize(part.simplify(0.3), REACH))
                    ways = np.diff(np.rint(points * 10).astype(int), axis=0, prepend=0)
                    drawn[breadth].append(ways.ravel().tolist())
    return drawn


def _upstream(ground: Ground, net: BaseGeometry) -> Iterator[tuple[LineString, float]]:
    """The reaches of a net of rivers, each from its lower end on, with the length of all river above that."""
    meeting: dict[Place, list[LineString]] = defaultdict(list)
    for reach in shapely.get_parts(net):
        meeting[reach.coords[0]].append(reach)
        meeting[reach.coords[-1]].append(reach.reverse())
    ends = [place for place, there in meeting.items() if len(there) == 1]
    levels = ground.heights(np.array(ends).reshape(-1, 2)).tolist()
    ahead = [end for _, end in sorted(zip(levels, ends, strict=True), reverse=True)]
    order: dict[frozenset[Place], LineString] = {}
    while ahead:  # from the lowest end on, which is the mouth of all that meets
        for reach in meeting[ahead.pop()]:
            if (both := frozenset(reach.coords)) not in order:
                order[both] = reach
                ahead.append(reach.coords[-1])
    above: dict[Place, float] = defaultdict(float)
    for reach in reversed(order.values()):
        whole = reach.length + above[reach.coords[-1]]
        above[reach.coords[0]] += whole
        yield reach, whole


# Hills


def draw_hills(ground: Ground) -> dict[Side, list[int]]:
    """The hachures of a board: short strokes down its steepest slopes."""
    rows, columns = int(ground.height / CELL), int(ground.width / CELL)
    y, x = (np.mgrid[:rows, :columns] + 0.5) * CELL
    height = ground.heights(np.column_stack([x.ravel(), y.ravel()])).reshape(rows, columns)
    over, around = (max(units, km * ground.scale) / CELL for units, km in (SMOOTH, WIDE))
    height = _smooth(height, over)
    rise = height - _smooth(height, around)
    down, right = (-slope / CELL for slope in np.gradient(height))
    slope = np.hypot(down, right) + 1e-9
    inside = shapely.contains_xy(ground.played, x, y)
    steep = float(np.quantile(slope[inside], STEEP))
    spot = np.hypot(*np.mgrid[-ROOM : ROOM + 1, -ROOM : ROOM + 1]) * CELL < APART
    strokes = [np.empty((0, 4))]
    for share in HIGH:
        above = rise > np.quantile(rise[inside], 1 - share)
        lower = [~np.roll(above, step, axis) for step in (1, -1) for axis in (0, 1)]
        spots = np.argwhere(above & np.any(lower, axis=0) & inside & (slope > GENTLE * steep))
        taken = np.zeros((rows + 2 * ROOM, columns + 2 * ROOM), dtype=bool)
        line = []
        for i, j in spots[np.argsort(-slope[tuple(spots.T)], kind="stable")]:  # the steepest first
            if taken[i + ROOM, j + ROOM]:
                continue
            taken[i : i + 2 * ROOM + 1, j : j + 2 * ROOM + 1] |= spot
            start = np.array([x[i, j], y[i, j]])
            length = SHORTEST + (LONGEST - SHORTEST) * min(1.0, slope[i, j] / steep)
            way = length * np.array([right[i, j], down[i, j]]) / slope[i, j]
            if ground.played.contains(LineString([start, start + way]).buffer(0.6)):
                line.append((*start, *way))
        strokes.append(_hills(np.array(line).reshape(-1, 4)))
    fallen = np.vstack(strokes)
    shade = fallen[:, 2] + fallen[:, 3] > 0  # light comes from the northwest
    return {"sunny": _in_turn(fallen[~shade]), "shady": _in_turn(fallen[shade])}


def _hills(strokes: Numbers) -> Numbers:
    """The strokes that stand in long enough rows."""
    starts = shapely.points(strokes[:, :2])
    rows = shapely.get_parts(shapely.union_all(shapely.buffer(starts, 0.9 * APART)))
    number = shapely.STRtree(rows).query(starts, predicate="intersects")[1]
    high: Numbers = strokes[np.bincount(number, minlength=1)[number] >= FEWEST]
    return high


def _in_turn(strokes: Numbers) -> list[int]:
    """Strokes in tenths, each beside the one before it, and seen from there."""
    left = np.rint(strokes * 10).astype(int)
    turn, here = [], np.zeros(2, dtype=int)
    while len(left):
        next_ = int(np.argmin(np.sum((left[:, :2] - here) ** 2, axis=1)))
        turn += [*(left[next_, :2] - here).tolist(), *left[next_, 2:].tolist()]
        here = left[next_, :2]
        left = np.delete(left, next_, axis=0)
    return turn


def _smooth(field: Numbers, over: float) -> Numbers:
    """A field of numbers smoothed by a Gaussian of so many cells."""
    reach = int(3 * over) + 1
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / over) ** 2)
    for axis in (0, 1):
        field = np.apply_along_axis(
            lambda row: np.convolve(np.pad(row, reach, mode="edge"), bell / bell.sum(), mode="valid"), axis, field
        )
    return field


def main(arguments: list[str] | None = None) -> int:
    """Write ``relief.json`` into a board folder."""
    parser = argparse.ArgumentParser(
        prog="python -m legation.atlas.grow.relief",
        description="Draw the rivers and hills of a board in Europe, and write relief.json beside its shapes.",
    )
    parser.add_argument("folder", type=Path, help="board folder, with shapes.json")
    parser.add_argument("--rivers", type=Path, required=True, help="GeoJSON of Natural Earth's rivers, 1:50m")
    parser.add_argument("--heights", type=Path, required=True, help="gray picture of the whole Earth's heights")
    given = parser.parse_args(arguments)
    try:
        ground, courses = Ground(given.folder, given.heights), read_courses(given.rivers)
    except (OSError, ValueError, shapely.errors.ShapelyError) as error:
        parser.error(str(error))
    relief = Relief(rivers=draw_rivers(ground, courses), hills=draw_hills(ground))
    given.folder.joinpath(FILE).write_bytes(msgspec.json.encode(relief) + b"\n")
    return 0


def read_courses(path: Path) -> list[Points]:
    """The courses of the rivers of a GeoJSON file, and of those drawn by hand, in degrees."""
    geometry = shapely.from_geojson(path.read_text(encoding="utf-8"))
    lines = (part for one in shapely.get_parts(geometry) for part in shapely.get_parts(one))
    courses = [shapely.get_coordinates(line) for line in lines]
    by_hand = files("legation.atlas.grow").joinpath("rivers.csv").read_text(encoding="utf-8")
    for row in read_rows(by_hand):
        course = np.array([point.split() for point in row["points"].split(";")], dtype=np.float64)
        for _ in range(2):  # rivers wind
            legs = np.diff(course, axis=0)
            aside = legs[:, ::-1] * (0.13, -0.13) * (-1.0) ** np.arange(len(legs))[:, None]
            course = np.insert(course, range(1, len(course)), course[:-1] + legs / 2 + aside, axis=0)
        courses.append(course)
    return courses


if __name__ == "__main__":
    raise SystemExit(main())
