"""A whole board as one plain document (``schema.json``): the keys of
board.toml, and every table as a list of objects."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from legation.board.files import COLUMNS, BoardFileError, BoardFiles

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path


def board_document(folder: Traversable | Path) -> dict[str, Any]:
    """The board of a folder as one document: what its board.toml would hold with every table in it.

    Cells are texts as they stand in the files; empty cells and absent tables are left out. The borders are those that
    the board states, without the ones that follow from ``touching``.

    :raises BoardFileError: if a file cannot be read as a table, with all faults at once.
    """
    raw = BoardFiles(folder)
    document = {key: value for key, value in raw.head.items() if key not in COLUMNS}
    for table in COLUMNS:
        rows = [{column: cell for column, cell in row.values.items() if cell} for row in raw.rows(table)]
        if rows:
            document[table] = rows
    if raw.faults:
        raise BoardFileError(raw.faults)
    return document


def board_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the board document; it also fits a board.toml that holds its tables itself."""
    schema: dict[str, Any] = json.loads(files(__package__).joinpath("schema.json").read_text(encoding="utf-8"))
    return schema
