"""Insets: a part of the map shown larger, and land beyond the map, in boxes of their own."""

import csv
import io
import math
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("shapely", reason="drawing needs the extra authoring")

import shapely

from legation.atlas.canvas import Canvas
from legation.atlas.cartography import Atlas
from legation.atlas.contacts import border_tables, compare, read_links
from legation.atlas.grow.coastline import find_land
from legation.atlas.grow.growing import grow, write
from legation.atlas.grow.labels import lay_out
from legation.atlas.grow.plan import PlanError, read_plan
from legation.atlas.shapes import Shapes, contacts, insets_of
from legation.atlas.symbols import UnitSymbols
from legation.atlas.table.answering import answer
from legation.board import Board, board_document
from legation.board.files import BoardFiles, build_board
from legation.board.folders import TextFolder
from legation.board.lint import lint
from tests.atlas.made_up import stored
from tests.board.folders import EXAMPLES

HEAD = """name = "far-and-small"
title = "Far and small"
projection = { kind = "plane" }
frame = { west = 0, south = 0, east = 1000, north = 700 }
grow = { least_border = 4, least_sea = 2, least_coast = 2 }
"""
LAND = [
    ("big", "Big", "single", "200 560"),
    ("hil", "Hill", "single", "420 560"),
    ("dal", "Dale", "single", "430 380"),
    ("low", "Low", "single", "430 180"),
    ("hut", "Hut", "single", "200 400"),
    ("mid", "Mid", "single", "230 230"),
    ("one", "One", "single", "115 130"),
    ("two", "Two", "single", "145 130"),
    ("tre", "Three", "single", "130 165"),
    ("eas", "East", "single", "3060 2050"),
    ("wes", "West", "single", "3020 2050"),
]
"""Large lands, three small ones in a corner of their island, and two on an island beyond the map."""
SEA = [("sea", "The Sea", "40 40; 40 600; 500 40; 3000 2005; 3080 2095")]
CARVE = ["100 100; 500 100; 500 620; 100 620", "3010 2010; 3090 2010; 3090 2090; 3010 2090"]
CORNER = ("The corner", "90 90; 190 190", "560 500", "4")
BEYOND = ("Beyond", "2990 1990; 3110 2110", "600 668", "1.2")


def table(columns: str, rows: list[Any]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows([columns.split(","), *rows])
    return written.getvalue()


def board_files(*insets: tuple[str, str, str, str], land: list[Any] | None = None) -> dict[str, str]:
    return {
        "board.toml": HEAD,
        "land.csv": table("id,name,coasts,points", land or LAND),
        "sea.csv": table("id,name,points", SEA),
        "carve.csv": table("kind,form,points", [("land", "area", points) for points in CARVE]),
        "insets.csv": table("title,window,at,scale", list(insets)),
    }


def grown(*insets: tuple[str, str, str, str], land: list[Any] | None = None) -> tuple[Board, Shapes]:
    files = board_files(*insets, land=land)
    plan = read_plan(TextFolder(files))
    shapes = grow(plan, find_land(TextFolder(files), plan.coastline)).shapes
    tables = border_tables(BoardFiles(TextFolder(files)), shapes)
    files["borders.csv"] = table("a,b,army,fleet", [tuple(row.values()) for row in tables["borders"]])
    files["shapes.json"] = write(shapes)
    kept = stored(TextFolder(files))
    read = BoardFiles(TextFolder(files))
    board = build_board(read)
    assert not lint(TextFolder(files))
    assert not compare(board, kept, read_links(read))
    return board, kept


@pytest.fixture(scope="module")
def near() -> tuple[Board, Shapes]:
    return grown(CORNER, BEYOND)


def test_what_is_shown_larger_has_the_borders_of_the_map(near: tuple[Board, Shapes]) -> None:
    plain, shapes = grown(BEYOND)
    board, larger = near
    assert board.borders == plain.borders
    assert contacts(larger) == pytest.approx(contacts(shapes))


@pytest.mark.parametrize(
    ("window", "scale"),
    [("90.4 90; 190.7 190.9", "1.5"), ("90 90; 190.1 189.9", "2.51"), ("91 92; 230.3 188", "0.7")],
)
def test_each_province_is_shown_as_large_as_the_scale_says(window: str, scale: str) -> None:
    files = board_files((CORNER[0], window, "520 500", scale), BEYOND)
    plan = read_plan(TextFolder(files))
    shapes = grow(plan, find_land(TextFolder(files), plan.coastline)).shapes
    inset = insets_of(shapes)[0]
    assert inset.window is not None
    geometry = {
        name: shapely.MultiPolygon([[shapes.ring(outer), [*map(shapes.ring, holes)]] for outer, *holes in shape.rings])
        for name, shape in shapes.provinces.items()
    }
    shown, field = shapely.box(*inset.window), shapely.box(*inset.field)
    for name, body in geometry.items():
        there, here = body.intersection(field).area, body.intersection(shown).area * inset.scale**2
        assert there == pytest.approx(here, rel=0.01, abs=inset.scale**2), name


def test_symbols_and_names_stand_where_their_province_is_largest_and_once(near: tuple[Board, Shapes]) -> None:
    board, shapes = near
    atlas = Atlas(board, shapes, (), "", lay_out(board, shapes))
    part = {name: atlas.geometry.part_of(site.unit) for name, site in atlas.geometry.sites.items()}
    there = ("big hil dal low hut mid sea", "one two tre", "eas wes")
    assert part == {name: number for number, names in enumerate(there) for name in names.split()}
    for name, label in atlas.labels.items():
        assert label.beside or atlas.geometry.part_of(label.at[0]) == part[name], name
    assert not any(atlas.labels[name].beside for name in ("one", "two", "tre", "big"))
    drawn = atlas.svg(legend=False)
    assert drawn.count('class="inset-margin"') == 2
    assert drawn.count('class="inset-window"') == 1
    assert drawn.count(">The corner</text>") == drawn.count(">Three</text>") == 1


def test_land_beyond_the_map_is_measured_in_true_lengths() -> None:
    for scale in ("1", "2.5"):
        board, shapes = grown((*BEYOND[:3], scale))
        assert 70 <= contacts(shapes)["eas", "wes"] <= 95, scale
        assert {"eas", "wes"} <= board.adjacent("sea")


def test_an_order_across_the_edge_of_an_inset_is_drawn_within_it_or_beside_its_window(
    near: tuple[Board, Shapes],
) -> None:
    board, shapes = near
    atlas = Atlas(board, shapes, (), "", lay_out(board, shapes))
    geometry = atlas.geometry
    canvas = Canvas(atlas._chart, UnitSymbols(), (), {}, (), {})
    for a, b, part in (("one", "mid", 1), ("mid", "one", 0), ("eas", "sea", 2), ("two", "tre", 1)):
        start, end = canvas.ends(a, b)
        assert geometry.part_of(start) == geometry.part_of(end) == part
        assert math.dist(start, end) < 400 * geometry.scale
    for helper, target, to, part in (("big", "one", "mid", 0), ("mid", "one", "two", 1)):
        start, end = canvas.helping(helper, target, to)
        assert geometry.part_of(start) == geometry.part_of(end) == part
    assert atlas.board_layer().geometry.count('"also"') == len(board.provinces)


@pytest.mark.parametrize(
    ("inset", "message"),
    [
        ((*CORNER[:2], "900 500", "4"), "insets.csv:2: the inset does not fit on the map: it is 400 km wide"),
        ((*CORNER[:2], "120 650", "6"), "insets.csv:2: the inset lies on its own window"),
        (("", "-50 90; 190 190", "560 500", "4"), "insets.csv:2: the window lies across the edge of the map"),
        ((*CORNER[:2], "560 500", "0"), "insets.csv:2: scale must be a number above 0, 100 at most, not '0'"),
        ((*CORNER[:2], "560 500", "inf"), "insets.csv:2: scale must be a number above 0"),
        ((*CORNER[:2], "560 500", "0.1"), "insets.csv:2: the inset is too small to be read"),
        (("", "90 90", "560 500", "4"), "insets.csv:2: an inset has two points in window"),
        (("", "here; there", "560 500", "4"), "insets.csv:2: the point 'here' is not 'x y' in km"),
        (
            ("", "400 100; 500 200", "200 650", "2"),
            "land.csv:2: the point 200 560 lies under the inset of insets.csv:2",
        ),
    ],
)
def test_an_inset_that_cannot_be_is_told_with_its_line(inset: tuple[str, str, str, str], message: str) -> None:
    with pytest.raises(PlanError) as refused:
        read_plan(TextFolder(board_files(inset)))
    assert any(str(fault).startswith(message) for fault in refused.value.faults), refused.value.faults


def test_two_insets_need_two_places() -> None:
    with pytest.raises(PlanError, match=r"insets.csv:3: the inset lies on that of insets.csv:2"):
        read_plan(TextFolder(board_files(CORNER, (*BEYOND[:2], "600 400", "1.2"))))


def test_the_table_grows_insets_too(tmp_path: Path) -> None:
    folder = tmp_path / "far-and-small"
    folder.mkdir()
    for name, text in board_files(CORNER, BEYOND).items():
        folder.joinpath(name).write_text(text, encoding="utf-8")
    document = {"board": board_document(folder), "borders": "picture"}
    for stage in ("coarse", "full"):
        reply = answer(document, stage)
        assert not reply["findings"], reply["findings"]
        assert [inset["title"] for inset in reply["insets"]] == ["The corner", "Beyond"]
    assert len(insets_of(stored(TextFolder(reply["files"])))) == 2


def test_the_example_of_the_manual_has_insets_of_both_kinds() -> None:
    assert [inset.window is None for inset in insets_of(stored(EXAMPLES / "narrow-seas"))] == [False, True]
