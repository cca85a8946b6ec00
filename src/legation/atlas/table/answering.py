"""Grows what is on a drawing table: coarse while it is dragged, whole when it is let go.

:func:`answer` is called in a child process that stays (``legation.children``), so that the coastline and the ground cut
from it are read once. It takes and gives plain data, and touches no file but those of the package."""

import hashlib
import re
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from shapely.geometry.base import BaseGeometry

from legation.atlas.cartography import Atlas
from legation.atlas.contacts import border_tables, compare, read_links
from legation.atlas.grow import NONE, SHIPPED
from legation.atlas.grow.coastline import Land, find_land, shipped_land
from legation.atlas.grow.ground import cut_ground, draw_land
from legation.atlas.grow.growing import grow_on, write
from legation.atlas.grow.labels import lay_out, write_layout
from legation.atlas.grow.plan import Plan, read_unfinished_plan
from legation.atlas.layout import Layout
from legation.atlas.legibility import badly_read
from legation.atlas.outlines import BoardGeometry
from legation.atlas.shapes import Place, Shapes, read_shapes
from legation.atlas.table.document import TableDocument, read_document, variant_files, write_files
from legation.atlas.table.picture import BoardPicture, picture_of
from legation.board import Board
from legation.board.document import table_text
from legation.board.files import COLUMNS, BoardFault, BoardFiles, build_board
from legation.board.folders import TextFolder, write_folder
from legation.board.lint import lint
from legation.judge import Ruleset
from legation.variants import Registry, VariantError, findings

T = TypeVar("T")
GRIDS = 500
"""How many times the finest detail of a coarse growth goes into the width of the map."""
COARSE_ISLET = 0.006
"""The side of the smallest island without a point that a coarse growth shows, as a share of the width."""
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


class _Latest(Generic[T]):
    """What was made for earlier answers of this process, the latest few."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.kept: OrderedDict[str, T] = OrderedDict()

    def get(self, key: str, make: Callable[[], T]) -> T:
        if key not in self.kept:
            self.kept[key] = make()
        self.kept.move_to_end(key)
        while len(self.kept) > self.most:
            self.kept.popitem(last=False)
        return self.kept[key]


_lands = _Latest[Land](4)
_drawn_lands = _Latest[BaseGeometry](8)
_grounds = _Latest[BaseGeometry](8)


def answer(value: object, stage: str) -> dict[str, Any]:
    """Grow a document; ``stage`` is ``coarse`` or ``full``. What comes is described in ``docs/drawing-table.md``.

    :raises TableDocumentError: when it isn't a document."""
    document = read_document(value)
    files = write_files(document)
    folder = TextFolder(files)
    read = BoardFiles(folder)
    plan = read_unfinished_plan(read)
    faults = list(dict.fromkeys(read.faults))
    full = stage == "full"
    picture, grown_files = BoardPicture(), dict[str, str]()
    growing = plan if full else coarse(plan)
    try:
        grown = grow_on(growing, _ground(growing, folder), unfinished=True, quick=not full)
    except ValueError as error:
        faults.append(BoardFault("board.toml:grow", str(error)))
        return _answer(plan, stage, picture, place_findings(faults, document, picture, "fault"))
    faults += grown.warnings
    shapes = grown.shapes
    if document.borders == "picture":
        asked = BoardFiles(folder)
        tables = border_tables(asked, shapes) if shapes.provinces else {"borders": []}
        faults += [fault for fault in asked.faults if "seas_of_coasts" in fault.message]
        grown_files = {f"{table}.csv": table_text(table, rows) for table, rows in tables.items()}
        files = {
            name: text for name, text in files.items() if name not in ("borders.csv", "touching.csv")
        } | grown_files
        folder = TextFolder(files)
    read = BoardFiles(folder)
    board = build_board(read)
    links = read_links(read, board.provinces)
    picture = picture_of(board, shapes, links)
    sound = not faults and not read.faults
    differences = compare(board, shapes, links) if shapes.provinces else []
    if full:
        faults = list(dict.fromkeys([*faults, *lint(folder)]))
    findings = place_findings(faults, document, picture, "fault")
    findings += place_findings(differences, document, picture, "difference")
    reply = _answer(plan, stage, picture, findings)
    if full:
        reply["files"] = grown_files
    if full and sound and shapes.provinces:
        _lay_out(reply, document, files, board, shapes, picture)
    return reply


def _lay_out(
    reply: dict[str, Any],
    document: TableDocument,
    files: dict[str, str],
    board: Board,
    shapes: Shapes,
    picture: BoardPicture,
) -> None:
    """Add to an answer what can be told only of a sound board: where names and units stand, what is badly read of them,
    the variant's own findings, and the board as it is drawn."""
    grown_files: dict[str, str] = reply["files"]
    grown_files["shapes.json"] = write(shapes)
    kept = read_shapes(TextFolder(grown_files))  # as they are kept
    assert kept is not None
    try:
        layout = lay_out(board, kept)
    except ValueError as error:
        reply["findings"].append(msgspec.to_builtins(TableFinding(place="layout.json", text=str(error))))
        return
    grown_files["layout.json"] = write_layout(layout)
    unclear = badly_read(BoardGeometry(board, kept, layout.sites), layout.labels)
    faults = [BoardFault("layout.json", text) for _, text in unclear]
    reply["findings"] += [
        msgspec.to_builtins(msgspec.structs.replace(told, provinces=[name], at=picture.provinces[name].label))
        for told, (name, _) in zip(place_findings(faults, document, picture, "note"), unclear, strict=True)
    ]
    rules, found = variant_findings(document.name, files | grown_files, variant_files(document))
    reply["findings"] += [msgspec.to_builtins(TableFinding(place=place, text=text)) for place, text in found]
    reply["drawn"] = drawn_board(board, kept, layout, rules, document.language)


def answer_json(value: object, stage: str, more: dict[str, Any]) -> bytes:
    """What :func:`answer` says, and ``more``, as JSON.

    :raises TableDocumentError: when it isn't a document."""
    begun = time.perf_counter()
    reply = answer(value, stage)
    reply["ms"] = round(1000 * (time.perf_counter() - begun))
    return msgspec.json.encode(more | reply)


def grown_files(value: object, *, every: bool = False) -> dict[str, str]:
    """The files of a document's board and shown edition, the grown ones too, as far as it can be grown;
    with ``every`` edition.

    :raises TableDocumentError: when it is none."""
    document = read_document(value)
    variants = list(variant_files(document).items())[: None if every else 1]
    grown: dict[str, str] = answer(value, "full").get("files", {})
    return write_files(document) | grown | dict(variants)


def coarse(plan: Plan) -> Plan:
    """A plan of the same board for a growth that is quick and not fine."""
    width = plan.frame.width
    return msgspec.structs.replace(
        plan, detail=max(plan.detail, width / GRIDS), islet=max(plan.islet, (COARSE_ISLET * width) ** 2)
    )


def _answer(plan: Plan, stage: str, picture: BoardPicture, findings: list[TableFinding]) -> dict[str, Any]:
    head: dict[str, Any] = {
        "stage": stage,
        "frame": msgspec.structs.asdict(plan.frame),
        "width": plan.frame.width,
        "height": plan.frame.height,
        "insets": [
            {
                **msgspec.to_builtins(window.drawn),
                "row": window.row,
                "projection": msgspec.to_builtins(window.projection),
                "frame": msgspec.structs.asdict(window.frame),
            }
            for window in plan.insets
        ],
    }
    drawn: dict[str, Any] = msgspec.to_builtins(picture)
    return head | drawn | {"findings": msgspec.to_builtins(findings)}


def _ground(plan: Plan, folder: TextFolder) -> BaseGeometry:
    """The ground of a plan, kept for the next growth: it depends on no point of a province.

    :raises ValueError: when its coastline is a file that holds none."""
    land_key = plan.coastline
    if land_key not in SHIPPED and land_key != NONE:
        land_key = hashlib.sha256(folder.files.get(plan.coastline, "").encode()).hexdigest()

    def key_of(plan: Plan, *more: object) -> str:
        facts = (land_key, plan.coastline, plan.projection, plan.frame, plan.detail, plan.narrow)
        return hashlib.sha256(msgspec.json.encode((*facts, *more))).hexdigest()

    def draw(plan: Plan, land: Land) -> BaseGeometry:
        """Draw the land but once, whatever is carved from it and whichever insets are laid over it."""
        return _drawn_lands.get(key_of(plan), lambda: draw_land(plan, land))

    def cut() -> BaseGeometry:
        if plan.coastline in SHIPPED:
            return cut_ground(plan, shipped_land(plan.coastline), draw)
        return cut_ground(plan, _lands.get(land_key, lambda: find_land(folder, plan.coastline)), draw)

    return _grounds.get(key_of(plan, plan.patches, plan.insets), cut)


def variant_findings(
    board: str, files: Mapping[str, str], variants: Mapping[str, str]
) -> tuple[Ruleset | None, list[tuple[str, str]]]:
    """The first variant as rules, if it is sound, and what is wrong with any: (file, fault).

    They are read from a folder that is gone afterwards, with the rules that come with the package."""
    sound: Ruleset | None = None
    found: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory(prefix="legation-table-") as scratch:
        folder = Path(scratch)
        write_folder(files, folder / board)
        write_folder(variants, folder)
        for number, file in enumerate(variants):
            registry = Registry(installed=False)
            try:
                rules = registry.load(registry.add_file(folder / file, replace=True))
                found += [(file, finding) for finding in findings(rules)]
            except VariantError as error:
                found += [(file, fault.removeprefix(f"{file}: ")) for fault in error.faults]
                continue
            if not number and rules.board.name == board:
                sound = rules
    return sound, found


def drawn_board(
    board: Board, shapes: Shapes, layout: Layout, rules: Ruleset | None, language: str
) -> dict[str, Any] | None:
    """The layers of the map, as pages show them, with its names in a language; None where it cannot be drawn."""
    try:
        if rules is None:
            atlas = Atlas(board, shapes, layout=layout).in_language(language)
        else:
            powers, kinds = tuple(rules.powers.values()), rules.kinds.values()
            atlas = Atlas(rules.board, shapes, powers, rules.title, layout, kinds).in_language(language)
        state = atlas.state_layer(rules.opening()) if rules else ""
        layer = atlas.board_layer()
    except (ValueError, ZeroDivisionError, IndexError, KeyError):
        return None
    return {"svg": layer.svg, "css": layer.style, "state": state, "scale": atlas.geometry.scale}


# Findings


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
