"""A whole board as one plain document (``schema.json``): the keys of board.toml, and every table as a list of objects;
and such a table as CSV."""

import csv
import io
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from legation.board.files import COLUMNS, BoardFileError, BoardFiles
from legation.formats import decode_json


def board_document(folder: Traversable | Path) -> dict[str, Any]:
    """The board of a folder as one document: what its board.toml would hold with every table in it.

    Cells are texts as they stand in the files; empty cells and absent tables are left out. The borders are those that
    the board states, without the ones that follow from ``touching``.

    :raises BoardFileError: if a file cannot be read as a table, with all faults at once."""
    raw = BoardFiles(folder)
    document = as_far_as_read(raw)
    if raw.faults:
        raise BoardFileError(raw.faults)
    return document


def as_far_as_read(raw: BoardFiles) -> dict[str, Any]:
    """The board of these files as one document, without what cannot be read: their faults then tell that."""
    document = {key: value for key, value in raw.head.items() if key not in COLUMNS}
    for table in COLUMNS:
        if rows := [{column: cell for column, cell in row.values.items() if cell} for row in raw.rows(table)]:
            document[table] = rows
    return document


def board_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the board document; it also fits a board.toml that holds its tables itself."""
    schema: dict[str, Any] = decode_json(files(__package__).joinpath("schema.json").read_bytes())
    return schema


ALWAYS = {"borders": ("a", "b", "army", "fleet")}
"""Columns that are written though no row has a cell there."""


def table_text(table: str, rows: list[dict[str, Any]]) -> str:
    """A table as CSV; columns without a cell are left out, and rows take one line each."""
    known = [column for row in rows for column in row if column not in COLUMNS[table]]
    columns = [
        column
        for column in (*COLUMNS[table], *dict.fromkeys(known))
        if column in ALWAYS.get(table, ()) or any(str(row.get(column, "")) for row in rows)
    ]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([" ".join(_cell(row.get(column, "")).split()) for column in columns])
    return out.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return "" if value is None else str(value).encode("utf-8", "replace").decode()
