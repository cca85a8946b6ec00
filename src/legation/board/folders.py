"""Folders of files that are held in memory (what somebody sent, what is tried before it is kept), and writing them."""

import errno
import io
import os
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import IO, Any


def write_folder(files: Mapping[str, str], folder: Path) -> None:
    """Write files into a folder on disk, which is made if needed; their names may lead into folders (``a/b.toml``)."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class _Named(Traversable):
    """A file or a folder that is held in memory, with its name."""

    name = ""

    def __str__(self) -> str:
        return self.name

    def read_bytes(self) -> bytes:
        return bytes(self.open("rb").read())

    def read_text(self, encoding: str | None = None) -> str:
        return str(self.open().read())


class TextFolder(_Named):
    """Files by their names; there are no folders in it. It reads like a folder on a disk."""

    def __init__(self, files: Mapping[str, str], name: str = "") -> None:
        self.files = files
        self.name = name

    def iterdir(self) -> Iterator[Traversable]:
        return (TextFile(name, text) for name, text in self.files.items())

    def joinpath(self, *descendants: Any) -> Traversable:
        name = "/".join(str(part) for part in descendants)
        return TextFile(name, self.files.get(name))

    def is_dir(self) -> bool:
        return True

    def is_file(self) -> bool:
        return False

    def open(self, mode: str = "r", *args: Any, **kwargs: Any) -> IO[Any]:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), self.name)


class TextFile(_Named):
    """One file of such a folder; without a text there is none of this name."""

    def __init__(self, name: str, text: str | None) -> None:
        self.name = name
        self._text = text

    def iterdir(self) -> Iterator[Traversable]:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), self.name)

    def joinpath(self, *descendants: Any) -> Traversable:
        return TextFile("/".join([self.name, *map(str, descendants)]), None)

    def is_dir(self) -> bool:
        return False

    def is_file(self) -> bool:
        return self._text is not None

    def open(self, mode: str = "r", *args: Any, **kwargs: Any) -> IO[Any]:
        if self._text is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.name)
        text = self._text.removeprefix("\ufeff")
        return io.BytesIO(text.encode()) if "b" in mode else io.StringIO(text)
