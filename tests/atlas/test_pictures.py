"""PNG and PDF come out whole, in the size that was asked for."""

from __future__ import annotations

import re
import struct

import pytest

from legation.atlas import Atlas
from legation.atlas.pictures import PAPERS, Paper, pdf, png, report_pdf
from tests.atlas.made_up import made_up

pytest.importorskip("resvg_py")
pytest.importorskip("typst")


@pytest.fixture(scope="module")
def svg() -> str:
    return Atlas(*made_up(5, 5)).svg()


def test_png_has_the_width_asked_for(svg: str) -> None:
    data = png(svg, 640)
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">I", data[16:20])[0] == 640


def test_png_draws_the_names(svg: str) -> None:
    """Without its font resvg would leave the letters out."""
    assert png(svg, 640) != png(re.sub(r"<text.*?</text>", "", svg), 640)


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
