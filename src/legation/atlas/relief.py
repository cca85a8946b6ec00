"""Rivers and hills, where a board has them: fine lines on the land, below all that the game is about."""

import math
from collections.abc import Callable, Iterator, Mapping
from importlib.resources.abc import Traversable
from itertools import accumulate, groupby, pairwise
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from legation.atlas.chart import Chart
from legation.atlas.lines import GridLine
from legation.atlas.shapes import PictureFileError, read_beside

FILE = "relief.json"
FREE = 2.0
"""Around each name so many units stay free of lines."""
SHORT = 80
"""Tenths of a unit: what is left of a river between two names is left out if it is shorter."""
LARGEST = 1_000_000
"""Tenths of a unit: no map is so wide."""


Coordinate = Annotated[int, msgspec.Meta(ge=-LARGEST, le=LARGEST)]
Breadth = Literal["stream0", "stream1", "stream2"]
Side = Literal["sunny", "shady"]


class Relief(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lines on the land of a board, in tenths of a unit."""

    rivers: Mapping[Breadth, list[list[Coordinate]]]
    """By breadth: of each river its first point, then the way from each point to the next."""
    hills: Mapping[Side, list[Coordinate]]
    """By side: of each stroke the way to its start from that of the last stroke, then the way to its own end."""


def read_relief(folder: Traversable | Path) -> Relief | None:
    """The rivers and hills of a board folder; None when it has none.

    :raises PictureFileError: when the file cannot be used."""
    relief = read_beside(folder, FILE, Relief, _MEND)
    if relief and any(len(river) % 2 or len(river) < 4 for rivers in relief.rivers.values() for river in rivers):
        raise PictureFileError(f"{FILE}: a river has fewer than two points, or half of one; {_MEND}")
    if relief and any(len(strokes) % 4 for strokes in relief.hills.values()):
        raise PictureFileError(f"{FILE}: a stroke of the hills is not four numbers; {_MEND}")
    return relief


_MEND = "draw it anew: python -m legation.atlas.grow.relief BOARD_FOLDER"


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
    """The points of a river, cut into parts where it would run through a name."""
    points = zip(accumulate(river[::2]), accumulate(river[1::2]), strict=True)
    return (list(part) for is_free, part in groupby(points, lambda point: free(*point)) if is_free)


def _bent(line: GridLine) -> str:
    """The path of a smooth curve through the middles of a line's legs; nothing for a line that is too short."""
    if sum(math.dist(*leg) for leg in pairwise(line)) < SHORT:
        return ""
    ends = [((ax + bx) // 2, (ay + by) // 2) for (ax, ay), (bx, by) in pairwise(line[1:])]
    (x, y), path = line[0], f"M{line[0][0]} {line[0][1]}"
    for (bx, by), (to_x, to_y) in zip(line[1:-1], ends, strict=True):
        path += f"q{bx - x} {by - y} {to_x - x} {to_y - y}"
        x, y = to_x, to_y
    return f"{path}l{line[-1][0] - x} {line[-1][1] - y}".replace(" -", "-")
