"""A made-up board of any size: a jittered grid of land within a ring of sea, with ragged borders, in the form of
``shapes.json``."""

import random
from pathlib import Path

from legation.atlas.shapes import Place, Shape, Shapes, read_shapes
from legation.board import Board, Border, Province
from legation.board.folders import TextFolder
from tests.board.folders import BOARDS

DRAWN = sorted(folder for folder in BOARDS.iterdir() if (folder / "shapes.json").exists())
"""The folders of the boards that come with the project and can be drawn."""
NAMES = (
    "Alder Ash Birk Cold Dun Elm Fair Gold Hazel Iron Kings Long "
    "Mill North Oak Pen Raven Stone Thorn West Wolf Wyn Amber Bright Crow Deer Eagle Fern"
).split()
ENDS = ["ford", "bury", "ton", "mark", "land", "shire", "moor", "wick", "field", "gate", "haven", "dale"]
SEAS = ["Sea", "Bay", "Gulf", "Deep", "Sound"]


def stored(folder: Path | TextFolder) -> Shapes:
    """The shapes that lie in a board's folder."""
    shapes = read_shapes(folder)
    assert shapes is not None
    return shapes


def made_up(rows: int = 6, columns: int = 7, seed: int = 1) -> tuple[Board, Shapes]:
    """A board of ``rows`` times ``columns`` provinces and its shapes; the same seed gives the same board."""
    dice = random.Random(seed)
    cell = 100.0
    node = {
        (i, j): (
            j * cell + (dice.uniform(-24, 24) if 0 < j < columns else 0),
            i * cell * 0.9 + (dice.uniform(-24, 24) if 0 < i < rows else 0),
        )
        for i in range(rows + 1)
        for j in range(columns + 1)
    }
    arcs: list[list[Place]] = []
    number: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}

    def ragged(a: Place, b: Place, rough: float, depth: int) -> list[Place]:
        if depth == 0:
            return [a]
        dx, dy = b[0] - a[0], b[1] - a[1]
        off = dice.gauss(0, rough)
        middle = (a[0] + dx / 2 - dy * off, a[1] + dy / 2 + dx * off)
        return ragged(a, middle, rough * 0.9, depth - 1) + ragged(middle, b, rough * 0.9, depth - 1)

    def arc(a: tuple[int, int], b: tuple[int, int]) -> int:
        if (a, b) in number:
            return number[a, b]
        if (b, a) in number:
            return ~number[b, a]
        on_frame = any(a[k] == b[k] in (0, (rows, columns)[k]) for k in (0, 1))
        line = [*ragged(node[a], node[b], 0 if on_frame else 0.09, 0 if on_frame else 4), node[b]]
        number[a, b] = len(arcs)
        arcs.append([(round(x, 1), round(y, 1)) for x, y in line])
        return number[a, b]

    provinces: list[Province] = []
    shapes: dict[str, Shape] = {}
    ids: dict[tuple[int, int], str] = {}
    wet = {
        (i, j): i in (0, rows - 1) or j in (0, columns - 1) or dice.random() < 0.08
        for i in range(rows)
        for j in range(columns)
    }
    for (i, j), sea in wet.items():
        ids[i, j] = f"{'s' if sea else 'l'}{i:02d}{j:02d}"
        near = [wet.get((i + di, j + dj), False) for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0))]
        first = dice.choice(NAMES)
        name = f"{first} {dice.choice(SEAS)}" if sea else first + dice.choice(ENDS)
        if not sea and dice.random() < 0.3:
            name = f"{dice.choice(('North', 'Upper', 'Saint', 'Little'))} {name}"
        center = not sea and dice.random() < 0.5
        provinces.append(
            Province(
                id=ids[i, j],
                name=name,
                sea=sea,
                shore=not sea and any(near),
                center=center,
                capital=center and dice.random() < 0.15,
                region="" if sea else f"land {i // 3}{j // 3}",
            )
        )
        corners = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)]
        ring = [arc(corners[k], corners[(k + 1) % 4]) for k in range(4)]
        x, y = (sum(node[c][k] for c in corners) / 4 for k in (0, 1))
        angle = dice.choice((0.0, 0.0, 25.0, -40.0))
        shapes[ids[i, j]] = Shape([[ring]], (x, y), (x - 15, y + 16), (x + 18, y + 18), 70.0, angle)
    by, borders = {p.id: p for p in provinces}, []
    for (i, j), name in ids.items():
        for other in filter(None, (ids.get((i, j + 1)), ids.get((i + 1, j)))):
            a, b = sorted((name, other))
            sailing = by[a].sea or by[b].sea or (by[a].shore and by[b].shore)
            borders.append(Border(a, b, army=not (by[a].sea or by[b].sea), fleet=sailing))
    board = Board("made-up", "A Made-Up Country", provinces, borders, credits="Drawn for a test; no such place exists.")
    laea, size = {"kind": "laea", "lon": 0, "lat": 50}, (columns * cell, rows * cell * 0.9)
    return board, Shapes(projection=laea, width=size[0], height=size[1], arcs=arcs, provinces=shapes)
