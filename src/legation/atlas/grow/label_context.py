"""What a name finds around it on the map: other names, symbols, rings, and which province lies where."""

import math
from collections.abc import Iterable

from legation.atlas.geometry import BoardGeometry
from legation.atlas.letters import Box, Label, near
from legation.atlas.lines import Extent, Point, extent
from legation.atlas.sites import Disc

Circle = tuple[float, float, float]
"""Middle and radius."""
SHARED, SHORE, FOREIGN = 14.0, 8.0, 9.0
"""What a name across a border costs in plainness, more if it is a shore, and one on another land; in units of
distance."""
SPOT = 3.0
"""How far apart the spots are at which the ground is looked up."""
SQUARE = 40


class LabelContext:
    """All that stands on a map while names are placed outside their provinces. Names are added as they are placed."""

    def __init__(self, geometry: BoardGeometry, labels: Iterable[Label]) -> None:
        self.geometry = geometry
        self.sea = {name: province.sea for name, province in geometry.board.provinces.items()}
        self._boxes: list[tuple[Extent, Box]] = []
        for label in labels:
            self.add(label)
        self._spots: dict[tuple[int, int], str] = {}
        self._squares: dict[tuple[int, int], list[str]] = {}
        for name in sorted(geometry.extents, key=self.sea.__getitem__):  # lands first: seas have no holes for islets
            left, top, right, bottom = geometry.extents[name]
            for i in range(int(left // SQUARE), int(right // SQUARE) + 1):
                for j in range(int(top // SQUARE), int(bottom // SQUARE) + 1):
                    self._squares.setdefault((i, j), []).append(name)

    def add(self, label: Label) -> None:
        """Let a name stand, and the line that leads from it."""
        self._boxes += [(extent(box), box) for box in label.boxes]
        if label.leader:
            line = strip(*label.leader)
            self._boxes.append((extent(line), line))

    def around(self, middle: Point, reach: float) -> tuple[list[tuple[Extent, Box]], list[Disc], list[Circle]]:
        """The boxes of names, the symbols and the rings that lie about a point."""
        x, y = middle
        return (
            near(self._boxes, (x - reach, y - reach, x + reach, y + reach)),
            [d for d in (*self.geometry.discs, *self.geometry.edges) if abs(d.x - x) < reach and abs(d.y - y) < reach],
            [r for r in self.geometry.rings.values() if abs(r[0] - x) < reach and abs(r[1] - y) < reach],
        )

    def province_at(self, x: float, y: float) -> str:
        """The province at the nearest spot; empty for what is off the board."""
        spot = (round(x / SPOT), round(y / SPOT))
        province = self._spots.get(spot)
        if province is None:
            x, y = spot[0] * SPOT, spot[1] * SPOT
            here = self._squares.get((int(x // SQUARE), int(y // SQUARE)), ())
            province = self._spots[spot] = next((name for name in here if self.geometry.contains(name, x, y)), "")
        return province

    def ground_under(self, name: str, x: float, y: float, half: float, tall: float) -> tuple[str, float]:
        """On which province the name of another stands, in a box about a point; and what that costs in plainness."""
        ground = self.province_at(x, y)
        steps = ((i, j) for i in range(-3, 4) for j in (-1, 0, 1))
        grounds = {ground, *(self.province_at(x + half * i / 3, y + tall * j) for i, j in steps)}
        cost = SHARED * (len(grounds) - 1)
        if len({self.sea.get(one, False) for one in grounds}) > 1:
            cost += SHORE
        wet = self.sea.get(ground, False)
        if ground != name and not (wet and self.geometry.board.provinces[name].shore):
            cost += FOREIGN if wet or not self.sea[name] else 3 * FOREIGN  # a sea on dry land
        return ground, cost


def strip(start: Point, end: Point) -> Box:
    """A line of half a unit's breadth, as a box."""
    length = math.dist(start, end) or 1.0
    nx, ny = 0.5 * (start[1] - end[1]) / length, 0.5 * (end[0] - start[0]) / length
    (ax, ay), (bx, by) = start, end
    return (ax - nx, ay - ny), (bx - nx, by - ny), (bx + nx, by + ny), (ax + nx, ay + ny)
