"""Reads a board folder: ``board.toml`` with the tables beside it.

The tables are ``land.csv``, ``sea.csv``, ``borders.csv`` and, for boards whose seas are grouped, ``touching.csv``; a table may also stand in
``board.toml`` itself as an array of tables of the same name. ``docs/boards.md`` describes every column.
All faults of a board are reported at once, each with its place.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from typing import TYPE_CHECKING, Any

import msgspec

from legation.board.model import COAST_NAMES, Board, Border, Province, province_of
from legation.board.seas import derive_sea_borders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable
    from pathlib import Path

COAST_CODES = {name.partition(" ")[0]: code for code, name in COAST_NAMES.items()}
COLUMNS: dict[str, frozenset[str]] = {
    "land": frozenset(
        [
            "id",
            "name",
            "aliases",
            "region",
            "form",
            "coasts",
            "center",
            "capital",
            "points",
            "source",
            "note",
            "country",
            "home",
        ]
    ),
    "sea": frozenset(["id", "name", "aliases", "area", "kind", "points", "source", "note"]),
    "borders": frozenset(["a", "b", "army", "fleet"]),
    "touching": frozenset(["a", "b"]),
    # Read by the authoring tools only (docs/drawing-boards.md).
    "links": frozenset(["a", "b", "kind", "change", "reason", "draw"]),
    "void": frozenset(["id", "kind", "points", "note"]),
    "carve": frozenset(["kind", "form", "points", "width", "note"]),
    "seas_of_coasts": frozenset(["id", "coast", "seas"]),
    "places": frozenset(["id", "what", "point", "note"]),
}
NEEDED: dict[str, tuple[str, ...]] = {
    "land": ("id", "name"),
    "sea": ("id", "name"),
    "borders": ("a", "b"),
    "touching": ("a", "b"),
    "links": ("a", "b", "kind", "change"),
    "void": ("id", "kind", "points"),
    "carve": ("kind", "form", "points"),
    "seas_of_coasts": ("id", "coast", "seas"),
    "places": ("id", "what", "point"),
}
BOARD_KEYS = frozenset(
    ["name", "title", "credits", "projection", "frame", "grow", "lines", "bridges", "barriers", "reconstructed"]
)
ID = re.compile(r"[a-z0-9]{2,8}\Z")


class BoardFault(msgspec.Struct, frozen=True):
    """One fault of a board: the place (``land.csv:12``) and what is wrong there, with the mend."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class BoardFileError(Exception):
    """A board that cannot be used; ``faults`` holds all that was found."""

    def __init__(self, faults: list[BoardFault]) -> None:
        self.faults = faults
        super().__init__("\n".join(str(f) for f in faults))


class Row(msgspec.Struct, frozen=True):
    """One row of a table with its place in the file."""

    place: str
    values: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.values.get(column, "")


class BoardFiles:
    """The raw tables of a board folder, before they are understood; the authoring tools read their columns too."""

    def __init__(self, folder: Traversable | Path) -> None:
        self.folder = folder
        self.faults: list[BoardFault] = []
        self.head: dict[str, Any] = {}
        try:
            self.head = tomllib.loads(folder.joinpath("board.toml").read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            self.fault("board.toml", "is missing; a board is a folder with a board.toml")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            self.fault("board.toml", f"cannot be read: {error}")

    def fault(self, place: str, message: str) -> None:
        """Note one fault."""
        self.faults.append(BoardFault(place, message))

    def rows(self, table: str) -> Iterator[Row]:
        """The rows of a table, from ``<table>.csv`` or from the array of that name in board.toml."""
        inline = self.head.get(table)
        if inline is not None:
            if not isinstance(inline, list):
                self.fault(f"board.toml:{table}", f"must be an array of tables ([[{table}]])")
                return
            for number, item in enumerate(inline, 1):
                yield self._row(table, f"board.toml:{table}[{number}]", {k: _cell(v) for k, v in item.items()})
            return
        try:
            text = self.folder.joinpath(f"{table}.csv").read_text(encoding="utf-8")
        except FileNotFoundError:
            return
        except UnicodeDecodeError as error:
            self.fault(f"{table}.csv", f"is not UTF-8: {error}")
            return
        reader = csv.DictReader(io.StringIO(text))
        for item in reader:
            place = f"{table}.csv:{reader.line_num}"
            if None in item:
                self.fault(place, "has more cells than the head line names; quote a cell that holds a comma")
            yield self._row(table, place, {k: (v or "").strip() for k, v in item.items() if k})

    def _row(self, table: str, place: str, values: dict[str, str]) -> Row:
        for column in values.keys() - COLUMNS[table]:
            self.fault(
                place, f"unknown column {column!r}; the columns of {table} are {', '.join(sorted(COLUMNS[table]))}"
            )
        for column in NEEDED[table]:
            if not values.get(column):
                self.fault(place, f"{column!r} is empty")
        return Row(place, values)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, list):
        return "|".join(str(v) for v in value)
    return str(value)


def read_board(folder: Traversable | Path) -> Board:
    """Read and check a board folder.

    :raises BoardFileError: with every fault at once, each with its place.
    """
    files = BoardFiles(folder)
    board = understand(files)
    if files.faults:
        raise BoardFileError(files.faults)
    return board


def understand(files: BoardFiles) -> Board:
    """Make a board of the tables as far as they can be understood, noting every fault in ``files.faults``."""
    for key in files.head.keys() - BOARD_KEYS - COLUMNS.keys():
        files.fault("board.toml", f"unknown key {key!r}")
    for key in ("name", "title"):
        if not isinstance(files.head.get(key), str):
            files.fault("board.toml", f"needs a text {key!r}")
    provinces: dict[str, Province] = {}
    for table in ("land", "sea"):
        for row in files.rows(table):
            province = _province(files, row, sea=table == "sea")
            if not ID.match(province.id):
                files.fault(row.place, f"the id {province.id!r} must be 2 to 8 lower-case letters or digits")
            if province.id in provinces:
                files.fault(row.place, f"the id {province.id!r} is used twice")
            provinces[province.id] = province
    if not provinces and not files.faults:
        files.fault("land.csv", "the board has no provinces")
    borders = _borders(files, provinces)
    touching: list[tuple[str, str]] = []
    for row in files.rows("touching"):
        if all(_known(files, row, provinces, row[end]) for end in "ab"):
            touching.append((row["a"], row["b"]))
    if touching:
        borders += derive_sea_borders(provinces, touching)
    return Board(
        name=str(files.head.get("name", "")),
        title=str(files.head.get("title", "")),
        provinces=provinces.values(),
        borders=borders,
        credits=str(files.head.get("credits", "")),
    )


def _province(files: BoardFiles, row: Row, *, sea: bool) -> Province:
    coasts: list[str] = []
    shore = False
    if not sea and row["coasts"]:
        shore = True
        if row["coasts"] != "single":
            for coast in row["coasts"].split("|"):
                code = COAST_CODES.get(coast, coast)
                if code not in COAST_NAMES:
                    files.fault(row.place, f"unknown coast {coast!r}; use {', '.join(COAST_CODES)}, or 'single'")
                coasts.append(code)
            if len(coasts) < 2:
                files.fault(row.place, "one coast is written 'single'; names are for provinces with several")
    for column in ("center", "capital"):
        if row[column] not in ("", "0", "1"):
            files.fault(row.place, f"{column} must be 0 or 1, not {row[column]!r}")
    return Province(
        id=row["id"],
        name=row["name"],
        sea=sea,
        shore=shore,
        coasts=tuple(coasts),
        center=row["center"] == "1",
        capital=row["capital"] == "1",
        aliases=tuple(a.strip() for a in row["aliases"].split("|") if a.strip()),
        region=row["region"] or row["country"],
        area=row["area"],
        primary=row["kind"] == "primary",
        form=row["form"],
        source=row["source"],
        note=row["note"],
    )


def _known(files: BoardFiles, row: Row, provinces: dict[str, Province], location: str) -> bool:
    province = provinces.get(province_of(location))
    if province is None:
        files.fault(row.place, f"no province {province_of(location)!r}")
        return False
    if "/" in location and location not in province.locations:
        files.fault(row.place, f"{province.id!r} has no coast {location.partition('/')[2]!r}")
        return False
    return True


def _borders(files: BoardFiles, provinces: dict[str, Province]) -> list[Border]:
    found: dict[tuple[str, str], Border] = {}
    for row in files.rows("borders"):
        a, b = sorted((row["a"], row["b"]))
        if not all(_known(files, row, provinces, end) for end in (a, b)):
            continue
        army, fleet = row["army"] == "1", row["fleet"] == "1"
        for column in ("army", "fleet"):
            if row[column] not in ("", "0", "1"):
                files.fault(row.place, f"{column} must be 0 or 1, not {row[column]!r}")
        if province_of(a) == province_of(b):
            files.fault(row.place, f"{a} borders on itself")
        if (a, b) in found:
            files.fault(row.place, f"the border {a} - {b} is listed twice")
        for end in (a, b):
            province = provinces[province_of(end)]
            if army and (province.sea or "/" in end):
                files.fault(row.place, f"armies cannot pass at {end}; name land provinces without a coast")
            if fleet and province.inland:
                files.fault(row.place, f"fleets cannot pass at {end}; give it coasts ('single') if it has a shore")
            if fleet and province.coasts and "/" not in end:
                files.fault(row.place, f"{end} has several coasts; say which one fleets use")
        if not army and not fleet:
            files.fault(row.place, "neither army nor fleet passes here; leave the row out")
        found[a, b] = Border(a, b, army, fleet)
    return list(found.values())
