"""Where the extra `authoring` is not installed, the tests of what grows boards and makes fonts are left out."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.board.folders import LAKE

_NEEDS = {"shapely": ["test_grow.py", "test_table.py"], "brotli": ["test_fonts.py"], "fontTools": ["test_fonts.py"]}

collect_ignore = [test for package, tests in _NEEDS.items() if find_spec(package) is None for test in tests]


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    """The example of the manual, to be changed."""
    return Path(shutil.copytree(LAKE, tmp_path / "lake"))
