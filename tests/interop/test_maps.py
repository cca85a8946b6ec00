"""Maps of made-up boards: every border is drawn or marked, and a picture made of dots keeps its outlines."""

from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path

import pytest

from legation.atlas.cartography import Atlas
from legation.atlas.shapes import Shapes, contacts, insets_of, part_at, read_shapes
from legation.atlas.table.answering import answer
from legation.atlas.table.document import document_of
from legation.board import Board, read_board
from legation.cli.linting import picture_faults
from legation.interop import Written, open_source, read_variants, write_variants
from legation.interop.record import ForeignVariant, Nation, Place, Point, SourcePicture, StartingUnit
from tests.interop import toy
from tests.interop.bringing import bring

pytest.importorskip("shapely")
Image = pytest.importorskip("PIL.Image")
ImageDraw = pytest.importorskip("PIL.ImageDraw")

Cell = tuple[int, int]


def key(cell: Cell) -> str:
    return f"{chr(97 + cell[0])}{chr(97 + cell[1])}x"


def board_of(
    steps: Iterable[tuple[Cell, Cell]], spots: Mapping[Cell, Point], wet: Iterable[Cell], out: Path
) -> tuple[Written, Board, Shapes]:
    """A board of cells, all of them land but those that are ``wet``, drawn where the units of the cells stand."""
    wet = {*wet}
    variant = ForeignVariant(name="made-up", title="Made up", format="test", file="test")
    for x, y in spots:
        variant.places[key((x, y))] = Place(key=key((x, y)), name=f"Cell {x} of {y}", sea=(x, y) in wet)
    for one, other in steps:
        for a, b in ((one, other), (other, one)):
            ways = variant.fleet if {a, b} & wet else variant.army
            ways.add((key(a), key(b)))
            variant.places[key(a)].shore |= a not in wet and b in wet
    variant.picture = SourcePicture(units={key(cell): spot for cell, spot in spots.items()})
    homes = [place.key for place in variant.places.values() if not place.sea]
    for name, home in (("North", homes[0]), ("South", homes[-1])):
        variant.places[home].center = True
        variant.nations.append(Nation(name=name, homes=[home], units=[StartingUnit("army", home)]))
    [written] = write_variants([variant], out)
    shapes = read_shapes(written.board)
    assert shapes is not None
    return written, read_board(written.board), shapes


def unseen(board: Board, shapes: Shapes) -> set[frozenset[str]]:
    """The borders that are no line of the picture and have no mark."""
    stated = {frozenset(border.pair) for border in board.borders}
    touching = {frozenset(pair) for pair, length in contacts(shapes).items() if length > 3}
    return stated - touching - {frozenset((link.a, link.b)) for link in shapes.links}


@pytest.mark.parametrize("drawn", [True, False])
def test_where_diagonals_cross_all_borders_are_drawn_or_marked(drawn: bool, tmp_path: Path) -> None:
    """The squares of a chess board with a king's moves, in its picture and laid out from the borders alone."""
    cells = [*product(range(5), range(5))]
    steps = [(a, b) for a in cells for b in cells if a < b and max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1]
    spots = {(x, y): (60.0 * x, 60.0 * y) if drawn else (0.0, 0.0) for x, y in cells}
    written, board, shapes = board_of(steps, spots, [], tmp_path)
    assert not unseen(board, shapes)
    assert picture_faults(written.board) == []


def test_borders_round_the_world_are_marked_at_the_edge(tmp_path: Path) -> None:
    cells = [*product(range(8), range(4))]
    steps = [((x, y), ((x + dx) % 8, y + dy)) for x, y in cells for dx, dy in ((1, 0), (0, 1)) if y + dy < 4]
    wet = [(x, y) for x, y in cells if y == 1 or x == 0]
    spots = {(x, y): (60.0 * x + 7 * (y % 2), 60.0 * y) for x, y in cells}
    _, board, shapes = board_of(steps, spots, wet, tmp_path)
    assert not unseen(board, shapes)
    away = {(link.a, link.b): link.line for link in shapes.links if link.kind == "away"}
    for y in range(4):
        west, east = key((0, y)), key((7, y))
        assert away[west, east][1][0] < 1 and away[east, west][1][0] > shapes.width - 1
    assert all(link.kind != "bridge" for link in shapes.links)
    assert not shapes.scenery, "nothing is off the board, and no land is invented"
    svg = Atlas(board, shapes).svg(interactive=False)
    assert "Cell 0 of 1 also borders on Cell 7 of 1" in svg and "named by its code" in svg


def test_what_a_color_fills_in_a_picture_is_a_region(tmp_path: Path) -> None:
    """The toy board in dots, with a lake, a land that nobody has, and lettering across two regions."""
    folder = toy.write(tmp_path / "in", "webdiplomacy")
    image = Image.new("P", (400, 300), 2)
    image.putpalette([0, 0, 0, 240, 230, 200, 120, 160, 220, 255, 255, 255])
    draw = ImageDraw.Draw(image)
    for box in ((0, 100, 100, 200), (100, 100, 200, 200), (200, 100, 399, 200)):
        draw.rectangle(box, fill=1, outline=0)
    draw.rectangle((340, 130, 380, 170), fill=3, outline=0)
    draw.rectangle((20, 115, 40, 130), fill=2, outline=0)
    draw.line((60, 180, 140, 180), fill=0)
    (folder / "resources").mkdir()
    image.save(folder / "resources" / "map.png")
    [variant] = read_variants(open_source(folder))
    assert {variant.places[key].name for key in variant.picture.shapes} == {"Alp", "Dun", "Cap", "Bay", "Ode"}
    assert [kind for kind, _ in variant.picture.off_board] == ["water", "land"]
    [written] = write_variants([variant], tmp_path / "out")
    assert written.origin == "shapes" and picture_faults(written.board) == []
    shapes = read_shapes(written.board)
    assert shapes is not None and sorted(scene.kind for scene in shapes.scenery) == ["land", "water"]
    assert shapes.width / shapes.height == pytest.approx(400 / 300, rel=0.02)


@pytest.mark.parametrize("data", [b"", b"GIF89a\1", b"\x89PNG\r\n\x1a\n" + b"\0" * 50])
def test_a_picture_that_cannot_be_read_is_told(data: bytes, tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "webdiplomacy")
    (folder / "map.png").write_bytes(data)
    [variant] = read_variants(open_source(folder))
    assert not variant.picture.shapes
    assert [note.text for note in variant.not_taken if note.what == "map.png"]


def test_the_colors_of_a_source_are_kept_where_they_are_apart(tmp_path: Path) -> None:
    colors = "protected $countryColors = array(0 => array(0, 0, 160), 1 => array(40, 140, 0), 2 => array({}));"
    for number, (second, kept) in enumerate({"215, 55, 55": "#d73737", "41, 141, 1": "", "700, 0, 0": ""}.items()):
        drawing = f"class ToyVariant_drawMap extends drawMap {{ {colors.format(second)} }}"
        found = bring(tmp_path / f"{number}", "webdiplomacy", classes={"drawMap": drawing})
        assert [nation.color for nation in found.written.variant.nations] == ["#288c00", kept]


@pytest.mark.parametrize("kind", ["jdip", "webdiplomacy", "njudge"])
def test_an_import_can_be_gone_on_with_at_the_drawing_table(kind: str, tmp_path: Path) -> None:
    [written] = write_variants(read_variants(open_source(toy.write(tmp_path / "in", kind)))[:1], tmp_path / "out")
    files = {file.name: file.read_text(encoding="utf-8") for file in (*written.board.iterdir(), written.file)}
    opened = document_of(files)
    grown = answer(opened["document"], "full")
    assert opened["findings"] == grown["findings"] == []
    assert grown["files"]["shapes.json"]


def test_what_is_crowded_is_shown_larger_below_the_map(tmp_path: Path) -> None:
    """Six by six cells in a corner of a map that five by five larger ones fill."""
    small = [*product(range(6), range(6))]
    large = [(x + 6, y + 6) for x, y in product(range(5), range(5)) if (x, y) != (0, 0)]
    steps = [
        (a, b)
        for cells in (small, large)
        for a, b in product(cells, cells)
        if a < b and abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
    ]
    steps += [((5, 3), (7, 6)), ((3, 5), (6, 7))]
    spots = {(x, y): (6.0 * x + y % 2, 6.0 * y) for x, y in small}
    spots |= {(x, y): (100.0 * (x - 6) + 5 * (y % 2), 100.0 * (y - 6)) for x, y in large}
    written, board, shapes = board_of(steps, spots, [(7, 10)], tmp_path)
    assert not unseen(board, shapes)
    assert picture_faults(written.board) == []
    [inset] = insets_of(shapes)
    assert {part_at([inset], *shapes.provinces[key(cell)].unit) for cell in small} == {1}
    assert {part_at([inset], *shapes.provinces[key(cell)].unit) for cell in large if max(cell) > 8} == {0}
    files = {file.name: file.read_text(encoding="utf-8") for file in (*written.board.iterdir(), written.file)}
    opened = document_of(files)
    assert opened["findings"] == []
    grown = answer(opened["document"], "full")
    assert grown["findings"] == []
    assert '"insets":[{' in grown["files"]["shapes.json"]
