"""A name on the map: its letters, how wide they are, and the boxes that it covers.

Widths come from the map font's own table, so the layout needs no font library."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import combinations, pairwise

import msgspec

from legation.atlas.lines import Point
from legation.atlas.sites import Disc
from legation.formats import decode_json

ASCENT = 0.68
DESCENT = 0.22
LEADING = 0.92
"""Heights above and below the base line and the line spacing, in font sizes."""
SHORT_SIZES = (9.5, 8.5, 7.5)
SEA_SPACING = 0.06
"""Extra space between the letters of seas, in font sizes."""
Box = tuple[Point, Point, Point, Point]


class Label(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A placed name: its lines, the middle of each base line (``curve``: the base line itself as a quadratic curve),
    angle in degrees, boxes it covers.

    ``leader`` runs from the label to its province where the label had to stand outside."""

    province: str
    lines: tuple[str, ...]
    size: float
    face: str
    at: tuple[Point, ...]
    angle: float = 0.0
    curve: tuple[Point, Point, Point] | None = None
    leader: tuple[Point, Point] | None = None
    boxes: tuple[Box, ...] = ()
    short: bool = False
    beside: bool = False
    """Whether it stands beside its place, across whatever is drawn there."""
    ground: str = ""
    """The province on which the name is printed; empty where that is its own."""

    @property
    def middle(self) -> Point:
        """The middle of its lines."""
        return sum(x for x, _ in self.at) / len(self.at), sum(y for _, y in self.at) / len(self.at)


@cache
def advances(face: str) -> Mapping[str, int]:
    """The width of each character of a face (``regular``, ``italic``, ``bold``) in thousandths of the font size."""
    table: dict[str, dict[str, int]] = decode_json(
        files("legation.atlas.fonts").joinpath("advances.json").read_text("utf-8")
    )
    return table[face]


def measure(text: str, face: str, size: float, spacing: float = 0.0) -> float:
    """The width of a text; unknown characters count as wide ones. ``spacing`` is extra space per letter, in font
    sizes."""
    table = advances(face)
    return (sum(table.get(c, 700) for c in text) / 1000 + spacing * max(0, len(text) - 1)) * size


def width_of(lines: Iterable[str], face: str, size: float) -> float:
    """The width of a name's lines on a map, where seas are in italics, with space between their letters."""
    spacing = SEA_SPACING if face == "italic" else 0.0
    return max(measure(line, face, size, spacing) for line in lines)


def height_of(lines: Sequence[str], size: float) -> float:
    """The height of a name's lines."""
    return (ASCENT + DESCENT + LEADING * (len(lines) - 1)) * size


def wrappings(name: str) -> list[tuple[str, ...]]:
    """A name on one line, then on two and three, split as evenly as its words allow."""
    words = name.split(" ")
    ways: list[tuple[str, ...]] = [(name,)]
    for breaks in (1, 2):
        cuts = [(0, *cut, len(words)) for cut in combinations(range(1, len(words)), breaks)]
        lines = [tuple(" ".join(words[i:j]) for i, j in pairwise(cut)) for cut in cuts]
        if lines:
            ways.append(min(lines, key=lambda way: max(map(len, way))))
    return ways


def abbreviation(province: str, *, sea: bool) -> str:
    """How a province is lettered where its name has no room: ``Par``, ``NTH``."""
    return province.upper() if sea else province.capitalize()


def overlap(a: Box, b: Box) -> bool:
    """Whether two convex four-sided boxes overlap (separating axes)."""
    for one, other in ((a, b), (b, a)):
        for i in range(4):
            (px, py), (qx, qy), (rx, ry) = one[i], one[(i + 1) % 4], one[(i + 2) % 4]
            nx, ny = qy - py, px - qx
            if nx * (rx - px) + ny * (ry - py) > 0:  # outward, away from the opposite corner
                nx, ny = -nx, -ny
            if min([nx * (x - px) + ny * (y - py) for x, y in other]) >= -1e-9:
                return False
    return True


def overlap_disc(box: Box, disc: Disc) -> bool:
    """Whether a convex box overlaps a disc."""
    inside = True
    sign = 0.0
    for i in range(4):
        (px, py), (qx, qy) = box[i], box[(i + 1) % 4]
        dx, dy = qx - px, qy - py
        length = dx * dx + dy * dy or 1e-9
        t = min(1.0, max(0.0, ((disc.x - px) * dx + (disc.y - py) * dy) / length))
        if math.hypot(disc.x - px - t * dx, disc.y - py - t * dy) < disc.r:
            return True
        side = dx * (disc.y - py) - dy * (disc.x - px)
        if sign == 0.0:
            sign = side
        elif side * sign < 0:
            inside = False
    return inside


_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(text: str) -> str:
    """Text as element content and double-quoted attributes may hold it."""
    return printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def printable(text: str) -> str:
    """Text in which what no XML may hold (most control characters, halves of characters) is a replacement character
    (U+FFFD)."""
    return _NO_XML.sub("\ufffd", text)
