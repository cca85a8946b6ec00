"""Points in board files: one grammar for lint, for growing, and for the schema."""

import json
import re
from importlib.resources import files

import pytest

from legation.board.files import read_points

SOUND = {
    "9.6 50.5": (9.6, 50.5, 0.0),
    "-1.3 52.7 r4": (-1.3, 52.7, 4.0),
    "9.6, 50.5": (9.6, 50.5, 0.0),
    "9.6 50.5 r 4.5": (9.6, 50.5, 4.5),
}
BAD = [
    "9.6",
    "9.6 50.5 4",
    "9.6 50.5 r-3",
    "9.6 50.5 rnan",
    "1e1 50",
    ".5 50",
    "+9.6 50.5",
    "here",
    "9.6 50.5 1.0 51.0",
]


@pytest.mark.parametrize("text", [*SOUND, *BAD])
def test_a_point_is_read_as_the_schema_says(text: str) -> None:
    found, faults = read_points(text)
    assert found == ([SOUND[text]] if text in SOUND else [])
    assert len(faults) == (text in BAD)
    schema = json.loads(files("legation.board").joinpath("schema.json").read_text(encoding="utf-8"))
    patterns = [p for p in re.findall(r'"pattern": "([^"]+)"', json.dumps(schema)) if r"\\d" in p and "r ?" in p]
    assert patterns
    for pattern in patterns:
        assert bool(re.search(json.loads(f'"{pattern}"'), text)) == (text in SOUND), pattern


def test_points_off_the_globe_are_none() -> None:
    assert read_points("999 99; 1 2")[0] == [(1.0, 2.0, 0.0)]
