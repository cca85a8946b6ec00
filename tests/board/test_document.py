"""A board as one document, and its schema."""

import copy
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from legation.board import BoardFileError, board_document, board_schema
from legation.board.files import BOARD_KEYS, COLUMNS, NEEDED, read_points
from tests.board.folders import BOARDS, EXAMPLES, SHIPPED, board


def example(name: str) -> str:
    return (EXAMPLES / name / "board.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = board_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def complaints(validator: Any, document: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_boards_fit_the_schema(name: str, validator: Any) -> None:
    document = board_document(BOARDS / name)
    assert complaints(validator, document) == []
    assert document["name"] == name
    for table in ("land", "sea", "borders"):
        lines = (BOARDS / name / f"{table}.csv").read_text(encoding="utf-8").strip().splitlines()
        assert len(document[table]) == len(lines) - 1


def test_a_board_in_one_file_fits_the_schema(tmp_path: Path, validator: Any) -> None:
    sound, faulty = example("pond"), example("puddle")
    assert complaints(validator, tomllib.loads(sound)) == []
    assert complaints(validator, board_document(board(tmp_path, sound))) == []
    assert complaints(validator, tomllib.loads(faulty)) != []


def test_the_schema_knows_the_columns_that_the_reader_knows() -> None:
    properties = board_schema()["properties"]
    assert set(properties) == BOARD_KEYS | set(COLUMNS)
    for table, columns in COLUMNS.items():
        row = properties[table]["items"]
        assert set(row["properties"]) == {*columns}, table
        assert set(row["required"]) == set(NEEDED[table]), table
        assert row["additionalProperties"] is False


def test_everything_in_the_schema_is_described() -> None:
    for key, value in board_schema()["properties"].items():
        assert value["description"], key
        for column, cell in value.get("items", {}).get("properties", {}).items():
            assert cell["description"], f"{key}.{column}"


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("land", "id", "Too Long An Id"),
        ("land", "name", ""),
        ("land", "colour", "red"),
        ("land", "coasts", "north"),
        ("land", "coasts", "north|upper"),
        ("land", "center", "yes"),
        ("land", "points", "east"),
        ("land", "points", "1 2, 3 4"),
        ("land", "form", "square"),
        ("sea", "kind", "main"),
        ("borders", "a", "spa/north"),
        ("borders", "army", 2),
    ],
)
def test_the_schema_refuses(validator: Any, table: str, column: str, value: object) -> None:
    document = copy.deepcopy(tomllib.loads(example("pond")))
    document[table][0][column] = value
    assert complaints(validator, document) != []


POINTS = {
    "9.6 50.5": (9.6, 50.5, 0.0),
    "-1.3 52.7 r4": (-1.3, 52.7, 4.0),
    "9.6, 50.5": (9.6, 50.5, 0.0),
    "9.6 50.5 r 4.5": (9.6, 50.5, 4.5),
}
NO_POINTS = "9.6|9.6 50.5 4|9.6 50.5 r-3|9.6 50.5 rnan|1e1 50|.5 50|+9.6 50.5|here|9.6 50.5 1.0 51.0".split("|")


@pytest.mark.parametrize("text", [*POINTS, *NO_POINTS])
def test_a_point_is_read_as_the_schema_says(text: str) -> None:
    """One grammar for lint, for growing, and for the schema."""
    found, faults = read_points(text)
    assert found == ([POINTS[text]] if text in POINTS else []) and len(faults) == (text in NO_POINTS)
    patterns = map(json.loads, re.findall(r'"pattern": ("[^"]+")', json.dumps(board_schema())))
    of_points = [pattern for pattern in patterns if r"\d" in pattern and "r ?" in pattern]
    assert of_points
    for pattern in of_points:
        assert bool(re.search(pattern, text)) == (text in POINTS), pattern


def test_points_off_the_globe_are_none() -> None:
    assert read_points("999 99; 1 2")[0] == [(1.0, 2.0, 0.0)]


def test_no_document_of_what_cannot_be_read(tmp_path: Path) -> None:
    folder = board(tmp_path, sea="id,name\npon,The Pond", land='id,name\nnor,"N')
    with pytest.raises(BoardFileError, match=r"land\.csv:2: cannot be read"):
        board_document(folder)
