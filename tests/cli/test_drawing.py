"""``legation map`` and ``legation site``: what is written where."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_commands import run


@pytest.mark.parametrize(("name", "start"), [("a.SVG", b"<svg "), ("b.PNG", b"\x89PNG"), ("c.Pdf", b"%PDF")])
def test_endings_may_be_in_capitals(tmp_path: Path, name: str, start: bytes) -> None:
    target = tmp_path / name
    done = run("map", "hundred", "-o", str(target), "--width", "300")
    assert (done.returncode, done.stderr) == (0, "")
    assert target.read_bytes().startswith(start)
    assert (b"@font-face" in target.read_bytes()) == name.endswith("SVG")


def test_another_ending_is_told(tmp_path: Path) -> None:
    done = run("map", "hundred", "-o", str(tmp_path / "map.gif"))
    assert done.returncode == 2 and ".svg, .png, .pdf" in " ".join(done.stderr.split())
    assert not list(tmp_path.iterdir())
