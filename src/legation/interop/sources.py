"""Files, folders and zip archives as importers see them: names and bytes, with bounds on both.

Nothing outside the given folder or archive is ever read: links that lead out of it, absolute names and ``..`` are
refused, and an archive is never unpacked to disk.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from legation.interop.errors import ForeignFileError

LARGEST_FILE = 24 * 1024 * 1024  # bytes; the largest map known is 3 MB
LARGEST_ARCHIVE = 96 * 1024 * 1024  # bytes, of all that is read of it
MOST_FILES = 6000
MEGABYTE = 1024 * 1024


class Source:
    """The files that an importer may read, by their names within the folder or archive (``classes/x.php``).

    ``main`` is the file that was given by itself, if one was: others beside it are read only when it names them.
    """

    def __init__(self, title: str, sizes: Mapping[str, int], read: Callable[[str], bytes], main: str = "") -> None:
        self.title = title
        self.main = main
        self._sizes = dict(sorted(sizes.items()))
        self._read = read
        self._known: dict[str, bytes] = {}
        self._folded: dict[str, str] = {}
        for name in self._sizes:
            self._folded.setdefault(name.lower(), name)

    @property
    def names(self) -> list[str]:
        """The names of the files to look through: all of them, or only the one that was given."""
        return [self.main] if self.main else list(self._sizes)

    def ending(self, *endings: str) -> list[str]:
        """The names that end so, whatever their case."""
        return [name for name in self.names if name.lower().endswith(endings)]

    def bytes(self, name: str) -> bytes:
        """The content of a file.

        :raises ForeignFileError: if it is too large or cannot be read.
        """
        if name not in self._known:
            if self._sizes[name] > LARGEST_FILE:
                raise ForeignFileError(f"{name}: is larger than {LARGEST_FILE // MEGABYTE} MB")
            data = self._read(name)
            if sum(map(len, self._known.values())) + len(data) > LARGEST_ARCHIVE:
                raise ForeignFileError(f"{self.title}: holds more than {LARGEST_ARCHIVE // MEGABYTE} MB of files")
            self._known[name] = data
        return self._known[name]

    def text(self, name: str) -> str:
        """The content of a file as text: UTF-8, or else Latin-1 as old files are."""
        data = self.bytes(name)
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            try:
                return data.decode("utf-16")
            except UnicodeDecodeError:
                raise ForeignFileError(f"{name}: is not text") from None
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", errors="replace")
        if "\0" in text:
            raise ForeignFileError(f"{name}: is not text")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def json(self, name: str) -> Any:
        """The content of a file as JSON.

        :raises ForeignFileError: if it is none.
        """
        return read_json(self.bytes(name), name)

    def beside(self, name: str, wanted: str, why: str = "") -> str:
        """The file that ``name`` refers to as ``wanted``: in its own folder, or from the top.

        :raises ForeignFileError: if the reference leads out, or there is no such file.
        """
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


def read_json(data: bytes, where: str) -> Any:
    """A JSON document.

    :raises ForeignFileError: if it is none.
    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError) as error:
        raise ForeignFileError(f"{where}: cannot be read as JSON ({error})") from None


def open_source(path: Path) -> Source:
    """The files at a path: a folder, a zip archive, or one file with what lies beside it.

    :raises ForeignFileError: if there is nothing, or nothing that can be read.
    """
    try:
        if path.is_dir():
            return _folder(path, "")
        if not path.is_file():
            raise ForeignFileError(f"{str(path)[:200]}: there is no such file or folder")
        with path.open("rb") as file:
            start = file.read(4)
        if start[:2] == b"PK":
            return _archive(path)
        return _folder(path.parent, path.name)
    except OSError as error:
        raise ForeignFileError(f"{str(path)[:200]}: {error.strerror or error}") from None


def _folder(root: Path, main: str) -> Source:
    """The files of a folder and the folders in it; a link that leads out is as if it were not there."""
    inside = root.resolve()
    sizes: dict[str, int] = {}
    for path in sorted(inside.rglob("*") if not main else _near(inside)):
        if path.is_file() and path.resolve().is_relative_to(inside):
            sizes[path.relative_to(inside).as_posix()] = path.stat().st_size
        if len(sizes) > MOST_FILES:
            raise ForeignFileError(f"{root}: holds more than {MOST_FILES} files; give the variant's own folder")

    def read(name: str) -> bytes:
        try:
            with (inside / name).open("rb") as file:
                return file.read(LARGEST_FILE + 1)
        except OSError as error:
            raise ForeignFileError(f"{name}: {error.strerror or error}") from None

    return Source(main or str(root), sizes, read, main)


def _near(folder: Path) -> list[Path]:
    """What lies beside a file: the folder's own files, and those of the folders in it."""
    near: list[Path] = []
    for path in folder.iterdir():
        near.append(path)
        if path.is_dir() and len(near) < MOST_FILES:
            near += [inner for inner in path.iterdir() if inner.is_file()][:MOST_FILES]
        if len(near) >= MOST_FILES:
            break
    return near[:MOST_FILES]


def _archive(path: Path) -> Source:
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise ForeignFileError(f"{path.name}: cannot be read as a zip archive ({error})") from None
    with archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if len(entries) > MOST_FILES:
            raise ForeignFileError(f"{path.name}: holds more than {MOST_FILES} files")
        sizes: dict[str, int] = {}
        contents: dict[str, bytes] = {}
        total = 0
        for entry in entries:
            name = entry.filename.replace("\\", "/")
            parts = PurePosixPath(name).parts
            if not parts or PurePosixPath(name).is_absolute() or ".." in parts or ":" in name:
                raise ForeignFileError(f"{path.name}: holds {name[:80]!r}, which is outside the archive")
            if entry.flag_bits & 1:
                raise ForeignFileError(f"{path.name}: {name[:80]} is encrypted; unpack it first")
            data = _unpacked(archive, entry, path.name)
            total += len(data)
            if total > LARGEST_ARCHIVE:
                raise ForeignFileError(f"{path.name}: unpacks to more than {LARGEST_ARCHIVE // MEGABYTE} MB")
            sizes[name], contents[name] = len(data), data
    return Source(path.name, sizes, contents.__getitem__)


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, title: str) -> bytes:
    """An entry's content, as far as the bound; what the archive says of its size is not believed."""
    name = entry.filename[:80]
    try:
        with archive.open(entry) as file:
            data = file.read(LARGEST_FILE + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        raise ForeignFileError(f"{title}: {name} cannot be unpacked ({error})") from None
    if len(data) > LARGEST_FILE:
        raise ForeignFileError(f"{title}: {name} unpacks to more than {LARGEST_FILE // MEGABYTE} MB")
    return data
