"""Reads a board folder: ``board.toml`` with the tables beside it.

The tables are ``land.csv``, ``sea.csv``, ``borders.csv`` and, for boards whose seas are grouped, ``touching.csv``; a
table may also stand in ``board.toml`` itself as an array of tables of the same name. ``docs/boards.md`` describes every
column. All faults of a board are reported at once, each with its place."""

import difflib
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from legation.board.model import COAST_NAMES, Board, Border, Province, fold, province_of
from legation.board.seas import derive_sea_borders
from legation.faults import MOST_FAULTS, enough, further
from legation.formats import FormatError, read_csv, read_file, read_toml

COAST_CODES = {name.partition(" ")[0]: code for code, name in COAST_NAMES.items()}
TABLES = {
    "land": "id! name! aliases region form coasts center capital points source note home",
    "sea": "id! name! aliases center area kind form points source note",
    "borders": "a! b! army fleet one_way",
    "touching": "a! b!",
    "names": "id! language! name! forms",
    # Read by the authoring tools only (docs/drawing-boards.md).
    "links": "a! b! kind! change! reason draw",
    "void": "id! kind! points! note",
    "carve": "kind! form! points! width note",
    "lines": "kind! points! stops note",
    "insets": "title window! at! scale! note",
    "seas_of_coasts": "id! coast! seas!",
    "places": "id! what! point! note",
}
"""The columns of every table, in the order in which they are written; those with ``!`` are filled in every row."""
COLUMNS = {table: tuple(columns.replace("!", "").split()) for table, columns in TABLES.items()}
NEEDED = {table: tuple(c[:-1] for c in columns.split() if c.endswith("!")) for table, columns in TABLES.items()}
BOARD_KEYS = frozenset(["name", "title", "credits", "reconstructed", "projection", "frame", "grow"])
SWITCH = ("", "0", "1")
"""What a cell holds that says yes or no."""
ID = re.compile(r"[a-z0-9]{2,8}\Z")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*\Z")
"""A language tag (BCP 47) in small letters: ``de``, ``pt-br``."""
NOTES = re.compile(r"notes(?:\.(.+))?\.md")
"""A file of notes on the board: ``notes.md``, and ``notes.de.md`` for readers of German."""
CLOSE = 0.7
"""How alike (0 to 1) a word must be to what exists, to be suggested."""
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class BoardFault(msgspec.Struct, frozen=True):
    """One fault of a board: the place (``land.csv:12``) and what is wrong there, with the mend."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class BoardFileError(Exception):
    """A board that cannot be used; ``faults`` holds all that was found."""

    def __init__(self, faults: list[BoardFault]) -> None:
        self.faults = told_of(faults)
        super().__init__("\n".join(map(str, self.faults)))


def told_of(faults: list[BoardFault]) -> list[BoardFault]:
    """The faults of a board that are told: the first ones, and how many more there are."""
    return [*faults[:MOST_FAULTS], *(BoardFault("the board", more) for more in further(faults))]


class TableRow(msgspec.Struct, frozen=True):
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
        self._tables: dict[str, tuple[TableRow, ...]] = {}
        text = self.text("board.toml")
        if text is None:
            self.fault("board.toml", "is missing; a board is a folder with a board.toml")
            return
        try:
            self.head = read_toml(text)
        except FormatError as error:
            self.fault("board.toml", f"cannot be read: {error}")

    def fault(self, place: str, message: str) -> None:
        """Note one fault."""
        self.faults.append(BoardFault(place, message))

    def one_of(self, row: TableRow, column: str, words: Sequence[str]) -> bool:
        """Whether a cell holds one of some words, of which the empty one may be one; what does not is noted."""
        if row[column] in words:
            return True
        *first, last = filter(None, words)
        self.fault(row.place, f"{column} must be {', '.join(first)} or {last}, not {row[column]!r}")
        return False

    def check_circle(self, row: TableRow, points: Sequence[tuple[float, float, float]]) -> None:
        """Note if a row is a circle and has not one point with its radius."""
        if row["form"] == "circle" and not (len(points) == 1 and points[0][2]):
            self.fault(row.place, "a circle has one point with its radius in km: '-1.3 52.7 r4'")

    def rows(self, table: str) -> tuple[TableRow, ...]:
        """The rows of a table, from ``<table>.csv`` or from the array of that name in board.toml."""
        if table not in self._tables:
            self._tables[table] = tuple(self._inline(table) if table in self.head else self._csv(table))
        return self._tables[table]

    def text(self, name: str) -> str | None:
        """The text of a file of the folder; None if there is none, or none that can be read (which is noted)."""
        try:
            text = read_file(self.folder.joinpath(name)).decode("utf-8-sig")  # spreadsheets put a mark before UTF-8
            if control := CONTROL.search(text):
                line = text.count("\n", 0, control.start()) + 1
                self.fault(
                    f"{name}:{line}",
                    f"holds the control character {control.group()!r}, which no map can show; delete it",
                )
            return text
        except (FileNotFoundError, NotADirectoryError):
            return None
        except UnicodeDecodeError as error:
            self.fault(name, f"is not UTF-8 ({error.reason} at byte {error.start}); save it as UTF-8")
        except OSError as error:
            self.fault(name, f"cannot be read: {error.strerror}")
        except FormatError as error:
            self.fault(name, str(error))
        return ""

    def _inline(self, table: str) -> Iterator[TableRow]:
        if self.folder.joinpath(f"{table}.csv").is_file():
            self.fault(f"{table}.csv", f"the table {table} is in board.toml too; keep one of them")
        items = self.head[table]
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            self.fault(f"board.toml:{table}", f"must be an array of tables; write [[{table}]] before each row")
            return
        for number, item in enumerate(items, 1):
            place = f"board.toml:{table}[{number}]"
            self._head(table, place, list(item), complete=False)
            values = {column: self._cell(place, column, value) for column, value in item.items()}
            yield self._row(table, place, values, NEEDED[table])

    def _csv(self, table: str) -> Iterator[TableRow]:
        name = f"{table}.csv"
        text = self.text(name)
        if not text:
            return
        rows = read_csv(text)
        try:
            columns = [cell.strip() for cell in next(rows)[1]]
            self._head(table, f"{name}:1", columns, complete=True)
            needed = [column for column in NEEDED[table] if column in columns]
            for line, cells in rows:
                place = f"{name}:{line}"
                if not any(cells):
                    continue
                if len(cells) > len(columns):
                    self.fault(
                        place, "has more cells than the first line has columns; quote a cell that contains a comma"
                    )
                yield self._row(table, place, {c: v.strip() for c, v in zip(columns, cells, strict=False)}, needed)
        except FormatError as error:
            place, _, message = str(error).partition(": ")
            self.fault(f"{name}:{place}", message)

    def _head(self, table: str, place: str, columns: list[str], *, complete: bool) -> None:
        known = COLUMNS[table]
        for column in sorted({*columns} - {*known}):
            if enough(self.faults):
                self.fault(place, f"unknown column {column[:60]!r}")
                continue
            self.fault(
                place, f"unknown column {column!r}; {hint(column, known, f'the columns of {table}', sorted(known))}"
            )
        for column in sorted(c for c, count in Counter(columns).items() if count > 1):
            self.fault(place, f"the column {column!r} is named twice; keep one")
        if complete:
            for column in NEEDED[table]:
                if column not in columns:
                    self.fault(place, f"the first line has no column {column!r}; add it")

    def _row(self, table: str, place: str, values: dict[str, str], needed: Iterable[str]) -> TableRow:
        for column in needed:
            if not values.get(column):
                self.fault(place, f"{column!r} is empty; every row of {table} needs it")
        return TableRow(place, values)

    def _cell(self, place: str, column: str, value: object) -> str:
        """A value of an array of tables as it would stand in a CSV cell."""
        if isinstance(value, bool):
            return "1" if value else "0"
        if isinstance(value, str | int | float):
            return str(value).strip()
        if isinstance(value, list) and all(isinstance(v, str) for v in value):
            return ("; " if column == "points" else "|").join(value)
        self.fault(place, f"{column} must be text, a number, true or false, or a list of texts")
        return ""


def hint(written: str, known: Iterable[str], what: str, listed: Iterable[str]) -> str:
    """What may have been meant by a word that does not exist, or else what there is."""
    near = difflib.get_close_matches(written, [*known], 1, CLOSE)
    return f"did you mean {near[0]!r}?" if near else f"{what} are {', '.join(listed)}"


def read_board(folder: Traversable | Path) -> Board:
    """Read and check a board folder.

    :raises BoardFileError: with every fault at once, each with its place."""
    files = BoardFiles(folder)
    board = build_board(files)
    if files.faults:
        raise BoardFileError(files.faults)
    return board


def build_board(files: BoardFiles) -> Board:
    """Make a board of the tables as far as they can be understood, noting every fault in ``files.faults``."""
    keys = BOARD_KEYS | COLUMNS.keys()
    for key in sorted(files.head.keys() - keys):
        if enough(files.faults):
            files.fault("board.toml", f"unknown key {key[:60]!r}")
            continue
        files.fault("board.toml", f"unknown key {key!r}; {hint(key, keys, 'the keys', sorted(BOARD_KEYS))}")
    for key in ("name", "title") if files.head else ():
        if not isinstance(files.head.get(key), str) or not files.head[key].strip():
            files.fault("board.toml", f'needs a text {key!r}; add {key} = "..."')
    for key in ("credits", "reconstructed"):
        if not isinstance(files.head.get(key, ""), str):
            files.fault("board.toml", f"{key!r} must be a text, not {files.head[key]!r}")
    provinces = _provinces(files)
    if not provinces and not files.faults:
        files.fault("land.csv", "the board has no provinces; add a row for each")
    borders = _borders(files, provinces) if provinces else []
    touching = _touching(files, provinces) if provinces else []
    if touching:
        borders += derive_sea_borders(provinces, touching)
    translations, forms = _translations(files, provinces)
    return Board(
        name=str(files.head.get("name", "")),
        title=str(files.head.get("title", "")),
        provinces=provinces.values(),
        borders=borders,
        credits=str(files.head.get("credits", "")),
        reconstructed=str(files.head.get("reconstructed", "")),
        notes=files.text("notes.md") or "",
        translations=translations,
        forms=forms,
        translated_notes=_translated_notes(files),
    )


def _provinces(files: BoardFiles) -> dict[str, Province]:
    provinces: dict[str, Province] = {}
    first: dict[str, str] = {}
    for table in ("land", "sea"):
        for row in files.rows(table):
            province = _province(files, row, sea=table == "sea")
            if not province.id:
                continue  # the empty cell is noted already
            if not ID.match(province.id):
                files.fault(row.place, f"the id {province.id!r} must be 2 to 8 lower-case letters or digits")
                if "/" in province.id:
                    continue  # it would be taken for a coast
            elif not fold(province.id):
                files.fault(row.place, f"the id {province.id!r} is a word that orders leave out; choose another")
            if province.id in provinces:
                at = first[province.id]
                files.fault(
                    row.place, f"the id {province.id!r} is used twice (first in {at}); give one of them another id"
                )
                continue
            provinces[province.id] = province
            first[province.id] = row.place
    return provinces


def _translated_notes(files: BoardFiles) -> dict[str, str]:
    """The notes in other languages, by language."""
    found: dict[str, str] = {}
    for name in sorted(file.name for file in files.folder.iterdir()) if files.folder.is_dir() else ():
        language = named[1] if (named := NOTES.fullmatch(name)) else None
        if language and LANGUAGE.match(language):
            found[language] = files.text(name) or ""
        elif language:
            files.fault(name, f"{language!r} isn't a language; name it by its tag, in small letters: notes.de.md")
    return found


def _translations(
    files: BoardFiles, provinces: Mapping[str, Province]
) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, tuple[str, ...]]]]:
    """The names in other languages, and their forms."""
    found: dict[str, dict[str, str]] = {}
    forms: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in files.rows("names"):
        if not row["id"] or not row["language"] or not row["name"]:
            continue  # the empty cell is noted already
        if row["id"] not in provinces:
            mend = "" if enough(files.faults) else _suggestion(row["id"], provinces)
            files.fault(row.place, f"no province {row['id']!r}{mend}")
        elif not LANGUAGE.match(row["language"]):
            files.fault(row.place, f"{row['language']!r} isn't a language; write its tag, in small letters: de, pt-br")
        elif row["id"] in (names := found.setdefault(row["language"], {})):
            files.fault(row.place, f"{row['id']!r} has two names in {row['language']!r}; keep one")
        else:
            names[row["id"]] = row["name"]
            if row["forms"]:
                each = forms.setdefault(row["language"], {})[row["id"]] = tuple(map(str.strip, row["forms"].split(";")))
                if "" in each:
                    files.fault(row.place, "an empty form stands between two ';' or at an end; fill it or leave it out")
    return found, forms


def _province(files: BoardFiles, row: TableRow, *, sea: bool) -> Province:
    coasts: list[str] = []
    shore = False
    if not sea and row["coasts"]:
        shore = True
        if row["coasts"] != "single":
            for coast in (word.strip() for word in row["coasts"].split("|")):
                code = COAST_CODES.get(coast, coast)
                if code not in COAST_NAMES:
                    files.fault(row.place, f"unknown coast {coast!r}; use {', '.join(COAST_CODES)}, or 'single'")
                elif code in coasts:
                    files.fault(row.place, f"the coast {coast!r} is named twice; keep one")
                else:
                    coasts.append(code)
            if "|" not in row["coasts"]:
                files.fault(row.place, "one coast is written 'single'; names are for provinces with several")
    for column in ("center", "capital"):
        files.one_of(row, column, SWITCH)
    return Province(
        id=row["id"],
        name=row["name"],
        sea=sea,
        shore=shore,
        coasts=tuple(coasts),
        center=row["center"] == "1",
        capital=row["capital"] == "1",
        aliases=tuple(a.strip() for a in row["aliases"].split("|") if a.strip()),
        region=row["region"],
        area=row["area"],
        primary=row["kind"] == "primary",
        form=row["form"],
        source=row["source"],
        note=row["note"],
    )


def _known(files: BoardFiles, row: TableRow, provinces: Mapping[str, Province]) -> bool:
    """Whether both ends of a row are locations of the board, and of two provinces."""
    if not row["a"] or not row["b"]:
        return False  # the empty cell is noted already
    known = True
    for end in (row["a"], row["b"]):
        name, _, coast = end.partition("/")
        province = provinces.get(name)
        if province is None:
            mend = "" if enough(files.faults) else _suggestion(name, provinces)
            files.fault(row.place, f"no province {name!r}{mend}")
            known = False
        elif "/" in end and not province.coasts:
            files.fault(row.place, f"{name!r} has no coast {coast!r}; write {name!r} alone")
            known = False
        elif "/" in end and coast not in province.coasts:
            there = " and ".join(province.locations)
            files.fault(row.place, f"{name!r} has no coast {coast!r}; there are {there}")
            known = False
    if known and province_of(row["a"]) == province_of(row["b"]):
        files.fault(row.place, f"{row['a']} borders on itself; name two provinces")
        known = False
    return known


def _suggestion(written: str, provinces: Mapping[str, Province]) -> str:
    spellings = {fold(name): p.id for p in provinces.values() for name in (*p.aliases, p.name, p.id)}
    near = difflib.get_close_matches(fold(written), spellings, 1, CLOSE)
    return f"; did you mean {spellings[near[0]]!r}?" if near else "; add it to land.csv or sea.csv"


def _fleet_fault(province: Province, end: str) -> str:
    """Why fleets cannot be at this end of a border; empty if they can."""
    if province.inland:
        return f"fleets cannot pass at {end}; give it coasts ('single') if it has a shore"
    if province.coasts and "/" not in end:
        return f"{end} has several coasts; say which one fleets use: {' or '.join(province.locations)}"
    return ""


def _borders(files: BoardFiles, provinces: Mapping[str, Province]) -> list[Border]:
    borders: list[Border] = []
    earlier: dict[tuple[str, str], list[tuple[str, Border]]] = {}
    for row in files.rows("borders"):
        for column in ("army", "fleet", "one_way"):
            files.one_of(row, column, SWITCH)
        if not _known(files, row, provinces):
            continue
        one_way = row["one_way"] == "1"
        a, b = (row["a"], row["b"]) if one_way else sorted((row["a"], row["b"]))
        border = Border(a, b, row["army"] == "1", row["fleet"] == "1", one_way)
        if fault := _listed_before(row, border, earlier):
            files.fault(row.place, fault)
            continue
        for end in (a, b):
            province = provinces[province_of(end)]
            if border.army and province.sea:
                files.fault(row.place, f"armies cannot pass at {end}, which is sea; set army to 0")
            elif border.army and "/" in end:
                files.fault(
                    row.place, f"armies cannot pass at {end}; give them a row of their own that says {province.id!r}"
                )
            if border.fleet and (fault := _fleet_fault(province, end)):
                files.fault(row.place, fault)
        if not border.army and not border.fleet:
            files.fault(row.place, "neither army nor fleet passes here; set one to 1 or leave the row out")
        borders.append(border)
    return borders


def _listed_before(row: TableRow, border: Border, earlier: dict[tuple[str, str], list[tuple[str, Border]]]) -> str:
    """Why a row says again what an earlier one says; empty if it does not.

    Rows for one way may stand beside others of the same pair that speak of the other unit or the other direction."""
    a, b = border.a, border.b
    for first, other in earlier.setdefault((min(a, b), max(a, b)), []):
        same_way = not (border.one_way and other.one_way and border.a != other.a)
        same_unit = (border.army and other.army) or (border.fleet and other.fleet)
        if not border.one_way and not other.one_way:
            differs = " with other units" if (border.army, border.fleet) != (other.army, other.fleet) else ""
            return f"the border {a} - {b} is listed twice (first in {first}{differs}); one row is for both ways"
        if same_way and same_unit:
            return f"the border {a} - {b} is listed twice (first in {first}); a one-way row says what goes one way only"
    earlier[min(a, b), max(a, b)].append((row.place, border))
    return ""


def _touching(files: BoardFiles, provinces: Mapping[str, Province]) -> list[tuple[str, str]]:
    """What touches on the map, for boards whose seas are grouped in areas."""
    touching: dict[tuple[str, str], str] = {}
    for row in files.rows("touching"):
        if not _known(files, row, provinces):
            continue
        a, b = sorted((row["a"], row["b"]))
        ends = {end: provinces[province_of(end)] for end in (a, b)}
        faults = [fault for end, province in ends.items() if (fault := _fleet_fault(province, end))]
        if not any(province.sea for province in ends.values()):
            faults = [f"neither {a} nor {b} is sea; borders on land belong in borders.csv"]
        elif (a, b) in touching:
            faults = [f"{a} - {b} is listed twice (first in {touching[a, b]}); leave one out"]
        for fault in faults:
            files.fault(row.place, fault)
        if not faults:
            touching[a, b] = row.place
    return list(touching)


POINT = re.compile(r"(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)(?:\s+r\s*(\d+(?:\.\d+)?))?\Z")


FARTHEST = 50_000.0
"""km: no point of a plane lies farther off."""


def read_points(text: str, *, plane: bool = False) -> tuple[list[tuple[float, float, float]], list[str]]:
    """The points of a cell, each with its radius (0 without one), and a message for each that cannot be read."""
    points: list[tuple[float, float, float]] = []
    faults: list[str] = []
    widest, highest = (FARTHEST, FARTHEST) if plane else (180.0, 90.0)
    what = "'x y' in km to the east and north (a circle's: '120 80 r4')"
    if not plane:
        what = "'longitude latitude' in degrees (a circle's: '-1.3 52.7 r4')"
    for written in filter(None, map(str.strip, text.split(";"))):
        match = POINT.match(written)
        lon, lat, r = (float(number or 0) for number in match.groups()) if match else (math.inf, 0.0, 0.0)
        if abs(lon) <= widest and abs(lat) <= highest and r <= FARTHEST:
            points.append((lon, lat, r))
        else:
            faults.append(f"the point {written[:80]!r} is not {what}; put ';' between points")
    return points, faults
