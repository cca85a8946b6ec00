"""Checks a board: everything the reader would refuse, and whatever a designer would want to know before anybody plays
on it."""

import difflib
import re
from importlib.resources.abc import Traversable
from pathlib import Path

from legation.board.files import CLOSE, COLUMNS, BoardFault, BoardFiles, TableRow, build_board, read_points, told_of
from legation.board.model import FLEET, Board, Province, fold, parts, province_of
from legation.board.seas import derive_sea_borders, lonely_passages

FORMS = ("", "county", "circle", "box")
KINDS = ("", "primary", "local")


def lint(folder: Traversable | Path) -> list[BoardFault]:
    """The faults of a board folder at once, each with its place and the mend, in the order of the files; an empty list
    for a sound board."""
    files = BoardFiles(folder)
    board = build_board(files)
    if files.head:
        for table in COLUMNS:  # those of the authoring tools too: reading notes unknown columns and empty cells
            files.rows(table)
        _Lint(files, board).run()
    return told_of(sorted(dict.fromkeys(files.faults), key=_order))


def _lists(province: Province, name: str) -> bool:
    return any(fold(alias) == fold(name) for alias in province.aliases)


def _order(fault: BoardFault) -> tuple[int, str, int]:
    name, _, rest = fault.place.partition(":")
    table = name.removesuffix(".csv") if name.endswith(".csv") else rest.partition("[")[0] or name
    tables = ["board.toml", *COLUMNS]
    number = re.search(r"(\d+)\]?\Z", rest)
    return tables.index(table) if table in tables else len(tables), name, int(number[1]) if number else 0


class _Lint:
    """The checks of one board; what they find goes to ``files.faults``."""

    def __init__(self, files: BoardFiles, board: Board) -> None:
        self.files = files
        self.board = board
        self.passages = {
            frozenset((province_of(row["a"]), province_of(row["b"])))
            for row in files.rows("links")
            if row["change"] == "add"
        }
        self.declared = {end for pair in self.passages for end in pair}
        self.entered = {end for at in board.locations for end in board.reach(FLEET, at)}
        """Where fleets can come to."""
        self.rows: dict[str, TableRow] = {}
        for table in ("land", "sea"):
            for row in files.rows(table):
                self.rows.setdefault(row["id"], row)

    def run(self) -> None:
        self.folder()
        self.names()
        for province in self.board.provinces.values():
            self.province(province)
        self.parts()
        self.coastal_borders()
        self.points()
        if self.areas():
            self.derived()

    def fault(self, province: str, message: str) -> None:
        """A fault at the row of a province."""
        self.files.fault(self.rows[province].place, message)

    def folder(self) -> None:
        """No file may be meant as a table and not be one."""
        for file in sorted(self.files.folder.iterdir(), key=lambda f: f.name):
            table, dot, end = file.name.rpartition(".")
            if dot and end == "csv" and table not in COLUMNS:
                near = difflib.get_close_matches(table, COLUMNS, 1, CLOSE)
                hint = f"did you mean {near[0]}.csv?" if near else f"the tables are {', '.join(COLUMNS)}"
                self.files.fault(file.name, f"isn't a table of a board; {hint}")

    def names(self) -> None:
        """No name may mean two provinces, unless it is for different powers only, or an alias that all of them list:
        that means the one which the unit can reach, and is asked about where there are several."""
        seen: dict[tuple[str, str], str] = {}
        provinces = self.board.provinces
        for province in provinces.values():
            seen[fold(province.id), ""] = province.id  # ids first: they always mean their own province
        for province in provinces.values():
            translated = (names[province.id] for names in self.board.translations.values() if province.id in names)
            for written in (province.name, *province.aliases, *translated):
                name, _, power = (part.strip() for part in written.partition("@"))
                if not fold(name):
                    self.fault(province.id, f"the name {written!r} says nothing; leave it out")
                    continue
                other = seen.setdefault((fold(name), power), province.id)
                if other == province.id or (not power and _lists(province, name) and _lists(provinces[other], name)):
                    continue
                meant = provinces[other]
                what = "is the id of" if fold(name) == fold(other) else "means"
                self.fault(province.id, f"{name!r} {what} {meant.name} ({other}) too; remove it from one of them")

    def province(self, province: Province) -> None:
        """What is asked of every province by itself."""
        row, board = self.rows[province.id], self.board
        if province.capital and not province.center:
            self.fault(province.id, f"{province.name} is a capital but no center; set center to 1")
        self.files.one_of(row, "form", FORMS)
        self.files.one_of(row, "kind", KINDS)
        if province.area and not row["kind"]:
            self.fault(province.id, f"{province.name} is in the area {province.area!r}; set kind to primary or local")
        if row["kind"] and not province.area:
            self.fault(province.id, f"{province.name} is {row['kind']} of no area; name its area, or leave kind empty")
        if not board.adjacent(province.id):
            self.fault(province.id, f"{province.name} has no border; add rows to borders.csv")
            return
        if province.sea or province.shore:
            for location in province.locations:
                reach = board.reach(FLEET, location)
                if not reach and location in self.entered:
                    self.fault(
                        province.id, f"fleets can come to {location} and never leave it; add a border that leads out"
                    )
                elif not reach:
                    self.fault(province.id, f"no fleet can reach {location}; add a border or remove the coast")
                elif province.shore and not (province.id in self.declared or board.seas[location]):
                    self.fault(
                        province.id, f"{location} touches no sea; add a border to one, or leave its coasts empty"
                    )

    def parts(self) -> None:
        """From every province one must be able to come to every other, by some unit or other."""
        near = {p: self.board.adjacent(p) for p in self.board.provinces}
        for part in parts({p: others for p, others in near.items() if others})[1:]:
            names = ", ".join(sorted(part)[:6]) + (" ..." if len(part) > 6 else "")
            self.fault(min(part), f"no unit can reach {names} from the rest of the board; add a border")

    def coastal_borders(self) -> None:
        """Fleets go from shore to shore along a sea that both touch, unless a declared connection says so."""
        place = {frozenset((row["a"], row["b"])): row.place for row in self.files.rows("borders")}
        for border in lonely_passages(self.board):
            if frozenset(border.pair) not in self.passages and self.board.seas[border.a] and self.board.seas[border.b]:
                self.files.fault(
                    place[frozenset((border.a, border.b))],
                    f"no sea touches both {border.a} and {border.b}; set fleet to 0, or declare the connection in "
                    "links.csv",
                )

    def points(self) -> None:
        """Seed points can be read, and circles, and only they, have a radius."""
        projection = self.files.head.get("projection")
        plane = isinstance(projection, dict) and projection.get("kind") == "plane"
        for table, column in (
            ("land", "points"),
            ("sea", "points"),
            ("void", "points"),
            ("carve", "points"),
            ("lines", "points"),
            ("insets", "window"),
            ("insets", "at"),
            ("places", "point"),
        ):
            for row in self.files.rows(table):
                points, faults = read_points(row[column], plane=plane)
                for fault in faults:
                    self.files.fault(row.place, fault)
                if table == "land" and points:
                    self.files.check_circle(row, points)
                    if row["form"] != "circle" and any(radius for _, _, radius in points):
                        self.files.fault(
                            row.place, "only a circle has a radius; set form to circle, or drop the radius"
                        )

    def areas(self) -> bool:
        """Every sea area has exactly one primary region (the answer), and what touches is stated."""
        sound = True
        grouped: dict[str, list[Province]] = {}
        for province in self.board.provinces.values():
            if province.area:
                grouped.setdefault(province.area, []).append(province)
        for area, members in grouped.items():
            primary = [p.id for p in members if p.primary]
            if len(primary) != 1:
                sound = False
                count = f"has {len(primary)}: {', '.join(primary)}" if primary else "has none"
                self.fault(
                    (primary or [members[0].id])[-1],
                    f"the area {area!r} needs one primary region and {count}; set kind",
                )
        if grouped and not self.files.rows("touching"):
            self.files.fault("touching.csv", "the seas form areas, so the board needs touching.csv; add it")
        return sound

    def derived(self) -> None:
        """No border that follows from the sea areas (W-8b, W-8c) is stated besides."""
        provinces = self.board.provinces
        pairs: list[tuple[str, str]] = []
        for row in self.files.rows("touching"):
            ends = [provinces.get(province_of(end)) for end in (row["a"], row["b"])]
            if all(p is not None for p in ends) and any(p is not None and p.sea for p in ends):
                pairs.append((row["a"], row["b"]))
        if not pairs:
            return
        derived = {frozenset((b.a, b.b)) for b in derive_sea_borders(provinces, pairs)}
        for row in self.files.rows("borders"):
            if frozenset((row["a"], row["b"])) in derived:
                self.files.fault(
                    row.place, f"{row['a']} - {row['b']} follows from touching.csv; leave the row out of borders.csv"
                )
