"""Files, folders and zip archives as importers see them: names and bytes, with bounds on both.

Nothing outside the given folder or archive is ever read: links that lead out of it, absolute names and ``..`` are
refused, and an archive is never unpacked to disk."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib.resources import files
from itertools import islice
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any

import msgspec

from legation.formats import (
    LARGEST_ARCHIVE,
    MEGABYTE,
    FormatError,
    ZipEntry,
    decode_json,
    read_file,
    read_toml,
    zip_entries,
)

LARGEST_FILE = 24 * 1024 * 1024  # bytes; the largest map known is 3 MB
HEAD = 400_000  # bytes, by which a format is recognized
MOST_FILES = 100_000
KEPT = 64 * 1024 * 1024  # bytes of files that are kept in memory
USELESS = tuple(
    ".jpg .jpeg .webp .ico .bmp .xcf .psd .ttf .otf .woff .woff2 .mp3 .ogg .wav .css .pyc .class .jar .exe"
    " .dll .so .o .db .sqlite .gitignore".split()
)
"""How files end that no importer reads."""
CACHES = frozenset(["__pycache__", "__macosx", "node_modules", "cache"])
"""Folders of what programs and systems keep for themselves, beside those that begin with a dot."""


class ForeignFileError(ValueError):
    """A file that cannot be imported; ``faults`` holds one line each, with its place and the mend.

    ``unknown``: nothing in it is in a format that is known."""

    def __init__(self, *faults: str, unknown: bool = False) -> None:
        self.faults = list(faults)
        self.unknown = unknown
        super().__init__("\n".join(faults))


class Source:
    """The files that an importer may read, by their names within the folder or archive (``classes/x.php``).

    ``main`` is the file that was given by itself, if one was: others beside it are read only when it names them.
    ``read`` gives the beginning of a file, as many bytes as are asked for."""

    def __init__(
        self,
        title: str,
        names: Iterable[str],
        read: Callable[[str, int], bytes],
        main: str = "",
        folder: Path | None = None,
    ) -> None:
        self.title = title
        self.main = main
        self._folder = folder
        self._names = sorted(names)
        self._read = read
        self._kept: dict[tuple[str, int], bytes] = {}
        self._folded: dict[str, str] = {}
        for name in self._names:
            self._folded.setdefault(name.lower(), name)

    @property
    def names(self) -> list[str]:
        """The names of the files to look through: all of them, or only the one that was given."""
        return [self.main] if self.main else list(self._names)

    def part(self, names: Iterable[str]) -> Source:
        """Some of the files by themselves."""
        return Source(self.title, names, self._read, folder=self._folder)

    def path(self, name: str) -> Path | None:
        """Where a file lies; None if it is in an archive."""
        path = self._folder / name if self._folder is not None else None
        return path if path is not None and path.is_file() else None

    def ending(self, *endings: str) -> list[str]:
        """The names that end so, whatever their case."""
        return [name for name in self.names if name.lower().endswith(endings)]

    def below(self, tail: str) -> str | None:
        """The first file whose path ends with ``tail``, in whatever folder."""
        return next((name for name in self.names if f"/{name}".lower().endswith(f"/{tail}".lower())), None)

    def _begin(self, name: str, most: int) -> bytes:
        """The first bytes of a file, which are kept until there are too many of all files."""
        if (name, most) not in self._kept:
            if sum(map(len, self._kept.values())) > KEPT:
                self._kept.clear()
            self._kept[name, most] = self._read(name, most)
        return self._kept[name, most]

    def head(self, name: str) -> bytes:
        """The beginning of a file, by which its format is recognized; empty if it cannot be read."""
        try:
            return self._begin(name, HEAD)
        except ForeignFileError:
            return b""

    def bytes(self, name: str) -> bytes:
        """The content of a file.

        :raises ForeignFileError: if it is too large or cannot be read."""
        data = self._begin(name, LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise ForeignFileError(f"{name}: is larger than {LARGEST_FILE // MEGABYTE} MB")
        return data

    def glance(self, name: str) -> str:
        """The beginning of a file as text; empty if it is none."""
        return _decoded(self.head(name)) or ""

    def text(self, name: str, longest: int = LARGEST_FILE) -> str:
        """The content of a file as text: UTF-8, or else Latin-1 as old files are.

        :raises ForeignFileError: if it is none, or longer than ``longest`` characters."""
        text = _decoded(self.bytes(name))
        if text is None:
            raise ForeignFileError(f"{name}: is not text")
        if len(text) > longest:
            raise ForeignFileError(f"{name}: is longer than {longest:,} characters")
        return text

    def beside(self, name: str, wanted: str, why: str = "") -> str:
        """The file that ``name`` refers to as ``wanted``: in its own folder, or from the top.

        :raises ForeignFileError: if the reference leads out, or there is no such file."""
        found = self.look(name, wanted)
        if found is None:
            raise ForeignFileError(f"{name}: {why or 'names'} {wanted[:80]!r}, and there is no such file here")
        return found

    def look(self, name: str, wanted: str) -> str | None:
        """As :meth:`beside`; None if there is no such file."""
        wanted = wanted.strip().replace("\\", "/")
        path = PurePosixPath(wanted)
        if not wanted or path.is_absolute() or ".." in path.parts or ":" in wanted:
            raise ForeignFileError(f"{name}: refers to {wanted[:80]!r}, which is outside {self.title}")
        for start in (PurePosixPath(name).parent, PurePosixPath()):
            found = self._folded.get(str(start / path).lower())
            if found is not None:
                return found
        return None


def by_marks(endings: tuple[str, ...], *marks: bytes) -> Callable[[Source], list[str]]:
    """Return what recognizes files that begin with all these marks (patterns), by how their names end; an empty ending
    is that of a name without any."""

    def recognize(source: Source) -> list[str]:
        found = [name for name in source.names if PurePosixPath(name.lower()).suffix in endings]
        return [name for name in found if all(re.search(mark, source.head(name)) for mark in marks)]

    return recognize


def read_formats(source: Source, modules: Mapping[str, ModuleType], wanted: str = "") -> list[Any]:
    """All that is read of a source in some formats, or in the one that is ``wanted``.

    Each file is read on its own, in the first format that recognizes it; one that cannot be read is told with the first
    that can.

    :raises ForeignFileError: if there are some, and none can be read."""
    found: list[Any] = []
    refused: dict[str, list[str]] = {}
    seen: set[str] = set()
    for module in [modules[wanted]] if wanted else modules.values():
        entries = [entry for entry in module.recognize(source) if entry not in seen]
        if wanted and not entries and source.main:
            entries = [source.main]
        seen.update(entries)
        for entry in entries:
            try:
                found += module.read(source, entry)
            except ForeignFileError as error:
                refused[entry] = error.faults
    if refused and not found:
        raise ForeignFileError(*(fault for faults in refused.values() for fault in faults))
    for entry, faults in refused.items():
        found[0].left(entry, "; ".join(fault.removeprefix(f"{entry}: ") for fault in faults))
    return found


def read_facts(name: str) -> dict[str, Any]:
    """A table of facts about other systems, which comes along with the importers."""
    return read_toml(files("legation.interop").joinpath(name).read_text(encoding="utf-8"))


def read_json(data: bytes, where: str) -> Any:
    """A JSON document.

    :raises ForeignFileError: if it is none."""
    try:
        return decode_json(data.removeprefix(codecs.BOM_UTF8))
    except msgspec.DecodeError as error:
        raise ForeignFileError(f"{where}: cannot be read as JSON ({error})") from None


def _decoded(data: bytes) -> str | None:
    """Bytes as text; None if they are none."""
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        if wide:
            return None
        text = data.decode("cp1252", errors="replace")
    return None if "\0" in text else text.replace("\r\n", "\n").replace("\r", "\n")


def open_source(path: Path) -> Source:
    """The files at a path: a folder, a zip archive, or one file with what lies beside it.

    Pictures and what programs keep for themselves are left out of folders and archives.

    :raises ForeignFileError: if there is nothing, or nothing that can be read."""
    try:
        if path.is_dir():
            return _folder(path, "")
        if not path.is_file():
            raise ForeignFileError(f"{str(path)[:200]}: there is no such file or folder")
        with path.open("rb") as file:
            if file.read(2) != b"PK":
                return _folder(path.parent, path.name)
        packed = _archived(path)
        return Source(path.name, packed, lambda name, most: packed[name](most))
    except OSError as error:
        raise ForeignFileError(f"{str(path)[:200]}: {error.strerror or error}") from None


def _wanted(name: str) -> bool:
    """Whether a file of a folder or archive may be of use."""
    *folders, file = PurePosixPath(name).parts
    return not (file.lower().endswith(USELESS) or any(f.startswith(".") or f.lower() in CACHES for f in folders))


def _folder(root: Path, main: str) -> Source:
    """The files of a folder and the folders in it, and those of archives that lie there; a link that leads out is as if
    it were not there."""
    inside = root.resolve()
    found: list[str] = []
    packed: dict[str, Callable[[int], bytes]] = {}
    for path in islice(_near(inside), MOST_FILES) if main else _below(inside):
        name = path.relative_to(inside).as_posix()
        if not path.is_file() or not path.resolve().is_relative_to(inside):
            continue
        if not main and name.lower().endswith(".zip"):
            with contextlib.suppress(ForeignFileError):  # one that is broken is left alone
                inner = {f"{name}/{file}": read for file, read in _archived(path).items()}
                packed |= inner
                found += inner
        elif main or _wanted(name):
            found.append(name)
        if len(found) > MOST_FILES:
            raise ForeignFileError(f"{root}: holds more than {MOST_FILES} files; give the variant's own folder")

    def read(name: str, most: int) -> bytes:
        if name in packed:
            return packed[name](most)
        try:
            with (inside / name).open("rb") as file:
                return file.read(most)
        except OSError as error:
            raise ForeignFileError(f"{name}: {error.strerror or error}") from None

    return Source(main or str(root), found, read, main, inside)


def _below(folder: Path) -> Iterator[Path]:
    """All files below a folder but those of caches and the like, which are not even looked into."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if _wanted(f"{f}/x"))
        yield from (Path(here, name) for name in sorted(names))


def _near(folder: Path) -> Iterator[Path]:
    """What lies beside a file: the folder's own files, and those of the folders in it."""
    for path in folder.iterdir():
        yield path
        if path.is_dir():
            yield from (inner for inner in path.iterdir() if inner.is_file())


def _archived(path: Path) -> dict[str, Callable[[int], bytes]]:
    """What reads the files of a zip archive, by their names.

    :raises ForeignFileError: if it is none, or a name leads out of it."""
    try:
        entries = zip_entries(read_file(path, LARGEST_ARCHIVE))
    except FormatError as error:
        raise ForeignFileError(f"{path.name}: cannot be read as a zip archive ({error})") from None
    found: dict[str, Callable[[int], bytes]] = {}
    for entry in entries:
        name = entry.name.replace("\\", "/")
        parts = PurePosixPath(name).parts
        if not parts or PurePosixPath(name).is_absolute() or ".." in parts or ":" in name:
            raise ForeignFileError(f"{path.name}: holds {name[:80]!r}, which is outside the archive")
        if _wanted(name):
            found[name] = partial(_unpacked, path.name, name, entry)
    if len(found) > MOST_FILES:
        raise ForeignFileError(f"{path.name}: holds more than {MOST_FILES} files")
    return found


def _unpacked(archive: str, name: str, entry: ZipEntry, most: int) -> bytes:
    """Return the beginning of a file of an archive; the size that the archive states isn't trusted."""
    try:
        data = entry.read(most)
    except FormatError as error:
        raise ForeignFileError(f"{archive}: {error}") from None
    if len(data) > LARGEST_FILE:
        raise ForeignFileError(f"{archive}: {name[:80]} unpacks to more than {LARGEST_FILE // MEGABYTE} MB")
    return data
