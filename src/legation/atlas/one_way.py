"""The marks of borders that lines alone do not show: a small gray arrow across a one-way border, from the side that may
be left to the other; the codes of neighbors that lie elsewhere on the map."""

import math
from collections.abc import Iterable, Mapping

from legation.atlas.chart import Chart
from legation.atlas.contacts import length_of
from legation.atlas.curves import Curve, xy
from legation.atlas.letters import Box, abbreviation, escape, measure, overlap, overlap_disc
from legation.atlas.lines import Point
from legation.atlas.shapes import sides
from legation.atlas.strokes import level_box, polyline, square, stroke
from legation.board import ARMY, FLEET, Board, Travel, province_of

HALF = 6.5
"""Half the length of an arrow, in units."""
BARB = 4.2
BESIDE = 9.0
"""How far beside it a letter stands."""
STEP = 3.0
"""How far apart the places on a border are that are tried."""
COVERED, OFF_SIDE = 60.0, 40.0
"""What it costs, in units from the border's middle, that a mark covers a name or a symbol; that an end of it lies in
another province."""
LETTERS: Mapping[Travel, tuple[str, str]] = {ARMY: ("A", "armies"), FLEET: ("F", "fleets")}

Spot = tuple[Point, Point]
"""A place, and the unit vector of the way over it."""


def one_way_borders(board: Board) -> dict[tuple[str, str], tuple[Travel, ...]]:
    """The pairs of provinces of which the first may be left for the second, and not the other way round; and the kinds
    of travel for which that is so."""
    found: dict[tuple[str, str], dict[Travel, None]] = {}
    for travel in LETTERS:
        for start in board.locations:
            for end in board.reach(travel, start):
                if start not in board.reach(travel, end):
                    found.setdefault((province_of(start), province_of(end)), {})[travel] = None
    return {pair: tuple(found[pair]) for pair in sorted(found)}


def draw_one_way(chart: Chart) -> str:
    """The marks of a board's one-way borders; nothing where it has none.

    Where only armies or only fleets are bound to one way, and the others pass here too, a letter says whom it means."""
    board = chart.geometry.board
    out, taken = [], list[Point]()
    for (a, b), kinds in one_way_borders(board).items():
        line, (place, way) = _mark_place(chart, a, b, taken)
        taken.append(place)
        whom = letter = ""
        between = (border for border in board.borders if {*border.pair} == {a, b})
        if len(kinds) == 1 and any(border.fleet if kinds[0] == ARMY else border.army for border in between):
            sign, bound = LETTERS[kinds[0]]
            whom, letter = f"{bound}: ", _letter(chart, place, way, sign)
        title = f"one way only, {whom}{board.provinces[a].name} to {board.provinces[b].name}"
        out.append(
            f'<g data-way="{escape(a)} {escape(b)}"><title>{escape(title)}</title>'
            f"{line}{way_mark(place, way)}{letter}</g>"
        )
    return f'<g class="ways">{"".join(out)}</g>' if out else ""


def draw_away(chart: Chart) -> str:
    """The codes of neighbors that lie elsewhere on the map, each at its stub."""
    geometry = chart.geometry
    provinces = geometry.board.provinces
    stubs: dict[tuple[str, Point, Point], list[str]] = {}
    for link in geometry.shapes.links:
        if link.kind == "away":
            stubs.setdefault((link.a, link.line[0], link.line[-1]), []).append(link.b)
    out, taken = [], list[Box]()
    for (name, inner, outer), others in stubs.items():
        codes = " ".join(abbreviation(other, sea=provinces[other].sea) for other in others)
        half = measure(codes, "bold", 9.5) / 2 + 1
        start, end = ((x * geometry.scale, y * geometry.scale) for x, y in (outer, inner))
        box = _box_at_stub(chart, name, start, end, half, taken)
        taken.append(box)
        (x, y), named = box[0], ", ".join(provinces[other].name for other in others)
        title = f"{provinces[name].name} also borders on {named}"
        out.append(
            f'<g><title>{escape(title)}</title><text x="{x + half:.1f}" y="{y + 8:.1f}">{escape(codes)}</text></g>'
        )
    return f'<g class="ways">{"".join(out)}</g>' if out else ""


def _box_at_stub(chart: Chart, name: str, start: Point, end: Point, half: float, taken: Iterable[Box]) -> Box:
    """Return where the letters at the end of a stub go: the box, of several around it, that covers least."""
    geometry = chart.geometry
    boxes = [
        level_box((end[0] + far * math.cos(turn), end[1] + 0.6 * far * math.sin(turn)), half, 5.0)
        for far in range(0, 60, 6)
        for turn in (math.pi * i / 8 for i in range(16))
    ]

    def cost(number: int) -> float:
        box = boxes[number]
        (left, top), (right, bottom) = box[0], box[2]
        spots = [(left, top), (right, top), (right, bottom), (left, bottom), ((left + right) / 2, (top + bottom) / 2)]
        covers = len(chart.names_under(box)) + sum(overlap(box, other) for other in taken)
        covers += sum(overlap_disc(box, d) for d in geometry.discs if math.dist((d.x, d.y), spots[4]) < half + 5 + d.r)
        inside = left >= 2 and right <= geometry.width - 2 and top >= 0 and bottom <= geometry.height
        astray = sum(not geometry.contains(name, *spot) for spot in spots) + 5 * (not inside)
        return math.dist(spots[4], start) / 2 + COVERED * covers + OFF_SIDE / 4 * astray

    return boxes[min(range(len(boxes)), key=cost)]


def way_mark(place: Point, way: Point) -> str:
    """An arrow over a place, along a unit vector."""
    back, wing = HALF - BARB, 0.8 * BARB
    head = polyline(place, way, (back, -wing), (HALF, 0), (back, wing))
    return stroke(polyline(place, way, (-HALF, 0), (HALF, 0)) + head, "wh", "wa")


def _letter(chart: Chart, place: Point, way: Point, letter: str) -> str:
    """A letter beside an arrow, on a side where it covers no name if there is one."""
    (x, y), (u, v) = place, way
    sides_of_it = [(x - sign * BESIDE * v, y + sign * BESIDE * u) for sign in (1, -1)]
    x, y = next((at for at in sides_of_it if not chart.names_under(square(at, 4.0))), sides_of_it[0])
    return f'<text x="{x:.1f}" y="{y + 3.2:.1f}">{letter}</text>'


def _mark_place(chart: Chart, a: str, b: str, taken: Iterable[Point]) -> tuple[str, Spot]:
    """Where a mark stands: on the common line, else on the line that shows the link of the two, else on a fine line
    that is drawn for it."""
    geometry, shapes = chart.geometry, chart.geometry.shapes
    common = [arc for arc, beside in zip(shapes.arcs, sides(shapes), strict=True) if sorted(beside) == sorted((a, b))]
    if common and geometry.boxes.isdisjoint((a, b)):
        best = [(x * geometry.scale, y * geometry.scale) for x, y in max(common, key=length_of)]
        spots = [(place, _toward(chart, (-way[1], way[0]), place, a, b)) for place, way in _along(best)]
        return "", _clearest(chart, spots, a, b, taken)
    start, end = geometry.together(a, geometry.place_of(a), b, geometry.place_of(b))
    for link in shapes.links:
        if {province_of(link.a), province_of(link.b)} == {a, b}:
            points = [(x * geometry.scale, y * geometry.scale) for x, y in link.line]
            if math.dist(points[0], start) > math.dist(points[-1], start):
                points.reverse()
            return "", _clearest(chart, _along(points), a, b, taken)
    fine = stroke(f"M{xy(start)}L{xy(end)}", "wl")
    return fine, _clearest(chart, _along([start, end]), a, b, taken)


def _along(line: list[Point]) -> list[Spot]:
    """Places along a line, with the unit vector of the line there; its own small turns are passed over."""
    curve = Curve(line)
    count = max(1, int(curve.length / STEP))
    spots = []
    for i in range(count):
        along = curve.length * (i + 0.5) / count
        (px, py), (qx, qy) = curve.point(along - HALF), curve.point(along + HALF)
        far = math.dist((px, py), (qx, qy)) or 1.0
        spots.append((curve.point(along), ((qx - px) / far, (qy - py) / far)))
    return spots


def _toward(chart: Chart, across: Point, place: Point, a: str, b: str) -> Point:
    """The way over a border that leads from ``a`` to ``b``."""
    (x, y), (u, v) = place, across
    right = sum(
        chart.geometry.contains(name, x + sign * far * u, y + sign * far * v)
        - chart.geometry.contains(name, x - sign * far * u, y - sign * far * v)
        for far in (2.0, HALF)
        for name, sign in ((b, 1), (a, -1))
    )
    return across if right >= 0 else (-u, -v)


def _clearest(chart: Chart, spots: list[Spot], a: str, b: str, taken: Iterable[Point]) -> Spot:
    """The place nearest to the middle of a line where a mark covers no name, no symbol and no other mark."""
    discs = chart.geometry.discs

    def cost(number: int) -> float:
        (x, y), (u, v) = spots[number]
        box = square((x, y), HALF)
        covers = bool(chart.names_under(box)) or any(
            math.dist((d.x, d.y), (x, y)) < 4 * HALF + d.r and overlap_disc(box, d) for d in discs
        )
        ends = ((b, x + u * HALF, y + v * HALF), (a, x - u * HALF, y - v * HALF))
        astray = sum(not chart.geometry.contains(*end) for end in ends)
        near = any(math.dist(other, (x, y)) < 2.2 * HALF for other in taken)
        return abs(number - len(spots) / 2) * STEP + COVERED * (covers + near) + OFF_SIDE * astray

    return spots[min(range(len(spots)), key=cost)]
