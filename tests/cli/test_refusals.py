"""Commands that refuse what they are given: how they end, and what they say, a command in each row of
``refusals.tsv``."""

import shlex
from pathlib import Path

import pytest

from tests.cli.test_commands import run
from tests.sampling import some

ROWS = Path(__file__).with_name("refusals.tsv").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize("row", some(ROWS))
def test_what_is_refused_is_told_in_lines_and_nothing_is_written(tmp_path: Path, row: str) -> None:
    """Status 1: the input is at fault, and each line says so; 2: the command is written wrong."""
    status, words, given, told = row.split("\t")
    done = run(*shlex.split(words), given=given, cwd=tmp_path)
    assert told in done.stderr, done.stderr
    assert (done.returncode, done.stdout, [*tmp_path.iterdir()]) == (int(status), "", [])
    assert status == "2" or all(line.startswith("legation: ") for line in done.stderr.splitlines())
