"""Rivers and hills, where a board has them: fine lines on the land, below all that the game is about."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from importlib.resources.abc import Traversable
from itertools import accumulate, pairwise
from pathlib import Path

import msgspec

from legation.atlas.chart import Chart
from legation.atlas.lines import GridLine
from legation.formats import LARGEST_JSON, FormatError, decode_json, read_file

FILE = "relief.json"
FREE = 2.0
"""Units around names that stay free of lines."""
SHORT = 80
"""Tenths of a unit: what is left of a river between two names is left out if it is shorter."""


class Relief(msgspec.Struct, frozen=True, kw_only=True):
    """Lines on the land of a board, in tenths of a unit."""

    rivers: Mapping[str, list[list[int]]]
    """By breadth, ``stream0`` to ``stream2``: of each its first point, then the way from each point to the next."""
    hills: Mapping[str, list[int]]
    """By side, ``sunny`` or ``shady``: of each stroke the way to its start from that of the last, then its own."""


def read_relief(folder: Traversable | Path) -> Relief | None:
    """The rivers and hills in a board folder; None where there are none that can be read."""
    try:
        return decode_json(read_file(folder.joinpath(FILE), LARGEST_JSON), type=Relief)
    except (OSError, msgspec.MsgspecError, FormatError):
        return None


def draw_relief(relief: Relief, chart: Chart) -> str:
    """Rivers and hills as paths in tenths of a unit; they leave names free."""

    def free(x: int, y: int) -> bool:
        return not chart.lettered(x / 10, y / 10, FREE)

    drawn = ""
    for side, numbers in relief.hills.items():
        path, x, y, pen_x, pen_y = "", 0, 0, 0, 0
        for dx, dy, along, down in zip(*[iter(numbers)] * 4, strict=True):
            x, y = x + dx, y + dy
            if free(x, y) and free(x + along, y + down):
                path += f"m{x - pen_x} {y - pen_y}l{along} {down}"
                pen_x, pen_y = x + along, y + down
        drawn += f'<path class="{side}" d="{path.replace(" -", "-")}"/>'
    for breadth, rivers in relief.rivers.items():
        path = "".join(_bent(part) for river in rivers for part in _parts(river, free))
        drawn += f'<path class="{breadth}" d="{path}"/>'
    return drawn


def _parts(river: list[int], free: Callable[[int, int], bool]) -> Iterator[GridLine]:
    """The points of a river, in parts that lead from name to name."""
    part: GridLine = []
    for x, y in zip(accumulate(river[::2]), accumulate(river[1::2]), strict=True):
        if free(x, y):
            part.append((x, y))
            continue
        yield part
        part = []
    yield part


def _bent(line: GridLine) -> str:
    """A path that is bent by the points of a line and meets the middle of each leg; nothing for a short bit."""
    if sum(math.dist(*leg) for leg in pairwise(line)) < SHORT:
        return ""
    ends = [((ax + bx) // 2, (ay + by) // 2) for (ax, ay), (bx, by) in pairwise(line[1:])]
    (x, y), path = line[0], f"M{line[0][0]} {line[0][1]}"
    for (bx, by), (to_x, to_y) in zip(line[1:-1], ends, strict=True):
        path += f"q{bx - x} {by - y} {to_x - x} {to_y - y}"
        x, y = to_x, to_y
    return f"{path}l{line[-1][0] - x} {line[-1][1] - y}".replace(" -", "-")
