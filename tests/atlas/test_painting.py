"""Maps painted by another process: the same pictures, for many threads, and when the other one dies."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from legation.atlas import pictures
from legation.atlas.painting import HEAD, Painter

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


def test_what_cannot_be_painted_is_told_as_ever() -> None:
    painter = Painter()
    with pytest.raises(ValueError):
        painter.png("<svg", 40)
    assert painter.png(SVG.format("red"), 40)
    painter._end()


def test_a_painter_whose_asker_has_ended_ends_without_a_word() -> None:
    command = [sys.executable, "-m", "legation.atlas.painting"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as painting:
        assert painting.stdin is not None and painting.stdout is not None and painting.stderr is not None
        painting.stdout.close()
        svg = SVG.format("red").encode()
        painting.stdin.write(HEAD.pack(40, len(svg)) + svg)
        painting.stdin.flush()
        assert (painting.wait(30), painting.stderr.read()) == (0, b"")
