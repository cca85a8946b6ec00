"""What a page shows of a grown board while it is drawn: paths of provinces, borders with their reasons, shores."""

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from legation.atlas.contacts import Link, Pair, Shore, closed_links, length_of, measure_contacts, shores_of
from legation.atlas.lines import area
from legation.atlas.shapes import Place, Shape, Shapes, contacts, sides
from legation.board.model import Board, Border

Circle = tuple[float, float, float]


class DrawnProvince(msgspec.Struct, frozen=True):
    """A province: its outline, and where its name and its symbols may go, in km on the map."""

    path: str
    sea: bool
    label: Place
    unit: Place
    center: Place
    coasts: Mapping[str, Place]
    circle: Circle | None
    box: tuple[float, float, float, float] | None
    area: float


class DrawnBorder(msgspec.Struct, frozen=True):
    """A border: a row of ``borders.csv`` (or one that follows from a sea area), the common line, and why it is one.

    Of one that is not (``army`` and ``fleet`` false), ``why`` says why not."""

    a: str
    b: str
    army: bool
    fleet: bool
    kind: str
    """``land``, ``sea``, ``shore``, or ``link`` where the provinces do not touch."""
    length: float
    path: str
    at: Place | None
    why: str


class Stretch(msgspec.Struct, frozen=True):
    """A stretch of the shore of a land, with the seas along it in their order."""

    seas: list[str]
    length: float
    path: str


class SceneryDrawing(msgspec.Struct, frozen=True):
    """Scenery (``land``, ``water``) or a link (``bridge``, ``barrier``) with its line."""

    kind: str
    path: str
    a: str = ""
    b: str = ""


class BoardPicture(msgspec.Struct):
    """All of it."""

    provinces: dict[str, DrawnProvince] = {}
    scenery: list[SceneryDrawing] = []
    links: list[SceneryDrawing] = []
    borders: list[DrawnBorder] = []
    near: list[DrawnBorder] = []
    shores: dict[str, list[Stretch]] = {}


def picture_of(board: Board, shapes: Shapes, links: Sequence[Link]) -> BoardPicture:
    """What a page shows of a board with these shapes."""
    links = [*links, *closed_links(shapes, board.provinces)]
    facts = _Facts(board, shapes, links)
    return BoardPicture(
        provinces={name: _province(shapes, shape, facts.is_sea(name)) for name, shape in shapes.provinces.items()},
        scenery=[SceneryDrawing(one.kind, path(shapes.outline(one.rings), closed=True)) for one in shapes.scenery],
        links=[SceneryDrawing(link.kind, path([link.line]), link.a, link.b) for link in shapes.links],
        borders=[facts.border(border) for border in board.borders],
        near=facts.near(),
        shores={name: _shores(stretches) for name, stretches in shores_of(shapes, board.provinces).items()},
    )


def path(lines: Iterable[Sequence[Place]], *, closed: bool = False) -> str:
    """Lines as the data of an SVG path."""
    shown = ((line[:-1], "Z") if closed else (line, "") for line in lines)
    return "".join("M" + "L".join(f"{x:g} {y:g}" for x, y in line) + end for line, end in shown)


def _province(shapes: Shapes, shape: Shape, sea: bool) -> DrawnProvince:
    outline = shapes.outline(shape.rings)
    return DrawnProvince(
        path=path(outline, closed=True),
        sea=sea,
        label=shape.label,
        unit=shape.unit,
        center=shape.center,
        coasts=shape.coasts,
        circle=shape.circle,
        box=shape.box,
        area=round(area(outline), 1),
    )


def middle_of(lines: Sequence[Sequence[Place]]) -> Place | None:
    """The middle of the longest of some lines."""
    if not lines:
        return None
    line = max(lines, key=length_of)
    half = length_of(line) / 2
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        step = math.dist((ax, ay), (bx, by))
        if step and half <= step:
            return round(ax + (bx - ax) * half / step, 1), round(ay + (by - ay) * half / step, 1)
        half -= step
    return line[-1]


class _Facts:
    """What is known of a board and its picture, to tell why something is a border."""

    def __init__(self, board: Board, shapes: Shapes, links: Sequence[Link]) -> None:
        self.board, self.shapes, self.links = board, shapes, links
        self.lines: dict[Pair, list[list[Place]]] = defaultdict(list)
        for arc, beside in zip(shapes.arcs, sides(shapes), strict=True):
            if len(beside) == 2 and beside[0] != beside[1]:
                self.lines[min(beside), max(beside)].append(arc)
        self.reasons = {link.pair: link.reason for link in links}
        self.lengths = contacts(shapes)
        self.measured = measure_contacts(board.provinces, shapes)

    def is_sea(self, name: str) -> bool:
        return name in self.board.provinces and self.board.provinces[name].sea

    def name(self, province: str) -> str:
        return self.board.provinces[province].name

    def kind(self, a: str, b: str) -> str:
        return ("land", "shore", "sea")[self.is_sea(a) + self.is_sea(b)]

    def border(self, border: Border) -> DrawnBorder:
        """A border of the board."""
        a, b = pair = border.pair
        length, lines = self.lengths.get(pair, 0.0), self.lines.get(pair, [])
        declared = [link for link in self.links if link.pair == pair and link.add]
        why = f"{_km(length)} of common border" if length else "they don't touch; opened by hand"
        if declared:
            why = self.reasons.get(pair) or f"{why.partition(';')[0]}; opened by hand"
        seas = self.measured.coasting.get(pair)
        if border.fleet and seas and not declared:
            why += f"; both on {' and '.join(self.name(sea) for sea in sorted(seas))}"
        kind = self.kind(a, b) if length else "link"
        at = middle_of(lines) or self._between(a, b)
        return DrawnBorder(border.a, border.b, border.army, border.fleet, kind, round(length, 1), path(lines), at, why)

    def _between(self, a: str, b: str) -> Place | None:
        """The place between two provinces that do not touch: of the line that is drawn, else of their middles."""
        for link in self.shapes.links:
            if {link.a, link.b} == {a, b}:
                return middle_of([link.line])
        if a not in self.shapes.provinces or b not in self.shapes.provinces:
            return None
        (ax, ay), (bx, by) = self.shapes.provinces[a].label, self.shapes.provinces[b].label
        return round((ax + bx) / 2, 1), round((ay + by) / 2, 1)

    def near(self) -> list[DrawnBorder]:
        """What touches and isn't a border, with the reason."""
        stated = {border.pair for border in self.board.borders}
        removed = {link.pair for link in self.links if not link.add}
        found, least = [], self.shapes.least
        for (a, b), length in sorted(self.lengths.items()):
            if a not in self.board.provinces or b not in self.board.provinces or (a, b) in stated:
                continue
            if self.shapes.provinces[a].box or self.shapes.provinces[b].box:
                continue
            kind, line = self.kind(a, b), self.lines[a, b]
            needed = {"land": least.border, "shore": least.coast, "sea": least.sea}[kind]
            if (a, b) in removed:
                why = self.reasons.get((a, b)) or f"{_km(length)} of common border, closed by hand"
            elif length < needed:
                why = f"share only {_km(length)}; {needed:g} km make a border"
            elif kind == "shore":
                why = f"{self.name(b if self.is_sea(a) else a)} is inland; give it a coast"
            else:
                why = "not in borders.csv"
            found.append(DrawnBorder(a, b, False, False, kind, round(length, 1), path(line), middle_of(line), why))
        return found


def _km(length: float) -> str:
    return f"{length:.0f} km" if length >= 10 else f"{length:.1f} km"


def _shores(stretches: list[list[Shore]]) -> list[Stretch]:
    return [
        Stretch(
            seas=sorted({sea for _, sea in part}),
            length=round(sum(length_of(line) for line, _ in part), 1),
            path=path(line for line, _ in part),
        )
        for part in stretches
    ]
