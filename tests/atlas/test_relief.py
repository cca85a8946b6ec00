"""Rivers and hills: on land, clear of names, fetched by pages when they are near, and only where a board has them."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray
from PIL import Image
from shapely.geometry import LineString, Polygon

from legation.atlas import Atlas, for_variant
from legation.atlas.grow.relief import main
from legation.atlas.relief import FILE, Relief, Side, read_relief
from legation.atlas.shapes import PictureFileError
from legation.cli.linting import picture_faults
from legation.variants import USUAL, names
from tests.atlas.made_up import made_up
from tests.board.folders import LAKE
from tests.sampling import some

SHORE = 1.0
"""Units by which a line may leave the land: a map's coast is simplified by nearly as much."""


def strokes_of(relief: Relief, side: Side) -> NDArray[np.int64]:
    """The strokes of a side: where each begins, and where it leads."""
    strokes = np.array(relief.hills[side]).reshape(-1, 4)
    return np.hstack([strokes[:, :2].cumsum(axis=0), strokes[:, 2:]])


def lines_of(relief: Relief) -> list[LineString]:
    """All rivers and strokes, in units."""
    rivers = [river for broad in relief.rivers.values() for river in broad]
    lines = [np.array(river).reshape(-1, 2).cumsum(axis=0) for river in rivers]
    lines += [np.array([s[:2], s[:2] + s[2:]]) for side in relief.hills for s in strokes_of(relief, side)]
    return [LineString(line / 10) for line in lines]


def land_of(atlas: Atlas) -> shapely.Geometry:
    """The land of a board's provinces, in units."""
    shapes = atlas.geometry.shapes
    lands = [shapes.provinces[name] for name, province in atlas.board.provinces.items() if not province.sea]
    parts = [[np.array(shapes.ring(ring)) * atlas.geometry.scale for ring in part] for s in lands for part in s.rings]
    return shapely.union_all([shapely.make_valid(Polygon(shell, holes)) for shell, *holes in parts])


@pytest.mark.parametrize("variant", some(names(), 2))
def test_rivers_and_hills_are_on_land_and_clear_of_names(variant: str) -> None:
    atlas, relief = for_variant(variant), read_relief(USUAL.folder_of(variant))
    assert relief and {*relief.rivers} == {"stream0", "stream1", "stream2"} and {*relief.hills} == {"sunny", "shady"}
    lines, land = lines_of(relief), land_of(atlas).buffer(SHORE)
    assert len(lines) > 500 and not [line.wkt for line in lines if not land.contains(line)]
    (path,) = re.findall(r'class="shady" d="([^"]*)"', atlas.svg())
    points = np.array(re.findall(r"-?\d+", path), dtype=int).reshape(-1, 2).cumsum(axis=0) / 10
    names_there = shapely.union_all([Polygon(box) for label in atlas.labels.values() for box in label.boxes])
    assert len(points) > 500 and not shapely.contains_xy(names_there, points).any()


def test_a_page_fetches_them_by_themselves() -> None:
    layer = for_variant("standard").board_layer()
    assert '<g class="relief"><path class="sunny"' in layer.svg and '<g class="relief"></g>' in layer.by_arcs
    assert layer.relief.startswith("<svg ") and layer.relief.count("<path") == 5
    assert 'class="relief"></g>' in for_variant("standard").svg(relief=False)


def test_boards_without_geography_have_none() -> None:
    atlas = Atlas(*made_up())
    assert 'class="relief"' not in atlas.svg() + atlas.board_layer().svg + atlas.board_layer().by_arcs
    assert read_relief(LAKE) is None and atlas.board_layer().relief == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{}", "missing required field `rivers`"),
        ('{"rivers": {}, "hills": {"shady\\"/><script>alert(1)</script>": [1, 1, 1, 1]}}', "Invalid enum value"),
        ('{"rivers": {"stream0 x": [[1, 1, 2, 2]]}, "hills": {}}', "Invalid enum value"),
        ('{"rivers": {"stream0": [[1, 1, 2]]}, "hills": {}}', "half of one"),
        ('{"rivers": {"stream0": [[1, 1]]}, "hills": {}}', "fewer than two points"),
        ('{"rivers": {}, "hills": {"sunny": [1, 1, 1]}}', "not four numbers"),
        ('{"rivers": {}, "hills": {"sunny": [1e99, 1, 1, 1]}}', "Expected `int`"),
        ('{"rivers": {}, "hills": {"sunny": [2000000, 1, 1, 1]}}', "<= 1000000"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_with_its_mend(tmp_path: Path, text: str, told: str) -> None:
    """A package from a stranger may bring one, and its words would stand in every map."""
    tmp_path.joinpath(FILE).write_text(text)
    with pytest.raises(PictureFileError, match=f"{FILE}: .*{re.escape(told)}.*grow.relief BOARD_FOLDER"):
        read_relief(tmp_path)


def test_the_linter_tells_of_a_damaged_file(lake: Path) -> None:
    assert not [fault for fault in picture_faults(lake) if fault.place == FILE]
    lake.joinpath(FILE).write_text("{}")
    (fault,) = picture_faults(lake)
    assert str(fault).startswith(f"{FILE}: Object missing")


def test_they_are_drawn_from_courses_and_heights(tmp_path: Path, lake: Path) -> None:
    """Around the lake: a river from the east, a tributary that just misses it, a hill in the southwest."""
    courses = [
        [[10.95, 50.2], [10.9, 49.9], [10.6, 49.8], [10.3, 49.9]],
        [[10.8, 49.5], [10.601, 49.8]],
        [[60, 10], [61, 10]],
    ]
    shape = {"type": "MultiLineString", "coordinates": courses}
    rivers = tmp_path / "rivers.geojson"
    rivers.write_text(json.dumps({"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": shape}]}))
    lat, lon = np.mgrid[90:-90:-0.1, -180:180:0.1]
    hill = np.exp(-(((lat - 49.65) / 0.15) ** 2 + ((lon - 9.4) / 0.2) ** 2))
    Image.fromarray((100 + 150 * hill).astype(np.uint8)).save(tmp_path / "heights.png")
    assert main([str(lake), "--rivers", str(rivers), "--heights", str(tmp_path / "heights.png")]) == 0
    relief = read_relief(lake)
    assert relief and sum(map(len, relief.rivers.values())) >= 2
    assert (strokes_of(relief, "shady")[:, 2:].sum(axis=1) > 0).all()
    assert len(relief.hills["sunny"]) > 40


def test_without_its_files_the_tool_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(LAKE), "--rivers", str(tmp_path / "none"), "--heights", str(tmp_path / "none.png")])
    assert "none.png" in capsys.readouterr().err
