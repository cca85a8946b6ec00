"""Pieces of which orders are drawn: paths of heads, bars and crosses, and the boxes they cover."""

from legation.atlas.curves import Curve, xy
from legation.atlas.letters import Box
from legation.atlas.lines import Point


def arrowhead(tip: Point, way: Point) -> str:
    """The path of an arrowhead at a tip, pointing along a unit vector."""
    (x, y), (u, v) = tip, way
    long, wing = 8.5, 5.2
    back = (x - u * long, y - v * long)
    left, right = (back[0] - v * wing, back[1] + u * wing), (back[0] + v * wing, back[1] - u * wing)
    notch = (back[0] + u * 1.8, back[1] + v * 1.8)
    return f"M{xy(tip)}L{xy(left)}L{xy(notch)}L{xy(right)}Z"


def barbs(tip: Point, way: Point) -> str:
    """The path of an open head: two strokes."""
    (x, y), (u, v) = tip, way
    left = (x - 5 * u - 3.6 * v, y - 5 * v + 3.6 * u)
    right = (x - 5 * u + 3.6 * v, y - 5 * v - 3.6 * u)
    return f"M{xy(left)}L{xy(tip)}L{xy(right)}"


def bars(tip: Point, way: Point) -> str:
    """The path of two bars across a way."""
    (u, v), path = way, ""
    for behind in (0.0, 3.6):
        x, y = tip[0] - u * behind, tip[1] - v * behind
        path += f"M{xy((x + v * 6, y - u * 6))}L{xy((x - v * 6, y + u * 6))}"
    return path


def jag(middle: Point, way: Point) -> str:
    """The path of a jagged stroke across a way."""
    (x, y), (u, v) = middle, way
    corners = ((-3, -7), (1, -1), (-2, 1), (2, 7))
    return "M" + "L".join(xy((x + u * along - v * aside, y + v * along + u * aside)) for along, aside in corners)


def cup(tip: Point, way: Point) -> str:
    """The path of a cup that holds what lies ahead."""
    (x, y), (u, v) = tip, way
    corners = ((1.6, -6.5), (-2.4, 0.0), (1.6, 6.5))
    p, q, r = ((x + u * along - v * aside, y + v * along + u * aside) for along, aside in corners)
    return f"M{xy(p)}Q{xy(q)} {xy(r)}"


def cross(middle: Point, half: float) -> str:
    """The path of a diagonal cross that strikes out what is under it."""
    x, y = middle
    return (
        f"M{xy((x - half, y - half))}L{xy((x + half, y + half))}M{xy((x + half, y - half))}L{xy((x - half, y + half))}"
    )


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
    (x, y), (u, v) = curve.point(stop), curve.direction(stop)
    wide = 6.5
    return (
        (x + u - v * wide, y + v + u * wide),
        (x + u + v * wide, y + v - u * wide),
        (x - u * long + v * wide, y - v * long - u * wide),
        (x - u * long - v * wide, y - v * long + u * wide),
    )


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
    x, y = at
    slash = f"M{xy((x - 2.4, y + 2.4))}L{xy((x + 2.4, y - 2.4))}"
    return f'<circle class="on" cx="{x:.1f}" cy="{y:.1f}" r="3.6"/>{stroke(slash, "ob t")}'
