"""Variants and boards that designers upload: read in memory and in a folder that is gone a moment later, never run,
kept in the document cache only; files of other systems are imported first, by a child process with limits of time and
memory.

An upload is a document, ``{"files": {name: text}}``; a variant in it is called ``bench-`` and the
document's name."""

import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from legation.atlas import Atlas
from legation.atlas.contacts import compare, read_links
from legation.atlas.shapes import PictureFileError, Shapes, read_shapes
from legation.board import Board, read_board
from legation.board.files import BoardFiles, build_board
from legation.board.folders import write_folder
from legation.board.lint import lint
from legation.children import ChildError, Children
from legation.formats import FormatError, read_toml, zip_entries
from legation.interop.sources import ForeignFileError
from legation.interop.tasks import ImportedVariant
from legation.judge import Ruleset
from legation.variants import STANDARD, USUAL, Registry, VariantError
from legation.web.public.maps import LiveMap, map_of, rules_of
from legation.web.serving.documents import DocumentCache
from legation.web.serving.pages import PageError

T = TypeVar("T")

PREFIX = "bench-"
MOST_FILES = 40
MOST_BYTES = 6 * 1024 * 1024  # of all files together, unpacked
MOST_PROVINCES = 1200
BUILDERS = Children(most=1, seconds=8, megabytes=900, patience=20)
"""What reads uploaded files first: what is beyond these limits is refused; the largest board that comes along takes
three seconds."""
IMPORTERS = Children(most=1, seconds=60, megabytes=1500, nice=10, patience=30)
"""What reads, settles and draws a foreign variant; one of 180 provinces takes ten seconds."""
REPORT = "import.md"
LARGEST_SHAPES = 2 * 1024 * 1024  # bytes; the largest board that comes along has a fifth of it
READY = 8  # uploaded variants that are kept built
NAMES = re.compile(r"[\w][\w .-]{0,60}\.(toml|csv|md|json|geojson)")


class UploadError(ValueError):
    """Files that are not taken; one sentence with the mend."""


class UploadedVariant(msgspec.Struct):
    """The result of reading some files: the findings, and as much as could be made of them."""

    name: str
    findings: list[str]
    rules: Ruleset | None = None
    board: Board | None = None
    live: LiveMap | None = None
    registry: Registry | None = None
    marked: dict[str, list[int]] = {}
    """By province, the numbers of the findings that name it."""


class VariantUploads:
    """Finds variants for pages: those of the site, and uploaded ones."""

    def __init__(self, documents: DocumentCache, variants: Registry = USUAL) -> None:
        self.documents = documents
        self.variants = variants
        self.uploaded = lru_cache(maxsize=READY)(self._uploaded)

    def registry(self, variant: str) -> Registry:
        """Return the registry in which a variant is looked up (PageError: 404 for an upload that is gone)."""
        if not variant.startswith(PREFIX):
            return self.variants
        registry = self.uploaded(variant.removeprefix(PREFIX)).registry
        if registry is None:
            raise PageError(422, "This variant can’t be played yet.")
        return registry

    def rules(self, variant: str, options: Mapping[str, Any] | None = None) -> Ruleset:
        """The rules of a variant (PageError: 404 when there is none, 422 when it cannot be used)."""
        if not variant.startswith(PREFIX) and not options:
            return rules_of(variant, self.variants)
        try:
            return self.registry(variant).load(variant, options)
        except VariantError as error:
            raise PageError(422, "; ".join(error.faults[:5])) from None

    def map_of(self, variant: str) -> LiveMap:
        """The map of a variant (PageError: 404 when there is none)."""
        if not variant.startswith(PREFIX):
            return map_of(variant, self.variants)
        live = self.uploaded(variant.removeprefix(PREFIX)).live
        if live is None:
            raise PageError(404, "This board has no map yet.")
        return live

    def files_of(self, variant: str) -> dict[str, dict[str, str]]:
        """The files of an uploaded variant by its name, for a child process; nothing for one that the site knows
        (PageError: 404 when it is not kept)."""
        if not variant.startswith(PREFIX):
            return {}
        name = variant.removeprefix(PREFIX)
        self.uploaded(name)
        return {variant: self.texts(name)}

    def texts(self, name: str) -> dict[str, str]:
        """Return the uploaded files of a name; empty if they are no longer kept."""
        texts: dict[str, str] = (self.documents.get(name) or {}).get("files", {})
        return texts

    def kept_of(self, variant: str) -> bytes:
        """A variant of the catalog, for a child process; nothing for one of the site's folders or an uploaded one."""
        if variant.startswith(PREFIX) or self.variants.shared.finds(variant):
            return b""
        try:
            return self.variants.as_it_is(variant).content()
        except VariantError:
            return b""

    def _uploaded(self, name: str) -> UploadedVariant:
        """Build an uploaded variant; :meth:`uploaded` keeps the last ones (PageError: 404 when it is not kept)."""
        kept = self.documents.get(name)
        if kept is None or "files" not in kept:
            ways = [("Designer", "/designer")]
            raise PageError(404, "This variant has been deleted.", mend="Upload it again.", ways=ways)
        return build(name, kept["files"], self.folders)

    @property
    def folders(self) -> list[str]:
        """The folders of this site's own variants, boards and rules."""
        return [str(folder) for folder in self.variants.folders]

    def put(self, files: Mapping[str, str]) -> str:
        """Store files as an uploaded variant and return its name."""
        return self.documents.put({"files": dict(files)})

    def take(self, uploads: Iterable[tuple[str, bytes]]) -> str:
        """Keep uploaded files; the answer is their name. They are unpacked and read by a child process first, so that
        nothing is built here that takes too long or too much (UploadError: for anything that isn't a board or variant,
        or too much)."""
        words = ("Other variants are being checked", "the files cannot be read", "reading the files was stopped")
        function, mend = f"{__name__}:unpack_and_build", "send fewer or smaller ones"
        uploads = list(uploads)
        files = _ask_child(BUILDERS, dict[str, str], function, uploads, self.folders, words=words, mend=mend)
        return self.put(files)


def import_files(uploads: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Import the files of another system, with a report (UploadError: no variant of a known format, or too much)."""
    words = ("Other imports are running", "the files cannot be imported", "the import was stopped")
    mend = "'legation import' has no such limit"
    function = "legation.interop.tasks:import_variant"
    made = _ask_child(IMPORTERS, ImportedVariant, function, uploads, words=words, mend=mend)
    report = made.report
    if made.others:
        report += f"\nThe package holds {len(made.others)} more: {', '.join(made.others)}. Upload them one by one.\n"
    return [*((name, text.encode()) for name, text in made.files.items()), (REPORT, report.encode())]


def _ask_child(
    pool: Children,
    returns: type[T],
    function: str,
    uploads: list[tuple[str, bytes]],
    *more: object,
    words: tuple[str, str, str],
    mend: str,
) -> T:
    """Have a child process read files; ``words`` say that it is busy, that it failed, and that it was stopped
    (UploadError: for what it cannot read, or too much)."""
    if sum(len(content) for _, content in uploads) > 2 * MOST_BYTES:
        raise UploadError(f"more than {MOST_BYTES // 1024 // 1024} MB in all")
    busy, failed, stopped = words
    try:
        return pool.call(returns, function, uploads, *more)
    except ChildError as error:
        if error.reason == "away":
            raise PageError(503, f"{busy} right now.", mend="Try again in a minute.") from None
        if error.reason == "failed" and error.kind in (UploadError.__name__, ForeignFileError.__name__):
            raise UploadError(str(error)) from None
        if error.reason == "failed":
            raise UploadError(f"{failed} ({error.kind})") from None
        raise UploadError(f"{stopped}: {error}; {mend}") from None


def unpack_and_build(uploads: list[tuple[str, bytes]], folders: list[str]) -> dict[str, str]:
    """Return what :func:`unpack` does, if it can be built; run in a child."""
    files = unpack(uploads)
    build("trial", files, folders)
    return files


def unpack(uploads: Iterable[tuple[str, bytes]]) -> dict[str, str]:
    """The texts in uploaded files and zip archives, by plain file name; folders do not matter (UploadError: for
    anything that isn't a board or variant, or too much)."""
    texts: dict[str, str] = {}
    room = MOST_BYTES

    def take(path: str, content: bytes) -> None:
        name = path.replace("\\", "/").rpartition("/")[2]
        if not NAMES.fullmatch(name):
            raise UploadError(
                f"{name[:60] or 'A file without a name'} is not taken; a board is .toml, .csv, .md and shapes.json"
            )
        if name in texts:
            raise UploadError(f"there are two files called {name}; send one board and one variant at a time")
        if len(texts) >= MOST_FILES:
            raise UploadError(f"more than {MOST_FILES} files; a board has about ten")
        try:
            texts[name] = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise UploadError(f"{name} is not UTF-8; save it in that encoding") from None

    for path, content in uploads:
        if not content[:4].startswith(b"PK\x03\x04"):
            room -= len(content)
            if room < 0:
                raise UploadError(f"more than {MOST_BYTES // 1024 // 1024} MB in all")
            take(path, content)
            continue
        try:
            for entry in zip_entries(content):
                plain = entry.name.rpartition("/")[2]
                if plain.startswith(".") or entry.name.startswith("__MACOSX/"):
                    continue
                unpacked = entry.read(room + 1)
                room -= len(unpacked)
                if room < 0:
                    raise UploadError(f"unpacked more than {MOST_BYTES // 1024 // 1024} MB")
                take(entry.name, unpacked)
        except FormatError as error:
            raise UploadError(f"{path[:60]} isn't a zip archive that can be read: {error}") from None
    if not texts:
        raise UploadError("no files were sent")
    return texts


def build(name: str, files: Mapping[str, str], folders: Iterable[str] = ()) -> UploadedVariant:
    """Make of some files what can be made of them; what is wrong is in the findings. They may build on the boards,
    variants and rules in the ``folders`` of a site."""
    made = UploadedVariant(name, [])
    variants = variants_in(files)
    with tempfile.TemporaryDirectory(prefix="legation-designer-") as scratch:
        folder = Path(scratch)
        own_board = board_name(next(iter(variants.values()), ""))
        shapes = None
        if "board.toml" in files:
            place = folder / own_board
            write_folder({file: text for file, text in files.items() if file not in variants}, place)
            shapes = _read_board(made, place)
        if variants:
            variant = folder / f"{PREFIX}{name}.toml"
            variant.write_text(unnamed(next(iter(variants.values()))), encoding="utf-8")
            _read_variant(made, variant, shapes, folders)
            _check_editions(made, folder, variants, folders)
        elif made.board is not None and shapes is not None:
            made.live = _draw_board(made, made.board, shapes)
    if "board.toml" not in files and not variants:
        made.findings.append("there is neither a board.toml nor a variant file; send one or both")
    _mark(made)
    return made


def is_variant(file: str) -> bool:
    """Return whether a file is a variant's, by its name."""
    return file.endswith(".toml") and file != "board.toml"


def variants_in(files: Mapping[str, str]) -> dict[str, str]:
    """The variant files among some, first the one that is called as its board is, then its editions."""
    found = {file: text for file, text in files.items() if is_variant(file)}
    return {file: found[file] for file in sorted(found, key=lambda f: (f != f"{board_name(found[f])}.toml", f))}


def _check_editions(made: UploadedVariant, folder: Path, variants: Mapping[str, str], folders: Iterable[str]) -> None:
    """Note what is wrong with the variants after the first, which is the one that is played here."""
    if len(variants) < 2:
        return
    write_folder(variants, folder)
    registry = Registry(*map(Path, folders), installed=False, tolerant=True)
    for file in list(variants)[1:]:
        try:
            registry.load(registry.add_file(folder / file, replace=True))
        except VariantError as error:
            made.findings += [f"{file}: {fault.removeprefix(f'{file}: ')}" for fault in error.faults]


def board_name(variant: str) -> str:
    """The folder that a variant expects its board in; made safe."""
    try:
        named = read_toml(variant).get("board", "")
    except ValueError:
        named = ""
    return named if isinstance(named, str) and re.fullmatch(r"[\w-]{1,60}", named) else "board"


def unnamed(text: str) -> str:
    """The variant file without a name of its own: here it has the name of the upload."""
    head, table, rest = re.split(r"(?m)(^[ \t]*\[|\Z)", text, maxsplit=1)
    return re.sub(r"(?m)^[ \t]*name[ \t]*=.*$", "", head) + table + rest


def _read_board(made: UploadedVariant, place: Path) -> Shapes | None:
    made.findings += [str(fault) for fault in lint(place)]
    made.board = build_board(BoardFiles(place)) if made.findings else read_board(place)
    if len(made.board.provinces) > MOST_PROVINCES:
        made.findings.append(f"more than {MOST_PROVINCES} provinces are not drawn here")
        return None
    drawn = place / "shapes.json"
    if drawn.is_file() and drawn.stat().st_size > LARGEST_SHAPES:
        most = LARGEST_SHAPES // 1024 // 1024
        made.findings.append(
            f"shapes.json is larger than {most} MB, which is not drawn here; grow it from a coarser coast"
        )
        return None
    try:
        shapes = read_shapes(place)
        if shapes is None:
            made.findings.append("shapes.json is missing: grow the board's shapes to see it as a map")
        elif not made.findings:
            made.findings += [str(fault) for fault in compare(made.board, shapes, read_links(BoardFiles(place)))]
        return shapes
    except PictureFileError as error:
        made.findings.append(str(error))
        return None


def _read_variant(made: UploadedVariant, file: Path, shapes: Shapes | None, folders: Iterable[str]) -> None:
    registry = Registry(*map(Path, folders), installed=False, tolerant=True)
    try:
        made.rules = registry.load(registry.add_file(file))
        folder = registry.folder_of(made.rules.name)
    except VariantError as error:
        made.findings += [fault.replace(file.name, "the variant file") for fault in error.faults]
        if made.board is not None and shapes is not None:
            made.live = _draw_board(made, made.board, shapes)
        return
    rules = made.rules
    if folder not in [*file.parent.iterdir()]:  # a board that the upload does not bring
        shapes = read_shapes(folder)
    if shapes is not None:
        powers = tuple(rules.powers.values())
        made.live = _draw(
            made, rules, lambda: Atlas(rules.board, shapes, powers, rules.title, None, rules.kinds.values())
        )
    if made.live is not None:
        registry.as_it_is(rules.name)  # which it remembers: bots are asked with it when the files are gone
        made.registry = registry


def _draw_board(made: UploadedVariant, board: Board, shapes: Shapes) -> LiveMap | None:
    return _draw(made, rules_of(STANDARD), lambda: Atlas(board, shapes, (), board.title or "The board"))


def _draw(made: UploadedVariant, rules: Ruleset, atlas: Callable[[], Atlas]) -> LiveMap | None:
    """Draw the live map while the files are there, so that what can't be drawn is a finding, no later failure."""
    try:
        live = LiveMap(rules, atlas(), f"{PREFIX}{made.name}")
        live.files["board.svg"]
    except (ValueError, ZeroDivisionError, IndexError, KeyError) as error:
        made.findings.append(f"the board cannot be drawn: {error}")
        return None
    return live


def _mark(made: UploadedVariant) -> None:
    board = made.rules.board if made.rules is not None else made.board
    if board is None:
        return
    for number, finding in enumerate(made.findings):
        for word in dict.fromkeys(re.findall(r"[\w/]+", finding)):
            place = word.partition("/")[0]
            if place in board.provinces and (len(place) > 2 or f"'{place}'" in finding):
                made.marked.setdefault(place, []).append(number)
