"""Shapes that are on no map are refused in a line, and never drawn."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from legation.atlas import Atlas
from legation.atlas.shapes import PictureFileError, read_shapes
from tests.atlas.made_up import made_up

Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.update(width=1e300), "the width is 1e+300 km"),
        (lambda s: s.update(height=0), "the height is 0 km"),
        (lambda s: s.update(height=-5), "the height is -5 km"),
        (lambda s: s["least"].update(border=-1), "the least lengths aren't lengths"),
        (lambda s: s["arcs"][3].__setitem__(1, [1e300, 5]), "arc 3 leaves the map"),
        (lambda s: s["arcs"].__setitem__(2, [[1, 1]]), "arc 2 has no length"),
        (lambda s: s["provinces"]["nor"].update(unit=[5, 1e17]), "a place of nor is not on the map"),
        (lambda s: s["provinces"]["gre"]["coasts"].update(nc=[-1e9, 0]), "a place of gre is not on the map"),
        (lambda s: s["provinces"]["mon"]["circle"].__setitem__(2, 0), "the circle of mon has a radius of 0 km"),
        (lambda s: s["provinces"]["nor"].update(label_angle=1e99), "the name of nor is turned by 1e+99 degrees"),
        (lambda s: s["provinces"]["nor"].update(rings=[]), "nor has no outline"),
        (lambda s: s["provinces"]["nor"].update(rings=[[[]]]), "nor has no outline"),
        (lambda s: s["provinces"]["nor"].update(rings=[[[999]]]), "nor names an arc that is not there"),
        (lambda s: s["links"][0].update(line=[[0, 0]]), "leaves the map"),
    ],
)
def test_numbers_that_are_on_no_map_are_told(lake: Path, change: Change, message: str) -> None:
    file = lake / "shapes.json"
    assert read_shapes(lake) is not None
    shapes = json.loads(file.read_text(encoding="utf-8"))
    change(shapes)
    file.write_text(json.dumps(shapes), encoding="utf-8")
    with pytest.raises(PictureFileError) as caught:
        read_shapes(lake)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_told_with_the_mend(tmp_path: Path) -> None:
    file = tmp_path / "shapes.json"
    for text in ("{", '{"width": 1}', '{"arcs": [], "provinces": {"a": {"rings": 3}}}'):
        file.write_text(text)
        with pytest.raises(PictureFileError, match=r"^shapes\.json: .*; grow it again: .*$"):
            read_shapes(tmp_path)
    file.unlink()
    file.mkdir()
    with pytest.raises(PictureFileError, match="cannot be read"):
        read_shapes(tmp_path)


def test_lands_too_small_for_their_frame_are_refused() -> None:
    board, shapes = made_up(4, 4)
    arcs = [[(x / 1e6, y / 1e6) for x, y in arc] for arc in shapes.arcs]
    with pytest.raises(ValueError, match="too small for the frame"):
        Atlas(board, msgspec.structs.replace(shapes, arcs=arcs))


def test_a_speck_of_a_province_is_told_by_name() -> None:
    board, shapes = made_up(4, 4)
    name = next(p.id for p in board.provinces.values() if not p.sea)
    x, y = shapes.provinces[name].label
    speck = [(x, y), (x + 0.1, y), (x, y)]
    shape = msgspec.structs.replace(shapes.provinces[name], rings=[[[len(shapes.arcs)]]])
    changed = msgspec.structs.replace(shapes, arcs=[*shapes.arcs, speck], provinces={**shapes.provinces, name: shape})
    with pytest.raises(ValueError, match=f"{name} is too small to be drawn"):
        Atlas(board, changed)
