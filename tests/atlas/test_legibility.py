"""What of a map reads badly is told, and nothing of ours does: the boards that ship, the templates, the manual's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from legation.atlas.geometry import BoardGeometry
from legation.atlas.layout import checked_layout
from legation.atlas.legibility import badly_read
from legation.atlas.shapes import read_shapes
from legation.atlas.sites import Site
from legation.atlas.table.starting import template_registry, templates
from legation.board import read_board
from tests.atlas.test_cartography import real_board, real_boards

FOLDERS = [
    *real_boards(),
    *(template_registry().folder_of(name) for name in templates()),
    Path(__file__).parents[2] / "docs" / "examples" / "lake",
]


def read_of(folder: Path, **moved: Any) -> list[tuple[str, str]]:
    """What reads badly on a board, with some sites changed."""
    board, shapes = read_board(folder), read_shapes(folder)
    assert shapes is not None
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
def test_nothing_of_ours_reads_badly(folder: Path) -> None:
    assert read_of(folder) == []


def test_what_reads_badly_is_told_with_the_mend() -> None:
    folder = real_board("standard")
    assert read_of(folder, par=("bur", "center")) == [
        ("par", "the center of Paris stands on its border; give the province more room, or its center a place in "
         "places.csv"),
    ]  # fmt: skip
    assert read_of(folder, par=("par", "center")) == [
        ("par", "the unit of Paris covers its center; give the province more room, or its unit a place in places.csv"),
    ]
    assert read_of(folder, par=("bur", "label")) == [
        ("par", "the name of Paris runs over its border; give the province more room, or its label a place in "
         "places.csv"),
    ]  # fmt: skip
