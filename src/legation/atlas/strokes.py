"""Pieces of which orders are drawn: paths of heads, bars and crosses, and the boxes they cover."""

from legation.atlas.curves import Curve, xy
from legation.atlas.letters import Box
from legation.atlas.lines import Point


def corners(tip: Point, way: Point, *placed: Point) -> list[Point]:
    """Points, placed by how far they lie along a way (a unit vector) from a tip, and aside of it."""
    (x, y), (u, v) = tip, way
    return [(x + u * along - v * aside, y + v * along + u * aside) for along, aside in placed]


def polyline(tip: Point, way: Point, *placed: Point) -> str:
    """Return the SVG path through the points of :func:`corners`."""
    return "M" + "L".join(map(xy, corners(tip, way, *placed)))


def arrowhead(tip: Point, way: Point) -> str:
    """The path of an arrowhead at a tip, pointing along a unit vector."""
    return polyline(tip, way, (0, 0), (-8.5, 5.2), (-6.7, 0), (-8.5, -5.2)) + "Z"


def barbs(tip: Point, way: Point) -> str:
    """The path of an open head: two strokes."""
    return polyline(tip, way, (-5, 3.6), (0, 0), (-5, -3.6))


def bars(tip: Point, way: Point) -> str:
    """The path of two bars across a way."""
    return polyline(tip, way, (0, -6), (0, 6)) + polyline(tip, way, (-3.6, -6), (-3.6, 6))


def jag(middle: Point, way: Point) -> str:
    """The path of a jagged stroke across a way."""
    return polyline(middle, way, (-3, -7), (1, -1), (-2, 1), (2, 7))


def cup(tip: Point, way: Point) -> str:
    """The path of a cup that holds what lies ahead."""
    p, q, r = map(xy, corners(tip, way, (1.6, -6.5), (-2.4, 0), (1.6, 6.5)))
    return f"M{p}Q{q} {r}"


def cross(middle: Point, half: float) -> str:
    """The path of a diagonal cross that strikes out what is under it."""
    down, up = ((-half, -half), (half, half)), ((half, -half), (-half, half))
    return polyline(middle, (1, 0), *down) + polyline(middle, (1, 0), *up)


def stroke(path: str, *classes: str) -> str:
    """A path drawn once for each of some classes, from below to above."""
    return "".join(f'<path class="{cls}" d="{path}"/>' for cls in classes)


def square(middle: Point, half: float) -> Box:
    """A level box about a middle, as wide as high."""
    return level_box(middle, half, half)


def level_box(middle: Point, half: float, tall: float) -> Box:
    """A level box about a middle, by half its width and height."""
    x, y = middle
    return (x - half, y - tall), (x + half, y - tall), (x + half, y + tall), (x - half, y + tall)


def head_box(curve: Curve, stop: float, long: float) -> Box:
    """What a head covers that is ``long`` units long and ends at a distance along a curve."""
    a, b, c, d = corners(curve.point(stop), curve.direction(stop), (1, 6.5), (1, -6.5), (-long, -6.5), (-long, 6.5))
    return a, b, c, d


def turning(symbol: str, color: str, failed: bool, at: Point, size: float) -> str:
    """Arrows that turn about a unit at a place, and the symbol of what it becomes, in a power's color class."""
    struck = '<path class="u-s" d="M-10.5 10.5L10.5-10.5"/>' if failed else ""
    return (
        f'<g transform="translate({at[0]:.1f} {at[1]:.1f}) scale({size:.2f})">'
        f'<use href="#u-turn{"-failed" if failed else ""}"/>'
        f'<g transform="translate(10.2 10.2) scale(.46)"><circle class="u-p" r="15"/>'
        f'<use href="#{symbol}" class="u {color}"/>{struck}</g></g>'
    )


def crossed_ring(at: Point) -> str:
    """The crossed ring that marks an order without effect."""
    slash = polyline(at, (1, 0), (-2.4, 2.4), (2.4, -2.4))
    return f'<circle class="on" cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="3.6"/>{stroke(slash, "ob t")}'
