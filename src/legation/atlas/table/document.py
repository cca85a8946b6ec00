"""A board, its variants and what lies beside them as one document, and as the files of a folder."""

import re
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from legation.board.document import as_far_as_read, table_text
from legation.board.files import COLUMNS, NOTES, BoardFault, BoardFiles
from legation.board.folders import TextFolder
from legation.board.toml_text import toml_document
from legation.formats import FormatError, read_toml

HEAD = ("name", "title", "credits", "reconstructed", "projection", "frame", "grow")
MOST_ROWS = 6000  # of all tables
LONGEST_CELL = 20_000
FILE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
BESIDE = re.compile(r"[\w][\w.-]{0,60}\.(geojson|json|csv|md)")
GROWN = ("shapes.json", "layout.json", "relief.json")


class TableDocumentError(ValueError):
    """A document that is none; one sentence."""


class TableDocument(msgspec.Struct, kw_only=True):
    """What is on a drawing table: see the module."""

    board: dict[str, Any] = {}
    """The keys of ``board.toml``, and every table as a list of rows of texts
    (:func:`legation.board.board_document`)."""
    borders: Literal["picture", "stated"] = "picture"
    """Whether the table of borders follows from the picture, or is what it is."""
    variant: dict[str, Any] = {}
    """What the variant's file holds; empty while there is none."""
    editions: dict[str, dict[str, Any]] = {}
    """Further variants on the same board, by the names of their files."""
    shown: str = ""
    """The edition that is drawn, read and tried; empty: the variant itself."""
    language: str = ""
    """In which language names are drawn; empty: the board's own."""
    notes: str = ""
    files: dict[str, str] = {}
    """What else lies in the folder, by file name: a coastline of the board's own, its notes in other languages."""

    @property
    def name(self) -> str:
        """What the board's folder and the variant's file are called."""
        name = str(self.board.get("name", ""))
        return name if FILE_NAME.fullmatch(name) and name != "board" else "my-board"  # board.toml is another file

    @property
    def shown_variant(self) -> dict[str, Any]:
        """What the file of the shown edition holds."""
        return self.editions.get(self.shown, self.variant)


def read_document(value: object) -> TableDocument:
    """The document in plain data.

    :raises TableDocumentError: when it is none, or too large."""
    try:
        document = msgspec.convert(value, TableDocument)
    except msgspec.ValidationError as error:
        raise TableDocumentError(f"this isn't a document of a drawing table: {error}") from None
    rows = 0
    for table in COLUMNS:
        found = document.board.get(table, [])
        if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
            raise TableDocumentError(f"the table {table} isn't a list of rows")
        rows += len(found)
        if any(len(str(cell)) > LONGEST_CELL for row in found for cell in row.values()):
            raise TableDocumentError(f"a cell of the table {table} holds more than {LONGEST_CELL} characters")
    if rows > MOST_ROWS:
        raise TableDocumentError(f"the tables have {rows} rows together; at most {MOST_ROWS} are allowed")
    for name in document.editions:
        if not FILE_NAME.fullmatch(name) or name in ("board", document.name):
            raise TableDocumentError(f"an edition cannot be called {name[:60]!r}")
    for name in document.files:
        if not BESIDE.fullmatch(name) or name.removesuffix(".csv") in COLUMNS or name in (*GROWN, "notes.md"):
            raise TableDocumentError(f"a file of the board cannot be called {name[:60]!r}")
    return document


def write_files(document: TableDocument) -> dict[str, str]:
    """The files of the board's folder by name, without those that are grown.

    :raises TableDocumentError: for what no file can hold."""
    board = document.board
    order = sorted(board.keys() - COLUMNS.keys(), key=lambda key: (HEAD.index(key) if key in HEAD else len(HEAD), key))
    files = {"board.toml": _toml("board.toml", {key: board[key] for key in order})}
    for table in COLUMNS:
        if board.get(table):
            files[f"{table}.csv"] = table_text(table, board[table])
    if document.notes.strip():
        files["notes.md"] = document.notes
    return files | document.files


def variant_files(document: TableDocument) -> dict[str, str]:
    """The variant files by name, the shown edition first; they lie beside the board's folder.

    :raises TableDocumentError: for what no file can hold."""
    variants = {document.name: document.variant, **document.editions} if document.variant else document.editions
    if document.shown in document.editions:
        variants = {document.shown: document.shown_variant} | variants
    return {
        f"{name}.toml": _toml(f"{name}.toml", {**facts, "board": document.name}) for name, facts in variants.items()
    }


def _toml(name: str, facts: Mapping[str, Any]) -> str:
    try:
        return toml_document(facts)
    except ValueError as error:
        raise TableDocumentError(f"{name}: {error}") from None


def read_files(files: Mapping[str, str]) -> tuple[TableDocument, list[BoardFault]]:
    """The document that files hold, of a board's folder and the variants beside it, and what cannot be read of them."""
    folder = TextFolder({name: text for name, text in files.items() if not _is_variant(name)})
    raw = BoardFiles(folder)
    document = TableDocument(board=as_far_as_read(raw), notes=files.get("notes.md", "").strip())
    faults = list(dict.fromkeys(raw.faults))
    document.borders = "stated" if document.board.get("borders") else "picture"
    variants: dict[str, dict[str, Any]] = {}
    for name, text in files.items():
        if _is_variant(name):
            try:
                variants[name.removesuffix(".toml")] = read_toml(text)
            except FormatError as error:
                faults.append(BoardFault(name, f"cannot be read: {error}"))
    if variants:
        first = document.name if document.name in variants else min(variants)
        document.variant = variants.pop(first)
        document.editions = {name: facts for name, facts in variants.items() if FILE_NAME.fullmatch(name)}
    coast = document.board.get("grow", {}).get("coastline") if isinstance(document.board.get("grow"), dict) else None
    document.files = {
        name: text for name, text in files.items() if name == coast or (NOTES.fullmatch(name) and name != "notes.md")
    }
    return document, faults


def _is_variant(name: str) -> bool:
    return name.endswith(".toml") and name != "board.toml"


def files_of(value: object) -> dict[str, str]:
    """All files of a document by name, those of the variants too.

    :raises TableDocumentError: when it is none."""
    document = read_document(value)
    return write_files(document) | variant_files(document)


def document_of(files: Mapping[str, str]) -> dict[str, Any]:
    """The document of files, and what cannot be read of them.

    :raises TableDocumentError: when it is too large."""
    document, faults = read_files(files)
    read_document(msgspec.to_builtins(document))
    findings = [{"place": fault.place, "text": fault.message} for fault in faults]
    return {"document": msgspec.to_builtins(document), "findings": findings}
