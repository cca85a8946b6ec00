"""The one place where commands write files: beside the old file, synced, and put in its place, so that whatever happens
one of them is whole."""

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

if sys.platform != "win32":
    import fcntl


class FileChangedError(OSError):
    """A file that was written by somebody else since it was read."""


def replace_file(path: Path, content: bytes) -> None:
    """Write a file whole or not at all. What isn't a plain file, such as a pipe, is written to as it is.

    :raises OSError: when it cannot be written; the old file is then as it was."""
    if path.exists() and not path.is_file():  # asked before it is resolved: /dev/stdout leads to a pipe without a name
        path.write_bytes(content)
        return
    path = path.resolve()
    mask = os.umask(0)
    os.umask(mask)
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~mask
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:80]}.", suffix=".part", dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.chmod(mode)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    _sync(path.parent)


class KeptFile:
    """A file that is worked on as it is now, and written again; refused when somebody else has written it meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen = self._mark()

    def write(self, content: bytes) -> None:
        """Replace the file.

        :raises FileChangedError: when it is not what it was.
        :raises OSError: when it cannot be written."""
        with _alone(self.path.resolve().parent):
            if self._mark() != self._seen:
                raise FileChangedError(f"{self.path} was changed by another program")
            replace_file(self.path, content)
            self._seen = hashlib.sha256(content).digest()

    def _mark(self) -> bytes:
        try:
            return hashlib.sha256(self.path.read_bytes()).digest()
        except FileNotFoundError:
            return b""


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Alone among programs like this one with the files of a folder."""
    if sys.platform == "win32":  # not reached: Windows, where the tests do not run and files have no such locks
        yield
    else:
        handle = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def _sync(folder: Path) -> None:
    """Let the new name of a file last, where folders can be synced."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
