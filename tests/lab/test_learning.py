"""The manual's notebook runs as it stands, learns, and draws what it shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="the lab needs its extra")
NOTEBOOK = Path(__file__).parents[2] / "docs/examples/learning.py"


@pytest.mark.usefixtures("games_compiled")
def test_the_notebook_learns_and_shows_it(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, NOTEBOOK, "30", tmp_path], capture_output=True, text=True, check=True)
    scores = [int(score) for score in re.findall(r"games watched: score (\d+)%", done.stdout)]
    assert scores[-1] > 50 > scores[0]
    assert "<path" in (tmp_path / "learning.svg").read_text()
    assert (tmp_path / "learning-map.svg").read_text().startswith("<svg")
