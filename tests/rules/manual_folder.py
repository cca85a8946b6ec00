"""The examples of ``docs/writing-rules.md`` in a folder outside the package."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "writing-rules.md"
EXAMPLES = DOCS.parent / "examples" / "mine"


@pytest.fixture
def manual_folder(tmp_path: Path) -> Iterator[Path]:
    shutil.copytree(EXAMPLES, tmp_path / "mine")
    (tmp_path / "mine" / "turn.json").rename(tmp_path / "turn.json")
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("legation_rules_of_mine")]:
        del sys.modules[name]
