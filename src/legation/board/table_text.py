"""Tables of a board's folder as CSV."""

from __future__ import annotations

import csv
import io
from typing import Any

from legation.board.files import COLUMNS

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
