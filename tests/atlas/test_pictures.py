"""PNG and PDF come out whole, in the size that was asked for."""

import re
import struct
import sys
from io import BytesIO

import PIL.Image
import PIL.ImageChops
import pytest

from legation.atlas import Atlas, for_variant, pictures
from legation.atlas.pictures import PAPERS, Paper, PicturesMissingError, pdf, png, png_of_page, report_pdf
from legation.judge import Power
from tests.atlas.made_up import made_up

pytest.importorskip("resvg_py")
pytest.importorskip("typst")


@pytest.fixture(scope="module")
def svg() -> str:
    return Atlas(*made_up(5, 5)).svg()


def test_png_has_the_width_asked_for_and_the_names(svg: str) -> None:
    data = png(svg, 640)
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">I", data[16:20])[0] == 640
    assert data != png(re.sub(r"<text.*?</text>", "", svg), 640), "without its font resvg would leave the letters out"


@pytest.mark.parametrize(("paper", "short"), [("A4", 595), ("A3", 842), ("A2", 1191)])
def test_pdf_has_the_paper_asked_for(svg: str, paper: Paper, short: int) -> None:
    assert paper in PAPERS
    data = pdf(svg, paper)
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", data)
    assert box is not None
    assert round(min(float(box[1]), float(box[2]))) == pytest.approx(short, abs=1)


def test_report_takes_any_text(svg: str) -> None:
    data = report_pdf(
        svg, [('England #1 "x"', ["A lon - nwy: bounced [*_$@#]", "\\ F nth H"]), ("France", [])], title="Turn"
    )
    assert data.startswith(b"%PDF")


def test_png_draws_units_of_dark_colors_in_pale_lines() -> None:
    from legation.position import Phase, Position, Turn, Unit

    board, shapes = made_up(5, 5)
    atlas = Atlas(board, shapes, (Power("Night", color="#331111"),))
    land = next(p.id for p in board.provinces.values() if not p.sea)
    place = Position(Turn("Spring", 1001, Phase.MOVEMENT), (Unit("A", land, "Night"),))
    text = atlas.svg(place, interactive=False)
    assert ".u0{color:#ffffff}" in text
    assert png(text, 640) != png(text.replace(".u0{color:#ffffff}", ".u0{color:#0d0905}"), 640)


def test_a_page_cannot_be_turned_into_a_picture_without_the_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(PicturesMissingError, match=r"pip install 'legation\[office\]'"):
        png_of_page(b"%PDF", "<svg/>", 100)


def test_halos_are_letters_of_the_font_and_the_page_looks_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    svg = for_variant("three-kingdoms").svg(interactive=False)
    light = pdf(svg)
    monkeypatch.setattr(pictures, "_with_stroked_letters", lambda document: document)
    plain = pdf(svg)
    assert len(light) < 0.5 * len(plain)
    one, other = (PIL.Image.open(BytesIO(png_of_page(page, svg, 600))).convert("RGB") for page in (light, plain))
    assert not any(PIL.ImageChops.difference(one, other).convert("L").histogram()[48:])
