"""Inlets too narrow to be drawn are closed, straits stay open, and no estuary of a board of ours is a black spike."""

from pathlib import Path

import pytest
import shapely
from shapely.geometry import MultiPolygon, Polygon, box

from legation.atlas.grow.inlets import close_inlets
from legation.atlas.outlines import Outlines
from legation.board import read_board
from tests.atlas.made_up import stored
from tests.atlas.test_legibility import FOLDERS
from tests.sampling import some

LAND = box(0, 0, 100, 100)
SPIKE, LONG = 1.0, 20.0
"""Units between two shores where their lines, 1.1 wide, leave no water between them; and how long that catches the
eye."""


def test_an_inlet_is_closed_and_its_corners_stay() -> None:
    inlet = LAND.difference(box(40, -1, 42, 60))
    assert close_inlets(inlet, 3).symmetric_difference(LAND).area < 0.5
    assert close_inlets(inlet, 1).equals(inlet)
    assert close_inlets(inlet, 0).equals(inlet)
    bay = LAND.difference(box(40, -1, 50, 60))
    assert close_inlets(bay, 3).equals(bay)


def test_a_strait_through_one_landmass_stays_open_and_so_does_what_parts_two() -> None:
    ring = box(-50, -50, 150, 150).difference(LAND)  # a sea inside a land, and a strait into it
    strait = ring.difference(box(40, 99, 42, 151))
    assert close_inlets(strait, 3).symmetric_difference(strait).area < 0.5
    parted = MultiPolygon([box(0, 0, 50, 100), box(51, 0, 100, 100)])
    assert close_inlets(parted, 3).equals(parted)


def test_a_pond_behind_an_inlet_is_closed_with_it_and_what_lies_in_them() -> None:
    pond = LAND.difference(shapely.union_all([box(40, -1, 42, 60), box(38, 60, 44, 66)]))
    assert close_inlets(pond, 3).symmetric_difference(LAND).area < 0.5
    islet = MultiPolygon([*shapely.get_parts(pond), box(40.8, 20, 41.2, 22)])
    assert close_inlets(islet, 3).symmetric_difference(LAND).area < 0.5
    passage = LAND.difference(shapely.union_all([box(40, -1, 42, 60), box(38, 60, 44, 66), box(40, 66, 42, 101)]))
    assert len(shapely.get_parts(passage)) == 2
    assert close_inlets(passage, 3).equals(passage)
    wide = LAND.difference(shapely.union_all([box(40, -1, 42, 60), box(20, 60, 64, 90)]))
    assert close_inlets(wide, 3).symmetric_difference(wide).area < 0.5


@pytest.mark.parametrize("folder", some(FOLDERS, 8), ids=lambda path: str(path.name))
def test_no_estuary_of_ours_is_a_black_spike(folder: Path) -> None:
    board, shapes = read_board(folder), stored(folder)
    drawn = Outlines(board, shapes)
    lands = [Polygon(ring) for name, rings in drawn.grounds.items() if not board.provinces[name].sea for ring in rings]
    land = shapely.union_all([shapely.make_valid(part).buffer(0.05) for part in lands if part.area > 1])
    spikes = close_inlets(land, SPIKE).difference(land.buffer(0.05))
    long = [spike.length / 2 for spike in shapely.get_parts(spikes) if spike.length / 2 > LONG]
    assert not long
