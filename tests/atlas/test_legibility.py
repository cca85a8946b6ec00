"""What of a map reads badly is told, and nothing of ours does: the boards that ship, the templates, the manual's."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from legation.atlas import for_variant
from legation.atlas.chart import BENDS, Chart
from legation.atlas.curves import Curve
from legation.atlas.layout import checked_layout
from legation.atlas.legibility import badly_read
from legation.atlas.letters import overlap_disc
from legation.atlas.outlines import BoardGeometry
from legation.atlas.sites import UNIT_ON_PAGE, Site
from legation.atlas.strokes import head_box
from legation.atlas.table.starting import template_registry, templates
from legation.board import read_board
from legation.board.lint import lint
from legation.cli.linting import picture_faults
from tests.atlas.made_up import stored
from tests.board.folders import BOARDS, EXAMPLES, LAKE, SHIPPED

FOLDERS = [
    *(BOARDS / name for name in SHIPPED),
    *(template_registry().folder_of(name) for name in templates()),
    LAKE,
    EXAMPLES / "narrow-seas",
]


def read_of(folder: Path, **moved: Any) -> list[tuple[str, str]]:
    """What reads badly on a board, with some sites changed."""
    board, shapes = read_board(folder), stored(folder)
    layout = checked_layout(folder, board, shapes)
    assert layout is not None
    sites: dict[str, Site] = dict(layout.sites)
    labels = dict(layout.labels)
    for name, (to, what) in moved.items():
        if what == "label":
            labels[name] = msgspec.structs.replace(labels[name], boxes=labels[to].boxes)
        else:
            sites[name] = msgspec.structs.replace(sites[name], **{what: sites[to].unit})
    return badly_read(BoardGeometry(board, shapes, sites), labels)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.name))
def test_nothing_of_ours_is_at_fault(folder: Path) -> None:
    """Its tables are sound, agree with its picture, and that has a layout and reads well."""
    assert {file.name for file in folder.iterdir()} >= {"shapes.json", "layout.json"}
    assert [*lint(folder), *picture_faults(folder)] == []


def test_what_reads_badly_is_told_with_the_mend() -> None:
    told = {
        ("bur", "center"): "the center of Paris stands on its border; {}, or its center a place in places.csv",
        ("par", "center"): "the unit of Paris covers its center; {}, or its unit a place in places.csv",
        ("bur", "label"): "the name of Paris runs over its border; {}, or its label a place in places.csv",
    }
    for par, text in told.items():
        assert read_of(BOARDS / "standard", par=par) == [("par", text.format("give the province more room"))]


@pytest.fixture(scope="module")
def chart() -> Chart:
    return for_variant("standard")._chart


def ways_of(chart: Chart) -> Iterator[tuple[str, str, Curve, Curve]]:
    """All moves of a board: from where to where, the usual arc, and the one that is drawn."""
    geometry = chart.geometry
    for a in geometry.board.provinces:
        for b in sorted(geometry.board.adjacent(a)):
            two = geometry.together(a, geometry.place_of(a), b, geometry.place_of(b))
            yield a, b, Curve([*two], BENDS[0]), chart.line(a, b, *two)


def stop_of(chart: Chart, arc: Curve, to: str) -> float:
    """Where along an arc a head stands that meets a unit."""
    return chart.stop(arc, to, UNIT_ON_PAGE * chart.geometry.sites[to].size, UNIT_ON_PAGE + 6)[1]


@pytest.mark.long
def test_arrows_bend_so_that_they_cover_less(chart: Chart) -> None:
    units = [disc for disc in chart.geometry.discs if disc.kind == "unit"]
    covering = {"names": [0, 0], "units": [0, 0]}
    crossed = [0, 0]
    for a, b, *arcs in ways_of(chart):
        others = [disc for disc in units if disc.province != a]
        for number, arc in enumerate(arcs):
            head = head_box(arc, stop_of(chart, arc, b), 9.0)
            covering["names"][number] += bool(chart.names_under(head))
            covering["units"][number] += any(overlap_disc(head, disc) for disc in others)
            crossed[number] += len(chart.names_along([arc]))
    assert all(drawn == 0 < usual for usual, drawn in covering.values()), covering
    assert crossed[1] < crossed[0]


def test_an_arrow_that_leaves_a_name_free_still_shows_where_it_goes(chart: Chart) -> None:
    geometry = chart.geometry
    units = [(disc.x, disc.y) for disc in geometry.discs if disc.kind == "unit"]
    far = 0
    for a, b, usual, arc in ways_of(chart):
        assert (arc.samples[0], arc.samples[-1]) == (usual.samples[0], usual.samples[-1])
        stop, aim = stop_of(chart, arc, b), arc.samples[-1]
        tip = arc.point(stop)
        others = [unit for unit in units if unit != arc.samples[0]]
        assert min(others, key=lambda unit: math.dist(unit, tip)) == aim, (a, b)
        if arc.before_end(UNIT_ON_PAGE + 2) - stop > 15.5:  # farther off than a head goes anywhere
            far += 1
            assert geometry.contains(b, *arc.point(stop - 4.5)), (a, b)
            assert stop > 0.72 * arc.length, "a support ends in a knob up to there"
    assert far
