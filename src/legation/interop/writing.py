"""From the record of a foreign variant to a variant folder of ours: the TOML file, the board beside it, its picture.

What the record leaves open is settled before (:mod:`legation.interop.settling`), and told in the report."""

from __future__ import annotations

import csv
import io
import re
import tempfile
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from legation.board import Board, BoardFileError, read_board
from legation.board.files import BoardFault
from legation.board.lint import lint
from legation.board.model import COAST_NAMES
from legation.board.toml_text import toml_value
from legation.interop.matching import lonely_passages
from legation.interop.record import ForeignVariant, Nation, Note
from legation.interop.refusals import board_in_words
from legation.interop.settling import board_of, settle
from legation.interop.sources import ForeignFileError
from legation.variants import VariantError, find_boards, load_file, names

UNSOUND_RULE = re.compile(r"\brules: (\w+): ")
HEADINGS = (("taken", "Taken"), ("not_taken", "Not taken"), ("guessed", "Guessed"))
BOARD_FILES = (
    "board.toml land.csv sea.csv borders.csv links.csv void.csv insets.csv land.geojson shapes.json layout.json"
).split()


class Written(msgspec.Struct, frozen=True):
    """A variant that was written: its file, its board's folder, and how its picture came about (empty: none)."""

    file: Path
    board: Path
    origin: str
    variant: ForeignVariant


def slug(text: str, longest: int = 40) -> str:
    """A text as the name of a file: lower-case letters, digits and dashes."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:longest].strip("-")


def write_variants(variants: list[ForeignVariant], folder: Path, picture: bool = True) -> list[Written]:
    """Write the variants that are sound into a folder; one that is not is told in the report of the others.

    :raises ForeignFileError: if none can be made sound; nothing is written then."""
    writer = _Writer(folder, picture)
    written: list[Written] = []
    refused: list[tuple[ForeignVariant, list[str]]] = []
    for variant in variants:
        try:
            written.append(writer.write(variant))
        except ForeignFileError as error:
            refused.append((variant, list(error.faults)))
    if refused and not written:
        raise ForeignFileError(*dict.fromkeys(fault for _, faults in refused for fault in faults))
    for variant, faults in refused:
        written[-1].variant.left(f"the variant {variant.title}", f"refused: {'; '.join(faults[:3])}")
    return written


class _Writer:
    """Writes variants into one folder, each under a name of its own; those on one board share it."""

    def __init__(self, folder: Path, picture: bool) -> None:
        self.folder = folder
        self.picture = picture
        self.boards: dict[str, dict[str, str]] = {}
        self.names = {*map(str.casefold, names())}
        self.ours = {*find_boards()}

    def write(self, variant: ForeignVariant) -> Written:
        """Write one variant.

        :raises ForeignFileError: if it cannot be made sound; nothing of it is written then."""
        sound = settle(variant)
        wanted = slug(sound.name) or "variant"
        name = _unused(wanted if wanted not in self.names else f"{wanted}-{_system(sound)}", self.names)
        if name != wanted:
            sound.took(wanted, f"is called {name} here, as there is a variant {wanted} already")
        with tempfile.TemporaryDirectory(prefix="legation-import-") as made:
            place = Path(made)
            board, origin = (sound.ours, "ours") if sound.ours else self._board(sound, name, place)
            _write_sound(place / f"{name}.toml", sound, board)
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                if not sound.ours:
                    _copy(place / board, self.folder / board)
                (self.folder / f"{name}.toml").write_bytes((place / f"{name}.toml").read_bytes())
            except OSError as error:
                raise ForeignFileError(f"{error.filename}: {error.strerror}") from None
        self.names.add(name)
        at = find_boards()[board] if sound.ours else self.folder / board
        return Written(self.folder / f"{name}.toml", at, origin, sound)

    def _board(self, sound: ForeignVariant, variant: str, place: Path) -> tuple[str, str]:
        """Make a variant's board below ``place``; its name, and how its picture came about."""
        wanted = slug(sound.board or sound.name) or "board"
        name = wanted if wanted not in self.ours else f"{wanted}-{_system(sound)}"
        files = _tables(sound, board_of(sound, name))
        if self.boards.get(name, files) != files:
            name = _unused(f"{name}-{variant}"[:60], {*self.boards, *self.ours})
            files = _tables(sound, board_of(sound, name))
        folder = place / name
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
        origin = ""
        try:
            board = read_board(folder)
        except BoardFileError as error:
            raise _unsound(sound, error.faults, folder) from None
        if name in self.boards:
            sound.took("board", f"the same as that of an earlier variant: {name}")
            _copy(self.folder / name, folder)
        elif self.picture:
            origin = _draw(sound, board, folder)
        else:
            _declare_passages(board, folder)
        if faults := lint(folder):
            raise _unsound(sound, faults, folder)
        self.boards[name] = files
        return name, origin


def _unsound(variant: ForeignVariant, faults: Iterable[BoardFault], folder: Path) -> ForeignFileError:
    told = list(dict.fromkeys(board_in_words(fault, folder) for fault in faults))
    return ForeignFileError(*(f"{variant.file}: the board is not sound: {fault}" for fault in told[:12]))


def _write_sound(file: Path, variant: ForeignVariant, board: str) -> None:
    """Write a variant file that loads; rules with settings that do not fit are left out, and told.

    :raises ForeignFileError: if something else of it is not sound."""
    while True:
        file.write_text(variant_text(variant, board), encoding="utf-8")
        try:
            load_file(file)
            return
        except VariantError as error:
            told = [
                (m[1], fault) for fault in error.faults if (m := UNSOUND_RULE.search(fault)) and m[1] in variant.rules
            ]
            if len(told) < len(error.faults):
                faults = (fault.removeprefix(f"{file.name}: ") for fault in error.faults[:12])
                raise ForeignFileError(*(f"{variant.file}: the variant is not sound: {f}" for f in faults)) from None
        for rule, fault in told:
            variant.rules.pop(rule, None)
            variant.left(f"the rule {rule}", f"its settings do not fit this board: {fault.partition(': ')[2]}")


def _system(variant: ForeignVariant) -> str:
    return slug(variant.format.partition(" ")[0]) or "imported"


def _unused(wanted: str, taken: set[str]) -> str:
    return next(name for name in (wanted, *(f"{wanted}-{n}" for n in range(2, 1000))) if name not in taken)


def _copy(start: Path, goal: Path) -> None:
    """Copy the files of a folder into another, which loses what else was a board's there."""
    goal.mkdir(parents=True, exist_ok=True)
    for old in BOARD_FILES:
        (goal / old).unlink(missing_ok=True)
    for file in sorted(start.iterdir()):
        (goal / file.name).write_bytes(file.read_bytes())


def _draw(variant: ForeignVariant, board: Board, folder: Path) -> str:
    """Draw the board and lay it out; a board that cannot be drawn stays without a picture, and the report says so."""
    try:
        from legation.atlas.grow.growing import write
        from legation.interop.drawing.drawing import DrawingError, draw
    except ImportError:
        variant.left("picture", "drawing needs the geometry libraries: pip install 'legation[authoring]'")
        _declare_passages(board, folder)
        return ""
    from legation.atlas.grow.layout import lay_out, write_layout
    from legation.atlas.shapes import read_shapes
    from legation.atlas.table.document import read_files, write_files

    try:
        drawn = draw(board, variant.places, variant.picture)
        rows = [
            (k.a, k.b, _travel(k.army, k.fleet), "add" if k.add else "remove", REASONS[k.add], k.draw)
            for k in drawn.links
        ]
        _write_links(folder, rows)
        document, _ = read_files({file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()})
        drawn.add_points(document)
        for name, text in (write_files(document) | {"shapes.json": write(drawn.shapes)}).items():
            (folder / name).write_text(text, encoding="utf-8")
        shapes = read_shapes(folder)  # as they are kept
        assert shapes is not None
        (folder / "layout.json").write_text(write_layout(lay_out(board, shapes)), encoding="utf-8")
    except (DrawingError, ValueError) as error:
        for file in ("shapes.json", "layout.json"):
            (folder / file).unlink(missing_ok=True)
        variant.left("picture", f"could not be drawn: {error}")
        _declare_passages(board, folder)
        return ""
    barriers = sum(1 for k in drawn.links if k.draw == "barrier")
    bridges, away = (
        len({frozenset((k.a, k.b)) for k in drawn.shapes.links if k.kind == kind}) for kind in ("bridge", "away")
    )
    said = {
        "shapes": "redrawn from the shapes of the source",
        "positions": "grown from the places of the units on the source's map; its lines are ours, a diagram of what "
        "borders on what",
        "borders": "laid out from the borders alone, as the source has no positions; it is a diagram, no map",
    }[drawn.origin]
    told = {"as bridges": bridges, "as marks that name the neighbor": away, "as barriers": barriers}
    marked = ", ".join(f"{count} {how}" for how, count in told.items() if count)
    marked = f"; borders that the picture alone does not show: {marked}" if marked else ""
    (variant.took if drawn.origin == "shapes" else variant.guess)("picture", said + marked)
    return drawn.origin


REASONS = {True: "as in the source", False: "no border in the source"}


def _declare_passages(board: Board, folder: Path) -> None:
    """Declare passages from shore to shore that no sea shows, where there is no picture."""
    rows = [(a, b, "fleet", "add", REASONS[True], "none") for a, b in sorted(lonely_passages(board))]
    _write_links(folder, rows)


def _travel(army: bool, fleet: bool) -> str:
    return "both" if army and fleet else "army" if army else "fleet"


def _write_links(folder: Path, rows: list[tuple[str, str, str, str, str, str]]) -> None:
    if rows:
        text = table(("a", "b", "kind", "change", "reason", "draw"), rows)
        (folder / "links.csv").write_text(text, encoding="utf-8")


def table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """A table as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


# --- the files


def _tables(variant: ForeignVariant, board: Board) -> dict[str, str]:
    land, sea = [], []
    for p in board.provinces.values():
        aliases = "|".join(p.aliases)
        if p.sea:
            sea.append((p.id, p.name, aliases, "1" if p.center else "0"))
        else:
            words = [COAST_NAMES[c].partition(" ")[0] for c in p.coasts]
            coasts = "|".join(words) if words else "single" if p.shore else ""
            land.append((p.id, p.name, aliases, coasts, "1" if p.center else "0"))
    one_way = any(b.one_way for b in board.borders)
    head = ("a", "b", "army", "fleet", "one_way") if one_way else ("a", "b", "army", "fleet")
    rows = [(b.a, b.b, int(b.army), int(b.fleet), int(b.one_way))[: len(head)] for b in board.borders]
    credits = f"Imported from {variant.format}. {variant.credits}".strip()
    files = {
        "board.toml": "\n".join([*_rows({"name": board.name, "title": variant.title, "credits": credits}), ""]),
        "land.csv": table(("id", "name", "aliases", "coasts", "center"), land),
        "borders.csv": table(head, rows),
    }
    if sea:
        columns = 4 if any(row[3] == "1" for row in sea) else 3
        files["sea.csv"] = table(("id", "name", "aliases", "center")[:columns], [row[:columns] for row in sea])
    return files


def variant_text(variant: ForeignVariant, board: str) -> str:
    """The variant file."""
    calendar: dict[str, Any] = {"first": variant.first, "cycle": variant.cycle, "opening": variant.opening or ""}
    calendar |= {"years": variant.years if variant.years != 1 else "", **variant.rules.get("calendar", {})}
    rules: dict[str, dict[str, Any]] = {**variant.rules, "calendar": calendar}
    centers = sum(1 for place in variant.places.values() if place.center)
    if not {"build_anywhere", "build_where", "homes", "chosen_homes", "gained_homes"} & rules.keys():
        rules["homes"] = {}
    if not {"solo", "solo_with_capitals", "solo_terms"} & rules.keys():
        rules["solo"] = {"centers": min(max(variant.to_win or centers // 2 + 1, 1), max(centers, 1))}
    if variant.draws and "draw_by_vote" not in rules:
        rules["draw_by_vote"] = {}
    head = {"title": variant.title, "board": board, "summary": variant.summary, "credits": variant.credits}
    lines = _rows(head)
    for key in sorted(rules, key=lambda key: key != "calendar"):
        lines += ["", f"[rules.{key}]", *_rows(rules[key])]
    for nation in variant.nations:
        lines += ["", "[[powers]]", *_rows(_power(nation))]
    return "\n".join(lines) + "\n"


def _rows(table: Mapping[str, Any]) -> list[str]:
    """The rows of a table of TOML, without those whose value is an empty text."""
    return [f"{key} = {toml_value(value)}" for key, value in table.items() if value != ""]


def _power(nation: Nation) -> dict[str, Any]:
    owned = nation.owned if nation.owned is not None and sorted(nation.owned) != sorted(nation.homes) else ""
    return {
        "name": nation.name,
        "adjective": nation.adjective,
        "aliases": nation.aliases or "",
        "color": nation.color,
        "homes": nation.homes,
        "centers": owned,
        "units": [f"{'A' if unit.kind == 'army' else 'F'} {unit.at}" for unit in nation.units],
    }


# --- the report


def report_text(written: Written) -> str:
    """What was taken, what was not, and what was guessed."""
    variant = written.variant
    centers = sum(1 for place in variant.places.values() if place.center)
    lines = [
        f"{variant.title}, from {variant.file} ({variant.format})",
        f"  {written.file}: {len(variant.places)} provinces, {centers} centers, "
        f"{len(variant.nations)} powers, {sum(len(n.units) for n in variant.nations)} units",
    ]
    for field, heading in HEADINGS:
        notes: list[Note] = getattr(variant, field)
        if notes:
            lines.append(f"{heading}:")
            lines += [f"  {note.what}: {note.text}" for note in notes]
        elif field == "not_taken":
            lines.append("Not taken: nothing; everything in the source has a counterpart.")
    return "\n".join(lines) + "\n"
