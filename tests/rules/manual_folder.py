"""The examples of ``docs/writing-rules.md`` as files in a folder outside the package."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "writing-rules.md"


@pytest.fixture
def manual_folder(tmp_path: Path) -> Iterator[Path]:
    text = DOCS.read_text(encoding="utf-8")
    blocks = {kind: re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL) for kind in ("python", "toml", "json")}
    assert [len(found) for found in blocks.values()] == [3, 3, 1]
    mine = tmp_path / "mine"
    (mine / "rules").mkdir(parents=True)
    for name, rule in zip(("digging_in.py", "passages.py", "treaties.py"), blocks["python"], strict=True):
        (mine / "rules" / name).write_text(rule)
    for name, variant in zip(("trenches.toml", "passes.toml", "congress.toml"), blocks["toml"], strict=True):
        (mine / name).write_text(variant)
    (tmp_path / "turn.json").write_text(blocks["json"][0])
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("legation_rules_of_mine")]:
        del sys.modules[name]
