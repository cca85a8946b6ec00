"""Smooth lines through points."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, pairwise

from legation.atlas.lines import Point

STEPS = 12
"""Samples taken of each piece of a curve."""
LEVER = 45.0
"""How far before its end, in units, an arc turns that arrives another way."""
BEHIND, FAR_LEVER = 1.8, 65.0
"""An arc that leans by more than the first number of radians goes round its end and arrives from the far side; it turns
so many units before the end."""


class Curve:
    """A smooth line through points: cubic pieces, one between each two points. Two points alone are joined by one arc,
    ``bend`` of its length deep; ``lean`` turns the way in which a line arrives, in radians."""

    def __init__(self, points: Sequence[Point], bend: float = 0.0, lean: float = 0.0) -> None:
        if len(points) == 2:
            (ax, ay), (bx, by) = points
            mx, my = (ax + bx) / 2 - (by - ay) * bend, (ay + by) / 2 + (bx - ax) * bend
            first = (ax + (mx - ax) * 2 / 3, ay + (my - ay) * 2 / 3)
            second = (bx + (mx - bx) * 2 / 3, by + (my - by) * 2 / 3)
            if lean:
                second = _turned(points[1], second, lean)
            self.pieces = [(points[0], first, second, points[1])]
        else:
            self.pieces = []
            for i in range(len(points) - 1):
                before, a, b = points[max(0, i - 1)], points[i], points[i + 1]
                after = points[min(len(points) - 1, i + 2)]
                self.pieces.append(
                    (
                        a,
                        (a[0] + (b[0] - before[0]) / 6, a[1] + (b[1] - before[1]) / 6),
                        (b[0] - (after[0] - a[0]) / 6, b[1] - (after[1] - a[1]) / 6),
                        b,
                    )
                )
            if lean:
                a, first, second, b = self.pieces[-1]
                self.pieces[-1] = (a, first, _turned(b, second, lean), b)
        self.samples = [self._at(t / STEPS) for t in range(STEPS * len(self.pieces) + 1)]
        self.lengths = [*accumulate((math.dist(p, q) for p, q in pairwise(self.samples)), initial=0.0)]
        self.length = self.lengths[-1]

    def along(self, number: int) -> float:
        """How far along the curve the point of this number lies."""
        return self.lengths[STEPS * number]

    def _at(self, t: float) -> Point:
        i = min(len(self.pieces) - 1, int(t))
        t -= i
        a, b, c, d = self.pieces[i]
        u = 1 - t
        k0, k1, k2, k3 = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        return k0 * a[0] + k1 * b[0] + k2 * c[0] + k3 * d[0], k0 * a[1] + k1 * b[1] + k2 * c[1] + k3 * d[1]

    def _sample(self, along: float) -> tuple[int, float]:
        """The sample before a distance along the curve, and the share of the way to the next one."""
        along = min(self.length, max(0.0, along))
        i = bisect_left(self.lengths, along, 1) - 1
        return i, (along - self.lengths[i]) / (self.lengths[i + 1] - self.lengths[i] or 1e-9)

    def point(self, along: float) -> Point:
        """The point at a distance along the curve."""
        i, share = self._sample(along)
        (ax, ay), (bx, by) = self.samples[i], self.samples[i + 1]
        return ax + (bx - ax) * share, ay + (by - ay) * share

    def every(self, step: float) -> list[Point]:
        """Points along the whole curve, at most a step apart."""
        count = int(self.length / step) + 1
        return [self.point(self.length * i / count) for i in range(count + 1)]

    def before_end(self, away: float) -> float:
        """How far along the curve its last point is that is so far away from its end."""
        along = self.length - away
        while along > 0 and math.dist(self.point(along), self.samples[-1]) < away - 0.1:
            along -= 1.0
        return along

    def direction(self, along: float) -> Point:
        """The unit vector along the curve there; at its end, as it arrives."""
        along = min(along, self.length)
        p, q = self.point(along - 1.0), self.point(along + 1.0)
        norm = math.dist(p, q) or 1e-9
        return (q[0] - p[0]) / norm, (q[1] - p[1]) / norm

    def _parameter(self, along: float) -> float:
        """The parameter (pieces count 1 each) at a distance along the curve."""
        i, share = self._sample(along)
        return (i + share) / STEPS

    def path(self, start: float, end: float) -> str:
        """The path string from one distance along the curve to another."""
        first, last = self._parameter(start), self._parameter(max(end, start + 0.5))
        out = ""
        for i, piece in enumerate(self.pieces):
            low, high = max(first - i, 0.0), min(last - i, 1.0)
            if high - low < 1e-6:
                continue
            a, b, c, d = (_blossom(piece, *at) for at in ((low,) * 3, (low, low, high), (low, high, high), (high,) * 3))
            out += f"{'' if out else 'M' + xy(a)}C{xy(b)} {xy(c)} {xy(d)}"
        return out or f"M{xy(self.point(start))}"


def _turned(end: Point, before: Point, lean: float) -> Point:
    """The control point before an end, turned about it, and near enough that only the last stretch turns with it."""
    dx, dy = before[0] - end[0], before[1] - end[1]
    far = math.hypot(dx, dy) or 1e-9
    near = FAR_LEVER / far if abs(lean) > BEHIND else min(1.0, LEVER / far)
    cos, sin = math.cos(lean) * near, math.sin(lean) * near
    return end[0] + dx * cos - dy * sin, end[1] + dx * sin + dy * cos


def _blossom(piece: tuple[Point, Point, Point, Point], u: float, v: float, w: float) -> Point:
    points = list(piece)
    for t in (u, v, w):
        points = [(p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t) for p, q in pairwise(points)]
    return points[0]


def xy(p: Point) -> str:
    """A point as path strings write it."""
    return f"{p[0]:.1f} {p[1]:.1f}"
