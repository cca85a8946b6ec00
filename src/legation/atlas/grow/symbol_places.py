"""Places for the symbols of units and centers: apart from one another, and those of neighbors so far apart that orders
between them can be seen."""

import math
from collections.abc import Callable, Sequence

from legation.atlas.lines import Point, area
from legation.atlas.outlines import Outlines
from legation.atlas.sites import CENTER_R, CLEAR, COAST_R, UNIT_R, Disc, Site, around, center_room

SMALLEST = 0.62
"""The smallest size of symbols: that of circles."""
Fits = Callable[[str, float, float, float], bool]
"""Whether a disc at a place of a province lies there as it should."""


class Field:
    """The discs that stand so far, by squares of the map."""

    def __init__(self) -> None:
        self._squares: dict[tuple[int, int], list[Disc]] = {}

    def put(self, disc: Disc) -> Disc:
        """Let a disc stand."""
        self._squares.setdefault((int(disc.x // 40), int(disc.y // 40)), []).append(disc)
        return disc

    def take(self, disc: Disc) -> None:
        """Take a disc away."""
        self._squares[int(disc.x // 40), int(disc.y // 40)].remove(disc)

    def free(self, x: float, y: float, r: float) -> bool:
        """Whether a disc would overlap none that stands."""
        column, row = int(x // 40), int(y // 40)
        return all(
            (d.x - x) ** 2 + (d.y - y) ** 2 >= (d.r + r) ** 2
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            for d in self._squares.get((column + i, row + j), ())
        )


def place_symbols(outlines: Outlines) -> dict[str, Site]:
    """A site for every province, small ones first: units, spread; then centers and coasts."""
    return _Placing(outlines).sites()


class _Placing:
    """Symbols being placed on one board."""

    def __init__(self, outlines: Outlines) -> None:
        self.outlines = outlines
        self.board = outlines.board
        self.shapes = outlines.shapes.provinces
        self.field = Field()
        areas = {name: area(outlines.polygons[name]) for name in self.board.provinces}
        self.order = sorted(areas, key=lambda name: (areas[name], name))
        self.sizes = {name: min(1.0, max(0.72, math.sqrt(areas[name]) / 38)) for name in areas}
        for name, (_, _, r) in outlines.rings.items():
            if self.board.provinces[name].center:  # unit and center side by side
                self.sizes[name] = min(self.sizes[name], max(0.62, (r - 1) / (UNIT_R + CENTER_R)))
        self._neighbors = {name: sorted(self.board.adjacent(name)) for name in areas}
        self.units: dict[str, Disc] = {}

    def sites(self) -> dict[str, Site]:
        wishes: dict[str, Point] = {}
        """Where the centers belong."""
        for name in self.order:
            unit, wishes[name] = self._wishes(name)
            self.units[name] = self._put_near("unit", name, unit, UNIT_R * self.sizes[name])
        for name in reversed([*self.units]):  # the larger ones first: they have more room
            self._spread(name)
        return {name: self._site(name, wishes[name]) for name in self.order}

    def _on_map(self, point: Sequence[float], r: float) -> Point:
        """A point given in km, so far from the edge that a disc stands on the map."""
        scale, width, height = self.outlines.scale, self.outlines.width, self.outlines.height
        return min(width - r, max(r, point[0] * scale)), min(height - r, max(r, point[1] * scale))

    def _wishes(self, name: str) -> tuple[Point, Point]:
        shape, size = self.shapes[name], self.sizes[name]
        r, center_r = UNIT_R * size, center_room(size)
        if not (shape.circle and self.board.provinces[name].center):
            return self._on_map(shape.unit, r), self._on_map(shape.center, center_r)
        # side by side in the ring, or where they are too wide for it, the center astride its line
        middle, inner = self._on_map(shape.circle, r), shape.circle[2] * self.outlines.scale
        spare = max(0.0, 2 * (inner - r - center_r) / 3)
        unit = middle[0] - min(max(inner - spare - r, r + center_r - inner), 0.6 * inner), middle[1]
        return unit, (max(middle[0] + inner - spare - center_r, unit[0] + r + center_r + 1e-3), middle[1])

    def _is_free(self, x: float, y: float, r: float) -> bool:
        """Whether a disc would lie on the map and overlap none that stands."""
        on_map = r <= x <= self.outlines.width - r and r <= y <= self.outlines.height - r
        return on_map and self.field.free(x, y, r)

    def _put_near(self, kind: str, name: str, wish: Point, r: float) -> Disc:
        """The free place nearest to the wish; inside the province if there is one within reach."""
        best: tuple[float, Point] | None = None
        for ring in range(14):
            for x, y in around(wish, ring * r * 0.4):
                if not self._is_free(x, y, r):
                    continue
                cost = math.dist((x, y), wish)
                if kind != "coast" and not self.outlines.contains(name, x, y):
                    cost += 4 * r
                if best is None or cost < best[0]:
                    best = (cost, (x, y))
            if best is not None and best[0] <= (ring + 1) * r * 0.4:
                break
        return self.field.put(Disc(kind, name, *(best[1] if best else wish), r))

    def _site(self, name: str, wish: Point) -> Site:
        """The site of a province whose unit stands; center and coasts find their places."""
        center = self._center(name, wish) if self.board.provinces[name].center else (0.0, 0.0)
        coasts = {}
        for coast, point in self.shapes[name].coasts.items():
            disc = self._put_near("coast", name, self._on_map(point, COAST_R), COAST_R)
            coasts[coast] = (disc.x, disc.y)
        unit = self.units[name]
        return Site(unit=(unit.x, unit.y), center=center, coasts=coasts, size=self.sizes[name])

    def _center(self, name: str, wish: Point) -> Point:
        """The place of a center's symbol: whole on its own land if the unit leaves room for it, or can make room; else
        on its own land and no other, both symbols smaller where that is narrow; and then the unit of a province too
        small for both stands beside it."""
        r = center_room(self.sizes[name])
        place = None
        if not self.shapes[name].circle:
            place = self._roomy(name, wish, r, self._whole) or self._roomy(name, wish, r, self._on_no_other_land)
            while place is None and self.sizes[name] > SMALLEST:
                size = self.sizes[name] = max(SMALLEST, 0.9 * self.sizes[name])
                unit, r = self.units[name], center_room(size)
                self.field.take(unit)
                self.units[name] = self.field.put(Disc(unit.kind, name, unit.x, unit.y, UNIT_R * size))
                place = self._roomy(name, wish, r, self._on_no_other_land)
            place = place or self._made_room(name, wish, r, self._on_no_other_land)
        if place is None:
            disc = self._put_near("center", name, wish, r)
            return disc.x, disc.y
        self.field.put(Disc("center", name, *place, r))
        return place

    def _roomy(self, name: str, wish: Point, r: float, fits: Fits) -> Point | None:
        """A place for a center that is clear of the unit, which is moved aside within the province if need be."""
        place = self._clear(name, wish, r, fits)
        return place if place is not None else self._made_room(name, wish, r, fits, inside=True)

    def _made_room(self, name: str, wish: Point, r: float, fits: Fits, *, inside: bool = False) -> Point | None:
        """A place for a center if the unit goes elsewhere, which it does if there is one."""
        unit = self.units[name]
        self.field.take(unit)
        place = self._clear(name, wish, r, fits)
        if place is not None:
            center = self.field.put(Disc("center", name, *place, r))
            moved = self._put_near("unit", name, (unit.x, unit.y), unit.r)
            self.field.take(center)
            if not inside or self.outlines.contains(name, moved.x, moved.y):
                self.units[name] = moved
                return place
            self.field.take(moved)
        self.field.put(unit)
        return None

    def _clear(self, name: str, wish: Point, r: float, fits: Fits) -> Point | None:
        """The free place nearest to the wish where a disc lies in the province as it should, and off its name if there
        is such a place."""
        on_name: Point | None = None
        disc = Disc("center", name, *wish, r)
        for ring in range(20):
            for x, y in around(wish, ring * r * 0.35):
                if self.field.free(x, y, r) and self.outlines.contains(name, x, y) and fits(name, x, y, r):
                    if not self._on_name(name, disc, x, y):
                        return x, y
                    on_name = on_name or (x, y)
        return on_name

    def _whole(self, name: str, x: float, y: float, r: float) -> bool:
        return all(self.outlines.contains(name, *spot) for spot in around((x, y), r))

    def _on_no_other_land(self, name: str, x: float, y: float, r: float) -> bool:
        lands = [other for other in self._neighbors[name] if not self.board.provinces[other].sea]
        rim = around((x, y), r)
        return not any(self.outlines.contains(other, *spot) for other in lands for spot in rim)

    # Room between units

    def _spread(self, name: str) -> None:
        """Move a unit away from those of its neighbors, where its province has the room, so that orders between them
        can be seen."""
        disc = self.units[name]
        crowd = self._crowding(name, disc.x, disc.y)
        if not crowd or self.shapes[name].circle:
            return
        tries, r = [], disc.r
        for ring in range(1, 14):
            for x, y in around((disc.x, disc.y), ring * 3.5):
                cost = self._crowding(name, x, y) + 0.3 * math.dist((x, y), (disc.x, disc.y))
                cost += 8 * self._on_name(name, disc, x, y)
                if cost < crowd - 1:
                    tries.append((cost, x, y))
        least = self._inside(name, disc.x, disc.y, r + 1)
        self.field.take(disc)
        for _, x, y in sorted(tries):
            free = self._is_free(x, y, r) and self._inside(name, x, y, r + 1) >= least
            if free and self.outlines.contains(name, x, y):
                disc = Disc(disc.kind, name, x, y, r)
                break
        self.units[name] = self.field.put(disc)

    def _crowding(self, name: str, x: float, y: float) -> float:
        """How much of the wanted space between this unit and those of its neighbors is lacking."""
        r = self.units[name].r
        others = (self.units[other] for other in self._neighbors[name])
        return sum(max(0.0, CLEAR + r + other.r - math.dist((x, y), (other.x, other.y))) for other in others)

    def _on_name(self, name: str, disc: Disc, x: float, y: float) -> bool:
        scale, label = self.outlines.scale, self.shapes[name].label
        half = 2.6 * max(map(len, self.board.provinces[name].name.split())) + disc.r
        return abs(x - label[0] * scale) < half and abs(y - label[1] * scale) < disc.r + 5

    def _inside(self, name: str, x: float, y: float, r: float) -> int:
        spots = [*around((x, y), r)[::2], *around((x, y), r * 0.6)[::2]]
        return sum(self.outlines.contains(name, *spot) for spot in spots)
