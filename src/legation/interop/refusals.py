"""Why an imported board or variant is refused, in the words of its source: whoever brings it has none of our files."""

import re
from collections.abc import Mapping
from typing import Any

from legation.board.files import BoardFault
from legation.board.model import COAST_NAMES

ROW = re.compile(r"(land|sea|borders)\.csv:(\d{1,6})")
LOCATION = re.compile(r"(?:(?<= come to )|(?<= both )|(?<= and )|(?<=, )|\A)([a-z0-9]{2,8})(?:/([a-z]{2,3}))?\b")
"""An id or location where the checks of a board name one."""


def board_in_words(fault: BoardFault, tables: Mapping[str, list[dict[str, Any]]]) -> str:
    """A fault of a board as a sentence with the names of its provinces; what would mend our tables is left out."""
    names = {row["id"]: row["name"] for table in ("land", "sea") for row in tables[table]}
    place, message = fault.place, fault.message.partition(";")[0]
    if match := ROW.fullmatch(place):
        row = tables[match[1]][int(match[2]) - 2]
        place = " - ".join(_named(row[end], names) for end in ("id", "a", "b") if end in row)
    told = LOCATION.sub(lambda m: _named(m[0], names) if m[1] in names else m[0], message)
    return told if not place or place in told else f"{place}: {told}"


def _named(location: str, names: Mapping[str, str]) -> str:
    """``Spain (north coast)``."""
    key, _, coast = location.partition("/")
    return names.get(key, key) + (f" ({COAST_NAMES.get(coast, coast)})" if coast else "")
