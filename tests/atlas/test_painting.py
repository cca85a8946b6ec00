"""Maps painted by other processes: the same pictures, for many threads, and when one dies or never ends."""

import io
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from legation import children
from legation.atlas import pictures
from legation.atlas.painting import Painter, PaintingError

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="{}"/></svg>'


def test_another_process_paints_the_same_and_one_that_dies_has_a_successor() -> None:
    painter = Painter()
    svgs = [SVG.format(color) for color in ("red", "green", "blue", "white") * 3]
    wanted = [pictures.png(svg, 40) for svg in svgs]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda svg: painter.png(svg, 40), svgs)) == wanted
    first = painter.children.processes
    for process in first:
        os.kill(process, signal.SIGKILL)
        os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
    assert painter.png(svgs[0], 40) == wanted[0]
    assert painter.png(svgs[1], 40) == wanted[1]
    assert not set(painter.children.processes) & set(first)
    painter.children.end()


@pytest.mark.parametrize("size", [(300, 100), (100, 300)])
def test_the_picture_of_a_page_is_the_map_alone_as_wide_as_asked_for(size: tuple[int, int]) -> None:
    wide, high = size
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
        f'<rect width="{wide}" height="{high}" fill="red"/>'
        '<rect x="10" y="20" width="30" height="40" fill="blue"/></svg>'
    )
    painter = Painter()
    png, page = painter.png_and_pdf(svg, 2 * wide)
    painter.children.end()
    image = Image.open(io.BytesIO(png)).convert("RGB")
    assert image.width == pytest.approx(2 * wide, abs=1) and image.height == pytest.approx(2 * high, abs=1)
    blue = (0, 0, 255)
    edges = [(1, 1), (2 * wide - 4, 2 * high - 4), (18, 42), (82, 42), (22, 38), (22, 122)]
    assert [image.getpixel(at) == blue for at in edges] == [False] * 6
    assert [image.getpixel(at) for at in edges[:2]] == [(255, 0, 0)] * 2
    assert [image.getpixel(at) for at in ((22, 42), (78, 118))] == [blue] * 2
    assert page.startswith(b"%PDF")


def test_what_cannot_be_painted_is_told_as_ever() -> None:
    painter = Painter()
    with pytest.raises(ValueError):
        painter.png("<svg", 40)
    with pytest.raises(RuntimeError):
        painter.png_and_pdf("<svg", 40)
    assert painter.png(SVG.format("red"), 40)
    painter.children.end()


def test_a_painter_that_hangs_is_given_up_and_the_next_paints(monkeypatch: pytest.MonkeyPatch) -> None:
    painter = Painter(most=1, seconds=0.5)
    assert painter.png(SVG.format("red"), 40)
    (hung,) = painter.children.processes
    os.kill(hung, signal.SIGSTOP)
    with monkeypatch.context() as patched, pytest.raises(PaintingError, match="too long"):
        patched.setattr(children, "LEAST_WALL", 0)
        painter.png(SVG.format("red"), 40)
    assert painter.png(SVG.format("red"), 40)
    assert hung not in painter.children.processes
    painter.children.end()
