"""What the linter says of a board, with its place in the document and on the map."""

import re
from collections.abc import Iterable

import msgspec

from legation.atlas.shapes import Place
from legation.atlas.table.document import TableDocument
from legation.atlas.table.picture import BoardPicture
from legation.board.files import COLUMNS, BoardFault

PAIR = re.compile(r"([a-z0-9]{2,8}) and ([a-z0-9]{2,8}) ")
"""How the lines of :func:`legation.atlas.contacts.compare` begin."""
WORDS = frozenset(
    "a add and are as at but by can for from give has have if in is it its lie lies move name no nor not "
    "of off on one or out row sea set share so the there this to two use with".split()
)
"""Words of these lines that may be the ids of provinces too: they are meant so in quotes only."""
ROW = re.compile(r"(?P<table>\w+)\.csv:(?P<line>\d+)\Z")


class TableFinding(msgspec.Struct, frozen=True):
    """One line of the linter; ``row`` counts the rows of ``table`` from 0."""

    place: str
    text: str
    level: str = "fault"
    """``fault``: the files cannot be used so; ``difference``: picture and table of borders disagree."""
    table: str = ""
    row: int | None = None
    provinces: list[str] = []
    at: Place | None = None


def place_findings(
    faults: Iterable[BoardFault], document: TableDocument, picture: BoardPicture, level: str
) -> list[TableFinding]:
    """The findings with the provinces that they name and where on the map they are."""
    known = {str(row.get("id", "")) for table in ("land", "sea") for row in document.board.get(table, [])}
    lines = {frozenset((b.a.partition("/")[0], b.b.partition("/")[0])): b.at for b in (*picture.near, *picture.borders)}
    found = []
    for fault in faults:
        table, row = _row(fault.place)
        named = []
        if table in ("land", "sea") and row is not None and row < len(document.board.get(table, [])):
            named.append(str(document.board[table][row].get("id", "")))
        if pair := PAIR.match(fault.message):
            named += pair.groups()
        words = (word.partition("/")[0] for word in re.findall(r"[\w/]+", fault.message))
        named += [word for word in words if word in known and (word not in WORDS or f"'{word}'" in fault.message)]
        provinces = list(dict.fromkeys(name for name in named if name))[:8]
        at = lines.get(frozenset(provinces[:2])) if len(provinces) >= 2 else None
        if at is None and provinces and provinces[0] in picture.provinces:
            at = picture.provinces[provinces[0]].label
        found.append(TableFinding(fault.place, fault.message, level, table, row, provinces, at))
    return found


def _row(place: str) -> tuple[str, int | None]:
    match = ROW.match(place)
    if match and match["table"] in COLUMNS:
        return match["table"], max(0, int(match["line"]) - 2)
    name = place.removesuffix(".csv")
    return (name, None) if name in COLUMNS else ("", None)
