"""Layouts are kept beside boards, fit them, and are missed or mended where they do not."""

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from legation.atlas import Atlas
from legation.atlas.grow.__main__ import main
from legation.atlas.grow.labels import lay_out, write_layout
from legation.atlas.layout import checked_layout, digest_of, read_layout
from legation.atlas.shapes import PictureFileError, Shapes
from legation.board import Board, Province, read_board
from legation.cli.linting import picture_faults
from tests.atlas.made_up import DRAWN, made_up, stored
from tests.board.folders import LAKE
from tests.sampling import some


def drawn(folder: Path) -> tuple[Board, Shapes]:
    return read_board(folder), stored(folder)


@pytest.mark.parametrize("folder", some([LAKE, *DRAWN], 3), ids=lambda p: str(p.name))
def test_what_is_stored_is_what_is_laid_out(folder: Path) -> None:
    board, shapes = drawn(folder)
    made = lay_out(board, shapes)
    assert folder.joinpath("layout.json").read_text(encoding="utf-8") == write_layout(made)
    assert checked_layout(folder, board, shapes) == made
    assert Atlas(board, shapes, layout=made).svg() == Atlas(board, shapes).svg()


def test_drawing_needs_no_code_that_lays_out() -> None:
    program = (
        "import sys; from legation.atlas import for_variant; from legation.variants import names; "
        "[for_variant(name).svg() for name in names()[::4]]; "
        "print([name for name in sys.modules if name.startswith('legation.atlas.grow')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"sites": {"unit": [1e300, 5.0]}}, "the symbols of"),
        ({"sites": {"size": 1e9}}, "have the size 1e+09"),
        ({"labels": {"at": [[3.0, -1e12]]}}, "is not on the map"),
        ({"labels": {"size": 1e8}}, "has the size 1e+08"),
        ({"labels": {"angle": -1e9}}, "is turned by -1e+09 degrees"),
        ({"labels": {"curve": [[0.0, 0.0], [1e99, 0.0], [2.0, 2.0]]}}, "is not on the map"),
        ({"labels": {"leader": [[0.0, 0.0], [1e99, 0.0]]}}, "is not on the map"),
        ({"labels": {"boxes": [[[0.0, 0.0], [1.0, 1.0], [1e99, 0.0], [2.0, 2.0]]]}}, "is not on the map"),
        ({"labels": {"at": [[1.0, 1.0]] * 40, "lines": ["x"] * 40}}, "stands in 40 lines"),
        ({"labels": {"at": [[1.0, 1.0]] * 2, "lines": ["x"]}}, "stands in 1 lines at 2 places"),
    ],
    ids=str,
)
def test_a_number_that_is_on_no_map_is_refused(lake: Path, change: dict[str, dict[str, object]], told: str) -> None:
    board, shapes = drawn(lake)
    file = lake / "layout.json"
    layout = msgspec.json.decode(file.read_bytes())
    for part, values in change.items():
        first = next(iter(layout[part]))
        layout[part][first].update(values)
    file.write_bytes(msgspec.json.encode(layout))
    with pytest.raises(PictureFileError, match=re.escape(told)):
        checked_layout(lake, board, shapes)
    assert read_layout(lake, board, shapes) is None  # it is laid out anew instead


def rename(folder: Path, old: str, new: str) -> None:
    table = folder / "land.csv"
    text = table.read_text(encoding="utf-8")
    assert old in text
    table.write_text(text.replace(old, new), encoding="utf-8")


def test_a_changed_name_makes_the_layout_stale_and_is_drawn_all_the_same(
    lake: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert picture_faults(lake) == []
    rename(lake, "Highfell", "Lowfell")
    board, shapes = drawn(lake)
    assert [fault.place for fault in picture_faults(lake)] == ["layout.json"]
    assert "python -m legation.atlas.grow --layout" in picture_faults(lake)[0].message
    assert read_layout(lake, board, shapes) is None
    assert "Lowfell" in Atlas(board, shapes, layout=read_layout(lake, board, shapes)).svg()
    assert main(["--layout", str(lake)]) == 0
    assert picture_faults(lake) == [] and read_layout(lake, board, shapes) is not None
    assert capsys.readouterr().err == ""


def test_a_layout_that_lacks_a_province_is_refused_and_a_board_without_one_is_no_fault(lake: Path) -> None:
    (lake / "layout.json").unlink()
    board, shapes = drawn(lake)
    assert picture_faults(lake) == [] and read_layout(lake, board, shapes) is None
    made = lay_out(board, shapes)
    labels = {name: label for name, label in made.labels.items() if name != "hig"}
    (lake / "layout.json").write_text(write_layout(msgspec.structs.replace(made, labels=labels)))
    with pytest.raises(PictureFileError, match="lacks provinces"):
        checked_layout(lake, board, shapes)


def test_the_digest_knows_all_that_a_layout_depends_on() -> None:
    board, shapes = made_up(4, 4)
    first = digest_of(board, shapes)
    one = next(p for p in board.provinces.values() if not p.sea and " " in p.name and len(p.name.split(" ")[0]) == 5)

    def changed(**facts: object) -> str:
        other: Province = msgspec.structs.replace(one, **facts)
        provinces = [other if p.id == one.id else p for p in board.provinces.values()]
        return digest_of(Board(board.name, board.title, provinces, board.borders), shapes)

    assert changed() == first and changed(note="said anew") == first
    assert changed(aliases=("Elsewhere",)) == first  # is never lettered
    for facts in ({"name": "Elsewhere"}, {"aliases": (one.name[:5],)}, {"center": not one.center}):
        assert changed(**facts) != first
    fewer = Board(board.name, board.title, list(board.provinces.values()), board.borders[1:])
    assert digest_of(fewer, shapes) != first
    assert digest_of(board, msgspec.structs.replace(shapes, width=shapes.width + 1)) != first
