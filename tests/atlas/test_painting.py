"""Maps painted by another process: the same pictures, for many threads, and when the other one dies."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from legation.atlas import pictures
from legation.atlas.painting import Painter

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
