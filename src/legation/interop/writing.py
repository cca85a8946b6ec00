"""From the record of a foreign variant to a variant folder of ours: the TOML file, the board beside it, its picture.

What the record leaves open is settled before (:mod:`legation.interop.settling`), and told in the report."""

import re
import tempfile
import unicodedata
from collections.abc import Iterable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec

from legation.atlas.contacts import Link
from legation.atlas.table.document import TableDocument, write_files
from legation.board import Board, BoardFileError, read_board
from legation.board.document import table_text
from legation.board.folders import TextFolder, write_folder
from legation.board.lint import lint
from legation.board.model import COAST_NAMES
from legation.board.seas import lonely_passages
from legation.board.toml_text import toml_document
from legation.interop.record import ForeignVariant, Nation, Note
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


def slug(text: str) -> str:
    """A text as the name of a file: at most 40 lower-case letters, digits and dashes."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:40].strip("-")


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
        self.boards: dict[str, tuple[TableDocument, dict[str, str]]] = {}
        """What each board was made of, and its files."""
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
        board, files, origin = (sound.ours, {}, "ours") if sound.ours else self._board(sound, name)
        with tempfile.TemporaryDirectory(prefix="legation-import-") as made:
            if files:
                _put(Path(made, board), files)
            text = _sound_text(Path(made, f"{name}.toml"), sound, board)
        at = find_boards()[board] if sound.ours else self.folder / board
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if files:
                _put(at, files)
            (self.folder / f"{name}.toml").write_text(text, encoding="utf-8")
        except OSError as error:
            raise ForeignFileError(f"{error.filename}: {error.strerror}") from None
        self.names.add(name)
        return Written(self.folder / f"{name}.toml", at, origin, sound)

    def _board(self, sound: ForeignVariant, variant: str) -> tuple[str, dict[str, str], str]:
        """Make a variant's board: its name, its files, and how its picture came about."""
        wanted = slug(sound.board or sound.name) or "board"
        name = wanted if wanted not in self.ours else f"{wanted}-{_system(sound)}"
        document = _document(sound, name)
        if name in self.boards and self.boards[name][0] != document:
            name = _unused(f"{name}-{variant}"[:60], {*self.boards, *self.ours})
            document = _document(sound, name)
        files, origin = write_files(document), ""
        try:
            board = read_board(TextFolder(files, name))
        except BoardFileError as error:
            raise _unsound(sound, error.faults) from None
        if name in self.boards:
            sound.took("board", f"the same as that of an earlier variant: {name}")
            _, files = self.boards[name]
        elif self.picture:
            drawn, origin = _draw(sound, board, deepcopy(document))
            files |= drawn
        else:
            files |= _passages(board)
        if faults := lint(TextFolder(files, name)):
            raise _unsound(sound, faults)
        self.boards[name] = document, files
        return name, files, origin


def _unsound(variant: ForeignVariant, faults: Iterable[object]) -> ForeignFileError:
    told = list(dict.fromkeys(map(str, faults)))[:12]
    return ForeignFileError(*(f"{variant.file}: the board is not sound: {fault}" for fault in told))


def _sound_text(file: Path, variant: ForeignVariant, board: str) -> str:
    """A variant file that loads, tried out at a path; rules with settings that do not fit are left out, and told.

    :raises ForeignFileError: if something else of it is not sound."""
    while True:
        text = variant_text(variant, board)
        file.write_text(text, encoding="utf-8")
        try:
            load_file(file)
            return text
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


def _put(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of a board into a folder, and delete other board files that were there."""
    for old in BOARD_FILES:
        (folder / old).unlink(missing_ok=True)
    write_folder(files, folder)


def _draw(variant: ForeignVariant, board: Board, document: TableDocument) -> tuple[dict[str, str], str]:
    """Draw the board and lay it out: its files, and how its picture came about. A board that cannot be drawn stays
    without a picture, and the report says so."""
    try:
        from legation.atlas.grow.growing import write
        from legation.atlas.grow.labels import lay_out, write_layout
        from legation.atlas.shapes import read_shapes
        from legation.interop.drawing.drawing import draw

        drawn = draw(board, variant.places, variant.picture)
        document.board["links"] = _link_rows(drawn.links)
        drawn.add_points(document)
        files = write_files(document) | {"shapes.json": write(drawn.shapes)}
        shapes = read_shapes(TextFolder(files))  # as they are kept
        assert shapes is not None
        files["layout.json"] = write_layout(lay_out(board, shapes))
    except (ImportError, ValueError) as error:
        needs = "drawing needs the geometry libraries: pip install 'legation[authoring]'"
        variant.left("picture", needs if isinstance(error, ImportError) else f"could not be drawn: {error}")
        return _passages(board), ""
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
    return files, drawn.origin


def _passages(board: Board) -> dict[str, str]:
    """Return ``links.csv`` for fleet passages that no sea on the board explains; empty if there are none."""
    lonely = sorted({border.pair for border in lonely_passages(board)})
    rows = _link_rows(Link(a, b, army=False, fleet=True, add=True, draw="none") for a, b in lonely)
    return {"links.csv": table_text("links", rows)} if rows else {}


def _link_rows(links: Iterable[Link]) -> list[dict[str, Any]]:
    return [
        {
            "a": link.a,
            "b": link.b,
            "kind": "both" if link.army and link.fleet else "army" if link.army else "fleet",
            "change": "add" if link.add else "remove",
            "reason": "as in the source" if link.add else "no border in the source",
            "draw": link.draw,
        }
        for link in links
    ]


# --- the files


def _document(variant: ForeignVariant, name: str) -> TableDocument:
    board = board_of(variant, name)
    land, sea = [], []
    for p in board.provinces.values():
        row: dict[str, object] = {"id": p.id, "name": p.name, "aliases": "|".join(p.aliases)}
        if p.sea:
            sea.append(row | {"center": p.center or ""})
        else:
            words = [COAST_NAMES[c].partition(" ")[0] for c in p.coasts]
            coasts = "|".join(words) or ("single" if p.shore else "")
            land.append(row | {"coasts": coasts, "center": p.center})
    borders = [msgspec.structs.asdict(border) | {"one_way": border.one_way or ""} for border in board.borders]
    credits = f"Imported from {variant.format}. {variant.credits}".strip()
    head = {"name": board.name, "title": variant.title, "credits": credits}
    return TableDocument(board=_said(head) | {"land": land, "sea": sea, "borders": borders})


def variant_text(variant: ForeignVariant, board: str) -> str:
    """The variant file."""
    calendar: dict[str, Any] = {"first": variant.first, "cycle": variant.cycle, "opening": variant.opening or ""}
    calendar |= {"years": variant.years if variant.years != 1 else "", **variant.rules.get("calendar", {})}
    rules: dict[str, dict[str, Any]] = {"calendar": calendar} | variant.rules | {"calendar": calendar}
    centers = sum(1 for place in variant.places.values() if place.center)
    if not {"build_anywhere", "build_where", "homes", "chosen_homes", "gained_homes"} & rules.keys():
        rules["homes"] = {}
    if not {"solo", "solo_with_capitals", "solo_terms"} & rules.keys():
        rules["solo"] = {"centers": min(max(variant.to_win or centers // 2 + 1, 1), max(centers, 1))}
    if variant.draws and "draw_by_vote" not in rules:
        rules["draw_by_vote"] = {}
    head = {"title": variant.title, "board": board, "summary": variant.summary, "credits": variant.credits}
    powers = [_said(_power(nation)) for nation in variant.nations]
    return toml_document(
        {**_said(head), "rules": {name: _said(rule) for name, rule in rules.items()}, "powers": powers}
    )


def _said(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table without the keys whose value is an empty text."""
    return {key: value for key, value in table.items() if value != ""}


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
