"""Maps painted by another process: the same pictures, for many threads, and when the other one dies."""

from __future__ import annotations

import io
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from PIL import Image

from legation.atlas import pictures
from legation.atlas.painting import Painter, Task, _read, _write, main

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="{}"/></svg>'


def test_another_process_paints_the_same_and_one_that_dies_has_a_successor() -> None:
    painter = Painter()
    svgs = [SVG.format(color) for color in ("red", "green", "blue", "white") * 3]
    wanted = [pictures.png(svg, 40) for svg in svgs]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda svg: painter.png(svg, 40), svgs)) == wanted
    first = painter._process
    assert first is not None and first.poll() is None
    first.kill()
    assert painter.png(svgs[0], 40) == wanted[0]
    assert painter.png(svgs[1], 40) == wanted[1]
    assert painter._process is not None and painter._process.pid != first.pid
    painter._end()


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
    painter._end()
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
    painter._end()


def test_who_asks_for_what_cannot_be_painted_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that who asked neither waits for ever nor has to start a painter anew."""
    asked, answered = io.BytesIO(), io.BytesIO()
    for svg in ("<svg", SVG.format("red")):
        _write(asked, msgspec.msgpack.encode(Task(svg, 40)))
    asked.seek(0)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(asked))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(answered))
    main()
    answered.seek(0)
    nothing, painted = (msgspec.msgpack.decode(_read(answered)) for _ in range(2))
    assert nothing is None and painted[0] == pictures.png(SVG.format("red"), 40)


def test_a_painter_whose_asker_has_ended_ends_without_a_word() -> None:
    command = [sys.executable, "-m", "legation.atlas.painting"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as painting:
        assert painting.stdin is not None and painting.stdout is not None and painting.stderr is not None
        painting.stdout.close()
        _write(painting.stdin, msgspec.msgpack.encode(Task(SVG.format("red"), 40)))
        assert (painting.wait(30), painting.stderr.read()) == (0, b"")
