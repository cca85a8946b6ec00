"""Why an imported board or variant is refused, in the words of its source: whoever brings it has none of our files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from legation.board.files import BoardFault
from legation.board.model import COAST_NAMES
from legation.formats import read_csv

ROW = re.compile(r"(land|sea|borders|links)\.csv:(\d{1,6})")
LOCATION = re.compile(r"(?:(?<= come to )|(?<= both )|(?<= and )|(?<=, )|\A)([a-z0-9]{2,8})(?:/([a-z]{2,3}))?\b")
"""An id or location where the checks of a board name one."""


def board_in_words(fault: BoardFault, folder: Path) -> str:
    """A fault of a board as a sentence with the names of its provinces; what would mend our tables is left out."""
    names = {row[0]: row[1] for table in ("land", "sea") for row in _rows(folder, table)[1:] if len(row) > 1}
    place, message = fault.place, fault.message.partition(";")[0]
    if match := ROW.fullmatch(place):
        rows, number = _rows(folder, match[1]), int(match[2])
        row = rows[number - 1] if number <= len(rows) else []
        ends = row[: 1 if match[1] in ("land", "sea") else 2]
        place = " - ".join(_named(end, names) for end in ends)
    told = LOCATION.sub(lambda m: _named(m[0], names) if m[1] in names else m[0], message)
    return told if not place or place in told else f"{place}: {told}"


def _rows(folder: Path, table: str) -> list[list[str]]:
    file = folder / f"{table}.csv"
    return [cells for _, cells in read_csv(file.read_text(encoding="utf-8"))] if file.is_file() else []


def _named(location: str, names: Mapping[str, str]) -> str:
    """``Spain (north coast)``."""
    key, _, coast = location.partition("/")
    return names.get(key, key) + (f" ({COAST_NAMES.get(coast, coast)})" if coast else "")
